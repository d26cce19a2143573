"""Drawing, discarding, the hand limit, and the open supply of Equipment (3.3 - 3.7).

Functions that return nothing modify `state`.
"""

from bartizan.simcore.colditz.components import EQUIPMENT, GERMAN, NONE, Event, Luck
from bartizan.simcore.colditz.rules.pawns import cards_held
from bartizan.simcore.compile.jit import jit_module
from bartizan.simcore.kit.journal import log
from bartizan.simcore.kit.piles import shuffle


def remake(state, cards, discards, purpose):
    """Shuffle the discards into the new deck `cards`, and return its size (3.7). Empties `discards`."""
    n = 0
    for card in range(discards.shape[0]):
        for _ in range(discards[card]):
            cards[n] = card
            n += 1
        discards[card] = 0
    shuffle(state, purpose, cards, 0, n)
    return n


def stack_stakes(state, tables):
    """Shuffle all Do or Die cards into a face-down stack (2.2, 3.7)."""
    for i in range(tables.n_stakes):
        state.stakes[i] = tables.stake_cards[i]
    state.stakes_size = tables.n_stakes
    state.stakes_next = 0
    shuffle(state, Luck.STAKE_CARD, state.stakes, 0, tables.n_stakes)


def draw_opportunity(state, p):
    """Draw an Opportunity card for the player, if one is left (3.3)."""
    if state.deck_next == state.deck_size:
        state.deck_size = remake(state, state.deck, state.discards, Luck.OPPORTUNITY)
        state.deck_next = 0
    if state.deck_next < state.deck_size:
        card = state.deck[state.deck_next]
        state.deck_next += 1
        state.hand[p, card] += 1
        state.drawn += 1
        log(state, Event.DREW, p, card)


def draw_security(state):
    if state.order_next == state.order_size:
        state.order_size = remake(state, state.order_deck, state.order_discards, Luck.SECURITY)
        state.order_next = 0
    if state.order_next < state.order_size:
        card = state.order_deck[state.order_next]
        state.order_next += 1
        state.orders[card] += 1
        state.drawn += 1
        log(state, Event.DREW, NONE, card)


def spend_card(state, p, card):
    """Move an Opportunity card from the hand of player p to the discards."""
    state.hand[p, card] -= 1
    state.discards[card] += 1


def spend_order(state, card):
    state.orders[card] -= 1
    state.order_discards[card] += 1


def orders_held(state):
    n = 0
    for card in range(state.orders.shape[0]):
        n += state.orders[card]
    return n


def holds(state, p, card):
    """Return whether the player has this card. card: NONE if the deck does not contain the card."""
    return card != NONE and state.hand[p, card] > 0


def has_order(state, card):
    return card != NONE and state.orders[card] > 0


def over_limit(state, tables):
    """Return whether the hand of the player on turn exceeds the limit (3.4)."""
    held = orders_held(state) if state.to_move == GERMAN else cards_held(state, state.on_turn)
    return held > tables.hand_limit


def must_discard_first(state, tables, p):
    """Return whether a hand above the limit forbids a stake before the throw (3.4).

    The stake would end the turn before the player discards.
    """
    return not state.last_stakes and cards_held(state, p) > tables.hand_limit


# ---------------------------------------------------------------- Equipment


def take_equipment(state, p, e):
    """Give the player an Equipment card from the open supply, if one is left."""
    if state.supply[e] > 0:
        state.supply[e] -= 1
        state.equipment[p, e] += 1
        log(state, Event.TOOK, p, e)


def return_equipment(state, p, e, n):
    state.equipment[p, e] -= n
    state.supply[e] += n


def lose_equipment(state, p, e):
    """Move an Equipment card from a player to the open supply."""
    return_equipment(state, p, e, 1)
    state.to_lose[p] -= 1
    log(state, Event.LOST, p, e)


def kinds_held(state, p):
    n = 0
    for e in range(EQUIPMENT):
        n += state.equipment[p, e] > 0
    return n


def confiscate(state, p, n):
    """Let the player lose n more Equipment cards next, or all cards if he has fewer (7.3, 9.2)."""
    state.to_lose[p] += n


jit_module(__name__)
