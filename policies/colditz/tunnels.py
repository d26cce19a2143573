"""Tunnels: which one a player uses, who digs, and how they go along it.

A tunnel takes no Equipment, POWs in it are safe from arrest and Appel, and it ends beyond where guards shut
the ways out.
"""

from bartizan.policies.colditz.aids import FAR, waits, way_out
from bartizan.simcore.colditz.components import APPEL, NONE, TEAM, TUNNELS, Act, Tunnel
from bartizan.simcore.colditz.rules.decks import holds
from bartizan.simcore.colditz.rules.tunnels import in_tunnel
from bartizan.simcore.compile.jit import jit

DIGGERS = 2  # of a player: with fewer in it a tunnel is closed (8.3)


@jit
def far_end(tables, t):
    return tables.board.chain[t, tables.board.chain_length[t] - 1]


@jit
def tunnel_for(state, tables, p, most):
    """The tunnel that player p can use with the fewest steps from its far end to a target, at most `most`;
    NONE.
    """
    chosen, least = NONE, most
    for t in range(TUNNELS):
        left = way_out(state, tables, p, far_end(tables, t))
        if left <= least and is_usable(state, tables, p, t):
            chosen, least = t, left
    return chosen


@jit
def is_usable(state, tables, p, t):
    """The player holds its card, or opened it, or two are in it whom others may join (8.1)."""
    if state.tunnel[t] == Tunnel.UNUSED:
        return holds(state, p, tables.open_tunnel[t])
    joins = state.digger[t] == p or in_tunnel(state, t) >= 2
    return state.tunnel[t] == Tunnel.OPEN and joins and not state.shut[t]


@jit
def diggers_for(state, tables, p, t):
    """Bit mask of the player's POWs who are in tunnel t, or are to go there as the nearest."""
    mask, n = 0, 0
    for i in range(TEAM):
        if state.pow_at[p * TEAM + i] > APPEL and state.under[p * TEAM + i] == t:
            mask |= 1 << i
            n += 1
    while n < DIGGERS:
        i = nearest_outside(state, tables, p, t, mask)
        if i == NONE:
            break
        mask |= 1 << i
        n += 1
    return mask


@jit
def nearest_outside(state, tables, p, t, mask):
    """Number in the team of the POW nearest to the mouth of tunnel t, without those of a bit mask; NONE."""
    best, least = NONE, FAR
    for i in range(TEAM):
        w = p * TEAM + i
        if waits(state, tables, w) and not mask >> i & 1:
            d = tables.board.steps_in[t, state.pow_at[w]]
            if d < least:
                best, least = i, d
    return best


@jit
def is_stuck(state, tables, w):
    """Somebody is in the tunnel right before POW w, or its far end is reached."""
    t, i = state.under[w], tables.board.chain_index[state.pow_at[w]]
    return i == tables.board.chain_length[t] - 1 or state.below[tables.board.chain[t, i + 1]] != 0


@jit
def worth_below(state, tables, w, t, act, c):
    """A place for a POW who digs: the first two go in with the same throw, then as far along as they come."""
    is_in = state.under[w] != NONE
    if act != Act.UNDER and not (act == Act.STAY and is_in):
        return -1.0 * (FAR if is_in else tables.board.steps_in[t, c])
    i = tables.board.chain_index[c]
    if not is_in and in_tunnel(state, t) < 2:
        return 100.0 - abs(i - 1 + in_tunnel(state, t))
    return 100.0 + i


@jit
def points_beyond(state, tables, w):
    """Movement points that POW w has left at the far end of his tunnel; below 0: he does not come so far."""
    t = state.under[w]
    return state.points - (tables.board.chain_length[t] - 1 - tables.board.chain_index[state.pow_at[w]])
