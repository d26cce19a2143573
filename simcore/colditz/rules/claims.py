"""4.10, 4.11: Escape Kits and Equipment for POWs who stand in the right rooms."""

from bartizan.simcore.colditz import components as cz
from bartizan.simcore.colditz.actions import action, pair
from bartizan.simcore.colditz.rules.decks import holds, spend_card, take_equipment
from bartizan.simcore.colditz.rules.escaping import arrive
from bartizan.simcore.colditz.rules.pawns import on_surface, stand
from bartizan.simcore.compile.jit import jit
from bartizan.simcore.kit.actions import append
from bartizan.simcore.kit.journal import log

WHOLE_KIT = 15  # a bit for each of its four symbols


@jit
def symbol_of(state, tables, w):
    """The picture in the room where a POW stands, or NONE."""
    if not on_surface(state, w):
        return cz.NONE
    room = tables.board.room[state.pow_at[w]]
    return cz.NONE if room == cz.NONE else tables.board.symbol[room]


@jit
def write_equipment_claims(state, tables, p, legal, n):
    """4.11: pairs of POWs in rooms with the same equipment symbol.

    Writes into `legal`; returns the new number.
    """
    if tables.after_claim == cz.AfterClaim.stop and state.claims > 0:
        return n
    for w in range(p * cz.TEAM, (p + 1) * cz.TEAM):
        e = symbol_of(state, tables, w)
        if e == cz.NONE or e >= cz.EQUIPMENT or state.supply[e] == 0:
            continue
        for v in range(cz.POWS):
            own = v // cz.TEAM == p
            if symbol_of(state, tables, v) == e and (
                (own and v > w) or (not own and tables.equipment_pair == cz.EquipmentPair.two_allies)
            ):
                n = append(legal, n, action(cz.Act.EQUIP, pair(w, v)))
    return n


@jit
def claim_equipment(state, tables, w, v):
    """4.11: one card; both POWs go to the Appel. Modifies `state`."""
    take_equipment(state, w // cz.TEAM, symbol_of(state, tables, w))
    stand(state, tables, w, cz.APPEL)
    stand(state, tables, v, cz.APPEL)
    state.claims += 1
    state.claimed += 1
    if tables.after_claim == cz.AfterClaim.stop:
        state.halted |= 1 << w | 1 << v


@jit
def kit_symbols(state, tables, p):
    """Bit mask of the Kit's symbols that the player's POWs stand on."""
    seen = 0
    for w in range(p * cz.TEAM, (p + 1) * cz.TEAM):
        symbol = symbol_of(state, tables, w)
        if symbol >= cz.Symbol.disguise:
            seen |= 1 << (symbol - cz.Symbol.disguise)
    return seen


@jit
def write_kit_claims(state, tables, p, legal, n):
    """4.10: with any of the half cards held. Writes into `legal`; returns the new number."""
    if state.kit[p] or state.kit_supply == 0:
        return n
    seen = kit_symbols(state, tables, p)
    for mask in range(4):
        if tables.kit_claim == cz.KitClaim.all_or_none and (mask == 1 or mask == 2):
            continue
        if (mask & 1 and not holds(state, p, tables.half[0])) or (
            mask & 2 and not holds(state, p, tables.half[1])
        ):
            continue
        by_cards = (tables.half_items[0] if mask & 1 else 0) | (tables.half_items[1] if mask & 2 else 0)
        if tables.kit_claim == cz.KitClaim.all_or_none and mask == 3 and by_cards != WHOLE_KIT:
            continue
        if by_cards | (0 if mask == 3 and tables.kit_claim == cz.KitClaim.all_or_none else seen) == WHOLE_KIT:
            n = append(legal, n, action(cz.Act.KIT, mask))
    return n


@jit
def claim_kit(state, tables, p, mask):
    """4.10; 5.2: POWs who wait at a target escape. Modifies `state`."""
    for half in range(2):
        if mask >> half & 1:
            spend_card(state, p, tables.half[half])
    state.kit[p] = 1
    state.kit_supply -= 1
    state.kits += 1
    if state.first_kit == 0:
        state.first_kit = state.round
    log(state, cz.Event.KIT, p)
    for w in range(p * cz.TEAM, (p + 1) * cz.TEAM):
        arrive(state, tables, w)
