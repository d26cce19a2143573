"""The SS Phase (section 4): targets and effects of each kind of SS card.

Functions that return nothing modify `state`; functions that roll dice also advance its random streams.
"""

from bartizan.simcore.compile.jit import inline, jit_module
from bartizan.simcore.itter import components as c
from bartizan.simcore.itter.rules.attributes import open_deaths
from bartizan.simcore.itter.rules.board import counters_on, is_at, location_of, roll
from bartizan.simcore.itter.rules.tactics import (
    allowed_areas,
    effect_dice,
    extra,
    extra_dice,
    is_banned,
    suppression_defence,
)
from bartizan.simcore.kit.actions import ask
from bartizan.simcore.kit.journal import log
from bartizan.simcore.rng import die

# ---------------------------------------------------------------- 4.0 targets


def target_by_colour(state, tables, colour):
    """Roll one die for a colour, and return the defender found (4.0; R-41, R-42).

    If nobody is on the faces of the colour, return NONE without a roll.
    """
    if lowest_occupied(state, tables, colour, 0, tables.n_faces[colour]) == c.NONE:
        return c.NONE
    face = die(state, c.Luck.SS, tables.die_sides) - 1
    d = defender_at(state, tables, colour, search(state, tables, colour, face))
    log(state, c.Event.TARGET, colour, d, face + 1)
    return d


@inline
def defender_at(state, tables, colour, face):
    """Return the defender on the position of a die face (0-based).

    Returns NONE if there is none, or if the face is NONE.
    """
    if face == c.NONE:
        return c.NONE
    return state.occupant[tables.face_position[colour, face]]


def lowest_occupied(state, tables, colour, first, end):
    """Return the lowest face from `first` to `end` - 1 with a defender; NONE if there is none."""
    for face in range(first, end):
        if defender_at(state, tables, colour, face) != c.NONE:
            return face
    return c.NONE


def highest_occupied(state, tables, colour, first, end):
    for face in range(end - 1, first - 1, -1):
        if defender_at(state, tables, colour, face) != c.NONE:
            return face
    return c.NONE


def search(state, tables, colour, rolled):
    """Return the first occupied face, starting from the rolled one (0-based); NONE if there is none.

    Higher faces come first in ascending order, then lower faces in descending order (R-41; with 7.2, never
    downwards).
    """
    n = tables.n_faces[colour]
    one_step = tables.target_search == c.TargetSearch.one_up_one_down
    face = lowest_occupied(state, tables, colour, rolled, min(rolled + 2, n) if one_step else n)
    if face != c.NONE or tables.target_search == c.TargetSearch.up_only:
        return face
    if tables.target_search == c.TargetSearch.wrap:
        return lowest_occupied(state, tables, colour, 0, rolled)
    return highest_occupied(state, tables, colour, max(rolled - 1, 0) if one_step else 0, rolled)


def is_first_face(tables, colour, face):
    """Return whether no lower face has the same position.

    A position may have several faces (on black, 4 to 6).
    """
    for lower in range(face):
        if tables.face_position[colour, lower] == tables.face_position[colour, face]:
            return False
    return True


def table_result(state, tables, card):
    """Roll a die on the card's table, and return the colour or location.

    If all faces agree (Panzerfaust), no die is rolled.
    """
    table = tables.target_table[card]
    if tables.target_fixed[table]:
        return tables.target[table, 0]
    return tables.target[table, die(state, c.Luck.SS, tables.die_sides) - 1]


# ---------------------------------------------------------------- 4.0 effects on them


def is_hit(state, tables, d, dice):
    """Roll against the Defence Value of the defender's location, and return whether any die succeeds.

    dice: number of dice (4.0).
    """
    return roll(state, tables, c.Luck.SS, dice, state.defence[location_of(state, tables, d)])


def attempt_disruption(state, tables, d, dice):
    """Roll `dice` dice against the Defence Value of the defender's location; a success disrupts him (4.0)."""
    if is_hit(state, tables, d, dice):
        disrupt(state, tables, d, True)


def disrupt(state, tables, d, second_kills):
    """Give d a Disrupt token. If he already has one, he is killed if `second_kills`."""
    if not state.status[d] & c.Status.DISRUPTED:
        state.status[d] |= c.Status.DISRUPTED
        state.disruptions += 1
        log(state, c.Event.DISRUPTED, d, 0, 0)
    elif second_kills:
        open_deaths(state, 1 << d, location_of(state, tables, d), c.Cause.SECOND_DISRUPT)


# ---------------------------------------------------------------- 4.1 Sniper


def sniper(state, tables, card):
    """Roll for a colour and a defender on its faces, then against the Defence Value of his location (4.1).

    A success kills the defender, unless another defender is sacrificed in his place.
    """
    colour = table_result(state, tables, card)
    log(state, c.Event.COLOUR, colour, 0, 0)
    d = target_by_colour(state, tables, colour)
    if d != c.NONE and is_hit(state, tables, d, effect_dice(state, tables, card)):
        open_deaths(state, 1 << d, location_of(state, tables, d), c.Cause.HIT)


# ---------------------------------------------------------------- 4.2 Attack a location


def attack_location(state, tables, card):
    """Roll the card's dice against the Defence Value of the location in its table (4.2a, b)."""
    location = table_result(state, tables, card)
    log(state, c.Event.LOCATION, location, 0, 0)
    if tables.destructible[location] and state.tank_destroyed:
        return
    if roll(state, tables, c.Luck.SS, effect_dice(state, tables, card), state.defence[location]):
        hit_location(state, tables, location)


def hit_location(state, tables, location):
    """Lower the Defence Value of a location (4.2b - d).

    After its last value, a hit disrupts its defenders or destroys the tank (R-37).
    """
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


def next_value(state, tables, location):
    """Return the next Defence Value on the location's track; 0 after the last positive value."""
    for i in range(tables.track_length[location] - 1):
        if tables.defence_track[location, i] == state.defence[location]:
            return tables.defence_track[location, i + 1]
    return 0


def disrupt_location(state, tables, location):
    """Give every defender in a location a Disrupt token, together or one by one (4.2c; R-36).

    Defenders who already have one are killed (R-35).
    """
    if tables.simultaneous == c.Simultaneous.one_by_one:
        state.area = location
        state.item = 0
        state.step = c.Step.ALONG_POSITIONS
        return
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


def disrupt_at_position(state, tables):
    """Disrupt the defender, if any, at the next position of the hit location (R-36 one_by_one).

    After the last position, continue with the next card.
    """
    p = state.item
    if p == tables.n_positions:
        state.step = c.Step.NEXT_CARD
        return
    state.item += 1
    if tables.location[p] == state.area and state.occupant[p] != c.NONE:
        kills = tables.location_second_disrupt == c.LocationSecondDisrupt.killed
        disrupt(state, tables, state.occupant[p], kills)


def destroy_tank(state, tables, location):
    """Destroy the tank (4.2d).

    Set its value to 0, kill the crew, remove the Load token, and close its positions.
    """
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


# ---------------------------------------------------------------- 4.3 counters


def begin_counter(state, tables):
    """Begin the card's next counter, if the supply has one (4.3a, b; R-46).

    Roll its area, then ask for Suppression tokens.
    """
    card = state.card
    if state.item >= tables.value[card] + extra(state, tables.extra_counters, tables.card_kind[card]):
        state.step = c.Step.NEXT_CARD
        return
    state.item += 1
    kind = tables.card_counter[card]
    if state.supply[kind] <= 0 and tables.supply_empty == c.SupplyEmpty.not_placed:
        log(state, c.Event.NO_SUPPLY, kind)
        return
    state.kind = kind
    state.area = roll_area(state, tables, allowed_areas(state, tables, kind))
    log(state, c.Event.AREA, kind, state.area)
    if usable_tokens(state, tables) > 0:
        ask(state, c.DEFENDER, c.Stage.SPEND)
    else:
        place_counter(state, tables)


def roll_area(state, tables, allowed):
    """Roll the placement dice, and return the area, which is their sum (4.3a).

    Roll again while a Tactics card forbids the area.

    allowed: bit mask of areas; 0 if any area is allowed.
    """
    while True:
        area = 0
        for _ in range(tables.placement_dice):
            area += die(state, c.Luck.SS, tables.die_sides)
        if allowed == 0 or (allowed >> area) & 1:
            return area


def usable_tokens(state, tables):
    """Return the number of Suppression tokens that may be rolled against the current counter."""
    colour = tables.circle_colour[state.area]
    if is_banned(state, tables, colour):
        return 0
    return state.tokens[colour]


def spend(state, tables, k):
    """Roll k Suppression tokens as dice against the counter's Defence (R-18).

    A success removes the counter (4.3b).
    """
    state.stage = c.Stage.NONE
    if k == 0:
        place_counter(state, tables)
        return
    state.tokens[tables.circle_colour[state.area]] -= k
    state.tokens_spent += k
    if roll(state, tables, c.Luck.SUPPRESSION, k, suppression_defence(state, tables, state.kind)):
        if tables.tokens_spent_on_success == c.TokensSpentOnSuccess.kept_on_success:
            state.tokens[tables.circle_colour[state.area]] += k
        state.suppressed += 1
        log(state, c.Event.SUPPRESSED, state.kind, state.area)
        if not tables.advances[state.kind] and tables.suppressed_mg == c.SuppressedMg.yes:
            fire_new_gun(state, tables)
    elif tables.suppress_spending == c.SuppressSpending.one_by_one and usable_tokens(state, tables) > 0:
        state.stage = c.Stage.SPEND
    else:
        place_counter(state, tables)


def place_counter(state, tables):
    """Place the counter on its area (4.3c, d).

    An advancing counter pushes the counters on the track; a gun fires.
    """
    kind, area = state.kind, state.area
    state.placed += 1
    state.supply[kind] -= 1
    log(state, c.Event.PLACED, kind, area, 0)
    if tables.advances[kind]:
        push(state, tables, kind, area)
    else:
        state.guns[kind, area] += 1
        fire_new_gun(state, tables)


def push(state, tables, kind, area):
    """Move counters along the track, one after the other (4.3c).

    This ends when a counter finds a free circle or enters the castle.
    """
    circle = area
    while kind != c.NONE and circle != 0:
        pushed = state.counter[circle]
        state.counter[circle] = kind
        kind = pushed
        if pushed != c.NONE:
            log(state, c.Event.PUSHED, pushed, circle, tables.next[circle])
        circle = tables.next[circle]
    if kind != c.NONE:
        breach(state, tables, kind, area)


def breach(state, tables, kind, area):
    """Let a counter enter the castle.

    The game is lost at once, unless the scenario sets `breach_ends_game = false`, a setting for tests only
    (4.3c, 5.0).
    """
    state.supply[kind] += 1
    state.breaches += 1
    log(state, c.Event.BREACH, kind, tables.exit[area], area)
    if state.breaches == 1:
        state.breach_circle = tables.exit[area]
        state.breach_area = area
    if tables.breach_ends_game:
        state.end_reason = c.End.BREACH
        state.stage = c.Stage.NONE


def fire_new_gun(state, tables):
    """Fire the gun that has just been placed, with the additional dice of its card (4.3d)."""
    dice = extra_dice(state, tables, tables.card_kind[state.card])
    fire_gun(state, tables, state.kind, state.area, dice)


def fire_gun(state, tables, kind, area, more_dice):
    """Make one disruption attempt on a target of the area's colour (4.3d)."""
    d = target_by_colour(state, tables, tables.circle_colour[area])
    if d != c.NONE:
        attempt_disruption(state, tables, d, tables.disrupt_dice[kind] + more_dice)


# ---------------------------------------------------------------- 4.4, 7.3 Flak 30


def begin_flak(state, tables, card):
    """Choose a colour (7.3: a location), and attack every defender on it, by number (4.4 Flak 30).

    With R-45 `all_then_apply`, roll all dice before any hit applies.
    """
    state.colour = table_result(state, tables, card)
    log(state, c.Event.LOCATION if is_at_location(state, tables) else c.Event.COLOUR, state.colour, 0, 0)
    state.step = c.Step.ALONG_FACES
    if tables.flak30_order == c.Flak30Order.all_then_apply:
        state.hits = 0
        for i in range(flak_positions(state, tables)):
            d = under_flak(state, tables, i)
            if d != c.NONE and is_hit(state, tables, d, effect_dice(state, tables, card)):
                state.hits |= 1 << i


@inline
def is_at_location(state, tables):
    """Return whether the table of the current card names locations (7.3)."""
    return tables.target_location[tables.target_table[state.card]] != 0


def flak_positions(state, tables):
    """Return the number of faces of the colour, or of positions of the location, under fire."""
    if is_at_location(state, tables):
        return int(tables.end_position[state.colour] - tables.first_position[state.colour])
    return int(tables.n_faces[state.colour])


def under_flak(state, tables, i):
    """Return the defender on the i-th face or position under fire; NONE if there is none.

    A position with several faces counts only at the first.
    """
    if is_at_location(state, tables):
        return int(state.occupant[tables.first_position[state.colour] + i])
    if not is_first_face(tables, state.colour, i):
        return c.NONE
    return int(defender_at(state, tables, state.colour, i))


def flak_at_face(state, tables):
    """Attack the defender on the next face or position.

    Deaths and Low Morale apply before the next attack (R-45).

    With `all_then_apply`, the dice have already been rolled, and hits apply, in order, to the defenders who
    are still alive.
    """
    i = state.item
    if i == flak_positions(state, tables):
        state.step = c.Step.NEXT_CARD
        return
    state.item += 1
    d = under_flak(state, tables, i)
    if d == c.NONE:
        return
    if tables.flak30_order == c.Flak30Order.by_number_immediate:
        attempt_disruption(state, tables, d, effect_dice(state, tables, state.card))
    elif state.hits >> i & 1:
        disrupt(state, tables, d, True)


# ---------------------------------------------------------------- 7.4 SS Squads


def squads_of_colour(state, tables):
    """Continue SS Squads with the next colour, or with the next face of the same colour (7.4, R-65)."""
    if state.item == tables.n_squads:
        state.step = c.Step.NEXT_CARD
        return
    colour = tables.squads[state.item]
    n = counters_on(state, tables, colour, True)
    d = c.NONE
    if tables.ss_squads == c.SsSquads.everybody:
        # one die per SS counter of the colour against each defender on it
        face = state.shots[0]
        if n == 0 or face >= tables.n_faces[colour]:
            state.item += 1
            state.shots[0] = 0
            return
        state.shots[0] += 1
        if is_first_face(tables, colour, face):
            d = defender_at(state, tables, colour, face)
    else:
        # against one defender on it; with `threes`, a fixed number of dice
        state.item += 1
        if tables.ss_squads == c.SsSquads.threes:
            n = tables.squad_dice if n >= tables.squad_least else 0
        if n > 0:
            d = target_by_colour(state, tables, colour)
    if d != c.NONE:
        attempt_disruption(state, tables, d, n + extra_dice(state, tables, c.CardKind.ss_squads))


# ---------------------------------------------------------------- 4.4 Suppressive Fire


def fire_in_area(state, tables):
    """Continue Suppressive Fire with the next Machine Gunner or Mortar, area by area (4.4, R-44)."""
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


def fire_next(state, tables, gun):
    """Make one attempt by a Machine Gunner (0) or Mortar (1) of the current area."""
    state.stage = c.Stage.NONE
    state.shots[gun] += 1
    kind, area = tables.gun_kinds[gun], tables.areas[state.item]
    fire_gun(state, tables, kind, area, extra_dice(state, tables, c.CardKind.suppressive_fire))


jit_module(__name__)
