"""One contract for every game, registered ones and the examples."""

import pytest

from bartizan.policies.registry import find_player, policies_of
from bartizan.simcore import conformance
from bartizan.simcore.conformance import check_game
from bartizan.simcore.game import game_names, load_game
from tests.cli.run_cli import PIG, ROWS, RUIN

BRIEF = {"newcomer": "newcomer:samples=2,horizon=2"}  # as many futures as it takes to choose


@pytest.mark.parametrize("name", [*game_names(), PIG, RUIN, ROWS], ids=lambda n: n.rsplit("/", 1)[-1])
def test_keeps_the_contract(name, monkeypatch):
    """With fewer games than `bartizan check` plays: every scenario of a large game counts."""
    monkeypatch.setattr(conformance, "GAMES", 1 if name in game_names() else 3)
    monkeypatch.setattr(conformance, "BATCH", 200)
    monkeypatch.setattr(conformance, "DRAWS", 16)
    game = load_game(name)
    players = [find_player(game, BRIEF.get(policy, policy)) for policy in policies_of(game)]
    assert len(list(check_game(game, players, players[0]))) >= 3
