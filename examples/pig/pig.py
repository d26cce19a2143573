"""Pig, a game from outside the package: everything a game needs, in one file.

    bartizan run examples/pig/pig.py --policy first=hold:at=25 --policy second=hold:at=20

Two players take turns. On your turn, roll a die as often as you like. The pips add up, but a 1 ends the turn
without points. Hold to bank the sum. The first player to reach the goal wins. docs/adding-a-game.md walks
through this file.
"""

from pathlib import Path
from typing import Annotated

import numpy as np
from pydantic import Field

from bartizan import (
    LUCK_FIELDS,
    Datum,
    Engine,
    Features,
    Game,
    Policy,
    Reporting,
    ScenarioModel,
    Setting,
    all_open,
    die,
    jit,
)

# ---------------------------------------------------------------- the scenario file: numbers with a source


class Dice(Datum):
    sides: Annotated[int, Field(ge=2, le=20)]
    loses_on: Annotated[int, Field(ge=1, le=20)]


class Goal(Datum):
    points: Annotated[int, Field(ge=1, le=10_000)]


class PigScenario(ScenarioModel):
    dice: Dice
    goal: Goal

    def problems(self):
        if self.dice.loses_on > self.dice.sides:
            yield "dice.loses_on", f"no face {self.dice.loses_on} on a die of {self.dice.sides} sides"


# ---------------------------------------------------------------- state, constants, record

STATE = np.dtype(
    [
        *LUCK_FIELDS,
        ("end_reason", "i4"),
        ("to_move", "i4"),
        ("turn", "i4"),
        ("at_stake", "i4"),
        ("banked", "i4", (2,)),
        ("winner", "i4"),
    ],
    align=True,
)
TABLES = np.dtype([("sides", "i4"), ("loses_on", "i4"), ("goal", "i4")], align=True)
RECORD = np.dtype(
    [
        ("game", "u4"),
        ("plies", "u4"),
        ("end_reason", "u1"),
        ("winner", "i1"),
        ("turn", "u2"),
        ("score", "i2"),
        ("score_0", "i2"),
        ("score_1", "i2"),
        ("margin", "i2"),
    ]
)

ROLL, HOLD = 0, 1
GOAL_REACHED = 3  # end reasons below 3 are reserved
LUCK = 0  # the one stream of dice


def build_tables(scenario):
    tables = np.zeros(1, TABLES)
    tables["sides"] = scenario.model.dice.sides
    tables["loses_on"] = scenario.model.dice.loses_on
    tables["goal"] = scenario.model.goal.points
    return tables


# ---------------------------------------------------------------- the rules


@jit
def reset(state, tables):
    """Set up the game. All other fields of `state` are 0."""
    state.turn = 1
    state.winner = -1


@jit
def legal_actions(state, tables, legal):
    legal[0] = ROLL
    legal[1] = HOLD
    return 2


@jit
def apply(state, tables, action):
    if action == ROLL:
        pips = die(state, LUCK, tables.sides)
        if pips != tables.loses_on:
            state.at_stake += pips
            return
        state.at_stake = 0
    else:
        state.banked[state.to_move] += state.at_stake
        if state.banked[state.to_move] >= tables.goal:
            state.winner = state.to_move
            state.end_reason = GOAL_REACHED
            return
    pass_the_die(state)


@jit
def pass_the_die(state):
    state.at_stake = 0
    state.to_move = 1 - state.to_move
    state.turn += 1


@jit
def write_record(state, tables, record):
    record.winner = state.winner
    record.turn = state.turn
    record.score = record.score_0 = state.banked[0]
    record.score_1 = state.banked[1]
    record.margin = state.banked[0] - state.banked[1]


# ------------------------------------- features for the win-probability model of --luck-adjusted


@jit
def write_features(state, tables, features):
    first = state.banked[0] + (state.at_stake if state.to_move == 0 else 0)
    second = state.banked[1] + (state.at_stake if state.to_move == 1 else 0)
    features.share_of_the_goal = max(first, second) / tables.goal
    features.points_of_the_first = first
    features.points_of_the_second = second
    features.at_stake = state.at_stake
    features.who_rolls = state.to_move


FEATURES = Features(
    np.dtype(
        [
            ("share_of_the_goal", "f8"),
            ("points_of_the_first", "f8"),
            ("points_of_the_second", "f8"),
            ("at_stake", "f8"),
            ("who_rolls", "f8"),
        ]
    ),
    write_features,
    open_to=lambda seat, scenario: FEATURES.names,  # nothing is hidden
)


# ---------------------------------------------------------------- words for the trace


def describe_action(state, tables, action, scenario):
    return (
        "rolls"
        if action == ROLL
        else f"holds {state['at_stake']} and has {state['banked'][state['to_move']] + state['at_stake']}"
    )


def describe_events(state, tables, scenario):
    return [f"at stake: {state['at_stake']}"] if state["at_stake"] else []


# ---------------------------------------------------------------- players


def choose_hold(state, tables, legal, n_legal, weights):
    """Hold at a fixed stake, or if the banked points and the stake reach the goal."""
    if state.at_stake >= weights[0] or state.banked[state.to_move] + state.at_stake >= tables.goal:
        return HOLD
    return ROLL


HOLD_AT = Policy(
    "hold", choose_hold, "holds when this turn brought `at` points, or enough to win", weights={"at": 20.0}
)


# ---------------------------------------------------------------- the game

REPORTING = Reporting(
    score="points",
    scores="score_{}",  # one column per seat
    settings={
        "goal.points": Setting("goal", "a goal of {} points"),
        "dice.sides": Setting("dice", "dice of {} sides"),
    },
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
    end_reasons={GOAL_REACHED: "goal reached"},
    max_legal=2,
    acts={"roll": ROLL, "hold": HOLD},
    describe_action=describe_action,
    describe_events=describe_events,
    reporting=REPORTING,
    features=FEATURES,
    determinize=all_open,
)

GAME = Game(
    name="pig",
    title="Pig",
    schema=PigScenario,
    scenarios=Path(__file__).parent / "scenarios",
    engine=lambda: ENGINE,
    behaviour=1,
    roles=("first", "second"),
    alike=True,
    rules_source="John Scarne, Scarne on Dice, 1945",
    policies=lambda: [HOLD_AT],
    default_policy="hold",
    home=Path(__file__),
)
