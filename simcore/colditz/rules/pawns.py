"""Places of pawns (1): circles, Solitary and release (4.13, 7.4), and the barracks.

Functions that return nothing modify `state`.
"""

from bartizan.simcore.colditz import components as cz
from bartizan.simcore.compile.jit import jit_module
from bartizan.simcore.kit.journal import log

GUARD = 64  # `on`: POW w as w + 1, guard g as GUARD + g


def on_surface(state, w):
    """Return whether the POW is on a space (or in the Appel), not in a tunnel."""
    return state.pow_at[w] >= 0 and state.under[w] == cz.NONE


def lift(state, w):
    """Remove a POW from his circle or from the tunnel."""
    c = state.pow_at[w]
    if c > cz.APPEL:
        if state.under[w] == cz.NONE:
            state.on[c] = 0
        else:
            state.below[c] = 0
    state.under[w] = cz.NONE


def leave_board(state, tables, w, place):
    """Move a POW from the board to a Place. If he was the last escaper, guards Outside leave (5.3)."""
    was_escaper = is_escaper(state, tables, w)
    lift(state, w)
    state.pow_at[w] = place
    state.returning[w] = 0
    if was_escaper:
        stand_down(state, tables)


def stand(state, tables, w, c):
    """Put a POW on space c of the surface."""
    was_escaper = is_escaper(state, tables, w)
    log(state, cz.Event.MOVED, w, state.pow_at[w], c)
    lift(state, w)
    state.pow_at[w] = c
    if c != cz.APPEL:
        state.on[c] = w + 1
    if tables.board.zone[c] != cz.Zone.OUTER:
        state.returning[w] = 0
    if tables.board.grey[c]:
        state.used[w] = 0
    if was_escaper:
        stand_down(state, tables)


def stand_below(state, tables, w, c):
    log(state, cz.Event.MOVED, w, state.pow_at[w], c)
    lift(state, w)
    state.pow_at[w] = c
    state.under[w] = tables.board.tunnel_of[c]
    state.below[c] = w + 1
    state.returning[w] = 0


def post_guard(state, g, c):
    log(state, cz.Event.MOVED, GUARD + g, state.guard_at[g], c)
    old = state.guard_at[g]
    if old > cz.APPEL:
        state.on[old] = 0
    state.guard_at[g] = c
    if c > cz.APPEL:
        state.on[c] = GUARD + g


def to_barracks(state, g):
    old = state.guard_at[g]
    if old > cz.APPEL:
        state.on[old] = 0
    if old >= cz.APPEL:
        log(state, cz.Event.BARRACKS, g)
    state.guard_at[g] = cz.Place.BARRACKS


def is_posted(state, g):
    return state.guard_at[g] >= cz.APPEL


def guards_out(state):
    n = 0
    for g in range(cz.GUARDS):
        n += is_posted(state, g)
    return n


def guard_in_barracks(state):
    """Return the lowest-numbered guard in the barracks; NONE if there is none."""
    for g in range(cz.GUARDS):
        if state.guard_at[g] == cz.Place.BARRACKS:
            return g
    return cz.NONE


def is_on_the_run(state, tables, w):
    """Return whether a POW left the grey zone by himself, and is not on his way back (6.5).

    The way back is that from the outer cells.
    """
    return (
        on_surface(state, w)
        and tables.board.zone[state.pow_at[w]] >= cz.Zone.OUTER
        and not state.returning[w]
    )


def is_escaper(state, tables, w):
    """Return whether a POW is an escaper. Guards may stay Outside while there is an escaper (5.3, Q37)."""
    if not is_on_the_run(state, tables, w):
        return False
    if tables.board.zone[state.pow_at[w]] == cz.Zone.OUTSIDE:
        return True
    reading = tables.guards_outside
    return reading == cz.GuardsOutside.while_on_the_run or reading == cz.GuardsOutside.last_on_the_run


def stands_down_at_the_end(tables):
    """Return whether guards Outside must leave at the end of the German's turn (Q37).

    If so, they leave even if no POW has been out.
    """
    reading = tables.guards_outside
    return reading == cz.GuardsOutside.while_on_the_run or reading == cz.GuardsOutside.while_outside


def stand_down(state, tables):
    """Send the guards Outside to the barracks if no escaper is left (5.3)."""
    for w in range(cz.POWS):
        if is_escaper(state, tables, w):
            return
    for g in range(cz.GUARDS):
        if state.guard_at[g] > cz.APPEL and tables.board.zone[state.guard_at[g]] == cz.Zone.OUTSIDE:
            to_barracks(state, g)


# ---------------------------------------------------------------- players


def team_size(state, p):
    """Return the number of a player's POWs that are still in the game."""
    n = 0
    for w in range(p * cz.TEAM, (p + 1) * cz.TEAM):
        at = state.pow_at[w]
        n += at >= cz.APPEL or at == cz.Place.ON_THE_WAY
        n += at == cz.Place.CELL_INNER or at == cz.Place.CELL_OUTER
    return n


def in_play(state, p):
    return team_size(state, p) > 0


def equipment_held(state, p):
    n = 0
    for e in range(state.equipment.shape[1]):
        n += state.equipment[p, e]
    return n


def cards_held(state, p):
    n = 0
    for card in range(state.hand.shape[1]):
        n += state.hand[p, card]
    return n


def first_in_appel(state, p, barred):
    """Return the lowest-numbered POW of p in the Appel; NONE if there is none.

    POWs in the bit mask `barred` are ignored. POWs in the Appel are interchangeable.
    """
    for w in range(p * cz.TEAM, (p + 1) * cz.TEAM):
        if state.pow_at[w] == cz.APPEL and not barred >> w & 1:
            return w
    return cz.NONE


# ---------------------------------------------------------------- Solitary


def in_block(state, block):
    n = 0
    for w in range(cz.POWS):
        n += state.pow_at[w] == cz.Place.CELL_INNER - block
    return n


def can_imprison(state, tables):
    """Return whether a cell is free; always True with Q16 `unlimited`."""
    if tables.full_cells == cz.FullCells.unlimited:
        return True
    free = tables.cells[0] + tables.cells[1] - in_block(state, 0) - in_block(state, 1)
    return free > state.cells_size - state.cells_next  # some are on their way there


def imprison(state, tables, w, loss):
    """Send a POW to Solitary; the German chooses the block before play continues (7.2).

    Returns False if there is no cell (Q16), otherwise True.
    """
    if not can_imprison(state, tables):
        return False
    at = state.pow_at[w]
    run = at >= cz.APPEL and not tables.board.grey[at]
    if run:
        state.runs_lost += 1
        state.last_run = loss
    state.losses[loss] += 1
    leave_board(state, tables, w, cz.Place.ON_THE_WAY)
    state.cells[state.cells_size] = w
    state.cells_size += 1
    return True


def lock_up(state, w, block):
    state.pow_at[w] = cz.Place.CELL_INNER - block
    log(state, cz.Event.CELL, w, block)


def prisoner(state, p, block):
    """Return the lowest-numbered POW of p in a block; NONE if there is none."""
    for w in range(p * cz.TEAM, (p + 1) * cz.TEAM):
        if state.pow_at[w] == cz.Place.CELL_INNER - block:
            return w
    return cz.NONE


def first_free(state, near):
    """Return the first unoccupied circle of `near` (nearest first); the Appel if there is none."""
    for i in range(cz.NEAR):
        if near[i] != cz.NONE and state.on[near[i]] == 0:
            return near[i]
    return cz.APPEL  # cannot happen: the lists are longer than there are pawns


def release(state, tables, w, block, nearer):
    """Move a POW from his cell to the free circle nearest to the door (4.13).

    nearer: use a free circle that is nearer to the way back instead (9.10). A POW from the outer block (block
    1) who appears in the Outer Area is marked as returning (4.14).
    """
    c = first_free(state, tables.board.near_door[block])
    if nearer:
        c = first_free(state, tables.board.near_back)
    stand(state, tables, w, c)
    if block == 1 and tables.board.zone[c] == cz.Zone.OUTER:
        state.returning[w] = 1
        back = tables.board.steps[c, tables.board.pass_circle]
        coming_out = tables.return_immunity != cz.ReturnImmunity.at_once  # counts as a step of this turn
        state.return_from[w] = back + coming_out
    log(state, cz.Event.RELEASED, w, c)


jit_module(__name__)
