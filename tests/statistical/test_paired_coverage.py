"""Does the interval of a paired difference of win rates cover what it says where few games differ? Exact: every result there can be, weighed by its chance.

Reference: the score interval of Tango (1998, Statistics in Medicine 17), coded here from the paper. At 0 to 60 games expected to differ, all one way, 9 of 10,
3 of 4 and half of them up, ours covers 94.0 % or more everywhere (Tango's 92.9 %), with an expected width of at most 1.004 times Tango's (0.99 on average).
"""

from math import sqrt

import numpy as np
import pytest
import scipy
from scipy import special

from bartizan.analyses.statistics.paired import Values
from bartizan.analyses.statistics.pairs import FEW

Z = special.ndtri(0.975)
MOST = 130  # games that differ; more have no chance worth counting


def tango(more: int, fewer: int, n: int) -> tuple[float, float]:
    """Every difference that his score test does not reject."""

    def score(d: float) -> float:
        a, b, c = 2 * n, -more - fewer + (2 * n - more + fewer) * d, -fewer * d * (1 - d)
        q = max((sqrt(max(b * b - 4 * a * c, 0.0)) - b) / (2 * a), 0.0, -d)
        return (more - fewer - n * d) / sqrt(n * (2 * q + d * (1 - d)) + 1e-12)

    estimate, reach = (more - fewer) / n, (8 * sqrt(more + fewer + 4) + 8) / n
    low = scipy.optimize.brentq(lambda d: score(d) - Z, estimate - reach, estimate - 1e-9)
    return low, scipy.optimize.brentq(lambda d: score(d) + Z, estimate + 1e-9, estimate + reach)


def ours(more: int, fewer: int, n: int) -> tuple[float, float]:
    kept = [(value, games) for value, games in ((-1.0, fewer), (0.0, n - more - fewer), (1.0, more)) if games]
    values, counts = map(np.array, zip(*kept))
    found = Values(values, values, counts, (-1.0, 1.0)).estimate(0.95)
    assert found.is_clear == (found.p <= 0.05), (more, fewer, n)
    return found.interval.low, found.interval.high


def coverage(n: int, expected: np.ndarray, up: float, most: int) -> tuple[np.ndarray, np.ndarray]:
    """At each expected number of games that differ: coverage, and expected width over that of Tango's interval."""
    results = [(more, fewer) for more in range(most) for fewer in range(most if up < 1 else 1) if more + fewer < most]
    mine, his = (np.array([interval(*max((a, b), (b, a)), n) for a, b in results]) for interval in (ours, tango))
    turned = np.array([a < b for a, b in results])
    mine[turned], his[turned] = -mine[turned][:, ::-1], -his[turned][:, ::-1]
    held, width = [], []
    for number in expected:
        p, q = number / n * up, number / n * (1 - up)
        more, fewer = np.array(results).T
        chance = scipy.stats.binom.pmf(more, n, p) * scipy.stats.binom.pmf(fewer, n - more, q / (1 - p))
        held.append(chance[(mine[:, 0] <= p - q) & (p - q <= mine[:, 1])].sum() + (1 - chance.sum()))
        width.append(chance @ (mine[:, 1] - mine[:, 0]) / (chance @ (his[:, 1] - his[:, 0])))
    return np.array(held), np.array(width)


@pytest.mark.parametrize("n", [400, 10_000])
def test_all_one_way(n):
    held, width = coverage(n, np.arange(0, 60.01, 0.05), 1.0, MOST)
    assert held.min() >= 0.94 and width.max() <= 1.005 and width.mean() <= 1


@pytest.mark.slow
def test_mixed_and_few():
    """The rest, up to 60 games and 10,000: `test_mixed`."""
    for up in (0.9, 0.75, 0.5):
        held, width = coverage(400, np.arange(0.2, 8, 0.2), up, 30)
        assert held.min() >= 0.94 and width.max() <= 1.005 and width.mean() <= 1, up


@pytest.mark.slow
@pytest.mark.parametrize("n", [400, 10_000])
@pytest.mark.parametrize("up", [0.97, 0.9, 0.75, 0.5])
def test_mixed(n, up):
    held, width = coverage(n, np.arange(0.2, 60.1, 0.2), up, MOST)
    assert held.min() >= 0.94 and width.max() <= 1.005 and width.mean() <= 1


def test_beyond_few_it_is_students_t():
    values = np.array([0.0, 1.0])
    few, many = (Values(values, values, np.array([10_000 - k, k]), (-1.0, 1.0)).estimate(0.95) for k in (FEW - 1, FEW))
    assert (few.interval.method, many.interval.method) == ("exact tails (Blaker)", "Student t")
    assert many.interval.half_width == pytest.approx(few.interval.half_width, rel=0.03)
