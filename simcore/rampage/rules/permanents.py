"""4.5, 7.9: permanents before their owner, and what they add up to."""

from bartizan.simcore.compile.jit import jit
from bartizan.simcore.kit.journal import log
from bartizan.simcore.rampage.components import PERMS, Event, Op
from bartizan.simcore.rampage.rules.piles import discard

DRAW = int(Op.perm_draw) - int(Op.perm_draw)
STRENGTHEN = int(Op.perm_extra_strengthen) - int(Op.perm_draw)


@jit
def lay(state, tables, p, k):
    """A permanent comes to lie before its owner. Modifies `state`."""
    state.laid[p, k] += 1
    state.n_laid[p] += 1
    state.raised += 1
    for i in range(PERMS):
        state.perm[p, i] += tables.perm[k, i]
    log(state, Event.LAID, p, k)


@jit
def raze(state, tables, p, k):
    """7.6: one of p's permanents is destroyed. Modifies `state`."""
    state.laid[p, k] -= 1
    state.n_laid[p] -= 1
    state.razed += 1
    for i in range(PERMS):
        state.perm[p, i] -= tables.perm[k, i]
    discard(state, tables, k)
    log(state, Event.RAZED, p, k)
