"""Parts of pages that several kinds of page share: tables, charts, paragraphs, and whole sections."""
