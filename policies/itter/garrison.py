"""`garrison`: a considered defence of the castle.

One idea runs through it: *danger*. A placement on an area fills the first free circle of its track; when none
is free the castle falls. So an
area's danger is the chance that a counter lands there, times `patience` to the power of the free circles left
on its track. Shooting a counter
frees a circle, a Suppression token saves one: both are worth the danger of all tracks that pass there. Every
action is worth something on
that scale, and the best five are done.
"""

import numpy as np

from bartizan.policies.legal import legal_or_first
from bartizan.policies.protocol import Policy
from bartizan.simcore.compile.jit import inline, jit
from bartizan.simcore.itter.components import (
    ARGUMENTS,
    CIRCLES,
    COLOURS,
    DISRUPTION,
    EXHAUSTION,
    GUN_TARGET,
    LOCATIONS,
    NONE,
    SPENT,
    UNFIT,
    Act,
    Attribute,
    MayPass,
    Place,
    Stage,
    Status,
)
from bartizan.simcore.itter.rules.attributes import may_load, may_use_own, may_use_weapon
from bartizan.simcore.itter.rules.board import has, in_cellar, is_open, location_of, on_board
from bartizan.simcore.itter.rules.defenders import is_deploying, may_escape
from bartizan.simcore.itter.rules.tactics import suppression_defence

# Found by a seeded search on pilot games (docs/garrison.md); the order is that of the indices below.
WEIGHTS = {
    # danger
    "patience": 0.887,  # how much one more free circle on a track calms
    "breach": 6.74,  # danger of a track that is full, against one with a single free circle
    # tokens
    "stock_turns": 4.0,  # turns ahead for which tokens are laid up
    "tokens_each": 2.82,  # tokens wanted for each counter expected
    "token_now": 0.81,  # a token against a shot of the same chance: it waits, but it waits where it is needed
    # shots
    "gun": 0.08,  # worth of silencing a Machine Gunner or Mortar
    "point": 0.017,  # worth of one point of score, growing towards the end
    # recovering
    "recover": 0.516,  # a Recover is worth this share of what the defender could do
    "steady": 0.019,  # removing a Disrupt token: another would kill
    "command": 0.838,  # a commander's three Recovers against three of their own
    # people
    "french_out": 0.063,  # bringing a French defender out of the Cellar, growing towards the end
    "french_turn": 12.8,  # from this turn on
    "onward": 0.029,  # Borotra on his way to a position from which he may escape
    # spending: the chance of letting a counter through that is accepted, by free circles on its track
    "miss_0": 0.005,
    "miss_1": 0.212,
    "miss_2": 0.449,
    "miss_3": 0.755,
    "miss_4": 0.511,
}
(
    PATIENCE,
    BREACH,
    STOCK_TURNS,
    TOKENS_EACH,
    TOKEN_NOW,
    GUN,
    POINT,
    RECOVER,
    STEADY,
    COMMAND,
    FRENCH_OUT,
    FRENCH_TURN,
    ONWARD,
    MISS,
) = range(14)

ADVANCING_SHARE = 0.8  # counters that advance, a card: 47 in a deck of 60


def choose(state, tables, legal, n_legal, weights):
    """The best five actions a turn, and as many tokens a counter as its track is in danger."""
    return legal_or_first(decide(state, tables, legal, n_legal, weights), legal, n_legal)


@jit
def decide(state, tables, legal, n_legal, weights):
    stage = state.stage
    if stage == Stage.ORDERS:
        return order(state, tables, weights)
    if stage == Stage.PLACE:
        return Act.PLACE * ARGUMENTS + post(state, tables, weights)
    if stage == Stage.ACT:
        return act(state, tables, weights)
    if stage == Stage.COMMAND:
        return give(state, tables, legal, n_legal)
    if stage == Stage.SPEND:
        return legal[min(tokens_to_spend(state, tables, weights, n_legal - 1), n_legal - 1)]
    return legal[n_legal - 1]  # Gangl goes for a French defender: 3 points against 1


# ---------------------------------------------------------------- danger

DICE = 6  # more dice than five are judged as five

# The judgement of one moment. A record, not arrays: compiled code counts references to arrays at every call,
# and that took longer than the thinking.
# A record does not keep the array it lies in: whoever makes the array calls another function that works on
# it, and so holds it until that is done.
VIEW = np.dtype(
    [
        ("worth", "f8", (CIRCLES,)),  # of freeing a circle: the summed danger of the tracks that pass it
        ("entry", "f8", (CIRCLES,)),  # of keeping a counter off an area: that of the circle it would fill
        ("token", "f8", (COLOURS,)),  # of one more token on a colour's square
        ("shot", "f8", (COLOURS, DICE)),  # of the best Attack on a colour with so many dice
        ("bonus", "i4", (LOCATIONS,)),  # fit inspirers in a location
        ("free", "i4", (CIRCLES,)),  # free circles from a circle to the castle, its own included
    ],
    align=True,
)


@jit
def judge(state, tables, weights, view):
    """Work out what everything is worth now. Modifies `view`."""
    look_at_tracks(state, tables, weights, view)
    look_at_tokens(state, tables, weights, view)
    look_at_targets(state, tables, weights, view)
    look_at_inspirers(state, tables, view)


@jit
def look_at_tracks(state, tables, weights, view):
    """free, worth and entry: free circles summed from the castle outwards, danger inwards, then each area's
    first free circle.
    """
    for i in range(tables.n_circles - 1, -1, -1):
        circle = tables.inward[i]
        view.free[circle] = view.free[tables.next[circle]] + (state.counter[circle] == NONE)
    for i in range(tables.n_circles):
        circle = tables.inward[i]
        if tables.is_area[circle]:
            view.worth[circle] += tables.landing[circle] * calm(weights, view.free[circle])
        view.worth[tables.next[circle]] += view.worth[circle]
    for i in range(len(tables.areas)):
        area = tables.areas[i]
        circle = area
        while state.counter[circle] != NONE and tables.next[circle] != 0:
            circle = tables.next[circle]
        view.entry[area] = view.worth[circle]


@inline
def calm(weights, free):
    """Danger of a track with so many free circles, against one with none and no breach weight."""
    danger = weights[BREACH] if free == 0 else 1.0
    for _ in range(free):
        danger *= weights[PATIENCE]
    return danger


@jit
def look_at_tokens(state, tables, weights, view):
    """token: the entries a colour's tokens may save, less the fuller the stock, nothing when it is full."""
    cards = min(weights[STOCK_TURNS] * tables.ss_cards, state.deck_size - state.deck_next)
    expected = cards * ADVANCING_SHARE * weights[TOKENS_EACH]
    for i in range(len(tables.areas)):
        area = tables.areas[i]
        colour = tables.circle_colour[area]
        view.token[colour] += tables.landing[area] * view.entry[area]
        view.shot[colour, 0] += tables.landing[area]  # the colour's share, for now
    for colour in range(tables.n_colours):
        share = view.shot[colour, 0]
        view.shot[colour, 0] = 0.0
        wanted = expected * share
        if wanted <= state.tokens[colour]:
            view.token[colour] = 0.0
        else:
            view.token[colour] *= weights[TOKEN_NOW] / share * (1.0 - state.tokens[colour] / wanted)


@jit
def look_at_targets(state, tables, weights, view):
    """shot: the best target on each colour for one die, two dice, ..."""
    point = point_now(state, weights)
    for i in range(tables.n_circles):
        circle = tables.inward[i]
        colour = tables.circle_colour[circle]
        kind = state.counter[circle]
        if kind != NONE:
            look_at_target(tables, view, colour, kind, view.worth[circle] + point)
        if tables.is_area[circle]:
            for gun in range(2):
                kind = tables.gun_kinds[gun]
                if state.guns[kind, circle] > 0:
                    look_at_target(tables, view, colour, kind, weights[GUN] + point)


@inline
def look_at_target(tables, view, colour, kind, worth):
    defence = tables.defence[kind]
    for dice in range(1, DICE):
        view.shot[colour, dice] = max(view.shot[colour, dice], worth * tables.hit[dice, defence])


@inline
def point_now(state, weights):
    """A counter gone is a point; points count more towards the end."""
    return weights[POINT] * (0.3 + lateness(state))


@jit
def look_at_inspirers(state, tables, view):
    """bonus: 3.1, the fit [I] defenders of each location (R-14 is left to the rules: this is a judgement)."""
    for d in range(tables.n_defenders):
        if (
            has(tables, d, Attribute.INSPIRE)
            and on_board(state, d)
            and not state.status[d] & (Status.EXHAUSTED | Status.DISRUPTED)
        ):
            view.bonus[location_of(state, tables, d)] += 1


@inline
def lateness(state):
    """0 at the start, 1 when the deck runs out."""
    return state.deck_next / state.deck_size


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


# ---------------------------------------------------------------- who acts


@jit
def order(state, tables, weights):
    """ORDERS: the defender whose action is worth most now; when nothing is worth anything PASS, or somebody
    who loses nothing by acting (R-01).
    """
    d = next_to_place(state, tables)
    if d != NONE:
        return Act.ACTIVATE * ARGUMENTS + d
    if is_deploying(state, tables):
        return Act.PASS * ARGUMENTS
    views = np.zeros(1, VIEW)
    chosen = worthiest(state, tables, weights, views)
    if chosen == NONE and tables.may_pass == MayPass.no:
        chosen = idler(state, tables)
    return Act.ACTIVATE * ARGUMENTS + chosen if chosen != NONE else Act.PASS * ARGUMENTS


@jit
def worthiest(state, tables, weights, views):
    """The defender whose action is worth most, or NONE. Modifies `views`."""
    view = views[0]
    judge(state, tables, weights, view)
    best, chosen = 0.0, NONE
    for d in range(tables.n_defenders):
        if not on_board(state, d) or state.status[d] & SPENT:
            continue
        value = worth_of(state, tables, weights, view, d)
        if value > best:
            best, chosen = value, d
    return chosen


@jit
def idler(state, tables):
    """Somebody who can Recover, else somebody fit, who then does nothing (`act`)."""
    fit = NONE
    for d in range(tables.n_defenders):
        if not on_board(state, d) or state.status[d] & SPENT:
            continue
        if state.status[d] & UNFIT:
            return d
        fit = d
    return fit


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
        if (
            d == NONE
            or has(tables, d, Attribute.COMMAND)
            or state.status[d] & Status.ACTED
            or given >= tables.recovers
        ):
            continue
        burdens = (state.status[d] & Status.EXHAUSTED != 0) + (state.status[d] & Status.DISRUPTED != 0)
        if burdens > 0:
            total += recover_worth(state, tables, weights, view, d)
            given += burdens
    return weights[COMMAND] * total if given > 1 else 0.0


@jit
def french_worth(state, tables, weights, d):
    """Out of the Cellar late, for points; Borotra onward, and away when the coast is clear."""
    if has(tables, d, Attribute.ESCAPE) and may_escape(state, tables, d):
        return 10.0
    if state.turn < weights[FRENCH_TURN]:
        return 0.0
    if in_cellar(state, tables, d):
        return weights[FRENCH_OUT] * lateness(state) if way_out(state, tables, d) != NONE else 0.0
    if (
        has(tables, d, Attribute.ESCAPE)
        and not tables.escape_from[location_of(state, tables, d)]
        and way_onward(state, tables, d) != NONE
    ):
        return weights[ONWARD]
    return 0.0


@jit
def way_out(state, tables, d):
    """The free position a defender in the Cellar can move to; those without a square first: they serve nobody
    better.
    """
    best = NONE
    for p in range(tables.n_positions):
        if tables.move_out[location_of(state, tables, d), tables.location[p]] and is_open(
            state, tables, d, p
        ):
            if best == NONE or tables.n_squares[p] < tables.n_squares[best]:
                best = p
    return best


@jit
def way_onward(state, tables, d):
    """A free ordinary position of one colour in an escape location; the colour with fewest counters."""
    best, fewest = NONE, 99
    for p in range(tables.n_positions):
        if (
            not tables.escape_from[tables.location[p]]
            or tables.crew[p]
            or tables.colours[p, 1] != NONE
            or not is_open(state, tables, d, p)
        ):
            continue
        n = 0
        for i in range(tables.n_seen[p]):
            circle = tables.seen[p, i]
            n += state.counter[circle] != NONE
            n += state.guns[tables.gun_kinds[0], circle] + state.guns[tables.gun_kinds[1], circle]
        if n < fewest:
            best, fewest = p, n
    return best


# ---------------------------------------------------------------- what the chosen one does


@jit
def act(state, tables, weights):
    """ACT: the same judgement as in `order`, for the activated defender."""
    d = state.actor
    p = state.place[d]
    if state.status[d] & UNFIT:
        return Act.RECOVER * ARGUMENTS + (DISRUPTION if state.status[d] & Status.DISRUPTED else EXHAUSTION)
    if has(tables, d, Attribute.FRENCH):
        return (
            french_act(state, tables, d)
            if french_worth(state, tables, weights, d) > 0.0
            else Act.BLANK * ARGUMENTS
        )
    if in_cellar(state, tables, d):
        return Act.BLANK * ARGUMENTS
    views = np.zeros(1, VIEW)
    return best_act(state, tables, weights, views, d, p)


@jit
def best_act(state, tables, weights, views, d, p):
    """What a fit defender on p does best. Modifies `views`."""
    view = views[0]
    judge(state, tables, weights, view)
    dice, tokens = values_of(state, tables, view, d, p)
    shot = shot_worth(tables, view, p, dice)
    laid = square_worth(tables, view, p, tokens)
    load = load_worth(state, tables, view, d, p)
    best = max(shot, laid, load)
    if (
        has(tables, d, Attribute.COMMAND)
        and not state.just_placed
        and command_worth(state, tables, weights, view, d) > best
    ):
        return Act.COMMAND * ARGUMENTS
    if best <= 0.0 and not (state.just_placed and tokens > 0 and tables.n_squares[p] > 0):
        return Act.BLANK * ARGUMENTS
    weapon = may_use_weapon(state, tables, d, p)
    if load > 0.0 and load == best:
        return Act.LOAD * ARGUMENTS
    if shot > 0.0 and shot == best:
        return (Act.ATTACK_WEAPON if weapon else Act.ATTACK) * ARGUMENTS + best_target(
            state, tables, weights, view, p, dice
        )
    return (Act.SUPPRESS_WEAPON if weapon else Act.SUPPRESS) * ARGUMENTS + split(tables, view, p, tokens)


@jit
def split(tables, view, p, tokens):
    """SUPPRESS: how many tokens go to the first square: all or none."""
    if tables.n_squares[p] == 0:
        return 0
    if tables.n_squares[p] == 2 and view.token[tables.squares[p, 1]] > view.token[tables.squares[p, 0]]:
        return 0
    return tokens


@jit
def best_target(state, tables, weights, view, p, dice):
    """ATTACK: the target that `shot_worth` had in mind."""
    point = point_now(state, weights)
    best, target = -1.0, NONE
    for i in range(tables.n_seen[p]):
        circle = tables.seen[p, i]
        kind = state.counter[circle]
        if kind != NONE:
            value = tables.hit[dice, tables.defence[kind]] * (view.worth[circle] + point)
            if value > best:
                best, target = value, circle
        if tables.is_area[circle]:
            for gun in range(2):
                kind = tables.gun_kinds[gun]
                value = tables.hit[dice, tables.defence[kind]] * (weights[GUN] + point)
                if state.guns[kind, circle] > 0 and value > best:
                    best, target = value, circle + GUN_TARGET * (gun + 1)
    return target


@jit
def french_act(state, tables, d):
    if may_escape(state, tables, d):
        return Act.ESCAPE * ARGUMENTS
    p = way_out(state, tables, d) if in_cellar(state, tables, d) else way_onward(state, tables, d)
    return Act.MOVE * ARGUMENTS + p


@jit
def give(state, tables, legal, n_legal):
    """COMMAND: Disrupt tokens first, then whoever has the strongest gun."""
    best, chosen = -1.0, legal[n_legal - 1]
    for i in range(n_legal - 1):
        d, what = (legal[i] % ARGUMENTS) // 4, legal[i] % 4
        p = state.place[d]
        value = max(
            tables.suppress[d], tables.weapon_suppress[p] if may_use_weapon(state, tables, d, p) else 0
        ) + (4.0 if what == DISRUPTION else 0.0)
        if value > best:
            best, chosen = value, legal[i]
    return chosen


# ---------------------------------------------------------------- deployment


@jit
def next_to_place(state, tables):
    """Tank crew first, then Officers, then the best at Suppressing; NONE when nobody waits or nothing is
    open.
    """
    best, chosen = -1, NONE
    for d in range(tables.n_defenders):
        if state.place[d] == Place.RESERVE:
            value = (
                tables.suppress[d]
                + 10 * has(tables, d, Attribute.TANK_CREW)
                + 4 * has(tables, d, Attribute.OFFICER)
            )
            if value > best:
                best, chosen = value, d
    if chosen == NONE or first_open(state, tables, chosen) == NONE:
        return NONE
    return chosen


@jit
def first_open(state, tables, d):
    for p in range(tables.n_positions):
        if is_open(state, tables, d, p) and not tables.is_cellar[tables.location[p]]:
            return p
    return NONE


@jit
def post(state, tables, weights):
    """PLACE: the guns for the tank crew; else where the defender's tokens or shots are worth most, the hall
    of passage last.
    """
    views = np.zeros(1, VIEW)
    return best_post(state, tables, weights, views, state.actor)


@jit
def best_post(state, tables, weights, views, d):
    """Where d is worth most. Modifies `views`."""
    view = views[0]
    judge(state, tables, weights, view)
    crew = has(tables, d, Attribute.TANK_CREW)
    best, chosen = -1.0, first_open(state, tables, d)
    for p in range(tables.n_positions):
        location = tables.location[p]
        if not is_open(state, tables, d, p) or tables.is_cellar[location] or (tables.crew[p] and not crew):
            continue
        value = act_worth(state, tables, view, d, p) if tables.escape_from[location] else 0.0
        if may_use_weapon(state, tables, d, p) or (
            crew and tables.loads[p]
        ):  # the cannon once it is loaded: who is placed then fires at once
            value += 10.0 + 0.1 * tables.weapon_suppress[p]
        if value > best:
            best, chosen = value, p
    return chosen


# ---------------------------------------------------------------- tokens


@jit
def tokens_to_spend(state, tables, weights, most):
    """SPEND: enough dice that the chance of letting the counter through is small where the track is short,
    larger where it is long.
    """
    free = min(free_circles(state, tables, state.area), 4) if tables.advances[state.kind] else 2
    defence = suppression_defence(state, tables, state.kind)
    k = 0
    while k < min(most, len(tables.hit) - 1) and 1.0 - tables.hit[k, defence] > weights[MISS + free]:
        k += 1
    return k


@jit
def free_circles(state, tables, area):
    """Free circles on the track from an area to the castle: so many more placements it can take."""
    free = 0
    circle = area
    while circle != 0:
        free += state.counter[circle] == NONE
        circle = tables.next[circle]
    return free


GARRISON = Policy(
    "garrison",
    choose,
    "weighs shots, tokens and Recovers by the danger of the tracks they relieve",
    weights=WEIGHTS,
    roles=("defender",),
)
