"""What each POW of `escape_officer` is to do now, and whether this is the throw to run with."""

from bartizan.policies.colditz.aids import FAR, way_out
from bartizan.policies.colditz.errands import gatherer, kit_errand, rounds_left, steps_to_symbol, won_already
from bartizan.policies.colditz.routes import blockers, number_on, wanted_for
from bartizan.simcore.colditz.components import APPEL, NONE, TEAM, Equipment, StakeFromAppel
from bartizan.simcore.colditz.rules.pawns import is_on_the_run, on_surface
from bartizan.simcore.compile.jit import jit

# weights, in the order of ESCAPE_OFFICER.weights
BURST, OPEN, FEAR, RISK, LATE, HURRY, CARD_COST, EXPOSED, DOORWAY = range(9)
BLOCK, STAKE_ROUNDS, DRIVE = range(9, 12)

ROPE = int(Equipment.rope)
BESIDE = 4  # steps: near enough to where a route begins

NOTHING_TO_DO, TO_SYMBOL, TO_CIRCLE, OUT_OF_HERE, TO_STAKE = 0, 1, 2, 3, 4


@jit
def errand(state, tables, p, w, plan, weights):
    """(kind, argument): what POW w is to do. plan: the route of player p."""
    if is_on_the_run(state, tables, w):
        return OUT_OF_HERE, 0
    if state.returning[w]:
        return TO_CIRCLE, tables.board.pass_circle
    if not state.kit[p]:
        s = kit_errand(state, tables, p, w)
        return (TO_SYMBOL, s) if s != NONE else (NOTHING_TO_DO, 0)
    if is_time_to_stake(state, tables, weights) and w == staker(state, tables, p):
        return TO_STAKE, 0
    e = wanted(state, tables, p, plan, weights)
    if e != NONE and rounds_left(state, tables) > weights[HURRY] and gatherer(state, tables, p, w, e):
        return TO_SYMBOL, e
    return run_errand(state, tables, p, w, plan, weights)


@jit
def wanted(state, tables, p, plan, weights):
    """The Equipment to gather next: for the route, or Ropes for a Do or Die."""
    if is_time_to_stake(state, tables, weights):
        short = state.equipment[p, Equipment.rope] < 2 and state.supply[Equipment.rope] > 0
        return ROPE if short else NONE
    return wanted_for(state, tables, p, plan)


@jit
def is_time_to_stake(state, tables, weights):
    return rounds_left(state, tables) < weights[STAKE_ROUNDS] and not won_already(state)


@jit
def staker(state, tables, p):
    """The POW in the grey zone with the shortest Do or Die, or NONE."""
    best, least = NONE, FAR
    for v in range(p * TEAM, (p + 1) * TEAM):
        if on_surface(state, v) and tables.board.grey[state.pow_at[v]]:
            d = stake_from(state, tables, p, state.pow_at[v])
            if d < least:
                best, least = v, d
    return best


@jit
def run_errand(state, tables, p, w, plan, weights):
    """The two nearest to where the route begins wait there; the first of them runs."""
    start = tables.board.route[plan, 0]
    rank = rank_of(state, tables, p, w, start)
    if rank > 1:
        return NOTHING_TO_DO, 0
    if rank == 0 and is_ready(state, tables, p, w, plan) and go_now(state, tables, w, plan, weights):
        return OUT_OF_HERE, 0
    return TO_CIRCLE, start


@jit
def is_ready(state, tables, p, w, plan):
    """Nothing is missing for the route, and w stands where it begins."""
    away = steps_to(tables, state.pow_at[w], tables.board.route[plan, 0])
    return away <= BESIDE and wanted_for(state, tables, p, plan) == NONE


@jit
def rank_of(state, tables, p, w, start):
    """How many POWs of the player in the grey zone are nearer to a circle."""
    own, nearer = steps_to(tables, state.pow_at[w], start), 0
    for v in range(p * TEAM, (p + 1) * TEAM):
        if v != w and on_surface(state, v) and tables.board.grey[state.pow_at[v]]:
            d = steps_to(tables, state.pow_at[v], start)
            nearer += d < own or (d == own and v < w)
    return nearer


@jit
def steps_to(tables, c, goal):
    d = tables.board.steps[c, goal]
    return d if d >= 0 else FAR


@jit
def go_now(state, tables, w, plan, weights):
    """Is this the throw to run with? Nobody stands in the way of it."""
    points = state.points - steps_to(tables, state.pow_at[w], tables.board.route[plan, 0])
    return blockers(state, tables, plan, 0, points + 1) == 0 and is_good_throw(
        state, tables, plan, points, weights
    )


@jit
def is_good_throw(state, tables, plan, points, weights):
    d = tables.board.route_length[plan]
    if tables.board.route_car[plan]:
        return d <= points  # nobody waits beside the car
    if d - points <= weights[OPEN] or points >= weights[BURST]:
        return True
    return rounds_left(state, tables) <= weights[HURRY] and d <= points + 8.4 * rounds_left(state, tables)


@jit
def distance_left(state, tables, p, w, kind, argument, plan, c):
    """How far the errand is from being done at space c."""
    if kind == TO_SYMBOL:
        return steps_to_symbol(tables, argument, c)
    if kind == TO_CIRCLE:
        return steps_to(tables, c, argument)
    if kind == OUT_OF_HERE:
        return run_left(state, tables, p, plan, c)
    if kind == TO_STAKE:
        if not tables.board.grey[c] or (c == APPEL and tables.stake_from_appel == StakeFromAppel.not_allowed):
            return FAR
        return stake_from(state, tables, p, c)
    return 0


@jit
def run_left(state, tables, p, plan, c):
    """Steps to the target along the route, or by the shortest way where c is not on it."""
    i = number_on(tables, plan, c) if plan != NONE else NONE
    if i != NONE:
        return tables.board.route_length[plan] - i
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
