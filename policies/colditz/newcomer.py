"""What a first-time player of Escape from Colditz counts: who is out, who is locked up, and what an escape
still lacks.
"""

from bartizan.policies.colditz.aids import kit_keepers
from bartizan.policies.newcomer import newcomer
from bartizan.simcore.colditz.components import ALLIED, EQUIPMENT, POWS, Place
from bartizan.simcore.colditz.features import FAR, way_out
from bartizan.simcore.colditz.rules.pawns import cards_held
from bartizan.simcore.compile.jit import jit

ESCAPE, STAKED = 10.0, 5.0  # an ordinary escape, one by Do or Die
KIT, CARD = 5.0, 0.5  # an Escape Kit, a card in hand, beside the 1 of Equipment
CELL, DEAD = 1.0, 3.0  # a POW in Solitary, a dead one
STEPS = 10.0  # that the nearest way out is shorter


def goal(state, tables, seat):
    worth = 0.0
    for p in range(tables.players):
        worth += ESCAPE * state.escaped[p] + STAKED * state.staked_out[p] + errand(state, tables, p)
    for w in range(POWS):
        at = state.pow_at[w]
        worth -= CELL * (at == Place.CELL_INNER or at == Place.CELL_OUTER) + DEAD * (at == Place.DEAD)
    return worth if seat == ALLIED else -worth


@jit
def errand(state, tables, p):
    """How far a player has come: the four things of a Kit, then Equipment and the way out."""
    worth = CARD * cards_held(state, p)
    for e in range(EQUIPMENT):
        worth += state.equipment[p, e]
    if state.kit[p]:
        return worth + KIT + (FAR - way_out(state, tables, p)) / STEPS
    have, _ = kit_keepers(state, tables, p)
    for k in range(4):
        worth += have >> k & 1
    return worth


NEWCOMER = newcomer(goal, "escapes and what they still lack, against POWs in Solitary")
