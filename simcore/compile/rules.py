"""Names of a game's rules in a play loop, and codes for the outcome of a game.

The functions here are placeholders: `simcore.compile.loops` binds each to the game's own function, or to a
function of the experiment. A game may omit functions that have an implementation here.

`reset`, `apply`, `swap`, `take_away`, `shuffle_unseen` and `determinize` modify `state`. The other functions
must leave the game in `state` unchanged.
"""

import numpy as np

PLAYING, ILLEGAL_ACTION, PLY_CAP = 0, 1, 2  # end_reason
FIRST_GAME_REASON = 3  # the first end reason of a game's own

# winner: the seat that won, or
NOBODY, TRUNCATED, HOUSE = -1, -2, -3  # a draw, truncated by the ply cap, won by the game itself
NOT_THERE, NO_CARD = -4, -5  # only for interventions: no such card left; the game was already over

NO_ACTION = np.int32(-1)  # passed to `note` after the end of the game
NO_ROW = -1  # only for `crossroads`: this decision is not examined


# ---------------------------------------------------------------- every game


def reset(state, tables):
    """Set up a new game in `state`.

    At the call, the random streams of `state` are seeded and all other numbers in it are 0.
    """
    raise NotImplementedError


def legal_actions(state, tables, legal):
    """Write the legal actions of the player `state.to_move` into `legal` (int32).

    Returns their number, at least 1.
    """
    raise NotImplementedError


def apply(state, tables, action):
    """Apply a legal action and its effects up to the next decision. Set `end_reason` when the game ends."""
    raise NotImplementedError


def write_record(state, tables, record):
    """Fill the game's own columns of one row of the record."""
    raise NotImplementedError


def asked(policies, seat, state, tables, legal, n_legal, weights):
    """Return the action that a seat's policy chooses.

    The policy is called through a pointer or bound (`simcore.play.tiers`).
    """
    return policies[seat](state, tables, legal, n_legal, weights)


# ---------------------------------------------------------------- games with cards (`simcore.game.Cards`)


def is_due(state, tables, seat):
    """Return whether `seat` has just received a card and must decide how to use it."""
    raise NotImplementedError


def swap(state, tables, seat, kind):
    """Exchange the card that `seat` has just received for a card of `kind`; return False if none is left."""
    raise NotImplementedError


def note(state, tables, action, seen):
    """Count the cards that entered a hand, and the cards that ended in each use.

    Called before each `action` is applied, and with NO_ACTION after the end of the game. seen: int32 [kind, 1
    + use], modified in place: column 0 counts cards that entered a hand; the other columns count cards that
    ended in each use.
    """
    raise NotImplementedError


def holdings(state, tables, held):
    """Count the cards of each player, and return the player who decides.

    held: int32 [player, 1 + kind], modified in place: the seat of each player (NOBODY for an absent player),
    then the number of cards of each kind.
    """
    raise NotImplementedError


def named_cards(state, action, named):
    """Find the kinds of card in the hand of the player to move to which an action refers.

    Write them into `named` (int32), and return their number.
    """
    raise NotImplementedError


def take_away(state, tables, seat, kind, mark):
    """Exchange every card of `kind` that `seat` owns for any other card of the pile.

    mark: a number from 0 that distinguishes exchanges within one game. Returns the number of cards exchanged.
    """
    raise NotImplementedError


# ---------------------------------------------------------------- other futures


def turn_number(state):
    """Return the number of the turn (`simcore.game.Engine.turn_number`), as in the record's `turn`."""
    return state.turn


def shuffle_unseen(state, tables):
    """Redeal the cards that nobody has seen, and return their number (`Engine.shuffle_unseen`)."""
    return 0


def determinize(state, tables, seat):
    """Redeal the cards that `seat` cannot know (`simcore.game.Engine.determinize`)."""
    raise NotImplementedError


def write_features(state, tables, features):
    """Write the inputs of a value function into `features` (`simcore.features.Features.write`)."""


def as_features(numbers):
    """Return an array of float64 as the record that `write_features` takes, sharing its memory."""
    return numbers


# ---------------------------------------------------------------- rules of one experiment


def progress(state, tables):
    """Return the progress towards an event (`simcore.game.Rare`).

    The progress is below 0 if the event can no longer happen.
    """
    raise NotImplementedError


def crossroads(state, tables, rows, action, moment):
    """Select the decisions at which both alternatives are simulated.

    rows: int64 [row, number], keys of the rows. Returns the row of the decision at which `action` was chosen,
    or NO_ROW. Writes the two actions to be compared, followed by facts about them, into `moment` (int64).
    """
    raise NotImplementedError


def note_events(state, log, n, game):
    """Append the events of the last action to `log`, and return the new number of entries.

    See `simcore.kit.journal.note_events`.
    """
    return n


def answer(state, tables, legal, n_legal, weights):
    """Return the action of the policy that continues from here."""
    raise NotImplementedError


def value_of(record, seat):
    """Return the value of a finished game for a seat (`policies.protocol.Policy.aim`)."""
    raise NotImplementedError


def foreseen(state, tables, weights, seen):
    """Return the value of a state for lookahead (`policies.lookahead`).

    seen: the features of the state, overwritten.
    """
    raise NotImplementedError


def turns_ahead(weights):
    """Return the lookahead depth in turns (`policies.lookahead`)."""
    raise NotImplementedError


def goal_of(state, tables, seat, weights=()):
    """Return the value that the newcomer policy (`policies.newcomer`) assigns to a position for a seat.

    weights: weights of the goal.
    """
    raise NotImplementedError


def new_trials():
    """Return a record array of length 1 with the dtype of the game's state."""
    raise NotImplementedError


def new_scratch():
    """Return a record array of length 1 for scratch data."""
    raise NotImplementedError


def knows_card(state, tables, seat, owner, at, zone):
    """Return whether `seat` knows the card at place `at` (from 0) of an owner's pile.

    See `simcore.learning.layout`.
    """
    raise NotImplementedError
