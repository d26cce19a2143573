"""10. How a game ends and who has won."""

from bartizan.simcore.colditz.components import ALLIED, GERMAN, End, RankCounts
from bartizan.simcore.colditz.rules.pawns import in_play
from bartizan.simcore.compile.jit import jit
from bartizan.simcore.compile.rules import NOBODY


@jit
def note_escape(state, tables, p, by_stake):
    """10.4: remember who first had one and two escapes; the race may be won. Modifies `state`."""
    total = state.escaped[p] + state.staked_out[p]
    for goal in range(1, 3):
        if total >= goal and state.race[goal - 1] == 0:
            state.race[goal - 1] = state.round
            state.racer[goal - 1] = p
            state.racer_staked[goal - 1] = by_stake
    if tables.race and total >= tables.race_target:
        state.end_reason = End.RACE_WON
    look_for_end(state, tables)


@jit
def look_for_end(state, tables):
    """10.1: nobody left to play. Modifies `state`."""
    for p in range(tables.players):
        if in_play(state, p):
            return
    if state.end_reason == 0:
        state.end_reason = End.NOBODY_LEFT


@jit
def winner(state, tables):
    """10.2 - 10.4: the seat that has won; NOBODY: a draw."""
    if tables.race:
        return ALLIED if state.end_reason == End.RACE_WON else GERMAN
    if state.escaped.any():
        return ALLIED
    return NOBODY if state.staked_out.any() else GERMAN


@jit
def first_player(state, tables):
    """10.2: the Allied player with the most escapes; NOBODY when there are none or several share the place
    (Q22).
    """
    best, who = 0, NOBODY
    for p in range(tables.players):
        n = state.escaped[p] + (state.staked_out[p] if tables.rank_counts == RankCounts.all else 0)
        if n == best:
            who = NOBODY
        if n > best:
            best, who = n, p
    return who
