"""Errands: where a POW is to go for a Kit, for Equipment, for the start of a run.

Shared by the Allied policies.
"""

from bartizan.policies.colditz.aids import FAR
from bartizan.simcore.colditz.components import NONE, TEAM, Symbol
from bartizan.simcore.colditz.rules.claims import symbol_of
from bartizan.simcore.colditz.rules.decks import holds
from bartizan.simcore.colditz.rules.pawns import is_on_the_run, on_surface
from bartizan.simcore.compile.jit import jit


@jit
def half_symbols(state, tables, p):
    """Kit symbols on the half cards the player holds."""
    seen = 0
    for half in range(2):
        if holds(state, p, tables.half[half]):
            seen |= tables.half_items[half]
    return seen


@jit
def steps_to_symbol(tables, symbol, c):
    """Steps to the nearest room with a picture; FAR when it cannot be walked to."""
    d = tables.board.symbol_steps[symbol, c]
    return d if d >= 0 else FAR


@jit
def kit_errand(state, tables, p, w):
    """The symbol POW w is to stand on for the Kit, or NONE: missing symbols in turn take the nearest POW that
    has no errand yet.
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


@jit
def kit_keepers(state, tables, p):
    """POWs in the right rooms stay, one for each symbol: bit masks of the symbols there are, and of these
    POWs.
    """
    have, busy = half_symbols(state, tables, p), 0
    for v in range(p * TEAM, (p + 1) * TEAM):
        s = symbol_of(state, tables, v)
        if s >= Symbol.disguise and not have >> (s - Symbol.disguise) & 1:
            have |= 1 << (s - Symbol.disguise)
            busy |= 1 << (v - p * TEAM)
    return have, busy


@jit
def nearest_idler(state, tables, p, symbol, busy):
    """The POW nearest to a symbol that is not in the bit mask `busy`, or NONE."""
    best, nearest = NONE, FAR
    for v in range(p * TEAM, (p + 1) * TEAM):
        if on_surface(state, v) and not busy >> (v - p * TEAM) & 1:
            d = steps_to_symbol(tables, symbol, state.pow_at[v])
            if d < nearest:
                best, nearest = v, d
    return best


@jit
def gatherer(state, tables, p, w, e):
    """POW w is one of the two nearest to rooms with Equipment e."""
    own = steps_to_symbol(tables, e, state.pow_at[w])
    nearer = 0
    for v in range(p * TEAM, (p + 1) * TEAM):
        if v != w and on_surface(state, v) and not is_on_the_run(state, tables, v):
            d = steps_to_symbol(tables, e, state.pow_at[v])
            nearer += d < own or (d == own and v < w)
    return nearer < 2


@jit
def rounds_left(state, tables):
    return tables.rounds - state.round


@jit
def won_already(state):
    """Somebody has escaped, other than by Do or Die."""
    return state.first_escape > 0
