"""Functions shared by several Colditz policies: distances, dangers, goals.

They use only information that the seat may see.

An Allied player sees his own hand, the board, all Equipment and Kits (taken from open supplies) and the
number of cards in other places. The German sees his own hand and the board. No policy reads a deck, the other
side's cards or (Q28) an ally's hand.
"""

from bartizan.simcore.colditz.components import GUARDS, NONE, TEAM, Place, Symbol
from bartizan.simcore.colditz.rules.decks import holds
from bartizan.simcore.colditz.rules.pawns import is_on_the_run, is_posted, on_surface
from bartizan.simcore.colditz.rules.pow_moves import symbol_of
from bartizan.simcore.compile.jit import jit_module

FAR = 999


def way_out(state, tables, p, c):
    """Return the steps from c to the nearest target with the player's Equipment; FAR if there is none."""
    return way_out_with(
        tables, state.equipment[p, 0], state.equipment[p, 1], state.equipment[p, 2], state.equipment[p, 3], c
    )


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


def steps_to(tables, c, goal):
    """Return the steps from c to `goal` on foot, without cards; FAR if there is no way.

    The distance is symmetric. Pass the circle that varies between calls as `c`, because steps to one goal are
    adjacent in memory.
    """
    d = tables.board.steps[goal, c]
    return int(d) if d >= 0 else FAR


def steps_from_post(tables, c):
    """Return the steps to c from the nearest guard post; FAR if guards cannot walk there."""
    d = tables.board.post_steps[c]
    return int(d) if d >= 0 else FAR


def waits(state, tables, w):
    """Return whether POW w is in the grey zone but not in a tunnel."""
    return on_surface(state, w) and tables.board.grey[state.pow_at[w]]


def guard_distance(state, tables, c):
    """Return the movement points that the nearest guard needs to reach c; FAR if no guard can reach it.

    A guard in the barracks needs one point to be posted, then walks from the nearest guard post.
    """
    least, is_waiting = FAR, False
    for g in range(GUARDS):
        if is_posted(state, g):
            least = min(least, steps_to(tables, c, state.guard_at[g]))
        is_waiting |= state.guard_at[g] == Place.BARRACKS
    return min(least, steps_from_post(tables, c) + 1) if is_waiting else least


def danger(state, tables, c):
    """Return the probability that one throw brings a guard to c; 0 if c is safe."""
    if tables.board.safe[c]:
        return 0.0
    return tables.reach[min(guard_distance(state, tables, c), tables.reach.shape[0] - 1)]


def is_doorway(tables, c):
    """Return whether a space is a doorway, where a pawn blocks other pawns.

    It is in a room, next to a space outside the room.
    """
    board = tables.board
    if board.room[c] == NONE:
        return False
    for i in range(board.grey_first[c], board.grey_first[c + 1]):
        if board.room[board.grey_to[i]] != board.room[c]:
            return True
    return False


# ---------------------------------------------------------------- errands of the Allies


def half_symbols(state, tables, p):
    """Return the Kit symbols on the half cards that the player holds."""
    seen = 0
    for half in range(2):
        if holds(state, p, tables.half[half]):
            seen |= tables.half_items[half]
    return seen


def steps_to_symbol(tables, symbol, c):
    """Return the steps from c to the nearest room with this symbol; FAR if none can be reached on foot."""
    d = tables.board.symbol_steps[symbol, c]
    return d if d >= 0 else FAR


def kit_errand(state, tables, p, w):
    """Return the Kit symbol to which POW w should go; NONE if there is none.

    A POW who occupies a symbol stays. Each missing symbol in turn is assigned to the nearest POW without an
    errand.
    """
    have, busy = kit_keepers(state, tables, p)
    if busy >> (w - p * TEAM) & 1:
        return symbol_of(state, tables, w)
    for k in range(4):
        if have >> k & 1:
            continue
        best = nearest_idler(state, tables, p, Symbol.disguise + k, busy)
        if best == NONE:
            return NONE
        busy |= 1 << (best - p * TEAM)
        if best == w:
            return Symbol.disguise + k
    return NONE


def kit_keepers(state, tables, p):
    """Return the Kit symbols that the player has, and the POWs who should stay for them: two bit masks.

    The symbols are on the player's half cards, or his POWs occupy their rooms. One POW stays for each room.
    """
    have, busy = half_symbols(state, tables, p), 0
    for v in range(p * TEAM, (p + 1) * TEAM):
        s = symbol_of(state, tables, v)
        if s >= Symbol.disguise and not have >> (s - Symbol.disguise) & 1:
            have |= 1 << (s - Symbol.disguise)
            busy |= 1 << (v - p * TEAM)
    return have, busy


def nearest_idler(state, tables, p, symbol, busy):
    """Return the POW nearest to a symbol who is not in the bit mask `busy`; NONE if there is none."""
    best, nearest = NONE, FAR
    for v in range(p * TEAM, (p + 1) * TEAM):
        if on_surface(state, v) and not busy >> (v - p * TEAM) & 1:
            d = steps_to_symbol(tables, symbol, state.pow_at[v])
            if d < nearest:
                best, nearest = v, d
    return best


def gatherer(state, tables, p, w, e):
    """Return whether POW w is one of the player's two POWs nearest to rooms with Equipment e."""
    own = steps_to_symbol(tables, e, state.pow_at[w])
    nearer = 0
    for v in range(p * TEAM, (p + 1) * TEAM):
        if v != w and on_surface(state, v) and not is_on_the_run(state, tables, v):
            d = steps_to_symbol(tables, e, state.pow_at[v])
            nearer += d < own or (d == own and v < w)
    return nearer < 2


def rounds_left(state, tables):
    return tables.rounds - state.round


def won_already(state):
    """Return whether a POW has escaped other than by Do or Die."""
    return state.first_escape > 0


jit_module(__name__)
