"""Inputs of a value function (`simcore.features.Features`) for Castle Itter.

They describe elapsed time, the current score, the nearness of the SS, and the defenders' resources.
"""

import numpy as np

from bartizan.simcore.compile.jit import jit
from bartizan.simcore.features import Features
from bartizan.simcore.itter import components as c
from bartizan.simcore.itter import scoring
from bartizan.simcore.itter.rules.board import has, location_of, on_board
from bartizan.simcore.itter.rules.siege import usable_tokens
from bartizan.simcore.itter.tables import AREAS
from bartizan.simcore.kit.tables import scalars

FULL = 4  # free circles: a track with at least this many is in no danger
NEAR = 2  # a track with fewer may be full after the next landing
FIELDS = np.dtype(
    [
        # the clock
        *scalars("f8", "time_gone cards_left actions_left turn_cards_left regiment_in regiment_cards"),
        *scalars("f8", "somebody_acts ss_plans ss_hand"),
        # the points
        *scalars("f8", "score counters french_outside french_in_cellar others reserve escaped"),
        *scalars("f8", "tank_destroyed tank_empty loaded"),
        # the defenders
        *scalars("f8", "fit disrupted exhausted spent officers inspirers dice suppression"),
        ("people_at", "f8", (c.LOCATIONS,)),
        ("disrupted_at", "f8", (c.LOCATIONS,)),
        ("defence_at", "f8", (c.LOCATIONS,)),
        # the danger
        ("landing", "f8", (FULL,)),  # by free circles
        ("leak", "f8", (NEAR,)),  # by free circles
        ("asked_for_tokens", "f8"),
        ("asked_for", "f8", (NEAR,)),  # by free circles
        ("tokens_may_fail", "f8"),
        ("guns", "f8"),
        ("tokens", "f8", (c.COLOURS,)),
        ("landing_of", "f8", (NEAR, c.COLOURS)),  # by free circles, and colour
        ("free_circles", "f8", (AREAS,)),
        ("cards", "f8", (c.CARD_KINDS,)),  # still to come
    ]
)
WORDS = {
    "turn_cards_left": "cards of the turn left",
    "regiment_in": "142nd shuffled in",
    "regiment_cards": "cards it may be",
    "ss_plans": "SS plans",
    "ss_hand": "SS hand",
    "french_outside": "French outside",
    "french_in_cellar": "French in the Cellar",
    "tank_empty": "tank destroyed empty",
    "people_at": "people of location {}",
    "disrupted_at": "disrupted of location {}",
    "defence_at": "defence of location {}",
    "landing": ("tracks full", "tracks with 1 free", "2 free", "3 free"),
    "leak": ("leak", "leak of 1 free"),
    "asked_for": ("for a full track", "for one with 1 free"),
    "tokens": "tokens of colour {}",
    "landing_of": tuple(
        f"{track} of colour {colour + 1}"
        for track in ("full tracks", "tracks with 1 free")
        for colour in range(c.COLOURS)
    ),
    "free_circles": "free circles of area {}",
    "cards": tuple(
        f"cards left: {c.CardKind(kind).name}" if kind in list(c.CardKind) else f"cards left of kind {kind}"
        for kind in range(c.CARD_KINDS)
    ),
}
MOST_DICE = 39


@jit
def write(state, tables, features):
    # the clock
    features.time_gone = state.deck_next / max(state.deck_size, 1)
    features.cards_left = state.deck_size - state.deck_next
    features.actions_left = tables.defender_actions - state.actions
    turns_cards = state.stage == c.Stage.SPEND or state.stage >= c.Stage.SACRIFICE
    features.turn_cards_left = tables.ss_cards - state.cards_turned if turns_cards else 0
    features.regiment_in = state.regiment_in
    below = state.deck_size - max(state.deck_next, state.regiment_from)
    features.regiment_cards = below if state.regiment_in else 0
    features.somebody_acts = state.stage == c.Stage.ACT or state.stage == c.Stage.COMMAND
    features.ss_plans = state.to_move
    features.ss_hand = state.ss_hand_size
    # the points
    features.score = scoring.final_score(state, tables)
    features.counters = scoring.counters_left(state, tables)
    features.french_outside = scoring.count_french(state, tables, False)
    features.french_in_cellar = scoring.count_french(state, tables, True)
    features.others = scoring.count_others(state, tables)
    features.reserve = scoring.count_at(state, tables, c.Place.RESERVE)
    features.escaped = scoring.count_at(state, tables, c.Place.ESCAPED) > 0
    features.tank_destroyed = state.tank_destroyed
    features.tank_empty = state.tank_empty
    features.loaded = state.loaded
    write_people(state, tables, features)
    write_danger(state, tables, features)
    # 4.3: tokens are needed to stop a counter
    features.asked_for_tokens = features.tokens_may_fail = 0.0
    features.asked_for[:] = 0.0
    if state.stage == c.Stage.SPEND:
        free = free_circles(state, tables, state.area)
        stopped = tables.hit[min(usable_tokens(state, tables), MOST_DICE), tables.defence[state.kind]]
        features.asked_for_tokens = 1.0
        features.asked_for[0], features.asked_for[1] = free == 0, free == 1
        features.tokens_may_fail = (free == 0) * (1.0 - stopped)
    # still to come, by kind of card: the draw pile, and the cards of the SS player
    features.cards[:] = 0.0
    for i in range(state.deck_next, state.deck_size):
        if state.deck[i] < tables.n_cards:
            features.cards[tables.card_kind[state.deck[i]]] += 1
    for card in range(tables.n_cards):
        features.cards[tables.card_kind[card]] += state.ss_hand[card]


@jit
def write_people(state, tables, features):
    features.fit = features.disrupted = features.exhausted = features.spent = 0.0
    features.officers = features.inspirers = features.dice = features.suppression = 0.0
    features.people_at[:] = 0.0
    features.disrupted_at[:] = 0.0
    features.defence_at[:] = 0.0
    for location in range(tables.n_locations):
        features.defence_at[location] = state.defence[location]
    for d in range(tables.n_defenders):
        if on_board(state, d):
            add_defender(state, tables, d, features)


@jit
def add_defender(state, tables, d, features):
    status, location = state.status[d], location_of(state, tables, d)
    is_disrupted = (status & c.Status.DISRUPTED) != 0
    features.fit += status == 0
    features.disrupted += is_disrupted
    features.exhausted += (status & c.Status.EXHAUSTED) != 0
    features.spent += (status & (c.Status.ACTED | c.Status.COMMANDED)) != 0
    features.officers += has(tables, d, c.Attribute.OFFICER)
    features.inspirers += has(tables, d, c.Attribute.INSPIRE)
    features.dice += tables.attack[d]
    features.suppression += tables.suppress[d]
    features.people_at[location] += 1
    features.disrupted_at[location] += is_disrupted


@jit
def write_danger(state, tables, features):
    """Write the features of tracks and tokens.

    A counter on a track without a free circle breaks through (4.3c), unless the tokens of its colour stop it.
    """
    features.guns = 0.0
    features.landing[:] = 0.0
    features.leak[:] = 0.0
    features.tokens[:] = 0.0
    features.landing_of[:] = 0.0
    for colour in range(tables.n_colours):
        features.tokens[colour] = state.tokens[colour]
    for i in range(len(tables.areas)):
        area = tables.areas[i]
        colour, landing = tables.circle_colour[area], tables.landing[area]
        free = free_circles(state, tables, area)
        features.free_circles[i] = free
        if free < FULL:
            features.landing[free] += landing
        if free < NEAR:
            features.leak[free] += landing * miss(state, tables, colour)
            features.landing_of[free, colour] += landing
        features.guns += state.guns[tables.gun_kinds[0], area] + state.guns[tables.gun_kinds[1], area]


@jit
def free_circles(state, tables, area):
    """Return the number of free circles from an area to the castle, including the area's own circle."""
    free, circle = 0, area
    while circle != 0:
        free += state.counter[circle] == c.NONE
        circle = tables.next[circle]
    return free


@jit
def miss(state, tables, colour):
    """Return the probability that all tokens of a colour together fail to stop the next counter.

    The counter may be of any kind left in the supply.
    """
    dice = min(state.tokens[colour], MOST_DICE)
    missed, left = 0.0, 0.001
    for kind in range(tables.n_kinds):
        if tables.advances[kind]:
            missed += state.supply[kind] * (1.0 - tables.hit[dice, tables.defence[kind]])
            left += state.supply[kind]
    return missed / left


def open_to(seat, scenario):
    """Return the names of the features that a player may know.

    They are all features except, in some games, the cards still to come.

    In the competitive game, these would reveal to the defender which cards the SS player has played face down
    (6.2b). With R-66 `drawn`, nobody knows which cards are in the deck twice.
    """
    unknown = scenario.model.rulings.get("extra_cards") == "drawn"
    planned = scenario.model.is_competitive() and seat != c.SS
    return FEATURES.known_to(seat, set(), {"cards"} if unknown or planned else set())


FEATURES = Features(FIELDS, write, open_to, WORDS)
