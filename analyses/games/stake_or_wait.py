"""Stake a POW now, or not this turn? One choice, played on both ways from the same states.

Of the moments of a game at which a player may stake a POW and nobody has escaped yet, one for each row is
drawn by lot. From there the game is played on twice, with the same luck and the same policies: the player's
best POW is staked; no POW is staked in this turn, though later ones may be. All other players go on in both.
So the two sides of a row are the same number of the same moments, and their difference is that of the stake
alone. A row has one moment a game: its moments are independent of each other, those of two rows are not.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any

import numpy as np
import polars as pl

from bartizan.analyses.document import Document
from bartizan.analyses.statistics.intervals import CONFIDENCE, Interval
from bartizan.analyses.statistics.paired import FEW, Effect, Measure, compare
from bartizan.simcore.colditz import odds
from bartizan.simcore.colditz.components import ALLIED, TEAM
from bartizan.simcore.play.choices import BothWays, Choices
from bartizan.simcore.play.match import Match
from bartizan.simcore.play.rules import NOBODY, TRUNCATED

FAR = 400  # the end of an open span
LEFT = ((0, 0), (1, 2), (3, 5), (6, 10), (11, 20), (21, FAR))  # rounds left after this one
STEPS = ((0, 40), (41, 50), (51, 60), (61, FAR))
WITHIN = 3  # steps: "at this distance"
DRAW = 0.5  # a draw is worth half a win
STAKE, WAIT, OPEN = "stake", "wait", "cannot tell"
HOPELESS = 100  # times the moments there are: beyond that no number is said
RESULT, WIN, ESCAPE, OWN = "result", "win", "any_escape", "own_escapes"  # what is compared
METHOD = (
    "luck to come and what lies face down unseen are drawn anew, alike for both; differences moment by "
    "moment, Student's t, with few moments that differ exact tails (Blaker)"
)


@dataclass(frozen=True)
class Situation:
    """The moments that are asked about; None: any."""

    steps: int | None = None
    ropes: int | None = None
    cutters: int | None = None
    left: int | None = None
    within: int = WITHIN

    def rows(self) -> np.ndarray:
        """int64 [row, number] for `simcore.colditz.odds`: nearest first, then latest first."""
        held = [odds.ANY if number is None else number for number in (self.ropes, self.cutters)]
        near = (
            STEPS if self.steps is None else ((max(self.steps - self.within, 0), self.steps + self.within),)
        )
        late = LEFT if self.left is None else ((self.left, self.left),)
        return np.array([[*rounds, *steps, *held] for steps in near for rounds in late], np.int64)


class StakeEffect(Document):
    """One measure, staked and not; the difference is that of the stake."""

    stake: Interval
    wait: Interval
    difference: Interval
    p: float
    pairing_factor: float | None


class Moments(StakeEffect):
    """All moments of a span of rounds left and a span of steps, and what a stake does to the result."""

    rounds_left: tuple[int, int]
    steps: tuple[int, int]
    met: int  # moments in the games played
    moments: int  # of these played on, one a game
    distance: float  # steps, mean of those played on
    now: float  # exact chance that the stake succeeds, card drawn blind: mean over these moments
    verdict: str  # by the interval of the difference in the result for the Allies
    hangs_on_draws: bool  # a stake costs wins and saves losses, or the reverse: what is a draw worth?
    more_moments: int | None  # still needed to tell; None: told, too many to say, or too few to go by
    outcomes: dict[str, StakeEffect]  # WIN, ESCAPE, OWN


def crossroads(match: Match, situation: Situation, futures: int) -> Choices:
    return Choices(match, odds.crossroads, odds.NUMBERS, situation.rows(), futures)


def analyze(question: Choices, chunks: Sequence[BothWays]) -> list[Moments]:
    """chunks: what `question.play` gave. All intervals hold together. Rows never met are left out."""
    met, moments, records = (
        np.concatenate([getattr(chunk, name) for chunk in chunks]) for name in ("met", "moments", "records")
    )
    tables = question.match.tables()
    rows = [row for row in range(len(question.rows)) if met[:, row].any()]
    each = 1 - (1 - CONFIDENCE) / max(len(rows), 1)
    return [
        _row(question.rows[row], met[:, row], moments[:, row], records[:, row], tables, each) for row in rows
    ]


def _row(
    bounds: np.ndarray, met: np.ndarray, moments: np.ndarray, records: np.ndarray, tables, confidence: float
) -> Moments:
    games = np.flatnonzero(met)
    moments, records = moments[games], records[games]
    steps = moments[:, odds.STEPS]
    chance = tables.stake[np.minimum(steps, len(tables.stake) - 1)]
    capped = int((records["winner"] == TRUNCATED).sum())
    staked, waited = (
        _frame(games, records[:, :, way], moments[:, odds.PLAYER]) for way in (odds.STAKE, odds.NOT_NOW)
    )
    effects = compare(waited, staked, _measures(), capped, confidence)
    least_left, most_left, least_steps, most_steps = (int(bound) for bound in bounds[:4])
    spans = (least_left, most_left), (least_steps, most_steps)
    by_name = {effect.measure.name: effect for effect in effects}
    difference = by_name[RESULT].difference.interval
    win, escape = (by_name[name].difference.interval for name in (WIN, ESCAPE))
    verdict = STAKE if difference.low > 0 else WAIT if difference.high < 0 else OPEN
    return Moments(
        **_effect(by_name[RESULT]),
        rounds_left=spans[0],
        steps=spans[1],
        met=int(met.sum()),
        moments=by_name[RESULT].n,
        distance=float(steps.mean()),
        now=float(chance.mean()),
        verdict=verdict,
        hangs_on_draws=win.high < 0 < escape.low or escape.high < 0 < win.low,
        more_moments=_more(difference, by_name[RESULT].n) if verdict == OPEN else None,
        outcomes={name: StakeEffect(**_effect(by_name[name])) for name in (WIN, ESCAPE, OWN)},
    )


def _effect(effect: Effect) -> dict[str, Any]:
    return {
        "stake": effect.changed.interval,
        "wait": effect.base.interval,
        "difference": effect.difference.interval,
        "p": effect.difference.p,
        "pairing_factor": effect.factor,
    }


def _more(difference: Interval, moments: int) -> int | None:
    """Moments still needed to tell, were the estimate the truth: half-widths fall with the root of n."""
    reach = (
        difference.estimate - difference.low
        if difference.estimate > 0
        else difference.high - difference.estimate
    )
    if moments < FEW or reach**2 >= HOPELESS * difference.estimate**2:
        return None
    return max(ceil(moments * (reach / difference.estimate) ** 2) - moments, 1)


def _frame(games: np.ndarray, records: np.ndarray, player: np.ndarray) -> pl.LazyFrame:
    """One row a moment: means over its futures. records: [moment, future]. A game cut off may end any way."""
    winner, capped = records["winner"], records["winner"] == TRUNCATED
    own = np.stack([records[f"escapes_{p + 1}"] for p in range(5)])[player, np.arange(len(player))]
    low = {
        RESULT: (winner == ALLIED) + DRAW * (winner == NOBODY),
        WIN: winner == ALLIED,
        ESCAPE: records["score"] > 0,
        OWN: own,
    }
    high = {
        RESULT: low[RESULT] + capped,
        WIN: low[WIN] | capped,
        ESCAPE: low[ESCAPE] | capped,
        OWN: np.where(capped, TEAM, own),
    }
    ends = {
        f"{name}_{end}": value.mean(axis=1)
        for end, values in (("low", low), ("high", high))
        for name, value in values.items()
    }
    return pl.LazyFrame({"game": games, **ends})


def _measures() -> list[Measure]:
    spans = {RESULT: (0.0, 1.0), WIN: (0.0, 1.0), ESCAPE: (0.0, 1.0), OWN: (0.0, float(TEAM))}
    return [
        Measure("column", name, pl.col(f"{name}_low"), pl.col(f"{name}_high"), span)
        for name, span in spans.items()
    ]
