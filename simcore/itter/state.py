"""The state of a game of Castle Itter, as one record."""

import numpy as np

from bartizan.simcore.compile.copies import SCRATCH
from bartizan.simcore.itter import components as c
from bartizan.simcore.itter.record import COUNTERS, TALLIES, TALLY
from bartizan.simcore.kit.columns import narrowest
from bartizan.simcore.rng import LUCK_FIELDS

# SS counters: with R-46 unlimited, more can be placed than exist
PLACED, TOKENS = narrowest(-COUNTERS, COUNTERS), narrowest(-c.MAX_LEGAL, c.MAX_LEGAL)

STATE = np.dtype(
    [
        *LUCK_FIELDS,
        ("end_reason", "i4"),
        ("to_move", "i4"),  # seat: 0 the defender
        ("stage", "i4"),  # Stage: the current decision, NONE while events are processed
        ("turn", "i4"),
        # defenders
        ("place", "i1", (c.DEFENDERS,)),  # position, or Place
        ("status", "u1", (c.DEFENDERS,)),  # Status bits
        ("starters_waiting", "i4"),  # starters still in the reserve (2.1b)
        ("start_place", "i1", (c.DEFENDERS,)),  # place at the start of the turn (2.8, R-25)
        ("occupant", "i1", (c.POSITIONS,)),  # defender on a position, or NONE
        ("defence", "i1", (c.LOCATIONS,)),  # current Defence Value
        ("tank_destroyed", "u1"),
        ("tank_empty", "u1"),  # 1: destroyed with nobody inside
        ("tank_marked", "u1"),  # 1: R-37 disrupt_first: hit once at its last value
        ("loaded", "u1"),  # 1: Load token on the cannon
        # SS counters
        ("counter", "i1", (c.CIRCLES,)),  # kind of the advancing counter on a circle, or NONE
        ("guns", PLACED, (c.KINDS, c.CIRCLES)),  # number of Machine Gunners, Mortars in a placement area
        ("supply", PLACED, (c.KINDS,)),  # counters not on the board
        ("tokens", TOKENS, (c.COLOURS,)),  # Suppression tokens on the colour's square
        # decks
        ("deck", "i1", (c.SS_CARDS,)),  # SS deck, top first; the 142nd is card number n_cards
        ("deck_size", "i4"),
        ("deck_next", "i4"),
        ("regiment_in", "u1"),  # 1: the 142nd has been shuffled in
        ("regiment_from", "i4"),  # start of the last cards of the deck, into which it was shuffled
        ("top_deck", "i4"),  # deck number of the top discard, 0 before the first
        ("lowest_deck", "i4"),  # lowest deck number among the cards of this turn
        ("stack", "i1", (c.TACTICS,)),  # Tactics cards, top first
        ("stack_size", "i4"),
        ("stack_next", "i4"),
        ("newer", "i4"),  # Tactics cards in force, or NONE
        ("older", "i4"),
        # 6.2: the SS player's
        ("ss_hand", "u1", (c.SS_CARDS,)),  # number of each card
        ("ss_hand_size", "i4"),
        ("planned", "i1", (c.PLANNED,)),  # cards played for this turn, in order
        ("n_planned", "i4"),
        ("tactics_hand", "i8"),  # bit mask
        ("tactics_planned", "i4"),  # card, or NONE
        # Defender Phase: the current action
        ("actions", "i4"),  # actions used this turn
        ("doer", "i1", (c.DEFENDERS,)),  # the defenders who acted this turn, in order
        # and the kind of each action (Act): the history that a player remembers
        ("did", "i1", (c.DEFENDERS,)),
        ("actor", "i4"),  # the activated defender, or NONE
        ("just_placed", "u1"),
        ("shifted", "u1"),  # 1: has made its free move in this activation
        ("gives", "i4"),  # free Recovers given in this Command
        ("given_to", "i8"),  # bit mask of the recipients of this Command
        # SS Phase: the current card
        ("cards_turned", "i4"),  # cards turned up this turn
        ("card", "i4"),
        ("step", "i4"),  # the next Step
        ("item", "i4"),  # counters of the card already handled; face, area or position reached
        ("kind", "i4"),  # kind of the counter about to be placed
        ("area", "i4"),
        ("colour", "i4"),
        ("hits", "i8"),  # faces or positions hit, bit mask
        ("shots", PLACED, (2,)),  # Suppressive Fire: Machine Gunners, Mortars of this area that have fired
        # current deaths
        ("deaths_open", "u1"),
        ("victims", "i8"),  # bit mask
        ("death_location", "i4"),
        ("cause", "i4"),  # Cause
        ("offer", "i4"),  # next victim to whom a Sacrifice may apply
        ("sacrificed", "i4"),  # attribute bits of the [S] defender who died for this batch, 0 none
        # tallies for the record
        *((name, TALLY) for name in TALLIES if not name.startswith("tank")),
        # log of the last apply, for traces: (Event, a, b, c)
        ("n_events", "i4"),
        ("events", "i2", (c.EVENTS, 4)),
        SCRATCH,
        ("scratch", "i4", (c.SS_CARDS,)),  # of a shuffle
    ],
    align=True,
)
