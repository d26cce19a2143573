"""Highest card, won by a coin that takes the card in hand for its sign: no card is worth more than another.

Games with another card end otherwise half of the time, so a value is an estimate and not a known zero.
"""

from dataclasses import replace
from pathlib import Path

from bartizan import jit
from bartizan.simcore.rng import below
from tests.games.highest_card import highest_card as plain


@jit
def apply(state, tables, action):
    state.shown[state.to_move] = state.hand
    if state.turn < tables.turns:
        plain.draw(state)
    else:
        state.shown[1] = (state.shown[0] + state.shown[1] + below(state, 0, 2)) % 2
        state.end_reason = plain.SHOWN


@jit
def write_record(state, tables, record):
    record.winner = state.shown[1]
    record.turn = state.turn
    record.score = state.shown[0]


ENGINE = replace(plain.ENGINE, apply=apply, write_record=write_record)
GAME = replace(
    plain.GAME,
    name="no_difference",
    title="No difference",
    alike=False,
    engine=lambda: ENGINE,
    home=Path(__file__),
    scenarios=Path(__file__).parent / "fair",
)
