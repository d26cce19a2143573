"""6.1: Tactics cards in force during the SS Phase."""

from bartizan.simcore.compile.jit import inline, jit
from bartizan.simcore.itter.components import NONE, Event, TacticsTwoAreas
from bartizan.simcore.kit.journal import log


@jit
def turn_up_tactics(state, tables):
    """6.1.2, 6.1.3: one new card a turn; Elite keeps the one before beside it, and begins with two.

    Modifies `state`.
    """
    if tables.tactics_per_turn == 0:
        return
    if tables.competitive:  # 6.2d: the one that was laid
        state.newer, state.older = state.tactics_planned, NONE
        log(state, Event.TACTICS, state.newer, state.older, 0)
        return
    if tables.tactics_per_turn == 2:
        if state.turn == 1:
            state.newer = next_card(state)
        state.older = state.newer
        state.newer = next_card(state)
        if state.newer == NONE:  # the stack is used up: the newer card stays alone
            state.newer, state.older = state.older, NONE
    else:
        state.newer, state.older = next_card(state), NONE
    log(state, Event.TACTICS, state.newer, state.older, 0)


@inline
def next_card(state):
    if state.stack_next >= state.stack_size:
        return NONE
    card = state.stack[state.stack_next]
    state.stack_next += 1
    return card


@jit
def extra_dice(state, tables, card_kind):
    """Dice that the cards in force add to the effect roll of this kind of SS card."""
    n = 0
    if state.newer != NONE:
        n += tables.extra_dice[state.newer, card_kind]
    if state.older != NONE:
        n += tables.extra_dice[state.older, card_kind]
    return n


@jit
def effect_dice(state, tables, card):
    """Dice of an SS card's effect roll: its own, and those that Tactics add."""
    return tables.value[card] + extra_dice(state, tables, tables.card_kind[card])


@jit
def extra_counters(state, tables, card_kind):
    n = 0
    if state.newer != NONE:
        n += tables.extra_counters[state.newer, card_kind]
    if state.older != NONE:
        n += tables.extra_counters[state.older, card_kind]
    return n


@jit
def suppression_defence(state, tables, kind):
    """Defence Value of a counter against Suppression, made tougher by Tactics up to the highest face."""
    value = tables.defence[kind]
    if state.newer != NONE:
        value += tables.tougher[state.newer, kind]
    if state.older != NONE:
        value += tables.tougher[state.older, kind]
    return min(value, max(tables.die_sides, tables.defence[kind]))


@jit
def allowed_areas(state, tables, kind):
    """Bit mask of the areas the cards in force allow this kind, 0 for any (two such cards: R-59)."""
    newer = tables.only_areas[state.newer, kind] if state.newer != NONE else 0
    older = tables.only_areas[state.older, kind] if state.older != NONE else 0
    if newer == 0:
        return older
    if older != 0 and tables.tactics_two_areas == TacticsTwoAreas.intersection and newer & older:
        return newer & older
    return newer


@jit
def is_banned(state, tables, colour):
    """No token of this colour's square may be used."""
    banned = 0
    if state.newer != NONE:
        banned |= tables.banned[state.newer]
    if state.older != NONE:
        banned |= tables.banned[state.older]
    return (banned >> colour) & 1 != 0
