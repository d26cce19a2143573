"""Constants of Castle Itter: capacities, codes, and the readings of its rulings.

Data of cards and counters are in the scenario.
"""

from enum import IntEnum

from bartizan.simcore.scenario.model import Readings

NONE = -1
DEFENDER, SS = 0, 1  # seats

# Capacities of the record arrays. The scenario contains the actual numbers.
DEFENDERS = 32
POSITIONS = 32
CIRCLES = 40  # circles keep their printed ids; index 0 is the castle
LOCATIONS = 8
COLOURS = 6
KINDS = 6  # kinds of SS counters
SS_CARDS = 80
TACTICS = 48
FACES = 10  # die faces of a colour, followed by the tank's positions
TRACK = 6  # steps of a Defence track
TARGET_TABLES = 8
PLANNED = 20  # SS cards of one turn
EXTRA = 24  # dice, counters or Defence that one Tactics card adds to one kind
EVENTS = 400
# R-06 any_time lists every pair (defender, position of its location), at most 1,025; R-17 unlimited lists
# every number of tokens on a square, which `schema.lists` limits
MAX_LEGAL = 1536


class Place(IntEnum):
    """Places of defenders that are not on a combat position."""

    RESERVE = -2
    ASIDE = -3
    KILLED = -4
    ESCAPED = -5


class Status(IntEnum):
    """Bits of a defender's status. A defender is fit if none of the first four is set."""

    EXHAUSTED = 1
    DISRUPTED = 2
    ACTED = 4  # Action token
    COMMANDED = 8  # Command token
    SHIFTED = 16  # has made its free move without an action this turn (R-07 free)


UNFIT = 15
SPENT = Status.ACTED | Status.COMMANDED


class Attribute(IntEnum):
    """Bits for the letters on the counters (2.7, 2.8, 3.1 - 3.6) and for French nationality."""

    COMMAND = 1
    ESCAPE = 2
    INSPIRE = 4
    LOW_MORALE = 8
    OFFICER = 16
    REINFORCEMENT = 32
    SACRIFICE = 64
    TANK_CREW = 128
    FRENCH = 256


ATTRIBUTE_LETTERS = {
    "C": "COMMAND",
    "E": "ESCAPE",
    "I": "INSPIRE",
    "M": "LOW_MORALE",
    "O": "OFFICER",
    "R": "REINFORCEMENT",
    "S": "SACRIFICE",
    "T": "TANK_CREW",
}


class Card(IntEnum):
    """Effects of SS cards (section 4)."""

    PLACE = 0
    SNIPER = 1
    LOCATION = 2
    FLAK30 = 3
    SUPPRESSIVE_FIRE = 4
    REINFORCEMENTS = 5
    SS_SQUADS = 6  # 7.4


# kinds of card with only one card each
ALONE = "sniper", "flak30", "suppressive_fire", "ss_squads", "reinforcements"
DOES = {kind: Card[kind.upper()] for kind in ALONE}


class CardKind(IntEnum):
    """Kinds of SS card that a Tactics card can name."""

    rifleman = 0
    scout = 1
    sturm = 2
    machine_gunner = 3
    mortar = 4
    sniper = 5
    flak37 = 6
    pak40a = 7
    pak40b = 8
    panzerfaust = 9
    flak30 = 10
    suppressive_fire = 11
    reinforcements = 12
    ss_squads = 13


CARD_KINDS = 16


class Stage(IntEnum):
    """Decision points (PROTOCOL.md, section 2)."""

    NONE = 0  # no decision: events are being processed, or the game is over
    ORDERS = 1
    PLACE = 2
    ACT = 3
    COMMAND = 4
    SPEND = 5
    SACRIFICE = 6
    FIRE = 7
    PLAN = 8  # 6.2b: the SS player plays a card
    PLAN_TACTICS = 9


class Act(IntEnum):
    """Kinds of action (PROTOCOL.md, section 1). An action is `kind * ARGUMENTS + argument`."""

    PASS = 1
    ACTIVATE = 2
    PLACE = 3
    SHIFT = 4
    ATTACK = 5
    ATTACK_WEAPON = 6
    SUPPRESS = 7
    SUPPRESS_WEAPON = 8
    MOVE = 9
    RECOVER = 10
    COMMAND = 11
    LOAD = 12
    ESCAPE = 13
    BLANK = 14
    GIVE = 15
    DONE = 16
    SPEND = 17
    SACRIFICE = 18
    FIRE = 19
    LAY = 20
    LAY_TACTICS = 21


ARGUMENTS = 65536
GUN_TARGET = 64  # target of an ATTACK = circle + GUN_TARGET * gun (0 none, 1 Machine Gunner, 2 Mortar)
EXHAUSTION, DISRUPTION, TOKEN_ONLY = 0, 1, 2  # arguments of RECOVER and GIVE


class End(IntEnum):
    """Reasons for the end of a game of Castle Itter (5.0)."""

    BREACH = 3
    DECK_EMPTY = 4
    RELIEVED = 5


class Luck(IntEnum):
    """Random streams (PROTOCOL.md, section 5)."""

    SETUP = 0
    SS_DECK = 1
    TACTICS = 2
    DEFENDER = 3
    SS = 4
    SUPPRESSION = 5
    REGIMENT = 6


class Step(IntEnum):
    """Steps of the SS Phase between two decisions (`turns.take_step`)."""

    BEGIN = 8  # the phase begins: Tactics
    NEXT_CARD = 0
    COUNTER = 1  # begin the next counter of a place card
    ALONG_FACES = 4  # Flak 30, face by face
    ALONG_AREAS = 6  # Suppressive Fire, area by area
    ALONG_POSITIONS = 7  # a location hit, one by one
    ALONG_COLOURS = 9  # SS Squads, colour by colour (7.4)


class Cause(IntEnum):
    """Causes of death of the current victims (3.5, R-32 and R-33 depend on them)."""

    HIT = 0
    SECOND_DISRUPT = 1
    TANK = 2


class Event(IntEnum):
    """Entries in the log of one `apply`, for traces. Simulations never read the log."""

    TURN = 1  # turn
    TACTICS = 2  # newer, older
    CARD = 3  # card index, deck
    REGIMENT = 4
    AREA = 5  # kind, area
    ROLL = 6  # number of dice, successes, needed
    SUPPRESSED = 7  # kind, area
    PLACED = 8  # kind, area
    PUSHED = 9  # kind, from, to
    BREACH = 10  # kind, from
    TARGET = 11  # colour, defender
    DISRUPTED = 12  # defender
    KILLED = 13  # defender
    HIT_LOCATION = 14  # location, new value
    TANK_LOST = 15  # crew
    NO_SUPPLY = 16  # kind
    COLOUR = 17  # colour
    LOCATION = 18  # location
    REMOVED = 19  # kind, circle: shot by a defender
    SPARED = 20  # defender
    REINFORCED = 21
    LOW_MORALE = 23
    PLANNED = 24  # cards


# ---------------------------------------------------------------- readings of the rulings, in the order of
# [ruling.<key>].readings


READINGS = Readings(__name__)

MayPass = READINGS.add("may_pass", "no", "yes")
DeploymentLock = READINGS.add("deployment_lock", "reserve_only", "anyone_outside_cellar")
DeployIntoCellar = READINGS.add("deploy_into_cellar", "if_free", "never")
BlankAction = READINGS.add("blank_action", "may_be_blank", "must_act")
LoadExhausts = READINGS.add("load_exhausts", "yes", "no")
FreeMoveWhen = READINGS.add("free_move_when", "prelude", "any_time")
FreeMoveAlone = READINGS.add("free_move_alone", "exhausts", "uses_action", "free")
SwapPartnerActed = READINGS.add("swap_partner_acted", "yes", "no")
FreeMoveAndRecover = READINGS.add("free_move_and_recover", "no", "yes")
EnterCellar = READINGS.add("enter_cellar", "from_anywhere", "never")
CellarActions = READINGS.add("cellar_actions", "recover_and_move", "move_only")
CommandInCellar = READINGS.add("command_in_cellar", "no", "yes")
AttackZero = READINGS.add("attack_zero", "yes", "no")
InspireStacks = READINGS.add("inspire_stacks", "each_plus_one", "max_one", "self_too")
YellowTokens = READINGS.add("yellow_tokens", "none", "forbidden")
TokensPersist = READINGS.add("tokens_persist", "kept", "cleared")
TokenCap = READINGS.add("token_cap", "hard_30", "unlimited")
SuppressSpending = READINGS.add("suppress_spending", "one_batch", "one_by_one")
TokensSpentOnSuccess = READINGS.add("tokens_spent_on_success", "always_spent", "kept_on_success")
CommandTwiceSame = READINGS.add("command_twice_same", "yes", "no")
CommandAgain = READINGS.add("command_again", "yes", "no")
CommandUseless = READINGS.add("command_useless", "useful_only_up_to_three", "any")
EscapeTwoColours = READINGS.add("escape_two_colours", "both_clear", "one_clear")
EscapeFromWhite = READINGS.add("escape_from_white", "no", "yes")
EscapeTiming = READINGS.add("escape_timing", "location_at_turn_start", "position_at_turn_start")
EscapeCounters = READINGS.add("escape_counters", "all", "advancing_only")
TopDiscard = READINGS.add("top_discard", "last_resolved", "lowest_deck")
FewCardsLeft = READINGS.add("few_cards_left", "all_left", "no_card")
DeckOf61 = READINGS.add("deck_of_61", "turn_21", "end_turn_20")
OfficerKilled = READINGS.add("officer_killed", "no", "yes")
SacrificeLowMorale = READINGS.add("sacrifice_low_morale", "no", "yes")
SacrificeInTank = READINGS.add("sacrifice_in_tank", "stays", "possible", "not_possible")
SacrificeToken = READINGS.add("sacrifice_token", "keeps", "clears")
SacrificeState = READINGS.add("sacrifice_state", "no", "yes")
LocationSecondDisrupt = READINGS.add("location_second_disrupt", "killed", "no_effect")
Simultaneous = READINGS.add("simultaneous", "together", "one_by_one")
TankAt4 = READINGS.add("tank_at_4", "destroyed", "disrupt_first")
TankEmptyWhen = READINGS.add("tank_empty_when", "at_destruction", "at_end")
#
NoncrewOnCrewPosition = READINGS.add("noncrew_on_crew_position", "no_fight", "own_values", "not_allowed")
LoadWhenLoaded = READINGS.add("load_when_loaded", "no_effect", "allowed")
#
TargetSearch = READINGS.add("target_search", "all_up_then_all_down", "one_up_one_down", "wrap", "up_only")
TankByColour = READINGS.add("tank_by_colour", "no", "yes")  # R-42, applied when the tables are built
SuppressedMg = READINGS.add("suppressed_mg", "no", "yes")
SuppressiveFireOrder = READINGS.add("suppressive_fire_order", "mg_first", "mortar_first", "player")
Flak30Order = READINGS.add("flak30_order", "by_number_immediate", "all_then_apply")
SupplyEmpty = READINGS.add("supply_empty", "not_placed", "unlimited")
ReserveScores = READINGS.add("reserve_scores", "no", "yes")
DrawIsNoLoss = READINGS.add("draw_is_no_loss", "draw", "loss")
TacticsShuffled = READINGS.add("tactics_shuffled", "yes", "no")
TacticsScope = READINGS.add("tactics_scope", "ss_phase_only", "until_replaced")
# R-58, applied when the tables are built
FocusFire = READINGS.add("focus_fire", "assumed_set", "blank", "barrage_only", "assumed_doubled")
TacticsTwoAreas = READINGS.add("tactics_two_areas", "newer", "intersection")
LoadTokenStays = READINGS.add("load_token_stays", "yes", "no")
ShiftAfterPlacing = READINGS.add("shift_after_placing", "no", "yes")
SacrificeWhenDying = READINGS.add("sacrifice_when_dying", "yes", "no")
Exhaustion = READINGS.add("exhaustion", "yes", "no")
SsSquads = READINGS.add("ss_squads", "one_each", "everybody", "threes", everywhere=False)  # R-65, v0.2
ExtraCards = READINGS.add("extra_cards", "listed", "drawn", everywhere=False)  # R-66, v0.2
CompetitiveEnd = READINGS.add("competitive_end", "after_turn_20", "after_turn_19")
Competitive142nd = READINGS.add("competitive_142nd", "must_be_among_three_any_order", "first")
CompetitiveLastCards = READINGS.add("competitive_last_cards", "draw_pile_only", "with_hand")
CompetitiveDeck1 = READINGS.add("competitive_deck_1", "as_deck_2", "no_card", "not_possible")
CommandInDeployment = READINGS.add("command_in_deployment", "no", "yes")

# change data: their readings have patches in the
# scenario.
