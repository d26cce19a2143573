"""Rolling: "n dice against v" succeeds when at least one shows v or more.

All n dice are drawn, also after a success.
"""

from bartizan.simcore.compile.jit import jit
from bartizan.simcore.itter.components import Event
from bartizan.simcore.kit.journal import log
from bartizan.simcore.rng import die


@jit
def roll(state, tables, stream, n, needed):
    """True when at least one of n dice shows `needed` or more. Modifies the luck of `stream`."""
    successes = 0
    for _ in range(n):
        if die(state, stream, tables.die_sides) >= needed:
            successes += 1
    log(state, Event.ROLL, n, successes, needed)
    return successes > 0
