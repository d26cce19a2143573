"""What a first-time player of Castle Rampage counts: the own cards that stand against the other's."""

from bartizan.policies.newcomer import newcomer
from bartizan.simcore.compile.jit import jit
from bartizan.simcore.rampage.components import Structure
from bartizan.simcore.rampage.rules.zones import other

CASTLE, HELD = 2.0, 0.5  # a card of the Castle, one held in hand, in cards of the Gate


@jit
def standing(state, p):
    """What a player has built and holds."""
    built = state.size[p, Structure.GATE] + state.n_laid[p]
    return CASTLE * state.size[p, Structure.CASTLE] + built + HELD * state.hand_size[p]


def goal(state, tables, seat):
    return standing(state, seat) - standing(state, other(seat))


NEWCOMER = newcomer(goal, "the cards of the own Castle, Gate and hand against the other's")
