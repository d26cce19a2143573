"""Names for the numbers of Castle Rampage: capacities, codes, and the readings of its rulings.

No datum of a card stands here.
"""

from enum import IntEnum

from bartizan.simcore.scenario.model import Readings

NONE = -1
NO_SCORE = 255  # of a draw; a winner may have no Castle card left (6.3), but never so many

# Capacities of the record arrays. The scenario says how many of each there are.
SEATS = 2
KINDS = 60
DECK = 250
ROOM = 256  # of a stack, a power of two: stacks are rings
UNITS = 4
SHOWN = 1 << UNITS  # ways to show units, as a bit mask
EFFECTS = 4  # entries of one list of a card
BOOSTS = 7  # of one play (A8)
NEED = 8  # bits of a demand: how many of unit u stand at u * NEED, any cards at UNITS * NEED
ANY = UNITS * NEED
EVENTS = 64
MAX_LEGAL = 1100

ARGUMENTS = 1024  # of an action: PROTOCOL.md section 1


class Structure(IntEnum):
    """The two stacks of a player (1.3)."""

    GATE = 0
    CASTLE = 1


STRUCTURES = len(Structure)


class Act(IntEnum):
    """What an action does: PROTOCOL.md section 1."""

    END = 1
    GATE = 2
    CASTLE = 3
    PLAY = 4
    PAY = 5
    TARGET = 6
    LOSE = 7
    RAZE = 8
    NAME = 9
    TAKE = 10
    ATTACK = 11
    EFFECT = 12
    UNDER = 13
    DROP = 14


class Stage(IntEnum):
    """Which decision is asked: PROTOCOL.md section 2."""

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


class Step(IntEnum):
    """What comes next between decisions."""

    SETUP = 0
    BEGIN_TURN = 1
    MAIN = 2
    END_TURN = 3
    PAY = 4
    PLACE = 5
    ORDER = 6
    EFFECTS = 7
    ATTACK = 8
    STRIKE = 9
    FINISH = 10
    PLAYED = 11


class Op(IntEnum):
    """Entries of `on_play` and `on_destroyed_in_attack` (7.3 - 7.10)."""

    none = 0
    draw = 1
    opp_discard_random = 2
    opp_discard_unit_type = 3
    destroy_opp_permanent = 4
    destroy_own_top = 5
    destroy_top_both_castles = 6
    perm_draw = 7
    perm_attack = 8
    perm_gate_defence = 9
    perm_extra_strengthen = 10
    end_attack = 11
    attacker_discard_random = 12
    defender_steal_random = 13


FIRST_PERM = int(Op.perm_draw)
PERM_DRAW, PERM_ATTACK, PERM_GATE, PERM_STRENGTHEN = range(4)  # perm_draw .. perm_extra_strengthen
PERMS = 4


class AttackTarget(IntEnum):
    """What a card attacks (5.1)."""

    normal = 0
    castle = 1
    choose = 2


class Outcome(IntEnum):
    """What an attack did to the attacking card."""

    STANDS = 0
    DESTROYED = 1
    RETURNS = 2


class End(IntEnum):
    """How a game ends (section 6); the house's own reasons are 1 and 2."""

    CASTLE_FELL = 3
    OWN_TURN = 4
    TURN_LIMIT = 5
    PLAY_LIMIT = 6
    PILE_EMPTY = 7


class Event(IntEnum):
    """Lines of the log: a trace tells them."""

    TURN = 1  # seat, turn
    DREW = 2  # seat, kind
    SHUFFLED = 3  # cards
    STRIKES = 4  # strength, structure
    REVEALED = 5  # structure, kind, defence
    REPELLED = 6  # kind
    FELL = 7  # seat, structure, kind
    TEXT = 8  # kind, op
    DISCARDED = 9  # seat, kind
    STOLEN = 10  # seat, kind
    RAZED = 11  # seat, kind
    LAID = 12  # seat, kind
    RETURNED = 13  # seat, kind
    LOST = 14  # seat


class Luck(IntEnum):
    """Streams of luck."""

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
