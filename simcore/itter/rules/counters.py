"""4.3: placing SS counters, the Suppression tokens against them, pushing, and the guns' first fire."""

from bartizan.simcore.compile.jit import jit
from bartizan.simcore.itter import components as c
from bartizan.simcore.itter.rules import tactics
from bartizan.simcore.itter.rules.dice import roll
from bartizan.simcore.itter.rules.targets import attempt_disruption, target_by_colour
from bartizan.simcore.kit.actions import ask
from bartizan.simcore.kit.journal import log
from bartizan.simcore.rng import die


@jit
def begin_counter(state, tables):
    """4.3a, b: the card's next counter, if there is one in the supply (R-46): its area, then the question for
    Suppression tokens.

    Modifies `state`.
    """
    card = state.card
    if state.item >= tables.value[card] + tactics.extra_counters(state, tables, tables.card_kind[card]):
        state.step = c.Step.NEXT_CARD
        return
    state.item += 1
    kind = tables.card_counter[card]
    if state.supply[kind] <= 0 and tables.supply_empty == c.SupplyEmpty.not_placed:
        log(state, c.Event.NO_SUPPLY, kind)
        return
    state.kind = kind
    state.area = roll_area(state, tables, tactics.allowed_areas(state, tables, kind))
    log(state, c.Event.AREA, kind, state.area)
    if usable_tokens(state, tables) > 0:
        ask(state, c.DEFENDER, c.Stage.SPEND)
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
            area += die(state, c.Luck.SS, tables.die_sides)
        if allowed == 0 or (allowed >> area) & 1:
            return area


@jit
def usable_tokens(state, tables):
    """Suppression tokens that may be rolled against the counter at hand."""
    colour = tables.circle_colour[state.area]
    if tactics.is_banned(state, tables, colour):
        return 0
    return state.tokens[colour]


@jit
def spend(state, tables, k):
    """4.3b: k tokens back to the supply, k dice against the counter's Defence (R-18); a success keeps it off.

    Modifies `state`.
    """
    state.stage = c.Stage.NONE
    if k == 0:
        place_counter(state, tables)
        return
    state.tokens[tables.circle_colour[state.area]] -= k
    state.tokens_spent += k
    if roll(state, tables, c.Luck.SUPPRESSION, k, tactics.suppression_defence(state, tables, state.kind)):
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


@jit
def place_counter(state, tables):
    """4.3c, d: on its area; an advancing counter pushes what is there, a gun fires."""
    kind, area = state.kind, state.area
    state.placed += 1
    state.supply[kind] -= 1
    log(state, c.Event.PLACED, kind, area, 0)
    if tables.advances[kind]:
        push(state, tables, kind, area)
    else:
        state.guns[kind, area] += 1
        fire_new_gun(state, tables)


@jit
def push(state, tables, kind, area):
    """4.3c: each counter met moves to its successor, until one finds a free circle or enters the castle."""
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


@jit
def breach(state, tables, kind, area):
    """4.3c, 5.0: a counter enters the castle: the game is lost at once, unless the test device goes on.

    Modifies `state`.
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


@jit
def fire_new_gun(state, tables):
    """4.3d: the counter at hand fires, with the dice its card gets more."""
    dice = tactics.extra_dice(state, tables, tables.card_kind[state.card])
    fire_gun(state, tables, state.kind, state.area, dice)


@jit
def fire_gun(state, tables, kind, area, more_dice):
    """4.3d: one disruption attempt against a target by the area's colour."""
    d = target_by_colour(state, tables, tables.circle_colour[area])
    if d != c.NONE:
        attempt_disruption(state, tables, d, tables.disrupt_dice[kind] + more_dice)
