"""How do games for two or more sides end: which side wins, how often is it a draw, and what would another
form of the result say?
"""

from dataclasses import dataclass
from itertools import accumulate

import polars as pl

from bartizan.analyses.records.tally import (
    HOUSE,
    NOBODY,
    CellGames,
    Method,
    Tally,
    count,
    cut_off,
    reporting_of,
    won,
)
from bartizan.analyses.records.time_to_event import cut_before
from bartizan.analyses.statistics.intervals import Interval, proportion, with_cut_off
from bartizan.simcore.reporting import Reporting


@dataclass(frozen=True)
class Part:
    """Games that ended one way.

    `seat`: who won, `tally.NOBODY` a draw, `tally.HOUSE` lost to the game itself.
    """

    seat: int
    name: str  # "the Allies", "draw"
    games: int
    share: Interval  # of all games; cut-off games make it a range over both


@dataclass(frozen=True)
class FormResult:
    """The same games by another form of the result."""

    title: str
    note: str
    winner: Part
    otherwise: Part


@dataclass(frozen=True)
class Mark:
    """Games of which something is true."""

    column: str
    label: str
    games: int
    share: Interval  # of all games


@dataclass(frozen=True)
class Outcomes:
    """parts + cut off = all games.

    `edges`: shares of the parts up to and with each but the last, where a stacked bar changes colour.
    """

    games: int
    capped: int
    parts: tuple[Part, ...]  # in the order of a stacked bar
    edges: tuple[Interval, ...]
    forms: tuple[FormResult, ...]
    marks: tuple[Mark, ...]

    @property
    def sides(self) -> tuple[Part, ...]:
        """Those won by a side, in seat order."""
        return tuple(sorted((part for part in self.parts if part.seat >= 0), key=lambda part: part.seat))

    @property
    def draw(self) -> Part:
        return next(part for part in self.parts if part.seat == NOBODY)


def from_tally(games: Tally, cell: CellGames, method: Method = proportion) -> Outcomes:
    """Shares of all games, each with its own interval.

    `method` is `intervals.confidence_sequence` for a run that stopped when it was precise enough.
    """
    reporting, capped = reporting_of(cell), count(games.outcomes, cut_off())
    names = side_names(cell)

    def share(number: int, unknown: int = capped) -> Interval:
        return with_cut_off(number, unknown, games.games, method=method)

    numbers = {seat: count(games.outcomes, won(seat)) for seat in (*range(len(names)), NOBODY, HOUSE)}
    parts = tuple(
        Part(seat, names[seat] if seat in names else OTHERS[seat], numbers[seat], share(numbers[seat]))
        for seat in _order(len(names), numbers)
    )
    running = list(accumulate(part.games for part in parts))
    forms = (
        ()
        if reporting.is_cut_short(getattr(cell, "set", {}))
        else tuple(_forms(games, reporting, names, share))
    )
    return Outcomes(
        games.games,
        capped,
        parts,
        tuple(map(share, running[:-1])),
        forms,
        tuple(_marks(games, reporting, share)),
    )


OTHERS = {NOBODY: "draw", HOUSE: "nobody"}


def side_names(cell: CellGames) -> dict[int, str]:
    """Seat -> the side as a sentence holds it."""
    declared = reporting_of(cell).sides
    roles = (policy["role"].replace("_", " ") for policy in cell.policies)
    return dict(enumerate(declared or (f"the {role} player" for role in roles)))


def _order(seats: int, numbers: dict[int, int]) -> list[int]:
    """Between two sides the draws stand in the middle, as in a bar of a chess opening; among more, after
    them.
    """
    order = [0, NOBODY, 1] if seats == 2 else [*range(seats), NOBODY]
    return order + ([HOUSE] if numbers[HOUSE] else [])


def _forms(games: Tally, reporting: Reporting, names: dict[int, str], share):
    """A game cut off where nothing had happened yet could still have gone either way."""
    for form in reporting.forms:
        values = games.values[form.column]
        unknown = cut_before(values)
        reached = count(values, pl.col("value").is_not_null())
        rest = games.games - reached - unknown
        parts = (
            Part(seat, names[seat], number, share(number, unknown))
            for seat, number in ((form.winner, reached), (form.otherwise, rest))
        )
        yield FormResult(form.title, form.note, *parts)


def _marks(games: Tally, reporting: Reporting, share):
    for column, label in reporting.marks.items():
        number = count(games.values[column], (pl.col("value") == 1) & pl.col("cut_at").is_null())
        yield Mark(column, label, number, share(number))
