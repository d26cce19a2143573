"""Renderers of blocks: terminal, HTML, PDF, Markdown, workbooks, notebooks."""
