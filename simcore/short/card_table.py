"""A table of cards, whatever it was read from: a sheet, a saved object of Tabletop Simulator, a game file."""

from dataclasses import dataclass, field
from typing import Any

COPIES, NAME = "copies", "name"  # columns of every table of cards


class SheetError(ValueError):
    """`cards.csv, B7: what, and what to write instead`."""


@dataclass(frozen=True)
class CardSheet:
    """rows: for each kind of card its name, copies and the other columns, whole numbers or text.

    places: where each row is ("cards.csv, row 5"). notes: what was read otherwise than it is written.
    unread: a column that holds no numbers for the rules -> why. headings: column -> its heading.
    """

    rows: list[dict[str, Any]]
    places: list[str]
    notes: list[str] = field(default_factory=list)
    unread: dict[str, str] = field(default_factory=dict)
    headings: dict[str, str] = field(default_factory=dict)
