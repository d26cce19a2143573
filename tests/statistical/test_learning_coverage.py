"""Is a trend of learning found where there is one, and none where there is none? People made up, some of whom stop
after a win or after a loss."""

import numpy as np
import pytest

from bartizan.analyses.people.learning import PRIOR
from bartizan.analyses.statistics.latent_skill import fit
from bartizan.analyses.validation.people import EASES, learners
from bartizan.simcore.reporting import CONFIDENCE


def intervals(times: int, trend: float, people: int, stops: str, seed: int) -> np.ndarray:
    """[repetition, 2]: low and high."""
    random, found = np.random.default_rng(seed), []
    for _ in range(times):
        place = fit(learners(random, trend, people, stops), EASES, PRIOR).interval("first", CONFIDENCE)
        found.append((place.low, place.high))
    return np.array(found)


@pytest.mark.parametrize("stops", ["win", "loss"])
def test_who_stops_is_no_learning(stops):
    """20 groups of 10 people who learn nothing: 4 false trends would be one chance in 600 at 2.5 %."""
    low = intervals(20, 0.0, 10, stops, 1)[:, 0]
    assert (low > 0).sum() <= 3, low


def test_learning_is_found():
    """A logit for each doubling, 30 people."""
    assert (intervals(5, 1.0, 30, "random", 2)[:, 0] > 0).sum() >= 4


@pytest.mark.slow
@pytest.mark.parametrize("stops", ["win", "loss", "random"])
@pytest.mark.parametrize("trend", [0.0, 0.4, 1.0])
@pytest.mark.parametrize("people", [6, 30])
def test_intervals_of_the_trend_hold_it(trend, stops, people):
    """200 groups: three standard errors below 95 % are 90.4 %."""
    found = intervals(200, trend, people, stops, 3)
    held = ((found[:, 0] <= trend) & (trend <= found[:, 1])).mean()
    assert held >= 0.904, held
    if not trend:
        assert (found[:, 0] > 0).mean() <= 0.05
