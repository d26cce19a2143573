"""Guards: the possible moves of the picked guard, and the moves themselves (6.2, 6.5 - 6.8, 7.1 - 7.3).

Functions that return nothing modify `state`. The searches `distance_to_room`, `needs_a_chase` and `blocks`,
and their helpers `meet` and `leave`, modify its search fields.
"""

import numpy as np

from bartizan.simcore.colditz import components as cz
from bartizan.simcore.colditz.actions import argument_of, kind_of
from bartizan.simcore.colditz.rules import pawns
from bartizan.simcore.colditz.rules.decks import confiscate
from bartizan.simcore.colditz.rules.ways import (
    add_goal,
    begin_search,
    look_for_detection,
    may_dig,
    unmark,
    visit,
)
from bartizan.simcore.compile.jit import jit_module


def guard_goals(state, tables, g):
    """Find every GO and ARREST of the picked guard, with its cost.

    `goal_via` is 1 if every shortest way to the goal enters a room.
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


def guard_visits(state, tables, x, y, distance, home, chase):
    """Visit y from x. Only on a chase may the guard enter a room other than `home`, where he started (6.5).

    Of equally short ways, one that avoids rooms is preferred.
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


def guard_may_step(state, tables, arc):
    """Return whether a guard may use an arc (6.6, 6.7).

    Gates and wire are free; drops that POWs have opened may be used downwards, and upwards with Q29 `both`.
    """
    kind = tables.board.arc_kind[arc]
    if kind == cz.Arc.DOWN or (kind == cz.Arc.UP and tables.guard_ropes == cz.GuardRopes.both):
        return (state.guard_drops >> np.uint64(tables.board.arc_way[arc])) & np.uint64(1) == np.uint64(1)
    return kind != cz.Arc.UP


def may_arrest(state, tables, w):
    """Return whether POW w may be arrested in his place (7.1, 4.14)."""
    c = state.pow_at[w]
    if tables.board.safe[c] or not pawns.can_imprison(state, tables):
        return False
    if tables.board.grey[c]:
        return pawns.equipment_held(state, w // cz.TEAM) > 0
    return not state.returning[w]


def may_chase(state, tables, g):
    """Return whether guard g may chase: a POW is on the run, and no other guard has moved this turn (6.5)."""
    return (state.mover == cz.NONE or state.mover == g) and somebody_is_out(state, tables)


def somebody_is_out(state, tables):
    for w in range(tables.players * cz.TEAM):
        if pawns.is_on_the_run(state, tables, w):
            return True
    return False


def drop_blocking(state, tables, g):
    """Remove goals where the guard would block (6.5)."""
    begin_blocking(state)
    kept = 0
    for i in range(state.n_goals):
        act, c = kind_of(state.goal[i]), argument_of(state.goal[i])
        if act == cz.Act.GO and blocks(state, tables, g, c):
            continue
        state.goal[kept], state.goal_cost[kept] = state.goal[i], state.goal_cost[i]
        kept += 1
    state.n_goals = kept


def distance_to_room(state, tables, g, room):
    """Return the number of steps from guard g to the nearest circle of a room (9.2).

    Returns -1 if it exceeds the points left.

    The way may lead through other rooms, because both doors of the Store lead from another room.
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


# ---------------------------------------------------------------- moving

SEVERAL = -2  # `mover`: more than one guard has moved this turn


def move_guard(state, tables, g, act, c, goal):
    """Move guard g to c, or arrest the POW there (6.2, 6.5, 7.1 - 7.3)."""
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


def needs_a_chase(state, tables, g, act, c, goal):
    """Return whether a move needs a chase: through a room, or to a stop that only a chase allows (6.5).

    The place of an arrest is not a stop.
    """
    if state.goal_via[goal]:
        return True
    if act != cz.Act.GO or not may_chase(state, tables, g):  # without a chase, no goal blocks
        return False
    begin_blocking(state)
    return blocks(state, tables, g, c)


def note_mover(state, g):
    """Record that guard g moves, because only one guard may move in a turn with a chase (6.5)."""
    state.mover = g if state.mover == cz.NONE or state.mover == g else SEVERAL


def note_teleport(state, tables, g):
    """Record a posted or recalled guard as moved (Q46 `teleports_too`)."""
    if tables.chase_alone == cz.ChaseAlone.teleports_too:
        note_mover(state, g)


# ---------------------------------------------------------------- 6.5, Q14: where a guard would block POWs
# One depth-first walk over the grey zone answers the question for every circle at once (Tarjan's low-link
# numbers). Circles are numbered as they are reached. If no step leads from a branch of circle c to a circle
# with a lower number than c, only c connects the branch with the rest.


# Contents of a piece of the grey zone, as a bit mask: a bit for each room, and the following bits.
APPEL_BIT = 1 << 29
POW_BIT = 1 << 30  # a POW is in the piece


def begin_blocking(state):
    """Discard the results of `blocks`, because pawns have moved."""
    unmark(state)
    state.n_met = 0


def blocks(state, tables, g, c):
    """Return whether guard g at c would cut off a POW from the Appel or a room.

    The other guards are assumed not to move. With Q14 `corridors`, return whether c is in a corridor.

    Call `begin_blocking` first.
    """
    if c == cz.APPEL or not tables.board.grey[c]:
        return False
    if tables.guards_block == cz.GuardsBlock.corridors:
        return tables.narrow[c] == 1
    if state.mark[c] != state.search:
        walk_around(state, tables, g, c)
    return state.is_joint[state.reach[c]] == 1 and cuts(state, tables, c)


def cuts(state, tables, c):
    """Return whether removing c separates a piece with a POW from the Appel or a room in another piece.

    The pieces are the branches that only c connects, and the rest.
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


def loses(piece, everywhere):
    """Return whether a piece contains a POW but not every room, so that this POW cannot reach all rooms."""
    return piece & POW_BIT != 0 and everywhere & ~piece != 0


def is_branch(state, y, x):
    """Return whether circle y was reached from the circle with number x."""
    return state.mark[y] == state.search and state.met_from[state.reach[y]] == x


# ---------------------------------------------------------------- the walk


def walk_around(state, tables, g, start):
    """Number all circles connected with `start`, and record the contents on both sides of each.

    The sides are the circles with lower and with higher numbers.

    Guard g is assumed to be absent, and the other guards do not move. `reach` then contains the number of
    each circle, and `queue` the circle of each number.
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


def number_circles(state, tables, g, start):
    board = tables.board
    x = meet(state, tables, start, cz.NONE)
    while x != cz.NONE:
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


def is_free(state, g, c):
    """Return whether no guard other than g is at c."""
    return state.on[c] < pawns.GUARD or state.on[c] == pawns.GUARD + g


def meet(state, tables, c, met_from):
    """Give circle c the next number, and return this number."""
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


def leave(state, x):
    """Finish number x after the search has visited its whole branch.

    Return the number from which x was reached.
    """
    up = np.int64(state.met_from[x])
    state.last[x] = state.n_met - 1
    if up != cz.NONE:
        state.lowest[up] = min(state.lowest[up], state.lowest[x])
        state.held[up] |= state.held[x]
        if state.lowest[x] >= up:
            state.is_joint[up] = 1
    return up


def own_bits(state, tables, c):
    """Return the bit of the circle's room or of the Appel, with POW_BIT if a POW is there."""
    if c == cz.APPEL:
        return APPEL_BIT | (POW_BIT if somebody_in_appel(state) else 0)
    room = tables.board.room[c]
    return (0 if room == cz.NONE else 1 << int(room)) | (POW_BIT if 0 < state.on[c] < pawns.GUARD else 0)


def somebody_in_appel(state):
    for w in range(cz.POWS):
        if state.pow_at[w] == cz.APPEL:
            return True
    return False


jit_module(__name__)
