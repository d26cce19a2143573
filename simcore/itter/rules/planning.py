"""6.2: the second player runs the SS: a hand of SS cards and Tactics cards, and what is laid face down for
the turn.
"""

from bartizan.simcore.compile.jit import jit
from bartizan.simcore.itter.components import DEFENDER, NONE, SS, Competitive142nd, Event, Stage
from bartizan.simcore.kit.actions import ask
from bartizan.simcore.kit.journal import log


@jit
def begin_planning(state, tables):
    """6.2b: first of all the SS player plans; in turn 1 he draws his hands before.

    Without a second player nothing happens. Modifies `state`.
    """
    if not tables.competitive:
        return
    if state.turn == 1:
        draw(state, tables, tables.ss_first_draw, tables.tactics_first_draw)
    state.n_planned = 0
    state.tactics_planned = NONE
    ask(state, SS, Stage.PLAN)


@jit
def draw(state, tables, cards, tactics):
    """As far as cards remain. Modifies `state`."""
    for _ in range(min(cards, state.deck_size - state.deck_next)):
        state.ss_hand[state.deck[state.deck_next]] += 1
        state.ss_hand_size += 1
        state.deck_next += 1
    for _ in range(min(tactics, state.stack_size - state.stack_next)):
        state.tactics_hand |= 1 << int(state.stack[state.stack_next])
        state.stack_next += 1


@jit
def may_lay(state, tables, card):
    """6.2b: any card of the hand, in the first place the 142nd with R-54 `first`."""
    first_142nd = (
        tables.competitive_142nd == Competitive142nd.first
        and state.n_planned == 0
        and state.ss_hand[tables.n_cards] > 0
    )
    return state.ss_hand[card] > 0 and (not first_142nd or card == tables.n_cards)


@jit
def lay(state, tables, card):
    """6.2b: the next card of the turn, face down. Modifies `state`."""
    state.ss_hand[card] -= 1
    state.ss_hand_size -= 1
    state.planned[state.n_planned] = card
    state.n_planned += 1
    if state.n_planned < tables.ss_cards and state.ss_hand_size > 0:
        return
    state.stage = Stage.PLAN_TACTICS
    if state.tactics_hand == 0:
        end_planning(state, tables)


@jit
def lay_tactics(state, tables, card):
    """6.2b. Modifies `state`."""
    state.tactics_hand &= ~(1 << card)
    state.tactics_planned = card
    end_planning(state, tables)


@jit
def end_planning(state, tables):
    """6.2b, d: cards for the next turn; then the Defender Phase. Modifies `state`."""
    draw(state, tables, tables.ss_draw, tables.tactics_draw)
    log(state, Event.PLANNED, state.n_planned)
    ask(state, DEFENDER, Stage.ORDERS)
