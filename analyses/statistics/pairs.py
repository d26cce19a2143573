"""A paired difference of shares whose interval is valid at every look.

If few pairs differ, the interval is a likelihood ratio against a Dirichlet mixture (Robbins 1970), which
needs no central limit theorem; otherwise it is the confidence sequence of a mean.
"""

from dataclasses import dataclass
from math import lgamma, log, sqrt

from bartizan.analyses.statistics.intervals import Interval, mean, mean_sequence
from bartizan.simcore.reporting import CONFIDENCE

FEW = 100  # with fewer values that differ from the commonest, limit theorems undercover
EXACT = "confidence sequence of pairs"
A = 0.5  # parameter of the Dirichlet mixture
STEPS = 50  # steps of a bisection


@dataclass(frozen=True)
class Pairs:
    """Numbers of pairs of games in which the change gains, loses, or makes no difference."""

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
        """Return the maximum log likelihood for this difference.

        The probability of a gain is the solution of a quadratic equation.
        """
        n, d = self.games, difference
        b = (self.gained + self.lost) * (1 + d) + 2 * d * (self.gained + self.same)
        gain = (b + sqrt(max(b * b - 8 * n * self.gained * d * (1 + d), 0.0))) / (4 * n)
        gain = min(max(gain, d, 0.0), (1 + d) / 2)
        chances = ((self.gained, gain), (self.lost, gain - d), (self.same, 1 + d - 2 * gain))
        return sum(n * log(max(chance, 1e-300)) for n, chance in chances if n)

    @property
    def mixture(self) -> float:
        """Logarithm of the mean likelihood over all probabilities of the results (Dirichlet mixture)."""
        counts = (self.gained, self.lost, self.same)
        return sum(lgamma(n + A) - lgamma(A) for n in counts) + lgamma(3 * A) - lgamma(self.games + 3 * A)


def watched_difference(pairs: Pairs, confidence: float = CONFIDENCE) -> Interval:
    """Return the share of pairs gained minus the share lost, with a confidence sequence."""
    if pairs.gained + pairs.lost >= FEW:
        total, squares = pairs.gained - pairs.lost, pairs.gained + pairs.lost
        sequence = mean_sequence(mean(pairs.games, total, squares, 0), confidence)
        if sequence:
            return sequence
    # a difference with a smaller likelihood is outside the interval
    least = pairs.mixture + log(1 - confidence)
    low, high = (_bound(pairs, least, end) for end in (-1.0, 1.0))
    return Interval(pairs.estimate, low, high, confidence, EXACT)


def _bound(pairs: Pairs, least: float, end: float) -> float:
    """Return the outermost kept difference towards `end`; the likelihood falls away from the estimate."""
    outside, inside = end, pairs.estimate
    for _ in range(STEPS):
        middle = (outside + inside) / 2
        if pairs.likelihood(middle) > least:
            inside = middle
        else:
            outside = middle
    return outside
