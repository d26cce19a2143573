"""The step and the loop of a simulated game, shared by all experiments.

`decide` applies the ply cap, calls a policy and checks its choice against the rules. A game that reaches
the cap is truncated, with the end reason PLY_CAP.

Functions that set up or simulate a game modify the states and the workspace that they receive.
"""

import numpy as np

from bartizan.simcore.compile.jit import hot
from bartizan.simcore.compile.rules import (
    ILLEGAL_ACTION,
    NO_ACTION,
    PLAYING,
    PLY_CAP,
    TRUNCATED,
    apply,
    asked,
    legal_actions,
    reset,
    write_record,
)
from bartizan.simcore.rng import fresh_luck, next_policy_luck, seed_luck


def begin_game(states, tables, workspace, game):
    """Set up a game of the workspace's seed in states[0], and store its number in `workspace.game`.

    Returns 0, the number of plies.
    """
    workspace.game = game
    blank_state(states, 0, workspace, game)
    reset(states[0], tables)
    return np.int64(0)  # for a plain 0, which has its own type, numba would compile `step` once more


def begin_under_other_luck(states, i, tables, workspace, game, branch):
    """Set up a game of the workspace's seed in states[i], with the random numbers of a future.

    branch: number of the future (`fresh_luck`).
    """
    blank_state(states, i, workspace, game)
    fresh_luck(states[i], branch)
    reset(states[i], tables)


def blank_state(states, i, workspace, game):
    """Set all of states[i] to 0, then seed its random streams for `game`, as `reset` requires.

    Takes the array, not the record, because numba copies whole records through the array that contains them.
    """
    states[i] = workspace.blank
    seed_luck(states[i], workspace.seed, game)


def is_listed(legal, n_legal, action):
    for i in range(n_legal):
        if legal[i] == action:
            return True
    return False


def decide(state, tables, policies, workspace, plies):
    """Return the action that the player to move chooses, after `plies` decisions.

    A user's policy receives a copy of the legal actions, so that writing to it cannot make an action legal.
    If the ply cap is reached (PLY_CAP) or the action is illegal (ILLEGAL_ACTION), the game ends with this
    `state.end_reason`, and no action is applied. Stores the legal actions, and the details of an illegal
    action, in `workspace`.
    """
    if plies == workspace.ply_cap:
        state.end_reason = PLY_CAP
        return NO_ACTION
    legal = workspace.legal[:]
    n_legal = legal_actions(state, tables, legal)
    workspace.n_legal = n_legal
    if n_legal == 0:  # without legal actions, no policy is asked
        state.end_reason = ILLEGAL_ACTION
        note_illegal(workspace, state.to_move, NO_ACTION, plies)
        return NO_ACTION
    shown = legal
    if workspace.is_guarded:
        shown = workspace.shown[:]
        for i in range(n_legal):
            shown[i] = legal[i]
    mover = state.to_move
    next_policy_luck(state)
    action = asked(policies, mover, state, tables, shown, n_legal, workspace.weights[mover])
    if not is_listed(legal, n_legal, action):
        state.end_reason = ILLEGAL_ACTION
        note_illegal(workspace, mover, action, plies)
    return action


def note_illegal(workspace, seat, action, plies):
    """Store the details of an illegal action in `workspace`.

    `simcore.play.failures.illegal_action` reports them.
    """
    workspace.is_illegal = 1
    workspace.seat = seat
    workspace.action = action
    workspace.ply = plies


@hot
def step(state, tables, policies, workspace, plies):
    """Simulate one decision and its effects, after `plies` decisions of a game that is not over.

    Returns the new number of plies.
    """
    action = decide(state, tables, policies, workspace, plies)
    if state.end_reason != PLAYING:
        return plies
    apply(state, tables, action)
    return plies + 1


def play_on(state, tables, policies, workspace, plies):
    """Simulate a game after `plies` decisions to its end, and return its number of plies.

    The workspace is one record because compiled code counts references to separate arrays at every call,
    which takes longer than a small decision.
    """
    while state.end_reason == PLAYING:
        plies = step(state, tables, policies, workspace, plies)
    return plies


def winner_of(state, tables, workspace):
    """Return the seat that won a finished game, or NOBODY, TRUNCATED or HOUSE."""
    if state.end_reason == PLY_CAP:
        return TRUNCATED
    write_record(state, tables, workspace.record)
    return workspace.record.winner


def outcome(state, tables, policies, workspace, plies):
    """Simulate a game to its end and return the winner (`winner_of`).

    The result is meaningless for a game that ended with an illegal action (`workspace.is_illegal`).
    """
    play_on(state, tables, policies, workspace, plies)
    return winner_of(state, tables, workspace)


def write_row(state, tables, plies, record):
    """Write the row of a finished game into `record`, except for the number of the game."""
    write_record(state, tables, record)
    record.plies = plies
    record.end_reason = state.end_reason
    if state.end_reason == PLY_CAP:
        record.winner = TRUNCATED
