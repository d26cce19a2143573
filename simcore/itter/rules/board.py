"""Moves of pieces and dice rolls. Only functions of this module change positions.

Functions that return nothing modify `state`.
"""

from bartizan.simcore.compile.bits import count_bits, lowest, where_above, where_equal
from bartizan.simcore.compile.jit import inline, jit_module
from bartizan.simcore.itter import components as c
from bartizan.simcore.kit.journal import log
from bartizan.simcore.rng import die


@inline
def is_fit(state, d):
    """Return whether a defender is not exhausted, not disrupted, and without Action and Command tokens."""
    return (state.status[d] & c.UNFIT) == 0


@inline
def has(tables, d, attribute):
    return (tables.attributes[d] & attribute) != 0


@inline
def on_board(state, d):
    return state.place[d] >= 0


@inline
def location_of(state, tables, d):
    return tables.location[state.place[d]]


@inline
def is_at(state, tables, d, location):
    """Return whether defender d is on the board, in this location."""
    return on_board(state, d) and location_of(state, tables, d) == location


@inline
def in_cellar(state, tables, d):
    return tables.is_cellar[tables.location[state.place[d]]] != 0


@inline
def standable(state, tables, is_crew):
    """Return the positions (bit mask) on which a defender may be (4.2d). is_crew: whether he is a [T].

    No defender may be in the destroyed Besotten Jenny. With R-39 `not_allowed`, a crew position takes only
    [T].
    """
    positions = tables.board
    if state.tank_destroyed:
        positions &= ~tables.in_destructibles
    if tables.noncrew_on_crew_position == c.NoncrewOnCrewPosition.not_allowed and not is_crew:
        positions &= ~tables.for_crew
    return positions


@inline
def open_positions(state, tables, is_crew):
    """Return the positions (bit mask) that are free and allowed for a defender.

    is_crew: whether the defender is a [T].
    """
    return where_equal(state.occupant, c.NONE) & standable(state, tables, is_crew)


@inline
def may_stand(state, tables, d, p):
    return standable(state, tables, has(tables, d, c.Attribute.TANK_CREW)) >> p & 1 != 0


@inline
def is_open(state, tables, d, p):
    """Return whether a position is free and allowed for defender d."""
    return state.occupant[p] == c.NONE and may_stand(state, tables, d, p)


def stand(state, tables, d, p):
    leave(state, tables, d)
    state.place[d] = p
    state.occupant[p] = d


def leave(state, tables, d):
    """Remove d from the board position, if any.

    With R-61 `no`, leaving the cannon also removes the Load token.
    """
    p = state.place[d]
    if p < 0:
        return
    state.occupant[p] = c.NONE
    state.place[d] = c.NONE
    if p == tables.cannon and tables.load_token_stays == c.LoadTokenStays.no:
        state.loaded = 0


def remove(state, tables, d, place):
    """Move d to a place off the board (Place), and remove its tokens."""
    leave(state, tables, d)
    state.place[d] = place
    state.status[d] = 0


def swap(state, tables, d, p):
    other = state.occupant[p]
    here = state.place[d]
    leave(state, tables, d)
    stand(state, tables, other, here)
    stand(state, tables, d, p)


def counters_on(state, tables, colour, with_guns):
    """Return the number of SS counters on the circles of a colour.

    with_guns: whether Machine Gunners and Mortars are included.
    """
    circles = tables.circles_of[colour]
    n = count_bits(where_above(state.counter, c.NONE) & circles)
    if with_guns:
        areas = circles & tables.all_areas
        while areas:
            area = lowest(areas)
            areas &= areas - 1
            n += state.guns[tables.gun_kinds[0], area] + state.guns[tables.gun_kinds[1], area]
    return n


# ---------------------------------------------------------------- dice


def roll(state, tables, stream, n, needed):
    """Roll n dice, and return whether at least one shows `needed` or more.

    Advances the random stream `stream`.
    """
    successes = 0
    for _ in range(n):
        if die(state, stream, tables.die_sides) >= needed:
            successes += 1
    log(state, c.Event.ROLL, n, successes, needed)
    return successes > 0


jit_module(__name__)
