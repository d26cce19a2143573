"""The record of a finished game (section 6)."""

from numba import literal_unroll

from bartizan.simcore.compile.jit import jit
from bartizan.simcore.compile.rules import NOBODY
from bartizan.simcore.rampage.components import NO_SCORE, NONE, End, Structure
from bartizan.simcore.rampage.record import TALLIES
from bartizan.simcore.rampage.rules.zones import other
from bartizan.simcore.reporting import Group, Reporting

REPORTING = Reporting(
    time="turn",
    score="cards left in the Castle",
    scored="the winner",
    scores="castle_{}",
    groups=(
        Group(
            "What happens in a game",
            {
                "plays": "cards played",
                "attacks": "attacks",
                "repelled": "attacks repelled",
                "traded": "attacks with both cards destroyed",
                "to_castle": "attacks that meet a Castle",
                "felled": "cards destroyed in attacks",
                "boosts": "boosts paid",
                "strengthened": "cards added to Gate or Castle",
                "paid": "cards discarded for costs",
                "lost_cards": "hand cards lost to the other player",
                "texts": "purple texts that took effect",
                "raised": "permanents laid",
                "razed": "permanents destroyed",
                "drawn": "cards drawn",
                "reshuffles": "times the pile was reshuffled",
                "stuck": "turns without a deed",
                "own_turn": "lost in the own turn",
            },
        ),
    ),
)


@jit
def winner(state):
    """Return the winning seat, or NOBODY (6.1 - 6.4)."""
    return NOBODY if state.loser == NONE else other(state.loser)


@jit
def write_record(state, tables, record):
    """Write the result of a game to `record`, one row."""
    who = winner(state)
    castle, gate = Structure.CASTLE, Structure.GATE
    record.winner = who
    record.turn = record.turns = state.turn
    record.score = state.size[who, castle] if who >= 0 else NO_SCORE
    record.seat0_wins, record.seat1_wins = who == 0, who == 1
    record.castle_0, record.castle_1 = state.size[0, castle], state.size[1, castle]
    record.gate_0, record.gate_1 = state.size[0, gate], state.size[1, gate]
    record.own_turn = state.end_reason == End.OWN_TURN
    for name in literal_unroll(TALLIES):
        record[name] = state[name]
    record.plays, record.boosts, record.strengthened = state.n_plays, state.n_boosts, state.n_strengthened
    record.texts, record.drawn = state.n_texts, state.n_drawn
