"""Rare events of Castle Rampage, and the progress of a game towards them.

Progress is -1 if the event can no longer occur.
"""

from bartizan.simcore.compile.jit import jit_module
from bartizan.simcore.compile.rules import FIRST_GAME_REASON
from bartizan.simcore.game import Rare
from bartizan.simcore.rampage.components import NONE, SEATS, Structure
from bartizan.simcore.rampage.rules.zones import other

BEFORE = 5  # turn, counted over both players
WON = 100  # more than the initial cards of any two stacks


def quick_win(state, tables):
    """Return WON if the game is won before turn BEFORE, and -1 if this can no longer happen.

    Otherwise, return the largest number of cards that one player's Gate and Castle have lost.
    """
    if is_won(state) and state.turn < BEFORE:
        return WON
    if state.turn >= BEFORE or state.end_reason != 0:
        return -1
    most = 0
    for p in range(SEATS):
        most = max(most, fallen(state, tables, p))
    return most


def untouched(state, tables):
    """Return the progress towards a win with Gate and Castle as high as at the start.

    After the game, return WON if it was won in this way, otherwise -1. During the game, return the number of
    cards that one player's Gate and Castle have lost while the other's have lost none.
    """
    if state.end_reason != 0:
        return WON if is_won(state) and fallen(state, tables, other(state.loser)) == 0 else -1
    most = 0
    for p in range(SEATS):
        if fallen(state, tables, other(p)) == 0:
            most = max(most, fallen(state, tables, p))
    return most


def is_won(state):
    return state.end_reason >= FIRST_GAME_REASON and state.loser != NONE


def fallen(state, tables, p):
    """Return the number of cards that a player's Gate and Castle have lost since the start.

    It is 0 during set-up.
    """
    if state.turn == 0:
        return 0
    gate = tables.batches * tables.gate_per_batch - state.size[p, Structure.GATE]
    castle = tables.batches * tables.castle_per_batch - state.size[p, Structure.CASTLE]
    return max(gate, 0) + max(castle, 0)


jit_module(__name__)

RARE = {
    f"win-before-{BEFORE}": Rare(f"the game is won before turn {BEFORE}", quick_win, lambda scenario: WON),
    "untouched": Rare(
        "the winner's Gate and Castle end at least as high as they began", untouched, lambda scenario: WON
    ),
}
