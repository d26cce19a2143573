"""Functions shared by policies that simulate futures.

They begin a future, continue it, and allocate memory.

They are bound to a game by `simcore.compile.loops.bound`.
"""

import numpy as np

from bartizan.simcore.arrays import as_records
from bartizan.simcore.compile.copies import copy_state
from bartizan.simcore.compile.jit import PLAIN, jit
from bartizan.simcore.compile.rules import PLAYING, answer, apply, determinize, legal_actions, turn_number
from bartizan.simcore.documentation import page
from bartizan.simcore.errors import PolicyError
from bartizan.simcore.rng import fresh_luck, next_policy_luck

LONGEST = 20_000  # maximum decisions of a trial, after which it is truncated


def begin_future(state, tables, action, trials, number, is_open=False):
    """Set trials[0] to the state after `action`, with the random numbers of future `number`.

    is_open: whether hidden cards stay as they are. Otherwise, the cards that the player to move cannot know
    are redealt.
    """
    trial = trials[0]
    copy_state(trial, state)
    fresh_luck(trial, number)
    if not is_open:
        determinize(trial, tables, state.to_move)
    apply(trial, tables, action)


def play_some(trial, tables, weights, legal, most, until):
    """Simulate at most `most` decisions, and stop before the first decision of turn `until`.

    Return the number of decisions. The function `answer` decides for all players.

    trial: the state, which is modified. legal: working space for the legal actions.
    """
    plies = 0
    while trial.end_reason == PLAYING and plies < most and turn_number(trial) < until:
        n_legal = legal_actions(trial, tables, legal)
        next_policy_luck(trial)
        apply(trial, tables, answer(trial, tables, legal, n_legal, weights))
        plies += 1
    return plies


def refuse_open(name: str, engine) -> None:
    """Raise PolicyError for a game whose hidden cards cannot be redealt.

    Lookahead would use hidden cards in such a game.
    """
    if engine.unknowable:
        raise PolicyError(
            f"policy {name}: lookahead redeals hidden cards, which this game does not support. "
            f"{engine.unknowable}"
        )
    if not engine.can_deal:
        raise PolicyError(
            f"policy {name}: this game does not define hidden information (Engine.determinize, "
            f"see {page('adding-a-game')}), so lookahead would use hidden cards"
        )


class DealsAnew(Exception):
    """Raised if a policy needs an engine that can redeal hidden cards (`Engine.following`)."""


def check_can_determinize(name: str, engine) -> None:
    """Raise an error if the engine cannot redeal hidden cards.

    The error is DealsAnew if another engine of the game can redeal them, otherwise PolicyError.
    """
    refuse_open(name, engine)
    if engine.determinize is None:
        raise DealsAnew(name)


def maker(dtype, length=1):
    """Return a compiled function that creates a structured array of `length` elements of a dtype."""
    if PLAIN:
        return jit(lambda: as_records(np.zeros(length, dtype), hides_numpy=True))

    def make():
        return np.zeros(length, dtype)

    return jit(make)


def scratch_dtype(engine, shown: int = 0) -> np.dtype:
    """Return the dtype of the working space of one decision, without the simulated states.

    shown: number of features.
    """
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
