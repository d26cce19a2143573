"""4.4, 7.3, 7.4: cards that fire along faces, colours or areas: Flak 30, SS Squads, Suppressive Fire."""

from bartizan.simcore.compile.jit import inline, jit
from bartizan.simcore.itter import components as c
from bartizan.simcore.itter.rules import targets
from bartizan.simcore.itter.rules.counters import fire_gun
from bartizan.simcore.itter.rules.tactics import effect_dice, extra_dice
from bartizan.simcore.kit.actions import ask
from bartizan.simcore.kit.journal import log

# ---------------------------------------------------------------- 4.4, 7.3 Flak 30


@jit
def begin_flak(state, tables, card):
    """4.4 Flak 30: a colour (7.3: a location); every defender on it, by number; R-45 all_then_apply: all dice
    before any hit.
    """
    state.colour = targets.table_result(state, tables, card)
    log(state, c.Event.LOCATION if is_at_location(state, tables) else c.Event.COLOUR, state.colour, 0, 0)
    state.step = c.Step.ALONG_FACES
    if tables.flak30_order == c.Flak30Order.all_then_apply:
        state.step = c.Step.APPLY_FACES
        state.hits = 0
        for i in range(flak_positions(state, tables)):
            d = under_flak(state, tables, i)
            if d != c.NONE and targets.is_hit(state, tables, d, effect_dice(state, tables, card)):
                state.hits |= 1 << i


@inline
def is_at_location(state, tables):
    """7.3: the card's table names locations."""
    return tables.target_location[tables.target_table[state.card]] != 0


@jit
def flak_positions(state, tables):
    """How many faces of the colour, or positions of the location, the fire runs along."""
    if is_at_location(state, tables):
        return int(tables.end_position[state.colour] - tables.first_position[state.colour])
    return int(tables.n_faces[state.colour])


@jit
def under_flak(state, tables, i):
    """The defender on the i-th of them, or NONE; of a position with several faces only on the first."""
    if is_at_location(state, tables):
        return int(state.occupant[tables.first_position[state.colour] + i])
    if not targets.is_first_face(tables, state.colour, i):
        return c.NONE
    return int(targets.defender_at(state, tables, state.colour, i))


@jit
def next_under_flak(state, tables):
    """The defender on the next face or position, or NONE; after the last the card is done.

    Modifies `state`.
    """
    i = state.item
    if i == flak_positions(state, tables):
        state.step = c.Step.NEXT_CARD
        return c.NONE
    state.item += 1
    return under_flak(state, tables, i)


@jit
def flak_at_face(state, tables):
    """R-45 by_number_immediate: the next face's defender, death and Low Morale done before the one after."""
    d = next_under_flak(state, tables)
    if d != c.NONE:
        targets.attempt_disruption(state, tables, d, effect_dice(state, tables, state.card))


@jit
def apply_flak(state, tables):
    """R-45 all_then_apply: the hits, in order, on those still alive."""
    d = next_under_flak(state, tables)
    if d != c.NONE and (state.hits >> (state.item - 1)) & 1:
        targets.disrupt(state, tables, d, True)


# ---------------------------------------------------------------- 7.4 SS Squads


@jit
def squads_of_colour(state, tables):
    """7.4, R-65: the next colour, or the next face of it. Modifies `state`."""
    if state.item == tables.n_squads:
        state.step = c.Step.NEXT_CARD
        return
    colour = tables.squads[state.item]
    n = counters_on(state, tables, colour)
    d = c.NONE
    if tables.ss_squads == c.SsSquads.everybody:
        # as many dice as the colour has SS counters against each defender on it
        face = state.shots[0]
        if n == 0 or face >= tables.n_faces[colour]:
            state.item += 1
            state.shots[0] = 0
            return
        state.shots[0] += 1
        if targets.is_first_face(tables, colour, face):
            d = targets.defender_at(state, tables, colour, face)
    else:
        # against one defender on it, with `threes` a fixed number of dice
        state.item += 1
        if tables.ss_squads == c.SsSquads.threes:
            n = tables.squad_dice if n >= tables.squad_least else 0
        if n > 0:
            d = targets.target_by_colour(state, tables, colour)
    if d != c.NONE:
        targets.attempt_disruption(state, tables, d, n + extra_dice(state, tables, c.CardKind.ss_squads))


@jit
def counters_on(state, tables, colour):
    """SS counters on the circles of a colour, Machine Gunners and Mortars included."""
    n = 0
    for circle in range(2, state.counter.shape[0]):
        if tables.circle_colour[circle] == colour:
            n += state.counter[circle] != c.NONE
            for gun in range(2):
                n += state.guns[tables.gun_kinds[gun], circle]
    return n


# ---------------------------------------------------------------- 4.4 Suppressive Fire


@jit
def fire_in_area(state, tables):
    """4.4 Suppressive Fire: area by area, every Machine Gunner and Mortar makes an attempt (R-44)."""
    if state.item == len(tables.areas):
        state.step = c.Step.NEXT_CARD
        return
    area = tables.areas[state.item]
    guns = state.guns[tables.gun_kinds[0], area] - state.shots[0]
    mortars = state.guns[tables.gun_kinds[1], area] - state.shots[1]
    if guns == 0 and mortars == 0:
        state.item += 1
        state.shots[0] = state.shots[1] = 0
    elif guns > 0 and mortars > 0 and tables.suppressive_fire_order == c.SuppressiveFireOrder.player:
        ask(state, c.DEFENDER, c.Stage.FIRE)
    else:
        mg_first = mortars == 0 or tables.suppressive_fire_order == c.SuppressiveFireOrder.mg_first
        fire_next(state, tables, 0 if guns > 0 and mg_first else 1)


@jit
def fire_next(state, tables, gun):
    """One attempt by a Machine Gunner (0) or Mortar (1) of the area at hand."""
    state.stage = c.Stage.NONE
    state.shots[gun] += 1
    kind, area = tables.gun_kinds[gun], tables.areas[state.item]
    fire_gun(state, tables, kind, area, extra_dice(state, tables, c.CardKind.suppressive_fire))
