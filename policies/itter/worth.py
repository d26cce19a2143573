"""What the action of a defender is worth on the scale of `danger`."""

from bartizan.policies.itter.danger import counters_seen, lateness
from bartizan.policies.itter.view import DICE
from bartizan.policies.itter.weights import AT
from bartizan.simcore.compile.jit import inline, jit
from bartizan.simcore.itter.components import NONE, UNFIT, Attribute, Status
from bartizan.simcore.itter.rules.attributes import may_load, may_use_own, may_use_weapon
from bartizan.simcore.itter.rules.board import has, in_cellar, is_open, location_of
from bartizan.simcore.itter.rules.escaping import is_coast_clear, is_ready_to_escape
from bartizan.simcore.itter.rules.moves import may_shift, may_shift_to

# ---------------------------------------------------------------- what a fit defender can do


@inline
def values_of(state, tables, view, d, p):
    """(dice, tokens) that d has on position p; none where it cannot fight (R-39)."""
    bonus = view.bonus[tables.location[p]]
    if may_use_weapon(state, tables, d, p):
        return tables.weapon_attack[p] + bonus, tables.weapon_suppress[p] + bonus
    if not may_use_own(state, tables, d, p):
        return 0, 0
    return tables.attack[d] + bonus, tables.suppress[d] + bonus


@inline
def shot_worth(tables, view, p, dice):
    """Worth of the best Attack with so many dice from a position."""
    dice = min(dice, DICE - 1)
    best = 0.0
    for i in range(2):
        colour = tables.colours[p, i]
        if colour != NONE and view.shot[colour, dice] > best:
            best = view.shot[colour, dice]
    return best


@inline
def square_worth(tables, view, p, tokens):
    """Worth of the best Suppress with so many tokens from a position."""
    best = 0.0
    for i in range(tables.n_squares[p]):
        value = tokens * view.token[tables.squares[p, i]]
        if value > best:
            best = value
    return best


@inline
def load_worth(state, tables, view, d, p):
    """Worth of loading the cannon: half of what it then lays down."""
    if not tables.loads[p] or not may_load(state, tables, d, p):
        return 0.0
    return 0.5 * square_worth(tables, view, tables.cannon, tables.weapon_suppress[tables.cannon])


@inline
def act_worth(state, tables, view, d, p):
    """Worth of the best thing d can do from position p, where it stands or may be placed."""
    dice, tokens = values_of(state, tables, view, d, p)
    worth = max(shot_worth(tables, view, p, dice), square_worth(tables, view, p, tokens))
    return max(worth, load_worth(state, tables, view, d, p)) if tables.loads[p] else worth


@inline
def best_place(state, tables, view, d):
    """The position of its location from which d, fit, does most, its own where they are equal (2.4)."""
    here = state.place[d]
    best, chosen = act_worth(state, tables, view, d, here), here
    if not may_shift(state, tables, d):
        return chosen
    there = tables.location[here]
    for p in range(tables.first_position[there], tables.end_position[there]):
        if p != here and (may_use_weapon(state, tables, d, p) or not tables.crew[p]):
            value = act_worth(state, tables, view, d, p)
            # a gunner stands there: who changes places with him takes the gun
            takes_gun = tables.crew[p] and state.occupant[p] != NONE
            if value > best and may_shift_to(state, tables, d, p) and not takes_gun:
                best, chosen = value, p
    return chosen


# ---------------------------------------------------------------- activating one


@inline
def worth_of(state, tables, view, d):
    """What activating d is worth."""
    if state.status[d] & UNFIT:
        return recover_worth(state, tables, view, d)
    if has(tables, d, Attribute.FRENCH):
        return french_worth(state, tables, view, d)
    if in_cellar(state, tables, d):
        return 0.0
    value = act_worth(state, tables, view, d, state.place[d])
    if has(tables, d, Attribute.COMMAND):
        return max(value, command_worth(state, tables, view, d))
    return value


@inline
def recover_worth(state, tables, view, d):
    """A share of what d could do then; a Disrupt token off is worth something by itself."""
    if has(tables, d, Attribute.FRENCH):
        if is_running(state, tables, view, d):
            return view.weights[AT.onward]
        return 0.5 * view.weights[AT.french_out] * lateness(state)
    value = view.weights[AT.recover] * act_worth(state, tables, view, d, state.place[d])
    if state.status[d] & Status.DISRUPTED:
        value = (0.5 * value if state.status[d] & Status.EXHAUSTED else value) + view.weights[AT.steady]
    return value


@jit
def command_worth(state, tables, view, commander):
    """Up to three Recovers in the location for one action, the best; one alone is not worth a commander."""
    here = location_of(state, tables, commander)
    first, second, third = 0.0, 0.0, 0.0
    for p in range(tables.first_position[here], tables.end_position[here]):
        d = state.occupant[p]
        if d == NONE or has(tables, d, Attribute.COMMAND) or state.status[d] & Status.ACTED:
            continue
        if not state.status[d] & (Status.EXHAUSTED | Status.DISRUPTED):
            continue
        value = recover_worth(state, tables, view, d)
        if value > first:
            first, second, third = value, first, second
        elif value > second:
            second, third = value, second
        else:
            third = max(third, value)
    return view.weights[AT.command] * (first + second + third) if second > 0.0 else 0.0


@jit
def french_worth(state, tables, view, d):
    """Out of the Cellar for points, late; Borotra onward, and away when the coast is clear."""
    if way_home(state, tables, d) != NONE:
        return 10.0
    if is_running(state, tables, view, d):
        if tables.escape_from[location_of(state, tables, d)] or next_place(state, tables, d) == NONE:
            return 0.0
        return view.weights[AT.onward]
    if state.turn < view.weights[AT.french_turn] or not in_cellar(state, tables, d):
        return 0.0
    return view.weights[AT.french_out] * lateness(state) if way_out(state, tables, d) != NONE else 0.0


@jit
def is_running(state, tables, view, d):
    """d may escape (Borotra; 2.8), the regiment is not in, and it is time to go."""
    return (
        has(tables, d, Attribute.ESCAPE) and state.turn >= view.weights[AT.run_turn] and not state.regiment_in
    )


@jit
def next_place(state, tables, d):
    """Where a French defender goes: out of the Cellar, or on to where it may escape from; NONE: nowhere."""
    return way_out(state, tables, d) if in_cellar(state, tables, d) else way_onward(state, tables, d)


@jit
def way_home(state, tables, d):
    """The position from which d escapes now, its own or one it may go to by a free move; NONE: none."""
    if not is_ready_to_escape(state, tables, d):
        return NONE
    here = state.place[d]
    if is_coast_clear(state, tables, here):
        return here
    if may_shift(state, tables, d):
        there = tables.location[here]
        for p in range(tables.first_position[there], tables.end_position[there]):
            if is_coast_clear(state, tables, p) and may_shift_to(state, tables, d, p):
                return p
    return NONE


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
