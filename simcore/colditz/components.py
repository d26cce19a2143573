"""Constants of Escape from Colditz: capacities, codes, and the readings of its rulings.

Data of cards, pawns and circles are in the scenario and the board files.
"""

from enum import IntEnum

from bartizan.simcore.scenario.model import Readings

NONE = -1

# Capacities of the record arrays. The scenario and the board contain the actual numbers.
PLAYERS = 5
TEAM = 8  # POWs of one player; POW number = player * TEAM + i
POWS = PLAYERS * TEAM
GUARDS = 16
SPACES = 1160  # circles keep their ids of nodes.csv; the Appel is one space, number 0
ARCS = 4400
GREY = 400  # spaces of the grey zone
WAYS = 64  # gates, drops and wires: bits of one 64-bit word
ROOMS = 20
TUNNELS = 3
CHAIN = 16  # circles of a tunnel
ROUTES, ROUTE = 64, 100  # routes that policies plan with, and maximum circles of one
SHUT, DOORS = 6, 200  # circles of a route that guards can block, and of all routes together
NEAR = 40  # circles near a door, nearest first
CARDS = 32  # kinds of Opportunity card
SECURITY = 16  # kinds of Security card
DECK = 64
STAKES = 8  # Do or Die cards
EVENTS = 96
MAX_LEGAL = 1400
GOALS = 1300  # possible destinations of one pawn
HAND = 3
APPEL = 0


class Place(IntEnum):
    """Places of pawns that are not on a space."""

    CELL_INNER = -1
    CELL_OUTER = -2
    ESCAPED = -3
    DEAD = -4
    OUT = -5  # its team is out of the game
    BARRACKS = -6
    UNUSED = -7  # no such pawn with this number of players
    ON_THE_WAY = -8  # to Solitary, the block not yet chosen


class Zone(IntEnum):
    """Parts of the board (1.2)."""

    APPEL = 0
    COURTYARD = 1
    ROOM = 2
    OUTER = 3
    OUTSIDE = 4
    UNDERGROUND = 5  # a tunnel circle drawn on a wall: nothing above it


class Arc(IntEnum):
    """The cost of a step from one space to the next, in addition to one movement point (4.4 - 4.6)."""

    WALK = 0
    KEY = 1
    PASS = 2
    WIRE = 3
    DOWN = 4  # a drop, from the numbered circle to the landing
    UP = 5


class Equipment(IntEnum):
    wire_cutters = 0
    passes = 1
    key = 2
    rope = 3


EQUIPMENT = len(Equipment)
NOTHING = 7  # second choice of a Bribe for one card


class Symbol(IntEnum):
    """Pictures in rooms: the equipment in the order of `Equipment`, then the four parts of a Kit."""

    wire_cutters = 0
    passes = 1
    key = 2
    rope = 3
    disguise = 4
    food = 5
    compass = 6
    documents = 7


class Tunnel(IntEnum):
    """States of a tunnel (section 8)."""

    UNUSED = 0
    OPEN = 1
    LONE = 2  # lone_pow = either_end: nobody else may enter
    DEAD = 3
    TAKEN = 4  # detected after a break-out: dead for POWs, open to guards


class Stage(IntEnum):
    """Decision points (PROTOCOL.md, section 2)."""

    NONE = 0
    SETUP = 1  # German
    NEXT = 2
    START = 3  # either side
    TURN = 4  # either side
    GOTO = 5  # either side
    ROOM = 6
    ANSWER = 7
    LOSE = 8
    SAVE = 9
    MATCH = 10  # German
    CELL = 11  # German


class Act(IntEnum):
    """Kinds of action (PROTOCOL.md, section 1). An action is `kind * ARGUMENTS + argument`."""

    END = 1
    THROW = 2
    PICK = 3
    STAY = 4
    GO = 5
    UNDER = 6
    CROSS = 7
    FORCE = 8
    EQUIP = 9
    KIT = 10
    RELEASE = 11
    STAKE = 12
    NEXT = 13
    # Opportunity cards
    BRIBE = 20
    CONVERT = 21
    DIVERT = 22
    INSPECT = 23
    SABOTAGE = 24
    FAST = 25
    FREE = 26
    CAR = 27
    TUNNEL = 28
    GIVE = 29
    GIVE_EQUIPMENT = 30
    DISCARD = 31
    # answers
    COME = 40
    WARN = 41
    HIDE = 42
    LOSE = 43
    SAVE = 44
    # the German
    POST = 50
    RECALL = 51
    ARREST = 52
    APPEL = 53
    SEARCH = 54
    HOLDER = 55
    SHOOT = 56
    DETECT = 57
    MATCH = 58
    CELL = 59


ARGUMENTS = 65536
# arguments that pack two numbers (`simcore.colditz.actions`): limits of the second one
PAWN = 2048  # a circle
PAIR = 64  # a POW, or WHOLE_TEAM
SMALL = 8  # a player, an Equipment (or NOTHING), a POW of a team
WHOLE_TEAM = 63  # COME: all POWs; MATCH: every POW in range of the guard

ALLIED, GERMAN = 0, 1  # seats: the two sides


class End(IntEnum):
    """Reasons for the end of a game (10.1, 10.4)."""

    LIMIT = 3
    NOBODY_LEFT = 4
    RACE_WON = 5


class Luck(IntEnum):
    """Random streams (PROTOCOL.md, section 4)."""

    THROW = 0
    OPPORTUNITY = 1
    SECURITY = 2
    STAKE_CARD = 3
    STAKE = 4
    CAR = 5
    RANGE = 6


class Step(IntEnum):
    """The next step after the consequences of an action: input of `turns.advance`."""

    SETUP = 0
    NEXT_TURN = 1
    START = 2
    TURN = 3
    GOTO = 4
    ANSWER = 5
    MATCH = 6
    ROOM = 7
    SAVE = 8


class Reaction(IntEnum):
    """The event that an ANSWER or a SAVE responds to."""

    NONE = 0
    APPEL = 1
    SEARCH = 2
    SHOT = 3
    HOLDER = 4


class Loss(IntEnum):
    """Causes of the loss of a POW, and of a game that the Allies do not win."""

    NONE = 0
    TIME = 1
    ARREST = 2
    FORCED = 3
    SEARCH = 4
    APPEL = 5
    HOLDER = 6
    DETECTED = 7
    SHOT = 8
    STAKE = 9
    CAR = 10


class Used(IntEnum):
    """Bits for the means that a POW has used on his way out of the grey zone."""

    ROPE = 1
    KEY = 2
    PASS = 4
    WIRE = 8
    TUNNEL = 16  # and 32, 64: the bit of tunnel t is TUNNEL << t


class Event(IntEnum):
    """Entries in the log of one `apply`, for traces. Simulations never read the log."""

    ROUND = 1  # round
    TURN = 2  # player, or -1 the German
    THROW = 3  # total, doubles
    DREW = 4  # player or -1, card kind
    MOVED = 5  # pawn (guards from 64 on), from, to
    OPENED = 6  # way
    TOOK = 7  # player, equipment
    KIT = 8  # player
    ESCAPED = 9  # pow, target circle, 1 by Do or Die
    CELL = 10  # pow, Place
    LOST = 11  # player, equipment
    DEAD = 12  # pow
    OUT = 13  # player
    BARRACKS = 14  # guard
    STAKED = 15  # throws, total, distance
    RANGE = 16  # range
    TUNNEL = 17  # tunnel, state
    RELEASED = 18  # pow, circle
    SAVED = 19  # player


# ---------------------------------------------------------------- readings of the rulings, in the order of
# [ruling.<key>].readings


READINGS = Readings(__name__)

AlliedOrder = READINGS.add("allied_order", "clockwise", "free")  # Q1
RerollCap = READINGS.add("reroll_cap", "none", "three")  # Q2
CardGifts = READINGS.add("card_gifts", "any_allied_turn", "own_turn")  # Q3
EquipmentGifts = READINGS.add("equipment_gifts", "no", "yes")  # Q4
RangeThrowsDraw = READINGS.add("range_throws_draw", "no", "yes")  # Q5
DoublingBack = READINGS.add("doubling_back", "allowed", "not_in_one_move")  # Q6
ClimbDrops = READINGS.add("climb_drops", "no", "yes")  # Q7
AfterClaim = READINGS.add("after_claim", "go_on", "stop")  # Q8
ReturnImmunity = READINGS.add("return_immunity", "nearer", "any", "at_once")  # Q9
TargetWithoutKit = READINGS.add("target_without_kit", "waits", "not_allowed")  # Q10
StakeFromAppel = READINGS.add("stake_from_appel", "allowed", "not_allowed")  # Q11
StakeAndThrow = READINGS.add("stake_and_throw", "replaces", "after")  # Q12
NoPostingAfter = READINGS.add("no_posting_after", "turn", "game")  # Q13
GuardsBlock = READINGS.add("guards_block", "cut", "corridors")  # Q14
GuardsInAppel = READINGS.add("guards_in_appel", "pass_only", "free")  # Q15
FullCells = READINGS.add("full_cells", "unlimited", "no_arrest")  # Q16
LonePow = READINGS.add("lone_pow", "return_to_start", "either_end")  # Q17
Detection = READINGS.add("detection", "two_rules", "one_rule")  # Q18
AppelMatch = READINGS.add("appel_match", "one_guard_per_pow", "guard_takes_all")  # Q19a
AppelRange = READINGS.add("appel_range", "steps", "straight")  # Q19b
AppelChoice = READINGS.add("appel_choice", "pow_by_pow", "whole_team")  # Q19c
AppelWhen = READINGS.add("appel_when", "before_throw", "any_time")  # Q19d
JustUsed = READINGS.add("just_used", "since_last_turn", "last_allied_turn")  # Q20
ShotDistance = READINGS.add("shot_distance", "steps", "straight")  # Q21
RankCounts = READINGS.add("rank_counts", "all", "ordinary")  # Q22
StakeWhen = READINGS.add("stake_when", "any_turn", "at_limit")  # Q24
KitSplit = READINGS.add("kit_split", "food_disguise", "food_compass", "food_documents")  # Q25
KitClaim = READINGS.add("kit_claim", "mixed", "all_or_none")  # Q26
EquipmentPair = READINGS.add("equipment_pair", "one_player", "two_allies")  # Q27
AlliedHands = READINGS.add("allied_hands", "open", "secret")  # Q28
GuardRopes = READINGS.add("guard_ropes", "down", "both")  # Q29
CarPass = READINGS.add("car_pass", "no", "yes")  # Q30
PostAndArrest = READINGS.add("post_and_arrest", "yes", "no")  # Q31
OuterMinimum = READINGS.add("outer_minimum", "setup_only", "always")  # Q32
CoveredPosts = READINGS.add("covered_posts", "black", "plain")  # Q35
ReleasedByCard = READINGS.add("released_by_card", "nearer", "door")  # Q36
GuardsOutside = READINGS.add(  # Q37
    "guards_outside", "while_on_the_run", "while_outside", "last_on_the_run", "last_outside"
)
TunnelStart = READINGS.add("tunnel_start", "two_own", "any_two")  # Q38
LeaveTunnel = READINGS.add("leave_tunnel", "ends", "cards_too")  # Q39
DetectCloses = READINGS.add("detect_closes", "when_played", "when_reached")  # Q40
DetectLasts = READINGS.add("detect_lasts", "until_reached", "turn")  # Q41
SearchSafe = READINGS.add("search_safe", "exempt", "taken")  # Q42
ForcePays = READINGS.add("force_pays", "yes", "no")  # Q43
PostingStops = READINGS.add("posting_stops", "captures", "arrests")  # Q44
StakeDeck = READINGS.add("stake_deck", "remade", "used_up")  # Q45
ChaseAlone = READINGS.add("chase_alone", "moves", "teleports_too")  # Q46
