"""Columns of words in a table of cards or a board, such as Type (Plant, Bird): their words are constants."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from bartizan.simcore.short import card_values as values
from bartizan.simcore.short.words import NONE

MOST_WORDS = 60  # in a column; one with more is free text
BLANK = "none"  # a blank cell, in a scenario; NONE in rules


@dataclass(frozen=True)
class WordColumn:
    """A column of words.

    cells: the constant of each row, "" for a blank cell. spelling: maps each constant, in alphabetical order,
    to its word as first written.
    """

    cells: tuple[str, ...]
    spelling: dict[str, str]

    @property
    def texts(self) -> list[str]:
        """Text of each cell, as a scenario contains it."""
        return [self.spelling.get(constant, BLANK) for constant in self.cells]

    def choices(self, codes: Mapping[str, int]) -> dict[str, int]:
        """Map each text of the column to its number in rules."""
        blank = {BLANK: NONE} if "" in self.cells else {}
        return {text: codes[constant] for constant, text in self.spelling.items()} | blank


def word_column(cells: Iterable[Any]) -> WordColumn | None:
    """Return a column of words; None for a column that is blank, or contains a number or free text."""
    constants, spelling = [], {}
    for cell in cells:
        text = " ".join(values.tidy(cell).split()) if isinstance(cell, str) else "0"
        is_blank = values.is_blank(text)
        constant = "" if is_blank else constant_of("", text)
        if not is_blank and not (constant.isidentifier() and len(text) <= values.LONGEST):
            return None
        constants.append(constant)
        if constant:
            spelling.setdefault(constant, text)
    if not 0 < len(spelling) <= MOST_WORDS:
        return None
    return WordColumn(tuple(constants), dict(sorted(spelling.items())))


def numbered(columns: Iterable[WordColumn]) -> list[list[str]]:
    """Return the constants of columns in groups; the number of a word is its place in its group.

    Each group is in alphabetical order, so that sorted rows give the same numbers. Columns that have a word
    in common are one group, so that a word has the same number in all of them.
    """
    groups: list[set[str]] = []
    for column in columns:
        group = set(column.spelling)
        for other in [one for one in groups if one & group]:
            groups.remove(other)
            group |= other
        groups.append(group)
    return [sorted(group) for group in groups]


def constant_of(prefix: str, text: str) -> str:
    """Return the name of a constant for a text.

    For example, it is END_GOAL_REACHED for the prefix END and "goal reached".
    """
    return "_".join(filter(None, [prefix, re.sub(r"\W+", "_", text).strip("_").upper()]))
