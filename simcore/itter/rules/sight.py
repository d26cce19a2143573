"""1.2, 1.3: the board as the defenders see it."""

from bartizan.simcore.compile.jit import jit
from bartizan.simcore.itter.components import GUN_TARGET, NONE, EscapeCounters


@jit
def write_targets(state, tables, p, code, legal, n):
    """1.3: a position sees every circle of any of its colours.

    Appends `code + target` for every SS counter seen; returns the new n.
    """
    for i in range(tables.n_seen[p]):
        circle = tables.seen[p, i]
        if state.counter[circle] != NONE:
            legal[n] = code + circle
            n += 1
        if tables.is_area[circle]:
            for gun in range(2):
                if state.guns[tables.gun_kinds[gun], circle] > 0:
                    legal[n] = code + circle + GUN_TARGET * (gun + 1)
                    n += 1
    return n


@jit
def is_colour_clear(state, tables, colour):
    """2.8b: no SS counter on any circle of this colour (R-26: also Machine Gunners and Mortars)."""
    for circle in range(2, state.counter.shape[0]):
        if tables.circle_colour[circle] != colour:
            continue
        if state.counter[circle] != NONE:
            return False
        if tables.escape_counters == EscapeCounters.all and tables.is_area[circle]:
            if state.guns[tables.gun_kinds[0], circle] > 0 or state.guns[tables.gun_kinds[1], circle] > 0:
                return False
    return True
