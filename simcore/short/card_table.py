"""A table of cards, from any source: a sheet, a saved object of Tabletop Simulator, a game file."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

COPIES, NAME = "copies", "name"  # columns of every table of cards


@dataclass(frozen=True)
class SheetOrigin:
    """Where a table of cards was read in a file. top: the row of headings; kinds: row -> number of its card.
    Rows count from 0.
    """

    path: Path
    sheet: str
    top: int
    kinds: dict[int, int]


class SheetError(ValueError):
    """An error such as `cards.csv, B7: what is wrong, and what to write instead`."""


@dataclass(frozen=True)
class CardSheet:
    """rows: for each kind of card its name, copies and the other columns, as integers or text.

    places: place of each row ("cards.csv, row 5"). notes: values read differently from how they are written.
    unread: column that cannot be used in rules -> reason. headings: column -> its heading.
    origin: None if the source has no rows and columns.
    """

    rows: list[dict[str, Any]]
    places: list[str]
    notes: list[str] = field(default_factory=list)
    unread: dict[str, str] = field(default_factory=dict)
    headings: dict[str, str] = field(default_factory=dict)
    origin: SheetOrigin | None = None
