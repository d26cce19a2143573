"""What a first-time player of Castle counts: the own castle against the others'."""

from bartizan.policies.newcomer import newcomer
from bartizan.simcore.castle.components import NONE, ROYALS
from bartizan.simcore.castle.rules.grid import count
from bartizan.simcore.compile.jit import jit

ROYAL = 3.0  # a royal, in cards


@jit
def wall(state, p):
    """A player's cards, in the castle and in reserve; the royals among them count more."""
    cards = float(count(state.occupied[p]) + count(state.pool[p]))
    for k in range(ROYALS):
        cards += (ROYAL - 1.0) * (state.royal[p, k] != NONE)
    return cards


def goal(state, tables, seat):
    others = 0.0
    for p in range(tables.players):
        if p != seat and state.alive[p]:
            others += wall(state, p)
    return wall(state, seat) * state.alive[seat] - others / (tables.players - 1)


NEWCOMER = newcomer(goal, "the cards of the own castle against the others', a royal as three")
