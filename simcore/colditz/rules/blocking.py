"""6.5, Q14: where a guard would block the way of POWs through the grey zone."""

from bartizan.simcore.colditz.components import APPEL, NONE, POWS, Arc, GuardsBlock
from bartizan.simcore.colditz.rules.pawns import GUARD
from bartizan.simcore.compile.jit import jit

APPEL_BIT = 30


@jit
def blocks(state, tables, g, c):
    """A guard g at c would cut some POW off from the Appel or a room; other guards stand where they stand.

    Modifies the search fields of `state`.
    """
    if c == APPEL or not tables.board.grey[c]:
        return False
    if tables.guards_block == GuardsBlock.corridors:
        return tables.narrow[c] == 1
    if around(state, tables, g, c):
        return False
    return cuts(state, tables, g, c)


@jit
def is_walked(state, tables, g, arc):
    """The arc belongs to the grey zone, and no other guard stands at its end."""
    y = tables.board.arc_to[arc]
    there = state.on[y]
    return (
        tables.board.grey[y]
        and tables.board.arc_kind[arc] <= Arc.PASS
        and (there < GUARD or there == GUARD + g)
    )


@jit
def around(state, tables, g, c):
    """Quick answer: the neighbours of c are linked among themselves in a chain, so nobody needs c."""
    board = tables.board
    n = 0
    for arc in range(board.arc_first[c], board.arc_first[c + 1]):
        if is_walked(state, tables, g, arc):
            state.ring[n] = board.arc_to[arc]
            n += 1
    if n <= 1:
        return True
    linked = 1  # ring[:linked] hang together
    k = 0
    while k < linked:
        for arc in range(board.arc_first[state.ring[k]], board.arc_first[state.ring[k] + 1]):
            y = board.arc_to[arc]
            for i in range(linked, n):
                if state.ring[i] == y and is_walked(state, tables, g, arc):
                    state.ring[i], state.ring[linked] = state.ring[linked], state.ring[i]
                    linked += 1
                    break
        k += 1
    return linked == n


@jit
def cuts(state, tables, g, c):
    """Without c: does a part with a POW lose the Appel or a room to another part?"""
    board = tables.board
    state.search += 1
    state.mark[c] = state.search
    parts = 0
    for arc in range(board.arc_first[c], board.arc_first[c + 1]):
        if is_walked(state, tables, g, arc) and state.mark[board.arc_to[arc]] != state.search:
            flood(state, tables, g, board.arc_to[arc], parts)
            parts += 1
    for i in range(parts):
        for j in range(parts):
            if i != j and state.part_pow[i] and state.part_rooms[j] & ~state.part_rooms[i]:
                return True
    return False


@jit
def flood(state, tables, g, start, part):
    """Note which rooms (and the Appel) a part of the grey zone holds, and whether a POW stands on it.

    Modifies the search fields of `state`.
    """
    board = tables.board
    rooms, pows = 0, False
    state.queue[0] = start
    state.mark[start] = state.search
    head, tail = 0, 1
    while head < tail:
        x = state.queue[head]
        head += 1
        if x == APPEL:
            rooms |= 1 << APPEL_BIT
            pows |= somebody_in_appel(state)
        elif 0 < state.on[x] < GUARD:
            pows = True
        if board.room[x] != NONE:
            rooms |= 1 << board.room[x]
        for arc in range(board.arc_first[x], board.arc_first[x + 1]):
            y = board.arc_to[arc]
            if state.mark[y] != state.search and is_walked(state, tables, g, arc):
                state.mark[y] = state.search
                state.queue[tail] = y
                tail += 1
    state.part_rooms[part] = rooms
    state.part_pow[part] = pows


@jit
def somebody_in_appel(state):
    for w in range(POWS):
        if state.pow_at[w] == APPEL:
            return True
    return False
