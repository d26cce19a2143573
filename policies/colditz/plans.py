"""What each POW of `escape_officer` is to do now, and whether this is the throw to run with."""

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

# rounded from what `bartizan equilibrium` found (docs/colditz.md)
WEIGHTS = {
    "burst": 12.0,  # a throw to run with, whatever is left
    "open": 12.0,  # steps left after a throw to run with
    "fear": 0.1,  # chance to be taken by an Appel from which a POW goes there
    "risk": 4.0,  # steps that a stop on the run counts as which a guard is sure to reach
    "late": 0.0,  # rounds left in which a Do or Die is staked
    "hurry": 3.0,  # rounds left in which nothing more is gathered
    "card_cost": 2.0,  # steps that a missing card counts as
    "exposed": 22.0,  # as `risk`, in the courtyard with Equipment
    "doorway": 0.5,  # steps that a stop in a doorway counts as
    "block": 19.0,  # steps that a guard on the way counts as
    "stake_rounds": 3.0,  # in fewer rounds left one POW goes to where a Do or Die is short
    "drive": 6.0,  # steps that the drive in the Staff Car counts as
    "tunnel": 30.0,  # a tunnel is dug when it ends so many steps from a target, or fewer
    "gifts": 1.0,  # other cards than that of the Staff Car are given to allies, if not 0
    "follow": 0.0,  # a throw may be so much lower while somebody is on the run
    "gate": 0.0,  # steps that a Key or Pass counts less than a Rope
}
AT = indices(WEIGHTS)

ROPE = int(cz.Equipment.rope)
BESIDE = 4  # steps: near enough to where a route begins
MEAN_THROW = 8.4  # of two dice, a double thrown again

NOTHING_TO_DO, TO_SYMBOL, TO_CIRCLE, OUT_OF_HERE, TO_STAKE, TO_DIG = 0, 1, 2, 3, 4, 5


class Intent(NamedTuple):
    """What player p is after, worked out once a decision."""

    route: int  # the way out; 0 before there is a Kit
    wants: int  # the Equipment to gather next, or NONE
    stakes: bool  # it is time to get ready for a Do or Die
    running: int  # bit mask of own POWs on the run
    points: int  # with this throw somebody would run so far if guards were away; NONE: nobody would
    blocked: int  # guards in the way of that run
    tunnel: int  # to dig, or NONE
    diggers: int  # bit mask of own POWs who dig


def plan_of(state, tables, p, weights, chosen):
    """What player p is after. Modifies `chosen`: the player's route is remembered there."""
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
    """Bit mask of the player's POWs on the run."""
    mask = 0
    for i in range(cz.TEAM):
        if is_on_the_run(state, tables, p * cz.TEAM + i):
            mask |= 1 << i
    return mask


def points_of_run(state, tables, p, route, diggers, weights):
    """How far the POW nearest to where the route begins comes with this throw, if it is one to run with."""
    start = tables.board.route[route, 0]
    w = first_waiting(state, tables, p, start, diggers)
    if w == cz.NONE:
        return cz.NONE
    away = aids.steps_to(tables, state.pow_at[w], start)
    points = state.points - away
    return points if away <= BESIDE and is_good_throw(state, tables, route, points, weights) else cz.NONE


def first_waiting(state, tables, p, start, diggers):
    """The POW in the grey zone who does not dig and is nearest to where a route begins; NONE."""
    best, least = cz.NONE, FAR
    for w in range(p * cz.TEAM, (p + 1) * cz.TEAM):
        if aids.waits(state, tables, w) and not diggers >> (w - p * cz.TEAM) & 1:
            d = aids.steps_to(tables, state.pow_at[w], start)
            if d < least:
                best, least = w, d
    return best


def errand(state, tables, p, w, plan, weights):
    """(kind, argument): what POW w is to do."""
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
    """Into the tunnel, along it, and out by the far end with a throw to run with."""
    if state.under[w] == cz.NONE:
        return TO_DIG, plan.tunnel
    t = state.under[w]
    left = aids.way_out(state, tables, p, far_end(tables, t))
    goes = state.kit[p] and is_far_enough(state, tables, left, points_beyond(state, tables, w), weights)
    return (OUT_OF_HERE, 0) if goes else (TO_DIG, t)


def staker(state, tables, p):
    """The POW in the grey zone with the shortest Do or Die, or NONE."""
    best, least = cz.NONE, FAR
    for v in range(p * cz.TEAM, (p + 1) * cz.TEAM):
        if aids.waits(state, tables, v):
            d = stake_from(state, tables, p, state.pow_at[v])
            if d < least:
                best, least = v, d
    return best


def run_errand(state, tables, p, w, plan, weights):
    """The two nearest to where the route begins wait there; the first of them runs."""
    route, start = plan.route, tables.board.route[plan.route, 0]
    rank = rank_of(state, tables, p, w, start, plan.diggers)
    if rank > 1:
        return NOTHING_TO_DO, 0
    if rank == 0 and is_ready(state, tables, p, w, route) and go_now(state, tables, w, route, weights):
        return OUT_OF_HERE, 0
    return TO_CIRCLE, start


def is_ready(state, tables, p, w, route):
    """Nothing is missing for the route, and w stands where it begins."""
    away = aids.steps_to(tables, state.pow_at[w], tables.board.route[route, 0])
    return away <= BESIDE and wanted_for(state, tables, p, route) == cz.NONE


def rank_of(state, tables, p, w, start, diggers):
    """How many POWs of the player in the grey zone who do not dig are nearer to a circle."""
    own, nearer = aids.steps_to(tables, state.pow_at[w], start), 0
    for v in range(p * cz.TEAM, (p + 1) * cz.TEAM):
        digs = diggers >> (v - p * cz.TEAM) & 1
        if v != w and not digs and aids.waits(state, tables, v):
            d = aids.steps_to(tables, state.pow_at[v], start)
            nearer += d < own or (d == own and v < w)
    return nearer


def go_now(state, tables, w, route, weights):
    """Is this the throw to run with? Nobody stands in the way of it."""
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
    """A POW who has d steps to a target and so many points from where his way begins is to go."""
    burst = weights[AT.burst] - (weights[AT.follow] if somebody_is_out(state, tables) else 0.0)
    if d - points <= weights[AT.open] or points >= burst:
        return True
    left = aids.rounds_left(state, tables)
    return left <= weights[AT.hurry] and d <= points + MEAN_THROW * left


def distance_left(state, tables, p, kind, argument, route, c):
    """How far the errand is from being done at space c."""
    if kind == TO_SYMBOL:
        return aids.steps_to_symbol(tables, argument, c)
    if kind == TO_CIRCLE:
        return aids.steps_to(tables, c, argument)
    if kind == OUT_OF_HERE:
        i = number_on(tables, route, c) if route != cz.NONE else cz.NONE
        # along the route, or by the shortest way where c is not on it
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


# ---------------------------------------------------------------- stops on an errand


NOT_MET = -1
# What one decision is worked out on.
SCRATCH = np.dtype(
    [
        ("pick", "i4", (cz.TEAM,)),  # where in the list of legal actions a POW can be picked
        ("worth", "f8", (cz.TEAM,)),  # and what that is worth
        ("queue", "i2", (cz.SPACES,)),  # of a walk over the board: spaces met, nearest first
        ("away", "i2", (cz.SPACES,)),  # steps to those that have been
    ],
    align=True,
)


class Aim(NamedTuple):
    """An errand, and the way out that it is walked by."""

    kind: int
    argument: int
    route: int


def worth_of_stop(state, tables, p, c, aim, best, weights):
    """What a stop at c is worth; dangers are looked up where it could be more than `best`."""
    gain = prize(state, tables, p, c) if aim.kind != TO_DIG else 0.0
    worth = gain - 1.0 * distance_left(state, tables, p, aim.kind, aim.argument, aim.route, c)
    if gain == 0.0 and worth > best:
        worth -= peril(state, tables, p, c, aim.kind, weights)
    return worth


def prize(state, tables, p, c):
    """A place that an escape is made from."""
    if not state.kit[p]:
        return 0.0
    if tables.board.target[c] > 0:
        return 100.0
    return 50.0 if tables.board.beside_car[c] and holds(state, p, tables.car) else 0.0


def peril(state, tables, p, c, kind, weights):
    """The dangers of a place."""
    if kind == OUT_OF_HERE:
        return weights[AT.risk] * aids.danger(state, tables, c)
    if tables.board.zone[c] == cz.Zone.COURTYARD and equipment_held(state, p) > 0:
        return weights[AT.exposed] * aids.danger(state, tables, c)
    return weights[AT.doorway] if weights[AT.doorway] != 0.0 and aids.is_doorway(tables, c) else 0.0


def may_gain(state, tables, w, plan, weights, scratch):
    """POW w would leave where he stands if he were picked. Modifies `scratch`.

    False only when it is sure: on an errand that takes no cards, within the grey zone, no stop in reach is
    worth more.
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
    """int16 [space]: steps to the end of an errand, -1 where there is no way."""
    board = tables.board
    if kind == TO_SYMBOL:
        return board.symbol_steps[argument]
    return board.steps_in[argument] if kind == TO_DIG else board.steps[argument]


def gets_nearer(state, tables, w, aim, least, weights, steps):
    """Walking on to where the errand is nearer POW w comes to a stop worth more than `least`.

    A quick look: most who would go are found by it.
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
    """A stop worth more than `least` is in reach of POW w, or a way out of the grey zone. Modifies `scratch`.

    Where no tunnel and no way is open a step brings him nearer by one at most: a circle too far for the
    points left then leads nowhere.
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
                return True  # out of the grey zone, or to where a way leads down
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
    """From x on by an arc that takes no card."""
    return tables.board.is_plain[x] or (may_use(tables, arc) and is_open(state, tables, arc))


# ---------------------------------------------------------------- routes of the board


SHORT = 60.0  # steps that a card counts as of which there are none left
SEEN = 6 + 2 * cz.EQUIPMENT + cz.GUARDS  # numbers that the choice of a route hangs on

# The route that a player chose last, beside what that hung on; and the same at this moment.
CHOSEN = np.dtype([("route", "i8"), ("seen", "i2", (SEEN,)), ("now", "i2", (SEEN,))], align=True)


def missing(state, tables, p, r, e):
    """Cards of Equipment e that player p lacks for route r; ways that are open now cost none."""
    need = tables.board.route_need[r, e] - state.equipment[p, e]
    if need > 0 and state.opened != 0:
        need -= saved(state, tables, r, e)
    return max(need, 0)


def saved(state, tables, r, e):
    """Cards of Equipment e that route r takes no more: their ways are open now."""
    cards = 0
    for i in range(tables.board.route_length[r]):
        arc = tables.board.route_arc[r, i]
        if tables.board.arc_kind[arc] != cz.Arc.WALK and card_for(tables, arc) == e:
            cards += cards_for(tables, arc) if is_open(state, tables, arc) else 0
    return cards


def cards_cost(state, tables, p, r, card_cost, gate):
    """The steps that the cards count as which player p lacks for route r; a Key or Pass `gate` steps less."""
    cost = 0.0
    for e in range(cz.EQUIPMENT):
        lacks = missing(state, tables, p, r, e)
        if lacks > 0:
            cheap = e == cz.Equipment.key or e == cz.Equipment.passes
            cost += lacks * (card_cost - gate * cheap) + SHORT * max(0, lacks - state.supply[e])
    return cost


def blockers(state, tables, r, first, end):
    """Guards on the circles number first .. end - 1 of a route."""
    n = 0
    for g in range(cz.GUARDS):
        if is_posted(state, g):
            n += first <= number_on(tables, r, state.guard_at[g]) < end
    return n


def is_way(state, tables, p, r):
    """A route that ends beside the Staff Car is for who holds the card (9.11)."""
    return not tables.board.route_car[r] or holds(state, p, tables.car)


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


def remembered_route(state, tables, p, card_cost, block, car, gate, chosen):
    """`best_route`, looked for anew only where something that it hangs on has changed. Modifies `chosen`."""
    see(state, tables, p, chosen.now)
    if renewed(chosen.seen, chosen.now):
        chosen.route = best_route(state, tables, p, card_cost, block, car, gate)
    return chosen.route


def see(state, tables, p, seen):
    """All in the state that `best_route` reads, and nothing else. Modifies `seen`."""
    seen[0] = 1  # a blank memory has seen nothing
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
    """The Equipment to gather next for a route, the last kind that is missing; NONE: ready."""
    what = cz.NONE
    for e in range(cz.EQUIPMENT):
        if missing(state, tables, p, r, e) > 0:
            what = e
    return what


def number_on(tables, r, c):
    """Where circle c stands on a route, or NONE."""
    return int(tables.board.route_number[c, r])


def route_of_run(state, tables, p, c, block, car):
    """The route that goes on from c with what is held, the shortest with the fewest guards; NONE."""
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
    """What is held pays for the rest of a route."""
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
# A tunnel takes no Equipment, POWs in it are safe from arrest and Appel, and it ends beyond where guards shut
# the ways out.


DIGGERS = 2  # of a player: with fewer in it a tunnel is closed (8.3)


def far_end(tables, t):
    return tables.board.chain[t, tables.board.chain_length[t] - 1]


def tunnel_for(state, tables, p, most):
    """The tunnel that player p can use with the fewest steps from its far end to a target, at most `most`;
    NONE.
    """
    chosen, least = cz.NONE, most
    for t in range(cz.TUNNELS):
        left = aids.way_out(state, tables, p, far_end(tables, t))
        if left <= least and is_usable(state, tables, p, t):
            chosen, least = t, left
    return chosen


def is_usable(state, tables, p, t):
    """The player holds its card, or opened it, or two are in it whom others may join (8.1)."""
    if state.tunnel[t] == cz.Tunnel.UNUSED:
        return holds(state, p, tables.open_tunnel[t])
    joins = state.digger[t] == p or in_tunnel(state, t) >= 2
    return state.tunnel[t] == cz.Tunnel.OPEN and joins and not state.shut[t]


def diggers_for(state, tables, p, t):
    """Bit mask of the player's POWs who are in tunnel t, or are to go there as the nearest."""
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
    """Number in the team of the POW nearest to the mouth of tunnel t, without those of a bit mask; NONE."""
    best, least = cz.NONE, FAR
    for i in range(cz.TEAM):
        w = p * cz.TEAM + i
        if aids.waits(state, tables, w) and not mask >> i & 1:
            d = tables.board.steps_in[t, state.pow_at[w]]
            if d < least:
                best, least = i, d
    return best


def is_stuck(state, tables, w):
    """Somebody is in the tunnel right before POW w, or its far end is reached."""
    t, i = state.under[w], tables.board.chain_index[state.pow_at[w]]
    return i == tables.board.chain_length[t] - 1 or state.below[tables.board.chain[t, i + 1]] != 0


def worth_below(state, tables, w, t, act, c):
    """A place for a POW who digs: the first two go in with the same throw, then as far along as they come."""
    is_in = state.under[w] != cz.NONE
    if act != cz.Act.UNDER and not (act == cz.Act.STAY and is_in):
        return -1.0 * (FAR if is_in else tables.board.steps_in[t, c])
    i = tables.board.chain_index[c]
    if not is_in and in_tunnel(state, t) < 2:
        return 100.0 - abs(i - 1 + in_tunnel(state, t))
    return 100.0 + i


def points_beyond(state, tables, w):
    """Movement points that POW w has left at the far end of his tunnel; below 0: he does not come so far."""
    t = state.under[w]
    return state.points - (tables.board.chain_length[t] - 1 - tables.board.chain_index[state.pow_at[w]])


jit_module(__name__)
