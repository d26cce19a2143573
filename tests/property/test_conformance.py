"""One contract for every game, registered ones and the examples."""

import pytest

from bartizan.policies.registry import find_player, policies_of
from bartizan.simcore import conformance
from bartizan.simcore.conformance import check_ends, check_game, each_scenario
from bartizan.simcore.game import game_names, load_game
from bartizan.simcore.scenario.loading import load_scenario
from tests.cli.run_cli import PIG, ROWS, RUIN

BRIEF = {"newcomer": "newcomer:samples=2,horizon=2"}  # as many futures as it takes to choose
ROUNDS = {"limit.rounds": 12}  # of Colditz; tests/naive plays whole games of it


@pytest.mark.parametrize("name", [*game_names(), PIG, RUIN, ROWS], ids=lambda n: n.rsplit("/", 1)[-1])
def test_keeps_the_contract(name, monkeypatch):
    """With fewer games than `bartizan check` plays: every scenario of a large game counts, and every table of Rows."""
    monkeypatch.setattr(conformance, "GAMES", 1 if name in (*game_names(), ROWS) else 3)
    monkeypatch.setattr(conformance, "BATCH", 200)
    monkeypatch.setattr(conformance, "DRAWS", 16)
    monkeypatch.setattr(conformance, "MOST_ENDS", 8)
    monkeypatch.setattr(conformance, "PAIRS", 2)
    game = load_game(name)
    if name == "colditz":
        every = [load_scenario(game, one.name, one.difficulty, ROUNDS) for one in each_scenario(game)]
        monkeypatch.setattr(conformance, "each_scenario", lambda game: every)
    players = [find_player(game, BRIEF.get(policy, policy)) for policy in policies_of(game)]
    assert len(list(check_game(game, players, players[0]))) >= 3


LONG_GAMES = {  # what is set so that counters rise
    "itter": (
        {"breach_ends_game": False, "rulings.exhaustion": "no"},
        {"breach_ends_game": False, "rulings.exhaustion": "no", "turn.defender_actions": 28},
    ),
    "colditz": ({"limit.rounds": 400},),
    "castle": ({"advanced.jokers": 2},),
    "rampage": ({"rulings.effect_or_attack": "choice", "rulings.boost_times": "any_number"},),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", game_names())
def test_every_value_at_both_ends_of_its_range(name):
    """Each is rejected in one line, or its games have the records of 64-bit integers."""
    game = load_game(name)
    longer = [load_scenario(game, None, None, sets) for sets in LONG_GAMES[name]]
    for scenario in [*each_scenario(game), *longer]:
        (line,) = check_ends(game, scenario, find_player(game, "random"), True)
        assert "rejected with a message" in line
