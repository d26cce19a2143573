"""`idle`, `drill` and `fight`: the reference policies of docs/reference-policies.md, to the letter.

They are not good players. They are exact descriptions of one, so that two independent programs can be held
against each other.
Section numbers are those of docs/reference-policies.md.
"""

from bartizan.policies.legal import legal_or_first
from bartizan.policies.protocol import Policy
from bartizan.simcore.compile.jit import jit
from bartizan.simcore.itter.components import (
    ARGUMENTS,
    DISRUPTION,
    EXHAUSTION,
    GUN_TARGET,
    NONE,
    SPENT,
    UNFIT,
    Act,
    Attribute,
    Place,
    Stage,
    Status,
)
from bartizan.simcore.itter.rules.attributes import inspire_bonus, may_use_weapon
from bartizan.simcore.itter.rules.board import has, in_cellar, is_fit, is_open, location_of, on_board
from bartizan.simcore.itter.rules.defenders import is_deploying, may_escape

PASS = Act.PASS * ARGUMENTS
ACTIVATE = Act.ACTIVATE * ARGUMENTS

# ---------------------------------------------------------------- 2 idle


def choose_idle(state, tables, legal, n_legal, weights):
    """2: pass, spend nothing, decline everything.

    Where passing is not allowed (R-01 `no`): the first who may, without effect.
    """
    if state.stage == Stage.ORDERS:
        return legal_or_first(PASS, legal, n_legal)
    if state.stage == Stage.ACT:
        return legal_or_first(Act.BLANK * ARGUMENTS, legal, n_legal)
    return legal[0]


# ---------------------------------------------------------------- 3 drill


def choose_drill(state, tables, legal, n_legal, weights):
    """3: deploy in roster order, Suppress, Recover."""
    return legal_or_first(drill(state, tables, legal, n_legal, weights), legal, n_legal)


@jit
def drill(state, tables, legal, n_legal, weights):
    stage = state.stage
    if stage == Stage.ORDERS:
        return drill_orders(state, tables)
    if stage == Stage.PLACE:
        return Act.PLACE * ARGUMENTS + drill_position(state, tables, state.actor)
    if stage == Stage.ACT:
        if not is_fit(state, state.actor):
            return recover_code(state, state.actor)
        return suppress_code(
            state, tables, state.actor, has_ready_weapon(tables, state.actor, state.place[state.actor])
        )
    return answer(state, legal, n_legal)


@jit
def drill_orders(state, tables):
    """3.1: steps A, B, C until the budget is spent."""
    d = first_in_reserve(state, tables)
    if d != NONE and drill_position(state, tables, d) != NONE:
        return ACTIVATE + d
    if is_deploying(state, tables):
        return PASS
    for d in range(tables.n_defenders):  # 3.3 step B
        if on_board(state, d) and not in_cellar(state, tables, d) and is_fit(state, d):
            return ACTIVATE + d
    for d in range(tables.n_defenders):  # 3.4 step C
        if needs_recover(state, d):
            return ACTIVATE + d
    return PASS


@jit
def drill_position(state, tables, d):
    """3.2a, b: the first free position outside the Cellar that is no crew position or takes a [T]; else the
    first free one.
    """
    crew = has(tables, d, Attribute.TANK_CREW)
    for p in range(tables.n_positions):
        if is_free_outside(state, tables, d, p) and (crew or not tables.crew[p]):
            return p
    return first_free_outside(state, tables, d)


@jit
def has_ready_weapon(tables, d, p):
    """3.5b: a [T] defender's weapon that does not need Load."""
    return (
        has(tables, d, Attribute.TANK_CREW) and tables.weapon_suppress[p] != NONE and not tables.needs_load[p]
    )


# ---------------------------------------------------------------- shared conventions


@jit
def first_in_reserve(state, tables):
    for d in range(tables.n_defenders):
        if state.place[d] == Place.RESERVE:
            return d
    return NONE


@jit
def is_free_outside(state, tables, d, p):
    return is_open(state, tables, d, p) and not tables.is_cellar[tables.location[p]]


@jit
def first_free_outside(state, tables, d):
    for p in range(tables.n_positions):
        if is_free_outside(state, tables, d, p):
            return p
    return NONE


@jit
def needs_recover(state, d):
    """3.4, 5.5: on the board, exhausted or disrupted, without Action or Command token."""
    return on_board(state, d) and not state.status[d] & SPENT and state.status[d] & UNFIT != 0


@jit
def recover_code(state, d):
    """3.4: the Disrupt token first, else the exhausted side."""
    what = DISRUPTION if state.status[d] & Status.DISRUPTED else EXHAUSTION
    return Act.RECOVER * ARGUMENTS + what


@jit
def suppress_code(state, tables, d, weapon):
    """3.5: all tokens on the first square of the position's colours."""
    p = state.place[d]
    value = (tables.weapon_suppress[p] if weapon else tables.suppress[d]) + inspire_bonus(state, tables, d)
    kind = Act.SUPPRESS_WEAPON if weapon else Act.SUPPRESS
    return kind * ARGUMENTS + (value if tables.n_squares[p] > 0 else 0)


@jit
def answer(state, legal, n_legal):
    """3.6, 3.7: all tokens of the square (the last action listed), Sacrifice accepted; Machine Gunners fire
    first (1.4).
    """
    if state.stage == Stage.FIRE:
        return legal[0]
    return legal[n_legal - 1]


# ---------------------------------------------------------------- 5 fight

# weights 0-4: positions a [T] takes, in this order; 5, 6: positions kept free; 7-10: Borotra's locations, in
# this order
CREW_ORDER = 5
KEPT_FREE = 2
LOCATIONS = 4


def choose_fight(state, tables, legal, n_legal, weights):
    """5: Attack, weapons, Load, Command, the French out of the Cellar and Escape."""
    return legal_or_first(fight(state, tables, legal, n_legal, weights), legal, n_legal)


@jit
def fight(state, tables, legal, n_legal, weights):
    stage = state.stage
    if stage == Stage.ORDERS:
        return fight_orders(state, tables, weights)
    if stage == Stage.PLACE:
        return Act.PLACE * ARGUMENTS + fight_position(state, tables, state.actor, weights)
    if stage == Stage.ACT:
        return fight_act(state, tables, weights)
    if stage == Stage.COMMAND:
        return first_give(state, tables, legal)
    return answer(state, legal, n_legal)


@jit
def fight_orders(state, tables, weights):
    """Steps A to E, in order."""
    d = first_in_reserve(state, tables)
    if d != NONE and fight_position(state, tables, d, weights) != NONE:
        return ACTIVATE + d
    if is_deploying(state, tables):
        return PASS
    d = french_to_act(state, tables, weights)
    if d == NONE:
        d = commander_to_act(state, tables)
    if d == NONE:
        d = fighter_to_act(state, tables)
    if d == NONE:
        d = first_to_recover(state, tables)
    return ACTIVATE + d if d != NONE else PASS


@jit
def fight_act(state, tables, weights):
    d = state.actor
    if not is_fit(state, d):
        return recover_code(state, d)
    if has(tables, d, Attribute.FRENCH):
        return french_move(state, tables, d, weights)
    if not state.just_placed and is_commander_ready(state, tables, d):
        return Act.COMMAND * ARGUMENTS
    return fire(state, tables, d)


@jit
def fight_position(state, tables, d, weights):
    """5.1: [T] to the guns; everybody else to the first free ordinary position that is not kept free; else
    anywhere outside the Cellar.
    """
    if has(tables, d, Attribute.TANK_CREW):
        for i in range(CREW_ORDER):
            p = int(weights[i])
            if is_free_outside(state, tables, d, p):
                return p
    for p in range(tables.n_positions):
        if (
            is_free_outside(state, tables, d, p)
            and not tables.crew[p]
            and p != weights[CREW_ORDER]
            and p != weights[CREW_ORDER + 1]
        ):
            return p
    return first_free_outside(state, tables, d)


@jit
def is_step_b_open(state):
    """5.2: nothing but placings has been done this turn."""
    for i in range(state.actions):
        if state.start_place[state.doer[i]] != Place.RESERVE:
            return False
    return True


@jit
def french_to_act(state, tables, weights):
    """5.2: at most one French action a turn: Borotra first, then the others in roster order."""
    if not is_step_b_open(state):
        return NONE
    for escapers in (True, False):
        for d in range(tables.n_defenders):
            if (
                has(tables, d, Attribute.FRENCH)
                and has(tables, d, Attribute.ESCAPE) == escapers
                and on_board(state, d)
            ):
                if state.status[d] & UNFIT or french_move(state, tables, d, weights) != PASS:
                    return d
    return NONE


@jit
def french_move(state, tables, d, weights):
    """5.2 ii - iv for a fit French defender; PASS when none applies."""
    if in_cellar(state, tables, d):
        return move_code(first_free_beyond(state, tables, d))
    if not has(tables, d, Attribute.ESCAPE):
        return PASS
    if may_escape(state, tables, d):
        return Act.ESCAPE * ARGUMENTS
    if tables.escape_from[location_of(state, tables, d)]:
        return PASS
    for i in range(LOCATIONS):
        for p in range(tables.n_positions):
            if (
                tables.location[p] == weights[CREW_ORDER + KEPT_FREE + i]
                and is_free_outside(state, tables, d, p)
                and not tables.crew[p]
            ):
                return move_code(p)
    return PASS


@jit
def first_free_beyond(state, tables, d):
    """The first free position the Cellar leads to."""
    for p in range(tables.n_positions):
        if tables.move_out[location_of(state, tables, d), tables.location[p]] and is_free_outside(
            state, tables, d, p
        ):
            return p
    return NONE


@jit
def move_code(p):
    return Act.MOVE * ARGUMENTS + p if p != NONE else PASS


@jit
def commander_to_act(state, tables):
    """5.3: the first fit commander with two entries or more."""
    for d in range(tables.n_defenders):
        if (
            on_board(state, d)
            and not in_cellar(state, tables, d)
            and is_fit(state, d)
            and is_commander_ready(state, tables, d)
        ):
            return d
    return NONE


@jit
def is_commander_ready(state, tables, commander):
    """5.3: at least two Recovers to give: a Disrupt and an exhaustion of one defender are two."""
    if not has(tables, commander, Attribute.COMMAND):
        return False
    entries = 0
    for d in range(tables.n_defenders):
        if is_commandable(state, tables, commander, d):
            entries += (state.status[d] & Status.DISRUPTED != 0) + (state.status[d] & Status.EXHAUSTED != 0)
    return entries >= 2


@jit
def is_commandable(state, tables, commander, d):
    if not on_board(state, d) or location_of(state, tables, d) != location_of(state, tables, commander):
        return False
    return not has(tables, d, Attribute.COMMAND) and not state.status[d] & Status.ACTED


@jit
def first_give(state, tables, legal):
    """5.3: the first entry: in roster order, first the Disrupt, then the exhaustion.

    `legal` lists GIVEs in roster order, DONE last.
    """
    if legal[0] % 4 == EXHAUSTION and legal[1] == legal[0] - EXHAUSTION + DISRUPTION:
        return legal[1]
    return legal[0]


@jit
def turned(state, tables, i):
    """5.4: the i-th defender of the turned order."""
    return (tables.defender_actions * state.turn + i) % tables.n_defenders


@jit
def fighter_to_act(state, tables):
    """5.4 step D: once through the turned order; whom the pass has left behind it does not come back to."""
    first = 0
    for i in range(tables.n_defenders):
        d = turned(state, tables, i)
        for k in range(state.actions):
            if state.doer[k] == d and state.start_place[d] != Place.RESERVE and is_fighting(state.did[k]):
                first = i + 1
    for i in range(first, tables.n_defenders):
        d = turned(state, tables, i)
        if may_fight(state, tables, d):
            return d
    return NONE


@jit
def is_fighting(act):
    return act == Act.LOAD or Act.ATTACK <= act <= Act.SUPPRESS_WEAPON


@jit
def may_fight(state, tables, d):
    """5.4: non-French, fit, outside the Cellar; the loader only when there is something to load."""
    if (
        has(tables, d, Attribute.FRENCH)
        or not on_board(state, d)
        or in_cellar(state, tables, d)
        or not is_fit(state, d)
    ):
        return False
    return not (tables.loads[state.place[d]] and (state.loaded or not has(tables, d, Attribute.TANK_CREW)))


@jit
def first_to_recover(state, tables):
    """5.5 step E, in turned order, French too."""
    for i in range(tables.n_defenders):
        d = turned(state, tables, i)
        if needs_recover(state, d):
            return d
    return NONE


@jit
def fire(state, tables, d):
    """5.6: Load, else Attack the nearest counter in sight, else Suppress."""
    p = state.place[d]
    if tables.loads[p] and has(tables, d, Attribute.TANK_CREW) and not state.loaded:
        return Act.LOAD * ARGUMENTS
    weapon = may_use_weapon(state, tables, d, p)
    dice = (tables.weapon_attack[p] if weapon else tables.attack[d]) + inspire_bonus(state, tables, d)
    target = nearest_target(state, tables, p)
    if target == NONE or dice < 1:
        return suppress_code(state, tables, d, weapon)
    return (Act.ATTACK_WEAPON if weapon else Act.ATTACK) * ARGUMENTS + target


@jit
def nearest_target(state, tables, p):
    """5.6c: the seen counter with the smallest (steps, circle id, kind)."""
    best, fewest = NONE, 127
    for i in range(tables.n_seen[p]):
        circle = tables.seen[p, i]
        if tables.steps[circle] >= fewest:  # circles are listed in ascending order
            continue
        target = target_on(state, tables, circle)
        if target != NONE:
            best, fewest = target, tables.steps[circle]
    return best


@jit
def target_on(state, tables, circle):
    """The counter of the lowest kind on a circle: advancing ones come before Machine Gunners and Mortars."""
    if state.counter[circle] != NONE:
        return circle
    if tables.is_area[circle]:
        for gun in range(2):
            if state.guns[tables.gun_kinds[gun], circle] > 0:
                return circle + GUN_TARGET * (gun + 1)
    return NONE


IDLE = Policy(
    "idle",
    choose_idle,
    "reference: passes every turn, or does nothing; for comparing programs, not for play",
    roles=("defender",),
)
DRILL = Policy(
    "drill",
    choose_drill,
    "reference: deploys in roster order, Suppresses and Recovers; for comparing programs",
    roles=("defender",),
)
FIGHT = Policy(
    "fight",
    choose_fight,
    "reference: uses every kind of action by a fixed rule; survives about one Novice game in twenty",
    # positions and locations by their place in board order: BJ3, BJ4, G4, BJ2, BJ1; ST2, GH4; ST, K, NT, G
    weights={
        "crew_1": 22,
        "crew_2": 23,
        "crew_3": 19,
        "crew_4": 21,
        "crew_5": 20,
        "keep_free_1": 4,
        "keep_free_2": 15,
        "borotra_1": 1,
        "borotra_2": 2,
        "borotra_3": 0,
        "borotra_4": 4,
    },
    roles=("defender",),
)
