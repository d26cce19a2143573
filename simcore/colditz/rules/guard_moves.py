"""6.2, 6.5 - 6.8, 7.1 - 7.3: where the picked guard may go, and going there."""

import numpy as np

from bartizan.simcore.colditz import components as cz
from bartizan.simcore.colditz.actions import argument_of, kind_of
from bartizan.simcore.colditz.rules import pawns
from bartizan.simcore.colditz.rules.blocking import begin_blocking, blocks
from bartizan.simcore.colditz.rules.decks import confiscate
from bartizan.simcore.colditz.rules.tunnels import look_for_detection, may_dig
from bartizan.simcore.colditz.rules.ways import add_goal, begin_search, visit
from bartizan.simcore.compile.jit import jit


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
        if distance > 0 and (c != cz.APPEL or tables.guards_in_appel == cz.GuardsInAppel.free):
            add_goal(state, cz.Act.GO, c, distance, 0, cz.NONE)
        if distance < state.points:
            guard_steps(state, tables, c, distance, home, chase)
    if not chase:
        drop_blocking(state, tables, g)
    for i in range(state.n_goals):
        state.goal_via[i] = state.via[argument_of(state.goal[i])]


@jit
def guard_steps(state, tables, x, distance, home, chase):
    board = tables.board
    for arc in range(board.arc_first[x], board.arc_first[x + 1]):
        y = board.arc_to[arc]
        if not board.safe[y] and guard_may_step(state, tables, arc):
            guard_visits(state, tables, x, y, distance + 1, home, chase)
    t = board.tunnel_of[x]
    if t != cz.NONE and may_dig(state, t):
        for i in (board.chain_index[x] - 1, board.chain_index[x] + 1):
            if 0 <= i < board.chain_length[t]:
                guard_visits(state, tables, x, board.chain[t, i], distance + 1, home, chase)


@jit
def guard_visits(state, tables, x, y, distance, home, chase):
    """6.5: a step from x to y; into another room than `home`, where the guard started, only on a chase.

    Of ways equally short one that keeps out of rooms counts. Modifies the search fields of `state`.
    """
    foreign = tables.board.room[y] != cz.NONE and tables.board.room[y] != home
    if foreign and not chase:
        return
    via = 1 if foreign else state.via[x]
    pawn = state.on[y]
    if state.mark[y] == state.search:
        if state.reach[y] == distance:
            state.via[y] &= via
    elif pawn == 0:
        visit(state, y, distance, via)
    elif pawn < pawns.GUARD and may_arrest(state, tables, pawn - 1):
        state.mark[y] = state.search  # listed once, never queued
        state.reach[y] = distance
        state.via[y] = via
        add_goal(state, cz.Act.ARREST, y, distance, via, cz.NONE)


@jit
def guard_may_step(state, tables, arc):
    """6.6, 6.7: gates and wire freely; drops that POWs have opened, downwards (Q29 `both`: up too)."""
    kind = tables.board.arc_kind[arc]
    if kind == cz.Arc.DOWN or (kind == cz.Arc.UP and tables.guard_ropes == cz.GuardRopes.both):
        return (state.guard_drops >> np.uint64(tables.board.arc_way[arc])) & np.uint64(1) == np.uint64(1)
    return kind != cz.Arc.UP


@jit
def may_arrest(state, tables, w):
    """POW w may be arrested where he stands (7.1, 4.14)."""
    c = state.pow_at[w]
    if tables.board.safe[c] or not pawns.can_imprison(state, tables):
        return False
    if tables.board.grey[c]:
        return pawns.equipment_held(state, w // cz.TEAM) > 0
    return not state.returning[w]


@jit
def may_chase(state, tables, g):
    """6.5: a POW has got out of the grey zone, and no other guard has moved this turn."""
    return (state.mover == cz.NONE or state.mover == g) and somebody_is_out(state, tables)


@jit
def somebody_is_out(state, tables):
    for w in range(tables.players * cz.TEAM):
        if pawns.is_on_the_run(state, tables, w):
            return True
    return False


@jit
def drop_blocking(state, tables, g):
    """6.5: a guard does not stop where he blocks. Modifies the goals."""
    begin_blocking(state)
    kept = 0
    for i in range(state.n_goals):
        act, c = kind_of(state.goal[i]), argument_of(state.goal[i])
        if act == cz.Act.GO and blocks(state, tables, g, c):
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
    if board.steps_into[room, state.guard_at[g]] > state.points:
        return -1  # not even with every way open
    begin_search(state, state.guard_at[g])
    head = 0
    while head < state.tail:
        x = state.queue[head]
        head += 1
        left = state.points - state.reach[x] - 1
        if left < 0:
            return -1
        for arc in range(board.arc_first[x], board.arc_first[x + 1]):
            y = board.arc_to[arc]
            if board.safe[y] or not guard_may_step(state, tables, arc):
                continue
            if board.room[y] == room:
                if state.on[y] < pawns.GUARD:
                    return state.reach[x] + 1
            elif state.on[y] == 0 and board.steps_into[room, y] <= left:
                visit(state, y, state.reach[x] + 1, 0)
    return -1


# ---------------------------------------------------------------- going there

SEVERAL = -2  # `mover`: more than one guard has moved this turn


@jit
def move_guard(state, tables, g, act, c, goal):
    """Guard g goes to c, or arrests who stands there (6.2, 6.5, 7.1 - 7.3). Modifies `state`."""
    if needs_a_chase(state, tables, g, act, c, goal):
        state.chaser = g
    note_mover(state, g)
    if act == cz.Act.GO:
        pawns.post_guard(state, g, c)
        look_for_detection(state, tables)
        return
    w = state.on[c] - 1
    if not tables.board.grey[c]:
        confiscate(state, w // cz.TEAM, 1)
    pawns.to_barracks(state, g)
    pawns.imprison(state, tables, w, cz.Loss.ARREST)
    state.no_posting = 1


@jit
def needs_a_chase(state, tables, g, act, c, goal):
    """6.5: through a room, or to a stop that only a chase allows; who arrests does not stop.

    Modifies the search fields of `state`.
    """
    if state.goal_via[goal]:
        return True
    if act != cz.Act.GO or not may_chase(state, tables, g):  # without a chase no goal blocks
        return False
    begin_blocking(state)
    return blocks(state, tables, g, c)


@jit
def note_mover(state, g):
    """6.5: a chase needs a guard that is the only one to move this turn. Modifies `state`."""
    state.mover = g if state.mover == cz.NONE or state.mover == g else SEVERAL


@jit
def note_teleport(state, tables, g):
    """A guard who is posted or recalled counts as one that has moved (Q46 `teleports_too`)."""
    if tables.chase_alone == cz.ChaseAlone.teleports_too:
        note_mover(state, g)
