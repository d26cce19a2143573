"""4.0 - 4.4, 7.2 - 7.4: the SS Phase.

The phase runs by itself between two decisions. `advance` takes one small step after another (`state.step`
says which is next) until a
player is asked (Suppression tokens, a Sacrifice, R-44) or the turn is over, so that a decision can interrupt
anything.
"""

from bartizan.simcore.compile.jit import inline, jit
from bartizan.simcore.itter.components import (
    NONE,
    Card,
    CardKind,
    Cause,
    Event,
    Flak30Order,
    LocationSecondDisrupt,
    Luck,
    Place,
    Simultaneous,
    SsSquads,
    Stage,
    Status,
    Step,
    SupplyEmpty,
    SuppressedMg,
    SuppressiveFireOrder,
    SuppressSpending,
    TankAt4,
    TargetSearch,
    TokensSpentOnSuccess,
)
from bartizan.simcore.itter.rules.attributes import open_deaths, settle_deaths
from bartizan.simcore.itter.rules.board import location_of, on_board
from bartizan.simcore.itter.rules.dice import roll
from bartizan.simcore.itter.rules.ending import breach, end_turn, relieved
from bartizan.simcore.itter.rules.tactics import (
    allowed_areas,
    extra_counters,
    extra_dice,
    is_banned,
    suppression_defence,
    turn_up_tactics,
)
from bartizan.simcore.kit.journal import log
from bartizan.simcore.play.rules import PLAYING
from bartizan.simcore.rng import die, rekey


@jit
def advance(state, tables):
    """Run on until a decision is asked or the game is over. Modifies `state`."""
    while state.stage == Stage.NONE and state.end_reason == PLAYING:
        if state.deaths_open:
            settle_deaths(state, tables)
        else:
            take_step(state, tables)


@jit
def take_step(state, tables):
    step = state.step
    if step == Step.BEGIN:
        turn_up_tactics(state, tables)
        state.lowest_deck = 0
        state.step = Step.NEXT_CARD
    elif step == Step.NEXT_CARD:
        next_card(state, tables)
    elif step == Step.COUNTER:
        begin_counter(state, tables)
    elif step == Step.ALONG_FACES:
        flak_at_face(state, tables)
    elif step == Step.APPLY_FACES:
        apply_flak(state, tables)
    elif step == Step.ALONG_AREAS:
        fire_in_area(state, tables)
    elif step == Step.ALONG_COLOURS:
        squads_of_colour(state, tables)
    else:
        disrupt_at_position(state, tables)


@jit
def next_card(state, tables):
    """4.0: reveal the next of the turn's cards, or end the turn."""
    if is_last_turned(state, tables):
        end_turn(state, tables)
        return
    turned = (state.turn - 1) * tables.ss_cards + state.cards_turned  # cards before this one
    rekey(state, Luck.SS, turned)
    rekey(state, Luck.SUPPRESSION, turned)
    card = turn_up(state, tables)
    if card == tables.n_cards:
        relieved(state, tables)
        return
    deck = tables.deck_of[card]
    state.card = card
    state.top_deck = deck
    state.lowest_deck = deck if state.lowest_deck == 0 else min(deck, state.lowest_deck)
    state.item = 0
    log(state, Event.CARD, card, deck, state.cards_turned)
    resolve(state, tables, card)


@jit
def is_last_turned(state, tables):
    """The cards of the turn are used up, or the deck is."""
    if tables.competitive:
        return state.cards_turned == state.n_planned
    return state.cards_turned == tables.ss_cards or state.deck_next == state.deck_size


@jit
def turn_up(state, tables):
    """4.0, 6.2d: the next card of the deck, or of those laid. Modifies `state`."""
    state.cards_turned += 1
    if tables.competitive:
        return int(state.planned[state.cards_turned - 1])
    state.deck_next += 1
    return int(state.deck[state.deck_next - 1])


@jit
def resolve(state, tables, card):
    """Begin the effect of one SS card."""
    does = tables.does[card]
    if does == Card.PLACE:
        state.step = Step.COUNTER
    elif does == Card.SNIPER:
        sniper(state, tables, card)
    elif does == Card.LOCATION:
        attack_location(state, tables, card)
    elif does == Card.FLAK30:
        begin_flak(state, tables, card)
    elif does == Card.SUPPRESSIVE_FIRE:
        state.shots[0] = state.shots[1] = 0
        state.step = Step.ALONG_AREAS
    elif does == Card.SS_SQUADS:
        state.shots[0] = 0
        state.step = Step.ALONG_COLOURS
    else:
        reinforce(state, tables)


# ---------------------------------------------------------------- 4.0: target by colour, disruption


@jit
def target_by_colour(state, tables, colour):
    """4.0: the defender found by one die on a colour, or NONE when nobody stands on its faces (then no die is
    rolled; R-41, R-42).
    """
    if not anybody_on(state, tables, colour):
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
def anybody_on(state, tables, colour):
    for face in range(tables.n_faces[colour]):
        if defender_at(state, tables, colour, face) != NONE:
            return True
    return False


@jit
def search(state, tables, colour, rolled):
    """The first occupied face from the rolled one on (0-based): higher ones ascending, then lower ones
    descending (R-41; 7.2: never downward), or NONE.
    """
    n = tables.n_faces[colour]
    higher = min(rolled + 2, n) if tables.target_search == TargetSearch.one_up_one_down else n
    for face in range(rolled, higher):
        if defender_at(state, tables, colour, face) != NONE:
            return face
    if tables.target_search == TargetSearch.up_only:
        return NONE
    if tables.target_search == TargetSearch.wrap:
        for face in range(rolled):
            if defender_at(state, tables, colour, face) != NONE:
                return face
        return NONE
    lowest = max(rolled - 1, 0) if tables.target_search == TargetSearch.one_up_one_down else 0
    for face in range(rolled - 1, lowest - 1, -1):
        if defender_at(state, tables, colour, face) != NONE:
            return face
    return NONE


@jit
def attempt_disruption(state, tables, d, dice):
    """4.0: n dice against the location's Defence Value; success disrupts."""
    if roll(state, tables, Luck.SS, dice, state.defence[location_of(state, tables, d)]):
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


# ---------------------------------------------------------------- 4.1 Sniper


@jit
def sniper(state, tables, card):
    """4.1: a colour, a target on it, dice against its location: success kills."""
    state.step = Step.NEXT_CARD
    colour = table_result(state, tables, card)
    log(state, Event.COLOUR, colour, 0, 0)
    d = target_by_colour(state, tables, colour)
    if d == NONE:
        return
    dice = tables.value[card] + extra_dice(state, tables, tables.card_kind[card])
    if roll(state, tables, Luck.SS, dice, state.defence[location_of(state, tables, d)]):
        open_deaths(state, 1 << d, location_of(state, tables, d), Cause.HIT)


@jit
def table_result(state, tables, card):
    """The colour or location of the card's table; no die when all faces agree (Panzerfaust)."""
    table = tables.target_table[card]
    if tables.target_fixed[table]:
        return tables.target[table, 0]
    return tables.target[table, die(state, Luck.SS, tables.die_sides) - 1]


# ---------------------------------------------------------------- 4.2 Attack a location


@jit
def attack_location(state, tables, card):
    """4.2a, b: the card's dice against the Defence Value of the location its table gives."""
    state.step = Step.NEXT_CARD
    location = table_result(state, tables, card)
    log(state, Event.LOCATION, location, 0, 0)
    if tables.destructible[location] and state.tank_destroyed:
        return
    dice = tables.value[card] + extra_dice(state, tables, tables.card_kind[card])
    if roll(state, tables, Luck.SS, dice, state.defence[location]):
        hit_location(state, tables, location)


@jit
def hit_location(state, tables, location):
    """4.2b - d: the value falls; at its last one the defenders suffer, or the tank is lost (R-37)."""
    below_it = next_value(state, tables, location)
    if below_it > 0:
        state.defence[location] = below_it
        log(state, Event.HIT_LOCATION, location, below_it, 0)
    elif not tables.destructible[location]:
        disrupt_location(state, tables, location)
    elif tables.tank_at_4 == TankAt4.disrupt_first and not state.tank_marked:
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
    """4.2c: every defender there gets a Disrupt; those who had one die (R-35), all at once or one by one
    (R-36).
    """
    if tables.simultaneous == Simultaneous.one_by_one:
        state.area = location
        state.item = 0
        state.step = Step.ALONG_POSITIONS
        return
    victims = 0
    for d in range(tables.n_defenders):
        if not on_board(state, d) or location_of(state, tables, d) != location:
            continue
        if state.status[d] & Status.DISRUPTED:
            victims |= 1 << d
        else:
            disrupt(state, tables, d, False)
    if victims and tables.location_second_disrupt == LocationSecondDisrupt.killed:
        open_deaths(state, victims, location, Cause.SECOND_DISRUPT)


@jit
def disrupt_at_position(state, tables):
    """R-36 one_by_one: the next position of the location that was hit."""
    p = state.item
    if p == tables.n_positions:
        state.step = Step.NEXT_CARD
        return
    state.item += 1
    if tables.location[p] == state.area and state.occupant[p] != NONE:
        disrupt(
            state, tables, state.occupant[p], tables.location_second_disrupt == LocationSecondDisrupt.killed
        )


@jit
def destroy_tank(state, tables, location):
    """4.2d: value 0, the crew dies, the Load token is lost, the positions are closed."""
    victims = 0
    crew = 0
    for d in range(tables.n_defenders):
        if on_board(state, d) and location_of(state, tables, d) == location:
            victims |= 1 << d
            crew += 1
    state.defence[location] = 0
    state.tank_destroyed = 1
    state.tank_empty = crew == 0
    state.loaded = 0
    log(state, Event.TANK_LOST, crew, 0, 0)
    if crew:
        open_deaths(state, victims, location, Cause.TANK)


# ---------------------------------------------------------------- 4.3 Placing SS counters


@jit
def begin_counter(state, tables):
    """4.3: the card's next counter: its area, then the question for Suppression tokens."""
    card = state.card
    if state.item >= tables.value[card] + extra_counters(state, tables, tables.card_kind[card]):
        state.step = Step.NEXT_CARD
        return
    state.item += 1
    kind = tables.card_counter[card]
    if state.supply[kind] <= 0 and tables.supply_empty == SupplyEmpty.not_placed:
        log(state, Event.NO_SUPPLY, kind, 0, 0)
        return
    state.kind = kind
    state.area = roll_area(state, tables, allowed_areas(state, tables, kind))
    log(state, Event.AREA, kind, state.area, 0)
    if usable_tokens(state, tables) > 0:
        state.stage = Stage.SPEND
        state.to_move = 0
    else:
        place_counter(state, tables)


@jit
def roll_area(state, tables, allowed):
    """4.3a: the sum of two dice; all again while a Tactics card forbids it.

    `allowed`: bit mask of areas, 0 for any.
    """
    while True:
        area = 0
        for _ in range(tables.placement_dice):
            area += die(state, Luck.SS, tables.die_sides)
        if allowed == 0 or (allowed >> area) & 1:
            return area


@jit
def usable_tokens(state, tables):
    """Suppression tokens that may be rolled against the counter at hand."""
    colour = tables.circle_colour[state.area]
    if is_banned(state, tables, colour):
        return 0
    return state.tokens[colour]


@jit
def spend(state, tables, k):
    """4.3b: k tokens back to the supply, k dice against the counter's Defence (R-18, R-19).

    Modifies `state`.
    """
    state.stage = Stage.NONE
    if k == 0:
        place_counter(state, tables)
        return
    colour = tables.circle_colour[state.area]
    state.tokens[colour] -= k
    state.tokens_spent += k
    if roll(state, tables, Luck.SUPPRESSION, k, suppression_defence(state, tables, state.kind)):
        if tables.tokens_spent_on_success == TokensSpentOnSuccess.kept_on_success:
            state.tokens[colour] += k
        state.suppressed += 1
        log(state, Event.SUPPRESSED, state.kind, state.area, 0)
        if not tables.advances[state.kind] and tables.suppressed_mg == SuppressedMg.yes:
            fire_gun(
                state, tables, state.kind, state.area, extra_dice(state, tables, tables.card_kind[state.card])
            )
    elif tables.suppress_spending == SuppressSpending.one_by_one and usable_tokens(state, tables) > 0:
        state.stage = Stage.SPEND
    else:
        place_counter(state, tables)


@jit
def place_counter(state, tables):
    """4.3c, d: on its area; an advancing counter pushes what is there, a gun fires."""
    kind, area = state.kind, state.area
    state.placed += 1
    state.supply[kind] -= 1
    log(state, Event.PLACED, kind, area, 0)
    if tables.advances[kind]:
        push(state, tables, kind, area)
    else:
        state.guns[kind, area] += 1
        fire_gun(state, tables, kind, area, extra_dice(state, tables, tables.card_kind[state.card]))


@jit
def push(state, tables, kind, area):
    """4.3c: each counter met moves to its successor, until one finds a free circle or enters the castle."""
    circle = area
    while kind != NONE and circle != 0:
        pushed = state.counter[circle]
        state.counter[circle] = kind
        kind = pushed
        if pushed != NONE:
            log(state, Event.PUSHED, pushed, circle, tables.next[circle])
        circle = tables.next[circle]
    if kind != NONE:
        breach(state, tables, kind, area)


@jit
def fire_gun(state, tables, kind, area, more_dice):
    """4.3d: one disruption attempt against a target by the area's colour."""
    d = target_by_colour(state, tables, tables.circle_colour[area])
    if d != NONE:
        attempt_disruption(state, tables, d, tables.disrupt_dice[kind] + more_dice)


# ---------------------------------------------------------------- 4.4 Disrupt defenders


@jit
def begin_flak(state, tables, card):
    """4.4 Flak 30: a colour (7.3: a location); every defender on it, by number (R-45)."""
    state.colour = table_result(state, tables, card)
    log(state, Event.LOCATION if is_at_location(state, tables) else Event.COLOUR, state.colour, 0, 0)
    state.item = 0
    state.step = Step.ALONG_FACES
    if tables.flak30_order == Flak30Order.all_then_apply:
        state.hits = 0
        for i in range(flak_positions(state, tables)):
            d = under_flak(state, tables, i)
            if d != NONE and roll(
                state, tables, Luck.SS, flak_dice(state, tables), state.defence[location_of(state, tables, d)]
            ):
                state.hits |= 1 << i
        state.step = Step.APPLY_FACES


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
    return (
        int(defender_at(state, tables, state.colour, i)) if is_first_face(tables, state.colour, i) else NONE
    )


@inline
def flak_dice(state, tables):
    return tables.value[state.card] + extra_dice(state, tables, tables.card_kind[state.card])


@jit
def is_first_face(tables, colour, face):
    """False when a lower face names the same position (4-6 is one position)."""
    for lower in range(face):
        if tables.face_position[colour, lower] == tables.face_position[colour, face]:
            return False
    return True


@jit
def next_under_flak(state, tables):
    """The defender on the next face or position, or NONE; after the last the card is done.

    Modifies `state`.
    """
    i = state.item
    if i == flak_positions(state, tables):
        state.step = Step.NEXT_CARD
        return NONE
    state.item += 1
    return under_flak(state, tables, i)


@jit
def flak_at_face(state, tables):
    """R-45 by_number_immediate: the next face's defender, death and Low Morale done before the one after."""
    d = next_under_flak(state, tables)
    if d != NONE:
        attempt_disruption(state, tables, d, flak_dice(state, tables))


@jit
def apply_flak(state, tables):
    """R-45 all_then_apply: the hits, in order, on those still alive."""
    d = next_under_flak(state, tables)
    if d != NONE and (state.hits >> (state.item - 1)) & 1:
        disrupt(state, tables, d, True)


# ---------------------------------------------------------------- 7.4 SS Squads


@jit
def squads_of_colour(state, tables):
    """7.4, R-65: the next colour: as many dice as it has SS counters, against one defender on it, or against
    each of them.
    """
    if state.item == tables.n_squads:
        state.step = Step.NEXT_CARD
        return
    colour = tables.squads[state.item]
    n = counters_on(state, tables, colour)
    if tables.ss_squads == SsSquads.everybody and n > 0 and state.shots[0] < tables.n_faces[colour]:
        face = state.shots[0]
        state.shots[0] += 1
        d = defender_at(state, tables, colour, face)
        if d != NONE and is_first_face(tables, colour, face):
            attempt_disruption(state, tables, d, n + extra_dice(state, tables, CardKind.ss_squads))
        return
    state.item += 1
    state.shots[0] = 0
    if tables.ss_squads == SsSquads.threes:
        n = tables.squad_dice if n >= tables.squad_least else 0
    if tables.ss_squads == SsSquads.everybody or n == 0:
        return
    d = target_by_colour(state, tables, colour)
    if d != NONE:
        attempt_disruption(state, tables, d, n + extra_dice(state, tables, CardKind.ss_squads))


@jit
def counters_on(state, tables, colour):
    """SS counters on the circles of a colour, Machine Gunners and Mortars included."""
    n = 0
    for circle in range(2, state.counter.shape[0]):
        if tables.circle_colour[circle] == colour:
            n += state.counter[circle] != NONE
            for gun in range(2):
                n += state.guns[tables.gun_kinds[gun], circle]
    return n


# ---------------------------------------------------------------- 4.4 Suppressive Fire, Reinforcements


@jit
def fire_in_area(state, tables):
    """4.4 Suppressive Fire: area by area, every Machine Gunner and Mortar makes an attempt (R-44)."""
    if state.item == len(tables.areas):
        state.step = Step.NEXT_CARD
        return
    area = tables.areas[state.item]
    guns = state.guns[tables.gun_kinds[0], area] - state.shots[0]
    mortars = state.guns[tables.gun_kinds[1], area] - state.shots[1]
    if guns == 0 and mortars == 0:
        state.item += 1
        state.shots[0] = state.shots[1] = 0
    elif guns > 0 and mortars > 0 and tables.suppressive_fire_order == SuppressiveFireOrder.player:
        state.stage = Stage.FIRE
        state.to_move = 0
    elif guns > 0 and (mortars == 0 or tables.suppressive_fire_order == SuppressiveFireOrder.mg_first):
        fire_next(state, tables, 0)
    else:
        fire_next(state, tables, 1)


@jit
def fire_next(state, tables, gun):
    """One attempt by a Machine Gunner (0) or Mortar (1) of the area at hand."""
    state.stage = Stage.NONE
    state.shots[gun] += 1
    fire_gun(
        state,
        tables,
        tables.gun_kinds[gun],
        tables.areas[state.item],
        extra_dice(state, tables, CardKind.suppressive_fire),
    )


@jit
def reinforce(state, tables):
    """3.4: those set aside join the reserve."""
    state.step = Step.NEXT_CARD
    log(state, Event.REINFORCED, 0, 0, 0)
    for d in range(tables.n_defenders):
        if state.place[d] == Place.ASIDE:
            state.place[d] = Place.RESERVE
