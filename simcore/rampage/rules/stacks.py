"""1.3: Gate and Castle. Cards are added at the bottom and leave at the top."""

from bartizan.simcore.compile.jit import jit
from bartizan.simcore.kit.journal import log
from bartizan.simcore.rampage.components import ROOM, Event, Structure
from bartizan.simcore.rampage.rules.piles import discard

TURN_ROUND = ROOM - 1


@jit
def top_card(state, p, structure):
    return int(state.stack[p, structure, state.top[p, structure] & TURN_ROUND])


@jit
def put_under(state, p, structure, k):
    """3.2, 3.5: to the bottom, also of an empty Gate. Modifies `state`."""
    state.stack[p, structure, state.top[p, structure] + state.size[p, structure] & TURN_ROUND] = k
    state.size[p, structure] += 1


@jit
def fell(state, tables, p, structure):
    """The top card is destroyed; its kind. Modifies `state`."""
    k = top_card(state, p, structure)
    state.top[p, structure] = state.top[p, structure] + 1 & TURN_ROUND
    state.size[p, structure] -= 1
    state.known[p, structure] = 0
    discard(state, tables, k)
    log(state, Event.FELL, p, structure, k)
    return k


@jit
def in_ruins(state, p):
    """6.1"""
    return state.size[p, Structure.CASTLE] == 0
