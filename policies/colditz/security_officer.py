"""`security_officer`: a German who blocks the exits and makes the arrests that cost the Allies most.

Guards stand on circles of the Outer Area on the likeliest routes, which are short routes for which a player
holds the Equipment. Every guard that can reach a POW outside the grey zone with this throw pursues him,
including guards in the barracks; guards who block a route are used last. The value of his arrest increases as
he gets nearer to a target that he can reach with his player's cards. POWs in the courtyard are arrested if
their player holds Equipment, while the inner cells have room. Two guards wait at the far end of each
open tunnel.

Functions that return nothing modify `view`, the evaluation of the current moment.
"""

import numpy as np

from bartizan.policies.colditz.aids import FAR, steps_from_post, steps_to, way_out
from bartizan.policies.colditz.plans import number_on
from bartizan.policies.protocol import Policy, indices
from bartizan.simcore.colditz import components as cz
from bartizan.simcore.colditz.actions import argument_of, both_of, holder_and_card, kind_of, room_and_guard
from bartizan.simcore.colditz.rules import pawns
from bartizan.simcore.colditz.rules.german_cards import shot_distance
from bartizan.simcore.colditz.rules.guard_moves import somebody_is_out
from bartizan.simcore.colditz.rules.pow_moves import symbol_of
from bartizan.simcore.compile.jit import jit_module
from bartizan.simcore.compile.renewed import renewed

# rounded from the result of `bartizan equilibrium` (docs/colditz.md)
WEIGHTS = {
    "reserve": 1.0,  # guards who stay in the barracks
    "depth": 0.1,  # share of a route's threat left for a second guard to block
    "scale": 4.0,  # steps that make a route e times less likely
    "kitless": 36.0,  # cost of a missing Kit in steps
    "card_cost": 3.7,  # cost of a missing card in steps
    "drive": 1.0,  # weight of the probability that a player holds the card of the Staff Car
    "watch": 2.0,  # guards who wait at the far end of each open tunnel
    "appel_min": 2.0,  # minimum POWs that an Appel must move away from their goals
    "grey": 30.0,  # value of an arrest in the courtyard, of a player with Equipment
    "shot_min": 0.4,  # minimum probability of a shot
    "posts": 2.0,  # guards posted at the start in addition to one per player
    "no_kit": 40.0,  # reduction of the value of an arrest on the run if its player has no Kit
    "cells": 1.0,  # into the outer cells first
    "camp": 1.0,  # targets occupied by a guard while a POW is on the run
    "duty": 30.0,  # reduction of the value of an arrest by a guard who blocks a route
}
AT = indices(WEIGHTS)

MISSING = 5  # at least this many cards of one kind
NEEDS = 8  # fewer than this many cards of one kind per route
OF_PLAYER = 3 + cz.EQUIPMENT  # numbers in `seen`
SEEN = 1 + cz.PLAYERS * OF_PLAYER + cz.EQUIPMENT + cz.TUNNELS + 2
NEARER = 8  # steps by which a guard on the board may be farther from a circle than its nearest post

# The evaluation of one moment.
VIEW = np.dtype(
    [
        ("n", "i4"),  # number of circles to block
        ("circle", "i2", (cz.GUARDS,)),  # most important first
        ("goal", "i2", (cz.GUARDS,)),  # the destination of each guard, or NONE
        ("stays", "u1", (cz.GUARDS,)),  # whether the guard is on a circle to block
        ("gap", "i4"),  # a circle to block without an assigned guard, or NONE
        ("threat", "f8", (cz.ROUTES,)),  # of a route
        ("less", "f8", (MISSING,)),  # factor of a threat for each number of missing cards
        ("worth", "f8", (cz.DOORS,)),  # value of blocking a circle
        # factor of a threat for each number of cards needed, by player
        ("share", "f8", (cz.EQUIPMENT, NEEDS)),
        ("wanted", "i8"),  # bit mask of the POWs whose arrest has a value
        ("urgency", "f8", (cz.POWS,)),  # the value of each arrest
        ("seen", "i2", (SEEN,)),  # numbers that the choice of circles depends on
    ],
    align=True,
)

# The last choice of circles, with the numbers that it depended on; it seldom changes more than once per turn.
MEMORY = np.dtype(
    [
        ("n", "i4"),
        ("circle", "i2", (cz.GUARDS,)),
        ("seen", "i2", (SEEN,)),
        ("moment", VIEW),  # for the current moment
    ],
    align=True,
)


# ---------------------------------------------------------------- blocking exits
# The threat of a route is higher if it is shorter, if fewer cards are missing for it, and if a player has a
# Kit. For a route to the Staff Car, it is multiplied by the probability that a player holds the car's card.
# The circle with the highest threat is blocked first; a second guard on the same route has less value.


def look(state, tables, weights, view, memory):
    """Choose the circles to block, and the guards for them. Modifies `memory`, which stores the circles."""
    see(state, tables, view)
    if renewed(memory.seen, view.seen):
        choose_circles(state, tables, weights, view)
        memory.n = view.n
        for i in range(view.circle.size):
            memory.circle[i] = view.circle[i]
    view.n, view.gap = memory.n, cz.NONE
    for i in range(view.circle.size):
        view.circle[i] = memory.circle[i]
    assign(state, tables, view)


def see(state, tables, view):
    """Copy into `seen` exactly the parts of the state that `choose_circles` reads."""
    seen, n = view.seen, 1
    seen[0] = 1  # a blank memory has no values
    for p in range(tables.players):
        seen[n], seen[n + 1], seen[n + 2] = state.out[p], state.kit[p], pawns.cards_held(state, p)
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


def choose_circles(state, tables, weights, view):
    """Write the circles to block, regardless of where guards are, to `n` and `circle`."""
    view.n = 0
    find_threats(state, tables, weights, view)
    most = min(tables.guards - int(weights[AT.reserve]), cz.GUARDS)
    weigh(tables, view)
    watch_tunnels(state, tables, weights, view)
    while view.n < most and add_circle(tables, weights, view):
        pass


def find_threats(state, tables, weights, view):
    """Write `threat`: the likelihood of an escape by each route, summed over players.

    It falls by a factor of e for every `scale` steps.

    Ways that are open this turn count as closed, because they will be closed again.
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


def cards_unseen(state, tables):
    """Return the number of Opportunity cards unseen by the German: cards in the deck and in hands."""
    unseen = state.deck_size - state.deck_next
    for p in range(tables.players):
        unseen += pawns.cards_held(state, p)
    return unseen


def chance_of_car(state, tables, p, unseen):
    """Return the probability that player p holds the card of the Staff Car.

    It is his share of the `unseen` cards; 0 if the card has been discarded.
    """
    if tables.car == cz.NONE or state.discards[tables.car] > 0:
        return 0.0
    return pawns.cards_held(state, p) / max(unseen, 1)


def find_shares(state, view, p):
    """Write `share` for player p, by the number of cards needed.

    It is 1 if he has them, less for each missing card, and 0 if the supply is too small.
    """
    for e in range(cz.EQUIPMENT):
        for need in range(NEEDS):
            lacks = max(need - state.equipment[p, e], 0)
            available = lacks == 0 or lacks <= state.supply[e]
            view.share[e, need] = view.less[min(lacks, MISSING - 1)] if available else 0.0


def readiness(tables, view, r):
    """Return 1 if the player of `view.share` has all cards that route r needs, otherwise less."""
    share = 1.0
    for e in range(cz.EQUIPMENT):
        share *= view.share[e, tables.board.route_need[r, e]]
    return share


def add_circle(tables, weights, view):
    """Block one more circle: the circle with the highest threat.

    Return False if none is left. Modifies `view`.
    """
    best, chosen = 0.0, cz.NONE
    for k in range(tables.board.n_doors):
        if view.worth[k] > best:
            best, chosen = view.worth[k], k
    if chosen == cz.NONE:
        return False
    stand_on(tables, weights, view, tables.board.door_circle[chosen])
    view.worth[chosen] = -1e9
    return True


def stand_on(tables, weights, view, c):
    view.circle[view.n] = c
    view.n += 1
    for r in range(tables.board.n_routes):
        if number_on(tables, r, c) != cz.NONE:
            shut(tables, weights, view, r)


def watch_tunnels(state, tables, weights, view):
    """Choose circles for guards at the far end of each open tunnel.

    A POW who comes out must pass them, and when the tunnel is detected, two guards catch the POWs inside
    (8.4, 8.5).
    """
    for t in range(cz.TUNNELS):
        if state.tunnel[t] == cz.Tunnel.OPEN:
            watch(tables, weights, view, t)


def watch(tables, weights, view, t):
    """Choose circles of tunnel t that guards can walk to and stay on, from its far end."""
    left = int(weights[AT.watch])
    for i in range(tables.board.chain_length[t] - 1, -1, -1):
        c = tables.board.chain[t, i]
        serves = tables.board.zone[c] == cz.Zone.OUTER and steps_from_post(tables, c) < FAR
        if left > 0 and view.n < cz.GUARDS and serves:
            stand_on(tables, weights, view, c)
            left -= 1


def shut(tables, weights, view, r):
    """Account for one more guard on route r, which reduces the value of blocking the route further."""
    less = view.threat[r] * (1.0 - weights[AT.depth])
    view.threat[r] -= less
    for i in range(tables.board.n_doors_of[r]):
        view.worth[tables.board.door_of[r, i]] -= less


def weigh(tables, view):
    """Write `worth`: the sum of the threats of all routes over each circle that can be blocked."""
    for k in range(tables.board.n_doors):
        view.worth[k] = 0.0
    for r in range(tables.board.n_routes):
        for i in range(tables.board.n_doors_of[r]):
            view.worth[tables.board.door_of[r, i]] += view.threat[r]


def assign(state, tables, view):
    """Assign to each circle without a guard the nearest guard who is not needed elsewhere.

    The first circle for which no such guard is near enough (NEARER) is written to `gap`.
    """
    for g in range(cz.GUARDS):
        view.goal[g], view.stays[g] = cz.NONE, 0
    busy = 0
    for k in range(view.n):
        pawn = state.on[view.circle[k]]
        if pawn >= pawns.GUARD:
            view.stays[pawn - pawns.GUARD] = 1
            busy |= 1 << (pawn - pawns.GUARD)
    for k in range(view.n):
        c = view.circle[k]
        if state.on[c] != 0:
            continue
        g = nearest_guard(state, tables, c, busy)
        if g != cz.NONE and steps_to(tables, state.guard_at[g], c) <= steps_from_post(tables, c) + NEARER:
            view.goal[g] = c
            busy |= 1 << g
        elif view.gap == cz.NONE:
            view.gap = c


def nearest_guard(state, tables, c, busy):
    """Return the guard outside the grey zone who is nearest to c; NONE if there is none.

    Guards in the bit mask `busy` are ignored.
    """
    board = tables.board
    best, least = cz.NONE, FAR
    for h in range(cz.GUARDS):
        if state.guard_at[h] > cz.APPEL and not busy >> h & 1 and not board.grey[state.guard_at[h]]:
            d = steps_to(tables, state.guard_at[h], c)
            if d < least:
                best, least = h, d
    return best


# ---------------------------------------------------------------- values of actions


TARGETS = 7


def urgency(state, tables, w, weights):
    """Return the value of a POW's arrest; 0 if he cannot or should not be arrested."""
    if not pawns.on_surface(state, w) or state.pow_at[w] == cz.APPEL or tables.board.safe[state.pow_at[w]]:
        return 0.0
    c, p = state.pow_at[w], w // cz.TEAM
    if tables.board.grey[c]:
        in_room = tables.board.room[c] != cz.NONE
        if in_room or pawns.equipment_held(state, p) == 0 or inner_cells_full(state, tables):
            return 0.0
        return weights[AT.grey]
    if state.returning[w]:
        return 0.0
    left = way_out(state, tables, p, c)
    # harmless here, and near to Do or Die when released from the outer cells
    if left == FAR and inner_cells_full(state, tables):
        return 0.0
    return 140.0 - min(left, 80) - (0.0 if state.kit[p] else weights[AT.no_kit])


def inner_cells_full(state, tables):
    return pawns.in_block(state, 0) >= tables.cells[0]


def find_wanted(state, tables, weights, view):
    """Write the value of each arrest to `urgency`, and the POWs worth arresting to `wanted` (bit mask)."""
    view.wanted = 0
    for w in range(tables.players * cz.TEAM):
        view.urgency[w] = urgency(state, tables, w, weights)
        if view.urgency[w] > 0:
            view.wanted |= 1 << w


def most_urgent(state, tables, c, points, extra, view):
    """Return the best value for a guard at c; -1 if there is none.

    It is the value of an arrest within `points`, otherwise a value that decreases with the distance to a
    wanted POW. extra: steps to add to each distance.
    """
    best = -1.0
    for w in range(tables.players * cz.TEAM):
        if not view.wanted >> w & 1:
            continue
        u = view.urgency[w]
        d = tables.board.steps[state.pow_at[w], c]
        if d < 0:
            continue
        d += extra
        value = 1000.0 + u - d if d <= points else max(0.0, 100.0 + 0.2 * u - d)
        if d > points and tables.board.grey[state.pow_at[w]]:
            value = -1.0
        best = max(best, value)
    return best


def choose(state, tables, legal, n_legal, weights, memory):
    view = memory.moment
    find_wanted(state, tables, weights, view)
    if state.stage == cz.Stage.TURN or state.stage == cz.Stage.SETUP:
        look(state, tables, weights, view, memory)
    if state.stage == cz.Stage.GOTO:
        return choose_goal(state, tables, legal, n_legal, weights, view, memory)
    best, choice = -1e18, legal[0]
    for i in range(n_legal):
        worth = worth_of(state, tables, kind_of(legal[i]), argument_of(legal[i]), weights, view)
        if worth > best:
            best, choice = worth, legal[i]
    return choice


def choose_goal(state, tables, legal, n_legal, weights, view, memory):
    """Return the action of the picked guard. Modifies `view` and `memory`.

    He makes an arrest if possible. If no wanted POW is in reach, or near enough outside the grey zone, he
    goes to the sentry's post or the assigned circle. In all other cases, he moves towards wanted POWs outside
    the grey zone.
    """
    g = state.picked
    best, choice = -1e18, legal[0]
    here = state.guard_at[g]
    idle = most_urgent(state, tables, here, state.points, 0, view) <= 0.5
    post = sentry_post(state, tables, g, weights) if idle else cz.NONE
    if post == cz.NONE and idle:
        look(state, tables, weights, view, memory)
        post = view.goal[g]
    for i in range(n_legal):
        act, c = kind_of(legal[i]), argument_of(legal[i])
        if act == cz.Act.ARREST:
            worth = 1000.0 + view.urgency[state.on[c] - 1]
        else:
            place = here if act == cz.Act.STAY else c
            worth = worth_of_place(state, tables, place, post, view)
            worth += 0.5 if act == cz.Act.STAY and post == cz.NONE else 0.0
        if worth > best:
            best, choice = worth, legal[i]
    return choice


def worth_of_place(state, tables, c, post, view):
    """Return the value of a place: its nearness to the guard's post or, without a post, to wanted POWs."""
    if post != cz.NONE:
        return -1.0 * steps_to(tables, c, post)
    return nearness(state, tables, c, view)


def nearness(state, tables, c, view):
    best = -500.0
    for w in range(tables.players * cz.TEAM):
        if view.wanted >> w & 1 and not tables.board.grey[state.pow_at[w]]:
            u = view.urgency[w]
            d = tables.board.steps[state.pow_at[w], c]
            if d >= 0:
                best = max(best, 0.2 * u - d)
    return best


def sentry_post(state, tables, g, weights):
    """Return the target to which guard g should go as a sentry.

    Each of the `camp` most exposed targets is assigned the nearest guard.

    Returns NONE if g is no sentry or is already there. Also returns NONE if no POW is on the run and guards
    Outside must then leave (Q37).
    """
    if pawns.stands_down_at_the_end(tables) and not somebody_is_out(state, tables):
        return cz.NONE
    busy = 0
    for k in range(min(int(weights[AT.camp]), TARGETS)):
        c = tables.board.exposed[k]
        best = nearest_guard(state, tables, c, busy)
        if best == cz.NONE:
            continue
        busy |= 1 << best
        if best == g:
            return c if tables.board.steps[state.guard_at[g], c] > 0 else cz.NONE
    return cz.NONE


def waiting(state):
    n = 0
    for g in range(cz.GUARDS):
        n += state.guard_at[g] == cz.Place.BARRACKS
    return n


def worth_of(state, tables, act, argument, weights, view):
    """Return the value of an action at any stage except GOTO.

    Actions that neither this function nor `worth_of_order` handles have value 0.
    """
    if act == cz.Act.PICK:
        return worth_of_pick(state, tables, argument, weights, view)
    if act == cz.Act.POST:
        return worth_of_post(state, tables, argument, weights, view)
    if act == cz.Act.END:
        posted = (
            state.stage == cz.Stage.SETUP and pawns.guards_out(state) >= tables.players + weights[AT.posts]
        )
        return 100.0 if posted else 0.0
    if act == cz.Act.RECALL:
        return -1.0
    if act == cz.Act.MATCH:
        return worth_of_match(state, tables, both_of(argument)[1], view)
    if act == cz.Act.CELL:
        return weights[AT.cells] * argument
    if act == cz.Act.DISCARD:
        return 1.0 + discard(state, tables, argument)
    return worth_of_order(state, tables, act, argument, weights, view)


def worth_of_pick(state, tables, g, weights, view):
    here = state.guard_at[g]
    value = most_urgent(state, tables, here, state.points, 0, view) - 0.5
    if value > 0 and view.stays[g]:
        value -= weights[AT.duty]
    if value <= 0 and (sentry_post(state, tables, g, weights) != cz.NONE or view.goal[g] != cz.NONE):
        return 2.0
    return value


def worth_of_post(state, tables, c, weights, view):
    if state.stage == cz.Stage.SETUP:
        if view.gap != cz.NONE and not tables.board.grey[c]:
            return 60.0 - steps_to(tables, c, view.gap)
        return spread(state, tables, c)
    value = most_urgent(state, tables, c, state.points, 1, view)
    if value > 0:
        return value - 0.6
    if waiting(state) <= weights[AT.reserve]:
        return -1.0
    return 3.0 - 0.01 * steps_to(tables, c, view.gap) if view.gap != cz.NONE else -1.0


def worth_of_match(state, tables, w, view):
    if w >= cz.POWS:
        return 10.0
    if inner_cells_full(state, tables):
        return view.urgency[w]
    return 10.0 + 0.1 * view.urgency[w]


def worth_of_order(state, tables, act, argument, weights, view):
    if act == cz.Act.SEARCH:
        return worth_of_search(state, tables, room_and_guard(argument)[0])
    if act == cz.Act.APPEL:
        return worth_of_appel(state, tables) - weights[AT.appel_min]
    if act == cz.Act.HOLDER:
        return 900.0 if pawns.is_on_the_run(state, tables, holder_and_card(argument)[0]) else 20.0
    if act == cz.Act.SHOOT:
        g, w = both_of(argument)
        return worth_of_shot(state, tables, g, w, weights, view)
    return 15.0 if act == cz.Act.DETECT else 0.0


def worth_of_shot(state, tables, g, w, weights, view):
    distance = shot_distance(state, tables, g, w)
    chance = tables.shot[min(distance, tables.shot.shape[0] - 1)]
    if chance < weights[AT.shot_min]:
        return -1.0
    return 500.0 + 100.0 * chance + 0.1 * view.urgency[w]


def spread(state, tables, c):
    """Return the value of a circle during set-up.

    It increases with the distance from guards already posted.
    """
    least = 60
    for g in range(cz.GUARDS):
        if state.guard_at[g] > cz.APPEL:
            least = min(least, steps_to(tables, state.guard_at[g], c))
    return 1.0 * least


def worth_of_search(state, tables, room):
    taken = 0
    for w in range(tables.players * cz.TEAM):
        if (
            pawns.on_surface(state, w)
            and tables.board.room[state.pow_at[w]] == room
            and not tables.board.safe[state.pow_at[w]]
        ):
            taken += pawns.equipment_held(state, w // cz.TEAM) > 0
    return 300.0 + taken if taken else -1.0


def worth_of_appel(state, tables):
    """Return the value of an Appel.

    It is 1 for each POW at a symbol or in the Outer Area, and 0.7 for each POW in another room.
    """
    n = 0.0
    for w in range(tables.players * cz.TEAM):
        if pawns.on_surface(state, w) and state.pow_at[w] != cz.APPEL:
            if symbol_of(state, tables, w) >= 0 or tables.board.zone[state.pow_at[w]] == cz.Zone.OUTER:
                n += 1.0
            elif tables.board.room[state.pow_at[w]] != cz.NONE:
                n += 0.7
    return n


def discard(state, tables, card):
    if card == tables.shoot or card == tables.appel:
        return 0.0
    return 0.5


jit_module(__name__, but="choose")


SECURITY_OFFICER = Policy(
    "security_officer",
    choose,
    "closes the likeliest exits, waits at the ends of tunnels, posts and runs where an arrest costs "
    "the Allies most, calls an Appel when it moves enough POWs away from their goals, searches rooms "
    "with Equipment in reach",
    weights=WEIGHTS,
    roles=("german",),
    memory=MEMORY,
)
