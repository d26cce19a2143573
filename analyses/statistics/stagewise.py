"""Estimates after a sequential run, corrected for the stopping rule.

A run that stops when its interval is narrow or decisive tends to stop during a lucky streak, so the raw
estimate is too extreme. The correction orders all possible ends of the run (Armitage 1957; Siegmund 1978;
Jennison & Turnbull 2000, section 8.5): the earliest ends on the low side are lowest, the earliest ends on the
high side are highest, and later ends are between them. At the same look, ends are ordered by the observed
value. The median-unbiased estimate is the value under which ends above and below the observed one are equally
likely. The limits are the values under which an end as high, or as low, as the observed one has probability
(1 - confidence) / 2.
"""

from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from math import ceil, log, sqrt

import numpy as np

from bartizan.analyses.statistics import special
from bartizan.analyses.statistics.intervals import Interval, confidence_sequence, with_truncated
from bartizan.simcore.arrays import Floats

FAR = 9  # standard deviations beyond which the probability is negligible (1e-18)
ENOUGH = 1e-7  # tolerance of the search for estimates
STAGE_WISE = "stage-wise order"

# value -> probabilities of an end below, and above, the observed end
Chances = Callable[[float], tuple[float, float]]


def median_unbiased(chances: Chances, low: float, high: float) -> float:
    """Return the median-unbiased value between `low` and `high`.

    Under it, ends above and below the observed end are equally likely.
    """
    return _root(lambda value: np.subtract(*chances(value)[::-1]), low, high)


def limits(chances: Chances, low: float, high: float, confidence: float) -> tuple[float, float]:
    """Return the limits of an interval between `low` and `high`.

    Under them, an end as high, or as low, as the observed end has probability (1 - confidence) / 2.
    """
    tail = (1 - confidence) / 2
    least = _root(lambda value: 1 - chances(value)[0] - tail, low, high)
    return least, _root(lambda value: tail - (1 - chances(value)[1]), low, high)


def _root(rising: Callable[[float], float], low: float, high: float) -> float:
    """Return the root of an increasing function between `low` and `high`, or else the nearer end."""
    from scipy.optimize import brentq  # a third of a second to import: only where it is needed

    if rising(low) >= 0:
        return low
    return brentq(rising, low, high, xtol=ENOUGH) if rising(high) > 0 else high


# -------------------------------------------------------------- a share, estimated until it is precise enough


def most_needed(half_width: float, every: int, limit: int) -> int:
    """Return the number of games after which the interval is narrow enough for any win rate.

    The interval is the confidence sequence. The number is a multiple of `every`, or the `limit`.

    The sequence is widest at a win rate of one half.
    """
    rule = Precision(half_width, every, limit)
    looks = range(1, limit // every + 1)
    first = bisect_left(looks, True, key=lambda look: rule.is_enough(look * every // 2, look * every))
    return min((first + 1) * every, limit)


@dataclass(frozen=True)
class Precision:
    """Stopping rule: stop when the half-width of the confidence sequence is at most `half_width`.

    The sequence has bounds for truncated games.

    Looks occur after every `every` games, and at the `limit`.
    """

    half_width: float
    every: int
    limit: int

    def is_enough(self, wins: int, games: int, truncated: int = 0) -> bool:
        """Return whether the printed interval is narrow enough.

        Truncated games widen the interval to bounds.
        """
        interval = with_truncated(wins, truncated, games, method=confidence_sequence)
        return interval.high - interval.low <= 2 * self.half_width

    def looks(self, games: int) -> int:
        return ceil(games / self.every)

    def adjusted(self, wins: int, games: int) -> Interval:
        """Return the confidence sequence around the median-unbiased estimate under this rule."""
        watched = confidence_sequence(wins, games)
        reach = FAR * sqrt(max(wins * (games - wins), games) / games) / games
        low, high = max(watched.estimate - reach, 0.0), min(watched.estimate + reach, 1.0)
        estimate = median_unbiased(_Share(self, wins, games, low, high).chances, low, high)
        estimate = min(max(estimate, watched.low), watched.high)
        return replace(watched, estimate=estimate, method="confidence sequence, median-unbiased estimate")


@dataclass(frozen=True)
class _Share:
    """All ways a run under a `Precision` could have ended: exact binomial probabilities by look.

    The observed end is `wins` of `games`.
    """

    rule: Precision
    wins: int
    games: int
    low: float  # range of values whose probabilities are computed
    high: float

    @cached_property
    def looks(self) -> list[tuple[int, int]]:
        """Earlier looks at which the rule may have stopped: (games, fewest wins to continue).

        The rule cannot have stopped at looks that are not listed.
        """
        looks, games = [], (self.rule.looks(self.games) - 1) * self.rule.every
        while games > 0:
            fewest, reach = _fewest(self.rule, games), FAR * sqrt(games) / 2
            if fewest < games * self.low - reach and fewest < games * (1 - self.high) - reach:
                break
            looks.append((games, fewest))
            games -= self.rule.every
        return looks[::-1]

    def chances(self, p: float) -> tuple[float, float]:
        """Return the probabilities of an end below and above the observed end, which counts half to each."""
        seen, first = 0, 0
        shares: Floats = np.ones(1)
        below = above = 0.0
        for games, fewest in self.looks:
            first, shares = _more_games(first, shares, games - seen, p)
            wins, seen = first + np.arange(len(shares)), games
            below += shares[(wins < fewest) & (wins <= games / 2)].sum()
            above += shares[(wins > games - fewest) & (wins > games / 2)].sum()
            kept = (wins >= fewest) & (wins <= games - fewest)
            if not kept.any():
                first, shares = int(wins[0]), np.zeros(1)
                continue
            first, shares = int(wins[kept][0]), shares[kept]
        first, shares = _more_games(first, shares, self.games - seen, p)
        wins = first + np.arange(len(shares))
        same = shares[wins == self.wins].sum() / 2
        if self.wins <= self.games / 2:
            below += shares[wins < self.wins].sum() + same
            return below, 1 - below
        above += shares[wins > self.wins].sum() + same
        return 1 - above, above


@lru_cache(maxsize=4096)
def _fewest(rule: Precision, games: int) -> int:
    """Return the fewest wins with which the run continues; `games` if there is no such number.

    The interval is widest in the middle, so the result is the first number of wins at which it is too wide.
    """
    low, high = 0, games // 2
    while low < high:
        middle = (low + high) // 2
        low, high = (middle + 1, high) if rule.is_enough(middle, games) else (low, middle)
    return games if rule.is_enough(low, games) else low


def _more_games(first: int, shares: Floats, games: int, p: float) -> tuple[int, Floats]:
    """Return the distribution of the number of wins after more games.

    The result is (first, probabilities of `first`, `first` + 1, ... wins), without tails beyond FAR standard
    deviations.
    """
    reach = FAR * sqrt(games * p * (1 - p)) + FAR
    low, high = max(int(games * p - reach), 0), min(int(games * p + reach) + 1, games)
    more = np.arange(low, high + 1)
    chance = np.exp(
        special.xlogy(more, p)
        + special.xlog1py(games - more, -p)
        - special.betaln(more + 1, games - more + 1)
        - log(games + 1)
    )
    return first + low, np.convolve(shares, chance)


# ---------------------------------------------------------------- a walk between two bounds


@dataclass(frozen=True)
class Walk:
    """A random walk that is tested every `every` steps and stops outside two bounds or after its last step.

    The sum at a look is treated as normal. Probabilities are computed look by look from the density between
    the bounds (Armitage, McPherson & Rowe 1969), by Gauss-Legendre quadrature. Unlike the formulas for
    Brownian motion (Siegmund 1985, chapter III), this accounts for overshoot of the bounds at discrete looks.
    """

    low: float
    high: float
    every: int
    n: int  # number of summands at the stop
    total: float  # their sum
    side: int  # 1: stopped at the high bound, -1: at the low one, 0: at neither

    def chances(self, mean: float, variance: float) -> tuple[float, float]:
        """Return the probabilities of an end below and above the observed end, for this mean and variance."""
        looks = ceil(self.n / self.every)
        left = self.n - (looks - 1) * self.every
        if looks == 1:
            above = float(special.ndtr((left * mean - self.total) / sqrt(left * variance)))
            return 1 - above, above
        nodes, weights = self._nodes(looks, mean, variance)
        drift, sd = self.every * mean, sqrt(self.every * variance)
        density = _normal((nodes - drift) / sd) / sd
        went_below, went_above = (
            float(special.ndtr(z)) for z in ((self.low - drift) / sd, (drift - self.high) / sd)
        )
        step = _normal((nodes[:, None] - nodes[None, :] - drift) / sd) / sd * weights
        out_below, out_above = (
            weights * special.ndtr(z)
            for z in ((self.low - nodes - drift) / sd, (nodes + drift - self.high) / sd)
        )
        for _ in range(looks - 2):
            went_below += float(out_below @ density)
            went_above += float(out_above @ density)
            density = step @ density
        last = special.ndtr((nodes + left * mean - self.total) / sqrt(left * variance))
        if self.side < 0:
            below = went_below + float(weights * (1 - last) @ density)
            return below, 1 - below
        above = went_above + float(weights * last @ density)
        return 1 - above, above

    def _nodes(self, looks: int, mean: float, variance: float) -> tuple[Floats, Floats]:
        """Return quadrature nodes between the bounds, within the walk's reach, and their weights.

        There are two or three nodes per step's standard deviation.
        """
        sd, drift = sqrt(self.every * variance), self.every * mean
        reach = FAR * sd * sqrt(looks)
        low = max(self.low, min(drift, looks * drift) - reach)
        high = min(self.high, max(drift, looks * drift) + reach)
        half = max(high - low, 0) / 2
        at, weights = _gauss_legendre(ceil(5 * half / sd) + 40)
        return low + half + at * half, weights * half


_gauss_legendre = lru_cache(maxsize=64)(np.polynomial.legendre.leggauss)


def _normal(z: Floats) -> Floats:
    return np.exp(-z * z / 2) / sqrt(2 * np.pi)
