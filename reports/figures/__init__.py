"""One question a picture: `draw(...)` -> matplotlib Figure, narrow enough to read on a phone; `files.inline`
turns it into page text.
"""
