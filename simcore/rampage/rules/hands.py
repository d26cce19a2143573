"""1.2, 4.2, 4.3: hands, what can be paid from them, and cards taken out of them."""

from bartizan.simcore.compile.jit import inline, jit
from bartizan.simcore.rampage.components import ANY, NEED, NONE, UNITS, RepelledVeteran, SeveralSymbols

DEMAND = (1 << NEED) - 1


@inline
def other(p):
    return 1 - p


@jit
def gain(state, tables, p, k):
    """A card comes to a hand. Modifies `state`."""
    state.hand[p, k] += 1
    state.hand_size[p] += 1
    state.held[p] |= 1 << k
    state.shows[p, tables.shows[k]] += 1


@jit
def take(state, tables, p, k):
    """A card leaves a hand. Modifies `state`."""
    state.hand[p, k] -= 1
    state.hand_size[p] -= 1
    if state.hand[p, k] == 0:
        state.held[p] &= ~(1 << k)
    state.shows[p, tables.shows[k]] -= 1


@jit
def spare(state, tables, p, k):
    """A card leaves a hand unplayed: tired ones go first (A16b). Modifies `state`."""
    take(state, tables, p, k)
    if state.tired[k] > 0 and p == state.on_turn and tables.repelled_veteran == RepelledVeteran.to_hand:
        state.tired[k] -= 1


# ---------------------------------------------------------------- 4.2, 4.3, 7.1: costs


@inline
def demanded(need, unit):
    """How many cards of a unit (UNITS: of any kind) a packed demand asks for."""
    return need >> unit * NEED & DEMAND


@jit
def cards_of(need):
    """How many cards a packed demand asks for."""
    n = 0
    for unit in range(UNITS + 1):
        n += demanded(need, unit)
    return n


@jit
def can_pay(state, tables, p, need, k):
    """4.2, 4.3: can this be paid from the hand less one card of kind k (NONE: from all of it)?

    Hall's marriage theorem: it can, if every set of demanded units is shown by as many cards as it demands.
    """
    cards = state.hand_size[p] - (k != NONE)
    together = tables.several_symbols == SeveralSymbols.yes  # A9: a card pays all it shows
    if need < 1 << NEED * UNITS:
        if need == 0:
            return True
        if not together and cards_of(need) > cards:
            return False
    elif cards_of(need) > cards:
        return False
    own = tables.shows[k] if k != NONE else 0
    for units in range(1, 1 << tables.units):
        if together and units & (units - 1) != 0:
            continue
        wanted = demanded_of(tables, need, units)
        if wanted > 0 and shown(state, tables, p, units) - (own & units != 0) < wanted:
            return False
    return True


@jit
def demanded_of(tables, need, units):
    """How many cards a set of units (a bit mask) demands together; 0 if one of them demands none: the set
    without it says more.
    """
    wanted = 0
    for unit in range(tables.units):
        if units >> unit & 1:
            n = demanded(need, unit)
            if n == 0:
                return 0
            wanted += n
    return wanted


@jit
def shown(state, tables, p, units):
    """How many hand cards show at least one of these units (a bit mask)."""
    n = 0
    for shows in range(1, 1 << tables.units):
        if shows & units:
            n += state.shows[p, shows]
    return n


@jit
def asked_unit(need):
    """What is to be paid next: a unit, or UNITS for any card."""
    for unit in range(UNITS):
        if demanded(need, unit) > 0:
            return unit
    return UNITS


@jit
def less(tables, need, k):
    """What is left of a demand when a card of kind k has paid for what is asked next (A9: and for all it
    shows).
    """
    unit = asked_unit(need)
    if unit == UNITS:
        return need - (1 << ANY)
    if tables.several_symbols == SeveralSymbols.no:
        return need - (1 << unit * NEED)
    for u in range(UNITS):
        if tables.shows[k] >> u & 1 and demanded(need, u) > 0:
            need -= 1 << u * NEED
    return need
