"""What players that try an action share: a future of their own, playing it on, room to do so.

For functions that `simcore.compile.loops.bound` binds to a game.
"""

import numpy as np

from bartizan.simcore.compile.copies import copy_state
from bartizan.simcore.compile.jit import jit
from bartizan.simcore.compile.rules import PLAYING, answer, apply, determinize, legal_actions, turn_number
from bartizan.simcore.errors import PolicyError
from bartizan.simcore.rng import fresh_luck, next_policy_luck

LONGEST = 20_000  # decisions of a play that is tried; it is cut off then


def begin_future(state, tables, action, trials, number, is_open=False):
    """trials[0] becomes `state` with `action` played in its future `number`: the dice are thrown anew, and
    unless it `is_open` what who is to move cannot know is dealt anew. Modifies trials.
    """
    trial = trials[0]
    copy_state(trial, state)
    fresh_luck(trial, number)
    if not is_open:
        determinize(trial, tables, state.to_move)
    apply(trial, tables, action)


def play_some(trial, tables, weights, legal, most, until):
    """Everybody plays on as `answer` says, for at most `most` decisions and not beyond the first of turn
    `until`; returns how many they were.

    legal: room for the legal actions. Modifies trial and legal.
    """
    plies = 0
    while trial.end_reason == PLAYING and plies < most and turn_number(trial) < until:
        n_legal = legal_actions(trial, tables, legal)
        next_policy_luck(trial)
        apply(trial, tables, answer(trial, tables, legal, n_legal, weights))
        plies += 1
    return plies


def refuse_open(name: str, engine) -> None:
    """A game that does not say what a seat cannot know would show hidden cards."""
    if engine.unknowable:
        raise PolicyError(f"policy {name}: lookahead redeals hidden cards. {engine.unknowable}")
    if not engine.can_deal:
        raise PolicyError(
            f"policy {name}: this game does not define what a seat cannot know (Engine.determinize, "
            "see docs/adding-a-game.md), so lookahead would use hidden cards"
        )


class DealsAnew(Exception):
    """A policy deals hidden cards anew, and this engine leaves that to `Engine.following`."""


def hold_dealing(name: str, engine) -> None:
    """Raises PolicyError for a game that cannot deal hidden cards anew, DealsAnew if another engine does."""
    refuse_open(name, engine)
    if engine.determinize is None:
        raise DealsAnew(name)


def maker(dtype, length=1):
    """Compiled: a record array."""

    def make():
        return np.zeros(length, dtype)

    return jit(make)


def scratch_dtype(engine, shown: int = 0) -> np.dtype:
    """What one decision works on, beside the state that is tried; `shown`: numbers of a state."""
    return np.dtype(
        [
            ("legal", "i4", (engine.max_legal,)),
            ("action", "i4", (engine.max_legal,)),  # the candidates
            ("total", "f8", (engine.max_legal,)),  # the summed value of each
            ("record", engine.record_dtype),
            ("seen", "f8", (shown,)),
        ],
        align=True,
    )
