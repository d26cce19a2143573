"""Constants of Castle Rampage: capacities, codes, and the readings of its rulings.

The data of the cards are in the scenario.
"""

from enum import IntEnum

from bartizan.simcore.kit.words import ActKind, EventKind
from bartizan.simcore.scenario.model import Readings
from bartizan.simcore.scene import Shown

NONE = -1
NO_SCORE = 255  # for a draw; a winner may have no Castle card left (6.3), but never this many

# Capacities of the record arrays. The scenario contains the actual numbers.
SEATS = 2
KINDS = 60
DECK = 250
ROOM = 256  # of a stack, a power of two, because stacks are ring buffers
UNITS = 4
SHOWN = 1 << UNITS  # number of sets of units, as a bit mask
EFFECTS = 4  # entries of one list of a card
BOOSTS = 7  # for one play (A8)
NEED = 8  # bits of a demand: the number of unit u is at u * NEED, that of any cards at UNITS * NEED
ANY = UNITS * NEED
EVENTS = 64
MAX_LEGAL = 1100

ARGUMENTS = 1024  # per action: PROTOCOL.md section 1


class Structure(IntEnum):
    """The stacks of a player (1.3)."""

    GATE = 0
    CASTLE = 1


STRUCTURES = len(Structure)


class Act(ActKind):
    """Kinds of action (PROTOCOL.md, section 1)."""

    END = 1, "3.4", "the turn ends, or no attack", "{end}"
    GATE = 2, "3.2", "a card goes under the Gate", "puts {card} under the Gate"
    CASTLE = 3, "3.2", "a card goes under the Castle", "puts {card} under the Castle"
    PLAY = 4, "4.1", "a card is played", "plays {play}"
    PAY = 5, "4.2", "a card is paid", "pays with {card}"
    TARGET = 6, "5.1", "Gate or Castle is attacked", "attacks the {structure}"
    LOSE = 7, "7.7", "which own top card goes", "gives up the top of the own {structure}"
    RAZE = 8, "7.6", "a permanent is destroyed", "destroys {card}"
    NAME = 9, "7.5", "a unit is named", "names {unit}"
    TAKE = 10, "7.4", "which card the other discards", "discards {card}"
    ATTACK = 11, "4.6", "the attack comes first, or at all", "attacks"
    EFFECT = 12, "4.1", "the effect comes first", "takes the effect first"
    UNDER = 13, "3.2", "where a repelled card goes", "puts it under the {structure}"
    DROP = 14, "1.2", "a card over the hand limit goes", "discards {card}"


class Stage(IntEnum):
    """Decision points (PROTOCOL.md, section 2)."""

    NONE = 0
    SETUP_GATE = 1
    SETUP_CASTLE = 2
    MAIN = 3
    PAY = 4
    ORDER = 5
    TARGET = 6
    LOSE = 7
    RAZE = 8
    NAME = 9
    TAKE = 10
    OPTIONAL = 11
    UNDER = 12
    DROP = 13


# the next step between decisions
Step = IntEnum(
    "Step",
    "SETUP BEGIN_TURN MAIN END_TURN PAY PLACE ORDER EFFECTS ATTACK STRIKE FINISH PLAYED",
    start=0,
    module=__name__,
)

# Entries of `on_play` and `on_destroyed_in_attack` (7.3 - 7.10)
WHEN_PLAYED = (
    "draw",
    "opp_discard_random",
    "opp_discard_unit_type",
    "destroy_opp_permanent",
    "destroy_own_top",
    "destroy_top_both_castles",
)
AS_PERMANENT = ("perm_draw", "perm_attack", "perm_gate_defence", "perm_extra_strengthen")
WHEN_DESTROYED = ("end_attack", "attacker_discard_random", "defender_steal_random")
Op = IntEnum("Op", ["none", *WHEN_PLAYED, *AS_PERMANENT, *WHEN_DESTROYED], start=0, module=__name__)

FIRST_PERM = int(Op.perm_draw)
PERM_DRAW, PERM_ATTACK, PERM_GATE, PERM_STRENGTHEN = range(4)  # perm_draw .. perm_extra_strengthen
PERMS = 4


class AttackTarget(IntEnum):
    """Targets of a card's attack (5.1)."""

    normal = 0
    castle = 1
    choose = 2


class Outcome(IntEnum):
    """Effects of an attack on the attacking card."""

    STANDS = 0
    DESTROYED = 1
    RETURNS = 2


class End(IntEnum):
    """Reasons for the end of a game (section 6); 1 and 2 are reserved."""

    CASTLE_FELL = 3
    OWN_TURN = 4
    TURN_LIMIT = 5
    PLAY_LIMIT = 6
    PILE_EMPTY = 7


class Event(EventKind):
    """Entries in the log of one `apply`, for traces."""

    TURN = 1, "3.1", "== turn {b}, {a:player}"
    DREW = 2, "3.1", "{a:player} draws {b:card}", Shown.CARD
    SHUFFLED = 3, "2.2", "{a} cards are shuffled into a new pile"
    STRIKES = 4, "5.1", "attack with {a} on the {b:structure}"
    REVEALED = 5, "5.2", "{a:structure}: {b:card} defends with {c}", Shown.CARD
    REPELLED = 6, "5.3", "{a:card} is repelled"
    FELL = 7, "5.5", "{a:player} loses {c:card} of the {b:structure}", Shown.LOSS
    TEXT = 8, "5.7", "{a:card}: {b:op}"
    DISCARDED = 9, "7.4", "{a:player} discards {b:card}"
    STOLEN = 10, "7.10", "{a:player} has to give {b:card} away"
    RAZED = 11, "7.6", "{a:player} loses {b:card}", Shown.LOSS
    LAID = 12, "4.5", "{b:card} lies before {a:player}"
    RETURNED = 13, "5.3", "{b:card} comes back to {a:player}"
    LOST = 14, "6.1", "the Castle of {a:player} is destroyed", Shown.LOSS


class Luck(IntEnum):
    """Random streams (PROTOCOL.md, section 4)."""

    DECK = 0
    DISCARD = 1


READINGS = Readings(__name__)
EmptyPile = READINGS.add("empty_pile", "reshuffle", "game_ends", "no_draw")
StrengthenTiming = READINGS.add("strengthen_timing", "any_time", "before_plays")
SecondDeal = READINGS.add("second_deal", "replaced", "kept")
SetAside = READINGS.add("set_aside", "each_batch", "at_end")
Arranging = READINGS.add("arranging", "hidden")  # A5: no reading changes anything
EffectOrAttack = READINGS.add("effect_or_attack", "effect_first", "attack_first", "choice")
AttackCompulsory = READINGS.add("attack_compulsory", "yes", "optional")
BoostTimes = READINGS.add("boost_times", "once", "any_number")
SeveralSymbols = READINGS.add("several_symbols", "no", "yes")
ReturnedCard = READINGS.add("returned_card", "known", "hidden")
TiedText = READINGS.add("tied_text", "works", "not")
TextTiming = READINGS.add("text_timing", "at_once", "after_attack")
LastCardText = READINGS.add("last_card_text", "over_first", "effect_first")
IdleCard = READINGS.add("idle_card", "not_playable", "playable")
HandLimit = READINGS.add("hand_limit", "none", "limited")
RepelledVeteran = READINGS.add("repelled_veteran", "to_hand", "in_front", "under_a_stack")
VeteranAgain = READINGS.add("veteran_again", "no", "yes")
Stalemate = READINGS.add("stalemate", "draw", "count_cards")
DiscardChoice = READINGS.add("discard_choice", "random", "look_and_choose", "opponent_chooses")
Discards = READINGS.add("discards", "public")  # A21: no reading changes anything
PlacingItself = READINGS.add("placing_itself", "no", "yes")
GateBonus = READINGS.add("gate_bonus", "modified", "printed")
MidturnReshuffle = READINGS.add("midturn_reshuffle", "included", "left_out")
StrengthenWith = READINGS.add("strengthen_with", "allowed", "not_allowed")
