"""Gambler's ruin, the smallest game there is: one player, one action, a known answer.

    bartizan run examples/ruin/ruin.py --games 100000

With p = 0.49 per bet and a start at 10, the probability of 20 before 0 is (1 - (q/p)^10) / (1 - (q/p)^20) =
0.4013 (Feller XIV.2).
"""

from pathlib import Path
from typing import Annotated

import numpy as np
from pydantic import Field

from bartizan import HOUSE, LUCK_FIELDS, Datum, Engine, Features, Game, Rare, ScenarioModel, jit
from bartizan.simcore.rng import below


class Bets(Datum):
    start: Annotated[int, Field(ge=1, le=1000)]
    goal: Annotated[int, Field(ge=2, le=1000)]
    win_per_mille: Annotated[int, Field(ge=1, le=999)]


class RuinScenario(ScenarioModel):
    bets: Bets

    def problems(self):
        if self.bets.start >= self.bets.goal:
            yield "bets.start", f"{self.bets.start} is not below the goal of {self.bets.goal}"


STATE = np.dtype(
    [*LUCK_FIELDS, ("end_reason", "i4"), ("to_move", "i4"), ("turn", "i4"), ("purse", "i4")], align=True
)
TABLES = np.dtype([("start", "i4"), ("goal", "i4"), ("win_per_mille", "i4")], align=True)
RECORD = np.dtype(
    [("game", "u4"), ("plies", "u4"), ("end_reason", "u1"), ("winner", "i1"), ("turn", "u4"), ("score", "i2")]
)
BET = 0
GOAL_REACHED, RUINED = 3, 4


def build_tables(scenario):
    tables = np.zeros(1, TABLES)
    for name in TABLES.names:
        tables[name] = getattr(scenario.model.bets, name)
    return tables


@jit
def reset(state, tables):
    """Set up the game. All other fields of `state` are 0."""
    state.purse = tables.start


@jit
def legal_actions(state, tables, legal):
    legal[0] = BET
    return 1


@jit
def apply(state, tables, action):
    state.turn += 1
    state.purse += 1 if below(state, 0, 1000) < tables.win_per_mille else -1
    if state.purse == tables.goal:
        state.end_reason = GOAL_REACHED
    elif state.purse == 0:
        state.end_reason = RUINED


@jit
def write_record(state, tables, record):
    record.winner = 0 if state.end_reason == GOAL_REACHED else HOUSE
    record.turn = state.turn
    record.score = state.purse


@jit
def write_features(state, tables, features):
    features.time_gone = 0.5  # time has no information in this game
    features.purse = state.purse


FEATURES = Features(
    np.dtype([("time_gone", "f8"), ("purse", "f8")]),
    write_features,
    open_to=lambda seat, scenario: FEATURES.names,
)


@jit
def ahead(state, tables):
    """Return the gain of the purse since the start; at least 0."""
    return max(state.purse - tables.start, 0)


GOAL = Rare(
    "the goal is reached", ahead, lambda scenario: scenario.model.bets.goal - scenario.model.bets.start
)

ENGINE = Engine(
    state_dtype=STATE,
    tables_dtype=TABLES,
    record_dtype=RECORD,
    build_tables=build_tables,
    reset=reset,
    legal_actions=legal_actions,
    apply=apply,
    write_record=write_record,
    end_reasons={GOAL_REACHED: "goal reached", RUINED: "ruined"},
    max_legal=1,
    acts={"bet": BET},
    features=FEATURES,
    rare={"goal": GOAL},
)

GAME = Game(
    "ruin",
    "Gambler's ruin",
    RuinScenario,
    Path(__file__).parent / "scenarios",
    lambda: ENGINE,
    1,
    home=Path(__file__),
)
