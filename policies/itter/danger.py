"""The danger of the tracks, and what follows from it: what a freed circle, a token or a shot is worth.

A placement on an area fills the first free circle of its track; when none is free the castle falls. So an
area's danger is the chance that a counter lands there, times `patience` to the power of the free circles left
on its track. Shooting a counter frees a circle, a Suppression token saves one: both are worth the danger of
all tracks that pass there.
"""

import numpy as np

from bartizan.policies.itter.weights import BREACH, GUN, PATIENCE, POINT, STOCK_TURNS, TOKEN_NOW, TOKENS_EACH
from bartizan.simcore.compile.jit import inline, jit
from bartizan.simcore.itter.components import CIRCLES, COLOURS, LOCATIONS, NONE, Attribute, Status
from bartizan.simcore.itter.rules.board import has, location_of, on_board

ADVANCING_SHARE = 0.8  # counters that advance, a card: 47 in a deck of 60
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


@jit
def free_circles(state, tables, area):
    """Free circles on the track from an area to the castle: so many more placements it can take."""
    free = 0
    circle = area
    while circle != 0:
        free += state.counter[circle] == NONE
        circle = tables.next[circle]
    return free
