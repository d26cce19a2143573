"""The secretary problem, played alone: ten candidates come one after the other, only the best is a win, and who is
sent away is gone. Best play lets three pass and takes the next who is better than all before: 0.3987 (Ferguson
1989).
"""

from pathlib import Path

import numpy as np

from bartizan import LUCK_FIELDS, Engine, Game, Policy, ScenarioModel, all_open, jit
from bartizan.simcore.rng import below

CANDIDATES, DECIDED = 10, 3
PASS, TAKE = 0, 1

STATE = np.dtype(
    [*LUCK_FIELDS, ("end_reason", "i4"), ("to_move", "i4"), ("turn", "i4"), ("leads", "i4"), ("is_best", "i4")],
    align=True,
)
TABLES = np.dtype([("candidates", "i4")], align=True)
RECORD = np.dtype(
    [("game", "u4"), ("plies", "u4"), ("end_reason", "u1"), ("winner", "i1"), ("turn", "u2"), ("score", "i2")]
)


def build_tables(scenario):
    tables = np.zeros(1, TABLES)
    tables["candidates"] = CANDIDATES
    return tables


@jit
def reset(state, tables):
    state.turn = 1
    state.leads = 1


@jit
def legal_actions(state, tables, legal):
    legal[0], legal[1] = PASS, TAKE
    return 2


@jit
def next_leads(state):
    """The next candidate is better than all before with chance 1 / number, whatever came before."""
    state.turn += 1
    state.leads = below(state, 0, state.turn) == 0


@jit
def apply(state, tables, action):
    if action == PASS and state.turn < tables.candidates:
        next_leads(state)
        return
    state.is_best = action == TAKE and state.leads
    while state.turn < tables.candidates:
        next_leads(state)
        state.is_best &= not state.leads
    state.end_reason = DECIDED


@jit
def write_record(state, tables, record):
    record.winner = 0 if state.is_best else -1
    record.turn = state.turn
    record.score = state.is_best


def choose_eager(state, tables, legal, n_legal, weights):
    return TAKE if state.leads and state.turn > weights[0] else PASS


EAGER = Policy(
    "eager", choose_eager, "takes who is better than all before, after the first `let_pass`", weights={"let_pass": 0.0}
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
    end_reasons={DECIDED: "decided"},
    max_legal=2,
    determinize=all_open,
)

GAME = Game(
    name="secretary",
    title="Secretary",
    behaviour=1,
    schema=ScenarioModel,
    scenarios=Path(__file__).parent / "scenarios",
    engine=lambda: ENGINE,
    roles=("player",),
    policies=lambda: [EAGER],
    default_policy="eager",
)
