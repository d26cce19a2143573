"""The state of a game of Castle Rampage, as one record.

Cards of a kind are interchangeable, so zones without an order contain the number of each kind.
"""

import numpy as np

from bartizan.simcore.compile.copies import SCRATCH
from bartizan.simcore.kit.tables import scalars
from bartizan.simcore.rampage.components import DECK, EVENTS, KINDS, PERMS, ROOM, SEATS, SHOWN, STRUCTURES
from bartizan.simcore.rampage.record import TALLIES, TALLY
from bartizan.simcore.rng import LUCK_FIELDS

STATE = np.dtype(
    [
        *LUCK_FIELDS,
        ("end_reason", "i4"),
        ("to_move", "i4"),
        ("stage", "i4"),  # Stage: the current decision
        ("turn", "i4"),  # number of turns begun
        ("on_turn", "i4"),
        ("loser", "i4"),  # seat, or NONE
        # hands
        ("hand", "u1", (SEATS, KINDS)),
        ("hand_size", "i4", (SEATS,)),
        ("held", "i8", (SEATS,)),  # bit mask over kinds: those in hand
        ("shows", "u1", (SEATS, SHOWN)),  # number of hand cards that show exactly these units
        ("dealt", "u1", (SEATS, KINDS)),  # set-up: cards still to be placed
        # structures: ring buffers, the top at `top`
        ("stack", "i1", (SEATS, STRUCTURES, ROOM)),
        ("top", "i4", (SEATS, STRUCTURES)),
        ("size", "i4", (SEATS, STRUCTURES)),
        ("known", "u1", (SEATS, STRUCTURES)),  # 1: both players know the top card
        # face up
        ("laid", "u1", (SEATS, KINDS)),  # permanents
        ("n_laid", "i4", (SEATS,)),
        ("perm", "i4", (SEATS, PERMS)),  # their sums: draw, attack, gate defence, strengthenings
        ("front", "u1", (SEATS, KINDS)),  # A16 in_front
        ("tired", "u1", (KINDS,)),  # A16b: in the hand (in_front: in front) of the player whose turn it is
        ("discards", "u1", (KINDS,)),
        ("resting", "u1", (KINDS,)),  # A24 left_out: discarded this turn
        ("aside", "u1", (KINDS,)),  # set-up: purple cards set aside
        # pile
        ("pile", "i1", (DECK,)),  # next first
        ("pile_size", "i4"),
        ("pile_next", "i4"),
        ("shuffles", "i4"),
        # the set-up
        ("batch", "i4"),
        ("placed", "i4"),  # cards of this batch placed by both seats
        # the current turn
        ("plays", "i4"),
        ("strengthened", "i4"),
        # kind drawn last at the start of the turn, or NONE: `bartizan cards` exchanges it
        ("drawn", "i4"),
        ("fresh", "u1"),  # 1: no action has been taken this turn
        # the current play (or placing)
        ("card", "i4"),  # kind, or NONE
        ("to_place", "i4"),  # the Structure where it is placed, NONE: it is played
        ("boosts", "i4"),
        ("need", "i8"),  # still to be paid: packed, see components.NEED
        ("entry", "i4"),  # of on_play
        ("left", "i4"),  # remaining repetitions of this entry
        ("effects_done", "u1"),
        ("attack_done", "u1"),
        ("strength", "i4"),
        ("attacked", "i4"),  # Structure, or NONE: not chosen yet
        ("outcome", "i4"),  # Outcome of the attack for the attacking card
        ("texts", "i4"),  # A12 after_attack: number of waiting texts
        ("waiting", "i1", (DECK,)),  # the cards with these texts
        ("after", "i4"),  # the next Step
        # tallies for the record
        *((name, TALLY) for name in TALLIES),
        *scalars(TALLY, "n_plays n_boosts n_strengthened n_texts n_drawn"),
        ("got", TALLY, (KINDS,)),  # number of each kind that entered a hand
        # log of the last apply, for traces: (Event, a, b, c)
        ("n_events", "i4"),
        ("events", "i2", (EVENTS, 4)),
        SCRATCH,
        ("word", "u8", (DECK,)),  # of a shuffle
    ],
    align=True,
)
