"""The danger estimates of `garrison`, and the resulting values of a freed circle, a token or a shot.

A placement on an area fills the first free circle of its track; if none is free, the castle falls. An
area's danger is therefore the probability that a counter lands there, times `patience` to the power of the
free circles left on its track, or times `breach` if none is free. Shooting a counter frees a circle, and a
Suppression token saves a circle. The value of a circle is the danger of all tracks that pass it.
"""

import numpy as np

from bartizan.policies.itter import factors
from bartizan.policies.itter.factors import ACTIONS, FREE, OPENING, PHASE, START
from bartizan.policies.protocol import indices
from bartizan.simcore.compile.bits import lowest, where_above, where_above_in
from bartizan.simcore.compile.jit import inline, jit_module
from bartizan.simcore.compile.renewed import renewed
from bartizan.simcore.itter.components import CIRCLES, COLOURS, LOCATIONS, NONE, Attribute, Status
from bartizan.simcore.itter.rules.board import counters_on, has, location_of, on_board
from bartizan.simcore.itter.rules.defenders import may_shift_to
from bartizan.simcore.itter.state import STATE

# ---------------------------------------------------------------- weights

# found by training (docs/garrison.md describes how)
WEIGHTS = {
    # danger
    "patience": 0.9491,  # effect of one more free circle on the danger of a track
    "alert": 0.3693,  # weight of the Tactics cards that may come
    "breach": 29.72,  # danger of a full track, relative to one with a single free circle
    # tokens
    "stock_turns": 12.59,  # turns ahead for which tokens are stored
    "tokens_each": 0.9258,  # tokens wanted per expected counter
    # value of a token relative to a shot of the same probability: it acts later, but where it is needed
    "token_now": 0.4807,
    # shots
    "weapon": 1.0,  # value of a printed weapon's shot or tokens, relative to a defender's own
    "gun": 0.08944,  # value of silencing a Machine Gunner or Mortar
    "point": 0.01038,  # value of one point of score, growing towards the end
    # recovering
    "recover": 0.7463,  # share of a defender's possible actions that a Recover is worth
    "steady": 0.02659,  # value of removing a Disrupt token, because another would kill
    "command": 0.2914,  # value of a commander's three Recovers relative to three separate ones
    # people
    "french_out": 0.1501,  # value of bringing a French defender out of the Cellar, growing towards the end
    "french_turn": 2.965,  # from this turn
    "onward": 0.2754,  # value of moving Borotra towards a position from which he may escape: 2.8
    "run_turn": 1.42,  # Borotra goes there from this turn
    "coast": 0.621,  # value of removing the last counter in his way
    "few": 0.7215,  # factor for each further counter
    # deployment: value of a post by its place
    "crew_first": 0.008142,  # priority of the tank crew
    "crowd": 0.1618,  # for each defender already in the location
    # the same by location: a factor of `crowd`
    "crowd_0": 1.0,
    "crowd_1": 1.0,
    "crowd_2": 1.0,
    "crowd_3": 1.0,
    "crowd_4": 1.0,
    "hall": 0.1344,  # in the hall that the French pass through
    # value in a location, in the order of the scenario: NT, ST, K, GH, G
    "post_0": 1.0,
    "post_1": 1.0,
    "post_2": 1.0,
    "post_3": 1.0,
    "post_4": 1.0,
    # spending: accepted probability of letting a counter through, by free circles on its track
    "miss_0": 0.009698,
    "miss_1": 0.4757,
    "miss_2": 0.8938,
    "miss_3": 0.8118,
    "miss_4": 0.9311,
    "spare": 1.0,  # factor of that probability for each token in stock
}
AT = indices(WEIGHTS)
POSTS = 5  # locations with a weight of their own


# ---------------------------------------------------------------- memory

COUNT = len(WEIGHTS)
DECKS = 5  # numbered 1 to 4
DICE = 6  # more dice than five are judged as five

# The inputs of an evaluation, as they were in the state.
SEEN = np.dtype(
    [
        (name, STATE[name])
        for name in (
            *("deck", "deck_next", "deck_size", "stack", "stack_next", "newer", "regiment_in"),
            *("counter", "guns", "tokens", "place", "status", "occupant", "tank_destroyed"),
        )
    ],
    align=True,
)
# The evaluation with its inputs: the policy's memory. Functions receive only this record, which contains the
# weights, because compiled code counts references to an array at every call, and that takes longer than the
# evaluation.
VIEW = np.dtype(
    [
        # value of freeing a circle: the summed danger of the tracks that pass it
        ("worth", "f8", (CIRCLES,)),
        # value of keeping a counter off an area: that of the circle it would fill
        ("entry", "f8", (CIRCLES,)),
        ("token", "f8", (COLOURS,)),  # value of one more token on a colour's square
        ("share", "f8", (COLOURS,)),  # share of the counters that come to a colour
        ("shot", "f8", (COLOURS, DICE)),  # value of the best Attack on a colour with this many dice
        ("bonus", "i4", (LOCATIONS,)),  # fit inspirers in a location
        ("landing", "f8", (CIRCLES,)),  # probability that the next counter is for this area
        ("turned", "f8", (CIRCLES,)),  # scratch of `turn`
        ("coast", "f8", (COLOURS,)),  # value of removing a counter that keeps the runner from escaping
        ("free", "i4", (CIRCLES,)),  # free circles from a circle to the castle, its own included
        ("cards", "i4", (DECKS,)),  # not yet turned up, by numbered deck
        ("counters", "i4", (DECKS,)),  # advancing counters on those cards
        ("weights", "f8", (COUNT,)),
        ("calm", "f8", (CIRCLES,)),  # danger of a track by its free circles, relative to one with none
        ("factors", "f8", (factors.COUNT,)),
        ("recovering", "f8"),  # factor of every Recover now
        ("storing", "f8"),  # factor of tokens now
        ("turn", "i4"),
        ("is_late", "i4"),  # 1: `shot` has the factors of the turns after the opening
        ("shortest", "i4"),  # free circles of the shortest track, at most FREE - 1
        ("seen", SEEN),
        ("is_filled", "i4"),  # 0: all of the above except the weights and factors is invalid
    ],
    align=True,
)


@inline
def believe(state, weights, table, view):
    """Copy the policy's weights and factors into `view`, and reset `view` if the weights have changed."""
    if renewed(view.weights, weights) or view.is_filled == 0:
        begin(table, view)
    view.turn = state.turn


def begin(table, view):
    """Write the factors and `calm`, and invalidate everything else in `view` except the weights."""
    view.is_filled = 0
    renewed(view.factors, table)
    danger = 1.0
    for free in range(CIRCLES):
        view.calm[free] = view.weights[AT.breach] if free == 0 else danger
        danger *= view.weights[AT.patience]


# ---------------------------------------------------------------- the danger of the tracks

ADVANCING_SHARE = 0.8  # advancing counters per card if the cards are unknown: 47 in a deck of 60
TACTICS_DECKS = 4


def judge(state, tables, view):
    """Compute all current values in `view`. A part is recomputed only if its inputs have changed."""
    seen, is_new = view.seen, view.is_filled == 0
    view.is_filled = 1
    tokens = renewed(seen.tokens, state.tokens)
    counters = renewed(seen.counter, state.counter)
    guns = renewed(seen.guns, state.guns)
    cards = look_at_cards(state, tables, view, is_new)
    tracks = look_at_tracks(state, tables, view, counters or is_new)
    if tracks or cards or tokens:
        look_at_tokens(state, tables, view)
    people = seen.tank_destroyed != state.tank_destroyed or seen.regiment_in != state.regiment_in
    seen.tank_destroyed, seen.regiment_in = state.tank_destroyed, state.regiment_in
    people = renewed(seen.place, state.place) or people
    people = renewed(seen.occupant, state.occupant) or people
    if renewed(seen.status, state.status) or people or is_new:
        look_at_inspirers(state, tables, view)
        counters = True
    if counters or guns or cards:
        tracks = look_at_coast(state, tables, view) or tracks
    is_late = state.turn > OPENING
    if tracks or guns or cards or is_late != view.is_late:
        look_at_targets(state, tables, view)
    view.is_late = is_late
    view.storing = factor(view, START.tokens_near + view.shortest)
    view.recovering = (
        factor(view, START.recover_nth + min(state.actions, ACTIONS - 1))
        * factor(view, START.recover_in + PHASE[min(state.turn, len(PHASE) - 1)])
        * factor(view, START.recover_near + view.shortest)
    )


@inline
def factor(view, i):
    """Return factor i of the table; 1 in the opening."""
    return view.factors[i] if view.turn > OPENING else 1.0


@inline
def target_factor(view, kind, free):
    return factor(view, START.target + FREE * kind + min(free, FREE - 1))


@inline
def look_at_cards(state, tables, view, is_new):
    """Update `cards` and `counters`: the unrevealed cards of each numbered deck. Return whether they changed.

    If the deck is the same as at the last call, only the cards turned up since then are subtracted.
    """
    seen, known_from = view.seen, view.seen.deck_next
    is_new = renewed(seen.deck, state.deck) or is_new or seen.deck_size != state.deck_size
    seen.deck_next, seen.deck_size = state.deck_next, state.deck_size
    if not is_new and known_from <= state.deck_next:
        count_cards(state, tables, view, known_from, state.deck_next, -1)
        return known_from != state.deck_next
    for k in range(DECKS):
        view.cards[k] = view.counters[k] = 0
    count_cards(state, tables, view, state.deck_next, state.deck_size, 1)
    return True


def count_cards(state, tables, view, first, end, sign):
    """Add cards `first` to `end` - 1 of the deck to the counts of cards still to come.

    sign: 1 to add them, -1 to subtract them.
    """
    if not tables.competitive:  # in that game, the SS player holds cards and chooses among them
        for i in range(first, end):
            card = state.deck[i]
            if card < tables.n_cards:
                kind = tables.card_counter[card]
                view.cards[tables.deck_of[card]] += sign
                if kind != NONE and tables.advances[kind]:
                    view.counters[tables.deck_of[card]] += sign * tables.value[card]


@inline
def coming(tables, view, cards):
    """Return the expected number of advancing counters on the next `cards` cards.

    The remaining cards of each numbered deck are known, but not their order. If the cards are unknown, the
    number is ADVANCING_SHARE per card.
    """
    if tables.competitive or tables.drawn_cards > 0:
        return ADVANCING_SHARE * cards
    counters = 0.0
    for k in range(1, DECKS):
        if view.cards[k] > 0:
            drawn = min(cards, view.cards[k])
            counters += view.counters[k] * drawn / view.cards[k]
            cards -= drawn
    return counters


# ---------------------------------------------------------------- areas of new counters


def look_at_tactics(state, tables, view):
    """Update `landing`: the probabilities of the placement dice.

    Tactics cards (6.1) change them with the weight `alert`.

    The card that stays in force (6.1.3) and each card that may be turned up next are included.
    """
    for i in range(len(tables.areas)):
        view.landing[tables.areas[i]] = tables.landing[tables.areas[i]]
    if view.weights[AT.alert] <= 0.0 or tables.tactics_per_turn == 0 or tables.competitive:
        return
    k, first = next_tactics_deck(state, tables)
    stays = state.newer if tables.tactics_per_turn == 2 else NONE
    mix = 0  # advancing counters in the box
    for kind in range(tables.n_kinds):
        if tables.advances[kind]:
            mix += tables.count[kind]
    if k == TACTICS_DECKS or mix == 0:
        return
    unseen = tables.tactics_end[k + 1] - tables.tactics_end[k] - (state.stack_next - first)
    chance, seen, turned = view.weights[AT.alert] / (unseen * mix), 0, 0
    for i in range(first, state.stack_next):
        seen |= 1 << state.stack[i]
    for i in range(tables.tactics_end[k], tables.tactics_end[k + 1]):
        if not seen >> tables.tactics_dealt[i] & 1:
            turned = send(tables, view, tables.tactics_dealt[i], stays, chance, turned)


def next_tactics_deck(state, tables):
    """Return the numbered deck (from 0) of the next Tactics card, and the start of its cards in the stack.

    The deck is TACTICS_DECKS if no card is left.
    """
    first = 0
    for k in range(TACTICS_DECKS):
        cards = tables.tactics_end[k + 1] - tables.tactics_end[k] - tables.tactics_removed[k + 1]
        if state.stack_next < first + cards:
            return k, first
        first += cards
    return TACTICS_DECKS, first


def send(tables, view, card, stays, chance, turned):
    """Account for a Tactics card that may come into force.

    The card that stays in force is included; the newer card takes precedence.

    chance: probability of the card, times the weight `alert`, divided by the number of advancing counters.
    turned: areas (bit mask) for which `view.turned` was computed, 0 for none. Modifies `view`; returns the
    new `turned`.
    """
    for kind in range(tables.n_kinds):
        if not tables.advances[kind]:
            continue
        allowed = tables.only_areas[card, kind]
        if allowed == 0 and stays != NONE:
            allowed = tables.only_areas[stays, kind]
        if allowed != turned and allowed != 0:
            turn(tables, view, allowed)
            turned = allowed
        if allowed != 0:
            for i in range(len(tables.areas)):
                view.landing[tables.areas[i]] += chance * tables.count[kind] * view.turned[tables.areas[i]]
    return turned


def turn(tables, view, allowed):
    """Compute `turned`: the change in each area's probability of getting the next counter.

    The change is that of opening only the `allowed` areas.
    """
    inside = 0.0
    for i in range(len(tables.areas)):
        if allowed >> tables.areas[i] & 1:
            inside += tables.landing[tables.areas[i]]
    for i in range(len(tables.areas)):
        area = tables.areas[i]
        chance = tables.landing[area] / inside if allowed >> area & 1 else 0.0
        view.turned[area] = chance - tables.landing[area]


# ---------------------------------------------------------------- effect on the tracks


@inline
def look_at_tracks(state, tables, view, is_new):
    """Update `landing` and, if it or the counters (`is_new`) have changed, `free`, `worth` and `entry`.

    Return whether `free`, `worth` and `entry` were updated.
    """
    seen = view.seen
    moved = seen.stack_next != state.stack_next or seen.newer != state.newer
    seen.stack_next, seen.newer = state.stack_next, state.newer
    if renewed(seen.stack, state.stack) or moved or is_new:
        look_at_tactics(state, tables, view)
        is_new = True
    if is_new:
        follow_tracks(state, tables, view)
    return is_new


@inline
def follow_tracks(state, tables, view):
    """Update `free`, `worth` and `entry`.

    Free circles are summed from the castle outwards, and dangers inwards; `entry` is the value of the first
    free circle of each area.
    """
    for circle in range(CIRCLES):
        view.worth[circle] = 0.0
    for i in range(tables.n_circles - 1, -1, -1):
        circle = tables.inward[i]
        view.free[circle] = view.free[tables.next[circle]] + (state.counter[circle] == NONE)
    for i in range(tables.n_circles):
        circle = tables.inward[i]
        if tables.is_area[circle]:
            view.worth[circle] += view.landing[circle] * view.calm[view.free[circle]]
        view.worth[tables.next[circle]] += view.worth[circle]
    for i in range(len(tables.areas)):
        area = tables.areas[i]
        circle = area
        while state.counter[circle] != NONE and tables.next[circle] != 0:
            circle = tables.next[circle]
        view.entry[area] = view.worth[circle]


@inline
def look_at_tokens(state, tables, view):
    """Update `token`, `share` and `shortest`.

    A token of a colour, which saves circles, has a lower value if more tokens are in stock, and none if the
    stock is as large as wanted.
    """
    cards = min(view.weights[AT.stock_turns] * tables.ss_cards, state.deck_size - state.deck_next)
    expected = coming(tables, view, cards) * view.weights[AT.tokens_each]
    view.shortest = FREE - 1
    for colour in range(COLOURS):
        view.token[colour] = view.share[colour] = 0.0
    for i in range(len(tables.areas)):
        area = tables.areas[i]
        colour = tables.circle_colour[area]
        view.token[colour] += view.landing[area] * view.entry[area]
        view.share[colour] += view.landing[area]
        view.shortest = min(view.shortest, view.free[area])
    for colour in range(tables.n_colours):
        share = view.share[colour]
        wanted = expected * share
        if wanted <= state.tokens[colour] or share <= 0.0:
            view.token[colour] = 0.0
        else:
            view.token[colour] *= view.weights[AT.token_now] / share * (1.0 - state.tokens[colour] / wanted)


@inline
def look_at_coast(state, tables, view):
    """Update `coast`: the value of each counter that keeps the runner from escaping.

    The value increases as the number of these counters falls (2.8b). Returns whether `coast` has changed.
    """
    in_the_way, n = counters_in_the_way(state, tables, view)
    is_new = False
    for colour in range(COLOURS):
        worth = (
            view.weights[AT.coast] * view.weights[AT.few] ** (n - 1)
            if n > 0 and colour == in_the_way
            else 0.0
        )
        is_new = is_new or view.coast[colour] != worth
        view.coast[colour] = worth
    return is_new


@inline
def counters_in_the_way(state, tables, view):
    """Return the colour and the number of the counters that keep a runner from escaping.

    The number is 0 if there are none, or if he is not at an escape location.
    """
    if view.weights[AT.coast] <= 0.0 or state.regiment_in:
        return 0, 0
    d = 0  # a defender who may escape and is on the board
    while d < tables.n_defenders and not (has(tables, d, Attribute.ESCAPE) and on_board(state, d)):
        d += 1
    if d == tables.n_defenders:
        return 0, 0
    here = location_of(state, tables, d)
    if not tables.escape_from[here]:
        return 0, 0
    p = clearest(state, tables, d, here)
    return (tables.colours[p, 0], counters_seen(state, tables, p)) if p != NONE else (0, 0)


def clearest(state, tables, d, here):
    """Return the position of location `here` with the fewest SS counters in sight; NONE if there is none.

    It has exactly one colour, and is either defender d's position or one that d may shift to
    (`may_shift_to`).
    """
    best, fewest = NONE, 99
    for p in range(tables.first_position[here], tables.end_position[here]):
        if tables.colours[p, 0] == NONE or tables.colours[p, 1] != NONE:
            continue
        n = counters_seen(state, tables, p)
        if n < fewest and (p == state.place[d] or may_shift_to(state, tables, d, p)):
            best, fewest = p, n
    return best


def counters_seen(state, tables, p):
    """Return the number of SS counters of the colours of a position."""
    n = 0
    for i in range(2):
        if tables.colours[p, i] != NONE:
            n += counters_on(state, tables, tables.colours[p, i], True)
    return n


@inline
def look_at_targets(state, tables, view):
    """Update `shot`: the value of the best target on each colour, for each number of dice."""
    point = point_now(state, view)
    for colour in range(COLOURS):
        for dice in range(DICE):
            view.shot[colour, dice] = 0.0
    counters = where_above(state.counter, NONE) & tables.circles
    while counters:
        circle = lowest(counters)
        counters &= counters - 1
        colour = tables.circle_colour[circle]
        kind = state.counter[circle]
        worth = view.worth[circle] + point + view.coast[colour]
        worth *= target_factor(view, kind, view.free[circle])
        look_at_target(tables, view, colour, kind, worth)
    for gun in range(2):
        kind = tables.gun_kinds[gun]
        guns = where_above_in(state.guns, kind, 0) & tables.circles
        while guns:
            colour = tables.circle_colour[lowest(guns)]
            guns &= guns - 1
            worth = view.weights[AT.gun] + point + view.coast[colour]
            look_at_target(tables, view, colour, kind, worth * target_factor(view, kind, 0))


@inline
def look_at_target(tables, view, colour, kind, worth):
    defence = tables.defence[kind]
    for dice in range(1, DICE):
        view.shot[colour, dice] = max(view.shot[colour, dice], worth * tables.hit[dice, defence])


@inline
def point_now(state, view):
    """Return the value of one point of score, which the removal of a counter gains.

    It increases towards the end.
    """
    return view.weights[AT.point] * (0.3 + lateness(state))


@inline
def look_at_inspirers(state, tables, view):
    """Update `bonus`: the number of [I] defenders in each location who can inspire (3.1).

    They are neither exhausted nor disrupted. This is an estimate, because only the rules apply R-14.
    """
    for location in range(LOCATIONS):
        view.bonus[location] = 0
    for d in range(tables.n_defenders):
        if (
            has(tables, d, Attribute.INSPIRE)
            and on_board(state, d)
            and not state.status[d] & (Status.EXHAUSTED | Status.DISRUPTED)
        ):
            view.bonus[location_of(state, tables, d)] += 1


@inline
def lateness(state):
    """Return the elapsed share of the game: 0 at the start, 1 when the deck runs out."""
    return state.deck_next / state.deck_size


jit_module(__name__)
