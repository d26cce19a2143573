"""What pages of several kinds show: entries, tables, pictures, paragraphs; and whole parts of a report."""
