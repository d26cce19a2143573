"""Is it the same, for practical purposes? Two one-sided tests (Schuirmann 1987): equal when both "lower by
the margin or more" and "higher by the margin or more" are rejected. That no difference was found says
nothing.
"""

from dataclasses import dataclass

import numpy as np
from scipy import special

from bartizan.analyses.statistics.intervals import clopper_pearson

NUISANCE = 201  # points over which the unknown rate is searched
UNLIKELY = 0.001  # chance that it is none of them
EXACT = "exact binomial TOST"
SCORE = "score TOST (Miettinen & Nurminen 1985)"
UNCONDITIONAL = "exact unconditional TOST (Berger & Boos 1994)"


@dataclass(frozen=True)
class Equivalence:
    """p: the greater of the two one-sided ones; below 5 % the two are equal within the margin."""

    margin: float  # a share, 0.1 for 10 percentage points
    lower: float  # p of "the difference is -margin or less"
    upper: float  # p of "the difference is margin or more"
    method: str

    @property
    def p(self) -> float:
        return max(self.lower, self.upper)


def against_known(wins: int, plays: int, rate: float, margin: float) -> Equivalence:
    """The rate behind `wins` of `plays`, against a rate that is known. A limit beyond 0 or 1 is that end."""
    low, high = max(rate - margin, 0.0), min(rate + margin, 1.0)
    lower = float(special.bdtrc(wins - 1, plays, low)) if wins else 1.0
    upper = float(special.bdtr(wins, plays, high)) if wins < plays else 1.0
    return Equivalence(margin, lower, upper, EXACT)


def of_two(wins: int, plays: int, other_wins: int, other_plays: int, margin: float) -> Equivalence:
    """Two rates of which neither is known, for many plays."""
    shares = np.array(wins / plays), np.array(other_wins / other_plays)
    ends = [float(score(*shares, plays, other_plays, delta)) for delta in (-margin, margin)]
    return Equivalence(margin, float(special.ndtr(-ends[0])), float(special.ndtr(ends[1])), SCORE)


def exact_of_two(wins: int, plays: int, other_wins: int, other_plays: int, margin: float) -> Equivalence:
    """The same for few plays: results ordered by the score, p the greatest over the rates there may be."""
    lower = _greatest_tail(wins, plays, other_wins, other_plays, -margin)
    upper = _greatest_tail(plays - wins, plays, other_plays - other_wins, other_plays, -margin)
    return Equivalence(margin, lower, upper, UNCONDITIONAL)


def score(share: np.ndarray, other: np.ndarray, plays: int, other_plays: int, delta: float) -> np.ndarray:
    """z of "the difference of the two rates is delta"."""
    second = restricted(share, other, plays, other_plays, delta)
    first = np.clip(second + delta, 0.0, 1.0)
    variance = first * (1 - first) / plays + second * (1 - second) / other_plays
    whole = plays + other_plays
    spread = np.sqrt(np.maximum(variance, 1e-300) * whole / (whole - 1))
    return (share - other - delta) / spread


def restricted(
    share: np.ndarray, other: np.ndarray, plays: int, other_plays: int, delta: float
) -> np.ndarray:
    """Maximum likelihood of the second rate where the first is delta above it: root of a cubic (Miettinen &
    Nurminen 1985, Statistics in Medicine 4).
    """
    whole, wins, others = plays + other_plays, share * plays + other * other_plays, other * other_plays
    two = ((plays + 2 * other_plays) * delta - whole - wins) / (3 * whole)
    one = ((others * delta - whole - 2 * others) * delta + wins) / whole
    none = others * delta * (1 - delta) / whole
    q = two**3 - one * two / 2 + none / 2
    reach = np.where(q >= 0, 1.0, -1.0) * np.sqrt(np.maximum(two**2 - one / 3, 0.0))
    angle = np.clip(q / np.where(reach == 0, 1.0, reach**3), -1, 1)
    found = 2 * reach * np.cos((np.pi + np.arccos(angle)) / 3) - two
    return np.clip(found, max(-delta, 0.0), min(1.0, 1 - delta))


def _greatest_tail(wins: int, plays: int, other_wins: int, other_plays: int, delta: float) -> float:
    """P(a score as great as the one seen) where the difference is delta, over the second rates that are not
    excluded with 99.9 %; what that leaves out is added (Berger & Boos 1994, JASA 89).
    """
    first, second = np.arange(plays + 1), np.arange(other_plays + 1)
    scores = score(first[:, None] / plays, second[None, :] / other_plays, plays, other_plays, delta)
    as_great = scores >= scores[wins, other_wins] - 1e-9
    likely = clopper_pearson(other_wins, other_plays, 1 - UNLIKELY)
    ends = np.clip([likely.low, likely.high], max(-delta, 0.0), min(1.0, 1 - delta))
    rates = np.linspace(ends[0], ends[1], NUISANCE)  # of the second
    chances = binomial(plays, rates + delta) @ as_great
    return float(min((chances * binomial(other_plays, rates)).sum(axis=1).max() + UNLIKELY, 1.0))


def binomial(plays: int, rates: np.ndarray) -> np.ndarray:
    """Chances of 0 to `plays` wins [rate, wins]."""
    wins = np.arange(plays + 1)
    ways = special.gammaln(plays + 1) - special.gammaln(wins + 1) - special.gammaln(plays - wins + 1)
    rates = np.clip(np.atleast_1d(rates)[:, None], 0.0, 1.0)
    return np.exp(ways + special.xlogy(wins, rates) + special.xlog1py(plays - wins, -rates))
