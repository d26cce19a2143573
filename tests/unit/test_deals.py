"""How much of a result is the deal: `analyses.experiments.luck_adjustment`."""

import numpy as np
import pytest

from bartizan.analyses.experiments.luck_adjustment import shares

P, DEALS, PLAYS = 0.4, 60, 50


def simulated(share: float, rng: np.random.Generator) -> np.ndarray:
    """Wins of each deal; the variance of a single play lies between deals by this share."""
    if not share:
        return rng.binomial(PLAYS, P, DEALS)
    concentration = 1 / share - 1  # of a beta distribution: intraclass correlation 1 / (a + b + 1)
    return rng.binomial(PLAYS, rng.beta(P * concentration, (1 - P) * concentration, DEALS))


@pytest.mark.parametrize("share", [0.0, 0.05, 0.3])
def test_the_share_is_found_and_its_limits_hold_it(share):
    found = [shares(simulated(share, np.random.default_rng([7, seed])), PLAYS) for seed in range(400)]
    held = np.mean([one.low <= share <= one.high for one in found])
    assert held > 0.95 - 3 * (0.05 * 0.95 / 400) ** 0.5
    estimates = np.array([one.estimate for one in found])
    # cut off at 0, the estimate of a share of 0 lies above it by less than half its spread
    assert abs(estimates.mean() - share) < 4 * estimates.std() / 20 + (0.5 * estimates.std() if not share else 0)


def test_it_is_the_anova_estimator():
    """By hand, from single results."""
    wins = np.array([10, 25, 40, 30])
    results = np.array([[1] * w + [0] * (PLAYS - w) for w in wins], float)
    between = PLAYS * results.mean(axis=1).var(ddof=1)
    within = results.var(axis=1, ddof=1).mean()
    of_deals = (between - within) / PLAYS
    assert shares(wins, PLAYS).estimate == pytest.approx(of_deals / (of_deals + within))


def test_a_deal_that_decides_everything_and_one_that_decides_nothing():
    sure = shares(np.array([0, PLAYS, PLAYS]), PLAYS)
    assert sure.estimate == 1 and sure.fewer(50) == 1
    same = shares(np.array([20, 20, 20]), PLAYS)
    assert same.estimate == 0 and same.fewer(50) == 50
    with pytest.raises(ValueError, match="at least two deals"):
        shares(np.array([3]), PLAYS)
