"""4.0: targets by colour or by table, and disruption."""

from bartizan.simcore.compile.jit import inline, jit
from bartizan.simcore.itter.components import NONE, Cause, Event, Luck, Status, TargetSearch
from bartizan.simcore.itter.rules.attributes import open_deaths
from bartizan.simcore.itter.rules.board import location_of
from bartizan.simcore.itter.rules.dice import roll
from bartizan.simcore.kit.journal import log
from bartizan.simcore.rng import die

# ---------------------------------------------------------------- who is hit


@jit
def target_by_colour(state, tables, colour):
    """4.0: the defender found by one die on a colour, or NONE when nobody stands on its faces (then no die is
    rolled; R-41, R-42).
    """
    if lowest_occupied(state, tables, colour, 0, tables.n_faces[colour]) == NONE:
        return NONE
    face = die(state, Luck.SS, tables.die_sides) - 1
    d = defender_at(state, tables, colour, search(state, tables, colour, face))
    log(state, Event.TARGET, colour, d, face + 1)
    return d


@inline
def defender_at(state, tables, colour, face):
    """Occupant of the position of a die face (0-based), NONE for face NONE."""
    if face == NONE:
        return NONE
    return state.occupant[tables.face_position[colour, face]]


@jit
def lowest_occupied(state, tables, colour, first, end):
    """The lowest of the faces [first, end) on which a defender stands, or NONE."""
    for face in range(first, end):
        if defender_at(state, tables, colour, face) != NONE:
            return face
    return NONE


@jit
def highest_occupied(state, tables, colour, first, end):
    for face in range(end - 1, first - 1, -1):
        if defender_at(state, tables, colour, face) != NONE:
            return face
    return NONE


@jit
def search(state, tables, colour, rolled):
    """The first occupied face from the rolled one on (0-based): higher ones ascending, then lower ones
    descending (R-41; 7.2: never downward), or NONE.
    """
    n = tables.n_faces[colour]
    one = tables.target_search == TargetSearch.one_up_one_down
    found = lowest_occupied(state, tables, colour, rolled, min(rolled + 2, n) if one else n)
    if found != NONE or tables.target_search == TargetSearch.up_only:
        return found
    if tables.target_search == TargetSearch.wrap:
        return lowest_occupied(state, tables, colour, 0, rolled)
    return highest_occupied(state, tables, colour, max(rolled - 1, 0) if one else 0, rolled)


@jit
def is_first_face(tables, colour, face):
    """False when a lower face names the same position (4-6 is one position)."""
    for lower in range(face):
        if tables.face_position[colour, lower] == tables.face_position[colour, face]:
            return False
    return True


@jit
def table_result(state, tables, card):
    """The colour or location of the card's table; no die when all faces agree (Panzerfaust)."""
    table = tables.target_table[card]
    if tables.target_fixed[table]:
        return tables.target[table, 0]
    return tables.target[table, die(state, Luck.SS, tables.die_sides) - 1]


# ---------------------------------------------------------------- what happens to them


@jit
def is_hit(state, tables, d, dice):
    """4.0: n dice against the Defence Value of the defender's location. Modifies the luck of `state`."""
    return roll(state, tables, Luck.SS, dice, state.defence[location_of(state, tables, d)])


@jit
def attempt_disruption(state, tables, d, dice):
    """4.0: n dice against the location's Defence Value; success disrupts."""
    if is_hit(state, tables, d, dice):
        disrupt(state, tables, d, True)


@jit
def disrupt(state, tables, d, second_kills):
    """One Disrupt token; who has one already is killed instead. Modifies `state`."""
    if not state.status[d] & Status.DISRUPTED:
        state.status[d] |= Status.DISRUPTED
        state.disruptions += 1
        log(state, Event.DISRUPTED, d, 0, 0)
    elif second_kills:
        open_deaths(state, 1 << d, location_of(state, tables, d), Cause.SECOND_DISRUPT)
