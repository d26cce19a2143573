"""`garrison`: a considered defence of the castle.

One idea runs through it: *danger*. A placement on an area fills the first free circle of its track; when none is free the castle falls. So an area's danger is the chance that a
counter lands there, times `patience` to the power of the free circles left on its track. Shooting a counter frees a circle, a Suppression token saves one: both are worth the danger of
all tracks that pass there. Every action is worth something on that scale, and the best five are done.
"""

import numpy as np

from policies.protocol import Policy
from simcore.itter.components import (
    ARGUMENTS,
    CIRCLES,
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
from simcore.itter.rules.attributes import inspire_bonus, may_load, may_use_weapon
from simcore.itter.rules.board import has, in_cellar, is_open, location_of, on_board
from simcore.itter.rules.defenders import is_deploying, may_escape
from simcore.itter.rules.tactics import suppression_defence
from simcore.jit import inline, jit

WEIGHTS = {
    # danger
    "patience": 0.45,  # how much one more free circle on a track calms
    "breach": 3.0,  # danger of a track that is full, against one with a single free circle
    # tokens
    "stock_turns": 6.0,  # turns ahead for which tokens are laid up
    "tokens_each": 2.3,  # tokens wanted for each counter expected
    "token_now": 0.55,  # a token against a shot of the same chance: it waits, but it waits where it is needed
    # shots
    "gun": 0.05,  # worth of silencing a Machine Gunner or Mortar
    "point": 0.02,  # worth of one point of score, growing towards the end
    # recovering
    "recover": 0.45,  # a Recover is worth this share of what the defender could do
    "steady": 0.06,  # removing a Disrupt token: another would kill
    "command": 1.0,  # a commander's three Recovers against three of their own
    # people
    "french_out": 0.10,  # bringing a French defender out of the Cellar, growing towards the end
    "french_turn": 9.0,  # from this turn on
    "onward": 0.08,  # Borotra on his way to a position from which he may escape
    "keep_with_officer": 0.02,  # Riflemen like an Officer beside them
    # spending: the chance of letting a counter through that is accepted, by free circles on its track
    "miss_0": 0.01,
    "miss_1": 0.06,
    "miss_2": 0.20,
    "miss_3": 0.35,
    "miss_4": 0.50,

}
NAMES = list(WEIGHTS)
PATIENCE, BREACH = NAMES.index("patience"), NAMES.index("breach")
STOCK_TURNS, TOKENS_EACH, TOKEN_NOW = NAMES.index("stock_turns"), NAMES.index("tokens_each"), NAMES.index("token_now")
GUN, POINT = NAMES.index("gun"), NAMES.index("point")
RECOVER, STEADY, COMMAND = NAMES.index("recover"), NAMES.index("steady"), NAMES.index("command")
FRENCH_OUT, FRENCH_TURN, ONWARD = NAMES.index("french_out"), NAMES.index("french_turn"), NAMES.index("onward")
OFFICER = NAMES.index("keep_with_officer")
MISS = NAMES.index("miss_0")

LANDINGS = 36.0  # ways two dice fall
ADVANCING_SHARE = 0.8  # counters that advance, a card: 47 in a deck of 60

def choose(state, tables, legal, n_legal, weights):
    """The best five actions a turn, and as many tokens a counter as its track is in danger."""
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

@inline
def landing(area):
    """Chance that two dice name this area."""
    return (6 - abs(7 - area)) / LANDINGS

@jit
def free_circles(state, tables, area):
    """Free circles on the track from an area to the castle: so many more placements it can take."""
    free = 0
    circle = area
    while circle != 0:
        if state.counter[circle] == NONE:
            free += 1
        circle = tables.next[circle]
    return free

@jit
def danger_map(state, tables, weights):
    """float64[circle]: worth of freeing that circle, the summed danger of the tracks that pass it."""
    worth = np.zeros(CIRCLES)
    for i in range(len(tables.areas)):
        area = tables.areas[i]
        free = free_circles(state, tables, area)
        danger = landing(area) * weights[PATIENCE] ** free * (weights[BREACH] if free == 0 else 1.0)
        circle = area
        while circle != 0:
            worth[circle] += danger
            circle = tables.next[circle]
    return worth

@jit
def entry_worth(state, tables, worth, area):
    """Worth of keeping a counter off an area: that of the circle it would fill; of the whole track when it would break in."""
    circle = area
    last = area
    while circle != 0:
        if state.counter[circle] == NONE:
            return worth[circle]
        last = circle
        circle = tables.next[circle]
    return worth[last]

@jit
def token_worth(state, tables, weights, worth, colour):
    """Worth of one more token on a colour's square: less the fuller the stock, nothing when it is full."""
    share, value = 0.0, 0.0
    for i in range(len(tables.areas)):
        area = tables.areas[i]
        if tables.circle_colour[area] == colour:
            share += landing(area)
            value += landing(area) * entry_worth(state, tables, worth, area)
    cards = min(weights[STOCK_TURNS] * tables.ss_cards, state.deck_size - state.deck_next)
    wanted = cards * ADVANCING_SHARE * share * weights[TOKENS_EACH]
    if wanted <= state.tokens[colour]:
        return 0.0
    return weights[TOKEN_NOW] * value / share * (1.0 - state.tokens[colour] / wanted)

# ---------------------------------------------------------------- what a fit defender can do

@inline
def hit_chance(tables, dice, defence):
    """At least one of n dice shows the Defence Value."""
    return 1.0 - ((defence - 1) / tables.die_sides) ** dice

@inline
def lateness(state, tables):
    """0 at the start, 1 when the deck runs out."""
    return state.deck_next / max(1, state.deck_size)

@jit
def best_shot(state, tables, weights, worth, p, dice):
    """(worth, target) of the best Attack from a position."""
    best, target = 0.0, NONE
    if dice < 1:
        return best, target
    point = weights[POINT] * (0.3 + lateness(state, tables))
    for i in range(tables.n_seen[p]):
        circle = tables.seen[p, i]
        kind = state.counter[circle]
        if kind != NONE:
            value = hit_chance(tables, dice, tables.defence[kind]) * (worth[circle] + point)
            if value > best:
                best, target = value, circle
        if tables.is_area[circle]:
            for gun in range(2):
                kind = tables.gun_kinds[gun]
                if state.guns[kind, circle] > 0:
                    value = hit_chance(tables, dice, tables.defence[kind]) * (weights[GUN] + point)
                    if value > best:
                        best, target = value, circle + GUN_TARGET * (gun + 1)
    return best, target

@jit
def best_square(state, tables, weights, worth, p, tokens):
    """(worth, index of the square) of the best Suppress from a position."""
    best, square = 0.0, 0
    for i in range(tables.n_squares[p]):
        value = tokens * token_worth(state, tables, weights, worth, tables.squares[p, i])
        if value > best:
            best, square = value, i
    return best, square

@jit
def best_act(state, tables, weights, worth, d, p):
    """(worth, action) of the best thing defender d can do from position p, where it stands or may be placed."""
    weapon = may_use_weapon(state, tables, d, p)
    bonus = inspire_bonus(state, tables, d) if state.place[d] == p else 0
    dice = (tables.weapon_attack[p] if weapon else tables.attack[d]) + bonus
    tokens = (tables.weapon_suppress[p] if weapon else tables.suppress[d]) + bonus
    shot, target = best_shot(state, tables, weights, worth, p, dice)
    laid, square = best_square(state, tables, weights, worth, p, tokens)
    if tables.loads[p] and may_load(state, tables, d, p):
        gunner = tables.weapon_suppress[tables.cannon] * token_worth(state, tables, weights, worth, tables.squares[tables.cannon, 0])
        if 0.5 * gunner > max(shot, laid):
            return 0.5 * gunner, Act.LOAD * ARGUMENTS
    if shot > laid:
        return shot, (Act.ATTACK_WEAPON if weapon else Act.ATTACK) * ARGUMENTS + target
    first = tokens if tables.n_squares[p] == 1 or (tables.n_squares[p] == 2 and square == 0) else 0
    return laid, (Act.SUPPRESS_WEAPON if weapon else Act.SUPPRESS) * ARGUMENTS + first

# ---------------------------------------------------------------- who acts

@jit
def order(state, tables, weights):
    """ORDERS: the defender whose action is worth most now, or PASS."""
    d = next_to_place(state, tables)
    if d != NONE:
        return Act.ACTIVATE * ARGUMENTS + d
    if is_deploying(state, tables):
        return Act.PASS * ARGUMENTS
    worth = danger_map(state, tables, weights)
    best, chosen = 0.0, NONE
    for d in range(tables.n_defenders):
        if not on_board(state, d) or state.status[d] & SPENT:
            continue
        value = worth_of(state, tables, weights, worth, d)
        if value > best:
            best, chosen = value, d
    return Act.ACTIVATE * ARGUMENTS + chosen if chosen != NONE else Act.PASS * ARGUMENTS

@jit
def worth_of(state, tables, weights, worth, d):
    """What activating d is worth."""
    if state.status[d] & UNFIT:
        return recover_worth(state, tables, weights, worth, d)
    if has(tables, d, Attribute.FRENCH):
        return french_worth(state, tables, weights, d)
    if in_cellar(state, tables, d):
        return 0.0
    value, _ = best_act(state, tables, weights, worth, d, state.place[d])
    return max(value, command_worth(state, tables, weights, worth, d))

@jit
def recover_worth(state, tables, weights, worth, d):
    """A share of what d could do then; a Disrupt token off is worth something by itself."""
    if has(tables, d, Attribute.FRENCH):
        return 0.5 * weights[FRENCH_OUT] * lateness(state, tables)
    value, _ = best_act(state, tables, weights, worth, d, state.place[d])
    value *= weights[RECOVER]
    if state.status[d] & Status.DISRUPTED:
        value = (0.5 * value if state.status[d] & Status.EXHAUSTED else value) + weights[STEADY]
    return value

@jit
def command_worth(state, tables, weights, worth, commander):
    """Up to three Recovers in the location for one action."""
    if not has(tables, commander, Attribute.COMMAND):
        return 0.0
    here = location_of(state, tables, commander)
    total, given = 0.0, 0
    for p in range(tables.first_position[here], tables.end_position[here]):
        d = state.occupant[p]
        if d == NONE or has(tables, d, Attribute.COMMAND) or state.status[d] & Status.ACTED or given >= tables.recovers:
            continue
        if state.status[d] & (Status.EXHAUSTED | Status.DISRUPTED):
            total += recover_worth(state, tables, weights, worth, d)
            given += 1
            if state.status[d] & Status.EXHAUSTED and state.status[d] & Status.DISRUPTED and given < tables.recovers:
                given += 1
    return weights[COMMAND] * total if given > 1 else 0.0

@jit
def french_worth(state, tables, weights, d):
    """Out of the Cellar late, for points; Borotra onward, and away when the coast is clear."""
    if has(tables, d, Attribute.ESCAPE) and may_escape(state, tables, d):
        return 10.0
    if state.turn < weights[FRENCH_TURN]:
        return 0.0
    if in_cellar(state, tables, d):
        return weights[FRENCH_OUT] * lateness(state, tables) if way_out(state, tables, d) != NONE else 0.0
    if has(tables, d, Attribute.ESCAPE) and not tables.escape_from[location_of(state, tables, d)] and way_onward(state, tables, d) != NONE:
        return weights[ONWARD]
    return 0.0

@jit
def way_out(state, tables, d):
    """The free position a defender in the Cellar can move to, white and yellow ones first: they serve nobody better."""
    best = NONE
    for p in range(tables.n_positions):
        if tables.move_out[location_of(state, tables, d), tables.location[p]] and is_open(state, tables, d, p):
            if best == NONE or tables.n_squares[p] < tables.n_squares[best]:
                best = p
    return best

@jit
def way_onward(state, tables, d):
    """A free ordinary position of one colour in an escape location; the colour with fewest counters."""
    best, fewest = NONE, 99
    for p in range(tables.n_positions):
        if not tables.escape_from[tables.location[p]] or tables.crew[p] or tables.colours[p, 1] != NONE or not is_open(state, tables, d, p):
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
    if state.status[d] & UNFIT:
        return Act.RECOVER * ARGUMENTS + (DISRUPTION if state.status[d] & Status.DISRUPTED else EXHAUSTION)
    if has(tables, d, Attribute.FRENCH):
        return french_act(state, tables, d)
    if in_cellar(state, tables, d):
        return Act.BLANK * ARGUMENTS
    worth = danger_map(state, tables, weights)
    value, action = best_act(state, tables, weights, worth, d, state.place[d])
    if not state.just_placed and command_worth(state, tables, weights, worth, d) > value:
        return Act.COMMAND * ARGUMENTS
    return action

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
        value = max(tables.suppress[d], tables.weapon_suppress[p] if may_use_weapon(state, tables, d, p) else 0) + (4.0 if what == DISRUPTION else 0.0)
        if value > best:
            best, chosen = value, legal[i]
    return chosen

# ---------------------------------------------------------------- deployment

@jit
def next_to_place(state, tables):
    """Tank crew first, then the best at Suppressing; NONE when nobody waits or nothing is open."""
    best, chosen = -1, NONE
    for d in range(tables.n_defenders):
        if state.place[d] == Place.RESERVE:
            value = tables.suppress[d] + 10 * has(tables, d, Attribute.TANK_CREW) + 4 * has(tables, d, Attribute.OFFICER)
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
    """PLACE: the guns for the tank crew; else where the defender's tokens or shots are worth most, the hall of passage last."""
    d = state.actor
    crew = has(tables, d, Attribute.TANK_CREW)
    worth = danger_map(state, tables, weights)
    best, chosen = -1.0, first_open(state, tables, d)
    for p in range(tables.n_positions):
        if not is_open(state, tables, d, p) or tables.is_cellar[tables.location[p]]:
            continue
        if tables.crew[p] and not crew:
            continue
        if not tables.crew[p] and not tables.escape_from[tables.location[p]]:
            value = 0.0
        else:
            value, _ = best_act(state, tables, weights, worth, d, p)
            if tables.crew[p]:
                value += 10.0 + 0.1 * tables.weapon_suppress[p]
        if value > best:
            best, chosen = value, p
    return chosen

# ---------------------------------------------------------------- tokens

@jit
def tokens_to_spend(state, tables, weights, most):
    """SPEND: enough dice that the chance of letting the counter through is small where the track is short, larger where it is long."""
    free = free_circles(state, tables, state.area) if tables.advances[state.kind] else 2
    accepted = weights[MISS + min(free, 4)]
    miss = (suppression_defence(state, tables, state.kind) - 1) / tables.die_sides
    chance, k = 1.0, 0
    while k < most and chance > accepted:
        chance *= miss
        k += 1
    return k

GARRISON = Policy("garrison", choose, "weighs shots, tokens and Recovers by the danger of the tracks they relieve", weights=WEIGHTS)
