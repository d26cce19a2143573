"""By when has something happened for the first time?"""

from dataclasses import dataclass

import polars as pl

from bartizan.analyses.records.tally import CellGames, Method, Tally, count, reporting_of
from bartizan.analyses.statistics.intervals import Interval, dkw_band, proportion, with_cut_off


@dataclass(frozen=True)
class CurveStep:
    turn: int
    games: int  # in which it first happened in this turn
    # share of all games in which it has happened by the end of this turn; the band holds for all turns at
    # once
    by: Interval


@dataclass(frozen=True)
class FirstTime:
    """Share of all games in which it has happened by each turn, as those games were played: under their own
    limit, with what the players knew of it.
    """

    column: str
    label: str
    games: int
    happened: int
    ever: Interval  # share of all games in which it ever happened
    steps: tuple[CurveStep, ...]  # every turn from 1 to the last one that a game of the cell reached

    def rows(self) -> list[dict]:
        """A row for each turn: turn, games, by and its limits."""
        return [{"turn": step.turn, "games": step.games, **step.by.named("by")} for step in self.steps]

    def by(self, turn: int) -> Interval:
        """The share by the end of this turn; after the last turn of all games nothing happens any more."""
        return self.steps[min(turn, len(self.steps)) - 1].by


def from_tally(games: Tally, cell: CellGames, method: Method = proportion) -> tuple[FirstTime, ...]:
    """Every first time that the game declares; none where its games end before it can be told."""
    reporting = reporting_of(cell)
    if reporting.is_cut_short(getattr(cell, "set", {})):
        return ()
    return tuple(_first_time(games, column, label, method) for column, label in reporting.firsts.items())


def _first_time(games: Tally, column: str, label: str, method: Method) -> FirstTime:
    values = games.values[column]
    happened, unknown = count(values, pl.col("value").is_not_null()), cut_before(values)
    ever = with_cut_off(happened, unknown, games.games, method=method)
    return FirstTime(column, label, games.games, happened, ever, tuple(_steps(games, values)))


def cut_before(values: pl.DataFrame) -> int:
    """Games cut off before it had happened: nobody knows whether it would have."""
    return count(values, pl.col("value").is_null() & pl.col("cut_at").is_not_null())


def _steps(games: Tally, values: pl.DataFrame):
    never = values.filter(pl.col("value").is_null())
    first, cut = (
        dict(counts.drop_nulls(column).group_by(column).agg(pl.col("n").sum()).iter_rows())
        for counts, column in ((values, "value"), (never, "cut_at"))
    )
    so_far, cut_so_far = 0, 0
    for turn in range(1, max(1, max(games.outcomes["turn"])) + 1):
        so_far, cut_so_far = so_far + first.get(turn, 0), cut_so_far + cut.get(turn, 0)
        yield CurveStep(turn, first.get(turn, 0), dkw_band(so_far, cut_so_far, games.games))
