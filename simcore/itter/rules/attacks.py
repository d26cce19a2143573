"""4.1, 4.2: the Sniper, and attacks on a location."""

from bartizan.simcore.compile.jit import jit
from bartizan.simcore.itter import components as c
from bartizan.simcore.itter.rules.attributes import open_deaths
from bartizan.simcore.itter.rules.board import is_at, location_of
from bartizan.simcore.itter.rules.dice import roll
from bartizan.simcore.itter.rules.tactics import effect_dice
from bartizan.simcore.itter.rules.targets import disrupt, is_hit, table_result, target_by_colour
from bartizan.simcore.kit.journal import log

# ---------------------------------------------------------------- 4.1 Sniper


@jit
def sniper(state, tables, card):
    """4.1: a colour, a target on it, dice against its location: success kills."""
    colour = table_result(state, tables, card)
    log(state, c.Event.COLOUR, colour, 0, 0)
    d = target_by_colour(state, tables, colour)
    if d != c.NONE and is_hit(state, tables, d, effect_dice(state, tables, card)):
        open_deaths(state, 1 << d, location_of(state, tables, d), c.Cause.HIT)


# ---------------------------------------------------------------- 4.2 Attack a location


@jit
def attack_location(state, tables, card):
    """4.2a, b: the card's dice against the Defence Value of the location its table gives."""
    location = table_result(state, tables, card)
    log(state, c.Event.LOCATION, location, 0, 0)
    if tables.destructible[location] and state.tank_destroyed:
        return
    if roll(state, tables, c.Luck.SS, effect_dice(state, tables, card), state.defence[location]):
        hit_location(state, tables, location)


@jit
def hit_location(state, tables, location):
    """4.2b - d: the value falls; at its last one the defenders suffer, or the tank is lost (R-37)."""
    below_it = next_value(state, tables, location)
    if below_it > 0:
        state.defence[location] = below_it
        log(state, c.Event.HIT_LOCATION, location, below_it, 0)
    elif not tables.destructible[location]:
        disrupt_location(state, tables, location)
    elif tables.tank_at_4 == c.TankAt4.disrupt_first and not state.tank_marked:
        state.tank_marked = 1
        disrupt_location(state, tables, location)
    else:
        destroy_tank(state, tables, location)


@jit
def next_value(state, tables, location):
    """The next Defence Value on the location's track; 0 when the last positive one is reached."""
    for i in range(tables.track_length[location] - 1):
        if tables.defence_track[location, i] == state.defence[location]:
            return tables.defence_track[location, i + 1]
    return 0


@jit
def disrupt_location(state, tables, location):
    """4.2c: every defender there gets a Disrupt, all at once or one by one (R-36)."""
    if tables.simultaneous == c.Simultaneous.one_by_one:
        state.area = location
        state.item = 0
        state.step = c.Step.ALONG_POSITIONS
    else:
        disrupt_together(state, tables, location)


@jit
def disrupt_together(state, tables, location):
    """4.2c: those who had a Disrupt die (R-35). Modifies `state`."""
    victims = 0
    for d in range(tables.n_defenders):
        if not is_at(state, tables, d, location):
            continue
        if state.status[d] & c.Status.DISRUPTED:
            victims |= 1 << d
        else:
            disrupt(state, tables, d, False)
    if victims and tables.location_second_disrupt == c.LocationSecondDisrupt.killed:
        open_deaths(state, victims, location, c.Cause.SECOND_DISRUPT)


@jit
def disrupt_at_position(state, tables):
    """R-36 one_by_one: the next position of the location that was hit."""
    p = state.item
    if p == tables.n_positions:
        state.step = c.Step.NEXT_CARD
        return
    state.item += 1
    if tables.location[p] == state.area and state.occupant[p] != c.NONE:
        kills = tables.location_second_disrupt == c.LocationSecondDisrupt.killed
        disrupt(state, tables, state.occupant[p], kills)


@jit
def destroy_tank(state, tables, location):
    """4.2d: value 0, the crew dies, the Load token is lost, the positions are closed."""
    victims = 0
    crew = 0
    for d in range(tables.n_defenders):
        if is_at(state, tables, d, location):
            victims |= 1 << d
            crew += 1
    state.defence[location] = 0
    state.tank_destroyed = 1
    state.tank_empty = crew == 0
    state.loaded = 0
    log(state, c.Event.TANK_LOST, crew, 0, 0)
    if crew:
        open_deaths(state, victims, location, c.Cause.TANK)
