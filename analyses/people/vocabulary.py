"""The words of `words.toml`: what designers write into tables, in several languages."""

import re
import tomllib
from pathlib import Path
from typing import Any

VOCABULARY: dict[str, Any] = tomllib.loads((Path(__file__).parent / "words.toml").read_text(encoding="utf-8"))
BLANK, YES, NO, NOBODY = (frozenset(VOCABULARY[name]) for name in ("blank", "yes", "no", "nobody"))
MONTHS = {word: int(month) for month, names in VOCABULARY["months"].items() for word in names}
RESULT = {word: result for result, names in VOCABULARY["result"].items() for word in names}
HEADINGS: dict[str, list[str]] = VOCABULARY["headings"]


def words(text: str) -> str:
    """A text for comparison: small letters, single spaces."""
    return " ".join(text.replace("\u00a0", " ").split()).casefold()


def any_of(name: str) -> str:
    """A pattern for the words of a list, the longest first."""
    return "|".join(re.escape(word) for word in sorted(VOCABULARY[name], key=len, reverse=True))
