"""Tactics cards in force, and the planning of a second player, who plays the SS (section 6).

Functions that return nothing modify `state`, and so does `next_card`.
"""

from bartizan.simcore.compile.jit import inline, jit_module
from bartizan.simcore.itter import components as c
from bartizan.simcore.kit.actions import ask
from bartizan.simcore.kit.journal import log

# ---------------------------------------------------------------- 6.1 Tactics


def turn_up_tactics(state, tables):
    """Turn up one new Tactics card per turn (6.1.2, 6.1.3).

    At Elite, the previous card stays in force too, and the game begins with two cards.
    """
    if tables.tactics_per_turn == 0:
        return
    if tables.competitive:  # 6.2d: the one that was played
        state.newer, state.older = state.tactics_planned, c.NONE
        log(state, c.Event.TACTICS, state.newer, state.older, 0)
        return
    if tables.tactics_per_turn == 2:
        if state.turn == 1:
            state.newer = next_card(state)
        state.older = state.newer
        state.newer = next_card(state)
        if state.newer == c.NONE:  # the stack is empty: only the newer card remains
            state.newer, state.older = state.older, c.NONE
    else:
        state.newer, state.older = next_card(state), c.NONE
    log(state, c.Event.TACTICS, state.newer, state.older, 0)


@inline
def next_card(state):
    if state.stack_next >= state.stack_size:
        return c.NONE
    card = state.stack[state.stack_next]
    state.stack_next += 1
    return card


def extra(state, adds, kind):
    """Return the sum that the cards in force add for a kind of SS card or counter.

    adds: array [Tactics card, kind] of the number that each card adds.
    """
    n = 0
    if state.newer != c.NONE:
        n += adds[state.newer, kind]
    if state.older != c.NONE:
        n += adds[state.older, kind]
    return n


def extra_dice(state, tables, card_kind):
    """Return the dice that the cards in force add to the effect roll of this kind of SS card."""
    return extra(state, tables.extra_dice, card_kind)


def effect_dice(state, tables, card):
    """Return the number of dice of an SS card's effect roll: its own dice plus those added by Tactics."""
    return tables.value[card] + extra_dice(state, tables, tables.card_kind[card])


def suppression_defence(state, tables, kind):
    """Return the Defence Value of a counter against Suppression.

    Tactics may raise it to at most the highest die face.
    """
    value = tables.defence[kind] + extra(state, tables.tougher, kind)
    return min(value, max(tables.die_sides, tables.defence[kind]))


def allowed_areas(state, tables, kind):
    """Return a bit mask of the areas that the cards in force allow for this kind of counter.

    The result is 0 if any area is allowed. R-59 applies if both cards restrict the areas.
    """
    newer = tables.only_areas[state.newer, kind] if state.newer != c.NONE else 0
    older = tables.only_areas[state.older, kind] if state.older != c.NONE else 0
    if newer == 0:
        return older
    if older != 0 and tables.tactics_two_areas == c.TacticsTwoAreas.intersection and newer & older:
        return newer & older
    return newer


def is_banned(state, tables, colour):
    """Return whether the cards in force ban the tokens of this colour's square."""
    banned = 0
    if state.newer != c.NONE:
        banned |= tables.banned[state.newer]
    if state.older != c.NONE:
        banned |= tables.banned[state.older]
    return (banned >> colour) & 1 != 0


# ---------------------------------------------------------------- 6.2 the SS player plans


def begin_planning(state, tables):
    """Ask the SS player for the first card (6.2b).

    In turn 1, first draw the hands. Does nothing without a second player.
    """
    if not tables.competitive:
        return
    if state.turn == 1:
        draw(state, tables, tables.ss_first_draw, tables.tactics_first_draw)
    state.n_planned = 0
    state.tactics_planned = c.NONE
    if state.ss_hand_size == 0:  # nothing to play: draw
        end_planning(state, tables)
    else:
        ask(state, c.SS, c.Stage.PLAN)


def draw(state, tables, cards, tactics):
    """Draw `cards` SS cards and `tactics` Tactics cards, or as many as remain."""
    for _ in range(min(cards, state.deck_size - state.deck_next)):
        state.ss_hand[state.deck[state.deck_next]] += 1
        state.ss_hand_size += 1
        state.deck_next += 1
    for _ in range(min(tactics, state.stack_size - state.stack_next)):
        state.tactics_hand |= 1 << int(state.stack[state.stack_next])
        state.stack_next += 1


def may_lay(state, tables, card):
    """Return whether a card of the hand may be played next (6.2b).

    With R-54 `first`, the 142nd must come first.
    """
    first_142nd = (
        tables.competitive_142nd == c.Competitive142nd.first
        and state.n_planned == 0
        and state.ss_hand[tables.n_cards] > 0
    )
    return state.ss_hand[card] > 0 and (not first_142nd or card == tables.n_cards)


def lay(state, tables, card):
    """Play the next card of the turn, face down (6.2b)."""
    state.ss_hand[card] -= 1
    state.ss_hand_size -= 1
    state.planned[state.n_planned] = card
    state.n_planned += 1
    if state.n_planned < tables.ss_cards and state.ss_hand_size > 0:
        return
    state.stage = c.Stage.PLAN_TACTICS
    if state.tactics_hand == 0:
        end_planning(state, tables)


def lay_tactics(state, tables, card):
    state.tactics_hand &= ~(1 << card)
    state.tactics_planned = card
    end_planning(state, tables)


def end_planning(state, tables):
    """Draw cards for the next turn, then begin the Defender Phase (6.2b, d)."""
    draw(state, tables, tables.ss_draw, tables.tactics_draw)
    log(state, c.Event.PLANNED, state.n_planned)
    ask(state, c.DEFENDER, c.Stage.ORDERS)


jit_module(__name__)
