"""What a game's rules are called in a play loop, and the numbers that say how a game ended.

The functions here are names: `simcore.compile.loops` makes each mean the game's own function. A game need not
have those that answer something here.
"""

import numpy as np

PLAYING, ILLEGAL_ACTION, PLY_CAP = 0, 1, 2  # end_reason
FIRST_GAME_REASON = 3  # a game numbers its own end reasons from here

# winner: the seat that won, or
NOBODY, TRUNCATED, HOUSE = -1, -2, -3  # a draw, truncated by the ply cap, won by the game itself
NOT_THERE, NO_CARD = -4, -5  # interventions only: no such card left, the game was over before

NO_ACTION = np.int32(-1)  # what `note` is told when the game is over
NO_ROW = -1  # `crossroads` only: this decision is not asked about


# ---------------------------------------------------------------- every game


def reset(state, tables):
    """Set up a new game in `state`. Modifies `state`.

    Its luck is seeded, every other number in it is 0: nothing is left of a game before.
    """
    raise NotImplementedError


def legal_actions(state, tables, legal):
    """Legal actions of the player `state.to_move`, into `legal` (int32). Returns how many, at least 1."""
    raise NotImplementedError


def apply(state, tables, action):
    """Play a legal action and what follows without a decision. Modifies `state` (`end_reason` at the end)."""
    raise NotImplementedError


def write_record(state, tables, record):
    """Fill the game's own columns of one record row. Modifies `record`."""
    raise NotImplementedError


def asked(policies, seat, state, tables, legal, n_legal, weights):
    """What the policy of a seat chooses: called through a pointer, or bound (`simcore.play.tiers`)."""
    return policies[seat](state, tables, legal, n_legal, weights)


# ---------------------------------------------------------------- games with cards (`simcore.game.Cards`)


def is_due(state, tables, seat):
    """Has `seat` just got a card and is asked what to do with it? Leaves the state untouched."""
    raise NotImplementedError


def swap(state, tables, seat, kind):
    """Swap the card `seat` has just got for one of `kind`; False: none is left. Modifies `state`."""
    raise NotImplementedError


def note(state, tables, action, seen):
    """Count cards that came to a hand, and how they end.

    Called before each `action` is applied, and with NO_ACTION once the game is over; must leave `state` as it
    is. seen: int32 [kind, 1 + use], modified in place: column 0 cards that came to a hand, then those that
    ended in each use.
    """
    raise NotImplementedError


def holdings(state, tables, held):
    """Count the cards that players hold. Leaves the state untouched.

    held: int32 [player, 1 + kind], modified: the seat that a player belongs to (NOBODY: nobody plays there),
    then its cards. Returns the player who decides.
    """
    raise NotImplementedError


def named_cards(state, action, named):
    """The kinds of cards in the mover's hand that an action names, into `named` (int32). Returns how many.
    Leaves the state untouched.
    """
    raise NotImplementedError


def take_away(state, tables, seat, kind, mark):
    """Exchange every card of `kind` that `seat` owns for any other card of the pile. Modifies `state`.

    mark: a number of the moment, from 0, that tells exchanges of one game apart. Returns how many cards were
    exchanged.
    """
    raise NotImplementedError


# ---------------------------------------------------------------- other futures


def turn_number(state):
    """The turn as the record's `turn` counts it (`simcore.game.Engine.turn_number`)."""
    return state.turn


def shuffle_unseen(state, tables):
    """Deal anew, in `state`, what nobody has seen; returns how many cards (`Engine.shuffle_unseen`)."""
    return 0


def determinize(state, tables, seat):
    """Deal anew what `seat` cannot know (`simcore.game.Engine.determinize`). Modifies `state`."""
    raise NotImplementedError


def write_features(state, tables, features):
    """What a guess at the winner looks at (`simcore.features.Features.write`). Modifies `features`."""


def as_features(numbers):
    """float64 numbers as the record that `write_features` takes; they share memory."""
    return numbers


# ---------------------------------------------------------------- rules of one experiment


def progress(state, tables):
    """Progress towards an event (`simcore.game.Rare`); below 0: out of reach. Leaves the state untouched."""
    raise NotImplementedError


def crossroads(state, tables, rows, action, moment):
    """Is the decision at which `action` was chosen one to be played on both ways? Bound by whoever asks.

    rows: int64 [row, number], what tells the rows apart. Returns the row, or NO_ROW; writes into `moment`
    (int64) the two actions to be compared, then facts about it. Leaves the state untouched.
    """
    raise NotImplementedError


def note_events(state, log, n, game):
    """Entries for the last action's events (`simcore.kit.journal.note_events`). Returns their number."""
    return n


def answer(state, tables, legal, n_legal, weights):
    """The action of the policy that plays on from here. Bound by whoever asks."""
    raise NotImplementedError


def value_of(record, seat):
    """What the end of a game is worth to a seat (`policies.protocol.Policy.aim`). Bound by whoever asks."""
    raise NotImplementedError


def foreseen(state, tables, weights, seen):
    """A state's worth to who looks ahead (`policies.lookahead`): bound. Modifies `seen` (its numbers)."""
    raise NotImplementedError


def turns_ahead(weights):
    """How many turns ahead are played by who looks ahead (`policies.lookahead`): bound."""
    raise NotImplementedError


def goal_of(state, tables, seat, weights=()):
    """How well a seat stands as a newcomer counts it (`policies.newcomer`); weights: of what it counts. Bound
    by whoever asks.
    """
    raise NotImplementedError


def new_trials():
    """A record array of length 1 of the game's states. Bound by whoever asks."""
    raise NotImplementedError


def new_scratch():
    """A record array of length 1 of what the asker works on. Bound by whoever asks."""
    raise NotImplementedError


def knows_card(state, tables, seat, owner, at, zone):
    """Does `seat` know the card at place `at` (from 0) of an owner's pile (`simcore.learning.layout`)?
    Bound by whoever asks.
    """
    raise NotImplementedError
