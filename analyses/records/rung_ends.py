"""The rungs of a bracket, from how their games ended: a letter a game, as the rung sees it."""

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
    """A letter a game, as a seat sees its end."""
    winner = rows["winner"]
    ends = [winner == seat, winner == NOBODY, winner == TRUNCATED]
    return "".join(np.select(ends, [WON, DRAWN, TRUNCATED_END], LOST))


def win_rate(ends: str, draw: float, level: float = CONFIDENCE) -> Interval:
    """draw: what a drawn game counts. level: of the look at these games."""
    won = ends.count(WON) + draw * ends.count(DRAWN)
    return with_truncated(won, ends.count(TRUNCATED_END), len(ends), level, proportion)


def gain(below: str, ends: str, draw: float, level: float = CONFIDENCE) -> Effect | None:
    """What a rung wins more than another, game by game; None where nothing can be said."""
    effects = compare(_wins(below, draw), _wins(ends, draw), [WIN], confidence=level)
    return effects[0] if effects and effects[0].n > 1 else None


def judged(bracket: Mapping[str, Any]) -> dict[str, Any]:
    """A bracket whose rungs say what the best play found is chosen by: a win rate with an interval that holds
    together with those of all playable rungs, and what looking ahead wins more than its base policy in the
    same games, for all that look ahead together. Rungs that said so before keep it.
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
    """Games, and the gain for all rungs that look ahead together."""
    both = differences(_wins(below, draw), _wins(ends, draw), WIN, WIN)
    return (both.games, jointly(both.interval, ahead, confidence=level)) if both.games > 1 else None


def extrapolated(rungs: Sequence[Mapping[str, Any]], draw: float) -> Interval | None:
    """Where looking ahead leads with ever more plays, from the rungs of a bracket; None: they do not tell."""
    ahead = sorted((row for row in rungs if row["rung"] == LOOKAHEAD), key=itemgetter("plays"))
    wins = [np.array(worth(row["ends"], draw, 0.0)) for row in ahead]
    return effort.extrapolated(np.log2([row["plays"] / ahead[0]["plays"] for row in ahead]), wins)


def worth(ends: str, draw: float, cut_off: float | None) -> list[float | None]:
    """What each game is worth to whoever sees its end so. draw, cut_off: what a drawn one counts, and one
    that was stopped at the limit.
    """
    of = {WON: 1.0, DRAWN: draw, LOST: 0.0, TRUNCATED_END: cut_off}
    return [of[end] for end in ends]


def _wins(ends: str, draw: float) -> pl.LazyFrame:
    values = worth(ends, draw, None)
    return pl.LazyFrame(
        {"game": range(len(values)), "win": values}, schema={"game": pl.Int64, "win": pl.Float64}
    )
