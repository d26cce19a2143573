"""The share of lost games without hope, judged by rollouts: does the interval hold the true share?"""

import numpy as np
import pytest

from bartizan.analyses.experiments.losses import HOPELESS, Moment, Story, hopeless_share

RUNS = 300


def lost_games(rng: np.random.Generator, chances: np.ndarray, rollouts: int) -> list[Story]:
    """Lost games whose true chances at the starts of their turns are the rows of `chances`."""
    games = []
    for won in rng.binomial(rollouts, chances):
        moments = tuple(Moment(turn, rollouts, int(k), 0) for turn, k in enumerate(won, 1))
        games.append(Story(0, -3, len(won), "", moments, (moments, moments)))
    return games


@pytest.mark.parametrize("lost", [5, 40, 400])
@pytest.mark.parametrize(
    ("a", "b"),
    [(0.3, 3), (0.5, 12), (0.05, 2), (40, 800)],
    ids=["spread", "near the edge", "few have hope", "all just below 5 %"],
)
def test_the_share_with_hope_to_the_end_lies_in_its_interval(a, b, lost):
    rng, hits = np.random.default_rng(7), 0
    grid = rng.beta(a, b, 400_000)
    truth = float((grid >= HOPELESS).mean())
    runs = RUNS if lost < 400 else 60
    for _ in range(runs):
        found = hopeless_share(lost_games(rng, rng.beta(a, b, (lost, 1)), 200), [1] * lost, never=True)
        hits += found.low <= truth <= found.high
    assert hits / runs > 0.95 - 3 * np.sqrt(0.95 * 0.05 / runs)


def test_the_share_hopeless_by_a_turn_lies_in_its_interval():
    """Chances that fall from turn to turn; the hopeless turn is the first from which none is 5 % or more."""
    rng, hits = np.random.default_rng(8), 0
    fall = np.linspace(2, 0.3, 6)

    def chances(n: int) -> np.ndarray:
        return np.clip(rng.beta(0.6, 6, (n, 1)) * fall * rng.uniform(0.7, 1.4, (n, 6)), 0, 1)

    truth = float((chances(200_000)[:, 3:] < HOPELESS).all(axis=1).mean())
    for _ in range(RUNS):
        found = hopeless_share(lost_games(rng, chances(60), 200), [4] * 60)
        hits += found.low <= truth <= found.high
    assert hits / RUNS > 0.95 - 3 * np.sqrt(0.95 * 0.05 / RUNS)


def test_games_that_the_rollouts_leave_open_widen_the_interval():
    open_ones = hopeless_share(
        lost_games(np.random.default_rng(1), np.full((100, 1), 0.04), 200), [1] * 100, never=True
    )
    clear = hopeless_share(lost_games(np.random.default_rng(1), np.zeros((100, 1)), 200), [1] * 100, never=True)
    assert open_ones.high - open_ones.low > 0.9 and "undecided" in open_ones.method
    assert clear.high < 0.06
