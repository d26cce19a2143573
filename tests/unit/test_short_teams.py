"""Short games of teams: their winners, their points and their newcomers, against exact distributions."""

from collections import Counter
from itertools import product

import numpy as np
import pytest

import bartizan as bz

GAME = """from bartizan.short import *

players = (4, 6)
teams = 2
bonus = Number(1, 0, 10, "assumed: test")
points = Tokens()
thrown = Counter()


def throw(s, n, again: range(2)):
    pips = die(s, 6)
    if again and pips < 4:
        pips = die(s, 6)
    s.points[s.me] += pips + (n.bonus if s.me == 2 else 0)
    s.thrown += 1
    if s.thrown < s.players:
        next_player(s)
    elif leader(s, n) == NOBODY:
        tie(s, "equal")
    else:
        win(s, leader(s, n), "more pips")


def wise(s, n):
    \"\"\"Throw again below four.\"\"\"
    return THROW(1)


def plain(s, n):
    \"\"\"Never throw again.\"\"\"
    return THROW(0)
"""
PIPS = {
    "plain": dict.fromkeys(range(1, 7), 1 / 6),
    "wise": {1: 1 / 12, 2: 1 / 12, 3: 1 / 12} | dict.fromkeys((4, 5, 6), 1 / 4),
}


def of_team(policy: str, dice: int, bonus: int) -> Counter:
    """The distribution of a team's points."""
    chances: Counter = Counter()
    for thrown in product(PIPS[policy].items(), repeat=dice):
        chances[sum(pips for pips, _ in thrown) + bonus] += np.prod([chance for _, chance in thrown])
    return chances


@pytest.fixture(scope="module")
def game(kept_folder):
    path = kept_folder / "teams.py"
    path.write_text(GAME)
    return bz.game(path)


@pytest.mark.parametrize("players", [4, 6])
@pytest.mark.parametrize("line_up", [("wise", "plain"), ("plain", "wise"), ("wise", "wise")], ids="+".join)
def test_the_points_of_a_team_are_those_of_all_its_players(game, line_up, players):
    found = game.run(policy="+".join(line_up), players=players, games=4000).to_dict()
    first, second = of_team(line_up[0], players // 2, 1), of_team(line_up[1], players // 2, 0)
    exact = {"win": 0.0, "draw": 0.0}
    for (a, p), (b, q) in product(first.items(), second.items()):
        exact["win"] += p * q * (a > b)
        exact["draw"] += p * q * (a == b)
    games = found["games"]
    for key, wins in (("win", found["wins"]), ("draw", found["draws"])):
        assert abs(wins / games - exact[key]) < 4 * (exact[key] * (1 - exact[key]) / games) ** 0.5
    for seat, chances in enumerate((first, second)):
        mean = sum(points * chance for points, chance in chances.items())
        spread = sum((points - mean) ** 2 * chance for points, chance in chances.items()) ** 0.5
        shown = found["scores"][seat]["mean"]
        assert abs(shown - mean) < 4 * spread / games**0.5
