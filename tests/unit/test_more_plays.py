"""How many plays more would decide: futures of the grid beside futures that are fitted anew."""

import numpy as np
import pytest
from scipy import special

from bartizan.analyses.people.skill import SURE, more_plays, outlook
from bartizan.analyses.statistics.latent_skill import TableResult, fit

EASE = np.array([0.0, -1.1])
PLAYED = [TableResult((f"old {i}",), i % 2, 3, (2, 1, 1, 0, 2, 1)[i]) for i in range(6)]
BAND = (0.15, 0.55)


def test_the_chance_in_the_band_is_that_of_the_posterior():
    found = fit(PLAYED, EASE)
    rate = found.draw(1, 20_000).of_a_new_tester(1)
    assert outlook(found, 1, BAND).chance == pytest.approx(((rate >= BAND[0]) & (rate <= BAND[1])).mean(), abs=0.02)


def test_more_testers_decide_more_often_and_more_plays_of_each_less():
    view = outlook(fit(PLAYED, EASE), 1, BAND)
    decided = [view.assurance(testers, 4).decided for testers in (2, 8, 32, 96)]
    assert decided == sorted(decided) and decided[-1] > decided[0] + 0.2
    assert view.assurance(48, 1).decided > view.assurance(4, 12).decided + 0.05, "48 plays either way"


def test_the_least_number_reaches_what_is_wanted_and_one_tester_fewer_does_not():
    found = fit(PLAYED, EASE)
    plan = more_plays(found, "level", 1, BAND, 4)
    view = outlook(found, 1, BAND)
    needs = [need for need in plan.more if need.testers]
    assert needs and not plan.decided
    for need in needs:
        assert need.decided >= need.assurance and need.plays == 4 * need.testers
        assert need.testers == 1 or view.assurance(need.testers - 1, 4).decided < need.assurance + 0.03


def measured(futures: int, testers: int, each: int) -> float:
    """Share of futures that decide, each fitted anew with old plays and new ones."""
    found = fit(PLAYED, EASE)
    drawn, decided = found.draw(2, futures).points, 0
    random = np.random.default_rng(3)
    for mu, tau in zip(drawn.mu, drawn.tau):
        wins = random.binomial(each, special.expit(mu + tau * random.standard_normal(testers) + EASE[1]))
        anew = fit([*PLAYED, *(TableResult((f"new {i}",), 1, each, int(won)) for i, won in enumerate(wins))], EASE)
        decided += not 1 - SURE < outlook(anew, 1, BAND).chance < SURE
    return decided / futures


@pytest.mark.slow
def test_the_assurance_is_measured_by_fitting_every_future_anew():
    claimed = outlook(fit(PLAYED, EASE), 1, BAND).assurance(24, 4).decided
    assert measured(600, 24, 4) == pytest.approx(claimed, abs=4 * (0.25 / 600 + 0.25 / 1000) ** 0.5)


def test_the_assurance_is_near_futures_that_are_fitted_anew():
    claimed = outlook(fit(PLAYED, EASE), 1, BAND).assurance(24, 4).decided
    assert measured(60, 24, 4) == pytest.approx(claimed, abs=4 * (0.25 / 60) ** 0.5) and 0.2 < claimed < 0.95
