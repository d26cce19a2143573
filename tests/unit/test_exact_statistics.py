"""Statistics against what their definitions say, counted out."""

import numpy as np
import pytest
from scipy import special

from bartizan.analyses.statistics import intervals
from bartizan.analyses.statistics.effort import extrapolated
from bartizan.analyses.statistics.pairs import Pairs
from bartizan.analyses.statistics.stagewise import Precision, _Share


def test_the_chances_of_a_share_are_counted_out():
    """Every way to a look of ten games, from end to end: stops come in the order of their looks, then of their wins."""
    rule, p, every = Precision(0.15, 10, 1000), 0.4, 10
    more = special.binom(every, np.arange(every + 1)) * p ** np.arange(every + 1) * (1 - p) ** np.arange(every, -1, -1)
    ahead, n, below, above, compared = np.ones(1), 0, 0.0, 0.0, 0
    while ahead.sum() > 1e-9:
        n, ahead = n + every, np.convolve(ahead, more)
        wins = np.arange(n + 1)
        stops = np.array([rule.is_enough(int(w), n) for w in wins])
        is_low = wins <= n / 2
        for w in wins[stops & (ahead > 1e-3)]:
            found = _Share(rule, int(w), n, 0.0, 1.0).chances(p)
            lower = below + ahead[:w].sum() + ahead[w] / 2
            higher = above + ahead[w + 1 :].sum() + ahead[w] / 2
            assert found == pytest.approx((lower, 1 - lower) if is_low[w] else (1 - higher, higher), abs=1e-9)
            compared += 1
        below, above = below + ahead[stops & is_low].sum(), above + ahead[stops & ~is_low].sum()
        ahead = np.where(stops, 0.0, ahead)
    assert compared > 10


@pytest.mark.parametrize("counts", [(30, 20, 1), (3, 1, 40), (0, 5, 10), (7, 0, 2)])
@pytest.mark.parametrize("difference", [-0.4, 0.0, 0.1, 0.5])
def test_the_likelihood_of_a_difference_is_that_of_the_best_chances(counts, difference):
    gains = np.linspace(max(difference, 0.0), (1 + difference) / 2, 100_001)
    chances = np.stack([gains, gains - difference, 1 + difference - 2 * gains])
    best = special.xlogy(np.array(counts)[:, None], chances.clip(0)).sum(axis=0).max()
    assert Pairs(*counts).likelihood(difference) == pytest.approx(best, abs=1e-3)


def test_two_points_of_effort_are_no_curve():
    wins = [np.random.default_rng(seed).binomial(1, share, 400).astype(float) for seed, share in enumerate((0.3, 0.4))]
    assert extrapolated(np.arange(2), wins) is None


def test_a_sequence_of_means_is_tightest_where_it_says(monkeypatch):
    value, best = intervals.mean(10_000, 5000, 5000, about=0.0), intervals.SEQUENCE_BEST_AT
    reaches = []
    for games in (best // 2, best, 2 * best):
        monkeypatch.setattr(intervals, "SEQUENCE_BEST_AT", games)
        found = intervals.mean_sequence(value)
        reaches.append(found.high - found.estimate)
    assert best == value.n and 2 * value.se < reaches[1] < min(reaches[0], reaches[2])
