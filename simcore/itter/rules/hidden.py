"""Redealing of hidden information: the piles and, from the defender's view, the SS player's cards (6.2).

All functions modify `state`.
"""

from bartizan.simcore.compile.jit import jit_module
from bartizan.simcore.itter.components import DEFENDER, NONE, TACTICS
from bartizan.simcore.itter.rules.tactics import draw
from bartizan.simcore.itter.setup import shuffle_unseen


def determinize(state, tables, seat):
    """Redeal the information hidden from `seat` (6.2).

    It consists of the piles and, for the defender, the cards that the SS player holds or has played face
    down.

    The SS player then gets the same number of cards from the top of the piles.
    """
    hides = tables.competitive and seat == DEFENDER
    cards, laid, tactics, lies = state.ss_hand_size, 0, 0, False
    if hides:
        lies = state.tactics_planned != NONE and state.newer != state.tactics_planned
        laid, tactics = give_back_cards(state, tables), give_back_tactics(state, lies)
    shuffle_unseen(state, tables)
    if hides:
        lay_unseen(state, laid, lies)
        draw(state, tables, cards, tactics)


def give_back_cards(state, tables):
    """Put the SS player's face-down cards and hand back on top of the deck.

    Return the number of face-down cards.
    """
    for card in range(tables.n_cards + 1):
        for _ in range(state.ss_hand[card]):
            put_back(state, card)
        state.ss_hand[card] = 0
    state.ss_hand_size = 0
    laid = state.n_planned - state.cards_turned
    for i in range(state.cards_turned, state.n_planned):
        put_back(state, state.planned[i])
    return laid


def put_back(state, card):
    state.deck_next -= 1
    state.deck[state.deck_next] = card


def give_back_tactics(state, lies):
    """Put the SS player's Tactics cards back on top of their stack.

    Return the number of cards that were in hand.

    lies: whether a Tactics card has been played but not yet turned up.
    """
    held = 0
    for card in range(TACTICS):
        if state.tactics_hand >> card & 1 or (lies and card == state.tactics_planned):
            held += 1
            state.stack_next -= 1
            state.stack[state.stack_next] = card
    state.tactics_hand = 0
    return held - lies


def lay_unseen(state, laid, lies):
    """Put new cards in the places of the cards played face down. lies: see `give_back_tactics`."""
    for i in range(laid):
        state.planned[state.cards_turned + i] = state.deck[state.deck_next]
        state.deck_next += 1
    if lies:
        state.tactics_planned = state.stack[state.stack_next]
        state.stack_next += 1


jit_module(__name__)
