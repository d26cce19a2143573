"""`garrison`: defends the castle by an estimate of danger.

The value of every action is expressed in the *danger* of the tracks (`danger`). In each turn, the policy
takes the actions of highest value.
"""

from bartizan.policies.itter.danger import (
    AT,
    DICE,
    POSTS,
    VIEW,
    WEIGHTS,
    believe,
    counters_seen,
    factor,
    judge,
    lateness,
    point_now,
    target_factor,
)
from bartizan.policies.itter.factors import FIGHTERS, PLAIN, START, STOCK
from bartizan.policies.itter.reference import first_free_outside, free_outside
from bartizan.policies.protocol import Policy, legal_or_first
from bartizan.simcore.compile.bits import count_bits, lowest, where_above, where_bits, where_equal
from bartizan.simcore.compile.jit import inline, jit
from bartizan.simcore.compile.rules import NOBODY
from bartizan.simcore.itter import components as c
from bartizan.simcore.itter.actions import action, argument_of, defender_and_gift, target_of
from bartizan.simcore.itter.features import free_circles
from bartizan.simcore.itter.rules.attributes import may_load, may_use_own, may_use_weapon
from bartizan.simcore.itter.rules.board import has, in_cellar, location_of, on_board, open_positions
from bartizan.simcore.itter.rules.defenders import (
    is_coast_clear,
    is_deploying,
    is_ready_to_escape,
    may_shift,
    may_shift_to,
)
from bartizan.simcore.itter.rules.tactics import suppression_defence


def choose(state, tables, legal, n_legal, weights, view):
    return decide(state, tables, legal, n_legal, weights, PLAIN, view)


@inline
def decide(state, tables, legal, n_legal, weights, table, view):
    """Return the action of highest value. table: factors of the estimates (`policies.itter.factors`)."""
    believe(state, weights, table, view)
    stage = state.stage
    if stage == c.Stage.ORDERS:
        chosen = order(state, tables, view)
    elif stage == c.Stage.PLACE:
        chosen = action(c.Act.PLACE, post(state, tables, view))
    elif stage == c.Stage.ACT:
        chosen = act(state, tables, view)
    elif stage == c.Stage.COMMAND:
        chosen = give(state, tables, legal, n_legal, view)
    elif stage == c.Stage.SPEND:
        chosen = legal[min(tokens_to_spend(state, tables, view, n_legal - 1), n_legal - 1)]
    else:
        chosen = legal[n_legal - 1]  # Gangl is sacrificed for a French defender: 3 points against 1
    return legal_or_first(chosen, legal, n_legal)


# ---------------------------------------------------------------- choosing the defender


@inline
def order(state, tables, view):
    """Return the order to place or activate the defender whose action has the highest value (ORDERS).

    If no action has a value, return PASS or, if passing is not allowed (R-01), a defender who loses little by
    acting (`idler`).
    """
    d = next_to_place(state, tables, view)
    if d != c.NONE:
        return action(c.Act.ACTIVATE, d)
    if is_deploying(state, tables):
        return action(c.Act.PASS, 0)
    judge(state, tables, view)
    best, chosen = 0.0, c.NONE
    defenders = where_above(state.place, c.NONE) & tables.everybody & ~where_bits(state.status, c.SPENT)
    while defenders:
        d = lowest(defenders)
        defenders &= defenders - 1
        value = worth_of(state, tables, view, d)
        if value > best:
            best, chosen = value, d
    if chosen == c.NONE and tables.may_pass == c.MayPass.no:
        chosen = idler(state, tables)
    return action(c.Act.ACTIVATE, chosen) if chosen != c.NONE else action(c.Act.PASS, 0)


@jit
def idler(state, tables):
    """Return a defender who can Recover, otherwise a fit one; NONE if there is none.

    The fit defender then does nothing.
    """
    fit = c.NONE
    for d in range(tables.n_defenders):
        if not on_board(state, d) or state.status[d] & c.SPENT:
            continue
        if state.status[d] & c.UNFIT:
            return d
        fit = d
    return fit


# ---------------------------------------------------------------- choosing the action


@inline
def act(state, tables, view):
    """Return the action of the activated defender (ACT).

    The evaluation is that of `order`, with the factors for the opening in the first turn.
    """
    d = state.actor
    p = state.place[d]
    if state.status[d] & c.UNFIT:
        return action(c.Act.RECOVER, c.DISRUPTION if state.status[d] & c.Status.DISRUPTED else c.EXHAUSTION)
    if has(tables, d, c.Attribute.FRENCH):
        return french_act(state, tables, view, d)
    if in_cellar(state, tables, d):
        return action(c.Act.BLANK, 0)
    judge(state, tables, view)
    better = best_place(state, tables, view, d)
    if better != p:
        return action(c.Act.SHIFT, better)
    dice, tokens = values_of(state, tables, view, d, p)
    arm = arm_worth(state, tables, view, d, p)
    shot = arm * shot_worth(tables, view, p, dice, True)
    load = load_worth(state, tables, view, d, p)
    best = max(shot, arm * square_worth(tables, view, p, tokens, True), load)
    if has(tables, d, c.Attribute.COMMAND) and not state.just_placed:
        if command_worth(state, tables, view, d) > best:
            return action(c.Act.COMMAND, 0)
    if best <= 0.0 and not (state.just_placed and tokens > 0 and tables.n_squares[p] > 0):
        return action(c.Act.BLANK, 0)
    if load > 0.0 and load == best:
        return action(c.Act.LOAD, 0)
    weapon = may_use_weapon(state, tables, d, p)
    if shot > 0.0 and shot == best:
        target = best_target(state, tables, view, p, dice)
        return action(c.Act.ATTACK_WEAPON if weapon else c.Act.ATTACK, target)
    return action(c.Act.SUPPRESS_WEAPON if weapon else c.Act.SUPPRESS, split(tables, view, p, tokens))


@inline
def split(tables, view, p, tokens):
    """Return the number of tokens for the first square, which is all or none (SUPPRESS)."""
    if tables.n_squares[p] == 0:
        return 0
    if tables.n_squares[p] == 2:
        first, second = tables.squares[p, 0], tables.squares[p, 1]
        if token_worth(view, second, True) > token_worth(view, first, True):
            return 0
    return tokens


@inline
def best_target(state, tables, view, p, dice):
    """Return the target on which `shot_worth` is based (ATTACK)."""
    point = point_now(state, view)
    best, target = -1.0, c.NONE
    for i in range(tables.n_seen[p]):
        circle = tables.seen[p, i]
        for gun in range(3 if tables.is_area[circle] else 1):
            kind = state.counter[circle] if gun == 0 else tables.gun_kinds[gun - 1]
            if kind == c.NONE or (gun > 0 and state.guns[kind, circle] == 0):
                continue
            gain = view.coast[tables.circle_colour[circle]]
            gain += view.worth[circle] if gun == 0 else view.weights[AT.gun]
            value = tables.hit[dice, tables.defence[kind]] * (gain + point)
            value *= target_factor(view, kind, view.free[circle] if gun == 0 else 0)
            value *= opening(view, START.opening_shot + tables.circle_colour[circle], True)
            if value > best:
                best, target = value, target_of(gun, circle)
    return target


@jit
def french_act(state, tables, view, d):
    home = way_home(state, tables, d)
    if home != c.NONE:
        return action(c.Act.ESCAPE, 0) if home == state.place[d] else action(c.Act.SHIFT, home)
    if french_worth(state, tables, view, d) <= 0.0:
        return action(c.Act.BLANK, 0)
    return action(c.Act.MOVE, next_place(state, tables, d))


@jit
def give(state, tables, legal, n_legal, view):
    """Return the next gift of a Command (COMMAND). Modifies `view`.

    First come Recovers that remove Disrupt tokens, then the most valuable Recover.
    """
    judge(state, tables, view)
    best, chosen = -1.0, legal[n_legal - 1]
    for i in range(n_legal - 1):
        d, what = defender_and_gift(argument_of(legal[i]))
        value = recover_worth(state, tables, view, d) + (1e3 if what == c.DISRUPTION else 0.0)
        if value > best:
            best, chosen = value, legal[i]
    return chosen


# ---------------------------------------------------------------- deployment


@inline
def next_to_place(state, tables, view):
    """Return the waiting defender with the highest value at the best post. Modifies `view`.

    Returns NONE if nobody waits or no post is open.

    Of several defenders with the same abilities, only the first is evaluated.
    """
    waiting = where_equal(state.place, c.Place.RESERVE) & tables.everybody
    if not waiting:
        return c.NONE
    judge(state, tables, view)
    best, chosen, seen = -1.0, c.NONE, 0
    while waiting:
        d = lowest(waiting)
        waiting &= waiting - 1
        if seen >> tables.like[d] & 1:
            continue
        seen |= 1 << tables.like[d]
        crew = has(tables, d, c.Attribute.TANK_CREW)
        free = posts(state, tables, crew)
        value = 0.0  # value of d's immediate action from the best free post
        ordinary, others = free & tables.ordinary, free & ~tables.ordinary
        while ordinary:
            p = lowest(ordinary)
            ordinary &= ordinary - 1
            value = max(value, own_worth(tables, view, d, p))
        while others:
            value = max(value, act_worth(state, tables, view, d, lowest(others)))
            others &= others - 1
        if crew:
            value += view.weights[AT.crew_first]
        if value > best:
            best, chosen = value, d
    if chosen == c.NONE or first_free_outside(state, tables, chosen) == c.NONE:
        return c.NONE
    return chosen


@inline
def posts(state, tables, crew):
    """Return the free positions (bit mask) outside the Cellar.

    crew: whether positions for the crew are included.
    """
    free = free_outside(state, tables, crew)
    return free if crew else free & ~tables.for_crew


@inline
def post(state, tables, view):
    """Return the position for a waiting defender (PLACE). Modifies `view`.

    The tank crew goes to a gun or the loader's position. For others, it is the position where their tokens or
    shots have the highest value; the passage hall counts less.
    """
    judge(state, tables, view)
    d = state.actor
    crew = has(tables, d, c.Attribute.TANK_CREW)
    best, chosen = -1.0, first_free_outside(state, tables, d)
    free = posts(state, tables, crew)
    occupied = ~where_equal(state.occupant, c.NONE)
    while free:
        p = lowest(free)
        free &= free - 1
        here = tables.location[p]
        passage = 1.0 if tables.escape_from[here] else view.weights[AT.hall]
        value = act_worth(state, tables, view, d, p) * passage
        value *= view.weights[AT.post_0 + here] if here < POSTS else 1.0
        crowd = view.weights[AT.crowd] * (view.weights[AT.crowd_0 + here] if here < POSTS else 1.0)
        for _ in range(count_bits(occupied & tables.positions_of[here])):
            value *= crowd
        # the loaded cannon: a defender placed there fires at once
        if may_use_weapon(state, tables, d, p) or (crew and tables.loads[p]):
            value += 10.0 + 0.1 * tables.weapon_suppress[p]
        if value > best:
            best, chosen = value, p
    return chosen


# ---------------------------------------------------------------- tokens


@jit
def tokens_to_spend(state, tables, view, most):
    """Return the number of tokens to spend (SPEND).

    The accepted probability of letting the counter through is small for a short track and larger for a long
    track.
    """
    free = min(free_circles(state, tables, state.area), 4) if tables.advances[state.kind] else 2
    defence = suppression_defence(state, tables, state.kind)
    bound = view.weights[AT.miss_0 + free] * view.weights[AT.spare] ** most
    bound *= factor(view, START.miss_kind + state.kind)
    bound *= factor(view, START.miss_colour + tables.circle_colour[state.area])
    bound *= factor(view, START.miss_stock + STOCK[min(most, len(STOCK) - 1)])
    k = 0
    while k < min(most, len(tables.hit) - 1) and 1.0 - tables.hit[k, defence] > bound:
        k += 1
    return k


def aim(record, seat):
    """Return the value of a finished game.

    A win or a draw is worth more with a higher score, and a loss is worth more after more turns.
    """
    if record.winner == seat:
        return 1.0 + 0.004 * record.score
    if record.winner == NOBODY:
        return 0.25 + 0.01 * record.score
    return -0.2 + 0.01 * record.turn


GARRISON = Policy(
    "garrison",
    choose,
    "rates shots, tokens and Recovers by the danger of the tracks they relieve",
    weights=WEIGHTS,
    roles=("defender",),
    aim=aim,
    memory=VIEW,
)


# ---------------------------------------------------------------- actions of a fit defender


@inline
def values_of(state, tables, view, d, p):
    """Return (dice, tokens) of d on position p; (0, 0) if d cannot fight there (R-39)."""
    bonus = view.bonus[tables.location[p]]
    if may_use_weapon(state, tables, d, p):
        return tables.weapon_attack[p] + bonus, tables.weapon_suppress[p] + bonus
    if not may_use_own(state, tables, d, p):
        return 0, 0
    return tables.attack[d] + bonus, tables.suppress[d] + bonus


@inline
def arm_worth(state, tables, view, d, p):
    """Return the factor for d's shots and tokens from p.

    It is `weapon` if d uses a weapon printed there, otherwise 1.
    """
    return view.weights[AT.weapon] if may_use_weapon(state, tables, d, p) else 1.0


@inline
def opening(view, i, is_act):
    """Return factor i if it is the first turn and an action is chosen (`is_act`), otherwise 1."""
    return view.factors[i] if is_act and view.turn == 1 else 1.0


@inline
def shot_worth(tables, view, p, dice, is_act=False):
    """Return the value of the best Attack with this many dice from a position.

    is_act: whether the activated defender chooses an action.
    """
    dice = min(dice, DICE - 1)
    best = 0.0
    for i in range(2):
        colour = tables.colours[p, i]
        if colour != c.NONE:
            best = max(best, view.shot[colour, dice] * opening(view, START.opening_shot + colour, is_act))
    return best


@inline
def square_worth(tables, view, p, tokens, is_act=False):
    """Return the value of the best Suppress with this many tokens from a position."""
    best = 0.0
    for i in range(tables.n_squares[p]):
        best = max(best, tokens * token_worth(view, tables.squares[p, i], is_act))
    return best * view.storing


@inline
def token_worth(view, colour, is_act):
    return view.token[colour] * opening(view, START.opening_tokens + colour, is_act)


@inline
def load_worth(state, tables, view, d, p):
    """Return the value of loading the cannon: half the value of the tokens that the cannon can then place."""
    if not tables.loads[p] or not may_load(state, tables, d, p):
        return 0.0
    return 0.5 * square_worth(tables, view, tables.cannon, tables.weapon_suppress[tables.cannon])


@inline
def own_worth(tables, view, d, p):
    """Return the value of d's best Attack or Suppress from an ordinary position (`tables.ordinary`)."""
    bonus = view.bonus[tables.location[p]]
    shot = shot_worth(tables, view, p, tables.attack[d] + bonus)
    return max(shot, square_worth(tables, view, p, tables.suppress[d] + bonus))


@inline
def act_worth(state, tables, view, d, p):
    """Return the value of defender d's best action at position p.

    p: his own position, or one that he can reach.
    """
    if tables.ordinary >> p & 1:
        return own_worth(tables, view, d, p)
    dice, tokens = values_of(state, tables, view, d, p)
    worth = max(shot_worth(tables, view, p, dice), square_worth(tables, view, p, tokens))
    worth *= arm_worth(state, tables, view, d, p)
    return max(worth, load_worth(state, tables, view, d, p)) if tables.loads[p] else worth


@inline
def best_place(state, tables, view, d):
    """Return the position within a free move (2.4) where d has the highest value.

    In a tie, it is his own position.
    """
    here = state.place[d]
    best, chosen = act_worth(state, tables, view, d, here), here
    if not may_shift(state, tables, d):
        return chosen
    location = tables.location[here]
    for p in range(tables.first_position[location], tables.end_position[location]):
        if p != here and (may_use_weapon(state, tables, d, p) or not tables.crew[p]):
            value = act_worth(state, tables, view, d, p)
            # a gunner is there: a defender who changes places with him takes the gun
            takes_gun = tables.crew[p] and state.occupant[p] != c.NONE
            if value > best and may_shift_to(state, tables, d, p) and not takes_gun:
                best, chosen = value, p
    return chosen


# ---------------------------------------------------------------- values of activations


@inline
def worth_of(state, tables, view, d):
    if state.status[d] & c.UNFIT:
        return recover_worth(state, tables, view, d)
    if has(tables, d, c.Attribute.FRENCH):
        return french_worth(state, tables, view, d)
    if in_cellar(state, tables, d):
        return 0.0
    value = act_worth(state, tables, view, d, state.place[d])
    if has(tables, d, c.Attribute.COMMAND):
        return max(value, command_worth(state, tables, view, d))
    return value


@inline
def recover_worth(state, tables, view, d):
    """Return the value of a Recover: a share of the value of d's later actions.

    Removing a Disrupt token adds a value of its own. A Recover of a French defender has a fixed value if he
    should try to escape, otherwise one that increases during the game.
    """
    if has(tables, d, c.Attribute.FRENCH):
        if is_running(state, tables, view, d):
            return view.weights[AT.onward]
        return 0.5 * view.weights[AT.french_out] * lateness(state)
    value = view.weights[AT.recover] * act_worth(state, tables, view, d, state.place[d])
    if state.status[d] & c.Status.DISRUPTED:
        value = (0.5 * value if state.status[d] & c.Status.EXHAUSTED else value) + view.weights[AT.steady]
    value *= factor(view, START.recover_of + min(d, FIGHTERS - 1))
    value *= factor(view, START.recover_from + (state.status[d] & 3))
    return value * view.recovering


@jit
def command_worth(state, tables, view, commander):
    """Return the value of a Command, which gives up to three Recovers in the location for one action.

    It is 0 if the Command would give fewer than two.
    """
    here = location_of(state, tables, commander)
    first, second, third = 0.0, 0.0, 0.0
    for p in range(tables.first_position[here], tables.end_position[here]):
        d = state.occupant[p]
        if d == c.NONE or has(tables, d, c.Attribute.COMMAND) or state.status[d] & c.Status.ACTED:
            continue
        if not state.status[d] & (c.Status.EXHAUSTED | c.Status.DISRUPTED):
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
    """Return the value of activating a French defender.

    Late in the game, a defender gains points by leaving the Cellar. For Borotra, moving on to an escape
    location also has a value, and so has the escape if no counter is in the way.
    """
    if way_home(state, tables, d) != c.NONE:
        return 10.0
    if is_running(state, tables, view, d):
        if tables.escape_from[location_of(state, tables, d)] or next_place(state, tables, d) == c.NONE:
            return 0.0
        return view.weights[AT.onward]
    if state.turn < view.weights[AT.french_turn] or not in_cellar(state, tables, d):
        return 0.0
    return view.weights[AT.french_out] * lateness(state) if way_out(state, tables, d) != c.NONE else 0.0


@jit
def is_running(state, tables, view, d):
    """Return whether d should try to escape (2.8).

    He has [E], the turn is late enough, and the 142nd has not been shuffled in.
    """
    return (
        has(tables, d, c.Attribute.ESCAPE)
        and state.turn >= view.weights[AT.run_turn]
        and not state.regiment_in
    )


@jit
def next_place(state, tables, d):
    """Return the destination of a French defender; NONE for no move.

    He moves out of the Cellar, or onward to an escape location.
    """
    return way_out(state, tables, d) if in_cellar(state, tables, d) else way_onward(state, tables, d)


@jit
def way_home(state, tables, d):
    """Return the position from which d can escape now; NONE if there is none.

    It is his own position, or one within a free move.
    """
    if not is_ready_to_escape(state, tables, d):
        return c.NONE
    here = state.place[d]
    if is_coast_clear(state, tables, here):
        return here
    if may_shift(state, tables, d):
        location = tables.location[here]
        for p in range(tables.first_position[location], tables.end_position[location]):
            if is_coast_clear(state, tables, p) and may_shift_to(state, tables, d, p):
                return p
    return c.NONE


@jit
def way_out(state, tables, d):
    """Return a free position to which a defender in the Cellar may move; NONE if there is none.

    It is one with the fewest squares, because positions with more squares are of more use to other defenders.
    """
    best = c.NONE
    free = open_positions(state, tables, has(tables, d, c.Attribute.TANK_CREW))
    free &= tables.moves_from[location_of(state, tables, d)]
    while free:
        p = lowest(free)
        free &= free - 1
        if best == c.NONE or tables.n_squares[p] < tables.n_squares[best]:
            best = p
    return best


@jit
def way_onward(state, tables, d):
    """Return the best free position in an escape location; NONE if there is none.

    It is an ordinary position of one colour, with the fewest counters of that colour.
    """
    best, fewest = c.NONE, 99
    free = open_positions(state, tables, has(tables, d, c.Attribute.TANK_CREW)) & ~tables.for_crew
    while free:
        p = lowest(free)
        free &= free - 1
        if tables.colours[p, 1] == c.NONE and tables.escape_from[tables.location[p]]:
            n = counters_seen(state, tables, p)
            if n < fewest:
                best, fewest = p, n
    return best
