"""By when has something happened for the first time?"""

from dataclasses import dataclass

import polars as pl

from bartizan.analyses.records.tally import CellGames, Method, Tally, count, reporting_of, tally
from bartizan.analyses.statistics.intervals import CONFIDENCE, Interval, dkw_margin, proportion, with_cut_off


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

    def to_frame(self) -> pl.DataFrame:
        """One row a turn: turn, games, by and its limits."""
        return pl.DataFrame(
            [
                {
                    "turn": s.turn,
                    "games": s.games,
                    "by": s.by.estimate,
                    "by_low": s.by.low,
                    "by_high": s.by.high,
                    "by_method": s.by.method,
                }
                for s in self.steps
            ]
        )

    def by(self, turn: int) -> Interval:
        """The share by the end of this turn; after the last turn of all games nothing happens any more."""
        return self.steps[min(turn, len(self.steps)) - 1].by


def analyze(frame: pl.LazyFrame, cell: CellGames, method: Method = proportion) -> tuple[FirstTime, ...]:
    """Every first time that the game declares; none where its games end before it can be told."""
    return from_tally(tally(frame, cell), cell, method)


def from_tally(games: Tally, cell: CellGames, method: Method = proportion) -> tuple[FirstTime, ...]:
    asked = reporting_of(cell)
    if asked.is_cut_short(getattr(cell, "set", {})):
        return ()
    return tuple(_first_time(games, column, label, method) for column, label in asked.firsts.items())


def _first_time(games: Tally, column: str, label: str, method: Method) -> FirstTime:
    values = games.values[column]
    happened, unknown = count(values, pl.col("value").is_not_null()), cut_before(values)
    ever = with_cut_off(happened, unknown, games.games, method=method)
    return FirstTime(column, label, games.games, happened, ever, tuple(_steps(games, values)))


def cut_before(values: pl.DataFrame) -> int:
    """Games cut off before it had happened: nobody knows whether it would have."""
    return count(values, pl.col("value").is_null() & pl.col("cut_at").is_not_null())


def _steps(games: Tally, values: pl.DataFrame):
    margin = dkw_margin(games.games)
    first = dict(values.drop_nulls("value").group_by("value").agg(pl.col("n").sum()).iter_rows())
    cut = dict(
        values.filter(pl.col("value").is_null())
        .drop_nulls("cut_at")
        .group_by("cut_at")
        .agg(pl.col("n").sum())
        .iter_rows()
    )
    so_far, cut_so_far = 0, 0
    for turn in range(1, max(1, max(games.outcomes["turn"])) + 1):
        so_far, cut_so_far = so_far + first.get(turn, 0), cut_so_far + cut.get(turn, 0)
        yield CurveStep(turn, first.get(turn, 0), _band(so_far, cut_so_far, games.games, margin))


def _band(so_far: int, cut_so_far: int, games: int, margin: float) -> Interval:
    """A game cut off earlier may have come to it by now: that widens the upper side."""
    method = "DKW band" if not cut_so_far else f"DKW band, bounds over {cut_so_far} cut-off games"
    return Interval(
        so_far / games,
        max(so_far / games - margin, 0.0),
        min((so_far + cut_so_far) / games + margin, 1.0),
        CONFIDENCE,
        method,
    )
