"""6.5, Q14: where a guard would block the way of POWs through the grey zone."""

from bartizan.simcore.colditz.components import APPEL, NONE, POWS, GuardsBlock
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
    n = write_ring(state, tables, g, c)
    return not hangs_together(state, tables, n) and cuts(state, tables, g, c, n)


@jit
def is_free(state, g, c):
    """No guard other than g stands at c."""
    return state.on[c] < GUARD or state.on[c] == GUARD + g


@jit
def write_ring(state, tables, g, c):
    """The free neighbours of c in the grey zone, into `state.ring`; how many there are."""
    n = 0
    for arc in range(tables.board.grey_first[c], tables.board.grey_first[c + 1]):
        y = tables.board.grey_to[arc]
        if is_free(state, g, y):
            state.ring[n] = y
            n += 1
    return n


@jit
def hangs_together(state, tables, n):
    """Quick answer: the n neighbours are linked among themselves in a chain, so nobody needs the circle.

    Modifies the order of `state.ring`.
    """
    board = tables.board
    linked = 1  # ring[:linked] hang together
    k = 0
    while k < linked and linked < n:
        for arc in range(board.grey_first[state.ring[k]], board.grey_first[state.ring[k] + 1]):
            y = board.grey_to[arc]
            for i in range(linked, n):
                if state.ring[i] == y:
                    state.ring[i], state.ring[linked] = state.ring[linked], state.ring[i]
                    linked += 1
                    break
        k += 1
    return linked >= n


@jit
def cuts(state, tables, g, c, n):
    """Without c, whose n neighbours are in the ring: does a part with a POW lose the Appel or a room?

    Modifies the search fields of `state`.
    """
    state.search += 1
    state.mark[c] = state.search
    for i in range(n):
        state.mark[state.ring[i]] = -state.search  # not met yet
    parts = 0
    for i in range(n):
        if state.mark[state.ring[i]] != state.search:
            if flood(state, tables, g, state.ring[i], parts, n):
                return False
            parts += 1
    for i in range(parts):
        for j in range(parts):
            if i != j and state.part_pow[i] and state.part_rooms[j] & ~state.part_rooms[i]:
                return True
    return False


@jit
def flood(state, tables, g, start, part, n):
    """Note which rooms (and the Appel) a part of the grey zone holds, and whether a POW stands on it.

    True, and nothing noted, once all n neighbours of the guard's circle are met: there is no other part.
    Modifies the search fields of `state`.
    """
    board = tables.board
    rooms, pows = 0, False
    state.queue[0] = start
    state.mark[start] = state.search
    head, tail = 0, 1
    met = 1
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
        for arc in range(board.grey_first[x], board.grey_first[x + 1]):
            y = board.grey_to[arc]
            if state.mark[y] != state.search and is_free(state, g, y):
                if state.mark[y] == -state.search:
                    met += 1
                    if met == n:
                        return True
                state.mark[y] = state.search
                state.queue[tail] = y
                tail += 1
    state.part_rooms[part] = rooms
    state.part_pow[part] = pows
    return False


@jit
def somebody_in_appel(state):
    for w in range(POWS):
        if state.pow_at[w] == APPEL:
            return True
    return False
