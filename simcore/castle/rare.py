"""Rare events of Castle, and the progress of a game towards them (-1 if the event can no longer occur)."""

from bartizan.simcore.castle.components import NONE, ROYALS, SEATS, SQUARES, End, Royal
from bartizan.simcore.castle.rules.grid import bit
from bartizan.simcore.compile.jit import jit_module
from bartizan.simcore.game import Rare

BEFORE = 10  # turn, counted over all players
WON = 2 * SEATS * ROYALS + 2


def quick_win(state, tables):
    """Return WON if only one King is left before turn BEFORE, and -1 if this can no longer happen.

    Otherwise, return twice the number of royals lost by all players except the one who has lost fewest, plus
    1 if a King is face up.
    """
    if state.end_reason == End.LAST_KING and state.turn < BEFORE:
        return WON
    if state.turn >= BEFORE or state.end_reason != 0:
        return -1
    return 2 * (royals_gone(state, tables) - fewest_gone(state, tables)) + is_king_up(state, tables)


def last_stand(state, tables):
    """Return WON if a player has won with only the King left, and -1 if the game has ended otherwise.

    Otherwise, return the largest number of royals that a living player has lost or, if a player has only the
    King left, the number that all players have lost.
    """
    if state.end_reason != 0:
        return WON if state.end_reason == End.LAST_KING and fewest_gone(state, tables) == ROYALS - 1 else -1
    best = 0
    for p in range(tables.players):
        mine = gone(state, p)
        if mine < ROYALS - 1:
            best = max(best, mine)
        elif mine == ROYALS - 1:
            best = max(best, royals_gone(state, tables))
    return best


def is_king_up(state, tables):
    for p in range(tables.players):
        for s in range(SQUARES):
            if (
                state.up[p] & bit(s)
                and state.castle[p, s] != NONE
                and state.castle[p, s] == state.royal[p, Royal.KING]
            ):
                return 1
    return 0


def gone(state, p):
    """Return the number of royals that player `p` has lost. A player who loses the King loses all royals."""
    n = 0
    for k in range(ROYALS):
        n += state.royal[p, k] == NONE
    return n


def royals_gone(state, tables):
    n = 0
    for p in range(tables.players):
        n += gone(state, p)
    return n


def fewest_gone(state, tables):
    """Return the smallest number of royals that a player has lost."""
    least = ROYALS
    for p in range(tables.players):
        least = min(least, gone(state, p))
    return least


jit_module(__name__)

RARE = {
    f"win-before-{BEFORE}": Rare(f"one King is left before turn {BEFORE}", quick_win, lambda scenario: WON),
    "last-stand": Rare(
        "a player wins with only the King left of the royals", last_stand, lambda scenario: WON
    ),
}
