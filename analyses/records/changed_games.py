"""In how many games does a change come to anything at all?

The same game numbers on common luck: a game differs when a column of its record does, or the tier that its
score reaches. A change that is met in none of them has no effect to be estimated: it never came up.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import Any

import polars as pl

from bartizan.analyses.records.line_ups import LineUp

TIER = "tier reached"
OTHER = ":changed"


@dataclass(frozen=True)
class ChangedGames:
    """Game numbers that both sides have, and in how many of them some seating is played or ends otherwise."""

    games: int
    of: int

    @property
    def is_none(self) -> bool:
        return self.of > 0 and not self.games

    def to_dict(self) -> dict[str, int]:
        return {"games": self.games, "of": self.of}


def changed_games(base: LineUp, changed: LineUp) -> ChangedGames | None:
    """None where one side is played in more seatings than the other."""
    if len(base.cells) != len(changed.cells):
        return None
    frames = [
        _differing(one, other).rename({"differs": f"differs@{index}"})
        for index, (one, other) in enumerate(zip(base.cells, changed.cells, strict=True))
    ]
    every = reduce(lambda left, right: left.join(right, on="game", how="inner"), frames)
    differs = reduce(or_, (pl.col(f"differs@{index}") for index in range(len(frames))))
    games, of = every.select(differs.sum(), pl.len()).collect(engine="streaming").row(0)
    return ChangedGames(games or 0, of)


def _differing(base: Any, changed: Any) -> pl.LazyFrame:
    """Columns `game` and `differs`, of two cells."""
    mine, theirs = _with_tier(base), _with_tier(changed)
    their_columns = set(theirs.collect_schema().names())
    columns = [name for name in mine.collect_schema().names() if name in their_columns and name != "game"]
    differs = (pl.col(name).ne_missing(pl.col(f"{name}{OTHER}")) for name in columns)
    return mine.join(theirs, on="game", how="inner", suffix=OTHER).select(
        "game", pl.any_horizontal(*differs).alias("differs")
    )


def _with_tier(cell: Any) -> pl.LazyFrame:
    """The games of a cell; with the number of tiers reached, where it has any, which is no column."""
    tiers: Mapping[str, int] = getattr(cell, "tiers", {})
    reached = [(pl.col("score") >= least).fill_null(False).cast(pl.Int32) for least in tiers.values()]
    return cell.scan().with_columns(pl.sum_horizontal(*reached).alias(TIER)) if reached else cell.scan()
