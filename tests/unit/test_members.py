"""Several policies for one seat: each player of a side decides by his own."""

import numpy as np
import pytest

from bartizan.policies.registry import find_policy
from bartizan.policies.request import Request
from bartizan.simcore.colditz.components import ALLIED
from bartizan.simcore.compile.loops import new_row
from bartizan.simcore.errors import PolicyError
from bartizan.simcore.game import load_game
from bartizan.simcore.play.batch import Batch
from bartizan.simcore.play.match import Match
from bartizan.simcore.play.replay import OneGame
from bartizan.simcore.rng import next_policy_luck
from tests.memories import filled_by_others, rows_by_hand, wiped

OFFICERS = "escape_officer:burst=9+greedy+escape_officer"


def match_of(allied: str, players: int = 3, german: str = "greedy") -> Match:
    return Request("colditz", policy=(f"allied={allied}", f"german={german}"), players=players).match(5, "")


def rows(allied: str, games: int = 8, players: int = 3) -> np.ndarray:
    return Batch(match_of(allied, players)).play(range(games))


def test_one_policy_for_all_is_that_policy():
    assert rows("escape_officer+escape_officer").tobytes() == rows("escape_officer").tobytes()


def test_each_player_decides_by_his_own():
    """At each Allied decision of two games the policy of whoever decides would choose the same."""
    game = load_game("colditz")
    own = [find_policy(game, text) for text in OFFICERS.split("+")]
    functions = [policy.compiled_for(game.compiled) for policy in own]
    one, asked = OneGame(match_of(OFFICERS)), [0, 0, 0]
    for number in range(2):
        one.begin(5, number)
        while not one.is_over:
            legal, seat, player = one.legal(), one.seat, int(one.state.player)
            action = one.choice()
            if seat == ALLIED:
                alone = one.state.copy()
                next_policy_luck(alone)
                row = new_row(game.compiled, list(own[player].weights.values()))
                assert action == functions[player](alone, one.tables, legal, len(legal), row)
                asked[player] += 1
            one.play(action)
    assert min(asked) > 60


def test_the_last_one_named_plays_for_the_rest():
    assert rows("greedy+escape_officer").tobytes() == rows("greedy+escape_officer+escape_officer").tobytes()
    assert rows("greedy+escape_officer").tobytes() != rows("escape_officer+greedy").tobytes()


def test_who_plays_better_gets_more_men_out():
    found = rows("greedy+escape_officer", games=40, players=2)
    assert found["escapes_2"].sum() > 10 + 2 * found["escapes_1"].sum()


def test_their_memories_are_caches():
    match = match_of(OFFICERS, german="security_officer")
    played = Batch(match).play(range(1))
    assert rows_by_hand(match, 1, wiped).tobytes() == played.tobytes()
    assert rows_by_hand(match, 1, filled_by_others(match)).tobytes() == played.tobytes()


@pytest.mark.parametrize(
    ("game", "text", "why"),
    [
        ("colditz", "escape_officer+security_officer", "the policies have no role in common"),
        ("colditz", "greedy+lookahead:base=escape_officer", "cannot be one of several players of a side"),
        ("itter", "garrison+greedy", "a seat is one player in itter"),
        ("colditz", "greedy+escape_oficer", 'did you mean "escape_officer"'),
    ],
)
def test_what_cannot_be_is_refused(game, text, why):
    with pytest.raises(PolicyError, match=why):
        find_policy(load_game(game), text)


def test_more_players_than_there_are_are_refused():
    with pytest.raises(PolicyError, match="names 3 policies, but 2 players play allied"):
        Batch(match_of(OFFICERS, players=2))
