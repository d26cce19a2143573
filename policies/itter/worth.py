"""What the action of a defender is worth on the scale of `danger`."""

from bartizan.policies.itter.danger import DICE, lateness
from bartizan.policies.itter.weights import COMMAND, FRENCH_OUT, FRENCH_TURN, ONWARD, RECOVER, STEADY
from bartizan.simcore.compile.jit import jit
from bartizan.simcore.itter.components import NONE, UNFIT, Attribute, Status
from bartizan.simcore.itter.rules.attributes import may_load, may_use_own, may_use_weapon
from bartizan.simcore.itter.rules.board import has, in_cellar, is_open, location_of
from bartizan.simcore.itter.rules.escaping import may_escape

# ---------------------------------------------------------------- what a fit defender can do


@jit
def values_of(state, tables, view, d, p):
    """(dice, tokens) that d has on position p; none where it cannot fight (R-39)."""
    bonus = view.bonus[tables.location[p]]
    if may_use_weapon(state, tables, d, p):
        return tables.weapon_attack[p] + bonus, tables.weapon_suppress[p] + bonus
    if not may_use_own(state, tables, d, p):
        return 0, 0
    return tables.attack[d] + bonus, tables.suppress[d] + bonus


@jit
def shot_worth(tables, view, p, dice):
    """Worth of the best Attack with so many dice from a position."""
    dice = min(dice, DICE - 1)
    best = 0.0
    for i in range(2):
        if tables.colours[p, i] != NONE:
            best = max(best, view.shot[tables.colours[p, i], dice])
    return best


@jit
def square_worth(tables, view, p, tokens):
    """Worth of the best Suppress with so many tokens from a position."""
    best = 0.0
    for i in range(tables.n_squares[p]):
        best = max(best, tokens * view.token[tables.squares[p, i]])
    return best


@jit
def load_worth(state, tables, view, d, p):
    """Worth of loading the cannon: half of what it then lays down."""
    if not tables.loads[p] or not may_load(state, tables, d, p):
        return 0.0
    return 0.5 * square_worth(tables, view, tables.cannon, tables.weapon_suppress[tables.cannon])


@jit
def act_worth(state, tables, view, d, p):
    """Worth of the best thing d can do from position p, where it stands or may be placed."""
    dice, tokens = values_of(state, tables, view, d, p)
    return max(
        shot_worth(tables, view, p, dice),
        square_worth(tables, view, p, tokens),
        load_worth(state, tables, view, d, p),
    )


# ---------------------------------------------------------------- activating one


@jit
def worth_of(state, tables, weights, view, d):
    """What activating d is worth."""
    if state.status[d] & UNFIT:
        return recover_worth(state, tables, weights, view, d)
    if has(tables, d, Attribute.FRENCH):
        return french_worth(state, tables, weights, d)
    if in_cellar(state, tables, d):
        return 0.0
    value = act_worth(state, tables, view, d, state.place[d])
    if has(tables, d, Attribute.COMMAND):
        return max(value, command_worth(state, tables, weights, view, d))
    return value


@jit
def recover_worth(state, tables, weights, view, d):
    """A share of what d could do then; a Disrupt token off is worth something by itself."""
    if has(tables, d, Attribute.FRENCH):
        return 0.5 * weights[FRENCH_OUT] * lateness(state)
    value = weights[RECOVER] * act_worth(state, tables, view, d, state.place[d])
    if state.status[d] & Status.DISRUPTED:
        value = (0.5 * value if state.status[d] & Status.EXHAUSTED else value) + weights[STEADY]
    return value


@jit
def command_worth(state, tables, weights, view, commander):
    """Up to three Recovers in the location for one action; a single one is not worth a commander."""
    here = location_of(state, tables, commander)
    total, given = 0.0, 0
    for p in range(tables.first_position[here], tables.end_position[here]):
        d = state.occupant[p]
        if d == NONE or given >= tables.recovers:
            continue
        burdens = burdens_of(state, tables, d)
        if burdens > 0:
            total += recover_worth(state, tables, weights, view, d)
            given += burdens
    return weights[COMMAND] * total if given > 1 else 0.0


@jit
def burdens_of(state, tables, d):
    """Recovers that a commander could give d."""
    if has(tables, d, Attribute.COMMAND) or state.status[d] & Status.ACTED:
        return 0
    return (state.status[d] & Status.EXHAUSTED != 0) + (state.status[d] & Status.DISRUPTED != 0)


@jit
def french_worth(state, tables, weights, d):
    """Out of the Cellar late, for points; Borotra onward, and away when the coast is clear."""
    if has(tables, d, Attribute.ESCAPE) and may_escape(state, tables, d):
        return 10.0
    if state.turn < weights[FRENCH_TURN]:
        return 0.0
    if in_cellar(state, tables, d):
        return weights[FRENCH_OUT] * lateness(state) if way_out(state, tables, d) != NONE else 0.0
    if not has(tables, d, Attribute.ESCAPE) or tables.escape_from[location_of(state, tables, d)]:
        return 0.0
    return weights[ONWARD] if way_onward(state, tables, d) != NONE else 0.0


@jit
def way_out(state, tables, d):
    """The free position a defender in the Cellar can move to; those without a square first: they serve nobody
    better.
    """
    best = NONE
    here = location_of(state, tables, d)
    for p in range(tables.n_positions):
        if tables.move_out[here, tables.location[p]] and is_open(state, tables, d, p):
            if best == NONE or tables.n_squares[p] < tables.n_squares[best]:
                best = p
    return best


@jit
def way_onward(state, tables, d):
    """A free ordinary position of one colour in an escape location; the colour with fewest counters."""
    best, fewest = NONE, 99
    for p in range(tables.n_positions):
        if tables.crew[p] or tables.colours[p, 1] != NONE or not tables.escape_from[tables.location[p]]:
            continue
        n = counters_seen(state, tables, p)
        if n < fewest and is_open(state, tables, d, p):
            best, fewest = p, n
    return best


@jit
def counters_seen(state, tables, p):
    n = 0
    for i in range(tables.n_seen[p]):
        circle = tables.seen[p, i]
        n += state.counter[circle] != NONE
        n += state.guns[tables.gun_kinds[0], circle] + state.guns[tables.gun_kinds[1], circle]
    return n
