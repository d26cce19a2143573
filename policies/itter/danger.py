"""The danger of the tracks, and what follows from it: what a freed circle, a token or a shot is worth.

A placement on an area fills the first free circle of its track; when none is free the castle falls. So an
area's danger is the chance that a counter lands there, times `patience` to the power of the free circles left
on its track. Shooting a counter frees a circle, a Suppression token saves one: both are worth the danger of
all tracks that pass there.
"""

import numpy as np

from bartizan.policies.itter.weights import (
    ALERT,
    BREACH,
    COAST,
    FEW,
    GUN,
    PATIENCE,
    POINT,
    STOCK_TURNS,
    TOKEN_NOW,
    TOKENS_EACH,
)
from bartizan.simcore.compile.jit import inline, jit
from bartizan.simcore.itter.components import CIRCLES, COLOURS, LOCATIONS, NONE, Attribute, Status
from bartizan.simcore.itter.rules.board import has, location_of, on_board
from bartizan.simcore.itter.rules.moves import may_shift_to

ADVANCING_SHARE = 0.8  # counters that advance, a card, where nobody knows the cards: 47 in a deck of 60
DECKS = 5  # numbered 1 to 4
TACTICS_DECKS = 4
DICE = 6  # more dice than five are judged as five

# The judgement of one moment. A record, not arrays: compiled code counts references to arrays at every call,
# and that took longer than the thinking. A record does not keep the array it lies in: whoever makes the array
# calls another function that works on it, and so holds it until that is done.
VIEW = np.dtype(
    [
        ("worth", "f8", (CIRCLES,)),  # of freeing a circle: the summed danger of the tracks that pass it
        ("entry", "f8", (CIRCLES,)),  # of keeping a counter off an area: that of the circle it would fill
        ("token", "f8", (COLOURS,)),  # of one more token on a colour's square
        ("shot", "f8", (COLOURS, DICE)),  # of the best Attack on a colour with so many dice
        ("bonus", "i4", (LOCATIONS,)),  # fit inspirers in a location
        ("landing", "f8", (CIRCLES,)),  # chance that the next counter is for this area
        ("coast", "f8", (COLOURS,)),  # of a counter gone that keeps the runner from escaping
        ("free", "i4", (CIRCLES,)),  # free circles from a circle to the castle, its own included
        ("cards", "i4", (DECKS,)),  # not yet turned up, by numbered deck
        ("counters", "i4", (DECKS,)),  # that advance, on those cards
    ],
    align=True,
)


@jit
def judge(state, tables, weights, view):
    """Work out what everything is worth now. Modifies `view`."""
    count_cards(state, tables, view)
    look_at_tactics(state, tables, weights, view)
    look_at_tracks(state, tables, weights, view)
    look_at_tokens(state, tables, weights, view)
    look_at_coast(state, tables, weights, view)
    look_at_targets(state, tables, weights, view)
    look_at_inspirers(state, tables, view)


@jit
def count_cards(state, tables, view):
    """cards, counters: of each numbered deck what has not been turned up. Modifies `view`."""
    if not tables.competitive:  # there the SS player holds cards, and chooses among them
        for i in range(state.deck_next, state.deck_size):
            count_card(tables, view, state.deck[i])


@inline
def count_card(tables, view, card):
    if card < tables.n_cards:
        kind = tables.card_counter[card]
        view.cards[tables.deck_of[card]] += 1
        if kind != NONE and tables.advances[kind]:
            view.counters[tables.deck_of[card]] += tables.value[card]


@jit
def coming(tables, view, cards):
    """Counters that advance, expected on so many cards to come: what is left of each numbered deck is known,
    its order is not.
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


# ---------------------------------------------------------------- where counters come


@jit
def look_at_tactics(state, tables, weights, view):
    """landing: the placement dice, and as far as `alert` says what Tactics make of them (6.1): the card that
    stays in force (6.1.3), and each of those that may be turned up next.
    """
    for i in range(len(tables.areas)):
        view.landing[tables.areas[i]] = tables.landing[tables.areas[i]]
    if weights[ALERT] <= 0.0 or tables.tactics_per_turn == 0 or tables.competitive:
        return
    k, first = next_tactics_deck(state, tables)
    stays = state.newer if tables.tactics_per_turn == 2 else NONE
    mix = advancing(tables)
    if k == TACTICS_DECKS or mix == 0:
        return
    unseen = tables.tactics_end[k + 1] - tables.tactics_end[k] - (state.stack_next - first)
    for i in range(tables.tactics_end[k], tables.tactics_end[k + 1]):
        card = tables.tactics_dealt[i]
        if not is_among(state.stack, first, state.stack_next, card):
            send(tables, view, card, stays, weights[ALERT] / (unseen * mix))


@jit
def next_tactics_deck(state, tables):
    """Which numbered deck (from 0) the next Tactics card is of, and where its cards begin in the stack;
    TACTICS_DECKS when there is none left.
    """
    first = 0
    for k in range(TACTICS_DECKS):
        cards = tables.tactics_end[k + 1] - tables.tactics_end[k] - tables.tactics_removed[k + 1]
        if state.stack_next < first + cards:
            return k, first
        first += cards
    return TACTICS_DECKS, first


@inline
def is_among(cards, first, end, card):
    for i in range(first, end):
        if cards[i] == card:
            return True
    return False


@jit
def send(tables, view, card, stays, chance):
    """The card is the next in force, beside the one that stays: a newer one goes before an older one.

    chance: of that, divided by the number of counters that advance. Modifies `view`.
    """
    for kind in range(tables.n_kinds):
        if not tables.advances[kind]:
            continue
        allowed = tables.only_areas[card, kind]
        if allowed == 0 and stays != NONE:
            allowed = tables.only_areas[stays, kind]
        if allowed != 0:
            turn_to(tables, view, allowed, chance * tables.count[kind])


@jit
def turn_to(tables, view, allowed, share):
    """A share of the counters comes to the allowed areas alone. Modifies `view`."""
    inside = 0.0
    for i in range(len(tables.areas)):
        if allowed >> tables.areas[i] & 1:
            inside += tables.landing[tables.areas[i]]
    for i in range(len(tables.areas)):
        area = tables.areas[i]
        there = tables.landing[area] / inside if allowed >> area & 1 else 0.0
        view.landing[area] += share * (there - tables.landing[area])


@inline
def advancing(tables):
    """Counters that advance, in the box."""
    n = 0
    for kind in range(tables.n_kinds):
        if tables.advances[kind]:
            n += tables.count[kind]
    return n


# ---------------------------------------------------------------- what that makes of the tracks


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
            view.worth[circle] += view.landing[circle] * calm(weights, view.free[circle])
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
    expected = coming(tables, view, cards) * weights[TOKENS_EACH]
    for i in range(len(tables.areas)):
        area = tables.areas[i]
        colour = tables.circle_colour[area]
        view.token[colour] += view.landing[area] * view.entry[area]
        view.shot[colour, 0] += view.landing[area]  # the colour's share, for now
    for colour in range(tables.n_colours):
        share = view.shot[colour, 0]
        view.shot[colour, 0] = 0.0
        wanted = expected * share
        if wanted <= state.tokens[colour] or share <= 0.0:
            view.token[colour] = 0.0
        else:
            view.token[colour] *= weights[TOKEN_NOW] / share * (1.0 - state.tokens[colour] / wanted)


@jit
def look_at_coast(state, tables, weights, view):
    """coast: the fewer counters keep the runner from escaping, the more each is worth (2.8b)."""
    d = runner(state, tables)
    if weights[COAST] <= 0.0 or state.regiment_in or d == NONE:
        return
    here = location_of(state, tables, d)
    if not tables.escape_from[here]:
        return
    p = clearest(state, tables, d, here)
    if p != NONE:
        colour = tables.colours[p, 0]
        n = counters_seen(state, tables, p)
        if n > 0:
            view.coast[colour] = weights[COAST] * weights[FEW] ** (n - 1)


@jit
def runner(state, tables):
    """Who may escape and stands on the board, or NONE."""
    for d in range(tables.n_defenders):
        if has(tables, d, Attribute.ESCAPE) and on_board(state, d):
            return d
    return NONE


@jit
def clearest(state, tables, d, here):
    """Of the positions of a location with one colour, the one that sees fewest counters: d's own, or one it
    may go to by a free move.
    """
    best, fewest = NONE, 99
    for p in range(tables.first_position[here], tables.end_position[here]):
        if tables.colours[p, 0] == NONE or tables.colours[p, 1] != NONE:
            continue
        n = counters_seen(state, tables, p)
        if n < fewest and (p == state.place[d] or may_shift_to(state, tables, d, p)):
            best, fewest = p, n
    return best


@jit
def counters_seen(state, tables, p):
    """SS counters of the colours of a position."""
    n = 0
    for i in range(tables.n_seen[p]):
        circle = tables.seen[p, i]
        n += state.counter[circle] != NONE
        n += state.guns[tables.gun_kinds[0], circle] + state.guns[tables.gun_kinds[1], circle]
    return n


@jit
def look_at_targets(state, tables, weights, view):
    """shot: the best target on each colour for one die, two dice, ..."""
    point = point_now(state, weights)
    for i in range(tables.n_circles):
        circle = tables.inward[i]
        colour = tables.circle_colour[circle]
        kind = state.counter[circle]
        if kind != NONE:
            look_at_target(tables, view, colour, kind, view.worth[circle] + point + view.coast[colour])
        if tables.is_area[circle]:
            for gun in range(2):
                kind = tables.gun_kinds[gun]
                if state.guns[kind, circle] > 0:
                    look_at_target(tables, view, colour, kind, weights[GUN] + point + view.coast[colour])


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


@jit
def free_circles(state, tables, area):
    """Free circles on the track from an area to the castle: so many more placements it can take."""
    free = 0
    circle = area
    while circle != 0:
        free += state.counter[circle] == NONE
        circle = tables.next[circle]
    return free
