"""Charts, each of which answers one question and is readable on a phone.

`svg.svg` writes a chart for a page. `paper.drawn` returns it as a matplotlib figure, for paper and for files.
"""
