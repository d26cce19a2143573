"""One step, one loop: what every experiment plays with.

`decide` alone knows the ply cap, asks a policy and holds its answer to the rules. A game that reaches the cap
is truncated: its end reason is PLY_CAP, whoever plays it.
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
    """Set up a game of the workspace's seed in states[0], and `workspace.game`. Returns 0, its plies."""
    workspace.game = game
    blank_state(states, 0, workspace, game)
    reset(states[0], tables)
    return np.int64(0)  # for a plain 0, a type of its own, numba would compile `step` once more


def begin_under_other_luck(states, i, tables, workspace, game, branch):
    """Set up the same game in states[i] under the luck of a branch (`fresh_luck`). Modifies states[i]."""
    blank_state(states, i, workspace, game)
    fresh_luck(states[i], branch)
    reset(states[i], tables)


def blank_state(states, i, workspace, game):
    """All of states[i] becomes 0, then its luck that of `game`: what `reset` may rely on.

    The array is named, not the record: numba copies whole records through the array that holds them.
    """
    states[i] = workspace.blank
    seed_luck(states[i], workspace.seed, game)


def is_listed(legal, n_legal, action):
    for i in range(n_legal):
        if legal[i] == action:
            return True
    return False


def decide(state, tables, policies, workspace, plies):
    """Ask the player who is to move for the action that follows `plies` others.

    A policy from outside is shown a copy of the legal actions: what it writes there makes nothing legal.
    The game is over, and no action to be applied, when the ply cap is reached (PLY_CAP) or the action is not
    legal (ILLEGAL_ACTION): `state.end_reason` tells. Modifies `state`, and `workspace`: the legal actions,
    and who did what when it was illegal.
    """
    if plies == workspace.ply_cap:
        state.end_reason = PLY_CAP
        return NO_ACTION
    legal = workspace.legal[:]
    n_legal = legal_actions(state, tables, legal)
    workspace.n_legal = n_legal
    if n_legal == 0:  # nobody is asked where there is no answer
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
    """Keep what `simcore.play.failures.illegal_action` says. Modifies `workspace`."""
    workspace.is_illegal = 1
    workspace.seat = seat
    workspace.action = action
    workspace.ply = plies


@hot
def step(state, tables, policies, workspace, plies):
    """One decision and what follows from it, `plies` decisions into a game that is not over.

    Modifies `state` and `workspace`; returns the plies (decisions) of the game so far.
    """
    action = decide(state, tables, policies, workspace, plies)
    if state.end_reason != PLAYING:
        return plies
    apply(state, tables, action)
    return plies + 1


def play_on(state, tables, policies, workspace, plies):
    """Play on to the end, `plies` decisions into a game. Modifies `state`; returns the plies of the game.

    workspace: a record, as is all scratch: compiled code counts references to free-standing arrays at every
    call, which costs more than a small decision.
    """
    while state.end_reason == PLAYING:
        plies = step(state, tables, policies, workspace, plies)
    return plies


def winner_of(state, tables, workspace):
    """The seat that won a game that is over, or NOBODY, TRUNCATED, HOUSE. Modifies `workspace.record`."""
    if state.end_reason == PLY_CAP:
        return TRUNCATED
    write_record(state, tables, workspace.record)
    return workspace.record.winner


def outcome(state, tables, policies, workspace, plies):
    """Play on to the end: who won (`winner_of`). Modifies `state` and `workspace`.

    Says nothing of a game that ended with an illegal action (`workspace.is_illegal`).
    """
    play_on(state, tables, policies, workspace, plies)
    return winner_of(state, tables, workspace)


def write_row(state, tables, plies, record):
    """Record a game that is over, but for its number. Modifies `record`."""
    write_record(state, tables, record)
    record.plies = plies
    record.end_reason = state.end_reason
    if state.end_reason == PLY_CAP:
        record.winner = TRUNCATED
