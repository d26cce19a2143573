"""Castle Rampage's players: each beats the weaker ones beyond 5 standard errors with the seats rotated; those that attack end their games."""

from functools import cache

import numpy as np
import pytest

from bartizan.policies.registry import find_player
from bartizan.simcore.compile.rules import NOBODY
from bartizan.simcore.game import load_game
from bartizan.simcore.play.batch import play_games
from bartizan.simcore.play.match import Match
from bartizan.simcore.scenario.loading import load_scenario

GAME = load_game("rampage")
SCENARIO = load_scenario(GAME)
SEED = 90210


@cache
def rows(first: str, second: str, games: int) -> np.ndarray:
    match = Match(GAME, SCENARIO, tuple(find_player(GAME, name) for name in (first, second)), SEED)
    return np.concatenate(list(play_games(match, range(games), 2)))


def rotated(strong: str, weak: str, games: int) -> np.ndarray:
    """By game number, what the strong player makes of both seats on common luck: 1 a win, one half a draw."""
    played = ((rows(strong, weak, games)["winner"], 0), (rows(weak, strong, games)["winner"], 1))
    return np.mean([(winner == seat) + 0.5 * (winner == NOBODY) for winner, seat in played], axis=0)


@pytest.mark.parametrize(
    ("strong", "weak", "games"),
    [
        ("greedy", "random", 500),
        ("tactician", "random", 500),
        ("tactician", "greedy", 2000),
        ("tactician", "rusher", 2000),
        ("tactician", "defender", 1000),
    ],
)
def test_the_stronger_player_wins_with_the_seats_rotated(strong, weak, games):
    shares = rotated(strong, weak, games)
    assert (shares.mean() - 0.5) / (shares.std(ddof=1) / np.sqrt(games)) > 5


@pytest.mark.parametrize("policy", ["greedy", "rusher", "tactician"])
def test_players_that_attack_end_their_games(policy):
    """Draws are stalemates: 60 of 3,000 would be 2 %."""
    played = rows(policy, policy, 3000)
    assert (played["winner"] == NOBODY).sum() <= 60


def test_the_winner_still_has_a_castle_and_the_loser_none():
    played = rows("greedy", "greedy", 3000)
    for seat in (0, 1):
        won = played[played["winner"] == seat]
        assert (won[f"castle_{seat}"] > 0).all() and (won[f"castle_{1 - seat}"] == 0).all()
        assert (won["score"] == won[f"castle_{seat}"]).all()
