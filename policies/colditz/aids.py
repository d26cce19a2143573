"""What several Colditz policies look at: distances, dangers, wishes. Pure functions of what the seat may see.

The Allies see their own hands, the board, all Equipment and Kits (taken from open supplies) and the number of
cards elsewhere; the German sees his own hand and the board. Nobody looks at a deck, at the other side's cards
or (Q28) at an ally's hand.
"""

from bartizan.simcore.colditz.components import GUARDS, NONE, Place
from bartizan.simcore.colditz.rules.pawns import is_posted, on_surface
from bartizan.simcore.compile.jit import jit

FAR = 999


@jit
def way_out(state, tables, p, c):
    """Steps from c to the nearest target with the Equipment the player holds; FAR when there is none."""
    return way_out_with(
        tables, state.equipment[p, 0], state.equipment[p, 1], state.equipment[p, 2], state.equipment[p, 3], c
    )


@jit
def way_out_with(tables, cutters, passes, keys, ropes, c):
    table = tables.board.way_out
    d = table[
        min(cutters, table.shape[0] - 1),
        min(passes, table.shape[1] - 1),
        min(keys, table.shape[2] - 1),
        min(ropes, table.shape[3] - 1),
        c,
    ]
    return d if d >= 0 else FAR


@jit
def steps_to(tables, c, goal):
    """Steps on foot, without cards; FAR where there is no way. Name first what varies: as many lead back, and
    steps to one goal lie side by side in memory.
    """
    d = tables.board.steps[goal, c]
    return int(d) if d >= 0 else FAR


@jit
def steps_from_post(tables, c):
    """Steps to c from the nearest circle where guards are posted; FAR where they cannot walk to."""
    d = tables.board.post_steps[c]
    return int(d) if d >= 0 else FAR


@jit
def waits(state, tables, w):
    """POW w is in the grey zone, in no tunnel."""
    return on_surface(state, w) and tables.board.grey[state.pow_at[w]]


@jit
def guard_distance(state, tables, c):
    """Points a guard needs to reach c: from where he stands, or posted from the barracks; FAR: nobody can."""
    least, is_waiting = FAR, False
    for g in range(GUARDS):
        if is_posted(state, g):
            least = min(least, steps_to(tables, c, state.guard_at[g]))
        is_waiting |= state.guard_at[g] == Place.BARRACKS
    return min(least, steps_from_post(tables, c) + 1) if is_waiting else least


@jit
def danger(state, tables, c):
    """Chance that one throw brings a guard to c."""
    if tables.board.safe[c]:
        return 0.0
    return tables.reach[min(guard_distance(state, tables, c), tables.reach.shape[0] - 1)]


@jit
def is_doorway(tables, c):
    """A space of a room from which one step leads out of it: who stops there shuts others out."""
    board = tables.board
    if board.room[c] == NONE:
        return False
    for i in range(board.grey_first[c], board.grey_first[c + 1]):
        if board.room[board.grey_to[i]] != board.room[c]:
            return True
    return False
