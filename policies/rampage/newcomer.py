"""The goal of a first-time player of Castle Rampage: own cards in play compared with the opponent's."""

from bartizan.policies.newcomer import newcomer
from bartizan.policies.protocol import indices
from bartizan.simcore.compile.jit import jit
from bartizan.simcore.rampage.components import Structure
from bartizan.simcore.rampage.rules.zones import other

WEIGHTS = {
    "castle": 2.0,  # a card of the Castle, in Gate cards
    "held": 0.5,  # a card in hand
    "others": 1.0,  # a card of the opponent
}
AT = indices(WEIGHTS)


@jit
def standing(state, p, weights):
    """Return the value of a player's structures, permanents and hand."""
    built = state.size[p, Structure.GATE] + state.n_laid[p]
    return (
        weights[AT.castle] * state.size[p, Structure.CASTLE] + built + weights[AT.held] * state.hand_size[p]
    )


def goal(state, tables, seat, weights):
    return standing(state, seat, weights) - weights[AT.others] * standing(state, other(seat), weights)


NEWCOMER = newcomer(goal, "the cards of its own Castle, Gate and hand against the opponent's", **WEIGHTS)
