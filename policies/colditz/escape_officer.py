"""`escape_officer`: an Allied player with a plan.

It first collects a Kit and no Equipment, because in the grey zone, only POWs of players with Equipment can be
arrested or searched. It then chooses the exit with the lowest cost, counted in steps, missing cards and
guards on the way; if it holds the card of the Staff Car, the car is one of the exits. It chooses again as
guards move. Two POWs wait in the room where the route begins, until a throw takes one of them far enough
without a guard in the way. A POW on the run stops far from guards. Two POWs who wait at the mouth of a tunnel
dig it, and one of them leaves it with a throw that takes him far enough. In the last rounds, if nobody has
escaped, one POW goes to a place with a short distance for a Do or Die in the last round.
"""

import numpy as np

from bartizan.policies.colditz import plans
from bartizan.policies.colditz.aids import FAR, rounds_left, steps_to, way_out, way_out_with, won_already
from bartizan.policies.protocol import Policy
from bartizan.simcore.colditz import actions
from bartizan.simcore.colditz import components as cz
from bartizan.simcore.colditz.actions import action, argument_of, kind_of
from bartizan.simcore.colditz.rules.allied_cards import is_threatened, two_may_get_in
from bartizan.simcore.colditz.rules.escaping import stake_distance
from bartizan.simcore.colditz.rules.german_cards import appel_distance
from bartizan.simcore.colditz.rules.pawns import is_posted
from bartizan.simcore.colditz.rules.pow_moves import symbol_of
from bartizan.simcore.colditz.rules.ways import goal_number
from bartizan.simcore.compile.jit import jit_module

# Each player's choice, and scratch for the current moment.
MEMORY = np.dtype([("chosen", plans.CHOSEN, (cz.PLAYERS,)), ("scratch", plans.SCRATCH)], align=True)
RUN = 2.0  # value of an escape on foot relative to one by Do or Die, which is a draw by itself (10.3)

# ---------------------------------------------------------------- values of actions


def choose(state, tables, legal, n_legal, weights, memory):
    plan = plans.plan_of(state, tables, state.player, weights, memory.chosen[state.player])
    if state.stage == cz.Stage.GOTO:
        return choose_goal(state, tables, legal, n_legal, plan, weights)
    return choose_action(state, tables, legal, n_legal, plan, weights, memory.scratch)


def choose_action(state, tables, legal, n_legal, plan, weights, scratch):
    """Return the action of highest value. A POW is not picked if he would not move. Modifies `scratch`."""
    p, n = state.player, 0
    best, choice = -1e18, 0
    for i in range(n_legal):
        act = kind_of(legal[i])
        worth = worth_of(state, tables, p, act, argument_of(legal[i]), plan, weights)
        if act == cz.Act.PICK:
            scratch.pick[n], scratch.worth[n] = i, worth
            n += 1
        elif worth > best:
            best, choice = worth, i
    for _ in range(n):
        k = np.argmax(scratch.worth[:n])
        i, worth = scratch.pick[k], scratch.worth[k]
        if worth < best or (worth == best and choice < i):
            break
        if may_lead_on(state, tables, p, p * cz.TEAM + argument_of(legal[i]), plan, weights, scratch):
            return legal[i]
        scratch.worth[k] = -1e18
    return legal[choice]


def may_lead_on(state, tables, p, w, plan, weights, scratch):
    """Return whether picking POW w is useful. Modifies `scratch`.

    It is useful if w would move, or if w stays in the Appel so that the next POW there becomes legal to pick
    (4.2) and would move.
    """
    if plans.may_gain(state, tables, w, plan, weights, scratch):
        return True
    if state.pow_at[w] != cz.APPEL:
        return False
    barred = state.halted | state.stayed
    for v in range(w + 1, (p + 1) * cz.TEAM):
        if state.pow_at[v] == cz.APPEL and not barred >> v & 1:
            if worth_of_pick(state, tables, p, v, plan, weights) <= 0.0:
                return False
            if plans.may_gain(state, tables, v, plan, weights, scratch):
                return True
    return False


def choose_goal(state, tables, legal, n_legal, plan, weights):
    """Return the action that leads nearest to the end of the errand.

    On the run, a guard who is sure to reach the place counts as `risk` steps.
    """
    w = state.picked
    p, route = w // cz.TEAM, plan.route
    kind, argument = plans.errand(state, tables, p, w, plan, weights)
    if kind == plans.TO_DIG:
        return choose_below(state, tables, legal, n_legal, argument, weights)
    if kind == plans.OUT_OF_HERE and not tables.board.grey[state.pow_at[w]]:
        route = plans.route_of_run(
            state, tables, p, state.pow_at[w], weights[plans.AT.block], weights[plans.AT.drive]
        )
    best, choice = -1e18, legal[0]
    for i in range(n_legal):
        act, c = kind_of(legal[i]), argument_of(legal[i])
        if act == cz.Act.FORCE or act == cz.Act.UNDER or (act == cz.Act.CROSS and kind != plans.OUT_OF_HERE):
            continue
        if act == cz.Act.CROSS:  # he can continue from there
            worth = state.points - crossed_distance(state, tables, p, route, c)
        else:
            here = state.pow_at[w] if act == cz.Act.STAY else c
            worth = plans.worth_of_stop(
                state, tables, p, here, plans.Aim(kind, argument, route), best, weights
            )
        if worth > best:
            best, choice = worth, legal[i]
    return choice


def choose_below(state, tables, legal, n_legal, t, weights):
    """Return the action that leads to the mouth of tunnel t, into the tunnel, or along it."""
    w = state.picked
    best, choice = -1e18, legal[0]
    for i in range(n_legal):
        act, c = kind_of(legal[i]), argument_of(legal[i])
        if act == cz.Act.FORCE or act == cz.Act.CROSS:
            continue
        here = state.pow_at[w] if act == cz.Act.STAY else c
        worth = plans.worth_below(state, tables, w, t, act, here)
        if act != cz.Act.UNDER and worth > best:
            worth -= plans.peril(state, tables, w // cz.TEAM, here, plans.TO_DIG, weights)
        if worth > best:
            best, choice = worth, legal[i]
    return choice


def crossed_distance(state, tables, p, route, c):
    """Return the steps to c by a CROSS and from there to a target, without the cost of cards."""
    i = goal_number(state, action(cz.Act.CROSS, c))
    on_route = plans.number_on(tables, route, c) if route != cz.NONE else cz.NONE
    if on_route != cz.NONE:
        left = int(tables.board.route_length[route] - on_route)
    else:
        left = way_out_beyond(state, tables, p, state.goal_arc[i], c)
    return 1.0 * (left + state.goal_cost[i])


def way_out_beyond(state, tables, p, arc, c):
    """Return the steps from c to the nearest target with the cards that remain after paying for an arc."""
    kind = tables.board.arc_kind[arc]
    return way_out_with(
        tables,
        state.equipment[p, cz.Equipment.wire_cutters] - (kind == cz.Arc.WIRE),
        state.equipment[p, cz.Equipment.passes] - (kind == cz.Arc.PASS),
        state.equipment[p, cz.Equipment.key] - (kind == cz.Arc.KEY),
        state.equipment[p, cz.Equipment.rope] - tables.board.arc_ropes[arc],
        c,
    )


def worth_of(state, tables, p, act, argument, plan, weights):
    """Return the value of an action at any stage except GOTO; END and THROW have value 0."""
    if act == cz.Act.PICK:
        return worth_of_pick(state, tables, p, p * cz.TEAM + argument, plan, weights)
    if act == cz.Act.KIT:
        return 1000.0 - (argument & 1) - (argument >> 1)
    if act == cz.Act.EQUIP:
        fits = plan.wants == symbol_of(state, tables, actions.both_of(argument)[0])
        return 300.0 if state.kit[p] and fits else -1.0
    if act == cz.Act.RELEASE:
        return 60.0 + argument
    if act == cz.Act.FREE:
        block, nearer = actions.block_and_nearer(argument)
        return 60.0 + block + 0.5 * nearer
    if act == cz.Act.STAKE:
        return worth_of_stake(state, tables, p, p * cz.TEAM + argument, plan, weights)
    if act == cz.Act.GO:  # a Move Fast
        return -1.0 * min(way_out(state, tables, p, argument), 500)
    if act >= cz.Act.COME:
        return worth_of_answer(state, tables, p, act, argument, weights)
    return worth_of_card(state, tables, p, act, argument, plan, weights)


def worth_of_card(state, tables, p, act, argument, plan, weights):
    """Return the value of playing, giving or discarding an Opportunity card, or of giving Equipment."""
    if act == cz.Act.CAR:
        return 400.0 if state.kit[p] else -1.0
    if act == cz.Act.BRIBE or act == cz.Act.CONVERT:
        return worth_of_equipment_card(state, p, act, argument, plan)
    if act == cz.Act.SABOTAGE:
        return 50.0
    if act == cz.Act.DIVERT or act == cz.Act.INSPECT:
        return worth_of_diversion(state, tables, p, act, argument, plan)
    if act == cz.Act.FAST:
        room, i = actions.room_and_pow(argument)
        return worth_of_fast(state, tables, p, room, p * cz.TEAM + i, plan, weights)
    if act == cz.Act.GIVE:
        return worth_of_gift(state, tables, p, argument, weights)
    if act == cz.Act.TUNNEL:
        # with fewer than two POWs in it, it is closed; the reading `any_two` of Q38 still offers the card
        digs = plan.tunnel == argument and two_may_get_in(state, tables, p, argument)
        return 350.0 if digs else -1.0
    if act == cz.Act.GIVE_EQUIPMENT:
        return -1.0
    if act == cz.Act.DISCARD:
        return 1.0 + worth_of_discard(state, tables, p, argument, weights)
    return 0.0


def worth_of_answer(state, tables, p, act, argument, weights):
    if act == cz.Act.COME:
        if argument >= cz.TEAM:
            return -1.0
        return appel_danger(state, tables, p * cz.TEAM + argument) - weights[plans.AT.fear]
    if act == cz.Act.WARN:
        return 5.0
    if act == cz.Act.HIDE:
        return 4.0 - 0.01 * actions.pow_and_circle(argument)[0]
    if act == cz.Act.LOSE:
        if argument == cz.NOTHING:
            return 10.0
        return 1.0 * state.equipment[p, argument] - (3.0 if argument == cz.Equipment.rope else 0.0)
    return 1.0 * argument if act == cz.Act.SAVE else 0.0


def appel_danger(state, tables, w):
    """Return the probability that the current Appel reaches POW w (9.1); -1 if it cannot take him."""
    if not is_threatened(state, tables, w):
        return -1.0
    least = FAR
    for g in range(cz.GUARDS):
        if is_posted(state, g):
            d = appel_distance(state, tables, g, w)
            if 0 <= d < least:
                least = d
    return tables.reach[min(least, tables.reach.shape[0] - 1)]


def worth_of_pick(state, tables, p, w, plan, weights):
    kind, argument = plans.errand(state, tables, p, w, plan, weights)
    if kind == plans.NOTHING_TO_DO:
        return -1.0
    if kind == plans.TO_DIG:
        return worth_of_digging(state, tables, w, argument)
    left = plans.distance_left(state, tables, p, kind, argument, plan.route, state.pow_at[w])
    if left == 0:
        return -1.0
    if kind == plans.OUT_OF_HERE:
        return 200.0 - 0.1 * min(left, 500)
    return 100.0 - 0.1 * min(left, 500)


def worth_of_digging(state, tables, w, t):
    """Return the value of picking a digging POW; -1 if he is stuck in the tunnel.

    On the surface, he comes before other errands; in the tunnel, the foremost POW digs first.
    """
    if state.under[w] == cz.NONE:
        return 160.0 - 0.1 * tables.board.steps_in[t, state.pow_at[w]]
    if plans.is_stuck(state, tables, w):
        return -1.0
    return 150.0 + 0.1 * tables.board.chain_index[state.pow_at[w]]


def worth_of_equipment_card(state, p, act, argument, plan):
    """Return the value of a card for Equipment.

    It is -1 unless the player has a Kit and the card gives the Equipment that the plan needs.
    """
    e = plan.wants
    if not state.kit[p] or e == cz.NONE:
        return -1.0
    if act == cz.Act.CONVERT:
        return 250.0 if argument == actions.ownership(p, e) else -1.0
    _, a, b = actions.bribery_of(argument)
    if e not in (a, b):
        return -1.0
    cutters = a == cz.Equipment.wire_cutters or b == cz.Equipment.wire_cutters
    return 100.0 * ((a == e) + (b == e)) + 20.0 * cutters


def worth_of_diversion(state, tables, p, act, argument, plan):
    """Return the value of a Diversion or Inspection.

    It is used against guards in the way of a run with this throw, or near a POW on the run.
    """
    a, b = actions.guards_of(argument) if act == cz.Act.INSPECT else (argument, argument)
    worth = 230.0 if clears_the_way(state, tables, plan, a, b) else -1.0
    for i in range(cz.TEAM):
        if plan.running >> i & 1:
            near = nearness(state, tables, a, p * cz.TEAM + i)
            if act == cz.Act.INSPECT:
                near += nearness(state, tables, b, p * cz.TEAM + i)
            if near > 0:
                worth = max(worth, 20.0 + near)
    return worth


def nearness(state, tables, g, w):
    """Return 10 minus the steps from guard g to POW w, at least 0."""
    return max(0, 10 - steps_to(tables, state.guard_at[g], state.pow_at[w]))


def clears_the_way(state, tables, plan, a, b):
    """Return whether a and b include all guards in the way of a run with this throw.

    Returns False if there is no such run, or no guard is in its way.
    """
    if plan.blocked == 0:
        return False
    gone = is_ahead(state, tables, plan.route, a, plan.points)
    gone += b != a and is_ahead(state, tables, plan.route, b, plan.points)
    return gone == plan.blocked


def is_ahead(state, tables, route, g, points):
    """Return whether guard g is within the first `points` steps of the route."""
    i = plans.number_on(tables, route, state.guard_at[g]) if state.guard_at[g] >= cz.APPEL else cz.NONE
    return 0 <= i <= points


def worth_of_fast(state, tables, p, room, w, plan, weights):
    """Return the value of a Move Fast: 100 plus the steps that it saves the POW on his errand.

    It is -1 if the card saves fewer than 6 steps, or the errand does not lead to a symbol or circle.
    """
    kind, argument = plans.errand(state, tables, p, w, plan, weights)
    if kind != plans.TO_SYMBOL and kind != plans.TO_CIRCLE:
        return -1.0
    c = tables.board.room_circle[tables.board.room_first[room]]
    saved = plans.distance_left(state, tables, p, kind, argument, plan.route, state.pow_at[w])
    saved -= plans.distance_left(state, tables, p, kind, argument, plan.route, c)
    return 100.0 + saved if saved >= 6 else -1.0


def worth_of_stake(state, tables, p, w, plan, weights):
    """Return the value of a Do or Die; -1 before the last rounds, or after an escape.

    In a race, only an ordinary escape counts as an escape here. The value is the success probability, minus
    RUN times the escape probability of each POW on the run.
    """
    if won_already(state) or rounds_left(state, tables) > weights[plans.AT.late]:
        return -1.0
    if state.first_stake_escape > 0 and not tables.race:
        return -1.0
    d = stake_distance(state, tables, w)
    chance = tables.stake[min(d, tables.stake.shape[0] - 1)]
    for i in range(cz.TEAM):
        if plan.running >> i & 1:
            left = way_out(state, tables, p, state.pow_at[p * cz.TEAM + i])
            chance -= RUN * tables.reach[min(left, tables.reach.shape[0] - 1)]
    return chance


# ---------------------------------------------------------------- cards given away or discarded


def worth_of_gift(state, tables, p, argument, weights):
    """Return the value of a gift; -1 if it has none.

    Cards for a run have a value if only the receiver has a Kit, and half Kits if only the giver has one. A
    Release has a value if only the receiver has prisoners. If the weight `gifts` is 0, only the card of the
    Staff Car has a value.
    """
    giver, taker, card = actions.gift_of(argument)
    if giver != p or (weights[plans.AT.gifts] == 0.0 and card != tables.car):
        return -1.0
    if card == tables.car or is_tunnel_card(tables, card):
        return 300.0 if state.kit[taker] and not state.kit[giver] else -1.0
    if card == tables.half[0] or card == tables.half[1]:
        return 290.0 if state.kit[giver] and not state.kit[taker] else -1.0
    frees = card == tables.release and prisoners(state, giver) == 0
    return 280.0 + prisoners(state, taker) if frees and prisoners(state, taker) > 0 else -1.0


def is_tunnel_card(tables, card):
    for t in range(cz.TUNNELS):
        if card == tables.open_tunnel[t]:
            return True
    return False


def prisoners(state, p):
    n = 0
    for w in range(p * cz.TEAM, (p + 1) * cz.TEAM):
        n += state.pow_at[w] == cz.Place.CELL_INNER or state.pow_at[w] == cz.Place.CELL_OUTER
    return n


def worth_of_discard(state, tables, p, card, weights):
    """Return the value of discarding a card, which is higher for a less useful card."""
    if card == tables.half[0] or card == tables.half[1]:
        return 0.9 if state.kit[p] else 0.1
    if card == tables.diversion or card == tables.inspection or card == tables.hideaway:
        return 0.2
    if card == tables.bribe[1] or card == tables.bribe[2] or card == tables.car:
        return 0.0
    if is_tunnel_card(tables, card) and weights[plans.AT.tunnel] > 0.0:
        return 0.0
    for e in range(cz.EQUIPMENT):
        if card == tables.equip[e]:
            return 0.3
    return 0.5


jit_module(__name__, but="choose")


ESCAPE_OFFICER = Policy(
    "escape_officer",
    choose,
    "assembles a Kit, collects the Equipment for the shortest exit that guards leave open, waits in a "
    "room or a tunnel for a good throw, then runs; stakes Do or Die last, from a place with a short "
    "run",
    weights=plans.WEIGHTS,
    roles=("allied",),
    memory=MEMORY,
)
