"""Means of one number per game, or of paired differences, on common random numbers.

Game number g of a seed has the same random numbers in every cell, so differences are computed game by game
and then averaged (common random numbers: Law & Kelton, Simulation Modeling and Analysis). The effects of the
shared random numbers cancel. Each game number is one independent observation, however many cells are
averaged, and the interval is Student's t of these values (the paired t). If nearly all values are the same
and bounded, as for differences of two win rates, t undercovers; then the interval and p come from `p_curve`.
p and the interval of an estimate come from one method, so 0 is outside the 95 % interval exactly when p is
below 0.05. The mean of equal values of a number without bounds has no interval (`intervals.without_limits`),
and its p is 1.

The mean of a bounded number that is the same in nearly all games has one curve of p-values, which gives both
the test and the interval. For each hypothetical mean, the maximum-likelihood probabilities of all values with
that mean are found (Owen 1988, empirical likelihood; for pairs of wins and losses these are the probabilities
of Tango's score test, 1998). Under them the sum over all games has a distribution that can be computed, and p
is the probability of a sum at least as extreme: the observed tail and the greatest other tail that is no
larger (Blaker 2000, Canadian Journal of Statistics 28). The normal approximation of Tango's test covers 93 %
if few games differ, all in one direction; these tails cover 94 %.

The interval at a given level contains every mean whose p exceeds 1 - level, and all means between these. The
p-value comes from the same curve, so an interval excludes 0 exactly if p is below 1 - level.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial, reduce
from math import ceil, gcd, inf, sqrt

import numpy as np
import polars as pl

from bartizan.analyses.statistics import special
from bartizan.analyses.statistics.intervals import (
    Interval,
    Mean,
    confidence_sequence,
    mean_sequence,
    over_truncated,
    proportion,
    student_t,
    unknown,
    without_limits,
)
from bartizan.analyses.statistics.pairs import FEW, Pairs, watched_difference
from bartizan.analyses.statistics.testing import ALPHA, false_discovery, jointly
from bartizan.simcore.arrays import Floats
from bartizan.simcore.reporting import CONFIDENCE

# ---------------------------------------------------------------- a bounded mean: one curve of p-values

BOUNDED_METHOD = "exact tails (Blaker)"
# in games: count given to values that did not occur, so that every mean is possible (as
# Fishtest does)
TRACE = 1e-3
HALVINGS = 60
# weight of the observed sum's own probability in the tail: 1 (exact) covers at least 94.9 % at the cost of
# width, 0.5 (mid-p) 93.1 %
OBSERVED_WEIGHT = 0.6
LEAST_P = 1e-14  # smaller p-values are lost in rounding
TAIL = 8  # standard errors beyond which a distribution is cut: 1e-15
# standard errors from the estimate at which p is computed
GRID = np.concatenate([np.arange(0.0, 4.0, 0.08), np.arange(4.0, 8.0, 0.25)])
REFINED = 16  # points between two of these, twice
PARTS = 27720  # values are multiples of 1 / PARTS, as are shares of up to 12 games
MOST_STEPS = 120  # from one end of the span to the other; finer values are rounded to this


def tilted(values: Floats, shares: Floats, mean: float | Floats) -> Floats:
    """Return the maximum-likelihood probabilities with this mean: shares / (1 + x (values - mean)).

    x sets the mean (Owen 1988, empirical likelihood) and is found by bisection. Probabilities are along the
    last axis; several means, or several rows of shares, give several rows. mean: between the least and the
    greatest value.
    """
    shares, mean = np.moveaxis(shares, -1, 0), np.asarray(mean)  # values first: sums of few rows are fast
    shares = shares.reshape(*shares.shape, *[1] * (mean.ndim - shares.ndim + 1))
    off = values.reshape(-1, *[1] * max(mean.ndim, shares.ndim - 1)) - mean
    weighted = shares * off
    low, high = (
        np.broadcast_to(end, weighted.shape[1:]) for end in (-1 / off.max(axis=0), -1 / off.min(axis=0))
    )
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        rises = (weighted / (1 + middle * off)).sum(axis=0) > 0
        low, high = np.where(rises, middle, low), np.where(rises, high, middle)
    chances: Floats = shares / (1 + (low + high) / 2 * off)
    return np.moveaxis(chances / chances.sum(axis=0), 0, -1)


def with_traces(
    values: Sequence[float] | Floats, counts: Sequence[float] | Floats, span: tuple[float, float]
) -> tuple[Floats, Floats]:
    """Return the distinct values with their counts.

    If 0 or an end of the span did not occur, it is added with a tiny count.
    """
    trace = dict.fromkeys((span[0], 0.0, span[1]), TRACE) | dict(zip(values, counts, strict=True))
    ordered = sorted(trace)
    return np.array(ordered), np.array([trace[value] for value in ordered])


# ---------------------------------------------------------------- the curve


@dataclass(frozen=True)
class Curve:
    """The p-value of each hypothetical mean. It rises up to the estimate and falls beyond it."""

    sample: "_Sample"
    means: Floats  # ascending; 0 is one of them, if it can be the mean
    p: Floats

    def p_of_zero(self) -> float:
        """Return the two-sided p-value of the hypothesis that the mean is 0.

        If 0 is an end of the span, this is the p-value of the nearest mean on the curve.
        """
        return float(self.p[np.abs(self.means).argmin()])

    def limits(self, confidence: float) -> tuple[float, float]:
        """Return the outermost means with p above 1 - `confidence`."""
        kept = np.flatnonzero(self.p > 1 - confidence)[[0, -1]]
        outside = kept + [-1, 1]
        ends = np.array(self.sample.span)  # a limit if every mean up to the end is in the interval
        is_within = (outside >= 0) & (outside < len(self.means))
        if is_within.any():
            near, far = self.means[kept[is_within]], self.means[outside[is_within]]
            ends[is_within] = self._refined(near, far, confidence)
        low, high = map(float, ends)
        return low, high

    def _refined(self, near: Floats, far: Floats, confidence: float) -> Floats:
        """Return the limits between means inside (`near`) and outside (`far`) the interval.

        Both are computed together, because most of the time of `p` is per call.
        """
        rows = np.arange(len(near))
        for _ in range(2):
            between = np.linspace(far, near, REFINED + 2, axis=1)
            p = self.sample.p(between[:, 1:-1].ravel()).reshape(-1, REFINED)
            first = np.column_stack([p > 1 - confidence, rows >= 0]).argmax(axis=1) + 1
            far, near = between[rows, first - 1], between[rows, first]
        # shift minimally, so that the interval excludes 0 if its p is too small
        return np.nextafter(far, near)


def p_curve(
    values: Sequence[float] | Floats, counts: Sequence[float] | Floats, span: tuple[float, float]
) -> Curve:
    """Return the curve of p-values.

    values, counts: distinct values and the number of games with each. span: least and greatest possible
    value.
    """
    return _curve(tuple(map(float, values)), tuple(map(int, counts)), (float(span[0]), float(span[1])))


@lru_cache(maxsize=1024)
def _curve(values: tuple[float, ...], counts: tuple[int, ...], span: tuple[float, float]) -> Curve:
    sample = _Sample(values, counts, span)
    off = sample.reach(GRID) / sample.games
    least, most = span[0] + sample.hair, span[1] - sample.hair
    means = np.unique(np.clip(np.concatenate([sample.mean - off, sample.mean + off, [0.0]]), least, most))
    p = sample.p(means)
    p[np.abs(means - sample.mean).argmin()] = 1.0  # the estimate itself is in every interval
    rising, falling = np.maximum.accumulate(p), np.maximum.accumulate(p[::-1])[::-1]
    return Curve(sample, means, np.where(means <= sample.mean, rising, falling))


class _Sample:
    """The games as a sum of integer steps from their commonest value."""

    def __init__(self, values: Sequence[float], counts: Sequence[int], span: tuple[float, float]):
        self.games, self.span = sum(counts), span
        self.common = values[int(np.argmax(counts))]
        self.differing = self.games - max(counts)
        self.step = _step([value - self.common for value in (*values, *span)], span[1] - span[0])
        ends = round((span[0] - self.common) / self.step), round((span[1] - self.common) / self.step)
        steps: dict[int, int] = {}
        for value, count in zip(values, counts, strict=True):
            away = round((value - self.common) / self.step)
            steps[away] = steps.get(away, 0) + count
        self.sum = sum(away * count for away, count in steps.items())
        self.mean = min(max(self.common + self.sum * self.step / self.games, span[0]), span[1])
        self.steps, of_steps = with_traces(list(steps), list(steps.values()), ends)
        self.shares = of_steps / of_steps.sum()
        self.widest = self.step * max(map(abs, ends))
        self.hair = (span[1] - span[0]) * 1e-9 / self.games

    def reach(self, ses: Floats | float, differing: float | None = None) -> Floats:
        """Return the distance from the observed sum to its score limit at `ses` standard errors.

        The distance is in the unit of the values.

        Assumes that the number of differing games is Poisson, each with the widest difference.
        """
        half, differing = np.square(ses) / 2, self.differing if differing is None else differing
        return (half + ses * np.sqrt(differing + half / 2)) * self.widest

    def p(self, means: Floats) -> Floats:
        """Return the p-value of each mean. It need not be monotonic, because sums are integers."""
        from scipy.fft import next_fast_len  # every `run` imports this module, and few need this

        chances = tilted(self.steps, self.shares, (means - self.common) / self.step)
        far = self.differing + np.abs(means - self.mean).max() * self.games / self.widest
        size = next_fast_len(ceil(2 * (far * self.widest + self.reach(TAIL, far)) / self.step) + 1, real=True)
        sums = np.roll(_of_sums(self.steps, chances, self.games, size), size // 2, axis=1)
        seen = size // 2 + self.sum
        up_to, from_there = sums.cumsum(axis=1), sums[:, ::-1].cumsum(axis=1)[:, ::-1]
        tail = np.minimum(up_to[:, seen], from_there[:, seen])
        other = np.where((up_to[:, seen] < from_there[:, seen])[:, None], from_there, up_to)
        opposite = np.where(other <= tail[:, None] * (1 + 1e-9), other, 0.0).max(axis=1)
        p: Floats = tail + opposite - (1 - OBSERVED_WEIGHT) * sums[:, seen]
        return np.clip(p, LEAST_P, 1.0)


def _of_sums(steps: Floats, chances: Floats, games: int, size: int) -> Floats:
    """Return the distribution of the sum over all games, one row per row of probabilities.

    Column i is the probability of the sum i; negative sums are at the end.

    The characteristic function, from which the distribution is computed, is near 1 and raised to a high
    power. Therefore its difference from 1 is computed, which avoids cancellation.
    """
    angle = -2 * np.pi * np.outer(steps, np.arange(size // 2 + 1)) / size
    real, imaginary = chances @ (-2 * np.sin(angle / 2) ** 2), chances @ np.sin(angle)
    logarithm = np.log1p(np.maximum(2 * real + real**2 + imaginary**2, 1e-15 - 1)) / 2
    whole = np.exp(games * (logarithm + 1j * np.arctan2(imaginary, 1 + real)))
    return np.maximum(np.fft.irfft(whole, size, axis=1), 0.0)


def _step(differences: Sequence[float], width: float) -> float:
    """Return the greatest common divisor of all differences, but at least width / MOST_STEPS."""
    whole = [round(difference * PARTS) for difference in differences]
    step = reduce(gcd, whole) / PARTS
    return step if step and step >= width / MOST_STEPS else width / MOST_STEPS


# ------------------------------------------------------ means and differences on common random numbers

ENDS = ["base_low", "base_high", "changed_low", "changed_high"]


@dataclass(frozen=True)
class Measure:
    """One number of each game. Null means that the game has no value.

    For a truncated game, the number is between `low` and `high`, which are equal for other games.
    """

    kind: str  # kind of measure: column, seat, policy or skill
    name: str
    low: pl.Expr
    high: pl.Expr
    span: tuple[float, float] | None = None  # least and greatest value it can have; None: no bounds

    @property
    def most(self) -> float:
        """Greatest possible value; infinite without bounds."""
        return self.span[1] if self.span else inf


@dataclass(frozen=True)
class Estimate:
    """A mean over `n` game numbers."""

    interval: Interval
    se: float | None  # standard error; None if unknown
    n: int
    # two-sided p of a mean of 0, by the method of the interval; 1 if truncated games make the sign unknown
    p: float

    @property
    def ses(self) -> float | None:
        """Number of standard errors between the estimate and 0."""
        return self.interval.estimate / self.se if self.se else None

    @property
    def is_clear(self) -> bool:
        """Whether the unadjusted interval excludes 0. For multiple comparisons see `testing`."""
        return not self.interval.low <= 0 <= self.interval.high


@dataclass(frozen=True)
class Effect:
    """Effect of a change on one measure, over the common game numbers."""

    measure: Measure
    base: Estimate
    changed: Estimate
    difference: Estimate  # changed - base, paired game by game
    # pairing factor: variance of the difference of independent games divided by that of paired games; None
    # if no game differs
    factor: float | None
    differing: Interval  # share of game numbers in which the two sides differ
    # confidence -> interval of the difference, while its games are in memory
    at: Callable[[float], Interval] | None = field(default=None, compare=False, repr=False)
    # set by `adjust`: p adjusted for all effects together (Benjamini & Hochberg 1995), and an
    # interval of the difference that is simultaneous with theirs, whichever of them is selected
    adjusted: float | None = None
    joint: Interval | None = None

    @property
    def n(self) -> int:
        return self.difference.n

    def at_level(self, level: float) -> "Effect":
        """Return the effect with an interval of another confidence.

        The effect is unchanged if its games are no longer in memory.
        """
        if level == CONFIDENCE or self.at is None:
            return self
        return replace(self, difference=replace(self.difference, interval=self.at(level)))

    @property
    def is_significant(self) -> bool:
        """Whether the adjusted p is significant and the interval excludes 0."""
        return self.adjusted is not None and self.adjusted < ALPHA and self.difference.is_clear


# ---------------------------------------------------------------- values of one frame


@dataclass(frozen=True)
class Values:
    """Distinct values with the number of games, or pairs of games, that have them.

    A truncated game has the range from `low` to `high`.
    """

    low: Floats
    high: Floats
    n: Floats
    span: tuple[float, float] | None = None
    factor: float | None = None  # pairing factor, of differences

    @property
    def games(self) -> int:
        return int(self.n.sum())

    @property
    def least(self) -> float:
        """Mean if every truncated game has its minimum value; `most` uses the maximum."""
        return float((self.low * self.n).sum() / self.games)

    @property
    def most(self) -> float:
        return float((self.high * self.n).sum() / self.games)

    def estimate(self, confidence: float, truncated: int = 0) -> Estimate:
        """Return the mean with its interval.

        With truncated games, return bounds on the mean; the estimate is their midpoint. Without games, it is
        unknown.
        """
        if not self.games:
            return Estimate(unknown(confidence), None, 0, 1.0)
        least = _mean_of(self.low, self.n, self.span, confidence)
        if (self.low == self.high).all():
            return least
        most = _mean_of(self.high, self.n, self.span, confidence)
        middle = (least.interval.estimate + most.interval.estimate) / 2
        method = f"{least.interval.method}{over_truncated(truncated)}"
        interval = Interval(middle, least.interval.low, most.interval.high, confidence, method)
        # p of the end that is nearer to 0
        p = least.p if least.interval.estimate > 0 else most.p if most.interval.estimate < 0 else 1.0
        return Estimate(interval, max(least.se or 0.0, most.se or 0.0) or None, least.n, p)

    def __add__(self, more: "Values") -> "Values":
        """Return the combined values of two sets of games with the same measure, without a pairing factor."""
        ends = np.concatenate([np.stack([each.low, each.high], axis=1) for each in (self, more)])
        distinct, where = np.unique(ends, axis=0, return_inverse=True)
        n = np.bincount(where.ravel(), np.concatenate([self.n, more.n]), len(distinct)).astype(float)
        return Values(distinct[:, 0], distinct[:, 1], n, self.span)

    def interval(self, confidence: float, truncated: int = 0) -> Interval:
        return self.estimate(confidence, truncated).interval

    def sequence(self, confidence: float, truncated: int = 0) -> Interval:
        """Return a confidence sequence of the mean, which is valid at every look.

        If all values of a number without bounds are equal, or there is only one, the interval has no limits.
        """
        least, most = (self._sequence(ends, confidence) for ends in (self.low, self.high))
        method = f"{least.method}{over_truncated(truncated)}"
        return Interval((least.estimate + most.estimate) / 2, least.low, most.high, confidence, method)

    def _sequence(self, ends: Floats, confidence: float) -> Interval:
        games = self.games
        mean = float((ends * self.n).sum() / games)
        differing = games - int(np.bincount(np.unique(ends, return_inverse=True)[1], self.n).max())
        if self.span == (-1.0, 1.0) and set(ends) <= {-1.0, 0.0, 1.0}:
            lost, same, gained = (int(self.n[ends == value].sum()) for value in (-1.0, 0.0, 1.0))
            return watched_difference(Pairs(gained, lost, same), confidence)
        if self.span and not differing:  # the share of games that may have another value, at its worst
            others = confidence_sequence(0, games, confidence)
            low, high = (mean + others.high * (end - mean) for end in self.span)
            return replace(others, estimate=mean, low=low, high=high)
        se = sqrt(_variance(ends, self.n) / games) if games > 1 else None
        found = mean_sequence(Mean(mean, se, games, differing), confidence)
        return found or without_limits(mean, games, confidence)


PIECE = 262_144  # game numbers in memory at a time: eight shards


def pieces(games: int | None) -> Iterator[pl.Expr]:
    """Yield filters on column `game` that divide the game numbers 0 to `games` - 1.

    If `games` is None, yield one filter that keeps all games.

    Joining two frames piece by piece takes the same memory for any number of games.
    """
    if games is None:
        yield pl.lit(True)
        return
    for first in range(0, max(games, 1), PIECE):
        yield pl.col("game").is_between(first, first + PIECE - 1)


def _sums_of(counts: Iterator[list[pl.DataFrame]]) -> list[pl.DataFrame]:
    """Return, for each measure, the distinct values of all pieces with their numbers of games."""
    return reduce(lambda sums, piece: list(map(_sum_of, sums, piece)), counts)


def _sum_of(counts: pl.DataFrame, more: pl.DataFrame) -> pl.DataFrame:
    columns = [name for name in counts.columns if name != "n"]
    return pl.concat([counts, more]).group_by(columns).agg(pl.col("n").sum()).sort(columns)


def estimates(
    frame: pl.LazyFrame,
    measures: Sequence[Measure],
    truncated: int = 0,
    confidence: float = CONFIDENCE,
    games: int | None = None,
) -> list[Estimate]:
    """Return the mean of each measure over `frame`, which has one row per game number.

    truncated: number of truncated games, which the method of each affected measure states; games: see
    `pieces`.
    """
    counted = _sums_of(
        pl.collect_all([_ends_of(frame.filter(piece), one) for one in measures], engine="streaming")
        for piece in pieces(games)
    )
    return [
        _values(counts, measure).estimate(confidence, truncated)
        for measure, counts in zip(measures, counted, strict=True)
    ]


def variances(frame: pl.LazyFrame, numbers: Sequence[pl.Expr], games: int | None = None) -> list[float]:
    """Return the variance of each number over the rows of `frame` that have it. games: see `pieces`."""
    columns = [[number.cast(pl.Float64).alias("value")] for number in numbers]
    counted = _sums_of(
        pl.collect_all(
            [_counted(frame.filter(piece).select(column), ["value"]) for column in columns],
            engine="streaming",
        )
        for piece in pieces(games)
    )
    return [_variance(*_columns(counts, "value", "n")) for counts in counted]


def values(frame: pl.LazyFrame, measure: Measure, games: int | None = None) -> Values:
    """Return the distinct values of a measure over the rows of `frame`; rows without a value are left out.

    games: see `pieces`.
    """
    (counts,) = _sums_of(
        [_ends_of(frame.filter(piece), measure).collect(engine="streaming")] for piece in pieces(games)
    )
    return _values(counts, measure)


def _values(counts: pl.DataFrame, measure: Measure) -> Values:
    low, high, n = _columns(counts, "low", "high", "n")
    return Values(low, high, n, measure.span)


def _ends_of(frame: pl.LazyFrame, measure: Measure) -> pl.LazyFrame:
    ends = {"low": measure.low.cast(pl.Float64), "high": measure.high.cast(pl.Float64)}
    return _counted(frame.select(**ends), list(ends))


def _counted(values: pl.LazyFrame, columns: list[str]) -> pl.LazyFrame:
    return values.drop_nulls().group_by(columns).agg(pl.len().cast(pl.Int64).alias("n")).sort(columns)


def _columns(frame: pl.DataFrame, *names: str) -> list[Floats]:
    return [frame[name].to_numpy().astype(np.float64) for name in names]


# ---------------------------------------------------------------- differences of two frames


def compare(
    base: pl.LazyFrame,
    changed: pl.LazyFrame,
    measures: Sequence[Measure],
    truncated: int = 0,
    confidence: float = CONFIDENCE,
    of_changed: Sequence[Measure] | None = None,
    games: int | None = None,
) -> list[Effect]:
    """Return `changed` minus `base` for each measure, paired by column `game`.

    Game numbers that only one side has, and games without a value, are left out; a measure without common
    games is omitted from the result. of_changed: the measures in `changed`, if their columns differ (for
    example other players in its seats). games: see `pieces`.
    """
    both = _paired(base, changed, measures, of_changed or measures, games)
    return [
        effect_of(measure, counts, truncated, confidence)
        for measure, counts in zip(measures, both, strict=True)
        if counts.height
    ]


def differences(
    base: pl.LazyFrame, changed: pl.LazyFrame, measure: Measure, of_changed: Measure, games: int | None = None
) -> Values:
    """Return the distinct values of `changed` minus `base`, paired by game number. games: see `pieces`."""
    (counts,) = _paired(base, changed, [measure], [of_changed], games)
    return _difference(measure, *_columns(counts, *ENDS, "n"))


def _paired(
    base: pl.LazyFrame,
    changed: pl.LazyFrame,
    measures: Sequence[Measure],
    of_changed: Sequence[Measure],
    games: int | None,
) -> list[pl.DataFrame]:
    """Count the games by the distinct values of both sides (ENDS), for each measure."""
    return _sums_of(
        _paired_once(base.filter(piece), changed.filter(piece), measures, of_changed)
        for piece in pieces(games)
    )


def _paired_once(
    base: pl.LazyFrame, changed: pl.LazyFrame, measures: Sequence[Measure], of_changed: Sequence[Measure]
) -> list[pl.DataFrame]:
    both = _ends(base, measures, "base").join(_ends(changed, of_changed, "changed"), on="game", how="inner")
    counted = [
        _counted(both.select(pl.col(f"{name}_{index}").cast(pl.Float64).alias(name) for name in ENDS), ENDS)
        for index in range(len(measures))
    ]
    return pl.collect_all(counted, engine="streaming")


def _ends(frame: pl.LazyFrame, measures: Sequence[Measure], side: str) -> pl.LazyFrame:
    ends = [
        (measure.low.alias(f"{side}_low_{index}"), measure.high.alias(f"{side}_high_{index}"))
        for index, measure in enumerate(measures)
    ]
    return frame.select("game", *(end for pair in ends for end in pair))


def effect_of(
    measure: Measure, counts: pl.DataFrame, truncated: int = 0, confidence: float = CONFIDENCE
) -> Effect:
    """Return the effect on one measure.

    counts: at least one distinct pair of values (ENDS, float64) with the number `n` of games that have them.
    """
    *ends, n = _columns(counts, *ENDS, "n")
    base_low, base_high, low, high = ends if measure.span else snapped(ends, largest_of(*ends))
    difference = _difference(measure, base_low, base_high, low, high, n)
    differs = (base_low != low) | (base_high != high)
    return Effect(
        measure,
        Values(base_low, base_high, n, measure.span).estimate(confidence, truncated),
        Values(low, high, n, measure.span).estimate(confidence, truncated),
        difference.estimate(confidence, truncated),
        difference.factor,
        proportion(int(n[differs].sum()), int(n.sum()), confidence),
        partial(difference.interval, truncated=truncated),
    )


ROUNDING = 1e-11  # relative difference of numbers that differ only by the rounding of fractions


def snapped(values: Sequence[Floats], largest: float) -> list[Floats]:
    """Return the arrays with one value for all numbers that differ only by rounding.

    Such numbers are 0.1 + 0.2 and 0.3. Without this, rounding errors could be significant differences.
    largest: size of the numbers from which the arrays were computed.
    """
    distinct, where = np.unique(np.concatenate(values), return_inverse=True)
    cluster = np.concatenate([[0], np.cumsum(np.diff(distinct) > ROUNDING * largest)])
    nearest_to_zero = np.lexsort((np.abs(distinct), cluster))
    first = nearest_to_zero[np.unique(cluster[nearest_to_zero], return_index=True)[1]]
    return np.split(distinct[first][cluster][where.ravel()], len(values))


def largest_of(*values: Floats) -> float:
    return float(max(np.abs(each).max(initial=0.0) for each in values))


def _difference(
    measure: Measure, base_low: Floats, base_high: Floats, low: Floats, high: Floats, n: Floats
) -> Values:
    span = measure.span and (measure.span[0] - measure.span[1], measure.span[1] - measure.span[0])
    ends: Sequence[Floats] = (low - base_high, high - base_low)
    least, most = ends if span else snapped(ends, largest_of(base_low, base_high, low, high))
    factor = pairing_factor((base_low + base_high) / 2, (low + high) / 2, (least + most) / 2, n)
    return Values(least, most, n, span, factor)


def pairing_factor(base: Floats, changed: Floats, difference: Floats, n: Floats) -> float | None:
    """Return the gain in effective games from common random numbers.

    Without them, the number of games would have to grow by this factor for the same precision. Returns None
    if all differences are equal.
    """
    paired = _variance(difference, n)
    return float((_variance(base, n) + _variance(changed, n)) / paired) if paired else None


def adjust(effects: Sequence[Effect], families: int = 1, level: float = CONFIDENCE) -> list[Effect]:
    """Return the same effects, with p and intervals adjusted for all of them.

    families: see `testing.holm`. level: 1 minus this look's share of alpha.
    """
    spent = (1 - CONFIDENCE) / (1 - level)
    weighed = [min(effect.difference.p * spent, 1.0) for effect in effects]
    return [
        replace(
            effect, adjusted=p, joint=jointly(effect.at, len(effects), families, level) if effect.at else None
        )
        for effect, p in zip(effects, false_discovery(weighed, families), strict=True)
    ]


# ---------------------------------------------------------------- one mean from distinct values


def _mean_of(values: Floats, n: Floats, span: tuple[float, float] | None, confidence: float) -> Estimate:
    if span is None:
        (values,) = snapped((values,), largest_of(values))
    distinct, where = np.unique(values, return_inverse=True)
    counts = np.bincount(where, weights=n).astype(float)
    games = int(counts.sum())
    mean = float((distinct * counts).sum() / games)
    se = sqrt(_variance(distinct, counts) / games) if games > 1 else None
    if span is not None and games - counts.max() < FEW:
        curve = p_curve(distinct, counts, span)
        low, high = curve.limits(confidence)
        interval = Interval(mean, min(low, mean), max(high, mean), confidence, BOUNDED_METHOD)
        return Estimate(interval, se or None, games, curve.p_of_zero())
    if not se:
        return Estimate(without_limits(mean, games, confidence), None, games, 1.0)
    p = 2 * float(special.stdtr(games - 1, -abs(mean) / se))
    return Estimate(student_t(mean, se, games, confidence), se, games, p)


def _variance(values: Floats, n: Floats) -> float:
    games = n.sum()
    if games < 2:
        return 0.0
    off = values - values[0]  # exactly 0 if all values are equal
    mean = (off * n).sum() / games
    return float((n * (off - mean) ** 2).sum() / (games - 1))
