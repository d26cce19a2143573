"""Charts, each of which answers one question and is readable on a phone.

`draw(...)` returns a matplotlib figure, and `files.inline` converts it to SVG for a page.
"""
