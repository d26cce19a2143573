"""Guess which card lies on top: nobody can know, so nobody wins more than one game in four. Who does has looked."""

from pathlib import Path

import numpy as np

from bartizan import LUCK_FIELDS, Engine, Game, ScenarioModel, jit
from bartizan.simcore.rng import below

CARDS, GUESSED = 4, 3

STATE = np.dtype(
    [*LUCK_FIELDS, ("end_reason", "i4"), ("to_move", "i4"), ("turn", "i4"), ("pile", "i4", (CARDS,)), ("guess", "i4")],
    align=True,
)
TABLES = np.dtype([("cards", "i4")], align=True)
RECORD = np.dtype(
    [("game", "u4"), ("plies", "u4"), ("end_reason", "u1"), ("winner", "i1"), ("turn", "u2"), ("score", "i2")]
)


def build_tables(scenario):
    tables = np.zeros(1, TABLES)
    tables["cards"] = CARDS
    return tables


@jit
def reset(state, tables):
    for i in range(tables.cards):
        state.pile[i] = i
    determinize(state, tables, 0)
    state.turn = 1


@jit
def determinize(state, tables, seat):
    for i in range(tables.cards - 1, 0, -1):
        j = below(state, 0, i + 1)
        state.pile[i], state.pile[j] = state.pile[j], state.pile[i]


@jit
def legal_actions(state, tables, legal):
    for i in range(tables.cards):
        legal[i] = i
    return tables.cards


@jit
def apply(state, tables, action):
    state.guess = action
    state.end_reason = GUESSED


@jit
def write_record(state, tables, record):
    record.winner = 0 if state.guess == state.pile[0] else -1
    record.turn = state.turn
    record.score = record.winner + 1


ENGINE = Engine(
    state_dtype=STATE,
    tables_dtype=TABLES,
    record_dtype=RECORD,
    build_tables=build_tables,
    reset=reset,
    legal_actions=legal_actions,
    apply=apply,
    write_record=write_record,
    end_reasons={GUESSED: "guessed"},
    max_legal=CARDS,
    determinize=determinize,
)

GAME = Game(
    name="guess",
    title="Guess",
    behaviour=1,
    schema=ScenarioModel,
    scenarios=Path(__file__).parent / "scenarios",
    engine=lambda: ENGINE,
    roles=("player",),
    policies=lambda: [],
)
