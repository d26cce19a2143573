"""Who goes out when, and how often does the lead change?

For games that record it (`simcore.reporting.Ranking`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from operator import and_, or_

import polars as pl

from bartizan.analyses.records.tally import CellGames, Method, count, reporting_of
from bartizan.analyses.statistics.intervals import (
    Interval,
    Mean,
    mean_of_counts,
    proportion,
    quantile_interval,
    with_cut_off,
)

QUANTILES = (5, 50, 95)  # percent


@dataclass(frozen=True)
class SeatPlace:
    """One seat in one place: 1 the winner, as many as play the first to go out."""

    seat: int
    role: str
    place: int
    games: int
    share: Interval  # of all games; a game cut off before the place was decided makes it a range


@dataclass(frozen=True)
class Spread:
    """How a whole number is spread over games."""

    games: int
    values: tuple[int, ...]  # ascending
    counts: tuple[int, ...]
    mean: Mean
    quantiles: dict[int, Interval]  # percent -> value; empty without games


@dataclass(frozen=True)
class Elimination:
    """What a game does not record is empty or None."""

    games: int
    seats: int
    undecided: int  # games that end with some places open
    places: tuple[SeatPlace, ...]  # by seat, then place
    first_out: Spread | None  # turn in which the first player went out, over the games in which one did
    nobody_out: Interval | None  # share of games in which nobody did
    lead_changes: Spread | None
    no_change: Interval | None  # share of games in which the lead never changed hands

    def first_to_go(self) -> tuple[SeatPlace, ...]:
        """For each seat: how often it is the first to go out."""
        return tuple(place for place in self.places if place.place == self.seats)


def analyze(frame: pl.LazyFrame, cell: CellGames, method: Method = proportion) -> Elimination | None:
    """Shares of all games (Wilson), quantiles by order statistics, means with Student's t; None for a game
    that declares no ranking.
    """
    ranking, seats = reporting_of(cell).ranking, len(cell.policies)
    places, outs, changes = ranking.places(seats), ranking.outs(seats), ranking.lead_changes
    if not (places or outs or changes):
        return None
    gone = [pl.when(pl.col(out) > 0).then(pl.col(out).cast(pl.Int64)) for out in outs]
    parts = [
        _counted(frame, {name: pl.col(name).cast(pl.Int64).fill_null(0) for name in places}),
        _counted(frame, {"value": pl.min_horizontal(gone) if gone else pl.lit(None, pl.Int64)}),
        _counted(frame, {"value": pl.col(changes).cast(pl.Int64) if changes else pl.lit(None, pl.Int64)}),
    ]
    placed, first, changed = pl.collect_all(parts, engine="streaming")
    games = int(first["n"].sum())
    if not games:
        return None
    return Elimination(
        games,
        seats,
        count(placed, reduce(or_, (pl.col(name) == 0 for name in places))) if places else 0,
        tuple(_places(placed, cell, places, games, method)) if places else (),
        _spread(first) if outs else None,
        method(count(first, pl.col("value").is_null()), games) if outs else None,
        _spread(changed) if changes else None,
        method(count(changed, pl.col("value") == 0), games) if changes else None,
    )


def _counted(frame: pl.LazyFrame, columns: dict[str, pl.Expr]) -> pl.LazyFrame:
    if not columns:
        return pl.LazyFrame(schema={"n": pl.Int64})
    counted = frame.with_columns(**columns).group_by(list(columns)).agg(n=pl.len().cast(pl.Int64))
    return counted.sort(list(columns))


def _places(placed: pl.DataFrame, cell: CellGames, columns: Sequence[str], games: int, method: Method):
    """A place is open to a seat while neither the seat has one nor the place is taken."""
    for seat, mine in enumerate(columns):
        for place in range(1, len(columns) + 1):
            number = count(placed, pl.col(mine) == place)
            is_open = reduce(and_, (pl.col(other) != place for other in columns), pl.col(mine) == 0)
            share = with_cut_off(number, count(placed, is_open), games, method=method)
            yield SeatPlace(seat, cell.policies[seat]["role"], place, number, share)


def _spread(values: pl.DataFrame) -> Spread:
    known = values.drop_nulls("value").sort("value")
    numbers, counts = tuple(known["value"].to_list()), tuple(known["n"].to_list())
    quantiles = {q: quantile_interval(numbers, counts, q / 100) for q in QUANTILES} if numbers else {}
    return Spread(sum(counts), numbers, counts, mean_of_counts(numbers, counts), quantiles)
