"""The errand of each POW of `escape_officer`, and the decision whether to run with this throw."""

from typing import NamedTuple

import numpy as np

from bartizan.policies.colditz import aids
from bartizan.policies.colditz.aids import FAR
from bartizan.policies.protocol import indices
from bartizan.simcore.colditz import components as cz
from bartizan.simcore.colditz.rules.decks import holds
from bartizan.simcore.colditz.rules.guard_moves import somebody_is_out
from bartizan.simcore.colditz.rules.pawns import equipment_held, is_on_the_run, is_posted
from bartizan.simcore.colditz.rules.pow_moves import is_way_down
from bartizan.simcore.colditz.rules.ways import card_for, cards_for, in_tunnel, is_open, may_use
from bartizan.simcore.compile.jit import jit_module
from bartizan.simcore.compile.renewed import renewed

# rounded from the result of `bartizan equilibrium` (docs/colditz.md)
WEIGHTS = {
    "burst": 12.0,  # a throw suitable for a run, regardless of the remaining steps
    "open": 12.0,  # maximum remaining steps after a throw suitable for a run
    "fear": 0.1,  # probability of being taken by an Appel from which a POW goes there
    "risk": 4.0,  # cost in steps of a stop on the run that a guard is sure to reach
    "late": 0.0,  # rounds left in which a Do or Die is staked
    "hurry": 3.0,  # rounds left in which nothing more is collected
    "card_cost": 2.0,  # cost of a missing card in steps
    "exposed": 22.0,  # as `risk`, in the courtyard with Equipment
    "doorway": 0.5,  # cost of a stop in a doorway in steps
    "block": 19.0,  # cost of a guard on the way in steps
    "stake_rounds": 3.0,  # with fewer rounds left, one POW goes to a place with a short Do or Die
    "drive": 6.0,  # cost of the drive in the Staff Car in steps
    "tunnel": 30.0,  # a tunnel is dug if it ends at most this many steps from a target
    "gifts": 1.0,  # cards other than that of the Staff Car are given to allies, if not 0
    "follow": 0.0,  # reduction of the required throw while a POW is on the run
    "gate": 0.0,  # cost in steps by which a Key or Pass is cheaper than a Rope
}
AT = indices(WEIGHTS)

ROPE = int(cz.Equipment.rope)
BESIDE = 4  # steps within which a POW is near enough to the start of a route
MEAN_THROW = 8.4  # of two dice, with doubles rolled again

NOTHING_TO_DO, TO_SYMBOL, TO_CIRCLE, OUT_OF_HERE, TO_STAKE, TO_DIG = 0, 1, 2, 3, 4, 5


class Intent(NamedTuple):
    """The intentions of player p, computed once per decision."""

    route: int  # the way out; 0 without a Kit
    wants: int  # the Equipment to collect next, or NONE
    stakes: bool  # whether to prepare for a Do or Die
    running: int  # bit mask of own POWs on the run
    points: int  # how far a POW would run with this throw without guards; NONE: no POW would
    blocked: int  # guards in the way of that run
    tunnel: int  # tunnel to dig, or NONE
    diggers: int  # bit mask of own POWs who are digging


def plan_of(state, tables, p, weights, chosen):
    """Return the intentions of player p. Modifies `chosen`, which stores the player's route."""
    stakes = aids.rounds_left(state, tables) < weights[AT.stake_rounds] and not aids.won_already(state)
    running = runners(state, tables, p)
    if not state.kit[p]:
        return Intent(0, cz.NONE, stakes, running, cz.NONE, 0, cz.NONE, 0)
    costs = weights[AT.card_cost], weights[AT.block], weights[AT.drive], weights[AT.gate]
    route = remembered_route(state, tables, p, *costs, chosen)
    missing = wanted_for(state, tables, p, route)
    tunnel = tunnel_for(state, tables, p, weights[AT.tunnel])
    diggers = diggers_for(state, tables, p, tunnel) if tunnel != cz.NONE else 0
    points, blocked = cz.NONE, 0
    if missing == cz.NONE and (holds(state, p, tables.diversion) or holds(state, p, tables.inspection)):
        points = points_of_run(state, tables, p, route, diggers, weights)
        blocked = blockers(state, tables, route, 0, points + 1) if points != cz.NONE else 0
    wants = missing
    if stakes:  # two Ropes shorten a Do or Die
        wants = ROPE if state.equipment[p, ROPE] < 2 and state.supply[ROPE] > 0 else cz.NONE
    return Intent(route, wants, stakes, running, points, blocked, tunnel, diggers)


def runners(state, tables, p):
    """Return a bit mask of the player's POWs on the run."""
    mask = 0
    for i in range(cz.TEAM):
        if is_on_the_run(state, tables, p * cz.TEAM + i):
            mask |= 1 << i
    return mask


def points_of_run(state, tables, p, route, diggers, weights):
    """Return the movement points that the nearest POW has left at the start of the route.

    Returns NONE if no POW is near, or if this throw is not suitable for a run.
    """
    start = tables.board.route[route, 0]
    w = first_waiting(state, tables, p, start, diggers)
    if w == cz.NONE:
        return cz.NONE
    away = aids.steps_to(tables, state.pow_at[w], start)
    points = state.points - away
    return points if away <= BESIDE and is_good_throw(state, tables, route, points, weights) else cz.NONE


def first_waiting(state, tables, p, start, diggers):
    """Return the POW nearest to the start of a route; NONE if there is none.

    He must be in the grey zone and must not dig.
    """
    best, least = cz.NONE, FAR
    for w in range(p * cz.TEAM, (p + 1) * cz.TEAM):
        if aids.waits(state, tables, w) and not diggers >> (w - p * cz.TEAM) & 1:
            d = aids.steps_to(tables, state.pow_at[w], start)
            if d < least:
                best, least = w, d
    return best


def errand(state, tables, p, w, plan, weights):
    """Return the errand of POW w as (kind, argument)."""
    if plan.running >> (w - p * cz.TEAM) & 1:
        return OUT_OF_HERE, 0
    if state.returning[w]:
        return TO_CIRCLE, tables.board.pass_circle
    if state.under[w] != cz.NONE or plan.diggers >> (w - p * cz.TEAM) & 1:
        return dig_errand(state, tables, p, w, plan, weights)
    if not state.kit[p]:
        s = aids.kit_errand(state, tables, p, w)
        return (TO_SYMBOL, s) if s != cz.NONE else (NOTHING_TO_DO, 0)
    if plan.stakes and w == staker(state, tables, p):
        return TO_STAKE, 0
    e = plan.wants
    if (
        e != cz.NONE
        and aids.rounds_left(state, tables) > weights[AT.hurry]
        and aids.gatherer(state, tables, p, w, e)
    ):
        return TO_SYMBOL, e
    return run_errand(state, tables, p, w, plan, weights)


def dig_errand(state, tables, p, w, plan, weights):
    """Return the errand of a digging POW.

    It is (TO_DIG, tunnel) to enter the tunnel or move along it, or (OUT_OF_HERE, 0) to leave it at the far
    end. He leaves if the player has a Kit and the throw is good enough (`is_far_enough`).
    """
    if state.under[w] == cz.NONE:
        return TO_DIG, plan.tunnel
    t = state.under[w]
    left = aids.way_out(state, tables, p, far_end(tables, t))
    goes = state.kit[p] and is_far_enough(state, tables, left, points_beyond(state, tables, w), weights)
    return (OUT_OF_HERE, 0) if goes else (TO_DIG, t)


def staker(state, tables, p):
    """Return the POW in the grey zone with the shortest Do or Die distance; NONE if there is none."""
    best, least = cz.NONE, FAR
    for v in range(p * cz.TEAM, (p + 1) * cz.TEAM):
        if aids.waits(state, tables, v):
            d = stake_from(state, tables, p, state.pow_at[v])
            if d < least:
                best, least = v, d
    return best


def run_errand(state, tables, p, w, plan, weights):
    """Return the errand of a POW before a run.

    The two POWs nearest to the start of the route wait there, and the nearer one runs.
    """
    route, start = plan.route, tables.board.route[plan.route, 0]
    rank = rank_of(state, tables, p, w, start, plan.diggers)
    if rank > 1:
        return NOTHING_TO_DO, 0
    if rank == 0 and is_ready(state, tables, p, w, route) and go_now(state, tables, w, route, weights):
        return OUT_OF_HERE, 0
    return TO_CIRCLE, start


def is_ready(state, tables, p, w, route):
    """Return whether nothing is missing for the route, and w is near its start (BESIDE)."""
    away = aids.steps_to(tables, state.pow_at[w], tables.board.route[route, 0])
    return away <= BESIDE and wanted_for(state, tables, p, route) == cz.NONE


def rank_of(state, tables, p, w, start, diggers):
    """Return the number of the player's POWs who are nearer to circle `start` than w.

    They must be in the grey zone and must not dig.
    """
    own, nearer = aids.steps_to(tables, state.pow_at[w], start), 0
    for v in range(p * cz.TEAM, (p + 1) * cz.TEAM):
        digs = diggers >> (v - p * cz.TEAM) & 1
        if v != w and not digs and aids.waits(state, tables, v):
            d = aids.steps_to(tables, state.pow_at[v], start)
            nearer += d < own or (d == own and v < w)
    return nearer


def go_now(state, tables, w, route, weights):
    """Return whether POW w should run now: the throw is suitable, and no guard is in the way."""
    points = state.points - aids.steps_to(tables, state.pow_at[w], tables.board.route[route, 0])
    if blockers(state, tables, route, 0, points + 1) > 0:
        return False
    return is_good_throw(state, tables, route, points, weights)


def is_good_throw(state, tables, route, points, weights):
    d = tables.board.route_length[route]
    if tables.board.route_car[route]:
        return d <= points  # nobody waits beside the car
    return is_far_enough(state, tables, d, points, weights)


def is_far_enough(state, tables, d, points, weights):
    """Return whether a throw is good enough for a run.

    d: steps to a target. points: movement points at the start of the route.
    """
    burst = weights[AT.burst] - (weights[AT.follow] if somebody_is_out(state, tables) else 0.0)
    if d - points <= weights[AT.open] or points >= burst:
        return True
    left = aids.rounds_left(state, tables)
    return left <= weights[AT.hurry] and d <= points + MEAN_THROW * left


def distance_left(state, tables, p, kind, argument, route, c):
    """Return the distance from space c to the end of the errand."""
    if kind == TO_SYMBOL:
        return aids.steps_to_symbol(tables, argument, c)
    if kind == TO_CIRCLE:
        return aids.steps_to(tables, c, argument)
    if kind == OUT_OF_HERE:
        i = number_on(tables, route, c) if route != cz.NONE else cz.NONE
        # along the route, or by the shortest way if c is not on it
        return tables.board.route_length[route] - i if i != cz.NONE else aids.way_out(state, tables, p, c)
    if kind == TO_STAKE:
        if not tables.board.grey[c] or (
            c == cz.APPEL and tables.stake_from_appel == cz.StakeFromAppel.not_allowed
        ):
            return FAR
        return stake_from(state, tables, p, c)
    if kind == TO_DIG:
        return int(tables.board.steps_in[argument, c])
    return 0


def stake_from(state, tables, p, c):
    table = tables.board.stake_distance
    d = table[
        min(state.equipment[p, cz.Equipment.rope], table.shape[0] - 1),
        min(state.equipment[p, cz.Equipment.wire_cutters], table.shape[1] - 1),
        c,
    ]
    return d if d >= 0 else FAR


# ---------------------------------------------------------------- stops on a task


NOT_MET = -1
# Scratch for one decision.
SCRATCH = np.dtype(
    [
        ("pick", "i4", (cz.TEAM,)),  # where a POW can be picked in the list of legal actions
        ("worth", "f8", (cz.TEAM,)),  # and its value
        ("queue", "i2", (cz.SPACES,)),  # of a walk over the board: spaces reached, nearest first
        ("away", "i2", (cz.SPACES,)),  # steps to the spaces reached
    ],
    align=True,
)


class Aim(NamedTuple):
    """The intention of a POW: an errand (kind and argument), and the route for it."""

    kind: int
    argument: int
    route: int


def worth_of_stop(state, tables, p, c, aim, best, weights):
    """Return the value of a stop at c.

    Dangers are computed only if c has no prize and the value would otherwise exceed `best`.
    """
    gain = prize(state, tables, p, c) if aim.kind != TO_DIG else 0.0
    worth = gain - 1.0 * distance_left(state, tables, p, aim.kind, aim.argument, aim.route, c)
    if gain == 0.0 and worth > best:
        worth -= peril(state, tables, p, c, aim.kind, weights)
    return worth


def prize(state, tables, p, c):
    """Return the value of a place from which the player can escape; 0 for other places.

    Such a place is a target, or a circle beside the Staff Car.
    """
    if not state.kit[p]:
        return 0.0
    if tables.board.target[c] > 0:
        return 100.0
    return 50.0 if tables.board.beside_car[c] and holds(state, p, tables.car) else 0.0


def peril(state, tables, p, c, kind, weights):
    """Return the cost of the dangers of a place: guards in reach, or a blocked doorway. kind: the errand."""
    if kind == OUT_OF_HERE:
        return weights[AT.risk] * aids.danger(state, tables, c)
    if tables.board.zone[c] == cz.Zone.COURTYARD and equipment_held(state, p) > 0:
        return weights[AT.exposed] * aids.danger(state, tables, c)
    return weights[AT.doorway] if weights[AT.doorway] != 0.0 and aids.is_doorway(tables, c) else 0.0


def may_gain(state, tables, w, plan, weights, scratch):
    """Return whether POW w might move if picked. Modifies `scratch`.

    Returns False only if it is certain that he would not: no stop in reach within the grey zone has a higher
    value, and the errand needs no cards.
    """
    p, here = w // cz.TEAM, state.pow_at[w]
    kind, argument = errand(state, tables, p, w, plan, weights)
    walks = kind in (TO_SYMBOL, TO_CIRCLE, TO_DIG)
    if not walks or state.under[w] != cz.NONE or not tables.board.grey[here]:
        return True
    aim = Aim(kind, argument, plan.route)
    least = worth_of_stop(state, tables, p, here, aim, -1e18, weights)
    steps = steps_by_space(tables, kind, argument)
    if gets_nearer(state, tables, w, aim, least, weights, steps):
        return True
    return finds_better(state, tables, w, aim, least, weights, steps, scratch)


def steps_by_space(tables, kind, argument):
    """Return the number of steps from each space to the end of an errand: int16 [space].

    The number is -1 if there is no way.
    """
    board = tables.board
    if kind == TO_SYMBOL:
        return board.symbol_steps[argument]
    return board.steps_in[argument] if kind == TO_DIG else board.steps[argument]


def gets_nearer(state, tables, w, aim, least, weights, steps):
    """Return whether POW w reaches a stop of value above `least` by moving towards the end of the errand.

    This quick test suffices for most POWs who would move.
    """
    board, p, x = tables.board, w // cz.TEAM, state.pow_at[w]
    for _ in range(state.points):
        before = x
        for arc in range(board.arc_first[x], board.arc_first[x + 1]):
            y = board.arc_to[arc]
            if 0 <= steps[y] < steps[x] and state.on[y] == 0 and may_step(state, tables, x, arc):
                x = y
                break
        if x == before:
            return False
        if board.stops[x] and worth_of_stop(state, tables, p, x, aim, least, weights) > least:
            return True
    return False


def finds_better(state, tables, w, aim, least, weights, steps, scratch):
    """Return whether POW w can reach a stop of value above `least`, or a way out of the grey zone.

    Modifies `scratch`.

    Without an open tunnel or open way, a step reduces the distance by at most one, so circles that are too
    far for the remaining points are skipped.
    """
    board, p = tables.board, w // cz.TEAM
    by_steps = state.opened == 0 and not is_tunnel_open(state)
    scratch.away[:] = NOT_MET
    scratch.queue[0], scratch.away[state.pow_at[w]] = state.pow_at[w], 0
    head, tail = 0, 1
    while head < tail:
        x = scratch.queue[head]
        head += 1
        points = state.points - scratch.away[x] - 1  # after the next step
        if points < 0:
            return False
        for arc in range(board.arc_first[x], board.arc_first[x + 1]):
            y = board.arc_to[arc]
            if scratch.away[y] != NOT_MET or not may_step(state, tables, x, arc):
                continue
            if not board.grey[y] or (not board.is_plain[x] and is_way_down(state, tables, p, y)):
                return True  # out of the grey zone, or to a way down
            if state.on[y] != 0:
                continue
            scratch.away[y] = scratch.away[x] + 1
            left = steps[y] if steps[y] >= 0 else FAR
            near = left < -least and board.stops[y]
            if near and worth_of_stop(state, tables, p, y, aim, least, weights) > least:
                return True
            if not by_steps or left < points - least:
                scratch.queue[tail] = y
                tail += 1
    return False


def is_tunnel_open(state):
    for t in range(cz.TUNNELS):
        if state.tunnel[t] == cz.Tunnel.OPEN:
            return True
    return False


def may_step(state, tables, x, arc):
    """Return whether an arc from x can be used without a card."""
    return tables.board.is_plain[x] or (may_use(tables, arc) and is_open(state, tables, arc))


# ---------------------------------------------------------------- routes of the board


SHORT = 60.0  # cost in steps of a card of which none are left
SEEN = 6 + 2 * cz.EQUIPMENT + cz.GUARDS  # numbers that the choice of a route depends on

# A player's last choice of route, with the numbers that it depended on, and their current values.
CHOSEN = np.dtype([("route", "i8"), ("seen", "i2", (SEEN,)), ("now", "i2", (SEEN,))], align=True)


def missing(state, tables, p, r, e):
    """Return the number of cards of Equipment e that player p lacks for route r.

    Ways that are open now need no card.
    """
    need = tables.board.route_need[r, e] - state.equipment[p, e]
    if need > 0 and state.opened != 0:
        need -= saved(state, tables, r, e)
    return max(need, 0)


def saved(state, tables, r, e):
    """Return the number of cards of Equipment e that route r does not need, because ways are open now."""
    cards = 0
    for i in range(tables.board.route_length[r]):
        arc = tables.board.route_arc[r, i]
        if tables.board.arc_kind[arc] != cz.Arc.WALK and card_for(tables, arc) == e:
            cards += cards_for(tables, arc) if is_open(state, tables, arc) else 0
    return cards


def cards_cost(state, tables, p, r, card_cost, gate):
    """Return the cost in steps of the cards that player p lacks for route r.

    A Key or Pass costs `gate` steps less. A card that the supply lacks costs SHORT steps more.
    """
    cost = 0.0
    for e in range(cz.EQUIPMENT):
        lacks = missing(state, tables, p, r, e)
        if lacks > 0:
            cheap = e == cz.Equipment.key or e == cz.Equipment.passes
            cost += lacks * (card_cost - gate * cheap) + SHORT * max(0, lacks - state.supply[e])
    return cost


def blockers(state, tables, r, first, end):
    """Return the number of guards on circles first to end - 1 of a route."""
    n = 0
    for g in range(cz.GUARDS):
        if is_posted(state, g):
            n += first <= number_on(tables, r, state.guard_at[g]) < end
    return n


def is_way(state, tables, p, r):
    """Return whether a route can be used.

    A route that ends beside the Staff Car needs the car's card (9.11).
    """
    return not tables.board.route_car[r] or holds(state, p, tables.car)


def best_route(state, tables, p, card_cost, block, car, gate):
    """Return the route with the lowest cost in steps, missing cards and guards on it.

    car: cost of a drive in the Staff Car in steps.
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


def remembered_route(state, tables, p, card_cost, block, car, gate, chosen):
    """Return `best_route`, recomputed only if its inputs have changed. Modifies `chosen`."""
    see(state, tables, p, chosen.now)
    if renewed(chosen.seen, chosen.now):
        chosen.route = best_route(state, tables, p, card_cost, block, car, gate)
    return chosen.route


def see(state, tables, p, seen):
    """Copy into `seen` exactly the parts of the state that `best_route` reads."""
    seen[0] = 1  # a blank memory has no values
    seen[1] = holds(state, p, tables.car)
    n = 2
    for e in range(cz.EQUIPMENT):
        seen[n], seen[n + 1] = state.equipment[p, e], state.supply[e]
        n += 2
    for bits in range(0, 64, 16):
        seen[n] = state.opened >> np.uint64(bits) & np.uint64(0xFFFF)
        n += 1
    for g in range(cz.GUARDS):
        seen[n + g] = state.guard_at[g]


def wanted_for(state, tables, p, r):
    """Return the Equipment to collect next for a route: the last missing kind; NONE if nothing is missing."""
    what = cz.NONE
    for e in range(cz.EQUIPMENT):
        if missing(state, tables, p, r, e) > 0:
            what = e
    return what


def number_on(tables, r, c):
    """Return the index of circle c on route r; NONE if it is not on the route."""
    return int(tables.board.route_number[c, r])


def route_of_run(state, tables, p, c, block, car):
    """Return the cheapest route that continues from circle c with the cards held; NONE if there is none.

    The cost is in steps and guards.
    """
    best, chosen = 1e9, cz.NONE
    for r in range(tables.board.n_routes):
        i = number_on(tables, r, c)
        if i == cz.NONE or not is_way(state, tables, p, r) or not can_finish(state, tables, p, r, i):
            continue
        cost = car * tables.board.route_car[r] + tables.board.route_length[r] - i
        cost += block * blockers(state, tables, r, i, FAR)
        if cost < best:
            best, chosen = cost, r
    return chosen


def can_finish(state, tables, p, r, first):
    """Return whether the cards held are enough for route r from index `first` on."""
    cutters, passes = state.equipment[p, cz.Equipment.wire_cutters], state.equipment[p, cz.Equipment.passes]
    keys, ropes = state.equipment[p, cz.Equipment.key], state.equipment[p, cz.Equipment.rope]
    for i in range(first, tables.board.route_length[r]):
        arc = tables.board.route_arc[r, i]
        kind = tables.board.arc_kind[arc]
        if kind == cz.Arc.WALK or is_open(state, tables, arc):
            continue
        cutters -= kind == cz.Arc.WIRE
        passes -= kind == cz.Arc.PASS
        keys -= kind == cz.Arc.KEY
        ropes -= tables.board.arc_ropes[arc]
    return min(min(cutters, passes), min(keys, ropes)) >= 0


# ---------------------------------------------------------------- tunnels
# A tunnel needs no Equipment, POWs in it are safe from arrest and Appel, and it ends beyond the places where
# guards block the exits.


DIGGERS = 2  # per player: with fewer in it, a tunnel is closed (8.3)


def far_end(tables, t):
    return tables.board.chain[t, tables.board.chain_length[t] - 1]


def tunnel_for(state, tables, p, most):
    """Return the best tunnel that player p can use; NONE if there is none.

    It has the fewest steps, at most `most`, from its far end to a target.
    """
    chosen, least = cz.NONE, most
    for t in range(cz.TUNNELS):
        left = aids.way_out(state, tables, p, far_end(tables, t))
        if left <= least and is_usable(state, tables, p, t):
            chosen, least = t, left
    return chosen


def is_usable(state, tables, p, t):
    """Return whether the player can use tunnel t (8.1).

    It is unused and he holds its card, or it is open and not shut, and he opened it or two POWs are in it.
    """
    if state.tunnel[t] == cz.Tunnel.UNUSED:
        return holds(state, p, tables.open_tunnel[t])
    joins = state.digger[t] == p or in_tunnel(state, t) >= 2
    return state.tunnel[t] == cz.Tunnel.OPEN and joins and not state.shut[t]


def diggers_for(state, tables, p, t):
    """Return a bit mask of the player's POWs that are in tunnel t or, up to DIGGERS, nearest to it."""
    mask, n = 0, 0
    for i in range(cz.TEAM):
        if state.pow_at[p * cz.TEAM + i] > cz.APPEL and state.under[p * cz.TEAM + i] == t:
            mask |= 1 << i
            n += 1
    while n < DIGGERS:
        i = nearest_outside(state, tables, p, t, mask)
        if i == cz.NONE:
            break
        mask |= 1 << i
        n += 1
    return mask


def nearest_outside(state, tables, p, t, mask):
    """Return the team index of the POW nearest to the mouth of tunnel t; NONE if there is none.

    POWs in the bit mask `mask` are ignored.
    """
    best, least = cz.NONE, FAR
    for i in range(cz.TEAM):
        w = p * cz.TEAM + i
        if aids.waits(state, tables, w) and not mask >> i & 1:
            d = tables.board.steps_in[t, state.pow_at[w]]
            if d < least:
                best, least = i, d
    return best


def is_stuck(state, tables, w):
    """Return whether POW w is at the far end of his tunnel, or the place ahead of him is occupied."""
    t, i = state.under[w], tables.board.chain_index[state.pow_at[w]]
    return i == tables.board.chain_length[t] - 1 or state.below[tables.board.chain[t, i + 1]] != 0


def worth_below(state, tables, w, t, act, c):
    """Return the value of a place for a digging POW.

    The first two POWs enter with the same throw, and then go as far as they can.
    """
    is_in = state.under[w] != cz.NONE
    if act != cz.Act.UNDER and not (act == cz.Act.STAY and is_in):
        return -1.0 * (FAR if is_in else tables.board.steps_in[t, c])
    i = tables.board.chain_index[c]
    if not is_in and in_tunnel(state, t) < 2:
        return 100.0 - abs(i - 1 + in_tunnel(state, t))
    return 100.0 + i


def points_beyond(state, tables, w):
    """Return the movement points that POW w has left at the far end of his tunnel.

    The result is below 0 if he does not reach it.
    """
    t = state.under[w]
    return state.points - (tables.board.chain_length[t] - 1 - tables.board.chain_index[state.pow_at[w]])


jit_module(__name__)
