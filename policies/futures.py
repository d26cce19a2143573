"""What players that try an action share: a future of their own, playing it on, room to do so.

For functions that `simcore.compile.loops.bound` binds to a game.
"""

from collections.abc import Callable
from functools import cache

import numba
import numpy as np

from bartizan.simcore.compile import mistakes
from bartizan.simcore.compile.jit import jit
from bartizan.simcore.compile.rules import (
    NOBODY,
    PLAYING,
    answer,
    apply,
    determinize,
    legal_actions,
    turn_number,
)
from bartizan.simcore.errors import PolicyError
from bartizan.simcore.game import Engine
from bartizan.simcore.rng import fresh_luck, next_policy_luck

LONGEST = 20_000  # decisions of a play that is tried; it is cut off then


def begin_future(state, tables, action, trials, number, is_open=False):
    """trials[0] becomes `state` with `action` played in its future `number`: the dice are thrown anew, and
    unless it `is_open` what who is to move cannot know is dealt anew. Modifies trials.
    """
    trials[0] = state
    trial = trials[0]
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
    if engine.determinize is None:
        raise PolicyError(
            f"policy {name}: this game does not say what a seat cannot know (Engine.determinize, see "
            "docs/adding-a-game.md); looking ahead would show hidden cards"
        )


def maker(dtype):
    """Compiled: a record array of length 1."""

    def make():
        return np.zeros(1, dtype)

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


# ---------------------------------------------------------------- worth of an end

# What the end of a game is worth to a seat, and how well it stands on the way: what training climbs,
# looking ahead compares, and a first-time player counts.


def win_or_not(record, seat):
    """Where a policy does not say otherwise (`policies.protocol.Policy.aim`): 1 a win, 1/2 a draw."""
    return 1.0 if record.winner == seat else 0.5 if record.winner == NOBODY else 0.0


def no_goal(state, tables, seat):
    """Where a game has none (`policies.newcomer`): only the result counts."""
    return 0.0


@cache
def compiled_aim(aim: Callable | None, engine: Engine):
    """Compiled: (record, seat) -> number. Raises PolicyError where it is none, with file and line."""
    return _compiled_number(aim or win_or_not, "aim", (engine.record_dtype,))


@cache
def compiled_goal(goal: Callable | None, engine: Engine):
    """Compiled: (state, tables, seat) -> number. Raises PolicyError where it is none, with file and line."""
    return _compiled_number(goal or no_goal, "goal", (engine.state_dtype, engine.tables_dtype))


def _compiled_number(plain: Callable, what: str, dtypes: tuple[np.dtype, ...]):
    """A function of records and a seat that returns a number."""
    function = jit(plain)
    try:
        function.compile((*(numba.from_dtype(dtype) for dtype in dtypes), numba.types.int64))
        returned = function.nopython_signatures[0].return_type
    except Exception as error:
        where, _, why = mistakes.sentence(error, plain).partition(": ")
        raise PolicyError(f"{where}: `{what}` does not compile: {why}") from error
    if not isinstance(returned, (numba.types.Float, numba.types.Integer)):
        raise PolicyError(f"{mistakes.head_of(plain)}: `{what}` returns {returned}, not a number")
    return function


@cache
def valuer(aim: Callable | None, engine: Engine) -> Callable:
    """Compiled: (rows, seat) -> the worth of each row of records, float64."""
    value_of = compiled_aim(aim, engine)

    def values_of(rows, seat):
        values = np.zeros(len(rows))
        for i in range(len(rows)):
            values[i] = value_of(rows[i], seat)
        return values

    return jit(values_of)
