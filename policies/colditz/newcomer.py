"""The goal of a first-time player of Escape from Colditz.

It counts escaped POWs, prisoners, and the items still missing for an escape.
"""

from bartizan.policies.colditz.aids import kit_keepers
from bartizan.policies.newcomer import newcomer
from bartizan.policies.protocol import indices
from bartizan.simcore.colditz.components import ALLIED, EQUIPMENT, POWS, Place
from bartizan.simcore.colditz.features import FAR, way_out
from bartizan.simcore.colditz.rules.pawns import cards_held
from bartizan.simcore.compile.jit import jit

WEIGHTS = {
    "escape": 10.0,  # an ordinary escape
    "staked": 5.0,  # one by Do or Die
    "kit": 5.0,  # an Escape Kit, in addition to 1 for Equipment
    "card": 0.5,  # a card in hand
    "cell": 1.0,  # a POW in Solitary
    "dead": 3.0,
    "steps": 10.0,  # for a shorter way to the nearest exit
}
AT = indices(WEIGHTS)


def goal(state, tables, seat, weights):
    worth = 0.0
    for p in range(tables.players):
        out = weights[AT.escape] * state.escaped[p] + weights[AT.staked] * state.staked_out[p]
        worth += out + errand(state, tables, p, weights)
    for w in range(POWS):
        at = state.pow_at[w]
        worth -= weights[AT.cell] * (at == Place.CELL_INNER or at == Place.CELL_OUTER)
        worth -= weights[AT.dead] * (at == Place.DEAD)
    return worth if seat == ALLIED else -worth


@jit
def errand(state, tables, p, weights):
    """Return a player's progress: a Kit's four items, then Equipment and the way out, plus cards in hand."""
    worth = weights[AT.card] * cards_held(state, p)
    for e in range(EQUIPMENT):
        worth += state.equipment[p, e]
    if state.kit[p]:
        return worth + weights[AT.kit] + (FAR - way_out(state, tables, p)) / weights[AT.steps]
    have, _ = kit_keepers(state, tables, p)
    for k in range(4):
        worth += have >> k & 1
    return worth


NEWCOMER = newcomer(goal, "escapes and the items still missing for them, against POWs in Solitary", **WEIGHTS)
