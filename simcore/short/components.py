"""The declarations of a short game: numbers, cards and components on the table.

They are plain data, from which `writing` generates the full form.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

from bartizan.simcore.short.card_sheet import read_card_sheet
from bartizan.simcore.short.card_table import COPIES, NAME, CardSheet, SheetError
from bartizan.simcore.short.linked_sheet import is_as_fetched

__all__ = ["Board", "Counter", "Deck", "Grid", "Hand", "Number", "Pile", "Row", "Ruling", "Seen", "Tokens"]
__all__ += ["everyone", "kinds", "others", "places"]

LOW, HIGH = 0, 1_000  # allowed range of a number on a card, unless its deck declares another
ROOM = 64  # minimum capacity of a pile, unless it declares its own


class Seen(StrEnum):
    """The players who see the cards of a pile, or a number."""

    OPEN = "open"
    OWNER = "owner"
    OTHERS = "others"  # all players except the owner, as in Hanabi
    NOBODY = "nobody"


@dataclass(frozen=True, eq=False)
class Number:
    """A number of the rules: its value, its allowed range, and its source.

    value: a number, a list of numbers, or one number for each level: {"novice": 3, "elite": 5}. Without a
    source, it counts as assumed. players: the number of players for which the levels exist; 0 for all.
    """

    value: int | list[int] | Mapping[str, int]
    low: int = 0
    high: int = 1_000_000
    source: str = ""
    players: int = field(default=0, kw_only=True)

    @property
    def levels(self) -> tuple[str, ...]:
        return tuple(self.value) if isinstance(self.value, Mapping) else ()


@dataclass(frozen=True, eq=False)
class Ruling:
    """An unclear rule, with the question that the rulebook leaves open, and its readings.

    Readings are named in lower-case letters.

    The first reading is the default; `--set rulings.NAME=...` selects another. Rules compare `n.NAME ==
    READING`. Without a source, it counts as assumed.
    """

    question: str
    readings: tuple[str, ...] = ()
    source: str = ""
    meaning: str = ""  # meaning of each reading, if the names do not explain it


@dataclass(frozen=True, eq=False)
class Board:
    """A board that is a graph, stored as a sheet with one row per space or connection.

    The sheet is in the folder of the game.

    Rules read column `token` as n.token[space], and columns `end_1` and `end_2` together as n.end[road, 0].
    As the range of an argument, a board means its rows, with their names. name: the heading of the column of
    names, if it differs from the defaults.
    """

    sheet: str
    name: str = field(default="", kw_only=True)

    def table(self, folder: Path) -> CardSheet:
        """Return the sheet. Raises SheetError and OSError for an unreadable file."""
        return read_card_sheet(folder / self.sheet, copies=None, name=self.name)


@dataclass(frozen=True, eq=False)
class TableItem:
    """A component on the table, `s.NAME` in the rules."""

    each: bool = field(default=False, kw_only=True)  # one per player: s.NAME[p]
    # who sees it; "" for a number: all players, unless the rules compute the number from hidden cards
    seen: str = field(default="", kw_only=True)


@dataclass(frozen=True, eq=False)
class Counter(TableItem):
    """A number that changes, such as a pot, a round, or a water level.

    recorded: keep its value at the end of every game, as the column `counter_NAME`. It stays as the rules
    count it, for example in tenths, also in a game with `score_scale`.
    """

    start: int = 0
    recorded: bool = field(default=False, kw_only=True)


@dataclass(frozen=True, eq=False)
class Tokens(Counter):
    """A number for every player, such as chips, points, or a place on the track."""

    each: bool = field(default=True, kw_only=True)


@dataclass(frozen=True, eq=False)
class Row(TableItem):
    """A row of numbers, such as the spaces of a track, the heights of columns, or dice that are kept."""

    length: int = 1
    start: int = 0


@dataclass(frozen=True, eq=False)
class Grid(TableItem):
    """A board of cells, numbered row by row from 0. Each cell contains a number."""

    rows: int = 1
    columns: int = 1
    start: int = 0

    @property
    def length(self) -> int:
        return self.rows * self.columns


@dataclass(frozen=True, eq=False)
class Stack(TableItem):
    """Cards in an order. Rules read them with `size`, `top`, `cards` and the other functions for cards."""

    seen: str = field(default=Seen.OPEN, kw_only=True)
    # a helper (s, n, seat, owner, at) -> bool: whether `seat` knows the hidden card in place `at`
    known: Any = field(default=None, kw_only=True)
    # a helper (s, n, seat, owner, at, card) -> bool: whether that card is possible there, given everything
    # that `seat` has learnt
    fits: Any = field(default=None, kw_only=True)


@dataclass(frozen=True, eq=False)
class Deck(Stack):
    """The cards of a game, and their draw pile, which is shuffled at the start.

    kinds: {name: copies}; a range of numbers, one card each; a list of tables with `name`, `copies` and other
    columns; or a sheet in the folder of the game (.csv, .xlsx). Rules read the numbers of a column as
    n.COLUMN[card]. sheet, name, copies: for a file, the sheet of a workbook, and the headings of the columns
    of names and copies, if they differ from the defaults. scale: {"weight": 100} reads a column of decimals
    in hundredths. link: source from which `check FILE.py --refresh` fetches the file, such as a Google sheet
    published as CSV.
    """

    kinds: Mapping[str, int] | range | Iterable[Mapping[str, Any]] | str = ()
    seen: str = field(default=Seen.NOBODY, kw_only=True)
    shuffled: bool = field(default=True, kw_only=True)
    low: int = field(default=LOW, kw_only=True)  # allowed range of a number on a card
    high: int = field(default=HIGH, kw_only=True)
    source: str = field(default="", kw_only=True)
    sheet: str = field(default="", kw_only=True)
    name: str = field(default="", kw_only=True)
    copies: str = field(default="", kw_only=True)
    scale: Mapping[str, int] = field(default_factory=dict, kw_only=True)
    link: str = field(default="", kw_only=True)

    def table(self, folder: Path) -> CardSheet:
        """Return a table with a row for each kind of card.

        Raises SheetError and OSError for an unreadable file.
        """
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
    """Cards on the table, such as a discard pile, a market, or the cards in front of a player (each=True)."""

    of: Deck
    room: int = 0  # maximum number of cards; 0: all cards of the deck


@dataclass(frozen=True, eq=False)
class Hand(Pile):
    """A player's cards, hidden from the other players."""

    each: bool = field(default=True, kw_only=True)
    seen: str = field(default=Seen.OWNER, kw_only=True)


# ---------------------------------------------------------------- ranges of the arguments of actions


@dataclass(frozen=True, eq=False)
class Seats:
    """The range of an argument such as `target: others`: all other players who are not eliminated.

    `everyone` includes the player to move.
    """

    me: bool


@dataclass(frozen=True, eq=False)
class Kinds:
    """The range of an argument such as `guess: kinds(deck)`: any kind of card of the deck."""

    of: Deck


@dataclass(frozen=True, eq=False)
class Places:
    """The range of an argument such as `at: places(hand)`.

    It is an index, from 0, in a pile of cards, a row or a grid.
    """

    of: TableItem


others, everyone, kinds, places = Seats(me=False), Seats(me=True), Kinds, Places
