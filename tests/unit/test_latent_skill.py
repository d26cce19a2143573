"""Skill of people from few plays, beside integrals computed another way."""

from itertools import pairwise

import numpy as np
import pytest
import scipy
from scipy import special

from bartizan.analyses.statistics import latent_skill
from bartizan.analyses.statistics.latent_skill import (
    CALIBRATION,
    Points,
    Prior,
    TableResult,
    components_of,
    fit,
    interval_of,
    leave_one_level_out,
    mid_p,
)

EASE = -np.array([0.0, 1.1, 2.2])
SOLO = [
    TableResult(("a",), 0, 6, 4),
    TableResult(("a",), 1, 5, 1),
    TableResult(("b",), 0, 1, 1),
    TableResult(("c",), 2, 9, 0),
    TableResult(("d",), 1, 40, 30),
]
SHARED = [TableResult(("a", "b"), 0, 5, 3), TableResult(("a", "c"), 1, 7, 2), TableResult(("b",), 1, 3, 3)]


def points(mu, tau, slope=1.0, first=0.0, ease=EASE) -> Points:
    return Points.on_grid([np.atleast_1d(value) for value in (mu, tau, slope, first)], ease)


def by_brute_force(results, mu: float, tau: float, width: int = 121) -> float:
    """log of the integral over everybody's skill: a product grid of the normal's density."""
    people = sorted({one for result in results for one in result.people})
    z = np.linspace(-10, 10, width)
    axes = np.meshgrid(*[z] * len(people), indexing="ij")
    log_value = sum(scipy.stats.norm.logpdf(axis) for axis in axes) + len(people) * np.log(z[1] - z[0])
    for result in results:
        eta = mu + EASE[result.level] + tau * sum(axes[people.index(one)] for one in result.people) / len(result.people)
        log_value = log_value + result.wins * eta - result.plays * np.logaddexp(0, eta)
    return float(special.logsumexp(log_value))


@pytest.mark.parametrize(("mu", "tau"), [(0.0, 0.2), (0.5, 1.0), (-1.0, 2.8), (4.0, 2.8)])
def test_testers_are_integrated_out_exactly(mu, tau):
    for name in "abcd":
        mine = [result for result in SOLO if result.people == (name,)]
        (component,) = components_of(mine)
        assert component.log_likelihood(points(mu, tau))[0] == pytest.approx(
            by_brute_force(mine, mu, tau, 6001), abs=2e-4
        )


@pytest.mark.rotating
@pytest.mark.parametrize(("mu", "tau"), [(0.0, 0.3), (0.5, 1.0), (-1.0, 2.5)])
def test_people_who_shared_tables_with_others(mu, tau):
    (component,) = components_of(SHARED)
    assert component.people == ("a", "b", "c") and component.loads.shape[1] == 3
    assert component.log_likelihood(points(mu, tau))[0] == pytest.approx(by_brute_force(SHARED, mu, tau), abs=3e-3)
    laplace = component.log_likelihood(points(mu, tau), nodes=1)[0]
    assert laplace == pytest.approx(by_brute_force(SHARED, mu, tau), abs=0.08), (
        "what is used for four and more dimensions"
    )


def test_a_table_of_several_is_one_observation_of_their_mean():
    """Four who always sit together are one group, spread half as far as a person."""
    (four,) = components_of([TableResult(("a", "b", "c", "d"), 0, 6, 4)])
    (one,) = components_of([TableResult(("a",), 0, 6, 4)])
    assert four.loads.shape == (1, 1) and abs(four.loads[0, 0]) == pytest.approx(0.5)
    assert four.log_likelihood(points(0.3, 2.0)) == pytest.approx(one.log_likelihood(points(0.3, 1.0)))


def test_the_posterior_is_that_of_a_fine_grid():
    mu, tau = np.linspace(-5, 5, 161), (np.arange(60) + 0.5) / 20
    grid = points(mu, tau)
    log_value = (
        -((grid.mu / 2.2) ** 2) / 2
        - grid.tau**2 / 2
        + sum(component.log_likelihood(grid) for component in components_of(SOLO))
    )
    weight = special.softmax(log_value)
    found = fit(SOLO, EASE)
    assert found.mean("mu") == pytest.approx(grid.mu @ weight, abs=2e-3)
    assert found.mean("tau") == pytest.approx(grid.tau @ weight, abs=5e-3)
    below = np.cumsum(np.bincount(np.unique(grid.mu, return_inverse=True)[1], weights=weight))
    place = found.interval("mu")
    assert np.interp(place.low, mu + (mu[1] - mu[0]) / 2, below) == pytest.approx(0.05, abs=0.003)
    assert np.interp(place.high, mu + (mu[1] - mu[0]) / 2, below) == pytest.approx(0.95, abs=0.003)


def test_many_plays_of_one_kind_are_the_binomial():
    """One tester, 4,000 plays: the skill is the logit of the share, with its standard error."""
    drawn = fit([TableResult(("a",), 1, 4000, 1000)], EASE).draw(1, 8000)
    place, error = special.logit(0.25) + 1.1, (4000 * 0.25 * 0.75) ** -0.5
    assert interval_of(drawn.skill()).estimate == pytest.approx(place, abs=0.004)
    assert drawn.skill().std() == pytest.approx(error, rel=0.05)
    assert drawn.of_these(1).mean() == pytest.approx(0.25, abs=0.002)
    assert drawn.of_these(2).mean() == pytest.approx(special.expit(place - 2.2), abs=0.002)


def test_draws_are_those_of_the_posterior():
    found = fit(SOLO, EASE)
    drawn = found.draw(3, 20_000)
    assert drawn.points.mu.mean() == pytest.approx(found.mean("mu"), abs=4 * drawn.points.mu.std() / 20_000**0.5)
    (component,) = components_of([result for result in SOLO if result.people == ("a",)])
    z, mu, tau = np.linspace(-8, 8, 4001), 0.5, 1.5
    log_value = (
        component.log_joint(z[:, None, None], component.offset(points(mu, tau)), np.array([tau]))[:, 0]
        if component.loads[0, 0] > 0
        else None
    )
    log_value = (
        log_value
        if log_value is not None
        else component.log_joint(-z[:, None, None], component.offset(points(mu, tau)), np.array([tau]))[:, 0]
    )
    exact = float(special.softmax(log_value) @ (mu + tau * z))
    many = Points(*(np.full(20_000, value) for value in (mu, tau, 1.0, 0.0)), np.broadcast_to(EASE, (20_000, 3)))
    skills = component.draw(many, np.random.default_rng(1))[:, 0]
    assert skills.mean() == pytest.approx(exact, abs=4 * skills.std() / 20_000**0.5)


def test_nobody_played():
    """The prior is what is left."""
    found = fit([TableResult(("a",), 0, 0, 0)], EASE)
    assert found.interval("mu").low == pytest.approx(-1.645 * 2.2, abs=0.1)
    assert found.draw().skill().std() == pytest.approx((2.2**2 + np.square(latent_skill.Prior().tau)) ** 0.5, rel=0.05)


def test_newcomers_and_experts_stand_apart_and_a_new_tester_between():
    drawn = fit(SOLO, EASE).draw()
    rates = [np.median(drawn.at_quantile(1, share)) for share in (0.1, 0.5, 0.9)]
    assert all(one < other for one, other in pairwise(rates))
    assert rates[0] < np.median(drawn.of_a_new_tester(1)) < rates[2]
    assert len(interval_of(drawn.of_a_new_tester(1)).method) > 0
    wide, narrow = (interval_of(values) for values in (drawn.of_a_new_tester(1), drawn.of_these(1)))
    assert wide.half_width > narrow.half_width, "these people played"


def test_the_first_play_is_told_where_it_is_marked():
    results = [TableResult((str(i),), 0, 10, 3, 1.0) for i in range(8)] + [
        TableResult((str(i),), 0, 10, 7, 0.0) for i in range(8)
    ]
    effect = fit(results, EASE, Prior(first=1.0)).interval("first")
    assert effect.high < -0.8 < effect.estimate + 1.2 and effect.low > -2.6
    assert fit(results, EASE).interval("first").half_width == 0


def test_the_slope_is_shrunk_to_one_and_moves_where_plays_say_so():
    policy = special.logit(np.array([0.75, 0.5, 0.25]))
    none = fit([TableResult(("a",), 1, 4, 2)], policy, CALIBRATION).interval("slope")
    assert none.estimate == pytest.approx(1, abs=0.03) and none.half_width == pytest.approx(0.5 * 1.645, abs=0.05)
    flat = [TableResult((name,), level, 40, 20) for name in "abc" for level in range(3)]
    assert fit(flat, policy, CALIBRATION).interval("slope").high < 0.5, "people do as well at every level"
    steep = [TableResult((name,), level, 40, wins) for name in "abc" for level, wins in enumerate((36, 20, 4))]
    assert fit(steep, policy, CALIBRATION).interval("slope").low > 1.2


def test_the_error_of_the_scale_is_added():
    results = [TableResult((str(i),), 0, 20, 10) for i in range(30)]
    moved = EASE + np.random.default_rng(1).normal(0, 0.5, (20, 1))
    sure, unsure = (fit(results, eases).interval("mu").half_width for eases in (EASE, moved))
    assert 1.3 * moved[:, 0].std() < unsure and sure < 0.3


def test_a_level_left_out_is_predicted_from_the_others():
    random = np.random.default_rng(11)
    skills, results = random.normal(0.5, 0.7, 12), []
    for person, skill in enumerate(skills):
        for level in range(3):
            results.append(
                TableResult((str(person),), level, 8, int(random.binomial(8, special.expit(skill + EASE[level]))))
            )
    found = list(leave_one_level_out(results, EASE))
    assert [one.level for one in found] == [0, 1, 2]
    assert all(
        one.predicted.low <= one.wins / one.plays <= one.predicted.high and abs(one.error) < 0.15 for one in found
    )
    odd = [TableResult(result.people, result.level, 8, 8) if result.level == 2 else result for result in results]
    assert list(leave_one_level_out(odd, EASE))[2].p < 0.01
    assert list(leave_one_level_out(SOLO[2:3], EASE)) == [], "one level: nothing to predict it from"


def test_mid_p_counts_ties_by_half_and_is_never_nought():
    drawn = np.array([0, 1, 1, 2])
    assert mid_p(drawn, 1) == 1 and mid_p(drawn, 9) == pytest.approx(1 / 5)
    assert mid_p(drawn, 0) == pytest.approx((2 * 0.5 + 1) / 5)
    assert mid_p(np.array([0.1 + 0.2 - 0.3, 0, 1, -1]), 0) == 1, "0.1 + 0.2 - 0.3 is a tie with 0"


def test_the_same_plays_the_same_numbers():
    one, other = (fit(SOLO, EASE).draw(5) for _ in range(2))
    assert (one.skills == other.skills).all() and one.people == tuple("abcd")
