"""The state of a game of Escape from Colditz, as one record."""

import numpy as np

from bartizan.simcore.colditz import components as cz
from bartizan.simcore.colditz.record import TALLIES, TALLY
from bartizan.simcore.compile.copies import SCRATCH
from bartizan.simcore.rng import LUCK_FIELDS

STATE = np.dtype(
    [
        *LUCK_FIELDS,
        ("end_reason", "i4"),
        ("to_move", "i4"),  # seat: ALLIED, GERMAN
        ("stage", "i4"),  # Stage: the current decision
        ("player", "i4"),  # the Allied player who decides
        ("on_turn", "i4"),  # whose turn it is: an Allied player, or `tables.players` for the German
        ("round", "i4"),
        ("moved", "i4"),  # bit mask: Allied players who have had their turn this round
        ("last_stakes", "u1"),  # Q24 at_limit: the rounds are over
        # pawns
        ("pow_at", "i2", (cz.POWS,)),  # space, or Place
        ("under", "i1", (cz.POWS,)),  # the POW's tunnel, or NONE
        ("guard_at", "i2", (cz.GUARDS,)),  # space, or Place
        # pawn on the surface: POW w as w + 1, guard g as 64 + g, 0 none; never set for the Appel
        ("on", "i1", (cz.SPACES,)),
        ("below", "i1", (cz.SPACES,)),  # POW in a tunnel as w + 1
        ("returning", "u1", (cz.POWS,)),  # 1: released from the outer cells, still immune (4.14)
        ("return_from", "i2", (cz.POWS,)),  # its distance at the start of its player's turn
        ("used", "u1", (cz.POWS,)),  # Used bits of its way so far
        ("used_key", "u1", (cz.POWS,)),  # Q20
        ("used_pass", "u1", (cz.POWS,)),
        # cards
        ("hand", "i1", (cz.PLAYERS, cz.CARDS)),
        ("equipment", "i1", (cz.PLAYERS, cz.EQUIPMENT)),
        ("kit", "u1", (cz.PLAYERS,)),
        ("supply", "i1", (cz.EQUIPMENT,)),
        ("kit_supply", "i4"),
        ("deck", "i1", (cz.DECK,)),  # Opportunity cards, next first
        ("deck_size", "i4"),
        ("deck_next", "i4"),
        ("discards", "i1", (cz.CARDS,)),
        ("orders", "i1", (cz.SECURITY,)),  # the German's hand
        ("order_deck", "i1", (cz.DECK,)),
        ("order_size", "i4"),
        ("order_next", "i4"),
        ("order_discards", "i1", (cz.SECURITY,)),
        ("stakes", "i1", (cz.STAKES,)),  # Do or Die cards (throws), next first
        ("stakes_size", "i4"),
        ("stakes_next", "i4"),
        # the current turn
        ("points", "i4"),  # movement points left
        ("releases", "i4"),  # doubles not yet used for a release
        ("last_roll", "i4"),  # of the last throw
        ("first_roll", "i4"),
        ("doubles", "i4"),
        ("gives", "i4"),
        # Q3 own_turn: cards that each has received this turn and may give back
        ("owed", "u1", (cz.PLAYERS,)),
        ("claims", "i4"),  # Equipment taken this turn
        ("halted", "i8"),  # bit mask of POWs that must not move any more this turn (Q8)
        ("stayed", "i8"),  # bit mask of pawns that stayed in place when picked
        ("picked", "i4"),  # POW or guard, or NONE
        ("fresh_pick", "u1"),  # picked, not yet moved
        ("room", "i4"),  # Move Fast: the room
        ("opened", "u8"),  # ways opened by Allied cards since the German's last turn
        ("guard_drops", "u8"),  # drops the guards may use this turn
        ("no_posting", "u1"),
        ("posted", "i4"),  # bit mask of guards posted this turn (Q31)
        ("mover", "i4"),  # the only guard that has moved this turn, NONE before, -2 after a second
        ("chaser", "i4"),  # guard on a chase, or NONE
        # tunnels
        ("tunnel", "u1", (cz.TUNNELS,)),  # Tunnel
        ("had_two", "u1", (cz.TUNNELS,)),
        ("broken_out", "u1", (cz.TUNNELS,)),  # since the last German turn began
        ("detected", "u1", (cz.TUNNELS,)),  # by a break-out
        ("carded", "u1", (cz.TUNNELS,)),  # by the card
        # 1: Q40: closed to newcomers, because the Tunnel Detected card has been played
        ("shut", "u1", (cz.TUNNELS,)),
        ("digger", "i1", (cz.TUNNELS,)),  # the player who opened it
        ("left_tunnel", "i4"),  # bit mask: POWs have left it in the current action
        # the current reaction
        ("reaction", "i4"),  # Reaction
        ("search_room", "i4"),
        ("search_guard", "i4"),
        ("answerer", "i4"),  # the next player who may answer
        ("warned", "u1"),
        ("searched", "u1", (cz.POWS,)),  # POWs that the current Search or MATCH takes
        ("victim", "i4"),  # POW of a SAVE
        ("range", "i4"),
        ("distance", "i4"),
        # pending consequences
        ("to_lose", "i1", (cz.PLAYERS,)),  # Equipment cards to be confiscated
        ("cells", "i1", (cz.POWS,)),  # POWs on their way to Solitary, in order
        ("cells_size", "i4"),
        ("cells_next", "i4"),
        ("after", "i4"),  # the next Step
        # tallies for the record
        ("escaped", "i1", (cz.PLAYERS,)),  # ordinary ones
        ("staked_out", "i1", (cz.PLAYERS,)),  # by Do or Die
        ("out", "u1", (cz.PLAYERS,)),
        ("race", "i4", (2,)),  # round in which a player first had 1, 2 escapes
        ("racer", "i4", (2,)),  # who
        ("racer_staked", "u1", (2,)),  # that escape was by Do or Die
        ("targets", "i1", (8,)),  # escapes by target (0: Do or Die), targets by number
        ("by_way", "i1", (5,)),  # ordinary escapes that used a rope, key, pass, wire, tunnel
        ("losses", TALLY, (len(cz.Loss),)),  # by Loss
        ("last_run", "i4"),  # Loss that stopped the last POW in the Outer Area or Outside
        *((name, TALLY) for name in TALLIES),
        ("drawn", TALLY),
        ("claimed", TALLY),
        # the possible destinations of the picked pawn, written by PICK and CROSS, read by GOTO
        ("n_goals", "i4"),
        ("goal", "i4", (cz.GOALS,)),  # actions
        ("goal_cost", "i2", (cz.GOALS,)),
        ("goal_arc", "i2", (cz.GOALS,)),  # the arc that a CROSS pays for
        ("goal_via", "u1", (cz.GOALS,)),  # Used bits of the way there
        # log of the last apply, for traces: (Event, a, b, c)
        ("n_events", "i4"),
        ("events", "i2", (cz.EVENTS, 4)),
        SCRATCH,  # each rule that reads the following fields has written them
        # a search by steps
        ("queue", "i2", (2 * cz.SPACES,)),
        ("tail", "i4"),
        ("reach", "i2", (2 * cz.SPACES,)),  # steps to a space; SPACES + c: inside the tunnel
        ("via", "u1", (2 * cz.SPACES,)),
        ("mark", "i4", (2 * cz.SPACES,)),  # reach is valid for this search if mark == search
        ("crossed", "i4", (cz.SPACES,)),  # a CROSS to this space is listed if crossed == search
        ("search", "i4"),
        # Q14, a walk over the grey zone (`rules.guard_moves`): by number of a circle, `queue` is the circle
        ("n_met", "i4"),
        ("met_from", "i2", (cz.GREY,)),  # number of the circle from which it was reached, or NONE
        ("next_arc", "i2", (cz.GREY,)),  # the next step to examine
        ("lowest", "i2", (cz.GREY,)),  # lowest number that one step from its branch leads to
        ("last", "i2", (cz.GREY,)),  # last number in its branch
        ("is_joint", "u1", (cz.GREY,)),  # 1: a branch is connected only by it
        ("held", "i4", (cz.GREY,)),  # bit mask of the contents of its branch
        ("held_before", "i4", (cz.GREY,)),  # contents of the circles with lower numbers
        ("held_after", "i4", (cz.GREY,)),  # contents of those with higher numbers
        ("scratch", "i4", (cz.MAX_LEGAL,)),  # memory for listing actions without choosing one
    ],
    align=True,
)
