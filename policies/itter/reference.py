"""`idle` and `drill`: reference policies of docs/reference-policies.md, to the letter (5 is `fight`).

They are not good players. They are exact descriptions of one, so that two independent programs can be held
against each other. Section numbers are those of docs/reference-policies.md.
"""

from bartizan.policies.protocol import Policy, legal_or_first
from bartizan.simcore.compile.jit import jit
from bartizan.simcore.itter import components as c
from bartizan.simcore.itter.actions import action
from bartizan.simcore.itter.rules.attributes import inspire_bonus
from bartizan.simcore.itter.rules.board import has, in_cellar, is_fit, is_open, on_board
from bartizan.simcore.itter.rules.orders import is_deploying

PASS = c.Act.PASS * c.ARGUMENTS

# ---------------------------------------------------------------- 2 idle


def choose_idle(state, tables, legal, n_legal, weights):
    """2: pass, spend nothing, decline everything.

    Where passing is not allowed (R-01 `no`): the first who may, without effect.
    """
    if state.stage == c.Stage.ORDERS:
        return legal_or_first(PASS, legal, n_legal)
    if state.stage == c.Stage.ACT:
        return legal_or_first(action(c.Act.BLANK, 0), legal, n_legal)
    return legal[0]


# ---------------------------------------------------------------- 3 drill


def choose_drill(state, tables, legal, n_legal, weights):
    """3: deploy in roster order, Suppress, Recover."""
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
    """3.1: steps A, B, C until the budget is spent."""
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
    """3.2a, b: the first free position outside the Cellar that is no crew position or takes a [T]; else the
    first free one.
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


@jit
def is_free_outside(state, tables, d, p):
    return is_open(state, tables, d, p) and not tables.is_cellar[tables.location[p]]


@jit
def first_free_outside(state, tables, d):
    for p in range(tables.n_positions):
        if is_free_outside(state, tables, d, p):
            return p
    return c.NONE


@jit
def needs_recover(state, d):
    """3.4, 5.5: on the board, exhausted or disrupted, without Action or Command token."""
    return on_board(state, d) and not state.status[d] & c.SPENT and state.status[d] & c.UNFIT != 0


@jit
def recover_code(state, d):
    """3.4: the Disrupt token first, else the exhausted side."""
    return action(c.Act.RECOVER, c.DISRUPTION if state.status[d] & c.Status.DISRUPTED else c.EXHAUSTION)


@jit
def suppress_code(state, tables, d, weapon):
    """3.5: all tokens on the first square of the position's colours."""
    p = state.place[d]
    value = (tables.weapon_suppress[p] if weapon else tables.suppress[d]) + inspire_bonus(state, tables, d)
    kind = c.Act.SUPPRESS_WEAPON if weapon else c.Act.SUPPRESS
    return action(kind, (value if tables.n_squares[p] > 0 else 0))


@jit
def answer(state, legal, n_legal):
    """3.6, 3.7: all tokens of the square (the last action listed), Sacrifice accepted; Machine Gunners fire
    first (1.4).
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
