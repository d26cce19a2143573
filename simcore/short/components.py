"""What a short game declares: numbers, cards and what lies on the table. Plain data; `writing` makes records
of it.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

from bartizan.simcore.short.card_sheet import read_card_sheet
from bartizan.simcore.short.card_table import COPIES, NAME, CardSheet, SheetError
from bartizan.simcore.short.linked_sheet import is_as_fetched

__all__ = ["Counter", "Deck", "Grid", "Hand", "Number", "Pile", "Row", "Ruling", "Seen", "Tokens"]
__all__ += ["everyone", "kinds", "others", "places"]

LOW, HIGH = 0, 1_000  # what a number of a card may be set to, unless its deck says otherwise
ROOM = 64  # cards that a pile has room for at least, unless it says how many it holds


class Seen(StrEnum):
    """Who sees what lies there."""

    OPEN = "open"
    OWNER = "owner"
    OTHERS = "others"  # everybody but the owner, as in Hanabi
    NOBODY = "nobody"


@dataclass(frozen=True, eq=False)
class Number:
    """A number of the rules: what it is, from where to where it may be set, and where it is from.

    value: one, several as a list, or one for each level: {"novice": 3, "elite": 5}. Without a source it is
    assumed.
    """

    value: int | list[int] | Mapping[str, int]
    low: int = 0
    high: int = 1_000_000
    source: str = ""

    @property
    def levels(self) -> tuple[str, ...]:
        return tuple(self.value) if isinstance(self.value, Mapping) else ()


@dataclass(frozen=True, eq=False)
class Ruling:
    """An unclear rule: the question that the rulebook leaves open, and its readings, names of small letters.

    The first reading is played unless `--set rulings.NAME=...` says otherwise. Rules compare:
    `n.NAME == READING`. Without a source it is assumed.
    """

    question: str
    readings: tuple[str, ...] = ()
    source: str = ""
    meaning: str = ""  # what each reading means, where their names do not say it


@dataclass(frozen=True, eq=False)
class TableItem:
    """Something that lies on the table, `s.NAME` in the rules."""

    each: bool = field(default=False, kw_only=True)  # one for every player: s.NAME[p]


@dataclass(frozen=True, eq=False)
class Counter(TableItem):
    """A number that changes: a pot, a round, a water level."""

    start: int = 0


@dataclass(frozen=True, eq=False)
class Tokens(Counter):
    """A number for every player: chips, points, a place on the track."""

    each: bool = field(default=True, kw_only=True)


@dataclass(frozen=True, eq=False)
class Row(TableItem):
    """A row of numbers: the spaces of a track, the height of columns, dice kept."""

    length: int = 1
    start: int = 0


@dataclass(frozen=True, eq=False)
class Grid(TableItem):
    """A board of cells, numbered row by row from 0; each holds a number."""

    rows: int = 1
    columns: int = 1
    start: int = 0

    @property
    def length(self) -> int:
        return self.rows * self.columns


@dataclass(frozen=True, eq=False)
class Stack(TableItem):
    """Cards in an order: `size`, `top`, `cards` and the other words of cards read them."""

    seen: str = field(default=Seen.OPEN, kw_only=True)
    # a helper (s, n, seat, owner, at) -> bool: does `seat` know the card in place `at` all the same?
    known: Any = field(default=None, kw_only=True)
    # a helper (s, n, seat, owner, at, card) -> bool: may that card lie there, for all that `seat` was told?
    fits: Any = field(default=None, kw_only=True)


@dataclass(frozen=True, eq=False)
class Deck(Stack):
    """The cards of a game and the pile that they are drawn from, shuffled at the start.

    kinds: {name: copies}; a range of numbers, one card each; a list of tables with `name`, `copies` and other
    columns; or a sheet beside the game (.csv, .xlsx). Numbers of a column are read as n.COLUMN[card].
    sheet, name, copies: of a file: which sheet of a workbook, and the headings of the columns of names and of
    copies, where they are not called so. scale: {"weight": 100} reads a column of decimals in hundredths.
    link: where `check FILE.py --refresh` fetches the file from, such as a Google sheet published as CSV.
    """

    kinds: Mapping[str, int] | range | Iterable[Mapping[str, Any]] | str = ()
    seen: str = field(default=Seen.NOBODY, kw_only=True)
    shuffled: bool = field(default=True, kw_only=True)
    low: int = field(default=LOW, kw_only=True)  # what a number of a card may be set to
    high: int = field(default=HIGH, kw_only=True)
    source: str = field(default="", kw_only=True)
    sheet: str = field(default="", kw_only=True)
    name: str = field(default="", kw_only=True)
    copies: str = field(default="", kw_only=True)
    scale: Mapping[str, int] = field(default_factory=dict, kw_only=True)
    link: str = field(default="", kw_only=True)

    def table(self, folder: Path) -> CardSheet:
        """A row for each kind of card. Raises SheetError and OSError for a file that cannot be read."""
        if isinstance(self.kinds, str):
            path = folder / self.kinds
            if self.link and not path.exists():
                way = "bartizan check FILE.py --refresh"
                raise SheetError(f"{self.kinds} has not been downloaded yet; fetch it with: {way}")
            table = read_card_sheet(path, self.sheet, self.copies, self.name, self.scale)
            if self.link and not is_as_fetched(path):
                table.notes.append(
                    f"{path.name}: edited since it was fetched from its link, or never fetched"
                )
            return table
        rows = list(self._rows())
        return CardSheet(rows, [""] * len(rows))

    def _rows(self) -> Iterable[dict[str, Any]]:
        if isinstance(self.kinds, range):  # a card is its own number
            copies = dict.fromkeys(self.kinds, 1)
            return [{NAME: str(i), COPIES: copies.get(i, 0)} for i in range(max(self.kinds) + 1)]
        if isinstance(self.kinds, Mapping):
            return [{NAME: name, COPIES: copies} for name, copies in self.kinds.items()]
        return [{COPIES: 1} | dict(row) for row in self.kinds]  # type: ignore[union-attr]


@dataclass(frozen=True, eq=False)
class Pile(Stack):
    """Cards on the table: a discard pile, a market, what a player has in front of them (each=True)."""

    of: Deck
    room: int = 0  # the most cards it holds; 0: all there are


@dataclass(frozen=True, eq=False)
class Hand(Pile):
    """A player's cards, which the others do not see."""

    each: bool = field(default=True, kw_only=True)
    seen: str = field(default=Seen.OWNER, kw_only=True)


# ---------------------------------------------------------------- what an argument of an action ranges over


@dataclass(frozen=True, eq=False)
class Seats:
    """`target: others`: a player who is still in; `everyone`: oneself too."""

    me: bool


@dataclass(frozen=True, eq=False)
class Kinds:
    """`guess: kinds(deck)`: any kind of card."""

    of: Deck


@dataclass(frozen=True, eq=False)
class Places:
    """`at: places(hand)`: which place of the cards, of a row or of a grid, 0 the first."""

    of: TableItem


others, everyone, kinds, places = Seats(me=False), Seats(me=True), Kinds, Places
