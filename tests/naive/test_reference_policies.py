"""idle, drill and fight, compiled, against the same three written for the naive twin from docs/reference-policies.md: decision by decision."""

import pytest

from bartizan.policies.itter.reference import DRILL, FIGHT, IDLE
from bartizan.simcore.scenario.loading import load_scenario
from tests.naive import reference_policies
from tests.naive.compiled import first, play_by
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
    naive = getattr(reference_policies, policy.name)
    for game in first(4, of=60):
        play_by(policy, naive, Fast(scenario, 21, game), ItterTwin(scenario.data, 21, game))
