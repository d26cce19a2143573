"""Equal for practical purposes: beside statsmodels 0.15.0, whose results are written down here (it is no dependency)."""

import pytest

from bartizan.analyses.statistics.testing import equivalent_to_known

BINOM_TOST = [  # wins, plays, rate, margin: statsmodels.stats.proportion.binom_tost(wins, plays, rate - margin, rate + margin)
    ((15, 30, 0.5, 0.2), 0.01693731149254958, 0.016937311492549543, 0.01693731149254958),
    ((9, 30, 0.45, 0.15), 0.5684820937170569, 0.5684820937170569, 0.0008563919557253044),
    ((70, 100, 0.7, 0.1), 0.02478282311649308, 0.02478282311649308, 0.011248978720991738),
    ((3, 10, 0.2, 0.15), 0.5138270163558594, 0.011503557379296881, 0.5138270163558594),
]


@pytest.mark.parametrize(("asked", "p", "lower", "upper"), BINOM_TOST)
def test_the_exact_test_is_that_of_statsmodels(asked, p, lower, upper):
    both = equivalent_to_known(*asked)
    assert (max(both), *both) == pytest.approx((p, lower, upper), abs=1e-6)


def test_a_margin_beyond_nought_is_no_limit():
    assert equivalent_to_known(0, 30, 0.1, 0.2)[0] == 1.0, (
        "nobody can be 10 points below nothing: the test cannot say so"
    )
    assert equivalent_to_known(30, 30, 0.95, 0.1)[1] == 1.0
