"""Numbers in options, as people write them: digits 0 to 9, a point and an exponent.

Python also reads `1_0`, `inf`, `nan` and digits of other scripts, and TOML also reads `0x10`. In an option,
these are more often typing errors.
"""

import re

NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,5})?", re.ASCII | re.IGNORECASE)
MOST_DIGITS = 4000  # Python converts no longer text to an integer
QUOTED = re.compile(r"\"[^\"]*\"|'[^']*'")
# in TOML: digits with _, numbers in another base, comments and further lines
UNUSUAL = re.compile(r"\d_\d|\b0[xob]|[#\n]", re.ASCII)


def numeral(text: str) -> str:
    """Return the text of a number, for `int`, `float` or `Decimal`. Raises ValueError for other text."""
    text = text.strip()
    if len(text) > MOST_DIGITS or not NUMBER.fullmatch(text):
        raise ValueError(f"{text[:20]!r} is not a number")
    return text


def is_unusual(text: str) -> bool:
    """Return whether a value in TOML has a notation that is usually a typing error in an option."""
    return len(text) > MOST_DIGITS or bool(UNUSUAL.search(QUOTED.sub("", text)))
