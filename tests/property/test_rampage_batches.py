"""A game of Castle Rampage is the same alone, in a batch and on two threads, whichever policy plays. What is legal, what an action does and what a record says: tests/naive."""

import numpy as np
import pytest

from bartizan.policies.registry import find_player, policies_of
from bartizan.simcore.play.batch import play_games
from bartizan.simcore.play.match import Match
from bartizan.simcore.rampage.components import SEATS
from bartizan.simcore.scenario.loading import load_scenario
from tests.rampage_table import GAME


def rows_of(scenario, name: str, first: int, games: int, jobs: int = 1) -> np.ndarray:
    match = Match(GAME, scenario, (find_player(GAME, name),) * SEATS, seed=5)
    return np.concatenate([chunk.copy() for chunk in play_games(match, range(first, first + games), jobs)])


@pytest.mark.parametrize("name", policies_of(GAME))
def test_a_game_alone_is_the_same_in_a_batch(name):
    scenario = load_scenario(GAME, sets={"limit.turns": 60})
    rows = rows_of(scenario, name, 0, 40)
    assert rows["game"].tolist() == list(range(40))
    for game in (0, 7, 39):
        assert rows_of(scenario, name, game, 1)[0].tobytes() == rows[game].tobytes()


@pytest.mark.parametrize(
    "name", [name for name in policies_of(GAME) if name != "newcomer"]
)  # it plays a hundredth of their games a second: tests/unit/test_newcomer.py
def test_one_thread_plays_as_two(name):
    scenario = load_scenario(GAME, sets={"limit.turns": 40})
    one, two = (rows_of(scenario, name, 0, 3000, jobs) for jobs in (1, 2))
    assert one.tobytes() == two.tobytes() and len(np.unique(one)) > 1000
