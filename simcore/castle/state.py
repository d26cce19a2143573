"""The state of a game of Castle, as one record."""

import numpy as np

from bartizan.simcore.castle.components import CARDS, DECK, DICE, EVENTS, PAIR, ROYALS, SEATS, SQUARES, SUITS
from bartizan.simcore.castle.record import TALLIES, TALLY
from bartizan.simcore.kit.tables import scalars
from bartizan.simcore.rng import LUCK_FIELDS

STATE = np.dtype(
    [
        *LUCK_FIELDS,
        ("end_reason", "i4"),
        ("to_move", "i4"),  # seat = player
        ("stage", "i4"),  # Stage: the current decision
        ("turn", "i4"),  # number of turns begun
        ("on_turn", "i4"),
        # castles: arrays by square, and the same as bit masks over squares (bit s)
        ("castle", "i1", (SEATS, SQUARES)),  # card, or NONE
        ("occupied", "i8", (SEATS,)),
        ("up", "i8", (SEATS,)),  # revealed
        ("royal", "i1", (SEATS, ROYALS)),  # card of the player's Jack, Queen, King, or NONE
        ("alive", "u1", (SEATS,)),
        ("pool", "i8", (SEATS,)),  # reinforcements, bit mask over cards
        ("pool_hidden", "i8"),  # C18 anything: reinforcements turned face down
        ("jokers", "i8", (SEATS,)),  # bit mask over cards
        ("barricade", "i1", (SEATS, SQUARES)),  # owner of the castle and square: the card, or NONE
        ("barricade_side", "u1", (SEATS, SQUARES)),  # Side
        ("barricade_by", "i1", (SEATS, SQUARES)),  # the player who laid it
        ("once_up", "i8"),  # bit mask over cards: has been face up since it was placed (11.7)
        ("barred", "i8", (SEATS,)),  # bit mask of squares that barricades forbid, border squares included
        # bit mask of players who have seen the card since it was last in the deck
        ("seen_by", "u1", (CARDS,)),
        # piles
        ("deck", "i1", (DECK,)),  # next first
        ("deck_size", "i4"),
        ("deck_next", "i4"),
        ("discards", "i8"),  # bit mask over cards
        ("shuffles", "i4"),
        ("gone", "i8"),  # bit mask over cards: out of the game
        # the set-up
        ("to_place", "i4"),  # number of suits chosen (C1), then of cards placed, by all players together
        ("dealt", "i1", (SEATS, 10)),
        ("suits_left", "u1", (ROYALS, SUITS)),  # C1 choice
        # the current turn
        ("drawn", "i4"),  # card, or NONE: known to the player whose turn it is
        ("forced_from", "i4"),  # the player who could not draw, or NONE
        ("forced_left", "i4"),  # bit mask: players who have not had their forced turn
        # the current attack
        ("attack", "i4"),  # Attack
        ("lead", "i4"),  # card, or NONE
        ("lead_royal", "i4"),  # the Royal that leads (forced round), or NONE
        ("lead_own", "u1"),  # 1: the lead came from the castle
        ("suits", "i4"),  # bit mask: suits of the attack (Royal rule)
        ("added_suits", "i4"),  # C21 any_card: suits of the reinforcements that the attacker has added
        ("force", "i4"),
        ("boost", "i4"),  # C13 one_roll: extra cards for the next roll
        ("attack_dice", "i4"),
        ("spent", "i8"),  # cards to be discarded at the end: lead, extra cards, cards set aside
        ("won_square", "i4"),  # W, or NONE
        ("heading", "i4"),  # Heading
        ("berserk", "u1"),  # 1: the next attack may name several cards
        ("renewed", "u1"),  # 1: a double lets it begin again (6.1)
        ("pair", "i1", (PAIR,)),  # the Ace's cards; NONE: used
        ("in_use", "i4"),  # the card of the Ace that attacks now
        ("in_combo", "u1"),  # 1: this card attacks as ram or assassin
        ("combo_used", "u1"),
        ("ram_side", "i4"),
        # the current fight
        *scalars("i4", "attacker defender"),
        ("target", "i4"),  # as in an action, or NONE
        ("target_card", "i4"),
        ("named", "i8"),  # squares under attack, including the target
        ("turned_up", "i8"),  # squares turned up in this fight
        ("first_up", "i8"),  # squares of `turned_up` whose card was never face up in its castle before
        ("added", "i8", (SEATS,)),  # reinforcements added in this fight
        ("adder", "i4"),
        ("last_added", "i4"),  # card, or NONE
        ("remover", "i4"),  # the player who removes a card, and the castle's owner
        ("victim", "i4"),
        ("kept", "i4", (SEATS,)),  # C8 whole_attack: values added before
        *scalars("u1", "won tied"),
        ("doubled", "u1"),  # the attacker rolled a double
        *scalars("u1", "attacker_snake defender_snake"),
        ("six", "u1"),  # 1: the double was a double six
        # the last throw
        ("total", "i4"),
        *scalars("u1", "double snake"),
        ("face", "i1", (DICE,)),  # 0 .. sides - 1
        # the attack that waits during a counter-strike
        *scalars("i4", "waiting_attack waiting_target waiting_card"),
        *scalars("u1", "waiting_doubled waiting_six"),
        # a card being drawn
        ("wanted", "i4"),  # extra cards or an Ace's cards still to be drawn
        ("picked", "i8"),  # bit mask over cards just taken that may still be rallied (3.4)
        ("contested", "i4"),  # the Joker being contested, or NONE
        ("asked", "i4"),  # number of players asked for reinforcements
        ("contest", "i4", (SEATS,)),
        ("after_draw", "i4"),  # Step
        ("after", "i4"),  # the next Step
        # tallies for the record
        ("leader", "i4"),  # NONE: none
        *((name, TALLY) for name in TALLIES),
        ("place", "u1", (SEATS,)),
        ("out", "i4", (SEATS,)),
        ("reinforced", TALLY),
        ("kings", "i4", (8,)),  # by Attack
        # log of the last apply, for traces: (Event, a, b, c)
        ("n_events", "i4"),
        ("events", "i2", (EVENTS, 4)),
    ],
    align=True,
)
