"""Does a match draw luck? Asked of its code, not of its results."""

import random
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from bartizan.simcore import rng
from bartizan.simcore.compile.jit import jit
from bartizan.simcore.game import load_game
from bartizan.simcore.kit import piles
from bartizan.simcore.play.drawn import draws_luck
from bartizan.simcore.play.match import Match, Player
from bartizan.simcore.rng import below, named_word, policy_below
from bartizan.simcore.scenario.loading import load_scenario

WALK = '''"""Walk: a step in turn; a sprint, where it is allowed, goes on with a throw of a die; who sleeps never ends."""

from bartizan.short import *

players = 2
goal = 7
sprints = Number(0, 0, 1)
sleeps = Number(0, 0, 1)
place = Tokens()


def step(s, n):
    while n.sleeps > 0 and s.place[s.me] >= 0:
        s.turn += 0
    s.place[s.me] += 1
    if n.sprints > 0:
        s.place[s.me] += die(s, 2)
    if s.place[s.me] >= n.goal:
        win(s, s.me, "there first")
    next_player(s)
'''


@pytest.fixture(scope="module")
def game(kept_folder):
    path = kept_folder / "walk.py"
    path.write_text(WALK)
    return load_game(str(path))


def match_of(game, choose: Callable, **sets: int) -> Match:
    scenario = load_scenario(game, sets={f"numbers.{key}": str(value) for key, value in sets.items()})
    return Match(game, scenario, (Player("p", choose, {}, "", Path(__file__)),) * 2, 1)


def first(state, tables, legal, n_legal, weights):
    return legal[0]


def by_weights(state, tables, legal, n_legal, weights):
    return legal[min(int(np.floor(abs(state.place[state.me]))), n_legal - 1)]


def never_asked(state, tables, legal, n_legal, weights):
    return legal[policy_below(state, 0, n_legal)] if state.place[0] > 1000 else legal[0]


@pytest.mark.parametrize("choose", [first, by_weights, never_asked])
def test_a_match_whose_games_draw_nothing_is_one_game(game, choose):
    """The die of a sprint is in the code and is never thrown; nor does `never_asked` ask."""
    assert not draws_luck(match_of(game, choose))


def test_a_die_that_is_thrown_is_luck(game):
    assert draws_luck(match_of(game, first, sprints=1))


def test_a_rule_that_does_not_end_proves_nothing(game):
    assert draws_luck(match_of(game, first, sleeps=1))


# ---------------------------------------------------------------- ways to draw luck


@jit
def helper(state, n):
    return below(state, 3, n)


def through_a_helper(state, tables, legal, n_legal, weights):
    return legal[helper(state, 1)]


def through_a_module(state, tables, legal, n_legal, weights):
    return legal[rng.policy_below(state, 0, 1)]


def through_a_module_renamed(state, tables, legal, n_legal, weights):
    luck = rng
    return legal[luck.policy_below(state, 0, 1)]


def through_the_kit(state, tables, legal, n_legal, weights):
    piles.shuffle(state, 0, legal, 0, n_legal + 1)
    return legal[0]


def by_a_word(state, tables, legal, n_legal, weights):
    return legal[named_word(state, 0, 0, 0, 0) % np.uint64(1)]


def by_the_field(state, tables, legal, n_legal, weights):
    return legal[int(state.luck[7] % np.uint64(1))]


def by_the_key(state, tables, legal, n_legal, weights):
    return legal[int(state["luck_key"] % np.uint64(1))]


def by_getattr(state, tables, legal, n_legal, weights):
    return legal[int(getattr(state, "lu" + "ck")[7] % np.uint64(1))]


def by_the_whole_record(state, tables, legal, n_legal, weights):
    return legal[state.tobytes()[0] % 1]


def by_numpy(state, tables, legal, n_legal, weights):
    return legal[np.random.randint(0, 1)]


def by_python(state, tables, legal, n_legal, weights):
    return legal[int(random.random() * 0)]


def nested(state, tables, legal, n_legal, weights):
    def inner():
        return (lambda: policy_below(state, 0, 1))()

    return legal[inner()]


def imported(state, tables, legal, n_legal, weights):
    from bartizan.simcore.rng import policy_below as other

    return legal[other(state, 0, 1)]


DRAWERS = (helper, policy_below)


def from_a_tuple(state, tables, legal, n_legal, weights):
    return legal[DRAWERS[1](state, 0, 1)]


def enclosing(draw: Callable) -> Callable:
    def enclosed(state, tables, legal, n_legal, weights):
        return legal[draw(state, 0, 1)]

    return enclosed


def by_default(state, tables, legal, n_legal, weights, draw=policy_below):
    return legal[draw(state, 0, 1)]


class Chooser:
    def __call__(self, state, n):
        return policy_below(state, 0, n)


CHOOSER = Chooser()


def by_an_object(state, tables, legal, n_legal, weights):
    return legal[CHOOSER(state, 1)]


WAYS = [
    *(
        through_a_helper,
        through_a_module,
        through_a_module_renamed,
        through_the_kit,
        by_a_word,
        by_the_field,
        by_the_key,
    ),
    *(
        by_getattr,
        by_the_whole_record,
        by_numpy,
        by_python,
        nested,
        imported,
        from_a_tuple,
        by_default,
        enclosing(policy_below),
        by_an_object,
    ),
]


@pytest.mark.parametrize("choose", WAYS, ids=lambda one: one.__name__)
def test_every_way_to_draw_is_found(game, choose):
    """Each leaves all games equal: only the code tells."""
    assert draws_luck(match_of(game, choose))


def test_a_weakened_policy_may_draw(game):
    """Even with noise=0, which draws and never acts on it: in doubt it is luck."""
    from bartizan.policies import restricted

    assert draws_luck(match_of(game, restricted.choose))
