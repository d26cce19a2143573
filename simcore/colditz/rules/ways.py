"""Ways between spaces, searches by steps from a pawn's place, and tunnels (4.4 - 4.7, 8).

The searches write the possible actions and their cost to `state.goal` (`pow_moves`, `guard_moves`).
Functions that return nothing modify `state`.
"""

import numpy as np

from bartizan.simcore.colditz import components as cz
from bartizan.simcore.colditz.actions import action
from bartizan.simcore.colditz.rules.decks import return_equipment
from bartizan.simcore.colditz.rules.pawns import first_free, imprison, stand, to_barracks
from bartizan.simcore.compile.jit import inline, jit_module
from bartizan.simcore.kit.journal import log

LAST_SEARCH = 2**31 - 1  # the maximum of its type


def unmark(state):
    """Invalidate the marks of earlier searches."""
    if state.search == LAST_SEARCH:
        state.mark[:] = 0
        state.crossed[:] = 0
        state.search = 0
    state.search += 1


def begin_search(state, index):
    """Begin a search from one index: a space, or SPACES + circle for a circle inside a tunnel."""
    unmark(state)
    state.queue[0] = index
    state.tail = 1
    state.reach[index] = 0
    state.via[index] = 0
    state.mark[index] = state.search


@inline
def visit(state, index, distance, via):
    """Add an index to the queue if it has not been reached."""
    if state.mark[index] != state.search:
        state.mark[index] = state.search
        state.reach[index] = distance
        state.via[index] = via
        state.queue[state.tail] = index
        state.tail += 1


def add_goal(state, act, argument, cost, via, arc):
    n = state.n_goals
    state.goal[n] = action(act, argument)
    state.goal_cost[n] = cost
    state.goal_via[n] = via
    state.goal_arc[n] = arc
    state.n_goals = n + 1


def goal_number(state, wanted):
    """Return the index of an action among the goals; 0 if it is not among them."""
    for i in range(state.n_goals):
        if state.goal[i] == wanted:
            return i
    return 0


# ---------------------------------------------------------------- ways (4.4 - 4.7)


def is_open(state, tables, arc):
    """Return whether the arc needs no card now."""
    way = tables.board.arc_way[arc]
    return way == cz.NONE or (state.opened >> np.uint64(way)) & np.uint64(1) == np.uint64(1)


def may_use(tables, arc):
    """Return whether an arc may be used at all: drops upwards only with Q7 `yes`."""
    return tables.board.arc_kind[arc] != cz.Arc.UP or tables.climb_drops == cz.ClimbDrops.yes


def card_for(tables, arc):
    """Return the Equipment that opens the way of an arc."""
    kind = tables.board.arc_kind[arc]
    if kind == cz.Arc.KEY:
        return cz.Equipment.key
    if kind == cz.Arc.PASS:
        return cz.Equipment.passes
    return cz.Equipment.wire_cutters if kind == cz.Arc.WIRE else cz.Equipment.rope


def cards_for(tables, arc):
    """Return the number of cards that the way of an arc costs (4.5: one for each 30 ft)."""
    kind = tables.board.arc_kind[arc]
    return tables.board.arc_ropes[arc] if kind == cz.Arc.DOWN or kind == cz.Arc.UP else 1


def can_pay(state, tables, p, arc):
    return state.equipment[p, card_for(tables, arc)] >= cards_for(tables, arc)


def pay(state, tables, w, arc):
    """Pay for an arc: return its cards to the supply (4.4 - 4.7)."""
    return_equipment(state, w // cz.TEAM, card_for(tables, arc), cards_for(tables, arc))
    if tables.board.arc_kind[arc] == cz.Arc.KEY:
        state.used_key[w] = 1
    if tables.board.arc_kind[arc] == cz.Arc.PASS:
        state.used_pass[w] = 1


def open_way(state, tables, arc):
    """Open a way until the German's turn starts (4.7)."""
    state.opened |= np.uint64(1) << np.uint64(tables.board.arc_way[arc])
    log(state, cz.Event.OPENED, tables.board.arc_way[arc])


def kind_of_way(tables, arc):
    """Return the bit of `Used` that records a step over this arc; 0 for a step on foot."""
    kind = tables.board.arc_kind[arc]
    if kind == cz.Arc.KEY:
        return cz.Used.KEY
    if kind == cz.Arc.PASS:
        return cz.Used.PASS
    if kind == cz.Arc.WIRE:
        return cz.Used.WIRE
    if kind == cz.Arc.DOWN or kind == cz.Arc.UP:
        return cz.Used.ROPE
    return 0


# ---------------------------------------------------------------- 8. tunnels


def in_tunnel(state, t):
    n = 0
    for w in range(cz.POWS):
        n += state.pow_at[w] > cz.APPEL and state.under[w] == t
    return n


def set_tunnel(state, t, condition):
    state.tunnel[t] = condition
    log(state, cz.Event.TUNNEL, t, condition)


def note_breakout(state, via):
    """Record the tunnels that a POW has left by their far end (8.4).

    via: Used bits of his way, with a bit for each tunnel.
    """
    for t in range(cz.TUNNELS):
        if via & cz.Used.TUNNEL << t:
            state.broken_out[t] = 1
            state.left_tunnel |= 1 << t


def settle_tunnels(state, tables):
    """Close each tunnel that POWs have just left (`left_tunnel`) if fewer than two remain in it (8.3, 8.6).

    An open tunnel is closed only after two POWs have been in it at once. Clears `left_tunnel`.
    """
    while state.left_tunnel:  # a POW put back to the first circle also leaves, but his tunnel is dead by then
        left = state.left_tunnel
        state.left_tunnel = 0
        for t in range(cz.TUNNELS):
            if left >> t & 1 and (
                state.tunnel[t] == cz.Tunnel.LONE or (state.tunnel[t] == cz.Tunnel.OPEN and state.had_two[t])
            ):
                close(state, tables, t)


def close(state, tables, t):
    """Close a tunnel with fewer than two POWs (8.3, 8.6).

    It becomes dead if empty. A single POW goes back to the first circle, or may leave at either end (Q17).
    """
    left = in_tunnel(state, t)
    if left == 0:
        set_tunnel(state, t, cz.Tunnel.DEAD)
    elif left == 1 and state.tunnel[t] == cz.Tunnel.OPEN:
        if tables.lone_pow == cz.LonePow.either_end:
            set_tunnel(state, t, cz.Tunnel.LONE)
        else:
            set_tunnel(state, t, cz.Tunnel.DEAD)
            back_to_start(state, tables, t)


def back_to_start(state, tables, t):
    for w in range(cz.POWS):
        if state.pow_at[w] > cz.APPEL and state.under[w] == t:
            first = tables.board.chain[t, 0]
            c = first if state.on[first] == 0 else first_free(state, tables.board.near_tunnel[t])
            stand(state, tables, w, c)


def leave_by_card(state, w):
    """Record the tunnel, if any, that a POW is about to leave by a card (Q39)."""
    if state.under[w] != cz.NONE:
        state.left_tunnel |= 1 << state.under[w]


def at_german_turn(state, tables):
    """Update tunnels at the start of the German's turn (8.1, 8.3, 8.4)."""
    for t in range(cz.TUNNELS):
        if state.tunnel[t] == cz.Tunnel.OPEN and in_tunnel(state, t) < 2:
            close(state, tables, t)
        if state.broken_out[t]:
            state.broken_out[t] = 0
            state.detected[t] = 1


def look_for_detection(state, tables):
    """Clear each detected or suspected tunnel that has two guards on its circles (8.4, 8.5)."""
    for t in range(cz.TUNNELS):
        if (
            not (state.detected[t] or state.carded[t])
            or state.tunnel[t] == cz.Tunnel.TAKEN
            or guards_on(state, tables, t) < 2
        ):
            continue
        if state.detected[t]:
            clear_tunnel(state, tables, t)
            set_tunnel(state, t, cz.Tunnel.TAKEN)
        elif in_tunnel(state, t) > 0:
            clear_tunnel(state, tables, t)
            stay = tables.detection == cz.Detection.one_rule
            set_tunnel(state, t, cz.Tunnel.TAKEN if stay else cz.Tunnel.DEAD)
            if not stay:
                send_two_away(state, tables, t)


def may_dig(state, t):
    """Return whether guards may enter the tunnel at any of its circles and move along it (8.4, 8.5)."""
    if state.tunnel[t] == cz.Tunnel.TAKEN or state.detected[t]:
        return True
    return state.carded[t] == 1 and state.tunnel[t] != cz.Tunnel.DEAD


def guards_on(state, tables, t):
    n = 0
    for g in range(cz.GUARDS):
        n += state.guard_at[g] > cz.APPEL and tables.board.tunnel_of[state.guard_at[g]] == t
    return n


def clear_tunnel(state, tables, t):
    for w in range(cz.POWS):
        if state.pow_at[w] > cz.APPEL and state.under[w] == t:
            imprison(state, tables, w, cz.Loss.DETECTED)


def send_two_away(state, tables, t):
    sent = 0
    for g in range(cz.GUARDS):
        if sent < 2 and state.guard_at[g] > cz.APPEL and tables.board.tunnel_of[state.guard_at[g]] == t:
            to_barracks(state, g)
            sent += 1


jit_module(__name__)
