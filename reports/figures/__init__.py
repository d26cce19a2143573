"""Charts, each of which answers one question. `draw(...)` returns a matplotlib Figure that is readable on a
phone; `files.inline` converts it to SVG for a page.
"""
