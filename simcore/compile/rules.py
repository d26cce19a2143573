"""Names of a game's rules in a play loop, and codes for the outcome of a game.

The functions here are placeholders: `simcore.compile.loops` binds each to the game's own function. A game may
omit functions that have an implementation here.
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
    """Set up a new game in `state`. Modifies `state`.

    At the call, the random streams of `state` are seeded and all other numbers in it are 0.
    """
    raise NotImplementedError


def legal_actions(state, tables, legal):
    """Write the legal actions of the player `state.to_move` into `legal` (int32). Returns their number, at
    least 1.
    """
    raise NotImplementedError


def apply(state, tables, action):
    """Apply a legal action and everything up to the next decision. Modifies `state` (sets `end_reason` at the
    end).
    """
    raise NotImplementedError


def write_record(state, tables, record):
    """Fill the game's own columns of one record row. Modifies `record`."""
    raise NotImplementedError


def asked(policies, seat, state, tables, legal, n_legal, weights):
    """Return the choice of a seat's policy. The policy is called through a pointer or bound
    (`simcore.play.tiers`).
    """
    return policies[seat](state, tables, legal, n_legal, weights)


# ---------------------------------------------------------------- games with cards (`simcore.game.Cards`)


def is_due(state, tables, seat):
    """Return whether `seat` has just received a card and must decide how to use it. Must not change the
    state.
    """
    raise NotImplementedError


def swap(state, tables, seat, kind):
    """Exchange the card that `seat` has just received for a card of `kind`; return False if none is left.
    Modifies `state`.
    """
    raise NotImplementedError


def note(state, tables, action, seen):
    """Count the cards that entered a hand, and the way in which each of them ended.

    Called before each `action` is applied, and with NO_ACTION after the end of the game; must not change
    `state`. seen: int32 [kind, 1 + use], modified in place: column 0 counts cards that entered a hand; the
    other columns count cards that ended in each use.
    """
    raise NotImplementedError


def holdings(state, tables, held):
    """Count the cards that players hold. Must not change the state.

    held: int32 [player, 1 + kind], modified in place: the seat of each player (NOBODY for an absent player),
    then the number of cards of each kind. Returns the player who decides.
    """
    raise NotImplementedError


def named_cards(state, action, named):
    """Write the kinds of cards in the mover's hand that an action names into `named` (int32). Returns their
    number. Must not change the state.
    """
    raise NotImplementedError


def take_away(state, tables, seat, kind, mark):
    """Exchange every card of `kind` that `seat` owns for any other card of the pile. Modifies `state`.

    mark: a number from 0 that distinguishes exchanges within one game. Returns the number of cards exchanged.
    """
    raise NotImplementedError


# ---------------------------------------------------------------- other futures


def turn_number(state):
    """Return the number of the turn, counted like `turn` in the record
    (`simcore.game.Engine.turn_number`).
    """
    return state.turn


def shuffle_unseen(state, tables):
    """Redeal, in `state`, the cards that nobody has seen; returns their number (`Engine.shuffle_unseen`)."""
    return 0


def determinize(state, tables, seat):
    """Redeal the cards that `seat` cannot know (`simcore.game.Engine.determinize`). Modifies `state`."""
    raise NotImplementedError


def write_features(state, tables, features):
    """Write the inputs of a value function (`simcore.features.Features.write`). Modifies `features`."""


def as_features(numbers):
    """Return float64 numbers as the record that `write_features` takes; they share memory."""
    return numbers


# ---------------------------------------------------------------- rules of one experiment


def progress(state, tables):
    """Return the progress towards an event (`simcore.game.Rare`); below 0 if it can no longer happen. Must
    not change the state.
    """
    raise NotImplementedError


def crossroads(state, tables, rows, action, moment):
    """Select the decisions at which both alternatives are simulated. Bound by the experiment.

    rows: int64 [row, number], keys of the rows. Returns the row of the decision at which `action` was chosen,
    or NO_ROW. Writes the two actions to be compared, followed by facts about them, into `moment` (int64).
    Must not change the state.
    """
    raise NotImplementedError


def note_events(state, log, n, game):
    """Append the events of the last action (`simcore.kit.journal.note_events`). Returns the number of
    entries.
    """
    return n


def answer(state, tables, legal, n_legal, weights):
    """Return the action of the policy that continues from here. Bound by the experiment."""
    raise NotImplementedError


def value_of(record, seat):
    """Return the value of a finished game for a seat (`policies.protocol.Policy.aim`). Bound by the
    experiment.
    """
    raise NotImplementedError


def foreseen(state, tables, weights, seen):
    """Return the value of a state for lookahead (`policies.lookahead`). Modifies `seen`, the features of the
    state. Bound by the experiment.
    """
    raise NotImplementedError


def turns_ahead(weights):
    """Return the lookahead depth in turns (`policies.lookahead`). Bound by the experiment."""
    raise NotImplementedError


def goal_of(state, tables, seat, weights=()):
    """Return the value of a position for a seat to a newcomer (`policies.newcomer`). weights: weights of the
    goal. Bound by the experiment.
    """
    raise NotImplementedError


def new_trials():
    """Return a record array of length 1 with the dtype of the game's state. Bound by the experiment."""
    raise NotImplementedError


def new_scratch():
    """Return a record array of length 1 for scratch data. Bound by the experiment."""
    raise NotImplementedError


def knows_card(state, tables, seat, owner, at, zone):
    """Return whether `seat` knows the card at place `at` (from 0) of an owner's pile
    (`simcore.learning.layout`). Bound by the experiment.
    """
    raise NotImplementedError
