"""`escape_officer`: an Allied player with a plan.

First a Kit, and no Equipment before it: in the grey zone only those who hold Equipment can be arrested or
searched. Then the Equipment of the way out that costs the least cards and steps. Then one POW waits in the
room where that way begins, for a throw that brings him far enough or for the end of the game, and runs; on
the run he stops where guards are far. Do or Die is for the last round, when nobody has got away.
"""

from bartizan.policies.colditz.aids import FAR, danger, has_equipment, is_doorway, way_out, way_out_with
from bartizan.policies.colditz.errands import (
    gatherer,
    kit_errand,
    rounds_left,
    runner,
    some_stake,
    start_circle,
    steps_to_symbol,
    wanted,
    won_already,
)
from bartizan.policies.protocol import Policy
from bartizan.simcore.colditz.actions import (
    action,
    argument_of,
    both_of,
    bribery_of,
    guards_of,
    kind_of,
    ownership,
    pow_and_circle,
    room_and_pow,
)
from bartizan.simcore.colditz.components import (
    APPEL,
    EQUIPMENT,
    NONE,
    NOTHING,
    TEAM,
    Act,
    Arc,
    Equipment,
    Stage,
    StakeFromAppel,
    Zone,
)
from bartizan.simcore.colditz.rules.claims import symbol_of
from bartizan.simcore.colditz.rules.escaping import stake_distance
from bartizan.simcore.colditz.rules.pawns import is_on_the_run
from bartizan.simcore.compile.jit import jit

# weights, in the order of ESCAPE_OFFICER.weights
BURST, OPEN, FEAR, RISK, LATE, HURRY, CARD_COST, EXPOSED, DOORWAY = range(9)

NOTHING_TO_DO, TO_SYMBOL, TO_CIRCLE, OUT_OF_HERE, TO_STAKE = 0, 1, 2, 3, 4


@jit
def errand(state, tables, p, w, weights):
    """(kind, argument): what POW w is to do."""
    if is_on_the_run(state, tables, w):
        return OUT_OF_HERE, 0
    if state.returning[w]:
        return TO_CIRCLE, tables.board.pass_circle
    if not state.kit[p]:
        s = kit_errand(state, tables, p, w)
        return (TO_SYMBOL, s) if s != NONE else (NOTHING_TO_DO, 0)
    e = wanted(state, tables, p, weights[CARD_COST])
    if e != NONE and rounds_left(state, tables) > weights[HURRY] and gatherer(state, tables, p, w, e):
        return TO_SYMBOL, e
    return run_errand(state, tables, p, w, weights) if w == runner(state, tables, p) else (NOTHING_TO_DO, 0)


@jit
def run_errand(state, tables, p, w, weights):
    """To where the run begins; from there out, when the throw is good."""
    start = start_circle(state, tables, p, w)
    if start == NONE:
        return (TO_STAKE, 0) if rounds_left(state, tables) <= weights[HURRY] else (NOTHING_TO_DO, 0)
    d = way_out(state, tables, p, state.pow_at[w])
    if state.pow_at[w] != start and way_out(state, tables, p, start) < d:
        return TO_CIRCLE, start
    return (OUT_OF_HERE, 0) if go_now(state, tables, p, w, d, weights) else (NOTHING_TO_DO, 0)


@jit
def go_now(state, tables, p, w, d, weights):
    """Is this the throw to run with?"""
    if d - state.points <= weights[OPEN] or state.points >= weights[BURST]:
        return True
    return rounds_left(state, tables) <= weights[HURRY] and d <= state.points + 8.4 * rounds_left(
        state, tables
    )


@jit
def distance_left(state, tables, p, w, kind, argument, c):
    """How far the errand is from being done at space c."""
    if kind == TO_SYMBOL:
        return steps_to_symbol(tables, argument, c)
    if kind == TO_CIRCLE:
        d = tables.board.steps[c, argument]
        return d if d >= 0 else FAR
    if kind == OUT_OF_HERE:
        return way_out(state, tables, p, c)
    if kind == TO_STAKE:
        if not tables.board.grey[c] or (c == APPEL and tables.stake_from_appel == StakeFromAppel.not_allowed):
            return FAR
        return stake_from(state, tables, p, c)
    return 0


@jit
def stake_from(state, tables, p, c):
    table = tables.board.stake_distance
    d = table[
        min(state.equipment[p, Equipment.rope], table.shape[0] - 1),
        min(state.equipment[p, Equipment.wire_cutters], table.shape[1] - 1),
        c,
    ]
    return d if d >= 0 else FAR


# ---------------------------------------------------------------- judging actions


def choose(state, tables, legal, n_legal, weights):
    best, choice = -1e18, legal[0]
    p = state.player
    if state.stage == Stage.GOTO:
        return choose_goal(state, tables, legal, n_legal, weights)
    for i in range(n_legal):
        worth = worth_of(state, tables, p, kind_of(legal[i]), argument_of(legal[i]), weights)
        if worth > best:
            best, choice = worth, legal[i]
    return choice


@jit
def choose_goal(state, tables, legal, n_legal, weights):
    """The place nearest to the errand's end; on the run a guard in reach counts as RISK steps."""
    w = state.picked
    p = w // TEAM
    kind, argument = errand(state, tables, p, w, weights)
    best, choice = -1e18, legal[0]
    for i in range(n_legal):
        act, c = kind_of(legal[i]), argument_of(legal[i])
        if act == Act.FORCE or (act == Act.CROSS and kind != OUT_OF_HERE):
            continue
        if act == Act.CROSS:
            worth = -crossed_distance(state, tables, p, c) + state.points - 1.0  # he can go on from there
        else:
            here = state.pow_at[w] if act == Act.STAY else c
            worth = -1.0 * distance_left(state, tables, p, w, kind, argument, here)
            worth += worth_of_place(state, tables, p, act, here, kind, weights)
        if worth > best:
            best, choice = worth, legal[i]
    return choice


@jit
def worth_of_place(state, tables, p, act, c, kind, weights):
    """A target, and the dangers of a place."""
    if act == Act.UNDER:
        return -3.0
    if tables.board.target[c] > 0 and state.kit[p]:
        return 100.0
    if kind == OUT_OF_HERE:
        return -weights[RISK] * danger(state, tables, c)
    if tables.board.zone[c] == Zone.COURTYARD and has_equipment(state, p):
        return -weights[EXPOSED] * danger(state, tables, c)
    return -weights[DOORWAY] if weights[DOORWAY] != 0.0 and is_doorway(tables, c) else 0.0


@jit
def crossed_distance(state, tables, p, c):
    """Steps left after a CROSS to c: its cards are gone."""
    for i in range(state.n_goals):
        if state.goal[i] == action(Act.CROSS, c):
            left = way_out_beyond(state, tables, p, state.goal_arc[i], c)
            return left * 1.0 + state.goal_cost[i] - 1.0
    return FAR * 1.0


@jit
def way_out_beyond(state, tables, p, arc, c):
    """Steps from c to the nearest target with what is left when the way of an arc is paid for."""
    kind = tables.board.arc_kind[arc]
    return way_out_with(
        tables,
        state.equipment[p, Equipment.wire_cutters] - (kind == Arc.WIRE),
        state.equipment[p, Equipment.passes] - (kind == Arc.PASS),
        state.equipment[p, Equipment.key] - (kind == Arc.KEY),
        state.equipment[p, Equipment.rope] - tables.board.arc_ropes[arc],
        c,
    )


@jit
def worth_of(state, tables, p, act, argument, weights):
    """What an action is worth outside GOTO; END and THROW are worth 0."""
    if act == Act.PICK:
        return worth_of_pick(state, tables, p, p * TEAM + argument, weights)
    if act == Act.KIT:
        return 1000.0 - (argument & 1) - (argument >> 1)
    if act == Act.EQUIP:
        return worth_of_claim(state, tables, p, argument, weights)
    if act == Act.RELEASE or act == Act.FREE:
        return 60.0 + (argument & 1)
    if act == Act.STAKE:
        return worth_of_stake(state, tables, p, p * TEAM + argument, weights)
    if act == Act.GO:  # a Move Fast
        return -1.0 * min(way_out(state, tables, p, argument), 500)
    if act >= Act.COME:
        return worth_of_answer(state, tables, p, act, argument, weights)
    return worth_of_card(state, tables, p, act, argument, weights)


@jit
def worth_of_card(state, tables, p, act, argument, weights):
    """Opportunity cards."""
    if act == Act.CAR:
        return 400.0 if state.kit[p] else -1.0
    if act == Act.BRIBE or act == Act.CONVERT:
        return worth_of_cards(state, tables, p, act, argument, weights)
    if act == Act.SABOTAGE:
        return 50.0
    if act == Act.DIVERT or act == Act.INSPECT:
        return worth_of_diversion(state, tables, p, act, argument)
    if act == Act.FAST:
        room, i = room_and_pow(argument)
        return worth_of_fast(state, tables, p, room, p * TEAM + i, weights)
    if act == Act.TUNNEL or act == Act.GIVE or act == Act.GIVE_EQUIPMENT:
        return -1.0
    if act == Act.DISCARD:
        return 1.0 + worth_of_discard(state, tables, p, argument)
    return 0.0


@jit
def worth_of_answer(state, tables, p, act, argument, weights):
    """What somebody else's action asks for."""
    if act == Act.COME:
        if argument >= TEAM:
            return -1.0
        return danger(state, tables, state.pow_at[p * TEAM + argument]) - weights[FEAR]
    if act == Act.WARN:
        return 5.0
    if act == Act.HIDE:
        return 4.0 - 0.01 * pow_and_circle(argument)[0]
    if act == Act.LOSE:
        if argument == NOTHING:
            return 10.0
        return 1.0 * state.equipment[p, argument] - (3.0 if argument == Equipment.rope else 0.0)
    return 1.0 * argument if act == Act.SAVE else 0.0


@jit
def worth_of_pick(state, tables, p, w, weights):
    kind, argument = errand(state, tables, p, w, weights)
    if kind == NOTHING_TO_DO:
        return -1.0
    left = distance_left(state, tables, p, w, kind, argument, state.pow_at[w])
    if state.under[w] != NONE:
        return 1.0
    if left == 0:
        return -1.0
    if kind == OUT_OF_HERE:
        return 200.0 - 0.1 * min(left, 500)
    return 100.0 - 0.1 * min(left, 500)


@jit
def worth_of_claim(state, tables, p, argument, weights):
    e = symbol_of(state, tables, both_of(argument)[0])
    if not state.kit[p]:
        return -1.0
    return 300.0 if wanted(state, tables, p, weights[CARD_COST]) == e else -1.0


@jit
def worth_of_cards(state, tables, p, act, argument, weights):
    """Equipment by card: once the Kit is there, what the plan wants."""
    if not state.kit[p]:
        return -1.0
    e = wanted(state, tables, p, weights[CARD_COST])
    if e == NONE:
        return -1.0
    if act == Act.CONVERT:
        return 250.0 if argument == ownership(p, e) else -1.0
    _, a, b = bribery_of(argument)
    worth = (
        (100.0 if a == e else 0.0)
        + (100.0 if b == e else 0.0)
        + (20.0 if (a == Equipment.wire_cutters or b == Equipment.wire_cutters) else 0.0)
    )
    return worth if worth >= 100.0 else -1.0


@jit
def worth_of_diversion(state, tables, p, act, argument):
    """Guards near a POW on the run."""
    worth = -1.0
    for w in range(p * TEAM, (p + 1) * TEAM):
        if is_on_the_run(state, tables, w):
            a, b = guards_of(argument) if act == Act.INSPECT else (argument, argument)
            near = max(0, 10 - tables.board.steps[state.guard_at[a], state.pow_at[w]])
            if act == Act.INSPECT:
                near += max(0, 10 - tables.board.steps[state.guard_at[b], state.pow_at[w]])
            if near > 0:
                worth = max(worth, 20.0 + near)
    return worth


@jit
def worth_of_fast(state, tables, p, room, w, weights):
    """Steps a Move Fast saves the POW on his errand."""
    kind, argument = errand(state, tables, p, w, weights)
    if kind != TO_SYMBOL and kind != TO_CIRCLE:
        return -1.0
    c = tables.board.room_circle[tables.board.room_first[room]]
    saved = distance_left(state, tables, p, w, kind, argument, state.pow_at[w]) - distance_left(
        state, tables, p, w, kind, argument, c
    )
    return 100.0 + saved if saved >= 6 else -1.0


@jit
def worth_of_discard(state, tables, p, card):
    """Which card goes first: the least use."""
    if card == tables.half[0] or card == tables.half[1]:
        return 0.9 if state.kit[p] else 0.1
    if card == tables.diversion or card == tables.inspection or card == tables.hideaway:
        return 0.2
    if card == tables.bribe[1] or card == tables.bribe[2] or card == tables.car:
        return 0.0
    for e in range(EQUIPMENT):
        if card == tables.equip[e]:
            return 0.3
    return 0.5


@jit
def worth_of_stake(state, tables, p, w, weights):
    """Do or Die: late, when nobody has got away and the chance is better than that of a run."""
    if won_already(state) or rounds_left(state, tables) > weights[LATE]:
        return -1.0
    if some_stake(state) and not tables.race:
        return -1.0
    d = stake_distance(state, tables, w)
    chance = tables.stake[min(d, tables.stake.shape[0] - 1)]
    for v in range(p * TEAM, (p + 1) * TEAM):
        if is_on_the_run(state, tables, v):
            chance -= (
                2.0 * tables.reach[min(way_out(state, tables, p, state.pow_at[v]), tables.reach.shape[0] - 1)]
            )
    return chance


ESCAPE_OFFICER = Policy(
    "escape_officer",
    choose,
    "assembles a Kit, gathers what the shortest way out takes, waits in a room for a good throw, runs; "
    "stakes Do or Die late",
    weights={
        "burst": 12.0,
        "open": 12.0,
        "fear": 0.35,
        "risk": 5.0,
        "late": 0.0,
        "hurry": 6.0,
        "card_cost": 12.0,
        "exposed": 2.0,
        "doorway": 0.0,  # a judgement that only trained weights make
    },
    roles=("allied",),
)
