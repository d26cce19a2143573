"""Trials of methods: synthetic data at each grid point, and the share of right intervals or verdicts.

Trials call the functions that produce results, never a copy of a formula. If all outcomes can be enumerated,
their coverage is summed, not simulated; then `MeasuredCoverage.replicates` is 0.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import nan, sqrt
from typing import Any
from zlib import crc32

import numpy as np

from bartizan.analyses.statistics.intervals import Interval, clopper_pearson
from bartizan.analyses.statistics.methods import METHODS, Method

SLACK = 0.02  # acceptable shortfall from the nominal coverage: 93 % instead of 95 %
# probability that a sound method is reported as below its target, over all points of a short form
SURE = 0.001
SURE_ANEW = 0.025  # the same for one trial whose least covered point was measured again: upper 95 % limit
# Rounds over a whole grid: the number of points per trial, which are those with the least coverage in the
# previous round (None: all points), and a factor for the number of replicates. Each round draws new data. The
# last round has a single point, so its coverage is not the smallest of several estimates and is unbiased.
ROUNDS = ((None, 1), (3, 2), (1, 8))
ROUNDING = 1e-9
# verdicts on a coverage: its upper limit is below the target; it is not; inconclusive
BELOW, ON_TARGET, INCONCLUSIVE = "below target", "at or above target", "open"


@dataclass(frozen=True)
class GridPoint:
    """One point of a grid; parameters that a trial does not vary keep their defaults."""

    n: int  # games, pairs of games, plays or settings
    truth: float = nan  # nan: the least favourable of a fine grid
    truncated: float = 0.0  # share of the games
    clusters: float = 0.0  # correlation within a cluster, or of the random numbers that two sides share
    of: int = 1  # number of quantities judged together, or of levels
    looks: int = 1
    case: str = ""  # kind of data

    @property
    def words(self) -> str:
        """Text such as `n 1,000, truth 0.3, 8 looks`."""
        parts = (
            f"n {self.n:,}",
            "" if self.truth != self.truth else f"truth {self.truth:.4g}",
            self.case,
            f"{self.truncated:.0%} truncated" if self.truncated else "",
            f"correlation {self.clusters:g}" if self.clusters else "",
            f"{self.of} together" if self.of > 1 else "",
            f"{self.looks} looks" if self.looks > 1 else "",
        )
        return ", ".join(filter(None, parts))


@dataclass(frozen=True)
class MeasuredCoverage:
    """Coverage measured at one point.

    truth: the true value, or the least favourable one if the trial searched for it. width: mean width of the
    intervals, 0 for a verdict. replicates: 0 if computed exactly.
    """

    coverage: float
    width: float
    replicates: int
    truth: float = nan


Measure = Callable[[GridPoint, int, np.random.Generator], MeasuredCoverage]


@dataclass(frozen=True)
class CoverageTrial:
    """A trial of the coverage of a method.

    grid: all grid points. short: the grid points of `doctor --validate`.
    """

    method: str
    measure: Measure
    grid: tuple[GridPoint, ...]
    short: tuple[GridPoint, ...]
    replicates: int = 2000
    few: int = 400  # replicates in short form
    about: str = ""  # distinguishes several trials of a method

    @property
    def registered(self) -> Method:
        return METHODS[self.method]

    @property
    def name(self) -> str:
        return f"{self.method}: {self.about}" if self.about else self.method

    def points(self, short: bool) -> tuple[GridPoint, ...]:
        return self.short if short else self.grid

    def at(
        self, index: int, short: bool = False, seed: int = 1, times: float = 1.0, turn: int = 0
    ) -> MeasuredCoverage:
        """Measure one grid point. The same seed gives the same outcome.

        times: factor for the number of replicates. turn: index into `ROUNDS`. Each round has its own data.
        """
        points, replicates = self.points(short), self.few if short else self.replicates
        random = np.random.default_rng([seed, crc32(self.name.encode()), index, *[turn] * (turn > 0)])
        return self.measure(points[index], max(round(replicates * times * ROUNDS[turn][1]), 2), random)


# ---------------------------------------------------------------- counting


def covers(interval: Interval | None, truth: float) -> bool:
    return interval is not None and interval.low - ROUNDING <= truth <= interval.high + ROUNDING


def counted(results: Iterable[tuple[bool, float]]) -> MeasuredCoverage:
    """Return the coverage over replicates.

    results: (whether the interval is right, its width) per replicate.
    """
    right, widths = zip(*results, strict=True)
    return MeasuredCoverage(float(np.mean(right)), float(np.mean(widths)), len(right))


def of_intervals(intervals: Iterable[Interval | None], truth: float) -> MeasuredCoverage:
    """Return the coverage of one interval per replicate. A missing interval counts as a miss."""
    return counted(
        (covers(interval, truth), 0.0 if interval is None else interval.high - interval.low)
        for interval in intervals
    )


def each_once(rows: np.ndarray, answer: Callable[..., tuple[bool, float]]) -> MeasuredCoverage:
    """Return the coverage over many integer rows. Each distinct row is evaluated once."""
    distinct, times = np.unique(rows, axis=0, return_counts=True)
    results = [answer(*map(int, row)) for row in distinct]
    right, widths = (np.array(column, float) for column in zip(*results, strict=True))
    return MeasuredCoverage(float(right @ times / len(rows)), float(widths @ times / len(rows)), len(rows))


# ------------------------------------------------------------------------ results


@dataclass(frozen=True)
class LeastCoverage:
    """The smallest coverage of a trial, and the grid point at which it was measured."""

    trial: CoverageTrial
    point: GridPoint
    outcome: MeasuredCoverage
    points: int  # points of the grid
    sure: float  # probability that a method at its target is reported as below it

    @property
    def nominal(self) -> float:
        return self.trial.registered.nominal

    @property
    def target(self) -> float:
        return self.nominal - SLACK

    @property
    def error(self) -> float:
        """Standard error of the simulation; 0 if the coverage is exact."""
        share, n = self.outcome.coverage, self.outcome.replicates
        return sqrt(max(share * (1 - share), 1 / n) / n) if n else 0.0

    @property
    def is_below(self) -> bool:
        """Whether the coverage is below its target by more than the simulation's error."""
        if not self.outcome.replicates:
            return bool(self.outcome.coverage < self.target - ROUNDING)
        hits = round(self.outcome.coverage * self.outcome.replicates)
        return clopper_pearson(hits, self.outcome.replicates, 1 - 2 * self.sure).high < self.target

    @property
    def verdict(self) -> str:
        if not self.nominal:
            return "promises nothing"
        if self.is_below:
            return BELOW
        return ON_TARGET if self.outcome.coverage >= self.target - ROUNDING else INCONCLUSIVE

    @property
    def where(self) -> str:
        found = self.outcome.truth
        words = self.point.words
        return words if found != found else f"{words}, truth {found:.4g}"

    def row(self) -> dict[str, Any]:
        """Return the row as JSON data."""
        method, outcome = self.trial.registered, self.outcome
        return {
            "method": self.trial.method,
            "about": self.trial.about,
            "of": method.of,
            "kind": method.kind,
            "source": method.source,
            "nominal": method.nominal,
            "target": self.target,
            "coverage": outcome.coverage,
            "standard_error": self.error,
            "replicates": outcome.replicates,
            "points": self.points,
            "at": self.where,
            "width": outcome.width,
            "is_below": self.is_below,
            "verdict": self.verdict,
        }


Task = tuple[int, int, int]  # trial, point, index into `ROUNDS`
Outcomes = dict[Task, MeasuredCoverage]


def rounds(short: bool) -> range:
    """Return the indices into `ROUNDS`; a short form has only the first round."""
    return range(1 if short else len(ROUNDS))


def tasks(trials: Sequence[CoverageTrial], short: bool, turn: int, outcomes: Outcomes) -> list[Task]:
    """Return the tasks of a round.

    The first round contains all points. Each later round contains the least covered points of the previous
    round. Exact coverages are not measured again.
    """
    if not turn:
        return [(number, at, 0) for number, one in enumerate(trials) for at in range(len(one.points(short)))]
    found: list[Task] = []
    for number in range(len(trials)):
        last = [task for task in outcomes if task[0] == number and task[2] == turn - 1]
        if all(outcomes[task].replicates for task in last):
            least = sorted(last, key=lambda task: outcomes[task].coverage)[: ROUNDS[turn][0]]
            found += [(number, at, turn) for _, at, _ in least]
    return found


def findings(trials: Sequence[CoverageTrial], outcomes: Outcomes, short: bool) -> list[LeastCoverage]:
    """Return the least favourable point of each trial, by its last round.

    In a short form, a point below its target takes precedence over any other point.
    """
    sure = SURE / sum(len(trial.points(short)) for trial in trials) if short else SURE_ANEW
    return [_least(trial, number, outcomes, short, sure) for number, trial in enumerate(trials)]


def _least(trial: CoverageTrial, number: int, outcomes: Outcomes, short: bool, sure: float) -> LeastCoverage:
    points = trial.points(short)
    mine = {(at, turn): found for (one, at, turn), found in outcomes.items() if one == number}
    last = max(turn for _, turn in mine)
    found = [
        LeastCoverage(trial, points[at], outcome, len(points), sure)
        for (at, turn), outcome in sorted(mine.items())
        if turn == last
    ]
    return min(found, key=lambda one: (not one.is_below, one.outcome.coverage))
