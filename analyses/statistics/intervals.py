"""Interval estimates, each with the name of its method. Proportions are fractions of 1, never percent.

Only `scipy.special` is used, because `scipy.stats` takes a second to import, which is noticeable in a run of
1,000 games.
"""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from math import ceil, exp, inf, isfinite, log, nan, sqrt
from typing import Annotated, Any, Protocol

import numpy as np
from pydantic import BeforeValidator

from bartizan.analyses.statistics import special
from bartizan.analyses.statistics.methods import methods_of
from bartizan.simcore.arrays import Floats
from bartizan.simcore.reporting import CONFIDENCE as CONFIDENCE

FEW = 10  # number of successes or failures below which no normal approximation is used
# with fewer successes or failures than this, Wilson covers as little as 92.5 % (n = 150, p = 0.037); with as
# many 93.4 %: docs/validity.md
EXACT_BELOW = 15
FEW_GAMES = 40  # with fewer games, Student's t covers only 87 to 93 % for a skewed number
LEAST_P = 1e-12  # smaller p-values are not distinguished
HALVINGS = 40  # steps of the search for p, on a logarithmic scale
BISECTIONS = 200  # enough to reach two neighbouring floats from any start in [0, 1]


@dataclass(frozen=True)
class Interval:
    """An estimate with its two-sided interval: low <= estimate <= high, in the unit of the estimate.

    A missing limit is infinite, and a missing estimate NaN; both are null in a document. Raises ValueError
    for a method that is not registered (`methods.py`).
    """

    estimate: Annotated[float, BeforeValidator(lambda estimate: nan if estimate is None else estimate)]
    low: Annotated[float, BeforeValidator(lambda low: -inf if low is None else low)]
    high: Annotated[float, BeforeValidator(lambda high: inf if high is None else high)]
    level: float  # nominal coverage, 0.95 for "95 %"
    method: str  # begins with the name of a registered method

    def __post_init__(self) -> None:
        methods_of(self.method)
        if self.estimate is None:
            object.__setattr__(self, "estimate", nan)
        if self.low is None:
            object.__setattr__(self, "low", -inf)
        if self.high is None:
            object.__setattr__(self, "high", inf)

    @property
    def half_width(self) -> float:
        return (self.high - self.low) / 2

    @property
    def has_limits(self) -> bool:
        """Whether there is a limit on both sides."""
        return isfinite(self.low) and isfinite(self.high)

    @property
    def is_bounds(self) -> bool:
        """Whether the limits are bounds over unknown results, such as those of truncated games.

        The estimate is then only a midpoint, and more games do not narrow the interval below the bounds.
        """
        return "bounds" in self.method

    @property
    def drawn(self) -> tuple[float, float]:
        """Ends of the interval for a chart. The estimate takes the place of an infinite limit."""
        low, high = (end if isfinite(end) else self.estimate for end in (self.low, self.high))
        return low, high

    def scaled(self, by: float) -> "Interval":
        """Return the interval in another unit. by: positive factor, 100 for percent."""
        return Interval(self.estimate * by, self.low * by, self.high * by, self.level, self.method)

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)

    def named(self, name: str) -> dict[str, float | str]:
        """Return columns of a table: `name`, `name_low`, `name_high`, `name_method`."""
        ends = {f"{name}_low": self.low, f"{name}_high": self.high}
        return {name: self.estimate, **ends, f"{name}_method": self.method}


class Method(Protocol):
    """Type of functions that compute an interval of a proportion: `proportion` or `confidence_sequence`."""

    def __call__(self, successes: float, n: int, confidence: float = ..., /) -> Interval: ...


NO_INTERVAL = "no interval"


def figure_mark(value: float, low: float | None = None, high: float | None = None) -> Interval:
    """Return the position of a mark in a figure and the ends of its bar. Never print it as an estimate."""
    ends = (value if low is None else low, value if high is None else high)
    return Interval(value, *ends, CONFIDENCE, NO_INTERVAL)


def least_alpha(holds: Callable[[float], bool]) -> float:
    """Return p by inverting an interval.

    p is the smallest alpha for which a condition is true at confidence 1 - alpha.

    holds: the condition, a function of the confidence that is true below some limit. The result is 1.0 if
    `holds` is always false, and at least LEAST_P.
    """
    clear, unclear = log(1 - LEAST_P), log(LEAST_P)
    if not holds(1 - exp(clear)):
        return 1.0
    if holds(1 - LEAST_P):
        return LEAST_P
    for _ in range(HALVINGS):
        middle = (clear + unclear) / 2
        clear, unclear = (middle, unclear) if holds(1 - exp(middle)) else (clear, middle)
    return exp(clear)


def excess_width(interval: Interval, low: float, high: float, least: float, most: float) -> float:
    """Return the factor by which the half-width must shrink for the interval to clear both edges.

    low, high: the edges. least, most: bounds of the estimate, equal unless games are truncated. Half-widths
    fall with the square root of n.
    """
    below, above = least - interval.low, interval.high - most
    if most < low:
        return above / (low - most)
    if least > high:
        return below / (least - high)
    edges = ((below, least - low), (above, high - most))
    return max(
        (reach / distance if distance > 0 else inf for reach, distance in edges if reach > 0), default=0.0
    )


# ---------------------------------------------------------------- one proportion


def proportion(successes: float, n: int, confidence: float = CONFIDENCE) -> Interval:
    """Return Wilson's score interval, or Clopper-Pearson's if there are few successes or failures.

    n must be fixed in advance.

    "Few" means fewer than 15 or fewer than `few_for`. At n = 1,000 and p = 0.001, Wilson's covers 92 %
    instead of 95 %, and Clopper-Pearson's 98 % (Wilson 1927; Brown, Cai, DasGupta 2001).
    """
    _check_counts(successes, n, confidence)
    if min(successes, n - successes) < max(EXACT_BELOW, few_for(confidence)):
        return clopper_pearson(successes, n, confidence)
    return wilson(successes, n, confidence)


def few_for(confidence: float) -> float:
    """Return z^6 / 9, the count below which skewness changes the tail beyond z too much.

    The count is that of successes or of failures. At this number, skewness changes the tail by a factor of up
    to exp(1/2). It is 42 at 99.3 % confidence and 97 at 99.8 %.
    """
    return float(special.ndtri((1 + confidence) / 2)) ** 6 / 9


def deterministic(successes: float, n: int, confidence: float = CONFIDENCE) -> Interval:
    """Return the zero-width interval for a game without randomness."""
    share = successes / n
    return Interval(share, share, share, confidence, "one game")


def wilson(successes: float, n: float, confidence: float = CONFIDENCE) -> Interval:
    """Return Wilson's score interval: every p that a score test at `confidence` would not reject.

    An effective n may be fractional.
    """
    _check_counts(successes, n, confidence)
    z = float(special.ndtri((1 + confidence) / 2))
    return Interval(successes / n, *_score_limits(successes, n, z**2), confidence, "Wilson")


def clopper_pearson(successes: float, n: float, confidence: float = CONFIDENCE) -> Interval:
    """Return the exact interval of Clopper and Pearson (1934): coverage is never below `confidence`.

    An effective n may be fractional.
    """
    _check_counts(successes, n, confidence)
    tail = (1 - confidence) / 2
    low = float(special.betaincinv(successes, n - successes + 1, tail)) if successes else 0.0
    high = float(special.betaincinv(successes + 1, n - successes, 1 - tail)) if successes < n else 1.0
    return Interval(successes / n, low, high, confidence, "Clopper-Pearson")


def limit_of_none(n: int, confidence: float = CONFIDENCE) -> float:
    """Return the upper confidence limit of a share that is 0 in n games.

    This is the exact one-sided limit of Clopper and Pearson, near 3 / n (the rule of three).
    """
    return clopper_pearson(0, n, 2 * confidence - 1).high


def equal_values(
    value: float, n: int, below: float, above: float, confidence: float = CONFIDENCE
) -> Interval:
    """Return the mean of n equal values of a bounded number, with its interval.

    Other values are at most `below` lower or `above` higher. With the given confidence, at most the share
    `limit_of_none` of all games have one.
    """
    share = limit_of_none(n, confidence)
    method = f"Clopper-Pearson limit, no two of {n:,} differ"
    return Interval(value, value - below * share, value + above * share, confidence, method)


def confidence_sequence(successes: float, n: int, confidence: float = CONFIDENCE) -> Interval:
    """Return an interval that is valid at every look.

    A run may therefore stop when the interval is narrow enough.

    The method is a beta-binomial mixture with a = b = 1 (Robbins 1970; Howard et al. 2021). The interval
    contains every p with ln B(1+s, 1+n-s) - s ln p - (n-s) ln(1-p) < ln(1/alpha). The left side falls up to p
    = s/n and then rises, so there are two roots.
    """
    _check_counts(successes, n, confidence)
    estimate = successes / n
    mixture = float(special.betaln(1 + successes, 1 + n - successes))
    bound = -log(1 - confidence)

    def is_kept(p: float) -> bool:
        excess: float = mixture - special.xlogy(successes, p) - special.xlog1py(n - successes, -p)
        return excess < bound

    low = 0.0 if is_kept(0.0) else _boundary(is_kept, outside=0.0, inside=estimate)
    high = 1.0 if is_kept(1.0) else _boundary(is_kept, outside=1.0, inside=estimate)
    return Interval(estimate, low, high, confidence, "confidence sequence")


def with_truncated(
    successes: float, truncated: int, n: int, confidence: float = CONFIDENCE, method: Method = proportion
) -> Interval:
    """Return bounds on a proportion of n games, of which `truncated` did not reach an end.

    `low` counts all truncated games as failures, `high` as successes; the estimate is the midpoint (Blake &
    Gent, arXiv 1906.12314).
    """
    if not truncated:
        return method(successes, n, confidence)
    least, most = method(successes, n, confidence), method(successes + truncated, n, confidence)
    names = dict.fromkeys((least.method, most.method))
    label = f"{' / '.join(names)}{over_truncated(truncated)}"
    return Interval((least.estimate + most.estimate) / 2, least.low, most.high, confidence, label)


def over_truncated(truncated: int) -> str:
    """Return the qualifier of a method, such as `, bounds over 12 truncated games`; "" without any."""
    return f", bounds over {truncated} truncated game{'s' * (truncated != 1)}" if truncated else ""


# ---------------------------------------------------------------- several proportions


def goodman(counts: Sequence[int], confidence: float = CONFIDENCE) -> list[Interval]:
    """Return intervals for all shares of a multinomial that are simultaneous with probability `confidence`.

    These are score intervals at a Bonferroni level (Goodman 1965, Technometrics 7). A category that contains
    few games, or all but a few, has the exact interval of Clopper and Pearson at that level instead. Without
    this, the joint coverage with 20 of 25 categories at 0.1 % would be 91 % instead of 95 %. "Few" means
    fewer than 10, or fewer than z^6 / 9, where skewness changes the tail beyond z by a factor of up to
    exp(1/2): 42 games for 7 categories, 97 for 25.

    `counts` must contain every possible category, including empty ones, because their number sets the level.
    """
    n = sum(counts)
    _check_counts(max(counts), n, confidence)
    alpha = (1 - confidence) / len(counts)
    chi_square = float(special.chdtri(1, alpha))
    few = max(FEW, few_for(1 - alpha))

    def one(count: int) -> Interval:
        if min(count, n - count) < few:
            exact = clopper_pearson(count, n, 1 - alpha)
            method = f"Clopper-Pearson, Bonferroni over {len(counts)}"
            return replace(exact, level=confidence, method=method)
        return Interval(count / n, *_score_limits(count, n, chi_square), confidence, "Goodman")

    return [one(count) for count in counts]


def newcombe(a: Interval, b: Interval) -> Interval:
    """Return the difference a - b of two proportions, treated as independent.

    The method is the hybrid score interval (Newcombe 1998, method 10).

    Cells of one sweep share their random numbers game by game, so the true uncertainty is not larger.
    """
    difference = a.estimate - b.estimate
    low = difference - sqrt((a.estimate - a.low) ** 2 + (b.high - b.estimate) ** 2)
    high = difference + sqrt((a.high - a.estimate) ** 2 + (b.estimate - b.low) ** 2)
    return Interval(difference, max(low, -1.0), min(high, 1.0), a.level, "Newcombe")


# ---------------------------------------------------------------- numbers


@dataclass(frozen=True)
class Mean:
    """Mean of a number over the n games that have one.

    `se` is the standard error of the mean, None for fewer than two games. `differing` is the number of games
    without the commonest value; None if not counted.
    """

    mean: float | None
    se: float | None
    n: int
    differing: int | None = None

    @property
    def sd(self) -> float | None:
        return None if self.se is None else self.se * sqrt(self.n)

    def interval(self, confidence: float = CONFIDENCE) -> Interval | None:
        """Return Student's t interval of the mean.

        Its method contains "rough" if the interval may undercover for a skewed number. Returns None for fewer
        than two games, and if all values are equal.
        """
        if self.mean is None or not self.se:
            return None
        interval = student_t(self.mean, self.se, self.n, confidence)
        return replace(interval, method=interval.method + self.rough)

    @property
    def rough(self) -> str:
        """Qualifier of an interval for which the central limit theorem is not yet accurate; "" otherwise."""
        if self.n < FEW_GAMES:
            return ", rough since the games are few"
        if self.differing is not None and self.differing < EXACT_BELOW:
            return ", rough since few values differ"
        return ""

    @property
    def is_equal(self) -> bool:
        """Whether all values (two or more) are equal. Then the mean has no interval (`without_limits`)."""
        return self.se == 0


def student_t(mean: float, se: float, n: int, confidence: float = CONFIDENCE) -> Interval:
    """Return Student's t interval of the mean of n values, from its standard error.

    The interval has no limits if the standard error is 0.
    """
    if not se > 0:
        return without_limits(mean, n, confidence)
    reach = float(special.stdtrit(n - 1, (1 + confidence) / 2)) * se
    return Interval(mean, mean - reach, mean + reach, confidence, "Student t")


NO_LIMITS = "no interval"


def without_limits(mean: float, n: int, confidence: float = CONFIDENCE) -> Interval:
    """Return the mean of n equal values of an unbounded number, without limits.

    No finite interval of such a mean has the nominal coverage.

    One game in a thousand may have any value. n equal values only bound the share of games with another value
    (`limit_of_none`).
    """
    values = "one value" if n == 1 else f"all {n:,} values are equal"
    return Interval(mean, -inf, inf, confidence, f"{NO_LIMITS}: {values}")


def unknown(confidence: float = CONFIDENCE) -> Interval:
    """Return an interval without estimate or limits, for a number that no game has."""
    return Interval(nan, -inf, inf, confidence, f"{NO_LIMITS}: no game has a value")


SEQUENCE_BEST_AT = 10_000  # games at which a confidence sequence of a mean is tightest


def mean_sequence(value: Mean, confidence: float = CONFIDENCE) -> Interval | None:
    """Return an interval of a mean that is valid at every look.

    Returns None for fewer than two games, and if all values are equal.

    The interval requires many games (central limit theorem). The method is the normal mixture of Robbins
    (1970) with the standard deviation observed so far (Waudby-Smith, Arbour, Sinha, Kennedy, Ramdas 2021,
    Time-uniform central limit theory).
    """
    if value.mean is None or not value.se:
        return None
    spread = value.n * (-2 * log(0.05) + log(1 - 2 * log(0.05))) / SEQUENCE_BEST_AT
    reach = value.se * sqrt(2 * (spread + 1) / spread * log(sqrt(spread + 1) / (1 - confidence)))
    method = f"confidence sequence of a mean{value.rough}"
    return Interval(value.mean, value.mean - reach, value.mean + reach, confidence, method)


def mean_of_counts(values: Sequence[int], counts: Sequence[int]) -> Mean:
    """Return the mean of distinct values. counts: number of games with each."""
    about = next(iter(values), 0)
    pairs = [(value - about, n) for value, n in zip(values, counts, strict=True)]
    total, squares = (sum(value**power * n for value, n in pairs) for power in (1, 2))
    return replace(mean(sum(counts), total, squares, about), differing=sum(counts) - max(counts, default=0))


def mean_of(values: Sequence[float] | Floats) -> Mean:
    """Return the mean of values, one per game."""
    numbers = np.asarray(values, float)
    about = float(numbers[0]) if len(numbers) else 0.0
    off = numbers - about
    found = mean(len(numbers), float(off.sum()), float((off**2).sum()), about)
    commonest = np.unique(numbers, return_counts=True)[1].max(initial=0)
    return replace(found, differing=len(numbers) - int(commonest))


ROUNDING = 1e-14  # relative spread of numbers that differ only by the rounding of fractions


def mean(n: int, total: float, squares: float, about: float) -> Mean:
    """Return mean and standard error from a count, a sum and a sum of squares.

    total, squares: sum and sum of squares of the distances from `about`. about: any of the values, or a
    number between them. With sums of squares of the values themselves, rounding would hide the spread of
    large values and give equal fractions a spread.
    """
    if n == 0:
        return Mean(None, None, 0)
    average = (about * n + total) / n
    if n == 1:
        return Mean(average, None, 1)
    variance = max(squares - total * (total / n), 0.0) / (n - 1)
    if variance <= (ROUNDING * average) ** 2:  # equal numbers, computed from fractions in different ways
        variance = 0.0
    return Mean(average, sqrt(variance / n), n)


def quantile_interval(
    values: Sequence[float], counts: Sequence[int], q: float, confidence: float = CONFIDENCE
) -> Interval:
    """Return the q-quantile of a sample with a distribution-free interval.

    values: distinct and ascending; counts: number of games with each.

    The quantile is the least value that a share q of the games does not exceed. Limits are two order
    statistics whose ranks contain the binomial(n, q) number of games below the true quantile with probability
    >= confidence. A side with too few games has no limit.
    """
    n = sum(counts)
    tail = (1 - confidence) / 2
    low_rank = _binomial_quantile(tail, n, q)
    high_rank = _binomial_quantile(1 - tail, n, q) + 1
    ranks = (max(ceil(q * n - 1e-9), 1), max(low_rank, 1), min(high_rank, n))
    estimate, low, high = (values[index] for index in np.searchsorted(np.cumsum(counts), ranks))
    low, high = low if low_rank >= 1 else -inf, high if high_rank <= n else inf
    return Interval(estimate, low, high, confidence, "order statistics")


def dkw_margin(n: int, confidence: float = CONFIDENCE) -> float:
    """Return the half-width of a confidence band for a whole distribution function.

    The method is the Dvoretzky-Kiefer-Wolfowitz inequality (Massart 1990).
    """
    return sqrt(log(2 / (1 - confidence)) / (2 * n))


def dkw_band(so_far: int, truncated: int, n: int) -> Interval:
    """Return the share of n games in which an event has happened by a given time.

    Its limits are those of a confidence band that is simultaneous over all times (DKW).

    In `truncated` games, it is unknown whether the event would have happened; the upper limit counts them.
    """
    share, ceiling, margin = so_far / n, (so_far + truncated) / n, dkw_margin(n)
    method = f"DKW band{over_truncated(truncated)}"
    return Interval(share, max(share - margin, 0.0), min(ceiling + margin, 1.0), CONFIDENCE, method)


# ---------------------------------------------------------------- helpers


def _check_counts(successes: float, n: float, confidence: float) -> None:
    if not 0 <= successes <= n or n < 1:
        raise ValueError(f"{successes} successes of {n} games: write 0 to {n} successes of at least 1 game")
    if not 0 < confidence < 1:
        raise ValueError(f"confidence {confidence}: must be between 0 and 1, for example 0.95")


def _score_limits(count: float, n: float, chi_square: float) -> tuple[float, float]:
    """Return the roots in p of n (count/n - p)^2 = chi_square p (1 - p)."""
    centre = count + chi_square / 2
    reach = sqrt(chi_square * (count * (n - count) / n + chi_square / 4))
    low = 0.0 if count == 0 else (centre - reach) / (n + chi_square)
    high = 1.0 if count == n else (centre + reach) / (n + chi_square)
    return low, high


def _boundary(is_kept: Callable[[float], bool], outside: float, inside: float) -> float:
    """Return the point where `is_kept` changes.

    It is rounded to the rejected side, so that the interval contains every kept p.
    """
    for _ in range(BISECTIONS):
        middle = (outside + inside) / 2
        if middle in (outside, inside):
            break
        outside, inside = (outside, middle) if is_kept(middle) else (middle, inside)
    return outside


def _binomial_quantile(share: float, n: int, p: float) -> int:
    """Return the least k with P(Binomial(n, p) <= k) >= share.

    `bdtrik` is a real-valued inverse; the result is rounded to the exact integer.
    """
    k = min(max(int(special.bdtrik(share, n, p)), 0), n)
    while k < n and special.bdtr(k, n, p) < share:
        k += 1
    while k > 0 and special.bdtr(k - 1, n, p) >= share:
        k -= 1
    return k
