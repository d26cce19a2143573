"""What a stop is worth to a POW on his errand; whether he can walk to one worth more than where he stands."""

from typing import NamedTuple

import numpy as np

from bartizan.policies.colditz import plans
from bartizan.policies.colditz.aids import FAR, danger, is_doorway
from bartizan.policies.colditz.plans import AT
from bartizan.simcore.colditz.components import NONE, SPACES, TEAM, TUNNELS, Tunnel, Zone
from bartizan.simcore.colditz.rules.decks import holds
from bartizan.simcore.colditz.rules.pawns import equipment_held
from bartizan.simcore.colditz.rules.pow_moves import is_way_down
from bartizan.simcore.colditz.rules.ways import is_open, may_use
from bartizan.simcore.compile.jit import jit

NOT_MET = -1
# What one decision is worked out on.
SCRATCH = np.dtype(
    [
        ("pick", "i4", (TEAM,)),  # where in the list of legal actions a POW can be picked
        ("worth", "f8", (TEAM,)),  # and what that is worth
        ("queue", "i2", (SPACES,)),  # of a walk over the board: spaces met, nearest first
        ("away", "i2", (SPACES,)),  # steps to those that have been
    ],
    align=True,
)


class Aim(NamedTuple):
    """An errand, and the way out that it is walked by."""

    kind: int
    argument: int
    route: int


@jit
def worth_of_stop(state, tables, p, c, aim, best, weights):
    """What a stop at c is worth; dangers are looked up where it could be more than `best`."""
    gain = prize(state, tables, p, c) if aim.kind != plans.TO_DIG else 0.0
    worth = gain - 1.0 * plans.distance_left(state, tables, p, aim.kind, aim.argument, aim.route, c)
    if gain == 0.0 and worth > best:
        worth -= peril(state, tables, p, c, aim.kind, weights)
    return worth


@jit
def prize(state, tables, p, c):
    """A place that an escape is made from."""
    if not state.kit[p]:
        return 0.0
    if tables.board.target[c] > 0:
        return 100.0
    return 50.0 if tables.board.beside_car[c] and holds(state, p, tables.car) else 0.0


@jit
def peril(state, tables, p, c, kind, weights):
    """The dangers of a place."""
    if kind == plans.OUT_OF_HERE:
        return weights[AT.risk] * danger(state, tables, c)
    if tables.board.zone[c] == Zone.COURTYARD and equipment_held(state, p) > 0:
        return weights[AT.exposed] * danger(state, tables, c)
    return weights[AT.doorway] if weights[AT.doorway] != 0.0 and is_doorway(tables, c) else 0.0


@jit
def may_gain(state, tables, w, plan, weights, scratch):
    """POW w would leave where he stands if he were picked. Modifies `scratch`.

    False only when it is sure: on an errand that takes no cards, within the grey zone, no stop in reach is
    worth more.
    """
    p, here = w // TEAM, state.pow_at[w]
    kind, argument = plans.errand(state, tables, p, w, plan, weights)
    walks = kind in (plans.TO_SYMBOL, plans.TO_CIRCLE, plans.TO_DIG)
    if not walks or state.under[w] != NONE or not tables.board.grey[here]:
        return True
    aim = Aim(kind, argument, plan.route)
    least = worth_of_stop(state, tables, p, here, aim, -1e18, weights)
    steps = steps_by_space(tables, kind, argument)
    return gets_nearer(state, tables, w, aim, least, weights, steps) or finds_better(
        state, tables, w, aim, least, weights, steps, scratch
    )


@jit
def steps_by_space(tables, kind, argument):
    """int16 [space]: steps to the end of an errand, -1 where there is no way."""
    board = tables.board
    if kind == plans.TO_SYMBOL:
        return board.symbol_steps[argument]
    return board.steps_in[argument] if kind == plans.TO_DIG else board.steps[argument]


@jit
def gets_nearer(state, tables, w, aim, least, weights, steps):
    """Walking on to where the errand is nearer POW w comes to a stop worth more than `least`.

    A quick look: most who would go are found by it.
    """
    board, p, x = tables.board, w // TEAM, state.pow_at[w]
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


@jit
def finds_better(state, tables, w, aim, least, weights, steps, scratch):
    """A stop worth more than `least` is in reach of POW w, or a way out of the grey zone. Modifies `scratch`.

    Where no tunnel and no way is open a step brings him nearer by one at most: a circle too far for the
    points left then leads nowhere.
    """
    board, p = tables.board, w // TEAM
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
            if leaves_grey(state, tables, p, x, y):
                return True
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


@jit
def leaves_grey(state, tables, p, x, y):
    """A step from x to y leads out of the grey zone, or to where a way leads down."""
    board = tables.board
    return not board.grey[y] or (not board.is_plain[x] and is_way_down(state, tables, p, y))


@jit
def is_tunnel_open(state):
    for t in range(TUNNELS):
        if state.tunnel[t] == Tunnel.OPEN:
            return True
    return False


@jit
def may_step(state, tables, x, arc):
    """From x on by an arc that takes no card."""
    return tables.board.is_plain[x] or (may_use(tables, arc) and is_open(state, tables, arc))
