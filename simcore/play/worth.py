"""Values of finished games and of positions for a seat.

Training, lookahead and the newcomer policy use them.
"""

from collections.abc import Callable
from functools import cache

import numba
import numpy as np

from bartizan.simcore.arrays import as_records
from bartizan.simcore.compile import mistakes
from bartizan.simcore.compile.jit import PLAIN, jit
from bartizan.simcore.compile.rules import NOBODY
from bartizan.simcore.errors import PolicyError
from bartizan.simcore.game import Engine


def win_or_not(record, seat):
    """Return the default value of a finished game: 1 for a win, 1/2 for a draw, otherwise 0.

    See `policies.protocol.Policy.aim`.
    """
    return 1.0 if record.winner == seat else 0.5 if record.winner == NOBODY else 0.0


def no_goal(state, tables, seat):
    """Return 0, the goal for a game that defines none. `policies.newcomer` then values only the result."""
    return 0.0


@cache
def compiled_aim(aim: Callable | None, engine: Engine):
    """Compile a function (record, seat) that returns a number; None: `win_or_not`.

    Raises PolicyError with file and line if the function returns anything else.
    """
    return _compiled_number(aim or win_or_not, "aim", (engine.record_dtype,))


@cache
def compiled_goal(goal: Callable | None, engine: Engine):
    """Compile a function (state, tables, seat) that returns a number; None: `no_goal`.

    If the function takes weights, they follow the seat. Raises PolicyError with file and line if it returns
    anything else.
    """
    more = (numba.types.float64[::1],) if is_weighed(goal) else ()
    return _compiled_number(goal or no_goal, "goal", (engine.state_dtype, engine.tables_dtype), more)


def is_weighed(goal: Callable | None) -> bool:
    """Return whether a goal takes weights after the seat. None: False."""
    return goal is not None and goal.__code__.co_argcount > len(("state", "tables", "seat"))


def _compiled_number(plain: Callable, what: str, dtypes: tuple[np.dtype, ...], more: tuple = ()):
    """Compile a function of records, a seat, and values of the types in `more`.

    Raises PolicyError unless it returns a number. what: its name in messages.
    """
    function = jit(plain)
    if PLAIN:
        return function
    try:
        function.compile((*(numba.from_dtype(dtype) for dtype in dtypes), numba.types.int64, *more))
        returned = function.nopython_signatures[0].return_type
    except Exception as error:
        where, _, why = mistakes.sentence(error, plain).partition(": ")
        raise PolicyError(f"{where}: `{what}` does not compile: {why}") from error
    if not isinstance(returned, (numba.types.Float, numba.types.Integer)):
        raise PolicyError(
            f"{mistakes.head_of(plain)}: `{what}` returns {returned}, but it must return a number"
        )
    return function


@cache
def valuer(aim: Callable | None, engine: Engine) -> Callable:
    """Compile a function (rows, seat) that returns the value of each row of records, float64."""
    value_of = compiled_aim(aim, engine)

    def values_of(rows, seat):
        values = np.zeros(len(rows))
        for i in range(len(rows)):
            values[i] = value_of(rows[i], seat)
        return values

    if PLAIN:
        return lambda rows, seat: values_of(as_records(rows, hides_numpy=True), seat)
    return jit(values_of)
