"""Blocks for a reader: at a terminal, in a browser, on paper, in Markdown."""
