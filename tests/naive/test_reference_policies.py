"""idle, drill and fight, compiled, against the same three written for the naive twin from docs/reference-policies.md: decision by decision."""

import numpy as np
import pytest

from bartizan.policies.itter.reference import DRILL, FIGHT, IDLE
from bartizan.policies.protocol import compiled_policy
from bartizan.simcore.itter.engine import ENGINE
from bartizan.simcore.scenario.loading import load_scenario
from tests.naive import reference_policies
from tests.naive.compiled import first
from tests.naive.itter_twin import ItterTwin
from tests.naive.test_itter_twin import GAME, LEVELS, Fast

RESTS_ON = {"rulings.may_pass": "yes", "rulings.noncrew_on_crew_position": "own_values"}


@pytest.mark.parametrize("policy", [IDLE, DRILL, FIGHT], ids=lambda p: p.name)
@pytest.mark.parametrize("breach_ends_game", ["true", "false"])
@pytest.mark.parametrize("difficulty", LEVELS)
def test_every_choice_agrees(policy, breach_ends_game, difficulty):
    scenario = load_scenario(
        GAME,
        difficulty=difficulty,
        sets={"breach_ends_game": breach_ends_game, "rulings.focus_fire": "blank"} | RESTS_ON,
    )
    choose = compiled_policy(policy.choose, ENGINE)
    naive = getattr(reference_policies, policy.name)
    weights = np.array(list(policy.weights.values()), float)
    for game in first(4, of=60):
        fast, twin = Fast(scenario, 21, game), ItterTwin(scenario.data, 21, game)
        while not fast.over:
            action = choose(fast.state, fast.tables, fast.buffer, len(fast.legal()), weights)
            assert action == naive(twin), (
                f"{policy.name} seed 21 game {game} turn {fast.state.turn} stage {fast.state.stage}"
            )
            fast.apply(action)
            twin.apply(action)
        assert twin.over
        assert {key: value for key, value in fast.record().items() if key in twin.record()} == twin.record()
