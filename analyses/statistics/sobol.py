"""Variance-based sensitivity indices of independent inputs with a few equally likely levels each.

A *setting* is one random level for every input. Around each setting, every input is set to each of its levels
while the others are unchanged, and every pair of inputs is set to other levels together. Averages over the
levels of an input are therefore exact, not sampled: level means are means of paired values, the total index
is Jansen's (1999) with all levels in place of a random one, and the interaction of a pair is Liu and Owen's
superset importance (2006). Inputs need no order or distance, so numbers, choices and lists are treated in the
same way.

A value is itself a mean over a few noisy runs (games), the same runs at every point of a setting. Squares of
noisy means are too large by the variance of the noise; this variance is estimated from the runs, game by
game, and subtracted. Different settings have different runs. Therefore level means need a correction only for
their own sampling error. Intervals come from a bootstrap over settings, which includes both sources of
variation. The notation follows Saltelli et al. 2010, Computer Physics Communications 181.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, pairwise
from math import sqrt

import numpy as np

from bartizan.analyses.statistics import special
from bartizan.analyses.statistics.intervals import Interval, equal_values, limit_of_none, mean_of
from bartizan.analyses.statistics.testing import joint_level
from bartizan.simcore.arrays import Floats
from bartizan.simcore.reporting import CONFIDENCE

RESAMPLES, AT_A_TIME = 4000, 250
FAMILIES = 3  # changes of a value, indices of values, indices of pairs
FEWEST = 20  # minimum number of settings for an index
ROUNDING = 1e-9  # rounding error of shares and of squared win rates
MOST_OF = (0.05, 0.95)  # "nine in ten" of the settings
BALL, BCA, NEVER = "bootstrap ball of the level means", "bootstrap BCa", "no value moved"

Span = tuple[float, float]  # least and greatest possible value


def is_noise(index: Interval) -> bool:
    """Return whether an index is within sampling error: its interval contains 0."""
    return index.low <= ROUNDING


# ----------------------------------------------------------------------- the design


@dataclass(frozen=True)
class LevelDraw:
    """A level for each input, and another level of each input for the pairs."""

    levels: tuple[int, ...]
    other: tuple[int, ...]


@dataclass(frozen=True)
class Design:
    """Inputs by their numbers of levels, at least 2 each."""

    sizes: tuple[int, ...]

    @property
    def pairs(self) -> list[tuple[int, int]]:
        return list(combinations(range(len(self.sizes)), 2))

    @property
    def lines(self) -> int:
        """Number of pairs of a level change in one input and a fixed level of another input.

        All ordered pairs of inputs count.
        """
        return sum(
            (self.sizes[of] - 1) * self.sizes[by] for pair in self.pairs for of, by in (pair, pair[::-1])
        )

    def draw(self, luck: np.random.Generator) -> LevelDraw:
        levels = tuple(int(luck.integers(size)) for size in self.sizes)
        steps = [int(luck.integers(1, size)) for size in self.sizes]
        other = ((level + step) % size for level, step, size in zip(levels, steps, self.sizes, strict=True))
        return LevelDraw(levels, tuple(other))

    def points(self, setting: LevelDraw) -> list[tuple[int, ...]]:
        """Return the points of a setting.

        They are the setting itself, each input at each of its other levels, and each pair at its other
        levels.
        """
        alone = [
            _moved(setting.levels, {i: level})
            for i, size in enumerate(self.sizes)
            for level in range(size)
            if level != setting.levels[i]
        ]
        pairs = (_moved(setting.levels, {i: setting.other[i] for i in pair}) for pair in self.pairs)
        return [setting.levels, *alone, *pairs]

    @property
    def most_points(self) -> int:
        """Number of points of a setting."""
        return 1 + sum(size - 1 for size in self.sizes) + len(self.pairs)


def _moved(levels: tuple[int, ...], to: dict[int, int]) -> tuple[int, ...]:
    return tuple(to.get(i, level) for i, level in enumerate(levels))


# ---------------------------------------------------------------- one setting


@dataclass(frozen=True)
class SettingMeans:
    """Results of one setting.

    Variances are due to the values alone: the noise is subtracted, so they may be below 0.
    """

    levels: tuple[int, ...]
    means: tuple[Floats, ...]  # per input: the value at each of its levels
    within: Floats  # per input: variance over its levels
    noise: Floats  # per input: mean variance of the noise of a value
    # per input: variance of the noise of a level's value minus the first level's
    change_noise: tuple[Floats, ...]
    joint: Floats  # per pair: superset importance


def row(design: Design, setting: LevelDraw, runs: Floats) -> SettingMeans:
    """Return the results of a setting.

    runs: array [point of the setting, run]. A single column is a value without noise.
    """
    at, rest = _levels(design, setting, runs)
    centred = [block - block.mean(axis=0) for block in at]
    within = [block.mean(axis=1).var() - _noise(away).mean() for block, away in zip(at, centred, strict=True)]
    joint = []
    for pair, both in zip(design.pairs, rest, strict=True):
        first, second = (at[i][setting.other[i]] for i in pair)
        # effect of both moves minus the sum of their separate effects
        beyond = (runs[0] - first - second + both)[None, :]
        # a quarter of its mean square; the two factors correct for drawing only among other levels
        moves = np.prod([1 - 1 / design.sizes[i] for i in pair])
        joint.append(float(moves / 4 * (beyond.mean() ** 2 - _noise(beyond)[0])))
    return SettingMeans(
        setting.levels,
        tuple(block.mean(axis=1) for block in at),
        np.array(within),
        np.array([_noise(block).mean() for block in at]),
        tuple(_noise(block - block[0]) for block in at),
        np.array(joint),
    )


def _levels(design: Design, setting: LevelDraw, runs: Floats) -> tuple[list[Floats], Floats]:
    """Return the runs of each input at each of its levels, and the runs of the pairs, one row per pair."""
    blocks, first = [], 1
    for size, level in zip(design.sizes, setting.levels, strict=True):
        others = runs[first : first + size - 1]
        blocks.append(np.vstack((others[:level], runs[:1], others[level:])))
        first += size - 1
    return blocks, runs[first:]


def _noise(runs: Floats) -> Floats:
    """Return the variance of the mean of each row."""
    n = runs.shape[1]
    return runs.var(axis=1, ddof=1) / n if n > 1 else np.zeros(len(runs))


# ---------------------------------------------------------------- the answer


@dataclass(frozen=True)
class LevelChange:
    """Change from the first level of an input to another."""

    mean: Interval  # over the settings of all other inputs; simultaneous over all changes
    low: float  # central 90 % of the settings, with the noise subtracted (Louis 1984)
    high: float


@dataclass(frozen=True)
class InputEffect:
    """Sensitivity indices of one input, and its means and changes by level."""

    # first-order index: mean share of the variance that knowing this input removes
    alone: Interval | None
    total: Interval | None  # share of the variance that remains if all other inputs are known
    means: tuple[Interval, ...]  # at each level, averaged over the other inputs
    changes: tuple[LevelChange, ...]  # to each level except the first


@dataclass(frozen=True)
class Indices:
    """All sensitivity indices. An index is None if the total variance is not significant.

    All intervals of one kind are simultaneous with CONFIDENCE (Bonferroni), and also with the intervals of
    the other families of comparisons in the answer.
    """

    settings: int
    variance: Interval  # of the values, without noise
    noise: float  # mean variance of the noise of one value
    effects: tuple[InputEffect, ...]
    sum_alone: Interval | None  # sum of all first-order indices; 1 if nothing interacts
    # superset importance as a share of the variance: all effects that need both inputs; empty without indices
    pairs: dict[tuple[int, int], Interval]


def analyze(design: Design, rows: Sequence[SettingMeans], span: Span, families: int = 1) -> Indices:
    """Return the sensitivity indices.

    span: least and greatest possible value. families: see `testing.holm`; at least `FAMILIES`. Raises
    ValueError with fewer than FEWEST settings.
    """
    if len(rows) < FEWEST:
        raise ValueError(
            f"{len(rows)} settings are too few to estimate indices; at least {FEWEST} are required"
        )
    bootstrap = _Bootstrap(design, rows, span)
    variance = bootstrap.spread(joint_level(1, families=families))
    shares = _Shares(design, bootstrap, families) if not is_noise(variance) else None
    of_changes = joint_level(sum(size - 1 for size in design.sizes), families=families)
    effects = tuple(
        InputEffect(
            shares.first_order_index([i], shares.single) if shares else None,
            shares.part("within", i, shares.single) if shares else None,
            tuple(_t(values, span) for values in np.array([row.means[i] for row in rows]).T),
            _changes(rows, i, span, of_changes),
        )
        for i in range(len(design.sizes))
    )
    pairs = {}
    if shares:
        pairs = {pair: shares.part("joint", i, shares.paired) for i, pair in enumerate(design.pairs)}
    return Indices(
        len(rows),
        variance,
        float(np.mean([row.noise.mean() for row in rows])),
        effects,
        shares.first_order_index(range(len(design.sizes)), CONFIDENCE) if shares else None,
        pairs,
    )


def given(
    design: Design, rows: Sequence[SettingMeans], span: Span, of: int, to: int, by: int
) -> list[Interval | None]:
    """Return the effect of setting one input to level `to`, at each level of another input.

    of, by: indices of the two inputs. Each effect is averaged over the settings that have the other input's
    level; None for fewer than two settings. The intervals are simultaneous over all pairs, changes and
    levels.
    """
    changes, confidence = [], joint_level(design.lines)
    for other in range(design.sizes[by]):
        moved = np.array([row.means[of][to] - row.means[of][0] for row in rows if row.levels[by] == other])
        changes.append(_t(moved, _moves(span), confidence) if len(moved) > 1 else None)
    return changes


# ---------------------------------------------------------------- effects in the unit of the values


def _changes(rows: Sequence[SettingMeans], i: int, span: Span, confidence: float) -> tuple[LevelChange, ...]:
    moved = np.array([row.means[i] - row.means[i][0] for row in rows])[:, 1:]
    noise = np.array([row.change_noise[i] for row in rows])[:, 1:].mean(axis=0)
    return tuple(
        LevelChange(_t(values, _moves(span), confidence), *_most_of(values, each))
        for values, each in zip(moved.T, noise, strict=True)
    )


def _t(values: Floats, ends: Span, confidence: float = CONFIDENCE) -> Interval:
    """Return Student's t interval over settings. Its method contains "rough" if the interval may undercover.

    If all settings have the same value, the limits allow any value in the span for a small share of other
    settings.
    """
    value, n = float(values.mean()), len(values)
    if _is_still(values):
        return equal_values(value, n, value - ends[0], ends[1] - value, confidence)
    interval = mean_of(values).interval(confidence)
    assert interval
    return interval


def _moves(span: Span) -> Span:
    return span[0] - span[1], span[1] - span[0]


def _is_still(values: Floats) -> bool:
    """Return whether all values are equal up to floating-point error."""
    return float(np.ptp(values, axis=0).max(initial=0.0)) <= ROUNDING


def _most_of(values: Floats, noise: float) -> tuple[float, float]:
    """Return quantiles of values shrunk towards their mean to remove the noise (Louis 1984, JASA 79)."""
    seen = float(values.var(ddof=1))
    shrunk = values.mean() + (values - values.mean()) * sqrt(max(1 - noise / seen, 0.0) if seen else 0.0)
    low, high = np.quantile(shrunk, MOST_OF)
    return float(low), float(high)


# ---------------------------------------------------------------- bootstrap over settings


class _Bootstrap:
    """Means of the rows: over all rows, over resamples, and with each row left out.

    All other results are functions of these means.
    """

    def __init__(self, design: Design, rows: Sequence[SettingMeans], span: Span):
        self.n, self.reach = len(rows), span[1] - span[0]
        over_levels = np.array([[means.mean() for means in row.means] for row in rows])
        means = np.array([np.concatenate(row.means) for row in rows])
        columns = {
            "over": over_levels,
            "square": (over_levels**2).mean(axis=1, keepdims=True),
            "rest": np.array([[row.within.mean() - _beyond(row)] for row in rows]),
            "centred": means - np.repeat(over_levels, design.sizes, axis=1),
            "within": np.array([row.within for row in rows]),
            "joint": np.array([row.joint for row in rows]).reshape(self.n, -1),
        }
        ends = np.cumsum([values.shape[1] for values in columns.values()])
        self.where = dict(zip(columns, map(slice, [0, *ends[:-1]], ends), strict=True))
        self.x = np.hstack(list(columns.values()))

    @cached_property
    def all(self) -> Floats:
        mean: Floats = self.x.mean(axis=0, keepdims=True)
        return mean

    @cached_property
    def resampled(self) -> Floats:
        """Means of the resamples, an array [resample, column].

        The resamples are the same for every statistic, because the seed depends only on the number of rows.
        """
        luck, even = np.random.default_rng(self.n), np.full(self.n, 1 / self.n)
        parts = range(0, RESAMPLES, AT_A_TIME)
        return np.vstack([luck.multinomial(self.n, even, AT_A_TIME) @ self.x / self.n for _ in parts])

    def get(self, name: str, means: Floats) -> Floats:
        return means[:, self.where[name]]

    def variance(self, means: Floats) -> Floats:
        """Return the variance of the values without noise, between and within settings.

        The variance within settings is averaged over inputs.
        """
        between: Floats = self.get("square", means)[:, 0] - (self.get("over", means) ** 2).mean(axis=1)
        return between * self.n / (self.n - 1) + self.get("rest", means)[:, 0]

    def spread(self, confidence: float) -> Interval:
        """Return the variance of the values with its interval.

        If no resample differs, all settings except a share of `limit_of_none` give these values. Each of the
        others adds at most a quarter of the squared reach to the variance within settings, and at most the
        squared reach to the variance between settings.
        """
        if _is_still(self.variance(self.resampled)):
            value, more = float(self.variance(self.all)[0]), 1.5 * self.others(confidence) * self.reach**2
            return Interval(value, max(value - more, 0.0), value + more, confidence, NEVER)
        return self.bca(self.variance, confidence)

    def others(self, confidence: float) -> float:
        """Return the upper limit of the share of settings with other values.

        Requires that all observed values are equal.
        """
        return limit_of_none(self.n, confidence)

    def bca(self, statistic: Callable[[Floats], Floats], confidence: float) -> Interval:
        """Return the bias-corrected and accelerated percentile interval (Efron 1987, JASA 82)."""
        estimate = float(statistic(self.all)[0])
        without_one = (self.x.sum(axis=0) - self.x) / (self.n - 1)
        resampled, jackknife = statistic(self.resampled), statistic(without_one)
        away = jackknife.mean() - jackknife
        spread = float((away**2).sum())
        acceleration = float((away**3).sum()) / (6 * spread**1.5) if spread else 0.0
        ties = np.count_nonzero(resampled == estimate) / 2
        share = (np.count_nonzero(resampled < estimate) + ties) / len(resampled)
        bias = float(special.ndtri(min(max(share, 1 / len(resampled)), 1 - 1 / len(resampled))))
        z = bias + special.ndtri([(1 - confidence) / 2, (1 + confidence) / 2])
        low, high = np.quantile(resampled, special.ndtr(bias + z / (1 - acceleration * z)))
        return Interval(estimate, min(float(low), estimate), max(float(high), estimate), confidence, BCA)


def _beyond(row: SettingMeans) -> float:
    """Return the noise in a squared mean over levels that `SettingMeans.within` does not remove.

    It is the noise of a value minus the noise within the levels.
    """
    within = [means.var() for means in row.means]
    return float((row.noise - (np.array(within) - row.within)).mean())


class _Shares:
    """Indices: parts of the variance, each between 0 and 1."""

    def __init__(self, design: Design, bootstrap: _Bootstrap, families: int):
        self.design, self.bootstrap = design, bootstrap
        self.single = joint_level(len(design.sizes), families=families)
        self.paired = joint_level(len(design.pairs), families=families)
        starts = np.cumsum([0, *design.sizes]).tolist()
        self.of = [slice(*ends) for ends in pairwise(starts)]

    def variance(self, means: Floats) -> Floats:
        """Return the variance, bounded away from 0 for use as a denominator."""
        return np.maximum(self.bootstrap.variance(means), 1e-12)

    def part(self, name: str, column: int, confidence: float) -> Interval:
        get = self.bootstrap.get
        if _is_still(get(name, self.bootstrap.x)[:, column]):
            return self._never(float(get(name, self.bootstrap.all)[0, column]), name, column, confidence)
        return _share(self.bootstrap.bca(lambda x: get(name, x)[:, column] / self.variance(x), confidence))

    def _never(self, value: float, name: str, column: int, confidence: float) -> Interval:
        """Return the share of a part of the variance to which all settings contribute equally.

        A setting's contribution is unbiased and between plus and minus `most`, because the values are bounded
        and the subtracted noise has no more variance than values can have.
        """
        moves = np.prod([1 - 1 / self.design.sizes[i] for i in self.design.pairs[column]])
        most = {"within": 1 / 4, "joint": float(moves)}[name] * self.bootstrap.reach**2
        others = self.bootstrap.others((1 + confidence) / 2)
        low, high = max(value - others * (most + value), 0.0), value + others * (most - value)
        return self._of_variance(value, low, high, confidence)

    def _of_variance(self, value: float, low: float, high: float, confidence: float) -> Interval:
        """Return a share of the variance with its interval.

        `low` and `high` are limits of the numerator at half the error probability.

        The other half is for the denominator, the variance. Its upper limit is a quarter of the squared range
        of possible values, and its lower limit is that of `spread`. The interval of a share above 0 ends at
        1, because such a share is usually near 1, and limits of a variance from few settings have
        insufficient coverage.
        """
        if value > ROUNDING:
            estimate = value / float(self.variance(self.bootstrap.all)[0])
            return _share(Interval(estimate, low / (self.bootstrap.reach**2 / 4), 1.0, confidence, NEVER))
        least = max(self.bootstrap.spread((1 + confidence) / 2).low, 1e-12)
        return _share(Interval(0.0, 0.0, high / least, confidence, NEVER))

    def first_order_index(self, inputs: Sequence[int], confidence: float) -> Interval:
        """Return the first-order index with its interval.

        The interval comes from a bootstrap ball around the vector of level means.

        The index is the squared length of the level means, about their own mean, in standard deviations of
        the values. A ball about the estimated means contains all level means simultaneously. Its radius comes
        from the resamples, and the lengths in the ball are the interval. An estimate outside the unit ball is
        moved to its surface, which brings it closer to every possible truth: without this step, the interval
        could be the point 1. The interval contains 0 exactly if a test finds no difference between the
        levels. The estimate excludes the contribution of the means' sampling error to the square.
        """
        vectors = [self._vector(inputs, means) for means in (self.bootstrap.all, self.bootstrap.resampled)]
        length, aways = float(np.linalg.norm(vectors[0])), np.linalg.norm(vectors[1] - vectors[0], axis=1)
        radius = float(np.quantile(aways, confidence))
        if _is_still(aways):
            return self._no_level_moved(inputs, confidence)
        centre = min(length, 1.0)
        low, high = max(centre - radius, 0.0) ** 2, (centre + radius) ** 2
        return _share(Interval(length**2 - self._error(inputs), low, high, confidence, BALL))

    def _no_level_moved(self, inputs: Sequence[int], confidence: float) -> Interval:
        """Return the index if the level means are the same in all settings.

        The level means of another setting have a root mean square of at most half the reach, for this number
        of inputs.
        """
        means = self.bootstrap.get("centred", self.bootstrap.all)[0]
        length = sqrt(sum(float((means[self.of[i]] ** 2).mean()) for i in inputs))
        away = self.bootstrap.reach / 2 * sqrt(len(inputs)) + length
        away *= self.bootstrap.others((1 + confidence) / 2)
        ends = max(length - away, 0.0) ** 2, (length + away) ** 2
        return self._of_variance(length**2, *ends, confidence)

    def _vector(self, inputs: Sequence[int], means: Floats) -> Floats:
        parts = [
            self.bootstrap.get("centred", means)[:, self.of[i]] / sqrt(self.design.sizes[i]) for i in inputs
        ]
        return np.hstack(parts) / np.sqrt(self.variance(means))[:, None]

    def _error(self, inputs: Sequence[int]) -> float:
        """Return the expected square of the sampling error of the level means."""
        seen = self.bootstrap.get("centred", self.bootstrap.x).var(axis=0, ddof=1) / self.bootstrap.n
        return float(sum(seen[self.of[i]].mean() for i in inputs) / self.variance(self.bootstrap.all)[0])


def _share(index: Interval) -> Interval:
    ends = (index.estimate, index.low, index.high)
    estimate, low, high = (float(min(max(value, 0.0), 1.0)) for value in ends)
    return Interval(estimate, low, high, index.level, index.method)
