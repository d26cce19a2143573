"""Two doors: one hides behind the left or the right, the other looks behind one. A matrix game with a known value.

With p[hidden][looked] the chance that the hider gets away: 0.1, 0.9 / 0.8, 0.4 is worth 0.68 / 1.2 = 0.5667 to him, who goes left one time in three; the seeker looks left five times in twelve. Behind the right door a hider who does not get away draws.
"""

from pathlib import Path
from typing import Annotated

import numpy as np
from pydantic import Field

from bartizan import LUCK_FIELDS, NOBODY, Datum, Engine, Game, Policy, ScenarioModel, jit, policy_below
from bartizan.simcore.rng import below

Chance = Annotated[int, Field(ge=0, le=1000)]


class Doors(Datum):
    per_mille: Annotated[list[list[Chance]], Field(min_length=2, max_length=2)]


class TwoDoorsScenario(ScenarioModel):
    doors: Doors


STATE = np.dtype(
    [*LUCK_FIELDS, ("end_reason", "i4"), ("to_move", "i4"), ("turn", "i4"), ("hidden", "i4"), ("winner", "i4")],
    align=True,
)
TABLES = np.dtype([("per_mille", "i4", (2, 2))], align=True)
RECORD = np.dtype(
    [("game", "u4"), ("plies", "u4"), ("end_reason", "u1"), ("winner", "i1"), ("turn", "u2"), ("score", "i2")]
)
LEFT, RIGHT = 0, 1
AWAY, FOUND = 3, 4


def build_tables(scenario):
    tables = np.zeros(1, TABLES)
    tables["per_mille"] = scenario.model.doors.per_mille
    return tables


@jit
def reset(state, tables):
    """All else in the state is 0."""
    state.turn = 1


@jit
def legal_actions(state, tables, legal):
    legal[0] = LEFT
    legal[1] = RIGHT
    return 2


@jit
def apply(state, tables, action):
    if state.to_move == 0:
        state.hidden = action
        state.to_move = 1
        return
    away = below(state, 0, 1000) < tables.per_mille[state.hidden, action]
    state.end_reason = AWAY if away else FOUND
    state.winner = 0 if away else 1 if state.hidden == LEFT else NOBODY


@jit
def write_record(state, tables, record):
    record.winner = state.winner
    record.turn = state.turn
    record.score = 1 if state.winner == 0 else 0


def lean(state, tables, legal, n_legal, weights):
    """It does not look at where the other one is."""
    return LEFT if policy_below(state, 0, 1000) < 1000 * weights[0] else RIGHT


ENGINE = Engine(
    state_dtype=STATE,
    tables_dtype=TABLES,
    record_dtype=RECORD,
    build_tables=build_tables,
    reset=reset,
    legal_actions=legal_actions,
    apply=apply,
    write_record=write_record,
    end_reasons={AWAY: "got away", FOUND: "found"},
    max_legal=2,
)

GAME = Game(
    name="two_doors",
    title="Two doors",
    behaviour=1,
    schema=TwoDoorsScenario,
    scenarios=Path(__file__).parent / "scenarios",
    engine=lambda: ENGINE,
    roles=("hider", "seeker"),
    policies=lambda: [Policy("lean", lean, "Left, one game in so many.", {"left": 0.9})],
    default_policy="lean",
    home=Path(__file__),
)
