"""The wall: circles of the Outer Area where guards shut the ways out, and who stands on which.

A way out threatens the more, the shorter it is, the fewer cards are missing for it, and where somebody has a
Kit; one to the Staff Car, by the chance that somebody holds its card. The circle over which most threat leads
is shut first; a second guard on the same way is worth less.
"""

import numpy as np

from bartizan.policies.colditz.aids import FAR, steps_from_post, steps_to
from bartizan.policies.colditz.routes import number_on
from bartizan.policies.protocol import indices
from bartizan.simcore.colditz import components as cz
from bartizan.simcore.colditz.rules.pawns import GUARD, cards_held
from bartizan.simcore.compile.jit import jit
from bartizan.simcore.compile.renewed import renewed

# rounded from what `bartizan equilibrium` found (docs/colditz.md)
WEIGHTS = {
    "reserve": 1.0,  # guards who stay in the barracks
    "depth": 0.1,  # of the threat of a way, what is left for a second guard to shut
    "scale": 4.0,  # steps that make a way e times less likely
    "kitless": 36.0,  # steps that a missing Kit counts as
    "card_cost": 3.7,  # steps that a missing card counts as
    "drive": 1.0,  # what the chance that a player holds the card of the Staff Car counts for
    "watch": 2.0,  # guards who wait at the far end of each open tunnel
    "appel_min": 2.0,  # POWs that an Appel must drive from where they want to be
    "grey": 30.0,  # worth of an arrest in the courtyard, of a player with Equipment
    "shot_min": 0.4,  # chance that a shot must have
    "posts": 2.0,  # guards posted at the start beyond one for each player
    "no_kit": 40.0,  # what an arrest on the run is worth less when its player has no Kit
    "cells": 1.0,  # into the outer cells first
    "camp": 1.0,  # targets that a guard stands on while somebody is on the run
    "duty": 30.0,  # what an arrest by a guard who shuts a way is worth less
}
AT = indices(WEIGHTS)

MISSING = 5  # cards of one kind and more
NEEDS = 8  # cards of one kind that a route takes, and fewer
OF_PLAYER = 3 + cz.EQUIPMENT  # numbers in `seen`
SEEN = 1 + cz.PLAYERS * OF_PLAYER + cz.EQUIPMENT + cz.TUNNELS + 2
NEARER = 8  # steps by which a guard on the board may be farther from a circle than its nearest post

# The judgement of one moment.
VIEW = np.dtype(
    [
        ("n", "i4"),  # circles that are to be shut
        ("circle", "i2", (cz.GUARDS,)),  # those that matter most first
        ("goal", "i2", (cz.GUARDS,)),  # where each guard is to walk, or NONE
        ("stays", "u1", (cz.GUARDS,)),  # he stands on such a circle
        ("gap", "i4"),  # such a circle to which nobody is on his way, or NONE
        ("threat", "f8", (cz.ROUTES,)),  # of a route
        ("less", "f8", (MISSING,)),  # what so many missing cards leave of a threat
        ("worth", "f8", (cz.DOORS,)),  # of shutting a circle
        ("share", "f8", (cz.EQUIPMENT, NEEDS)),  # what a need of so many cards leaves of a threat, by player
        ("wanted", "i8"),  # bit mask of the POWs whose arrest is worth something
        ("urgency", "f8", (cz.POWS,)),  # how much
        ("seen", "i2", (SEEN,)),  # what the choice of circles hangs on
    ],
    align=True,
)

# The circles that were chosen last, beside what that hung on: seldom more than once a turn they are others.
MEMORY = np.dtype(
    [
        ("n", "i4"),
        ("circle", "i2", (cz.GUARDS,)),
        ("seen", "i2", (SEEN,)),
        ("moment", VIEW),  # room for the one at hand
    ],
    align=True,
)


@jit
def look(state, tables, weights, view, memory):
    """Which circles are to be shut, and by whom. Modifies `view` and `memory`."""
    see(state, tables, view)
    if renewed(memory.seen, view.seen):
        choose_circles(state, tables, weights, view)
        memory.n = view.n
        memory.circle[:] = view.circle
    view.n, view.gap = memory.n, cz.NONE
    view.circle[:] = memory.circle
    assign(state, tables, view)


@jit
def see(state, tables, view):
    """seen: all in the state that `choose_circles` reads, and nothing else. Modifies `view`."""
    seen, n = view.seen, 1
    seen[0] = 1  # a blank memory has seen nothing
    for p in range(tables.players):
        seen[n], seen[n + 1], seen[n + 2] = state.out[p], state.kit[p], cards_held(state, p)
        for e in range(cz.EQUIPMENT):
            seen[n + 3 + e] = state.equipment[p, e]
        n += OF_PLAYER
    for e in range(cz.EQUIPMENT):
        seen[n + e] = state.supply[e]
    n += cz.EQUIPMENT
    for t in range(cz.TUNNELS):
        seen[n + t] = state.tunnel[t]
    n += cz.TUNNELS
    seen[n] = state.deck_size - state.deck_next
    seen[n + 1] = tables.car != cz.NONE and state.discards[tables.car] > 0


@jit
def choose_circles(state, tables, weights, view):
    """n, circle: those to be shut, whoever stands where. Modifies `view`."""
    view.n = 0
    find_threats(state, tables, weights, view)
    most = min(tables.guards - int(weights[AT.reserve]), cz.GUARDS)
    weigh(tables, view)
    watch_tunnels(state, tables, weights, view)
    while view.n < most and add_circle(tables, weights, view):
        pass


@jit
def find_threats(state, tables, weights, view):
    """threat: how near anybody is to an escape by a route, e times as much for every SCALE steps.

    Ways that are open this turn count as shut: they will be. Modifies `view`.
    """
    for n in range(MISSING):
        view.less[n] = np.exp(-n * weights[AT.card_cost] / weights[AT.scale])
    view.threat[:] = 0.0
    unseen = cards_unseen(state, tables)
    for p in range(tables.players):
        if not state.out[p]:
            find_shares(state, view, p)
            has_kit = 1.0 if state.kit[p] else np.exp(-weights[AT.kitless] / weights[AT.scale])
            drives = weights[AT.drive] * chance_of_car(state, tables, p, unseen)
            for r in range(tables.board.n_routes):
                share = drives if tables.board.route_car[r] else 1.0
                view.threat[r] += has_kit * share * readiness(tables, view, r)
    for r in range(tables.board.n_routes):
        if view.threat[r] > 0.0:
            view.threat[r] *= np.exp(-tables.board.route_length[r] / weights[AT.scale])


@jit
def cards_unseen(state, tables):
    """Opportunity cards that the German has not seen: those in the deck and in hands."""
    unseen = state.deck_size - state.deck_next
    for p in range(tables.players):
        unseen += cards_held(state, p)
    return unseen


@jit
def chance_of_car(state, tables, p, unseen):
    """That player p holds the card of the Staff Car: his share of the `unseen` cards; 0 once discarded."""
    if tables.car == cz.NONE or state.discards[tables.car] > 0:
        return 0.0
    return cards_held(state, p) / max(unseen, 1)


@jit
def find_shares(state, view, p):
    """share: 1 for a need that player p meets; less for each card that is missing, 0 where none is left.

    Modifies `view`.
    """
    for e in range(cz.EQUIPMENT):
        for need in range(NEEDS):
            lacks = max(need - state.equipment[p, e], 0)
            available = lacks == 0 or lacks <= state.supply[e]
            view.share[e, need] = view.less[min(lacks, MISSING - 1)] if available else 0.0


@jit
def readiness(tables, view, r):
    """1: the player of `view.share` has all that a route takes."""
    share = 1.0
    for e in range(cz.EQUIPMENT):
        share *= view.share[e, tables.board.route_need[r, e]]
    return share


@jit
def add_circle(tables, weights, view):
    """Shut one circle more: that over which most threat leads. False: none is left. Modifies `view`."""
    best, chosen = 0.0, cz.NONE
    for k in range(tables.board.n_doors):
        if view.worth[k] > best:
            best, chosen = view.worth[k], k
    if chosen == cz.NONE:
        return False
    stand_on(tables, weights, view, tables.board.door_circle[chosen])
    view.worth[chosen] = -1e9
    return True


@jit
def stand_on(tables, weights, view, c):
    """One more circle is to be shut. Modifies `view`."""
    view.circle[view.n] = c
    view.n += 1
    for r in range(tables.board.n_routes):
        if number_on(tables, r, c) != cz.NONE:
            shut(tables, weights, view, r)


@jit
def watch_tunnels(state, tables, weights, view):
    """Guards wait at the far end of each tunnel that is open: who comes out runs past them, and two of them
    catch those inside when it is detected (8.4, 8.5). Modifies `view`.
    """
    for t in range(cz.TUNNELS):
        if state.tunnel[t] == cz.Tunnel.OPEN:
            watch(tables, weights, view, t)


@jit
def watch(tables, weights, view, t):
    """Circles of tunnel t that guards can walk to and stand on for long, the last first. Modifies `view`."""
    left = int(weights[AT.watch])
    for i in range(tables.board.chain_length[t] - 1, -1, -1):
        c = tables.board.chain[t, i]
        serves = tables.board.zone[c] == cz.Zone.OUTER and steps_from_post(tables, c) < FAR
        if left > 0 and view.n < cz.GUARDS and serves:
            stand_on(tables, weights, view, c)
            left -= 1


@jit
def shut(tables, weights, view, r):
    """One guard more stands on a route: what else may be shut on it matters less. Modifies `view`."""
    less = view.threat[r] * (1.0 - weights[AT.depth])
    view.threat[r] -= less
    for i in range(tables.board.n_doors_of[r]):
        view.worth[tables.board.door_of[r, i]] -= less


@jit
def weigh(tables, view):
    """worth: the threat of all routes that lead over a circle which may be shut. Modifies `view`."""
    for k in range(tables.board.n_doors):
        view.worth[k] = 0.0
    for r in range(tables.board.n_routes):
        for i in range(tables.board.n_doors_of[r]):
            view.worth[tables.board.door_of[r, i]] += view.threat[r]


@jit
def assign(state, tables, view):
    """Each circle draws the nearest guard who is not needed elsewhere. Modifies `view`."""
    for g in range(cz.GUARDS):
        view.goal[g], view.stays[g] = cz.NONE, 0
    for k in range(view.n):
        pawn = state.on[view.circle[k]]
        if pawn >= GUARD:
            view.stays[pawn - GUARD] = 1
    for k in range(view.n):
        c = view.circle[k]
        if state.on[c] != 0:
            continue
        g = nearest_walker(state, tables, view, c)
        if g != cz.NONE and steps_to(tables, state.guard_at[g], c) <= steps_from_post(tables, c) + NEARER:
            view.goal[g] = c
        elif view.gap == cz.NONE:
            view.gap = c


@jit
def nearest_walker(state, tables, view, c):
    """The guard on the board that is nearest to c and has nowhere to be, or NONE."""
    best, least = cz.NONE, FAR
    for g in range(cz.GUARDS):
        at = state.guard_at[g]
        if at > cz.APPEL and not tables.board.grey[at] and not view.stays[g] and view.goal[g] == cz.NONE:
            d = steps_to(tables, at, c)
            if d < least:
                best, least = g, d
    return best
