"""Results of the rungs of a bracket, computed from the ends of their games.

An end is one letter per game, from the point of view of the rung.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache, partial
from operator import itemgetter
from typing import Any

import numpy as np
import polars as pl

from bartizan.analyses.records.brackets import LOOKAHEAD, PEEKING
from bartizan.analyses.statistics import effort
from bartizan.analyses.statistics.intervals import Interval, proportion, with_truncated
from bartizan.analyses.statistics.paired import Effect, Measure, compare, differences
from bartizan.analyses.statistics.testing import jointly
from bartizan.simcore.compile.rules import NOBODY, TRUNCATED
from bartizan.simcore.reporting import CONFIDENCE

WON, DRAWN, LOST, TRUNCATED_END = "wdlc"
WIN = Measure("share", "wins", pl.col("win"), pl.col("win"), (0.0, 1.0))


def ends_of(rows: np.ndarray, seat: int | None) -> str:
    """Return one letter per game: its end from the point of view of a seat."""
    winner = rows["winner"]
    ends = [winner == seat, winner == NOBODY, winner == TRUNCATED]
    return "".join(np.select(ends, [WON, DRAWN, TRUNCATED_END], LOST))


def win_rate(ends: str, draw: float, level: float = CONFIDENCE) -> Interval:
    """Return the win rate. draw: value of a draw. level: confidence level of this look."""
    won = ends.count(WON) + draw * ends.count(DRAWN)
    return with_truncated(won, ends.count(TRUNCATED_END), len(ends), level, proportion)


def gain(below: str, ends: str, draw: float, level: float = CONFIDENCE) -> Effect | None:
    """Return the paired difference in wins between two rungs; None for fewer than two games."""
    effects = compare(_wins(below, draw), _wins(ends, draw), [WIN], confidence=level)
    return effects[0] if effects and effects[0].n > 1 else None


def judged(bracket: Mapping[str, Any]) -> dict[str, Any]:
    """Return the bracket with the criteria by which its rungs are selected.

    The criteria are a win rate with an interval simultaneous over all playable rungs, and each lookahead
    policy's gain over its base policy in the same games, with an interval simultaneous over all lookahead
    rungs. Rungs that already have the criteria are unchanged.
    """
    rungs, draw = bracket["rungs"], bracket.get("draw", 0.0)
    playable = sum(row["rung"] != PEEKING for row in rungs)
    ahead = sum(row["rung"] == LOOKAHEAD for row in rungs)
    return {**bracket, "rungs": [_judged(row, draw, playable, ahead) for row in rungs]}


def _judged(row: Mapping[str, Any], draw: float, playable: int, ahead: int) -> dict[str, Any]:
    found: dict[str, Any] = dict(row)
    level = row["win_rate"]["level"]
    if row["rung"] != PEEKING and "joint" not in row and "capped" in row:
        won = row["wins"] + draw * row["draws"]
        at = partial(with_truncated, won, row["capped"], row["games"])
        found["joint"] = jointly(at, playable, confidence=level).to_dict()
    if row["rung"] == LOOKAHEAD and "base_ends" in row:
        if more := _over_base(row["base_ends"], row["ends"], draw, level, ahead):
            base = row["policy"].partition("base=")[2].partition(",")[0]
            games, interval = more
            found["over_base"] = {"over": base, "games": games, **interval.to_dict()}
    return found


@lru_cache(maxsize=256)  # a page reads the same brackets several times
def _over_base(below: str, ends: str, draw: float, level: float, ahead: int) -> tuple[int, Interval] | None:
    """Return the number of games, and the gain of a lookahead rung; None for fewer than two games.

    The interval is simultaneous over all lookahead rungs.
    """
    both = differences(_wins(below, draw), _wins(ends, draw), WIN, WIN)
    return (both.games, jointly(both.interval, ahead, confidence=level)) if both.games > 1 else None


def extrapolated(rungs: Sequence[Mapping[str, Any]], draw: float) -> Interval | None:
    """Return the limit of the win rate of lookahead with more and more simulations, by extrapolation.

    Returns None if the rungs do not determine it.
    """
    ahead = sorted((row for row in rungs if row["rung"] == LOOKAHEAD), key=itemgetter("plays"))
    wins = [np.array(worth(row["ends"], draw, 0.0)) for row in ahead]
    return effort.extrapolated(np.log2([row["plays"] / ahead[0]["plays"] for row in ahead]), wins)


def worth(ends: str, draw: float, cut_off: float | None) -> list[float | None]:
    """Return the value of each game. draw, cut_off: value of a drawn and of a truncated game."""
    of = {WON: 1.0, DRAWN: draw, LOST: 0.0, TRUNCATED_END: cut_off}
    return [of[end] for end in ends]


def _wins(ends: str, draw: float) -> pl.LazyFrame:
    values = worth(ends, draw, None)
    return pl.LazyFrame(
        {"game": range(len(values)), "win": values}, schema={"game": pl.Int64, "win": pl.Float64}
    )
