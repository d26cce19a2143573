"""How many plays it takes, every result there can be weighed by its chance."""

import numpy as np
import pytest
import scipy
from scipy import special

from bartizan.analyses.statistics import testing

NOTICED = {
    (70, 50): 52,
    (70, 40): 23,
    (70, 30): 13,
    (50, 30): 49,
    (50, 40): 199,
    (30, 15): 66,
    (30, 10): 36,
    (20, 5): 41,
}
APART = {(70, 50): 93, (60, 30): 42, (50, 30): 93, (40, 20): 82, (30, 10): 62}


def enumerated(plays: int, rate: float, truth: float) -> float:
    """Power of the two-sided exact test, from its definition."""
    wins = np.arange(plays + 1)
    tails = np.minimum(scipy.stats.binom.cdf(wins, plays, rate), scipy.stats.binom.sf(wins - 1, plays, rate))
    return float(scipy.stats.binom.pmf(wins, plays, truth)[tails <= 0.025].sum())


@pytest.mark.parametrize(("rates", "plays"), NOTICED.items())
def test_plays_to_notice_that_people_are_not_the_simulation(rates, plays):
    rate, truth = (percent / 100 for percent in rates)
    found = testing.plays_against_known(rate, truth)
    assert found.plays == plays
    assert found.power == pytest.approx(enumerated(plays, rate, truth), abs=1e-5) and found.power >= 0.8
    later = [enumerated(more, rate, truth) for more in range(plays, plays + 120)]
    assert min(later) >= 0.77, "no greater number is much worse"
    earlier = [fewer for fewer in range(1, plays) if enumerated(fewer, rate, truth) >= 0.8]
    assert all(min(enumerated(more, rate, truth) for more in range(fewer, plays)) < 0.77 for fewer in earlier)


@pytest.mark.parametrize(("rates", "plays"), APART.items())
def test_plays_to_tell_two_levels_apart(rates, plays):
    rate, other = (percent / 100 for percent in rates)
    found = testing.between(rate, other)
    assert found.plays == plays and 0.795 < found.power < 0.83
    share = np.arange(plays + 1) / plays
    chances = [scipy.stats.binom.pmf(np.arange(plays + 1), plays, chance) for chance in (rate, other)]
    told = [
        chances[0][i] * chances[1][j]
        for i in range(plays + 1)
        for j in range(plays + 1)
        if i != j
        and abs(share[i] - share[j])
        >= 1.959964 * ((share[i] + share[j]) * (1 - (share[i] + share[j]) / 2) / plays) ** 0.5
    ]
    assert found.power == pytest.approx(sum(told), abs=1e-6)


@pytest.mark.parametrize(("margin", "least", "most"), [(0.2, 44, 58), (0.15, 80, 96), (0.1, 184, 214)])
def test_plays_to_show_that_people_are_the_simulation(margin, least, most):
    needs = [testing.to_show_equal(rate, margin) for rate in (0.3, 0.4, 0.5, 0.6, 0.7)]
    assert all(least - 3 <= need.plays <= most for need in needs)
    assert needs[0].plays == needs[4].plays and all(need.power >= 0.8 for need in needs)


@pytest.mark.parametrize(
    ("plays", "rate", "margin", "theirs"), [(58, 0.5, 0.2, 0.8519941992397939), (96, 0.5, 0.15, 0.8157141271196351)]
)
def test_the_power_to_show_equality_is_that_of_statsmodels(plays, rate, margin, theirs):
    """statsmodels 0.15.0: power_binom_tost(rate - margin, rate + margin, plays, rate)."""
    assert testing.power_to_show_equal(np.array([plays]), rate, margin, rate)[0] == pytest.approx(theirs, abs=1e-6)


@pytest.mark.parametrize(("tau", "icc", "effect"), [(0.5, 0.06, 1.22), (0.8, 0.12, 1.50), (1.2, 0.22, 1.89)])
def test_the_same_players_again(tau, icc, effect):
    found = testing.alike(0.5, tau)
    assert found == pytest.approx(icc, abs=0.005)
    assert testing.design_effect(5, found) == pytest.approx(effect, abs=0.006)
    skills = special.expit(tau * np.random.default_rng(2).standard_normal(400_000))
    assert found == pytest.approx(skills.var() / 0.25, rel=0.02)


def test_more_testers_not_more_plays_each():
    assert testing.with_testers(52, 1, 0.5, 0.8) == (52, 52)
    assert testing.with_testers(52, 5, 0.5, 0.8) == (80, 16)
    assert testing.with_testers(52, 10, 0.5, 0.8) == (110, 11)


def test_what_nobody_can_play():
    assert testing.plays_against_known(0.5, 0.505) is None
    assert testing.to_show_equal(0.5, 0.005) is None


@pytest.mark.parametrize(("rates", "plays"), APART.items())
def test_the_power_of_two_levels_is_measured_between_78_and_83_percent(rates, plays):
    random = np.random.default_rng(plays)
    first, second = (random.binomial(plays, rate / 100, 40_000) / plays for rate in rates)
    middle = (first + second) / 2
    told = np.abs(first - second) >= 1.959964 * np.sqrt(2 * middle * (1 - middle) / plays)
    assert told.mean() == pytest.approx(testing.between(*(rate / 100 for rate in rates)).power, abs=0.008)


def test_the_power_with_several_plays_of_each_tester():
    """Planned: 199 plays tell 40 from 50 %. With 5 plays a tester and their design effect, the test that knows of it keeps the power."""
    tau, each = 0.8, 5
    plays, testers = testing.with_testers(199, each, 0.4, tau)
    random = np.random.default_rng(9)
    x, weight = np.polynomial.hermite.hermgauss(40)
    grid = np.linspace(-2, 2, 4001)
    means = special.expit(grid[:, None] + np.sqrt(2) * tau * x) @ (weight / weight.sum())

    def rejected(rate: float, count: int = 6000) -> float:
        skills = np.interp(rate, means, grid) + tau * random.standard_normal((count, testers))
        share = random.binomial(each, special.expit(skills)).sum(axis=1) / plays
        effect = testing.design_effect(each, testing.alike(0.5, tau))
        return float((np.abs(share - 0.5) >= 1.959964 * (0.25 * effect / plays) ** 0.5).mean())

    assert rejected(0.4) == pytest.approx(0.8, abs=0.03) and rejected(0.5) == pytest.approx(0.05, abs=0.012)


@pytest.mark.parametrize(("rate", "truth", "plays"), [(0.5, 0.3, 49), (0.5, 0.4, 199)])
def test_the_planned_power_of_the_exact_test_is_measured(rate, truth, plays):
    """80 % were planned: 78 to 82 % of 100,000 made-up groups are noticed. (At 52 plays for 70 against 50 % it is 83: whole wins jump.)"""
    wins = np.random.default_rng(plays).binomial(plays, truth, 100_000)
    tails = np.minimum(scipy.stats.binom.cdf(wins, plays, rate), scipy.stats.binom.sf(wins - 1, plays, rate))
    assert 0.78 <= (tails <= 0.025).mean() <= 0.82
