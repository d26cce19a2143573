"""A table of cards, whatever it was read from: a sheet, a saved object of Tabletop Simulator, a game file."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

COPIES, NAME = "copies", "name"  # columns of every table of cards


@dataclass(frozen=True)
class SheetOrigin:
    """Where in a file a table of cards was read. top: the row of headings; kinds: row -> number of its card.
    Rows count from 0.
    """

    path: Path
    sheet: str
    top: int
    kinds: dict[int, int]


class SheetError(ValueError):
    """`cards.csv, B7: what, and what to write instead`."""


@dataclass(frozen=True)
class CardSheet:
    """rows: for each kind of card its name, copies and the other columns, whole numbers or text.

    places: where each row is ("cards.csv, row 5"). notes: what was read otherwise than it is written.
    unread: a column that holds no numbers for the rules -> why. headings: column -> its heading.
    origin: None for what is no sheet of rows and columns.
    """

    rows: list[dict[str, Any]]
    places: list[str]
    notes: list[str] = field(default_factory=list)
    unread: dict[str, str] = field(default_factory=dict)
    headings: dict[str, str] = field(default_factory=dict)
    origin: SheetOrigin | None = None
