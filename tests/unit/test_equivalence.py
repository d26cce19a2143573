"""Equal for practical purposes: beside statsmodels 0.15.0, whose results are written down here (it is no dependency)."""

import numpy as np
import pytest
from scipy import stats

from bartizan.analyses.statistics.equivalence import against_known, exact_of_two, of_two

BINOM_TOST = [  # wins, plays, rate, margin: statsmodels.stats.proportion.binom_tost(wins, plays, rate - margin, rate + margin)
    ((15, 30, 0.5, 0.2), 0.01693731149254958, 0.016937311492549543, 0.01693731149254958),
    ((9, 30, 0.45, 0.15), 0.5684820937170569, 0.5684820937170569, 0.0008563919557253044),
    ((70, 100, 0.7, 0.1), 0.02478282311649308, 0.02478282311649308, 0.011248978720991738),
    ((3, 10, 0.2, 0.15), 0.5138270163558594, 0.011503557379296881, 0.5138270163558594),
]
TOST_2INDEP = [  # wins, plays, wins, plays, margin: tost_proportions_2indep(..., -margin, margin, method="score")
    ((15, 30, 160, 300, 0.2), 0.031189599123785057, 0.031189599123785057, 0.0049552134364033735),
    ((9, 30, 15, 50, 0.15), 0.08325491304335747, 0.06699735349508615, 0.08325491304335747),
    ((70, 100, 60, 90, 0.1), 0.1635154602952147, 0.02434583941795894, 0.1635154602952147),
    ((3, 10, 5, 12, 0.3), 0.16552680848828588, 0.16552680848828588, 0.020522473923196994),
]


@pytest.mark.parametrize(("asked", "p", "lower", "upper"), BINOM_TOST)
def test_the_exact_test_is_that_of_statsmodels(asked, p, lower, upper):
    found = against_known(*asked)
    assert (found.p, found.lower, found.upper) == pytest.approx((p, lower, upper), abs=1e-6)


@pytest.mark.parametrize(("asked", "p", "lower", "upper"), TOST_2INDEP)
def test_the_test_of_two_is_that_of_statsmodels(asked, p, lower, upper):
    found = of_two(*asked)
    assert (found.p, found.lower, found.upper) == pytest.approx((p, lower, upper), abs=1e-6)


def test_both_are_those_of_the_statsmodels_that_is_installed():
    proportion = pytest.importorskip("statsmodels.stats.proportion")
    for (wins, plays, rate, margin), *_ in BINOM_TOST:
        assert against_known(wins, plays, rate, margin).p == pytest.approx(proportion.binom_tost(wins, plays, rate - margin, rate + margin)[0], abs=1e-6)
    for (wins, plays, other_wins, other_plays, margin), *_ in TOST_2INDEP:
        theirs = proportion.tost_proportions_2indep(wins, plays, other_wins, other_plays, -margin, margin, method="score")
        assert of_two(wins, plays, other_wins, other_plays, margin).p == pytest.approx(theirs.pvalue, abs=1e-6)


def test_a_margin_beyond_nought_is_no_limit():
    assert against_known(0, 30, 0.1, 0.2).lower == 1.0, "nobody can be 10 points below nothing: the test cannot say so"
    assert against_known(30, 30, 0.95, 0.1).upper == 1.0


@pytest.mark.parametrize("margin", [0.15, 0.3])
def test_the_exact_test_of_two_keeps_its_size(margin):
    """At the edge of the margin it says "equal" in at most 5 % of all results, weighed by their chance; the score test in more."""
    plays, other = 18, 24
    said = {(i, j): (exact_of_two(i, plays, j, other, margin).p, of_two(i, plays, j, other, margin).p) for i in range(plays + 1) for j in range(other + 1)}
    worst = np.zeros(2)
    for rate in np.linspace(margin, 1, 18):
        first, second = (stats.binom.pmf(np.arange(n + 1), n, p) for n, p in ((plays, rate), (other, rate - margin)))
        size = [sum(first[i] * second[j] for (i, j), p in said.items() if p[which] <= 0.05) for which in (0, 1)]
        worst = np.maximum(worst, size)
    assert worst[0] <= 0.05


def test_the_exact_test_of_two_is_near_its_score_and_falls_with_the_margin():
    assert of_two(15, 30, 22, 40, 0.25).p == pytest.approx(exact_of_two(15, 30, 22, 40, 0.25).p, abs=0.03)
    assert exact_of_two(15, 30, 20, 40, 0.4).p < 0.05 < exact_of_two(15, 30, 20, 40, 0.1).p
