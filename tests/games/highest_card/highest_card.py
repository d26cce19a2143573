"""The smallest card game whose card values can be worked out by hand: each player in turn draws a card and shows it, the highest wins, a tie nobody.

Like any game from outside the package it is one file. `rounds` of it are played one after another from one deck; only the last counts.
"""

from pathlib import Path
from typing import Annotated

import numpy as np
from pydantic import Field

from bartizan import LUCK_FIELDS, NO_ACTION, CardRow, Cards, Datum, Engine, Features, Game, ScenarioModel, jit
from bartizan.simcore.rng import aside, below

KINDS = ("duck", "goose", "swan")
MOST = 12
SHOWN, CUT_OFF = 3, 4


class Deck(Datum):
    copies: list[Annotated[int, Field(ge=1, le=4)]]


class Rounds(Datum):
    count: Annotated[int, Field(ge=1, le=2)]
    unfinished: bool  # two swans: the game is never decided


class HighestCard(ScenarioModel):
    deck: Deck
    rounds: Rounds


STATE = np.dtype(
    [
        *LUCK_FIELDS,
        ("end_reason", "i4"),
        ("to_move", "i4"),
        ("deck", "i4", (MOST,)),
        ("next", "i4"),
        ("hand", "i4"),
        ("shown", "i4", (2,)),
        ("turn", "i4"),
    ],
    align=True,
)
TABLES = np.dtype([("n", "i4"), ("deck", "i4", (MOST,)), ("turns", "i4"), ("unfinished", "u1")], align=True)
RECORD = np.dtype(
    [("game", "u4"), ("plies", "u4"), ("end_reason", "u1"), ("winner", "i1"), ("turn", "u2"), ("score", "i2")]
)


def build_tables(scenario):
    tables = np.zeros(1, TABLES)
    cards = [kind for kind, n in enumerate(scenario.model.deck.copies) for _ in range(n)]
    tables["n"] = len(cards)
    tables["deck"][0, : len(cards)] = cards
    tables["turns"] = 2 * scenario.model.rounds.count
    tables["unfinished"] = scenario.model.rounds.unfinished
    return tables


@jit
def reset(state, tables):
    for i in range(tables.n):
        state.deck[i] = tables.deck[i]
    for i in range(tables.n - 1, 0, -1):
        j = below(state, 0, i + 1)
        state.deck[i], state.deck[j] = state.deck[j], state.deck[i]
    draw(state)


@jit
def draw(state):
    state.to_move = state.turn % 2
    state.hand = state.deck[state.next]
    state.next += 1
    state.turn += 1


@jit
def determinize(state, tables):
    for i in range(tables.n - 1, state.next, -1):
        j = state.next + below(state, 0, i - state.next + 1)
        state.deck[i], state.deck[j] = state.deck[j], state.deck[i]
    return tables.n - state.next


@jit
def write_features(state, tables, features):
    second = state.to_move == 1
    features.time_gone = state.turn / (tables.turns + 1)
    features.card_of_the_first = state.shown[0] if second else state.hand
    features.card_of_the_second = state.hand if second else 1
    features.lead = features.card_of_the_first - features.card_of_the_second
    features.tie = features.lead == 0


@jit
def legal_actions(state, tables, legal):
    legal[0] = 0
    return 1


@jit
def apply(state, tables, action):
    state.shown[state.to_move] = state.hand
    if state.turn < tables.turns:
        draw(state)
    else:
        both = state.shown[0] == 2 and state.shown[1] == 2
        state.end_reason = CUT_OFF if tables.unfinished and both else SHOWN


@jit
def write_record(state, tables, record):
    first, second = state.shown[0], state.shown[1]
    record.winner = 0 if first > second else 1 if second > first else -1
    if state.end_reason == CUT_OFF:
        record.winner = -2
    record.turn = state.turn
    record.score = first


@jit
def due(state, tables, seat):
    return state.to_move == seat


@jit
def swap(state, tables, seat, kind):
    if state.hand == kind:
        return True
    left = 0
    for i in range(state.next, tables.n):
        left += state.deck[i] == kind
    which = aside(state, kind, left)
    for i in range(state.next, tables.n):
        if state.deck[i] == kind:
            if which == 0:
                state.deck[i], state.hand = state.hand, kind
                return True
            which -= 1
    return False


@jit
def note(state, tables, action, seen):
    """A card is shown as soon as it is drawn, by the first player or by the second."""
    if action != NO_ACTION:
        seen[state.hand, 0] += 1
        seen[state.hand, 1 + state.to_move] += 1


def table(scenario):
    deck = scenario.model.deck
    return [
        CardRow(name, n, kind, "", deck.source, deck.confidence)
        for kind, (name, n) in enumerate(zip(KINDS, deck.copies))
    ]


ENGINE = Engine(
    state_dtype=STATE,
    tables_dtype=TABLES,
    record_dtype=RECORD,
    build_tables=build_tables,
    reset=reset,
    legal_actions=legal_actions,
    apply=apply,
    write_record=write_record,
    end_reasons={SHOWN: "shown", CUT_OFF: "cut off"},
    max_legal=1,
    cards=Cards(table, lambda scenario: dict(enumerate(KINDS)), due, swap, ("shown first", "shown second"), note),
    shuffle_unseen=determinize,
    features=Features(
        np.dtype([(name, "f8") for name in ("time_gone", "card_of_the_first", "card_of_the_second", "lead", "tie")]),
        write_features,
    ),
)

GAME = Game(
    name="highest_card",
    title="Highest card",
    schema=HighestCard,
    scenarios=Path(__file__).parent / "scenarios",
    engine=lambda: ENGINE,
    behaviour=1,
    roles=("first", "second"),
    alike=True,
    home=Path(__file__),
)
