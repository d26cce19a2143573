"""What the routes of the board (`simcore.colditz.routes`) are worth to a player, and who stands on them."""

import numpy as np

from bartizan.policies.colditz.aids import FAR
from bartizan.simcore.colditz.components import EQUIPMENT, GUARDS, NONE, Arc, Equipment
from bartizan.simcore.colditz.rules.decks import holds
from bartizan.simcore.colditz.rules.pawns import is_posted
from bartizan.simcore.colditz.rules.ways import card_for, cards_for, is_open
from bartizan.simcore.compile.jit import jit
from bartizan.simcore.compile.renewed import renewed

SHORT = 60.0  # steps that a card counts as of which there are none left
SEEN = 6 + 2 * EQUIPMENT + GUARDS  # numbers that the choice of a route hangs on

# The route that a player chose last, beside what that hung on; and the same at this moment.
CHOSEN = np.dtype([("route", "i8"), ("seen", "i2", (SEEN,)), ("now", "i2", (SEEN,))], align=True)


@jit
def missing(state, tables, p, r, e):
    """Cards of Equipment e that player p lacks for route r; ways that are open now cost none."""
    need = tables.board.route_need[r, e] - state.equipment[p, e]
    if need > 0 and state.opened != 0:
        need -= saved(state, tables, r, e)
    return max(need, 0)


@jit
def saved(state, tables, r, e):
    """Cards of Equipment e that route r takes no more: their ways are open now."""
    cards = 0
    for i in range(tables.board.route_length[r]):
        arc = tables.board.route_arc[r, i]
        if tables.board.arc_kind[arc] != Arc.WALK and card_for(tables, arc) == e:
            cards += cards_for(tables, arc) if is_open(state, tables, arc) else 0
    return cards


@jit
def cards_cost(state, tables, p, r, card_cost, gate):
    """The steps that the cards count as which player p lacks for route r; a Key or Pass `gate` steps less."""
    cost = 0.0
    for e in range(EQUIPMENT):
        lacks = missing(state, tables, p, r, e)
        if lacks > 0:
            cheap = e == Equipment.key or e == Equipment.passes
            cost += lacks * (card_cost - gate * cheap) + SHORT * max(0, lacks - state.supply[e])
    return cost


@jit
def blockers(state, tables, r, first, end):
    """Guards on the circles number first .. end - 1 of a route."""
    n = 0
    for g in range(GUARDS):
        if is_posted(state, g):
            n += first <= number_on(tables, r, state.guard_at[g]) < end
    return n


@jit
def is_way(state, tables, p, r):
    """A route that ends beside the Staff Car is for who holds the card (9.11)."""
    return not tables.board.route_car[r] or holds(state, p, tables.car)


@jit
def best_route(state, tables, p, card_cost, block, car, gate):
    """The route with the least of steps, cards that are missing and guards who stand on it.

    car: steps that a drive from the Staff Car counts as.
    """
    best, chosen = 1e9, 0
    for r in range(tables.board.n_routes):
        if not is_way(state, tables, p, r):
            continue
        cost = tables.board.route_length[r] + car * tables.board.route_car[r]
        if cost < best:
            cost += cards_cost(state, tables, p, r, card_cost, gate)
        if cost < best:
            cost += block * blockers(state, tables, r, tables.board.route_exit[r], FAR)
        if cost < best:
            best, chosen = cost, r
    return chosen


@jit
def remembered_route(state, tables, p, card_cost, block, car, gate, chosen):
    """`best_route`, looked for anew only where something that it hangs on has changed. Modifies `chosen`."""
    see(state, tables, p, chosen.now)
    if renewed(chosen.seen, chosen.now):
        chosen.route = best_route(state, tables, p, card_cost, block, car, gate)
    return chosen.route


@jit
def see(state, tables, p, seen):
    """All in the state that `best_route` reads, and nothing else. Modifies `seen`."""
    seen[0] = 1  # a blank memory has seen nothing
    seen[1] = holds(state, p, tables.car)
    n = 2
    for e in range(EQUIPMENT):
        seen[n], seen[n + 1] = state.equipment[p, e], state.supply[e]
        n += 2
    for bits in range(0, 64, 16):
        seen[n] = state.opened >> np.uint64(bits) & np.uint64(0xFFFF)
        n += 1
    for g in range(GUARDS):
        seen[n + g] = state.guard_at[g]


@jit
def wanted_for(state, tables, p, r):
    """The Equipment to gather next for a route, the last kind that is missing; NONE: ready."""
    what = NONE
    for e in range(EQUIPMENT):
        if missing(state, tables, p, r, e) > 0:
            what = e
    return what


@jit
def number_on(tables, r, c):
    """Where circle c stands on a route, or NONE."""
    return int(tables.board.route_number[c, r])


@jit
def route_of_run(state, tables, p, c, block, car):
    """The route that goes on from c with what is held, the shortest with the fewest guards; NONE."""
    best, chosen = 1e9, NONE
    for r in range(tables.board.n_routes):
        i = number_on(tables, r, c)
        if i == NONE or not is_way(state, tables, p, r) or not can_finish(state, tables, p, r, i):
            continue
        cost = car * tables.board.route_car[r] + tables.board.route_length[r] - i
        cost += block * blockers(state, tables, r, i, FAR)
        if cost < best:
            best, chosen = cost, r
    return chosen


@jit
def can_finish(state, tables, p, r, first):
    """What is held pays for the rest of a route."""
    cutters, passes = state.equipment[p, Equipment.wire_cutters], state.equipment[p, Equipment.passes]
    keys, ropes = state.equipment[p, Equipment.key], state.equipment[p, Equipment.rope]
    for i in range(first, tables.board.route_length[r]):
        arc = tables.board.route_arc[r, i]
        kind = tables.board.arc_kind[arc]
        if kind == Arc.WALK or is_open(state, tables, arc):
            continue
        cutters -= kind == Arc.WIRE
        passes -= kind == Arc.PASS
        keys -= kind == Arc.KEY
        ropes -= tables.board.arc_ropes[arc]
    return min(min(cutters, passes), min(keys, ropes)) >= 0
