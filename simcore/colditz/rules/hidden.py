"""What one side cannot know, dealt anew: the face-down decks, and the hands of the other side."""

import numpy as np

from bartizan.simcore.colditz.components import CARDS, DECK, GERMAN, PLAYERS, SECURITY, Luck
from bartizan.simcore.colditz.setup import shuffle_unseen
from bartizan.simcore.compile.jit import jit
from bartizan.simcore.kit.piles import shuffle


@jit
def determinize(state, tables, seat):
    """The unseen cards change places among themselves, each way as likely. Modifies `state`.

    One player has the Allied seat, with all the hands of his side.
    """
    shuffle_unseen(state, tables)
    if seat == GERMAN:
        mix_hands(state, np.zeros(DECK, np.int8), np.zeros(PLAYERS, np.int64))
    else:
        mix_orders(state, np.zeros(DECK, np.int8))


@jit
def mix_hands(state, cards, sizes):
    """Opportunity cards in hands and in the deck. Modifies `state`, cards and sizes."""
    n = 0
    for p in range(PLAYERS):
        before = n
        n = pick_up(state.hand[p], CARDS, cards, n)
        sizes[p] = n - before
    n = pick_up_rest(state.deck, state.deck_next, state.deck_size, cards, n)
    shuffle(state, Luck.OPPORTUNITY, cards, 0, n)
    for p in range(PLAYERS):
        n = hand_out(state.hand[p], sizes[p], cards, n)
    state.deck[state.deck_next : state.deck_size] = cards[:n]


@jit
def mix_orders(state, cards):
    """Security cards in the German's hand and in the deck. Modifies `state` and `cards`."""
    held = pick_up(state.orders, SECURITY, cards, 0)
    n = pick_up_rest(state.order_deck, state.order_next, state.order_size, cards, held)
    shuffle(state, Luck.SECURITY, cards, 0, n)
    n = hand_out(state.orders, held, cards, n)
    state.order_deck[state.order_next : state.order_size] = cards[:n]


@jit
def pick_up(hand, kinds, cards, n):
    """A hand (how many of each kind) joins n cards; returns how many these are then. Modifies both."""
    for k in range(kinds):
        for _ in range(hand[k]):
            cards[n] = k
            n += 1
        hand[k] = 0
    return n


@jit
def pick_up_rest(pile, first, end, cards, n):
    """What is left of a pile joins them too. Modifies `cards`."""
    cards[n : n + end - first] = pile[first:end]
    return n + end - first


@jit
def hand_out(hand, size, cards, n):
    """The last `size` of n cards into a hand; returns how many are left. Modifies `hand`."""
    for i in range(n - size, n):
        hand[cards[i]] += 1
    return n - size
