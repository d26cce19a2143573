"""3.8, 4.10: the deck, the discard pile, and cards that leave the game."""

from bartizan.simcore.castle.components import CARDS, NONE, SEATS, Event, Luck
from bartizan.simcore.castle.rules.grid import bit, count, pool_worth
from bartizan.simcore.compile.jit import jit
from bartizan.simcore.kit.journal import log
from bartizan.simcore.kit.piles import shuffle
from bartizan.simcore.rng import rekey


@jit
def deck_left(state):
    return state.deck_size - state.deck_next


@jit
def remake(state):
    """3.8, 8.5: what is left of the deck and the discards, shuffled together. Modifies `state`."""
    cards = state.discards
    for i in range(state.deck_next, state.deck_size):
        cards |= bit(state.deck[i])
    n = 0
    for card in range(CARDS):
        if cards >> card & 1:
            state.deck[n] = card
            state.seen_by[card] = 0
            n += 1
    state.once_up &= ~cards
    state.discards = 0
    state.deck_size = n
    state.deck_next = 0
    state.shuffles += 1
    rekey(state, Luck.DECK, state.shuffles)
    shuffle(state, Luck.DECK, state.deck, 0, n)
    log(state, Event.SHUFFLED, n)


@jit
def shuffle_unseen(state, tables):
    """What is left of the deck in another order, each as likely: nobody looks at it.

    Castles and drawn cards stay. Modifies `state`; returns how many.
    """
    shuffle(state, Luck.DECK, state.deck, state.deck_next, state.deck_size)
    return deck_left(state)


@jit
def take(state):
    """3.8: the top card, or NONE when both piles are empty. Modifies `state`."""
    if deck_left(state) == 0:
        if state.discards == 0:
            return NONE
        remake(state)
        state.reshuffles += 1
    state.deck_next += 1
    return int(state.deck[state.deck_next - 1])


@jit
def discard(state, card):
    """Modifies `state`."""
    state.discards |= bit(card)
    state.seen_by[card] = 255


@jit
def discard_all(state, cards):
    """A set of cards to the discard pile. Modifies `state`."""
    for card in range(CARDS):
        if cards >> card & 1:
            discard(state, card)


@jit
def use_up(state):
    """4.5: the reinforcements added in this fight, or for a Joker's contest, are discarded.

    Modifies `state`.
    """
    for p in range(SEATS):
        discard_all(state, state.added[p])
        state.added[p] = 0


@jit
def added_worth(state, tables, p):
    return pool_worth(tables, state.added[p])


@jit
def jokers_of(state, p):
    """How many Jokers a player owns (11.1, 11.3)."""
    return count(state.jokers[p])
