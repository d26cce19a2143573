"""1.2, 1.3: the SS counters as the defenders see them."""

from bartizan.simcore.compile.jit import jit
from bartizan.simcore.itter.components import NONE, EscapeCounters


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
