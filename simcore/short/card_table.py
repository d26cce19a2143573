"""A table of cards, from any source: a sheet, a saved object of Tabletop Simulator, a game file."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

COPIES, NAME = "copies", "name"  # columns of every table of cards


@dataclass(frozen=True)
class SheetOrigin:
    """The place of a table of cards in a file.

    top: row of the headings. kinds: maps each row to the number of its kind of card. Rows count from 0.
    """

    path: Path
    sheet: str
    top: int
    kinds: dict[int, int]


class SheetError(ValueError):
    """A fault in a table of cards.

    The message has the form `cards.csv, B7: fault, and what to write instead`.
    """


@dataclass(frozen=True)
class CardSheet:
    """A table of cards. rows: name, copies and other columns of each kind of card, as integers or text.

    places: place of each row ("cards.csv, row 5"). notes: messages about values that are not read as written.
    unread: maps each column that rules cannot read to the reason. headings: maps columns to headings. origin:
    None if the source has no rows and columns. scales: maps each column with decimals to the scale with which
    rules can read it.
    """

    rows: list[dict[str, Any]]
    places: list[str]
    notes: list[str] = field(default_factory=list)
    unread: dict[str, str] = field(default_factory=dict)
    headings: dict[str, str] = field(default_factory=dict)
    origin: SheetOrigin | None = None
    scales: dict[str, int] = field(default_factory=dict)
