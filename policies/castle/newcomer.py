"""The goal of a first-time player of Castle: the player's castle compared with the opponents' castles."""

from bartizan.policies.newcomer import newcomer
from bartizan.policies.protocol import indices
from bartizan.simcore.castle.components import NONE, ROYALS
from bartizan.simcore.castle.rules.grid import count
from bartizan.simcore.compile.jit import jit

WEIGHTS = {
    "royal": 3.0,  # a royal, in cards
    "held": 1.0,  # a card in reserve
    "others": 1.0,  # a card of the others, shared among them
}
AT = indices(WEIGHTS)


@jit
def wall(state, p, weights):
    """Return the weighted number of a player's cards in the castle and in reserve. Royals count more."""
    cards = count(state.occupied[p]) + weights[AT.held] * count(state.pool[p])
    for k in range(ROYALS):
        cards += (weights[AT.royal] - 1.0) * (state.royal[p, k] != NONE)
    return cards


def goal(state, tables, seat, weights):
    others = 0.0
    for p in range(tables.players):
        if p != seat and state.alive[p]:
            others += wall(state, p, weights)
    own = wall(state, seat, weights) * state.alive[seat]
    return own - weights[AT.others] * others / (tables.players - 1)


NEWCOMER = newcomer(
    goal, "the cards in its own castle against those in the others, with a royal counting as three", **WEIGHTS
)
