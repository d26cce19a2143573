"""What the end of a game is worth to a seat: what training climbs, and looking ahead compares."""

from collections.abc import Callable
from functools import cache

import numpy as np

from bartizan.simcore.compile.jit import jit
from bartizan.simcore.play.rules import NOBODY


def win_or_not(record, seat):
    """Where a policy does not say otherwise (`policies.protocol.Policy.aim`): 1 a win, 1/2 a draw."""
    return 1.0 if record.winner == seat else 0.5 if record.winner == NOBODY else 0.0


@cache
def valuer(aim: Callable | None) -> Callable:
    """Compiled: (rows, seat) -> the worth of each row of records, float64."""
    value_of = jit(aim or win_or_not)

    def values_of(rows, seat):
        values = np.zeros(len(rows))
        for i in range(len(rows)):
            values[i] = value_of(rows[i], seat)
        return values

    return jit(values_of)
