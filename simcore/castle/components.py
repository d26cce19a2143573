"""Constants of Castle: array capacities, codes, and the readings of its rulings.

The scenario contains the data of the cards and of the grid.
"""

from enum import IntEnum

from bartizan.simcore.kit.words import ActKind, EventKind
from bartizan.simcore.scenario.model import Readings
from bartizan.simcore.scene import Shown

NONE = -1

# Capacities of the record arrays. The scenario contains the actual numbers.
SEATS = 4
ROWS = 4
COLUMNS = 9
WIDTH = COLUMNS + 2  # a castle with one border column on each side
SQUARES = ROWS * WIDTH
CARDS = 54  # 52 and two Jokers
DECK = 54
RANKS = 13
SUITS = 4
FIRST_JOKER = 52
PAIR = 2  # cards an Ace may draw
DICE = 6  # maximum of one roll
EVENTS = 64
MAX_LEGAL = 1024

# contents of an action: PROTOCOL.md section 1
ARGUMENTS = 4096
CASTLE = 64  # target: castle * CASTLE + square
POOL_TARGET = 256  # target: POOL_TARGET + card
JOKER_TARGET = 320  # target: JOKER_TARGET + player
BARRICADE_TARGET = 384  # target: BARRICADE_TARGET + square
SIDES = 4  # of a barricade: LAY (castle * CASTLE + square) * SIDES + Side
ENDS = 2  # of a Court: RAM castle * ENDS + 0 left, 1 right


class Royal(IntEnum):
    """A player's royals, with consecutive ranks."""

    JACK = 0
    QUEEN = 1
    KING = 2


ROYALS = len(Royal)
FIRST_ROYAL_RANK = 10


class Power(IntEnum):
    """Powers of a rank as a lead (section 7)."""

    none = 0
    spy = 1
    ace = 2


class WithAce(IntEnum):
    """Effects of a card drawn by an Ace (7.3 - 7.5)."""

    archers = 0
    ram = 1
    assassin = 2


class Attack(IntEnum):
    """Kinds of attack, which have different targets and continuations."""

    NONE = 0
    ORDINARY = 1
    BARRICADE = 2
    ARCHERS = 3
    RAM = 4
    ASSASSIN = 5
    COUNTER = 6
    OWN_LEAD = 7  # a King used as lead (C28), as a cause of death only


class Side(IntEnum):
    """Side of a column or row on which a barricade is laid (11.8)."""

    ABOVE = 0
    LEFT = 1
    RIGHT = 2


class Heading(IntEnum):
    """Directions of an attack (C10 relative)."""

    LEFT = 0
    RIGHT = 1
    DOWN = 2
    UP = 3


class Stage(IntEnum):
    """Decision points (PROTOCOL.md, section 2)."""

    NONE = 0
    CHOOSE = 1
    SETUP = 2
    TURN = 3
    CARD = 4
    OWN = 5
    SPY = 6
    TARGET = 7
    NAME = 8
    ADD = 9
    REMOVE = 10
    FIRST = 11
    USE = 12
    RAM = 13
    REVEAL = 14
    COUNTER = 15
    KEEP = 16
    RALLY = 17
    HAND = 18


class Act(ActKind):
    """Kinds of action (PROTOCOL.md, section 1). An action is `kind * ARGUMENTS + argument`."""

    END = 1, "3.6", "no more, or declined", "{end}"
    DRAW = 2, "3.1", "a card is drawn", "draws"
    CLOSE = 3, "9.1", "gaps are closed", "closes the gaps"
    PLACE = 4, "3.2", "a card is placed", "places {drawn} at {cell}"
    ATTACK = 5, "4.1", "a target is attacked", "attacks {target}"
    LEAD = 6, "3.3", "an ace or a spy leads", "attacks with {drawn}"
    RALLY = 7, "3.4", "a card is rallied", "rallies {rallied} to the flag"
    LAY = 8, "11.8", "a barricade is laid", "lays a barricade {barricade}"
    DISCARD = 9, "3.6", "a card is discarded", "discards {drawn}"
    TURN = 10, "7.1", "a card is turned over", "turns over {target}"
    ADD = 11, "4.5", "a reinforcement is added", "adds {card}"
    REMOVE = 12, "6.3", "a card is paid for snake eyes", "removes {victims}"
    FIRST = 13, "7.2", "which card comes first", "{first}"
    USE = 14, "7.2", "an ace's card: the combination, or archers", "uses {use}"
    RAM = 15, "7.4", "a Court is rammed", "rams the Court of {court}"
    NAME = 16, "11.4", "another card of a group is attacked", "and {defenders}"
    OWN = 17, "8.1", "an own card attacks", "attacks with his own {own}"
    SUIT = 18, "2.1", "a suit is chosen", "takes {suit}"


class End(IntEnum):
    """Reasons for the end of a game (10.1, 10.4)."""

    LAST_KING = 3
    TURN_LIMIT = 4


class Luck(IntEnum):
    """Random streams (PROTOCOL.md, section 4)."""

    ROYALS = 0
    DECK = 1
    ATTACK = 2
    DEFENCE = 3
    CONTEST = 4


class Event(EventKind):
    """Entries in the log of one `apply`, for traces. Simulations never read the log."""

    TURN = 1, "3.1", "== turn {b}, {a:player}"
    DREW = 2, "3.1", "{a:player} draws {b:card}", Shown.CARD
    SHUFFLED = 3, "3.8", "{a} cards are shuffled into a new deck"
    SHOWN = 4, "4.2", "{c:card} at {b:cell} of {a:player} is face up", Shown.CARD
    CALLED_OFF = 5, "4.3", "called off: {a:card} is of that suit"
    ROLL = 6, "4.6", "{a} against {b}: the attack {c:outcome}", Shown.DICE
    FELL = 7, "4.8", "{a:player} loses {b:card}", Shown.LOSS
    REMOVED = 8, "6.3", "snake eyes cost {a:player} {b:card}", Shown.LOSS
    EXTRA = 9, "6.1", "{a:card} joins the attack", Shown.CARD
    OUT = 10, "10.1", "{a:player} is OUT", Shown.LOSS
    FORCED = 11, "8.1", "{a:player} has to attack with an own card"
    PASSED = 12, "8.2", "{a:player} has none and passes"
    CONTEST = 13, "11.1", "{a:player} has {b} in the contest", Shown.DICE
    JOKER = 14, "11.1", "{a:player} has {b:jokers}"
    COUNTER = 15, "11.5", "{a:player} strikes back"
    RAN_DRY = 16, "3.8", "no card is left: a forced round"
    NO_TARGET = 17, "4.1", "there is nothing to attack"
    THROWN = 18, "11.9", "{a:card} is picked instead of dice", Shown.CARD


# The next step after the consequences of an action: input of `turns.advance`. The lines are the steps of a
# turn, of an attack up to its fight, of a fight, of its consequences, and of an Ace.
Step = IntEnum(
    "Step",
    "CHOOSE SETUP SETUP_CARD BEGIN_TURN DRAW CARD CONTEST END_TURN FORCED_TURN "
    "LEAD SPY FIRST_TARGET NAME FIGHT "
    "ATTACKER_ADDS DEFENDER_ADDS ROLL ATTACKER_PAYS DEFENDER_PAYS COUNTER "
    "GO_ON EXTRA RALLY NEXT_TARGET CALLED_OFF END_ATTACK "
    "DRAW_PAIR PAIR_ORDER NEXT_OF_PAIR USE_CARD RAM",
    start=0,
    module=__name__,
)


# ---------------------------------------------------------------- readings of the rulings, in the order of
# [ruling.<key>].readings


READINGS = Readings(__name__)

RoyalsDealt = READINGS.add("royals_dealt", "random", "choice", "same_suit")  # C1
Placement = READINGS.add("placement", "adjacent", "supported", "anywhere")  # C2
RallyTurn = READINGS.add("rally_turn", "ends", "draw_again")  # C5
ForcedRound = READINGS.add("forced_round", "both_piles_empty", "deck_empty")  # C6
CalledOffLead = READINGS.add("called_off_lead", "discarded", "placed")  # C7
CalledOffTarget = READINGS.add("called_off_target", "revealed", "turned_back")  # C7b
ReinforcementScope = READINGS.add("reinforcement_scope", "one_roll", "whole_attack")  # C8
ReinforcementOrder = READINGS.add("reinforcement_order", "attacker_first", "simultaneous")  # C8b
FollowThrough = READINGS.add("follow_through", "optional", "must")  # C9
FollowDirections = READINGS.add("follow_directions", "left_right_down", "relative", "any")  # C10
DeadRoyals = READINGS.add("dead_royals", "to_discard", "removed")  # C11
MultiDiceDoubles = READINGS.add("multi_dice_doubles", "never", "each_pair", "any_equal")  # C12
ExtraCardScope = READINGS.add("extra_card_scope", "lasting", "one_roll")  # C13
LostDoubleTarget = READINGS.add("lost_double_target", "same_or_other", "same")  # C14
DefenceChain = READINGS.add("defence_chain", "once", "chain")  # C15
SnakeEyes = READINGS.add("snake_eyes", "may", "must")  # C16
EightTrigger = READINGS.add("eight_trigger", "each_defence", "on_reveal")  # C17
EightTurns = READINGS.add("eight_turns", "castles", "anything")  # C18
Combo = READINGS.add("combo", "each_compulsory", "one_optional")  # C19
AssassinFollow = READINGS.add("assassin_follow", "none", "yes")  # C20
RoyalRuleSuit = READINGS.add("royal_rule_suit", "lead_only", "any_card")  # C21
GapClosing = READINGS.add("gap_closing", "empty_rows_columns", "squeeze_rows")  # C22
DeadPlayerCards = READINGS.add("dead_player_cards", "discard", "walls", "to_killer")  # C23
QueenProtects = READINGS.add("queen_protects", "herself", "all_cards")  # C24
ArcherTarget = READINGS.add("archer_target", "revealed", "reachable", "both")  # C25
OwnCardAttack = READINGS.add("own_card_attack", "no", "yes")  # C27
ForcedLeads = READINGS.add("forced_leads", "all_but_king", "numbers", "all")  # C28
JackJump = READINGS.add("jack_jump", "up_to_two", "exactly_two")  # C29
JokerTurn = READINGS.add("joker_turn", "draws_again", "over")  # C30
JokerDefence = READINGS.add("joker_defence", "dice", "none")  # C31
BerserkGroup = READINGS.add("berserk_group", "connected", "any")  # C32
CounterOnTie = READINGS.add("counter_on_tie", "yes", "no")  # C33
SameNumberGroup = READINGS.add("same_number_group", "connected", "neighbours")  # C34
SaboteurAttack = READINGS.add("saboteur_attack", "plus_value", "dice_only")  # C35
BarricadeDice = READINGS.add("barricade_dice", "placer", "nobody")  # C36
RandomSource = READINGS.add("random_source", "dice", "cards")  # C37
RoyalRule = READINGS.add("royal_rule", "forbidden", "allowed")  # C39
PlacedFace = READINGS.add("placed_face", "hidden", "revealed")  # C41
SameNumberMeans = READINGS.add("same_number_means", "value", "number")  # C42
CardReplaces = READINGS.add("card_replaces", "throw", "die")  # C43
CardsFrom = READINGS.add("cards_from", "full_pack", "deck")  # C44
AceAsThrow = READINGS.add("ace_as_throw", "plain", "snake_eyes")  # C45
RallyCard = READINGS.add("rally_card", "any", "turns_card")  # C46
DoubleAnew = READINGS.add("double_anew", "yes", "no")  # C47
BarricadeAbove = READINGS.add("barricade_above", "top_row", "column")  # C48
CounterTarget = READINGS.add("counter_target", "anywhere", "reachable")  # C49
CounterAttacks = READINGS.add("counter_attacks", "any", "ordinary")  # C50
BonusSnakeEyes = READINGS.add("bonus_snake_eyes", "count", "none")  # C51
SaboteurAgain = READINGS.add("saboteur_again", "once", "each_time")  # C52
SameNumberSides = READINGS.add("same_number_sides", "row", "all")  # C53
SameNumberShown = READINGS.add("same_number_shown", "by_then", "before")  # C54
