"""Opportunity cards of `escape_officer` that change hands or are thrown away."""

from bartizan.policies.colditz.plans import AT
from bartizan.simcore.colditz.actions import gift_of
from bartizan.simcore.colditz.components import EQUIPMENT, TEAM, TUNNELS, Place
from bartizan.simcore.compile.jit import jit


@jit
def worth_of_gift(state, tables, p, argument, weights):
    """What runs take, to an ally who has a Kit when its owner has none; half Kits the other way; a Release to
    who has prisoners when its owner has none.
    """
    giver, taker, card = gift_of(argument)
    if giver != p or (weights[AT.gifts] == 0.0 and card != tables.car):
        return -1.0
    if card == tables.car or is_tunnel_card(tables, card):
        return 300.0 if state.kit[taker] and not state.kit[giver] else -1.0
    if card == tables.half[0] or card == tables.half[1]:
        return 290.0 if state.kit[giver] and not state.kit[taker] else -1.0
    frees = card == tables.release and prisoners(state, giver) == 0
    return 280.0 + prisoners(state, taker) if frees and prisoners(state, taker) > 0 else -1.0


@jit
def is_tunnel_card(tables, card):
    for t in range(TUNNELS):
        if card == tables.open_tunnel[t]:
            return True
    return False


@jit
def prisoners(state, p):
    n = 0
    for w in range(p * TEAM, (p + 1) * TEAM):
        n += state.pow_at[w] == Place.CELL_INNER or state.pow_at[w] == Place.CELL_OUTER
    return n


@jit
def worth_of_discard(state, tables, p, card, weights):
    """Which card goes first: the least use."""
    if card == tables.half[0] or card == tables.half[1]:
        return 0.9 if state.kit[p] else 0.1
    if card == tables.diversion or card == tables.inspection or card == tables.hideaway:
        return 0.2
    if card == tables.bribe[1] or card == tables.bribe[2] or card == tables.car:
        return 0.0
    if is_tunnel_card(tables, card) and weights[AT.tunnel] > 0.0:
        return 0.0
    for e in range(EQUIPMENT):
        if card == tables.equip[e]:
            return 0.3
    return 0.5
