"""How much of each thing happens in a game?"""

from dataclasses import dataclass

import polars as pl

from bartizan.analyses.records import means
from bartizan.analyses.records.tally import CellGames, Method, Tally, reporting_of, tally
from bartizan.analyses.statistics.intervals import Interval, Mean, proportion


@dataclass(frozen=True)
class Count:
    column: str
    label: str
    mean: Mean  # a game, over the games that have a value
    any: (
        Interval | None
        # where it never happened: upper bound of the share of games in which it does, since a mean of 0 has
        # no spread to judge by
    )


@dataclass(frozen=True)
class GroupMeans:
    title: str
    note: str
    counts: tuple[Count, ...]

    def to_frame(self) -> pl.DataFrame:
        """One row a column: column, label, mean, se, n."""
        return pl.DataFrame(
            [
                {"column": c.column, "label": c.label, "mean": c.mean.mean, "se": c.mean.se, "n": c.mean.n}
                for c in self.counts
            ]
        )


def analyze(frame: pl.LazyFrame, cell: CellGames, method: Method = proportion) -> tuple[GroupMeans, ...]:
    """Means a game of every column that the game declares, in its groups.

    A game cut off counts with what had happened by then.
    """
    return from_tally(tally(frame, cell), cell, method)


def from_tally(games: Tally, cell: CellGames, method: Method = proportion) -> tuple[GroupMeans, ...]:
    found = means.from_tally(games).columns
    asked = reporting_of(cell)
    return tuple(
        GroupMeans(
            g.title,
            g.note,
            tuple(_count(column, label, found[column], method) for column, label in g.columns.items()),
        )
        for g in asked.groups
    )


def _count(column: str, label: str, mean: Mean, method: Method) -> Count:
    return Count(column, label, mean, method(0, mean.n) if mean.mean == 0 else None)
