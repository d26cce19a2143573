"""Tests and their power: multiple comparisons, equivalence, and sample sizes.

Equivalence is two one-sided tests (Schuirmann 1987): two rates are equivalent if both "lower by the margin or
more" and "higher by the margin or more" are rejected. A non-significant difference does not show equivalence.
Powers are enumerated, not approximated; if a number of plays comes from a formula, the power beside it is
exact.

The power of an exact test is a sawtooth (discreteness): with 47 plays it may be above 80 %, with 48 below.
The result is the smallest number of plays that has the requested power and beyond which the power is never
more than 3 percentage points lower than requested.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil, sqrt

import numpy as np

from bartizan.analyses.statistics import special
from bartizan.analyses.statistics.intervals import Interval
from bartizan.simcore.arrays import Floats, Ints
from bartizan.simcore.reporting import CONFIDENCE

# ------------------------------------------------------ one error rate for all claims of an answer or a page
#
# A family contains the comparisons of one kind in an answer, such as its cards, seats or settings. Without
# any true difference, an answer claims one with probability ALPHA at most. An answer with several families
# divides ALPHA equally among them (Bonferroni). `families` below is their number. A difference is called
# clear, moved or better only if its adjusted p is below ALPHA or its simultaneous interval excludes 0.

ALPHA = 0.05


def holm(p: Sequence[float], families: int = 1) -> list[float]:
    """Return p-values adjusted for the family-wise error rate, in the order of `p`.

    The method is that of Holm (1979, Scandinavian Journal of Statistics 6). families: number of families of
    comparisons in the answer, including this one.
    """
    order = sorted(range(len(p)), key=p.__getitem__)
    adjusted, least = [1.0] * len(p), 0.0
    for rank, index in enumerate(order):
        least = max(least, min(p[index] * (len(p) - rank) * families, 1.0))
        adjusted[index] = least
    return adjusted


def false_discovery(p: Sequence[float], families: int = 1) -> list[float]:
    """Return p-values adjusted to control the false discovery rate at alpha (Benjamini & Hochberg 1995).

    If there is no true difference, the probability of one or more claims is at most alpha.
    """
    order = sorted(range(len(p)), key=p.__getitem__, reverse=True)
    adjusted, most = [1.0] * len(p), 1.0
    for rank, index in enumerate(order):
        most = min(most, float(p[index]) * (len(p) / (len(p) - rank)))
        adjusted[index] = min(most * families, 1.0)
    return adjusted


def joint_level(count: int, confidence: float = CONFIDENCE, families: int = 1) -> float:
    """Return the confidence level at which `count` intervals are simultaneous with the level `confidence`.

    The adjustment is Bonferroni's, so any of the intervals may be selected. families: see `holm`.
    """
    return 1 - (1 - confidence) / (max(count, 1) * families)


TOGETHER = "together (Bonferroni)"  # ends the method of an interval that is simultaneous with others


def jointly(
    at: Callable[[float], Interval], count: int, families: int = 1, confidence: float = CONFIDENCE
) -> Interval:
    """Return one of `count` intervals that are simultaneous with `confidence`.

    They are also simultaneous over the answer's other families.

    at: function from a confidence to the interval. The limits are those at the joint level. The level of the
    result is `confidence`, and its method states the number of intervals.
    """
    one = at(joint_level(count, confidence, families))
    count *= families
    fellows = f", for all {count} {TOGETHER}" if count > 1 else ""
    return Interval(one.estimate, one.low, one.high, confidence, f"{one.method}{fellows}")


# ---------------------------------------------------------------------------- practical equivalence

EXACT = "exact binomial TOST"


def equivalent_to_known(wins: int, plays: int, rate: float, margin: float) -> tuple[float, float]:
    """Test whether the rate behind `wins` of `plays` is equivalent to a known rate.

    Returns the p-values of "lower by the margin or more" and "higher by the margin or more". The rates are
    equivalent if both are below 5 %. A limit of the margin beyond 0 or 1 is set to 0 or 1.
    """
    low, high = max(rate - margin, 0.0), min(rate + margin, 1.0)
    lower = float(special.bdtrc(wins - 1, plays, low)) if wins else 1.0
    upper = float(special.bdtr(wins, plays, high)) if wins < plays else 1.0
    return lower, upper


def binomial(plays: int, rates: Floats) -> Floats:
    """Return an array [rate, wins]: the probabilities of 0 to `plays` wins."""
    wins = np.arange(plays + 1)
    ways = special.gammaln(plays + 1) - special.gammaln(wins + 1) - special.gammaln(plays - wins + 1)
    rates = np.clip(np.atleast_1d(rates)[:, None], 0.0, 1.0)
    log_chances: Floats = ways + special.xlogy(wins, rates) + special.xlog1py(plays - wins, -rates)
    return np.exp(log_chances)


# ---------------------------------------------------------------------- number of plays needed

POWER = 0.8
MOST = 3000  # maximum number of plays that is recommended
SAW = 0.03  # maximum shortfall of the power at a greater number of plays
NODES = 40  # Gauss-Hermite nodes of testers' skill


@dataclass(frozen=True)
class Need:
    """Required number of plays, if every tester plays once, and the power."""

    plays: int
    power: float


def plays_against_known(rate: float, truth: float, power: float = POWER, alpha: float = ALPHA) -> Need | None:
    """Return the number of plays needed to detect that people's win rate is not `rate`.

    truth: people's actual win rate. power: probability of detection.

    The test is the exact two-sided binomial test, with at most alpha / 2 in each tail. Returns None if more
    than 3,000 plays are needed.
    """

    def power_of(plays: Ints) -> Floats:
        wins, losses = _highest(plays, rate, alpha / 2), _highest(plays, 1 - rate, alpha / 2)
        return _at_most(wins, plays, truth) + _at_most(losses, plays, 1 - truth)

    return _least(power_of, power)


def to_show_equal(
    rate: float, margin: float, truth: float | None = None, power: float = POWER, alpha: float = ALPHA
) -> Need | None:
    """Return the number of plays needed to show that people's win rate is within the margin of `rate`.

    truth: people's actual win rate (default: `rate`). power: probability of showing it. Returns None if more
    than 3,000 plays are needed.
    """
    at = rate if truth is None else truth
    return _least(lambda plays: power_to_show_equal(plays, rate, margin, at, alpha), power)


def power_to_show_equal(
    plays: Ints, rate: float, margin: float, truth: float, alpha: float = ALPHA
) -> Floats:
    """Return the power of the exact TOST at each number of plays."""
    most = _highest(plays, min(rate + margin, 1.0), alpha)
    least = plays - _highest(plays, 1 - max(rate - margin, 0.0), alpha)
    return np.maximum(_at_most(most, plays, truth) - _at_most(least - 1, plays, truth), 0.0)


def between(rate: float, other: float, power: float = POWER, alpha: float = ALPHA) -> Need:
    """Return the number of plays needed at each of two levels to distinguish their win rates.

    The number comes from Fleiss's formula for the test with a pooled variance. The power is enumerated for
    that test (above 600 plays: the requested power).
    """
    z, quantile = special.ndtri(1 - alpha / 2), special.ndtri(power)
    middle, apart = (rate + other) / 2, rate * (1 - rate) + other * (1 - other)
    reach = z * sqrt(2 * middle * (1 - middle)) + quantile * sqrt(apart)
    plays = max(ceil(reach**2 / (rate - other) ** 2 - 1e-9), 2)
    return Need(plays, power_between(plays, rate, other, alpha) if plays <= 600 else power)


def power_between(plays: int, rate: float, other: float, alpha: float = ALPHA) -> float:
    """Return the exact power of the test of `between`, summed over all possible results."""
    share = np.arange(plays + 1) / plays
    middle = (share[:, None] + share) / 2
    spread = np.sqrt(np.maximum(2 * middle * (1 - middle) / plays, 1e-300))
    significant = np.abs(share[:, None] - share) / spread >= special.ndtri(1 - alpha / 2)
    chances = binomial(plays, np.array([rate, other]))
    return float(chances[0] @ significant @ chances[1])


# ---------------------------------------------------------------- several plays by one tester


def alike(rate: float, tau: float) -> float:
    """Return the correlation of one tester's plays (ICC).

    rate: win rate of the median tester. tau: SD of skill in logits.
    """
    x, weight = np.polynomial.hermite.hermgauss(NODES)
    chance = special.expit(special.logit(rate) + np.sqrt(2) * tau * x)
    weight = weight / weight.sum()
    mean = float(weight @ chance)
    return float(weight @ (chance - mean) ** 2) / (mean * (1 - mean))


def design_effect(each: float, correlation: float) -> float:
    """Return the factor by which the number of plays grows if each tester plays `each` times (Kish 1965)."""
    return 1 + (each - 1) * correlation


def with_testers(plays: int, each: int, rate: float, tau: float) -> tuple[int, int]:
    """Return (plays, testers) that are as informative as `plays` plays by as many testers."""
    effect = design_effect(each, alike(rate, tau))
    testers = ceil(plays * effect / each - 1e-9)
    return testers * each, testers


def _least(power_of: Callable[[Ints], Floats], power: float) -> Need | None:
    plays = np.arange(1, MOST + 1)
    powers = power_of(plays)
    holds = np.minimum.accumulate(powers[::-1])[::-1] >= power - SAW
    good = np.flatnonzero((powers >= power) & holds)
    return Need(int(plays[good[0]]), float(powers[good[0]])) if len(good) else None


def _highest(plays: Ints, rate: float, tail: float) -> Ints:
    """Return the greatest number of wins with P(as many or fewer) <= tail; -1 if none."""
    if rate >= 1:
        return plays - 1
    if rate <= 0:
        return np.full(len(plays), -1)
    guess = np.floor(np.nan_to_num(special.bdtrik(tail, plays, rate), nan=-1.0)).clip(-1, plays)
    highest = np.full(len(plays), -1)
    for wins in (guess - 1, guess, guess + 1):
        highest = np.where(
            (wins >= 0) & (wins <= plays) & (_at_most(wins, plays, rate) <= tail), wins, highest
        )
    return highest.astype(int)


def _at_most(wins: Floats | Ints, plays: Ints, rate: float) -> Floats:
    inside = np.clip(wins, 0, plays)
    return np.where(wins < 0, 0.0, special.bdtr(inside.astype(float), plays, rate))
