"""What each POW of `escape_officer` is to do now, and whether this is the throw to run with."""

from typing import NamedTuple

from bartizan.policies.colditz.aids import FAR, steps_to, waits, way_out
from bartizan.policies.colditz.errands import gatherer, kit_errand, rounds_left, steps_to_symbol, won_already
from bartizan.policies.colditz.routes import blockers, number_on, remembered_route, wanted_for
from bartizan.policies.colditz.tunnels import diggers_for, far_end, points_beyond, tunnel_for
from bartizan.policies.protocol import indices
from bartizan.simcore.colditz.components import APPEL, NONE, TEAM, Equipment, StakeFromAppel
from bartizan.simcore.colditz.rules.decks import holds
from bartizan.simcore.colditz.rules.guard_moves import somebody_is_out
from bartizan.simcore.colditz.rules.pawns import is_on_the_run
from bartizan.simcore.compile.jit import jit

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

ROPE = int(Equipment.rope)
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


@jit
def plan_of(state, tables, p, weights, chosen):
    """What player p is after. Modifies `chosen`: the player's route is remembered there."""
    stakes = rounds_left(state, tables) < weights[AT.stake_rounds] and not won_already(state)
    running = runners(state, tables, p)
    if not state.kit[p]:
        return Intent(0, NONE, stakes, running, NONE, 0, NONE, 0)
    costs = weights[AT.card_cost], weights[AT.block], weights[AT.drive], weights[AT.gate]
    route = remembered_route(state, tables, p, *costs, chosen)
    missing = wanted_for(state, tables, p, route)
    tunnel = tunnel_for(state, tables, p, weights[AT.tunnel])
    diggers = diggers_for(state, tables, p, tunnel) if tunnel != NONE else 0
    points, blocked = NONE, 0
    if missing == NONE and (holds(state, p, tables.diversion) or holds(state, p, tables.inspection)):
        points = points_of_run(state, tables, p, route, diggers, weights)
        blocked = blockers(state, tables, route, 0, points + 1) if points != NONE else 0
    wants = missing
    if stakes:  # two Ropes shorten a Do or Die
        wants = ROPE if state.equipment[p, ROPE] < 2 and state.supply[ROPE] > 0 else NONE
    return Intent(route, wants, stakes, running, points, blocked, tunnel, diggers)


@jit
def runners(state, tables, p):
    """Bit mask of the player's POWs on the run."""
    mask = 0
    for i in range(TEAM):
        if is_on_the_run(state, tables, p * TEAM + i):
            mask |= 1 << i
    return mask


@jit
def points_of_run(state, tables, p, route, diggers, weights):
    """How far the POW nearest to where the route begins comes with this throw, if it is one to run with."""
    start = tables.board.route[route, 0]
    w = first_waiting(state, tables, p, start, diggers)
    if w == NONE:
        return NONE
    away = steps_to(tables, state.pow_at[w], start)
    points = state.points - away
    return points if away <= BESIDE and is_good_throw(state, tables, route, points, weights) else NONE


@jit
def first_waiting(state, tables, p, start, diggers):
    """The POW in the grey zone who does not dig and is nearest to where a route begins; NONE."""
    best, least = NONE, FAR
    for w in range(p * TEAM, (p + 1) * TEAM):
        if waits(state, tables, w) and not diggers >> (w - p * TEAM) & 1:
            d = steps_to(tables, state.pow_at[w], start)
            if d < least:
                best, least = w, d
    return best


@jit
def errand(state, tables, p, w, plan, weights):
    """(kind, argument): what POW w is to do."""
    if plan.running >> (w - p * TEAM) & 1:
        return OUT_OF_HERE, 0
    if state.returning[w]:
        return TO_CIRCLE, tables.board.pass_circle
    if state.under[w] != NONE or plan.diggers >> (w - p * TEAM) & 1:
        return dig_errand(state, tables, p, w, plan, weights)
    if not state.kit[p]:
        s = kit_errand(state, tables, p, w)
        return (TO_SYMBOL, s) if s != NONE else (NOTHING_TO_DO, 0)
    if plan.stakes and w == staker(state, tables, p):
        return TO_STAKE, 0
    e = plan.wants
    if e != NONE and rounds_left(state, tables) > weights[AT.hurry] and gatherer(state, tables, p, w, e):
        return TO_SYMBOL, e
    return run_errand(state, tables, p, w, plan, weights)


@jit
def dig_errand(state, tables, p, w, plan, weights):
    """Into the tunnel, along it, and out by the far end with a throw to run with."""
    if state.under[w] == NONE:
        return TO_DIG, plan.tunnel
    t = state.under[w]
    left = way_out(state, tables, p, far_end(tables, t))
    goes = state.kit[p] and is_far_enough(state, tables, left, points_beyond(state, tables, w), weights)
    return (OUT_OF_HERE, 0) if goes else (TO_DIG, t)


@jit
def staker(state, tables, p):
    """The POW in the grey zone with the shortest Do or Die, or NONE."""
    best, least = NONE, FAR
    for v in range(p * TEAM, (p + 1) * TEAM):
        if waits(state, tables, v):
            d = stake_from(state, tables, p, state.pow_at[v])
            if d < least:
                best, least = v, d
    return best


@jit
def run_errand(state, tables, p, w, plan, weights):
    """The two nearest to where the route begins wait there; the first of them runs."""
    route, start = plan.route, tables.board.route[plan.route, 0]
    rank = rank_of(state, tables, p, w, start, plan.diggers)
    if rank > 1:
        return NOTHING_TO_DO, 0
    if rank == 0 and is_ready(state, tables, p, w, route) and go_now(state, tables, w, route, weights):
        return OUT_OF_HERE, 0
    return TO_CIRCLE, start


@jit
def is_ready(state, tables, p, w, route):
    """Nothing is missing for the route, and w stands where it begins."""
    away = steps_to(tables, state.pow_at[w], tables.board.route[route, 0])
    return away <= BESIDE and wanted_for(state, tables, p, route) == NONE


@jit
def rank_of(state, tables, p, w, start, diggers):
    """How many POWs of the player in the grey zone who do not dig are nearer to a circle."""
    own, nearer = steps_to(tables, state.pow_at[w], start), 0
    for v in range(p * TEAM, (p + 1) * TEAM):
        digs = diggers >> (v - p * TEAM) & 1
        if v != w and not digs and waits(state, tables, v):
            d = steps_to(tables, state.pow_at[v], start)
            nearer += d < own or (d == own and v < w)
    return nearer


@jit
def go_now(state, tables, w, route, weights):
    """Is this the throw to run with? Nobody stands in the way of it."""
    points = state.points - steps_to(tables, state.pow_at[w], tables.board.route[route, 0])
    return blockers(state, tables, route, 0, points + 1) == 0 and is_good_throw(
        state, tables, route, points, weights
    )


@jit
def is_good_throw(state, tables, route, points, weights):
    d = tables.board.route_length[route]
    if tables.board.route_car[route]:
        return d <= points  # nobody waits beside the car
    return is_far_enough(state, tables, d, points, weights)


@jit
def is_far_enough(state, tables, d, points, weights):
    """A POW who has d steps to a target and so many points from where his way begins is to go."""
    burst = weights[AT.burst] - (weights[AT.follow] if somebody_is_out(state, tables) else 0.0)
    if d - points <= weights[AT.open] or points >= burst:
        return True
    return rounds_left(state, tables) <= weights[AT.hurry] and d <= points + MEAN_THROW * rounds_left(
        state, tables
    )


@jit
def distance_left(state, tables, p, kind, argument, route, c):
    """How far the errand is from being done at space c."""
    if kind == TO_SYMBOL:
        return steps_to_symbol(tables, argument, c)
    if kind == TO_CIRCLE:
        return steps_to(tables, c, argument)
    if kind == OUT_OF_HERE:
        return run_left(state, tables, p, route, c)
    if kind == TO_STAKE:
        if not tables.board.grey[c] or (c == APPEL and tables.stake_from_appel == StakeFromAppel.not_allowed):
            return FAR
        return stake_from(state, tables, p, c)
    if kind == TO_DIG:
        return int(tables.board.steps_in[argument, c])
    return 0


@jit
def run_left(state, tables, p, route, c):
    """Steps to the target along the route, or by the shortest way where c is not on it."""
    i = number_on(tables, route, c) if route != NONE else NONE
    if i != NONE:
        return tables.board.route_length[route] - i
    return way_out(state, tables, p, c)


@jit
def stake_from(state, tables, p, c):
    table = tables.board.stake_distance
    d = table[
        min(state.equipment[p, Equipment.rope], table.shape[0] - 1),
        min(state.equipment[p, Equipment.wire_cutters], table.shape[1] - 1),
        c,
    ]
    return d if d >= 0 else FAR
