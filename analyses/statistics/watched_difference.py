"""An interval for the difference of two win rates, paired game by game, that holds at every look.

A pair of games on common luck is gained, lost or the same. While few pairs differ: every difference is kept
whose likeliest chances of the three explain the pairs better than 1/alpha of what a mixture over all chances
does (Robbins 1970, with a Dirichlet mixture, a = 1/2; the ratio is below a martingale under each of them, so
Ville's inequality holds however many pairs). It leans on no limit theorem. Once FEW pairs differ the normal
mixture of `intervals.mean_sequence` takes its place, which is narrower and holds for many pairs.
"""

from dataclasses import dataclass
from math import lgamma, log, sqrt

from bartizan.analyses.statistics.intervals import CONFIDENCE, Interval, mean, mean_sequence
from bartizan.analyses.statistics.paired import FEW

EXACT = "confidence sequence of pairs"
A = 0.5  # of the Dirichlet mixture
STEPS = 50  # of a bisection


@dataclass(frozen=True)
class Pairs:
    """How many pairs of games turned out how for the change."""

    gained: int
    lost: int
    same: int

    @property
    def games(self) -> int:
        return self.gained + self.lost + self.same

    @property
    def estimate(self) -> float:
        return (self.gained - self.lost) / self.games

    def likelihood(self, difference: float) -> float:
        """Log of the greatest there is with this difference of chances: its chance to gain solves a quadratic
        equation.
        """
        n, d = self.games, difference
        b = (self.gained + self.lost) * (1 + d) + 2 * d * (self.gained + self.same)
        gain = (b + sqrt(max(b * b - 8 * n * self.gained * d * (1 + d), 0.0))) / (4 * n)
        gain = min(max(gain, d, 0.0), (1 + d) / 2)
        chances = ((self.gained, gain), (self.lost, gain - d), (self.same, 1 + d - 2 * gain))
        return sum(n * log(max(chance, 1e-300)) for n, chance in chances if n)

    @property
    def mixture(self) -> float:
        """Log of the mean likelihood over all chances."""
        counts = (self.gained, self.lost, self.same)
        return sum(lgamma(n + A) - lgamma(A) for n in counts) + lgamma(3 * A) - lgamma(self.games + 3 * A)


def watched_difference(pairs: Pairs, confidence: float = CONFIDENCE) -> Interval:
    """Gained less lost, as a share of all pairs."""
    if pairs.gained + pairs.lost >= FEW:
        total, squares = pairs.gained - pairs.lost, pairs.gained + pairs.lost
        sequence = mean_sequence(mean(pairs.games, total, squares), confidence)
        if sequence:
            return sequence
    return _exact(pairs, confidence)


def _exact(pairs: Pairs, confidence: float) -> Interval:
    least = pairs.mixture + log(1 - confidence)  # below it a difference is given up
    low, high = (_bound(pairs, least, end) for end in (-1.0, 1.0))
    return Interval(pairs.estimate, low, high, confidence, EXACT)


def _bound(pairs: Pairs, least: float, end: float) -> float:
    """The outermost difference that is kept, towards `end`: the likelihood falls from the estimate on."""
    outside, inside = end, pairs.estimate
    for _ in range(STEPS):
        middle = (outside + inside) / 2
        if pairs.likelihood(middle) > least:
            inside = middle
        else:
            outside = middle
    return outside
