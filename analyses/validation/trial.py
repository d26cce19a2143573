"""A trial of a method: made-up data at each point of a grid, and the share of them whose interval holds the
truth, or whose verdict is right.

Trials call the functions that answers are made with, never a copy of a formula. Where all outcomes can be
listed their coverage is summed and not simulated; then `MeasuredCoverage.replicates` is 0.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import nan, sqrt
from zlib import crc32

import numpy as np

from bartizan.analyses.statistics.intervals import Interval, clopper_pearson
from bartizan.analyses.statistics.methods import METHODS, Method

SLACK = 0.02  # below the nominal coverage that is still in order: 93 % of 95 %
SURE = 0.001  # chance that a sound method is reported as below its target, over all points of one run
ROUNDING = 1e-9


@dataclass(frozen=True)
class GridPoint:
    """One point of a grid; what a trial does not vary keeps its default."""

    n: int  # games, pairs of games, plays or settings
    truth: float = nan  # nan: the least favourable of a fine grid
    truncated: float = 0.0  # share of the games
    clusters: float = 0.0  # correlation inside a cluster, or of luck that two sides share
    of: int = 1  # how many are looked at, or chosen from
    looks: int = 1
    case: str = ""  # the shape of the data

    @property
    def words(self) -> str:
        """`n 1,000, truth 0.3, 8 looks`"""
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
    """At one point."""

    coverage: float
    width: float  # mean, of a verdict 0
    replicates: int  # 0: exact
    truth: float = nan  # the least favourable, where that was looked for


Measure = Callable[[GridPoint, int, np.random.Generator], MeasuredCoverage]


@dataclass(frozen=True)
class CoverageTrial:
    """How the coverage of a method is measured. grid: all points; short: those of `doctor --validate`."""

    method: str
    measure: Measure
    grid: tuple[GridPoint, ...]
    short: tuple[GridPoint, ...]
    replicates: int = 2000
    few: int = 400  # replicates in short form
    about: str = ""  # where a method has several trials

    @property
    def registered(self) -> Method:
        return METHODS[self.method]

    @property
    def name(self) -> str:
        return f"{self.method}: {self.about}" if self.about else self.method

    def points(self, short: bool) -> tuple[GridPoint, ...]:
        return self.short if short else self.grid

    def at(self, index: int, short: bool = False, seed: int = 1, times: float = 1.0) -> MeasuredCoverage:
        """At a point of the grid; the same seed, the same outcome. times: as many replicates."""
        points, replicates = self.points(short), self.few if short else self.replicates
        random = np.random.default_rng([seed, crc32(self.name.encode()), index])
        return self.measure(points[index], max(round(replicates * times), 2), random)


# ---------------------------------------------------------------- counting


def covers(interval: Interval | None, truth: float) -> bool:
    return interval is not None and interval.low - ROUNDING <= truth <= interval.high + ROUNDING


def counted(results: Iterable[tuple[bool, float]]) -> MeasuredCoverage:
    """Of (was it right, how wide was it), one a replicate."""
    right, widths = zip(*results, strict=True)
    return MeasuredCoverage(float(np.mean(right)), float(np.mean(widths)), len(right))


def of_intervals(intervals: Iterable[Interval | None], truth: float) -> MeasuredCoverage:
    """Of one interval a replicate. None, where nothing is said, counts as a miss."""
    return counted(
        (covers(interval, truth), 0.0 if interval is None else interval.high - interval.low)
        for interval in intervals
    )


def each_once(rows: np.ndarray, answer: Callable[..., tuple[bool, float]]) -> MeasuredCoverage:
    """Of many rows of whole numbers, of which few differ: each distinct row is asked about once."""
    distinct, times = np.unique(rows, axis=0, return_counts=True)
    results = [answer(*map(int, row)) for row in distinct]
    right, widths = (np.array(column, float) for column in zip(*results, strict=True))
    return MeasuredCoverage(float(right @ times / len(rows)), float(widths @ times / len(rows)), len(rows))


# ---------------------------------------------------------------- what came of it


@dataclass(frozen=True)
class LeastCoverage:
    """A trial's smallest coverage."""

    trial: CoverageTrial
    point: GridPoint
    outcome: MeasuredCoverage
    points: int  # of the grid
    of: int  # points of all trials of the run, which are looked at together

    @property
    def nominal(self) -> float:
        return self.trial.registered.nominal

    @property
    def target(self) -> float:
        return self.nominal - SLACK

    @property
    def error(self) -> float:
        """Standard error of the simulation; 0 where the coverage is exact."""
        share, n = self.outcome.coverage, self.outcome.replicates
        return sqrt(max(share * (1 - share), 1 / n) / n) if n else 0.0

    @property
    def is_below(self) -> bool:
        """Is the coverage below its target, by more than the simulation's chance explains?"""
        if not self.outcome.replicates:
            return self.outcome.coverage < self.target - ROUNDING
        hits = round(self.outcome.coverage * self.outcome.replicates)
        limit = clopper_pearson(hits, self.outcome.replicates, 1 - 2 * SURE / self.of).high
        return limit < self.target

    @property
    def verdict(self) -> str:
        if not self.nominal:
            return "promises nothing"
        return "below target" if self.is_below else "not below target"

    @property
    def where(self) -> str:
        found = self.outcome.truth
        words = self.point.words
        return words if found != found else f"{words}, truth {found:.4g}"

    def row(self) -> dict:
        """As JSON has it."""
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


def findings(
    trials: Sequence[CoverageTrial], outcomes: dict[tuple[int, int], MeasuredCoverage], short: bool
) -> list[LeastCoverage]:
    """The least favourable point of each trial. outcomes: by trial and point."""
    points = sum(len(trial.points(short)) for trial in trials)
    return [
        _least(trial, [outcomes[number, at] for at in range(len(trial.points(short)))], short, points)
        for number, trial in enumerate(trials)
    ]


def _least(trial: CoverageTrial, outcomes: Sequence[MeasuredCoverage], short: bool, of: int) -> LeastCoverage:
    """A point that is below its target counts before any that is not."""
    points = trial.points(short)
    found = [
        LeastCoverage(trial, point, outcome, len(points), of)
        for point, outcome in zip(points, outcomes, strict=True)
    ]
    return min(found, key=lambda one: (not one.is_below, one.outcome.coverage))


def tasks(trials: Sequence[CoverageTrial], short: bool) -> Iterator[tuple[int, int]]:
    """CoverageTrial and point of everything that is to be measured."""
    for number, trial in enumerate(trials):
        for at in range(len(trial.points(short))):
            yield number, at
