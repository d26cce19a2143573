"""`idle`, `drill` and `fight`: the reference policies of simcore/itter/REFERENCE_POLICIES.md.

They are exact specifications, not good policies. They serve to compare two independent programs. Section
numbers refer to the specification.
"""

from bartizan.policies.protocol import Policy, indices, legal_or_first
from bartizan.simcore.compile.bits import lowest
from bartizan.simcore.compile.jit import inline, jit
from bartizan.simcore.itter import components as c
from bartizan.simcore.itter.actions import action, argument_of, defender_and_gift, gift, target_of
from bartizan.simcore.itter.rules.attributes import inspire_bonus, may_use_weapon
from bartizan.simcore.itter.rules.board import (
    has,
    in_cellar,
    is_at,
    is_fit,
    is_open,
    location_of,
    on_board,
    open_positions,
)
from bartizan.simcore.itter.rules.defenders import is_deploying, may_escape

PASS = c.Act.PASS * c.ARGUMENTS

# ---------------------------------------------------------------- 2 idle


def choose_idle(state, tables, legal, n_legal, weights):
    """Return the choice of `idle`, which passes, spends nothing and declines everything (2).

    If passing is not allowed (R-01 `no`), the first listed defender is activated and does nothing.
    """
    if state.stage == c.Stage.ORDERS:
        return legal_or_first(PASS, legal, n_legal)
    if state.stage == c.Stage.ACT:
        return legal_or_first(action(c.Act.BLANK, 0), legal, n_legal)
    return legal[0]


# ---------------------------------------------------------------- 3 drill


def choose_drill(state, tables, legal, n_legal, weights):
    """Return the choice of `drill`, which deploys in roster order, then Suppresses or Recovers (3)."""
    return legal_or_first(drill(state, tables, legal, n_legal, weights), legal, n_legal)


@jit
def drill(state, tables, legal, n_legal, weights):
    stage = state.stage
    if stage == c.Stage.ORDERS:
        return drill_orders(state, tables)
    if stage == c.Stage.PLACE:
        return action(c.Act.PLACE, drill_position(state, tables, state.actor))
    if stage == c.Stage.ACT:
        if not is_fit(state, state.actor):
            return recover_code(state, state.actor)
        p = state.place[state.actor]
        has_weapon = has(tables, state.actor, c.Attribute.TANK_CREW) and tables.weapon_suppress[p] != c.NONE
        # 3.5b: a weapon that does not need Load
        return suppress_code(state, tables, state.actor, has_weapon and not tables.needs_load[p])
    return answer(state, legal, n_legal)


@jit
def drill_orders(state, tables):
    """Return the order from the first of the steps A, B and C that applies; PASS if none applies (3.1)."""
    d = first_in_reserve(state, tables)
    if d != c.NONE and drill_position(state, tables, d) != c.NONE:
        return action(c.Act.ACTIVATE, d)
    if is_deploying(state, tables):
        return PASS
    for d in range(tables.n_defenders):  # 3.3 step B
        if on_board(state, d) and not in_cellar(state, tables, d) and is_fit(state, d):
            return action(c.Act.ACTIVATE, d)
    for d in range(tables.n_defenders):  # 3.4 step C
        if needs_recover(state, d):
            return action(c.Act.ACTIVATE, d)
    return PASS


@jit
def drill_position(state, tables, d):
    """Return the first free position outside the Cellar, without crew positions unless d has [T].

    If there is none, include crew positions (3.2a, b).
    """
    crew = has(tables, d, c.Attribute.TANK_CREW)
    for p in range(tables.n_positions):
        if is_free_outside(state, tables, d, p) and (crew or not tables.crew[p]):
            return p
    return first_free_outside(state, tables, d)


# ---------------------------------------------------------------- shared conventions


@jit
def first_in_reserve(state, tables):
    for d in range(tables.n_defenders):
        if state.place[d] == c.Place.RESERVE:
            return d
    return c.NONE


@inline
def free_outside(state, tables, is_crew):
    """Return the free positions (bit mask) outside the Cellar that a defender may take.

    is_crew: whether the defender is a [T].
    """
    return open_positions(state, tables, is_crew) & ~tables.in_cellars


@jit
def is_free_outside(state, tables, d, p):
    return is_open(state, tables, d, p) and not tables.is_cellar[tables.location[p]]


@jit
def first_free_outside(state, tables, d):
    positions = free_outside(state, tables, has(tables, d, c.Attribute.TANK_CREW))
    return lowest(positions) if positions else c.NONE


@jit
def needs_recover(state, d):
    """Return whether d needs a Recover (3.4, 5.5).

    He is on the board and exhausted or disrupted, without an Action or Command token.
    """
    return on_board(state, d) and not state.status[d] & c.SPENT and state.status[d] & c.UNFIT != 0


@jit
def recover_code(state, d):
    """Return the action that removes the Disrupt token if there is one, otherwise the exhaustion (3.4)."""
    return action(c.Act.RECOVER, c.DISRUPTION if state.status[d] & c.Status.DISRUPTED else c.EXHAUSTION)


@jit
def suppress_code(state, tables, d, weapon):
    """Return the action that puts all tokens on the first square of the position's colours (3.5)."""
    p = state.place[d]
    value = (tables.weapon_suppress[p] if weapon else tables.suppress[d]) + inspire_bonus(state, tables, d)
    kind = c.Act.SUPPRESS_WEAPON if weapon else c.Act.SUPPRESS
    return action(kind, (value if tables.n_squares[p] > 0 else 0))


@jit
def answer(state, legal, n_legal):
    """Return the choice at other decisions (1.4, 3.6, 3.7).

    Spend all tokens of the square (the last listed action), accept a Sacrifice, and let Machine Gunners fire
    first.
    """
    return legal[0] if state.stage == c.Stage.FIRE else legal[n_legal - 1]


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


# ---------------------------------------------------------------- 5 fight

# positions and locations by index in board order: BJ3, BJ4, G4, BJ2, BJ1; ST2, GH4; ST, K, NT, G
WEIGHTS = {
    "crew_1": 22,  # positions for a [T], in this order
    "crew_2": 23,
    "crew_3": 19,
    "crew_4": 21,
    "crew_5": 20,
    "keep_free_1": 4,  # reserved positions
    "keep_free_2": 15,
    "borotra_1": 1,  # Borotra's locations, in this order
    "borotra_2": 2,
    "borotra_3": 0,
    "borotra_4": 4,
}
AT = indices(WEIGHTS)


def choose_fight(state, tables, legal, n_legal, weights):
    """Return the choice of `fight` (5).

    It attacks, uses weapons, Loads, Commands, moves the French out of the Cellar, and Escapes.
    """
    return legal_or_first(fight(state, tables, legal, n_legal, weights), legal, n_legal)


@jit
def fight(state, tables, legal, n_legal, weights):
    stage = state.stage
    if stage == c.Stage.ORDERS:
        return fight_orders(state, tables, weights)
    if stage == c.Stage.PLACE:
        return action(c.Act.PLACE, fight_position(state, tables, state.actor, weights))
    if stage == c.Stage.ACT:
        d = state.actor
        if not is_fit(state, d):
            return recover_code(state, d)
        if has(tables, d, c.Attribute.FRENCH):
            return french_move(state, tables, d, weights)
        if not state.just_placed and is_commander_ready(state, tables, d):
            return action(c.Act.COMMAND, 0)
        return fire(state, tables, d)
    if stage == c.Stage.COMMAND:
        # 5.3: in roster order, as `legal` lists them, the Disrupt before the exhaustion
        d, what = defender_and_gift(argument_of(legal[0]))
        both = what == c.EXHAUSTION and legal[1] == action(c.Act.GIVE, gift(d, c.DISRUPTION))
        return legal[1] if both else legal[0]
    return answer(state, legal, n_legal)


@jit
def fight_orders(state, tables, weights):
    """Return the order from the first of the steps A to E that applies; PASS if none applies (5)."""
    d = first_in_reserve(state, tables)
    if d != c.NONE and fight_position(state, tables, d, weights) != c.NONE:
        return action(c.Act.ACTIVATE, d)
    if is_deploying(state, tables):
        return PASS
    d = french_to_act(state, tables, weights)
    if d == c.NONE:
        d = commander_to_act(state, tables)
    if d == c.NONE:
        d = fighter_to_act(state, tables)
    if d == c.NONE:  # 5.5 step E, in turned order, including French defenders
        for i in range(tables.n_defenders):
            if needs_recover(state, turned(state, tables, i)):
                d = turned(state, tables, i)
                break
    return action(c.Act.ACTIVATE, d) if d != c.NONE else PASS


@jit
def fight_position(state, tables, d, weights):
    """Return the position for a defender (5.1).

    For [T], it is the first free of five listed positions. If none is free, and for others, it is the first
    free ordinary position that is not reserved, or else any free position outside the Cellar.
    """
    if has(tables, d, c.Attribute.TANK_CREW):
        for i in range(AT.crew_1, AT.crew_5 + 1):
            p = int(weights[i])
            if is_free_outside(state, tables, d, p):
                return p
    for p in range(tables.n_positions):
        if (
            is_free_outside(state, tables, d, p)
            and not tables.crew[p]
            and p != weights[AT.keep_free_1]
            and p != weights[AT.keep_free_2]
        ):
            return p
    return first_free_outside(state, tables, d)


@jit
def french_to_act(state, tables, weights):
    """Return the defender for the single French action per turn (5.2); NONE if there is none.

    Borotra comes first, then the other French defenders in roster order.

    The French action must come before any other action of the turn except placing.
    """
    for i in range(state.actions):
        if state.start_place[state.doer[i]] != c.Place.RESERVE:
            return c.NONE
    for escapers in (True, False):
        for d in range(tables.n_defenders):
            if (
                has(tables, d, c.Attribute.FRENCH)
                and has(tables, d, c.Attribute.ESCAPE) == escapers
                and on_board(state, d)
            ):
                if state.status[d] & c.UNFIT or french_move(state, tables, d, weights) != PASS:
                    return d
    return c.NONE


@jit
def french_move(state, tables, d, weights):
    """Return the move of a fit French defender; PASS if there is none (5.2 ii - iv)."""
    if in_cellar(state, tables, d):  # the first free position the Cellar leads to
        here = location_of(state, tables, d)
        for p in range(tables.n_positions):
            if tables.move_out[here, tables.location[p]] and is_free_outside(state, tables, d, p):
                return action(c.Act.MOVE, p)
        return PASS
    if not has(tables, d, c.Attribute.ESCAPE):
        return PASS
    if may_escape(state, tables, d):
        return action(c.Act.ESCAPE, 0)
    if tables.escape_from[location_of(state, tables, d)]:
        return PASS
    # iv: the first free ordinary position of the first of Borotra's locations that has one
    for i in range(AT.borotra_1, AT.borotra_4 + 1):
        location = weights[i]
        for p in range(tables.n_positions):
            is_there = tables.location[p] == location and not tables.crew[p]
            if is_there and is_free_outside(state, tables, d, p):
                return action(c.Act.MOVE, p)
    return PASS


@jit
def commander_to_act(state, tables):
    """Return the first fit commander with two or more Recovers to give (5.3); NONE if there is none.

    He is on the board outside the Cellar.
    """
    for d in range(tables.n_defenders):
        if (
            on_board(state, d)
            and not in_cellar(state, tables, d)
            and is_fit(state, d)
            and is_commander_ready(state, tables, d)
        ):
            return d
    return c.NONE


@jit
def is_commander_ready(state, tables, commander):
    """Return whether a defender is a commander with at least two Recovers to give (5.3).

    A Disrupt token and the exhaustion of one defender count as two.
    """
    if not has(tables, commander, c.Attribute.COMMAND):
        return False
    entries, here = 0, location_of(state, tables, commander)
    for d in range(tables.n_defenders):
        if not is_at(state, tables, d, here) or has(tables, d, c.Attribute.COMMAND):
            continue
        if not state.status[d] & c.Status.ACTED:
            entries += (state.status[d] & c.Status.DISRUPTED != 0) + (
                state.status[d] & c.Status.EXHAUSTED != 0
            )
    return entries >= 2


@jit
def turned(state, tables, i):
    """Return defender number i of the turned order (5.4)."""
    return (tables.defender_actions * state.turn + i) % tables.n_defenders


@jit
def fighter_to_act(state, tables):
    """Return the next defender in one pass through the turned order (5.4, step D); NONE if there is none.

    The pass does not return to skipped defenders.
    """
    first = 0
    for i in range(tables.n_defenders):
        d = turned(state, tables, i)
        for k in range(state.actions):
            fought = state.did[k] == c.Act.LOAD or c.Act.ATTACK <= state.did[k] <= c.Act.SUPPRESS_WEAPON
            if state.doer[k] == d and state.start_place[d] != c.Place.RESERVE and fought:
                first = i + 1
    for i in range(first, tables.n_defenders):
        d = turned(state, tables, i)
        if has(tables, d, c.Attribute.FRENCH) or not on_board(state, d) or not is_fit(state, d):
            continue
        if in_cellar(state, tables, d):
            continue
        # the loader only if there is something to load
        loader = tables.loads[state.place[d]]
        if not loader or (has(tables, d, c.Attribute.TANK_CREW) and not state.loaded):
            return d
    return c.NONE


@jit
def fire(state, tables, d):
    """Return the action of a fighter (5.6).

    In this order: Load, Attack the nearest counter in sight, Suppress.
    """
    p = state.place[d]
    if tables.loads[p] and has(tables, d, c.Attribute.TANK_CREW) and not state.loaded:
        return action(c.Act.LOAD, 0)
    weapon = may_use_weapon(state, tables, d, p)
    dice = (tables.weapon_attack[p] if weapon else tables.attack[d]) + inspire_bonus(state, tables, d)
    target = nearest_target(state, tables, p)
    if target == c.NONE or dice < 1:
        return suppress_code(state, tables, d, weapon)
    return action(c.Act.ATTACK_WEAPON if weapon else c.Act.ATTACK, target)


@jit
def nearest_target(state, tables, p):
    """Return the target in sight with the smallest (steps, circle id, kind) (5.6c); NONE if there is none."""
    best, fewest = c.NONE, 127
    for i in range(tables.n_seen[p]):
        circle = tables.seen[p, i]
        if tables.steps[circle] >= fewest:  # circles are in ascending order
            continue
        # advancing counters come before Machine Gunners, and those before Mortars
        if state.counter[circle] != c.NONE:
            best, fewest = circle, tables.steps[circle]
        elif tables.is_area[circle]:
            for gun in range(2):
                if state.guns[tables.gun_kinds[gun], circle] > 0:
                    best, fewest = target_of(gun + 1, circle), tables.steps[circle]
                    break
    return best


FIGHT = Policy(
    "fight",
    choose_fight,
    "reference: uses every kind of action by a fixed rule; survives about one Novice game in twenty",
    weights=WEIGHTS,
    roles=("defender",),
)
