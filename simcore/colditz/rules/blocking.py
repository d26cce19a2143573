"""6.5, Q14: where a guard would block the way of POWs through the grey zone.

One walk over the grey zone, depth first, answers for every circle at once (Tarjan's lowest numbers): circles
are numbered as they are met, and a branch from which no step leads back before circle c hangs by c alone.
"""

import numpy as np

from bartizan.simcore.colditz.components import APPEL, NONE, POWS, GuardsBlock
from bartizan.simcore.colditz.rules.pawns import GUARD
from bartizan.simcore.compile.jit import jit

# What a piece of the grey zone holds, as a bit mask: a bit for each room, and
APPEL_BIT = 1 << 29
POW_BIT = 1 << 30  # a POW stands on it


@jit
def begin_blocking(state):
    """Pawns have moved since `blocks` was last asked. Modifies the search fields of `state`."""
    state.search += 1
    state.n_met = 0


@jit
def blocks(state, tables, g, c):
    """A guard g at c would cut some POW off from the Appel or a room; other guards stand where they stand.

    After `begin_blocking`. Modifies the search fields of `state`.
    """
    if c == APPEL or not tables.board.grey[c]:
        return False
    if tables.guards_block == GuardsBlock.corridors:
        return tables.narrow[c] == 1
    if state.mark[c] != state.search:
        walk_around(state, tables, g, c)
    return state.is_joint[state.reach[c]] == 1 and cuts(state, tables, c)


@jit
def cuts(state, tables, c):
    """Without c, does a piece with a POW lose the Appel or a room that another piece holds?

    Pieces: the branches that hang by c, and all the rest.
    """
    board = tables.board
    x = state.reach[c]
    rest = state.held_before[x] | state.held_after[state.last[x]]
    everywhere = rest
    for arc in range(board.grey_first[c], board.grey_first[c + 1]):
        if is_branch(state, board.grey_to[arc], x):
            v = state.reach[board.grey_to[arc]]
            everywhere |= state.held[v]
            if state.lowest[v] < x:
                rest |= state.held[v]
    if loses(rest, everywhere):
        return True
    for arc in range(board.grey_first[c], board.grey_first[c + 1]):
        if is_branch(state, board.grey_to[arc], x):
            v = state.reach[board.grey_to[arc]]
            if state.lowest[v] >= x and loses(state.held[v], everywhere):
                return True
    return False


@jit
def loses(piece, everywhere):
    """A POW in a piece cannot get to all the rooms there are."""
    return piece & POW_BIT != 0 and everywhere & ~piece != 0


@jit
def is_branch(state, y, x):
    """Circle y was met from the circle with number x."""
    return state.mark[y] == state.search and state.met_from[state.reach[y]] == x


# ---------------------------------------------------------------- the walk


@jit
def walk_around(state, tables, g, start):
    """Number all circles that hang together with `start`, and note what lies before and after each.

    Guard g is not there, other guards stand where they stand. Modifies the search fields of `state`: `reach`
    holds numbers of circles, `queue` circles by number.
    """
    first = state.n_met
    number_circles(state, tables, g, start)
    held = 0
    for x in range(first, state.n_met):
        state.held_before[x] = held
        held |= own_bits(state, tables, state.queue[x])
    held = 0
    for x in range(state.n_met - 1, first - 1, -1):
        state.held_after[x] = held
        held |= own_bits(state, tables, state.queue[x])


@jit
def number_circles(state, tables, g, start):
    """Depth first from `start`. Modifies the search fields of `state`."""
    board = tables.board
    x = meet(state, tables, start, NONE)
    while x != NONE:
        c = state.queue[x]
        before = x
        arc, end = state.next_arc[x], board.grey_first[c + 1]
        while arc < end and x == before:
            y = board.grey_to[arc]
            arc += 1
            if state.mark[y] == state.search:
                state.lowest[x] = min(state.lowest[x], state.reach[y])
            elif is_free(state, g, y):
                state.next_arc[x] = arc
                x = meet(state, tables, y, x)
        if x == before:
            x = leave(state, x)


@jit
def is_free(state, g, c):
    """No guard other than g stands at c."""
    return state.on[c] < GUARD or state.on[c] == GUARD + g


@jit
def meet(state, tables, c, met_from):
    """Circle c gets the next number, which is returned. Modifies the search fields of `state`."""
    x = state.n_met
    state.n_met = x + 1
    state.mark[c] = state.search
    state.reach[c] = state.lowest[x] = x
    state.queue[x] = c
    state.met_from[x] = met_from
    state.next_arc[x] = tables.board.grey_first[c]
    state.held[x] = own_bits(state, tables, c)
    state.is_joint[x] = 0
    return np.int64(x)


@jit
def leave(state, x):
    """All that is met from number x has been walked; where it was met from. Modifies the search fields."""
    up = np.int64(state.met_from[x])
    state.last[x] = state.n_met - 1
    if up != NONE:
        state.lowest[up] = min(state.lowest[up], state.lowest[x])
        state.held[up] |= state.held[x]
        if state.lowest[x] >= up:
            state.is_joint[up] = 1
    return up


@jit
def own_bits(state, tables, c):
    """The room a circle lies in, or the Appel; and whether a POW stands there."""
    if c == APPEL:
        return APPEL_BIT | (POW_BIT if somebody_in_appel(state) else 0)
    room = tables.board.room[c]
    return (0 if room == NONE else 1 << int(room)) | (POW_BIT if 0 < state.on[c] < GUARD else 0)


@jit
def somebody_in_appel(state):
    for w in range(POWS):
        if state.pow_at[w] == APPEL:
            return True
    return False
