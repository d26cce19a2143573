"""Charts, one question each: `draw(...)` returns a matplotlib Figure that is readable on a phone;
`files.inline` converts it to SVG for a page.
"""
