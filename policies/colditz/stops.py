"""What a stop is worth to a POW on his errand; whether he can walk to one worth more than where he stands."""

from typing import NamedTuple

import numpy as np

from bartizan.policies.colditz.aids import danger, is_doorway
from bartizan.policies.colditz.plans import (
    DOORWAY,
    EXPOSED,
    OUT_OF_HERE,
    RISK,
    TO_DIG,
    TO_STAKE,
    distance_left,
    errand,
    walk_left,
)
from bartizan.simcore.colditz.components import MAX_LEGAL, NONE, SPACES, TEAM, TUNNELS, Tunnel, Zone
from bartizan.simcore.colditz.rules.decks import holds
from bartizan.simcore.colditz.rules.pawns import equipment_held
from bartizan.simcore.colditz.rules.pow_moves import is_way_down
from bartizan.simcore.colditz.rules.ways import is_open, may_use
from bartizan.simcore.compile.jit import jit

# What one decision is worked out on.
DESK = np.dtype(
    [
        ("worth", "f8", (MAX_LEGAL,)),  # of each legal action
        ("queue", "i2", (SPACES,)),  # of a walk over the board: spaces met, nearest first
        ("met", "u1", (SPACES,)),  # those that have been
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
    gain = prize(state, tables, p, c) if aim.kind != TO_DIG else 0.0
    worth = gain - 1.0 * distance_left(state, tables, p, aim.kind, aim.argument, aim.route, c)
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
def is_exit(tables, c):
    """A place that escapes are made from."""
    return tables.board.target[c] > 0 or tables.board.beside_car[c]


@jit
def peril(state, tables, p, c, kind, weights):
    """The dangers of a place."""
    if kind == OUT_OF_HERE:
        return weights[RISK] * danger(state, tables, c)
    if tables.board.zone[c] == Zone.COURTYARD and equipment_held(state, p) > 0:
        return weights[EXPOSED] * danger(state, tables, c)
    return weights[DOORWAY] if weights[DOORWAY] != 0.0 and is_doorway(tables, c) else 0.0


@jit
def may_gain(state, tables, w, plan, weights, desk):
    """POW w would leave where he stands if he were picked. Modifies `desk`.

    False only when it is sure: a stop worth more is looked for over free circles and open ways, and where a
    tunnel is met, or the errand may take cards, the answer is True.
    """
    p = w // TEAM
    kind, argument = errand(state, tables, p, w, plan, weights)
    if kind == OUT_OF_HERE or state.under[w] != NONE:
        return True
    aim = Aim(kind, argument, plan.route)
    least = worth_of_stop(state, tables, p, state.pow_at[w], aim, -1e18, weights)
    return gets_nearer(state, tables, w, aim, least, weights) or finds_better(
        state, tables, w, aim, least, weights, desk
    )


@jit
def gets_nearer(state, tables, w, aim, least, weights):
    """Walking on to where the errand is nearer POW w comes to a stop worth more than `least`.

    A quick look: most who would go are found by it.
    """
    board, p, x = tables.board, w // TEAM, state.pow_at[w]
    left = walk_left(state, tables, p, aim.kind, aim.argument, x)
    for _ in range(state.points):
        before = x
        for arc in range(board.arc_first[x], board.arc_first[x + 1]):
            y = board.arc_to[arc]
            nearer = walk_left(state, tables, p, aim.kind, aim.argument, y)
            if nearer < left and state.on[y] == 0 and may_step(state, tables, x, arc):
                x, left = y, nearer
                break
        if x == before:
            return False
        if is_better(state, tables, p, x, aim, least, weights):
            return True
    return False


@jit
def finds_better(state, tables, w, aim, least, weights, desk):
    """A stop worth more than `least` is in reach of POW w, or a tunnel is. Modifies `desk`."""
    board, p = tables.board, w // TEAM
    desk.met[:] = 0
    desk.queue[0], desk.met[state.pow_at[w]] = state.pow_at[w], 1
    by_steps = is_by_steps(state, tables, w, aim)
    head, tail = 0, 1
    for distance in range(1, state.points + 1):
        farthest = state.points - distance - least if by_steps else np.inf
        end = tail
        while head < end:
            x = desk.queue[head]
            head += 1
            for arc in range(board.arc_first[x], board.arc_first[x + 1]):
                y = board.arc_to[arc]
                if desk.met[y] or not may_step(state, tables, x, arc):
                    continue
                if not board.is_plain[x] and is_way_down(state, tables, p, y):
                    return True
                if state.on[y] != 0:
                    continue
                if is_better(state, tables, p, y, aim, least, weights):
                    return True
                desk.met[y] = 1
                if walk_left(state, tables, p, aim.kind, aim.argument, y) < farthest:
                    desk.queue[tail] = y
                    tail += 1
    return False


@jit
def is_by_steps(state, tables, w, aim):
    """A step brings POW w nearer by one at most: in the grey zone, while no way and no tunnel is open."""
    for t in range(TUNNELS):
        if state.tunnel[t] == Tunnel.OPEN:
            return False
    return aim.kind != TO_STAKE and state.opened == 0 and tables.board.grey[state.pow_at[w]] == 1


@jit
def may_step(state, tables, x, arc):
    """From x on by an arc that takes no card."""
    return tables.board.is_plain[x] or (may_use(tables, arc) and is_open(state, tables, arc))


@jit
def is_better(state, tables, p, c, aim, least, weights):
    """A stop at c is possible, and worth more than `least`."""
    if not tables.board.stops[c]:
        return False
    nearer = -1.0 * walk_left(state, tables, p, aim.kind, aim.argument, c) > least
    return (nearer or is_exit(tables, c)) and worth_of_stop(state, tables, p, c, aim, least, weights) > least
