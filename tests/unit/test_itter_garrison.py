"""garrison in changed games."""

from itertools import islice

import numpy as np
import pytest

from bartizan.policies.itter.factors import START, flat
from bartizan.policies.itter.garrison import GARRISON
from bartizan.policies.protocol import as_player
from bartizan.policies.registry import find_player
from bartizan.simcore.game import load_game
from bartizan.simcore.itter.components import ARGUMENTS, Act, Stage
from bartizan.simcore.play.match import Match
from bartizan.simcore.play.replay import OneGame, replay
from bartizan.simcore.scenario.loading import load_scenario


def first_chosen(scenario, among: list[str]) -> str:
    """Whom of `among` garrison activates first."""
    game = load_game("itter")
    one = OneGame(Match(game, scenario, (as_player(game, GARRISON),), 5))
    one.begin(5, 0)
    codes = {int(Act.ACTIVATE) * ARGUMENTS + d: name for d, name in enumerate(scenario.model.defender)}
    while codes.get(code := int(one.decide())) not in among:
        one.apply(code)
    return codes[code]


def test_it_looks_at_defenders_whose_values_differ():
    """Attack 0 and Suppress 4 before Attack 1 and Suppress 0, which everybody else has: at first there is little to shoot at."""
    game = load_game("itter")
    starters = [
        name
        for name, d in load_scenario(game).model.defender.items()
        if d.start == "reserve" and "T" not in d.attributes
    ]
    sets = {
        f"defender.{name}.{value}": points
        for name in starters
        for value, points in (("attack", "1"), ("suppress", "0"))
    }
    for name in (starters[3], starters[-1]):
        changed = sets | {f"defender.{name}.attack": "0", f"defender.{name}.suppress": "4"}
        assert first_chosen(load_scenario(game, None, "novice", changed), starters) == name


@pytest.mark.parametrize(("weight", "location"), [("post_0", "NT"), ("post_1", "ST"), ("post_2", "K"), ("post_4", "G")])
def test_the_weight_of_a_location_fills_it_first(weight, location):
    """Elite, three games: the first four who are no tank crew and whose best post is not worth nothing there stand in it."""
    game = load_game("itter")
    scenario = load_scenario(game, difficulty="elite")
    positions = list(scenario.model.position)
    match = Match(game, scenario, (as_player(game, GARRISON.with_weights({weight: 1e6, "crowd": 1.0})),), 5)
    for number in range(3):
        actions = (divmod(int(ply.action), ARGUMENTS) for ply in replay(match, number))
        filled = (scenario.model.position[positions[argument]] for kind, argument in actions if kind == Act.PLACE)
        where = [*islice((it.location for it in filled if not it.crew), 3)]
        assert where == [location] * 3


# ---------------------------------------------------------------- sentinel


def test_factors_that_are_left_out_are_one():
    table = flat({"recover_of": [1.5, 2]})
    assert table[START.recover_of : START.recover_of + 2].tolist() == [1.5, 2]
    assert (np.delete(table, [START.recover_of, START.recover_of + 1]) == 1).all()


@pytest.mark.parametrize(("policy", "on_red"), [("garrison@elite3", 0), ("sentinel", 3)])
def test_sentinel_puts_pollocks_first_tokens_on_red(policy, on_red):
    """He is in the Keep between red and purple. This choice is worth more than a percentage point at Elite."""
    game = load_game("itter")
    one = OneGame(Match(game, load_scenario(game, difficulty="elite"), (find_player(game, policy),), 5))
    one.begin(5, 0)
    while not (one.state.stage == Stage.ACT and one.state.actor == 3):
        one.apply(int(one.decide()))
    assert int(one.decide()) == int(Act.SUPPRESS) * ARGUMENTS + on_red
