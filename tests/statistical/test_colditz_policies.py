"""The players of Escape from Colditz: who beats whom, beyond 5 standard errors; the sides together account for every game."""

from functools import cache

import numpy as np
import pytest

from bartizan.policies.registry import find_player
from bartizan.simcore.game import load_game
from bartizan.simcore.play.batch import play_games
from bartizan.simcore.play.match import Match
from bartizan.simcore.scenario.loading import load_scenario
from tests.statistical.test_itter_policies import standard_errors

GAME = load_game("colditz")
ALLIES, GERMANS = ("random", "greedy", "escape_officer"), ("random", "greedy", "security_officer")
SEED = 4711


SHARED = {("greedy", "greedy"): 300, ("greedy", "security_officer"): 300}  # for all that need some of these games


def rows(allied: str, german: str, games: int) -> np.ndarray:
    return played(allied, german, SHARED.get((allied, german), games))[:games]


@cache
def played(allied: str, german: str, games: int) -> np.ndarray:
    match = Match(GAME, load_scenario(GAME), (find_player(GAME, allied), find_player(GAME, german)), SEED)
    return np.concatenate(list(play_games(match, range(games), 2)))


def won(allied: str, german: str, seat: int, games: int) -> np.ndarray:
    return (rows(allied, german, games)["winner"] == seat).astype(float)


@pytest.mark.parametrize("german", GERMANS)
def test_escape_officer_beats_greedy_and_random(german):
    """9 standard errors or more in 100 games: half of the lead would not be enough."""
    for weaker in ("greedy", "random"):
        assert standard_errors(won("escape_officer", german, 0, 100), won(weaker, german, 0, 100)) > 5, weaker


@pytest.mark.parametrize(
    ("allied", "weaker", "games"),
    [
        ("greedy", "greedy", 300),
        ("greedy", "random", 100),
        ("escape_officer:tunnel=0", "greedy", 500),
        pytest.param("escape_officer:tunnel=0", "random", 600, marks=pytest.mark.slow),
    ],
)
def test_the_allies_win_less_against_security_officer(allied, weaker, games):
    """Without tunnels: with them it takes twice the games."""
    assert standard_errors(won(allied, weaker, 0, games), won(allied, "security_officer", 0, games)) > 5


@pytest.mark.slow
@pytest.mark.parametrize("weaker", ["random", "greedy"])
def test_random_allies_draw_less_against_security_officer(weaker):
    """They win next to nothing: only Do or Die draws are left to prevent, so many games are needed."""
    assert standard_errors(won("random", "security_officer", 1, 40_000), won("random", weaker, 1, 40_000)) > 5


def test_results_follow_from_the_escapes():
    """10.2, 10.3: an ordinary escape wins, Do or Die alone draws, none loses."""
    played = np.concatenate([rows(allied, "security_officer", 100) for allied in ("escape_officer", "greedy")])
    assert len(set(played["winner"])) == 3
    assert ((played["winner"] == 0) == (played["escapes"] > 0)).all()
    assert ((played["winner"] == -1) == ((played["escapes"] == 0) & (played["stake_escapes"] > 0))).all()
    assert (played["decided_by_stake"] == (played["winner"] == -1)).all()
    by_player = sum(played[f"escapes_{p}"].astype(int) for p in range(1, 6))
    assert (by_player == played["score"]).all()
    assert (sum(played[f"target_{t}"].astype(int) for t in range(1, 8)) == played["escapes"]).all()
