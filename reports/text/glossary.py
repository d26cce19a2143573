"""Glossary of a page: the terms that occur in its texts, with their meanings."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, is_dataclass
from functools import cache
from pathlib import Path
from typing import Any

HEADING = "Words used here"
UNREAD = ("alt", "typed")  # fields without new prose: alternative texts of figures, and commands


@dataclass(frozen=True)
class Term:
    term: str
    meaning: str


@cache
def _known() -> tuple[tuple[Term, re.Pattern[str]], ...]:
    data = tomllib.loads((Path(__file__).parent / "glossary.toml").read_text(encoding="utf-8"))
    return tuple(
        (Term(row["term"], row["meaning"]), re.compile("|".join(map(_whole, row["forms"])), re.IGNORECASE))
        for row in data["term"]
        if "forms" in row
    )


def _whole(form: str) -> str:
    """Return a pattern that matches the form as a whole word."""
    return rf"(?<![\w-]){re.escape(form)}(?![\w-])"


def used_in(*content: Any) -> list[Term]:
    """Return the terms that occur in the content, in alphabetical order.

    content: texts, or objects with texts.
    """
    text = "\n".join(_texts(content)).replace("\u00a0", " ")
    terms = [(term, match.group()) for term, pattern in _known() if (match := pattern.search(text))]
    return sorted((_as_in_text(*pair) for pair in terms), key=lambda term: term.term.lower())


def _as_in_text(term: Term, form: str) -> Term:
    """Return the term in the form that the page uses, followed by the standard form if it differs.

    For example: `cut off (truncated)`.
    """
    same = term.term[:-1] in form.lower() or _words(term.term) == _words(form)
    return term if same else Term(f"{form.lower()} ({term.term})", term.meaning)


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.lower()))


def _texts(content: Any) -> Iterator[str]:
    if isinstance(content, str):
        yield content
    elif isinstance(content, Mapping):
        yield from (text for part in content.values() for text in _texts(part))
    elif isinstance(content, (list, tuple)):
        yield from (text for part in content for text in _texts(part))
    elif is_dataclass(content):
        names = (name for name in content.__dataclass_fields__ if name not in UNREAD)
        yield from (text for name in names for text in _texts(getattr(content, name)))
