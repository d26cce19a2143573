"""2.4, 2.5: the free move within a location, and the Move to another."""

from bartizan.simcore.compile.jit import inline, jit
from bartizan.simcore.itter import components as c
from bartizan.simcore.itter.actions import defender_and_position
from bartizan.simcore.itter.rules.board import location_of, may_stand, stand, swap

# ---------------------------------------------------------------- 2.4 free move


@inline
def may_shift(state, tables, d):
    """2.4 as a prelude to the action at hand: once, and not after being placed (R-06, R-07, R-62)."""
    return (
        tables.free_move_when == c.FreeMoveWhen.prelude
        and not state.shifted
        and not state.status[d] & c.Status.SHIFTED
        and (not state.just_placed or tables.shift_after_placing == c.ShiftAfterPlacing.yes)
    )


@jit
def may_shift_to(state, tables, d, p):
    """2.4: another position of the location, free or with somebody to swap with."""
    if p == state.place[d] or not may_stand(state, tables, d, p):
        return False
    other = state.occupant[p]
    return other == c.NONE or may_swap(state, tables, d, other)


@jit
def may_swap(state, tables, d, other):
    """2.4: neither is exhausted or disrupted (R-08), and each may stand where the other does."""
    unable = c.Status.EXHAUSTED | c.Status.DISRUPTED
    if tables.swap_partner_acted == c.SwapPartnerActed.no:
        unable |= c.SPENT
    if state.status[d] & (c.Status.EXHAUSTED | c.Status.DISRUPTED) or state.status[other] & unable:
        return False
    return may_stand(state, tables, other, state.place[d])


@jit
def shift(state, tables, argument):
    """2.4: go to a free position of the location, or swap. Modifies `state`."""
    d, p = defender_and_position(argument)
    if state.occupant[p] == c.NONE:
        stand(state, tables, d, p)
    else:
        swap(state, tables, d, p)
    state.shifted = 1


# ---------------------------------------------------------------- 2.5 Move


@jit
def may_move_to(state, tables, d, here, p):
    """2.5: a free position of another location; from the Cellar (`here`) only where it leads; into it by
    R-10.
    """
    there = tables.location[p]
    if state.occupant[p] != c.NONE or not tables.move_out[here, there] or not may_stand(state, tables, d, p):
        return False
    return not (tables.is_cellar[there] and tables.enter_cellar == c.EnterCellar.never)


@jit
def has_way(state, tables, d):
    """There is a position that d may Move to."""
    here = location_of(state, tables, d)
    for p in range(tables.n_positions):
        if may_move_to(state, tables, d, here, p):
            return True
    return False
