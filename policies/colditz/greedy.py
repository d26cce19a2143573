"""`greedy`: a simple player for either side.

The Allies take everything they can and run as soon as there is a way; the German arrests any POW in reach and
posts all guards.
"""

import numpy as np

from bartizan.policies.colditz import aids
from bartizan.policies.protocol import Policy, indices
from bartizan.simcore.colditz.actions import argument_of, kind_of, owner_and_equipment
from bartizan.simcore.colditz.components import APPEL, EQUIPMENT, GERMAN, NONE, POWS, TEAM, Act, Stage
from bartizan.simcore.colditz.rules.escaping import stake_distance
from bartizan.simcore.colditz.rules.pawns import equipment_held, is_on_the_run, on_surface
from bartizan.simcore.compile.jit import jit_module

WEIGHTS = {"stake_at": 0.5}  # the probability at which it stakes a POW
AT = indices(WEIGHTS)


def choose(state, tables, legal, n_legal, weights):
    """Return the first action with the highest value."""
    best, choice = -1e18, legal[0]
    for i in range(n_legal):
        act, argument = kind_of(legal[i]), argument_of(legal[i])
        if state.to_move == GERMAN:
            worth = german(state, tables, act, argument)
        else:
            worth = allied(state, tables, act, argument, weights)
        if worth > best:
            best, choice = worth, legal[i]
    return choice


def allied(state, tables, act, argument, weights):
    """Return the value of an Allied action; 0 for END.

    Kit, Equipment and cards come first, then POWs with a goal.
    """
    p = state.player
    if state.stage == Stage.GOTO:
        # near to the POW's goal; never onto a guard
        here = state.pow_at[state.picked] if act == Act.STAY else argument
        return -1.0 * left_to_go(state, tables, state.picked, here) - 1e6 * (act == Act.FORCE)
    if act == Act.PICK:
        w = p * TEAM + argument
        return 10.0 if left_to_go(state, tables, w, state.pow_at[w]) > 0 else -1.0
    if act == Act.STAKE:
        d = stake_distance(state, tables, p * TEAM + argument)
        return tables.stake[min(d, tables.stake.shape[0] - 1)] - weights[AT.stake_at]
    if act == Act.END or act == Act.THROW:
        return 0.0
    if act == Act.KIT or act == Act.EQUIP:
        return 100.0
    return 50.0 if is_played(p, act, argument) else -1.0


def is_played(p, act, argument):
    """Return whether `greedy` plays a card.

    It plays all cards except gifts, Move Fast, tunnels, and cards of an ally.
    """
    if act == Act.CONVERT:
        return owner_and_equipment(argument)[0] == p
    gives = act == Act.GIVE or act == Act.GIVE_EQUIPMENT
    return not (gives or act == Act.FAST or act == Act.COME or act == Act.TUNNEL)


def left_to_go(state, tables, w, c):
    """Return the steps from c to the POW's goal; 0 without a goal.

    The goal is a room for the Kit, a target, or a room for Equipment.
    """
    p = w // TEAM
    if not state.kit[p]:
        symbol = aids.kit_errand(state, tables, p, w)
        return 0 if symbol == NONE else aids.steps_to_symbol(tables, symbol, c)
    if is_on_the_run(state, tables, w) or w == runner(state, tables, p):
        return aids.way_out(state, tables, p, c)
    e = wanted(state, tables, p)
    return aids.steps_to_symbol(tables, e, c) if e != NONE and aids.gatherer(state, tables, p, w, e) else 0


# Wire Cutters, Passes, Keys, Ropes of useful exits: each is the shortest for its cards, from the Appel
PLANS = np.array(
    [
        [0, 0, 0, 2],
        [1, 0, 0, 2],
        [0, 0, 0, 4],
        [0, 1, 0, 3],
        [0, 0, 1, 3],
        [0, 1, 1, 1],
        [0, 1, 1, 0],
        [0, 0, 2, 0],
        [1, 1, 0, 1],
        [1, 0, 1, 1],
    ],
    dtype=np.int8,
)


def wanted(state, tables, p):
    """Return the Equipment to collect next; NONE if nothing is missing, or no plan is available.

    The plan is the one with the shortest way among plans whose cards are available.
    """
    best, what = aids.FAR, NONE
    for i in range(PLANS.shape[0]):
        is_to_be_had, last = missing_for_plan(state, p, i)
        walk = aids.way_out_with(
            tables,
            max(PLANS[i, 0], state.equipment[p, 0]),
            max(PLANS[i, 1], state.equipment[p, 1]),
            max(PLANS[i, 2], state.equipment[p, 2]),
            max(PLANS[i, 3], state.equipment[p, 3]),
            APPEL,
        )
        if is_to_be_had and walk < best:
            best, what = walk, last
    return what


def missing_for_plan(state, p, i):
    """Return whether all missing Equipment of plan i is available, and the last missing kind.

    The kind is NONE if nothing is missing.
    """
    is_to_be_had, last = True, NONE
    for e in range(EQUIPMENT):
        missing = PLANS[i, e] - state.equipment[p, e]
        if missing > 0:
            is_to_be_had &= missing <= state.supply[e]
            last = e
    return is_to_be_had, last


def runner(state, tables, p):
    """Return the POW in the grey zone with the shortest way out; NONE if there is none."""
    best, least = NONE, aids.FAR
    for v in range(p * TEAM, (p + 1) * TEAM):
        if aids.waits(state, tables, v):
            d = aids.way_out(state, tables, p, state.pow_at[v])
            if d < least:
                best, least = v, d
    return best


def german(state, tables, act, argument):
    """Return the value of a German action: cards, posts and guards with a POW in reach first; 0 for END.

    A picked guard makes an arrest if possible.
    """
    if act == Act.END or act == Act.THROW or act == Act.STAY:
        return 0.0
    if act == Act.PICK:
        d = nearest_prey(state, tables, state.guard_at[argument])
        return 30.0 - 0.01 * d if d <= state.points else -1.0
    if state.stage == Stage.GOTO:
        return 10.0 if act == Act.ARREST else -1.0
    return -1.0 if act == Act.RECALL else 40.0


def nearest_prey(state, tables, c):
    """Return the steps from c to the nearest POW who can be arrested; FAR if there is none."""
    least = aids.FAR
    for w in range(POWS):
        if on_surface(state, w) and state.pow_at[w] != APPEL and not tables.board.safe[state.pow_at[w]]:
            caught = is_on_the_run(state, tables, w) or (
                tables.board.grey[state.pow_at[w]] and equipment_held(state, w // TEAM) > 0
            )
            if caught:
                least = min(least, aids.steps_to(tables, c, state.pow_at[w]))
    return least


jit_module(__name__, but="choose")


GREEDY = Policy(
    "greedy",
    choose,
    "Allies: take everything, run at once, stake at a fair chance; German: arrest any POW in reach, "
    "play and post everything",
    weights=WEIGHTS,
)
