"""Parts of pages of several kinds: entries, tables, charts, paragraphs, and whole parts of a report."""
