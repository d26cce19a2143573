"""Is it the same, for practical purposes? Two one-sided tests (Schuirmann 1987): equal when both "lower by
the margin or more" and "higher by the margin or more" are rejected. That no difference was found says
nothing.
"""

from dataclasses import dataclass

import numpy as np
from scipy import special

EXACT = "exact binomial TOST"


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


def binomial(plays: int, rates: np.ndarray) -> np.ndarray:
    """Chances of 0 to `plays` wins [rate, wins]."""
    wins = np.arange(plays + 1)
    ways = special.gammaln(plays + 1) - special.gammaln(wins + 1) - special.gammaln(plays - wins + 1)
    rates = np.clip(np.atleast_1d(rates)[:, None], 0.0, 1.0)
    return np.exp(ways + special.xlogy(wins, rates) + special.xlog1py(plays - wins, -rates))
