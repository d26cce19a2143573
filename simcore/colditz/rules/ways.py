"""4.4 - 4.7: the ways between spaces, and the search by steps from where a pawn stands.

The search writes the possible actions and their cost into `state.goal` (`pow_moves`, `guard_moves`).
"""

import numpy as np

from bartizan.simcore.colditz.actions import action
from bartizan.simcore.colditz.components import NONE, TEAM, Arc, ClimbDrops, Equipment, Event, Used
from bartizan.simcore.colditz.rules.decks import return_equipment
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
    state.goal[n] = action(act, argument)
    state.goal_cost[n] = cost
    state.goal_via[n] = via
    state.goal_arc[n] = arc
    state.n_goals = n + 1


@jit
def goal_number(state, wanted):
    """Where an action stands among the goals."""
    for i in range(state.n_goals):
        if state.goal[i] == wanted:
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
    """How many cards of it the way takes (4.5: one for each 30 ft)."""
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
