"""4.2 - 4.8, 6.2, 6.5 - 6.7: where the picked pawn may go.

A search by steps from where it stands writes the possible actions and their cost into `state.goal`.
"""

import numpy as np

from bartizan.simcore.colditz.components import (
    APPEL,
    ARGUMENTS,
    NONE,
    POWS,
    SPACES,
    TEAM,
    Act,
    Arc,
    ClimbDrops,
    Equipment,
    Event,
    ForcePays,
    GuardRopes,
    GuardsInAppel,
    TargetWithoutKit,
    Tunnel,
    TunnelStart,
    Used,
)
from bartizan.simcore.colditz.rules.blocking import blocks
from bartizan.simcore.colditz.rules.decks import return_equipment
from bartizan.simcore.colditz.rules.pawns import GUARD, can_imprison, equipment_held, is_on_the_run
from bartizan.simcore.colditz.rules.tunnels import in_tunnel, may_dig
from bartizan.simcore.compile.jit import inline, jit
from bartizan.simcore.kit.journal import log


@jit
def begin_search(state, index):
    """A new search from one index: a space, or SPACES + circle for inside a tunnel. Modifies `state`."""
    state.search += 1
    state.queue[0] = index
    state.tail = 1
    state.reach[index] = 0
    state.via[index] = 0
    state.mark[index] = state.search


@inline
def visit(state, index, distance, via):
    """Queue an index that is not yet reached. Modifies `state`."""
    if state.mark[index] != state.search:
        state.mark[index] = state.search
        state.reach[index] = distance
        state.via[index] = via
        state.queue[state.tail] = index
        state.tail += 1


@jit
def add_goal(state, act, argument, cost, via, arc):
    n = state.n_goals
    state.goal[n] = act * ARGUMENTS + argument
    state.goal_cost[n] = cost
    state.goal_via[n] = via
    state.goal_arc[n] = arc
    state.n_goals = n + 1


@jit
def goal_number(state, action):
    """Where an action stands among the goals."""
    for i in range(state.n_goals):
        if state.goal[i] == action:
            return i
    return 0


# ---------------------------------------------------------------- ways (4.4 - 4.7)


@jit
def is_open(state, tables, arc):
    """The step needs no card (now)."""
    way = tables.board.arc_way[arc]
    return way == NONE or (state.opened >> np.uint64(way)) & np.uint64(1) == np.uint64(1)


@jit
def may_use(tables, arc):
    """Q7: drops go down only."""
    return tables.board.arc_kind[arc] != Arc.UP or tables.climb_drops == ClimbDrops.yes


@jit
def card_for(tables, arc):
    """The Equipment that opens the way of an arc."""
    kind = tables.board.arc_kind[arc]
    if kind == Arc.KEY:
        return Equipment.key
    if kind == Arc.PASS:
        return Equipment.passes
    return Equipment.wire_cutters if kind == Arc.WIRE else Equipment.rope


@jit
def cards_for(tables, arc):
    """And how many of it (4.5: one for each 30 ft)."""
    kind = tables.board.arc_kind[arc]
    return tables.board.arc_ropes[arc] if kind == Arc.DOWN or kind == Arc.UP else 1


@jit
def can_pay(state, tables, p, arc):
    return state.equipment[p, card_for(tables, arc)] >= cards_for(tables, arc)


@jit
def pay(state, tables, w, arc):
    """4.4 - 4.7: the cards go to the supply. Modifies `state`."""
    return_equipment(state, w // TEAM, card_for(tables, arc), cards_for(tables, arc))
    if tables.board.arc_kind[arc] == Arc.KEY:
        state.used_key[w] = 1
    if tables.board.arc_kind[arc] == Arc.PASS:
        state.used_pass[w] = 1


@jit
def open_way(state, tables, arc):
    """4.7: open until the German's turn starts. Modifies `state`."""
    state.opened |= np.uint64(1) << np.uint64(tables.board.arc_way[arc])
    log(state, Event.OPENED, tables.board.arc_way[arc])


@jit
def kind_of_way(tables, arc):
    """The Used bit of a step, for the record."""
    kind = tables.board.arc_kind[arc]
    if kind == Arc.KEY:
        return Used.KEY
    if kind == Arc.PASS:
        return Used.PASS
    if kind == Arc.WIRE:
        return Used.WIRE
    if kind == Arc.DOWN or kind == Arc.UP:
        return Used.ROPE
    return 0


# ---------------------------------------------------------------- a POW (4.2 - 4.8)


@jit
def pow_goals(state, tables, w):
    """Every GO, UNDER, CROSS and FORCE of the picked POW with its cost.

    Modifies the search fields of `state`.
    """
    c = state.pow_at[w]
    begin_search(state, c if state.under[w] == NONE else SPACES + c)
    state.n_goals = 0
    head = 0
    while head < state.tail:
        index = state.queue[head]
        head += 1
        if index < SPACES:
            on_the_surface(state, tables, w, index)
        else:
            in_the_tunnel(state, tables, w, index - SPACES)
    drop_dead_ends(state, tables, w)


@jit
def on_the_surface(state, tables, w, c):
    """Space c is reached: he may stop there, or go on."""
    distance = state.reach[c]
    if distance > 0 and tables.board.stops[c]:
        add_goal(state, Act.GO, c, distance, state.via[c], NONE)
    escapes = tables.board.target[c] > 0 and state.kit[w // TEAM]  # 5.1: his way ends here
    if distance < state.points and not escapes:
        step_out(state, tables, w, c, distance, state.via[c])


@jit
def in_the_tunnel(state, tables, w, c):
    """8.2: circle c is reached inside its tunnel: along it, and out at either end."""
    distance, via = state.reach[SPACES + c], state.via[SPACES + c]
    if distance > 0:
        add_goal(state, Act.UNDER, c, distance, via, NONE)
    if distance == state.points:
        return
    t = tables.board.tunnel_of[c]
    for i in (tables.board.chain_index[c] - 1, tables.board.chain_index[c] + 1):
        if 0 <= i < tables.board.chain_length[t] and is_free_below(state, w, tables.board.chain[t, i]):
            visit(state, SPACES + tables.board.chain[t, i], distance + 1, via)
    if tables.board.chain_index[c] == tables.board.chain_length[t] - 1:
        step_out(state, tables, w, c, distance, via | Used.TUNNEL << t)
    elif tables.board.chain_index[c] == 0:
        step_out(state, tables, w, c, distance, via)


@jit
def is_free_below(state, w, c):
    return state.below[c] == 0 or state.below[c] == w + 1


@jit
def step_out(state, tables, w, x, distance, via):
    """Every step from x on the surface: free circles are visited, guards and ways to pay for become goals."""
    board = tables.board
    p = w // TEAM
    for arc in range(board.arc_first[x], board.arc_first[x + 1]):
        y = board.arc_to[arc]
        if not may_use(tables, arc) or is_barred(state, tables, p, y):
            continue
        there = state.on[y]
        if not is_open(state, tables, arc):
            forces = there >= GUARD and tables.force_pays == ForcePays.yes and can_imprison(state, tables)
            if there == 0 or forces:
                add_paid_goal(state, tables, p, y, distance + 1, via, arc)
            continue
        if there == 0:
            visit(state, y, distance + 1, via | kind_of_way(tables, arc))
        elif there >= GUARD and can_imprison(state, tables):
            add_force(state, y, distance + 1, via)
        if is_way_down(state, tables, p, y) and is_free_below(state, w, y):
            visit(state, SPACES + y, distance + 1, via)


@jit
def add_paid_goal(state, tables, p, y, cost, via, arc):
    """CROSS, or FORCE where a guard stands (Q43): the first time y is met over a way he can pay for.

    A FORCE that needs no card goes before it. Modifies the goals.
    """
    forces = state.on[y] >= GUARD
    if state.crossed[y] == state.search or (forces and state.mark[y] == state.search):
        return
    if can_pay(state, tables, p, arc):
        state.crossed[y] = state.search
        add_goal(state, Act.FORCE if forces else Act.CROSS, y, cost, via | kind_of_way(tables, arc), arc)


@jit
def add_force(state, y, cost, via):
    """FORCE over a way that needs no card: listed once, before one that does. Modifies the goals."""
    if state.mark[y] == state.search:
        return
    state.mark[y] = state.search  # never queued
    if state.crossed[y] == state.search:
        i = goal_number(state, Act.FORCE * ARGUMENTS + y)
        state.goal_cost[i], state.goal_via[i], state.goal_arc[i] = cost, via, NONE
    else:
        add_goal(state, Act.FORCE, y, cost, via, NONE)


@jit
def is_barred(state, tables, p, c):
    """Q10 `not_allowed`: no target without a Kit."""
    return (
        tables.board.target[c] > 0
        and not state.kit[p]
        and tables.target_without_kit == TargetWithoutKit.not_allowed
    )


@jit
def is_way_down(state, tables, p, c):
    """8.1, 8.2: the first circle of an open tunnel.

    Until two are in it only POWs of the player who opened it enter (Q38); nobody when it is suspected (Q40).
    """
    t = tables.board.tunnel_of[c]
    if t == NONE or state.tunnel[t] != Tunnel.OPEN or tables.board.chain[t, 0] != c or state.shut[t]:
        return False
    return tables.tunnel_start == TunnelStart.any_two or state.digger[t] == p or in_tunnel(state, t) >= 2


FAR = 999


@jit
def way_into(state, tables, w, t):
    """Q38: steps of a POW on the surface into the first circle of a tunnel, over free circles and open ways.

    FAR: more than the points left. Modifies the search fields of `state`.
    """
    board = tables.board
    begin_search(state, state.pow_at[w])
    head = 0
    while head < state.tail:
        x = state.queue[head]
        head += 1
        if state.reach[x] == state.points:
            return FAR
        for arc in range(board.arc_first[x], board.arc_first[x + 1]):
            y = board.arc_to[arc]
            if not may_use(tables, arc) or not is_open(state, tables, arc):
                continue
            if y == board.chain[t, 0]:
                return state.reach[x] + 1
            if state.on[y] == 0 and not is_barred(state, tables, w // TEAM, y):
                visit(state, y, state.reach[x] + 1, 0)
    return FAR


@jit
def drop_dead_ends(state, tables, w):
    """A CROSS to a circle where he may not stop needs points to go on with. Modifies the goals."""
    kept = 0
    for i in range(state.n_goals):
        act, c = state.goal[i] // ARGUMENTS, state.goal[i] % ARGUMENTS
        if act == Act.CROSS and not tables.board.stops[c] and not can_go_on(state, tables, w, i):
            continue
        state.goal[kept], state.goal_cost[kept] = state.goal[i], state.goal_cost[i]
        state.goal_via[kept], state.goal_arc[kept] = state.goal_via[i], state.goal_arc[i]
        kept += 1
    state.n_goals = kept


@jit
def can_go_on(state, tables, w, i):
    """After CROSS number i, whose way is open then, he finds a place to stop.

    Modifies the search fields of `state`.
    """
    opened = state.opened
    state.opened |= np.uint64(1) << np.uint64(tables.board.arc_way[state.goal_arc[i]])
    found = can_rest(state, tables, w, state.goal[i] % ARGUMENTS, state.points - state.goal_cost[i])
    state.opened = opened
    return found


@jit
def can_rest(state, tables, w, c, points):
    """From c he reaches, over free or open ways, a place where he may stop.

    Modifies the search fields of `state`.
    """
    board = tables.board
    begin_search(state, c)
    head = 0
    while head < state.tail:
        x = state.queue[head]
        head += 1
        if state.reach[x] == points:
            continue
        for arc in range(board.arc_first[x], board.arc_first[x + 1]):
            y = board.arc_to[arc]
            if (
                not may_use(tables, arc)
                or not is_open(state, tables, arc)
                or is_barred(state, tables, w // TEAM, y)
            ):
                continue
            if is_way_down(state, tables, w // TEAM, y) and is_free_below(state, w, y):
                return True
            if state.on[y] == 0 or state.on[y] == w + 1:
                if board.stops[y]:
                    return True
                visit(state, y, state.reach[x] + 1, 0)
    return False


# ---------------------------------------------------------------- a guard (6.2, 6.5 - 6.8)


@jit
def guard_goals(state, tables, g):
    """Every GO and ARREST of the picked guard with its cost. Modifies the search fields of `state`.

    goal_via 1: every shortest way there enters a room.
    """
    begin_search(state, state.guard_at[g])
    state.n_goals = 0
    chase = may_chase(state, tables, g)
    home = tables.board.room[state.guard_at[g]]
    head = 0
    while head < state.tail:
        c = state.queue[head]
        head += 1
        distance = state.reach[c]
        if distance > 0 and (c != APPEL or tables.guards_in_appel == GuardsInAppel.free):
            add_goal(state, Act.GO, c, distance, 0, NONE)
        if distance < state.points:
            guard_steps(state, tables, c, distance, home, chase)
    if not chase:
        drop_blocking(state, tables, g)
    for i in range(state.n_goals):
        state.goal_via[i] = state.via[state.goal[i] % ARGUMENTS]


@jit
def guard_steps(state, tables, x, distance, home, chase):
    board = tables.board
    for arc in range(board.arc_first[x], board.arc_first[x + 1]):
        y = board.arc_to[arc]
        if not board.safe[y] and guard_may_step(state, tables, arc):
            guard_visits(state, tables, x, y, distance + 1, home, chase)
    t = board.tunnel_of[x]
    if t != NONE and may_dig(state, t):
        for i in (board.chain_index[x] - 1, board.chain_index[x] + 1):
            if 0 <= i < board.chain_length[t]:
                guard_visits(state, tables, x, board.chain[t, i], distance + 1, home, chase)


@jit
def is_foreign(tables, c, home):
    """6.5: a circle of a room the guard has not started in."""
    return tables.board.room[c] != NONE and tables.board.room[c] != home


@jit
def guard_visits(state, tables, x, y, distance, home, chase):
    """6.5: a step from x to y; into a room only on a chase. Modifies the search fields of `state`.

    Of ways equally short one that keeps out of rooms counts.
    """
    foreign = is_foreign(tables, y, home)
    if foreign and not chase:
        return
    via = 1 if foreign else state.via[x]
    there = state.on[y]
    if state.mark[y] == state.search:
        if state.reach[y] == distance:
            state.via[y] &= via
    elif there == 0:
        visit(state, y, distance, via)
    elif there < GUARD and may_arrest(state, tables, there - 1):
        state.mark[y] = state.search  # listed once, never queued
        state.reach[y] = distance
        state.via[y] = via
        add_goal(state, Act.ARREST, y, distance, via, NONE)


@jit
def guard_may_step(state, tables, arc):
    """6.6, 6.7: gates and wire freely; drops that POWs have opened, downwards (Q29 `both`: up too)."""
    kind = tables.board.arc_kind[arc]
    if kind == Arc.DOWN or (kind == Arc.UP and tables.guard_ropes == GuardRopes.both):
        return (state.guard_drops >> np.uint64(tables.board.arc_way[arc])) & np.uint64(1) == np.uint64(1)
    return kind != Arc.UP


@jit
def may_arrest(state, tables, w):
    """7.1, 4.14"""
    c = state.pow_at[w]
    if tables.board.safe[c] or not can_imprison(state, tables):
        return False
    if tables.board.grey[c]:
        return equipment_held(state, w // TEAM) > 0
    return not state.returning[w]


@jit
def may_chase(state, tables, g):
    """6.5: a POW has got out of the grey zone, and no other guard has moved this turn."""
    return (state.mover == NONE or state.mover == g) and somebody_is_out(state, tables)


@jit
def somebody_is_out(state, tables):
    for w in range(POWS):
        if is_on_the_run(state, tables, w):
            return True
    return False


@jit
def drop_blocking(state, tables, g):
    """6.5: a guard does not stop where he blocks. Modifies the goals."""
    kept = 0
    for i in range(state.n_goals):
        act, c = state.goal[i] // ARGUMENTS, state.goal[i] % ARGUMENTS
        if act == Act.GO and blocks(state, tables, g, c):
            continue
        state.goal[kept], state.goal_cost[kept] = state.goal[i], state.goal_cost[i]
        kept += 1
    state.n_goals = kept


@jit
def distance_to_room(state, tables, g, room):
    """9.2: steps of guard g to the nearest circle of a room, -1: more than the points left.

    By any door: the Store has two, and both lead from another room. Modifies the search fields of `state`.
    """
    board = tables.board
    if board.room[state.guard_at[g]] == room:
        return 0
    begin_search(state, state.guard_at[g])
    head = 0
    while head < state.tail:
        x = state.queue[head]
        head += 1
        if state.reach[x] == state.points:
            return -1
        for arc in range(board.arc_first[x], board.arc_first[x + 1]):
            y = board.arc_to[arc]
            if board.safe[y] or not guard_may_step(state, tables, arc):
                continue
            if board.room[y] == room:
                if state.on[y] < GUARD:
                    return state.reach[x] + 1
            elif state.on[y] == 0:
                visit(state, y, state.reach[x] + 1, 0)
    return -1
