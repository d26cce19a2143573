"""Castle's players: each beats the weaker ones beyond 5 standard errors with the seats rotated; sensible ones end their games; the oracle of single fights holds in play."""

from functools import cache

import numpy as np
import pytest

from bartizan.policies.registry import find_player
from bartizan.simcore.compile.rules import TRUNCATED
from bartizan.simcore.game import load_game
from bartizan.simcore.play.batch import play_games
from bartizan.simcore.play.match import Match
from bartizan.simcore.scenario.loading import load_scenario

GAME = load_game("castle")
SEED = 90210


@cache
def rows(line_up: tuple[str, ...], games: int) -> np.ndarray:
    scenario = load_scenario(GAME, sets={"players.count": len(line_up)})
    match = Match(GAME, scenario, tuple(find_player(GAME, name) for name in line_up), SEED)
    return np.concatenate(list(play_games(match, range(games), 2)))


def rotated(strong: str, weak: str, players: int, games: int) -> np.ndarray:
    """One strong player among weak ones: by game number, its share of wins over all the seats it sat in (common luck)."""
    shares = []
    for seat in range(players):
        line_up = tuple(strong if p == seat else weak for p in range(players))
        shares.append(rows(line_up, games)["winner"] == seat)
    return np.mean(shares, axis=0)


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize(
    ("strong", "weak", "games"), [("greedy", "random", 60), ("steward", "greedy", 60), ("steward", "random", 60)]
)
def test_the_stronger_player_wins_with_the_seats_rotated(strong, weak, games, players):
    """Here by 9.7 standard errors or more: half of the lead would not be enough."""
    shares = rotated(strong, weak, players, games)
    standard_error = shares.std(ddof=1) / np.sqrt(games)
    assert (shares.mean() - 1 / players) / standard_error > 5


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("policy", ["plain", "greedy", "raider", "builder", "steward"])
def test_sensible_players_end_their_games(policy, players):
    """Capped games are counted apart: 1 of 1,000 would be 0.1 %."""
    played = rows((policy,) * players, 1000)
    assert (played["winner"] == TRUNCATED).sum() <= 1
    assert (played["capped"] == (played["winner"] == TRUNCATED)).all()


@pytest.mark.parametrize("players", [2, 3, 4])
def test_places_and_kings_account_for_every_player(players):
    played = rows(("greedy",) * players, 1000)
    places = np.sort(np.stack([played[f"place_{p}"] for p in range(players)]), axis=0)
    ended = played["winner"] >= 0
    assert (places[:, ended] == np.arange(1, players + 1)[:, None]).all()
    dead = sum(played[f"kings_by_{how}"].astype(int) for how in ("attack", "ram", "assassin", "counter", "own_lead"))
    assert (dead[ended] == players - 1).all()
