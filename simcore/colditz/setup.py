"""Set-up (2): start places of pawns and shuffled decks; and the redealing of unseen cards.

Functions with an argument `state` modify it.
"""

import numpy as np

from bartizan.simcore.colditz import components as cz
from bartizan.simcore.colditz.rules.decks import remake, stack_stakes
from bartizan.simcore.colditz.turns import advance
from bartizan.simcore.compile.jit import jit_module
from bartizan.simcore.kit.piles import shuffle


def reset(state, tables):
    """Set up the game, up to the German's first post (2.1 - 2.4)."""
    clear_table(state)
    place_pawns(state, tables)
    stack_decks(state, tables)
    state.after = cz.Step.SETUP
    advance(state, tables)


def clear_table(state):
    """Set the fields whose initial value is not 0: no pawn picked, no tunnel opened, no race won."""
    state.picked = state.mover = state.chaser = cz.NONE
    for t in range(cz.TUNNELS):
        state.digger[t] = cz.NONE
    for i in range(2):
        state.racer[i] = cz.NONE


def place_pawns(state, tables):
    """Place the POWs in play in the Appel and the guards in play in the barracks (2.1, 2.3)."""
    for w in range(cz.POWS):
        plays = w // cz.TEAM < tables.players and w % cz.TEAM < tables.pows
        state.pow_at[w] = cz.APPEL if plays else cz.Place.UNUSED
        state.under[w] = cz.NONE
    for g in range(cz.GUARDS):
        state.guard_at[g] = cz.Place.BARRACKS if g < tables.guards else cz.Place.UNUSED


def stack_decks(state, tables):
    """Stack the Opportunity, Security and Do or Die cards face down, and fill the open supplies (2.2).

    The supplies are those of Equipment and Kits.
    """
    for i in range(tables.n_dealt):
        state.discards[tables.dealt[i]] += 1
    state.deck_size = remake(state, state.deck, state.discards, cz.Luck.OPPORTUNITY)
    for i in range(tables.n_order_dealt):
        state.order_discards[tables.order_dealt[i]] += 1
    state.order_size = remake(state, state.order_deck, state.order_discards, cz.Luck.SECURITY)
    stack_stakes(state, tables)
    for e in range(cz.EQUIPMENT):
        state.supply[e] = tables.equipment_count[e]
    state.kit_supply = tables.kit_count


def shuffle_unseen(state, tables):
    """Reshuffle the rest of the three face-down decks uniformly (3.3, 5.4).

    Return the number of their cards.
    """
    shuffle(state, cz.Luck.OPPORTUNITY, state.deck, state.deck_next, state.deck_size)
    shuffle(state, cz.Luck.SECURITY, state.order_deck, state.order_next, state.order_size)
    shuffle(state, cz.Luck.STAKE_CARD, state.stakes, state.stakes_next, state.stakes_size)
    cards = state.deck_size - state.deck_next + state.order_size - state.order_next
    return cards + state.stakes_size - state.stakes_next


# ---------------------------------------------------------------- redealing what a player cannot know


def determinize(state, tables, seat):
    """Redeal the cards that a seat cannot know, uniformly. The Allied seat knows all hands of its side."""
    shuffle_unseen(state, tables)
    if seat == cz.GERMAN:
        mix_hands(state, np.zeros(cz.DECK, np.int8), np.zeros(cz.PLAYERS, np.int64))
    else:
        mix_orders(state, np.zeros(cz.DECK, np.int8))


def mix_hands(state, cards, sizes):
    """Redeal the Opportunity cards in hands and in the deck. `cards` and `sizes` are working space."""
    n = 0
    for p in range(cz.PLAYERS):
        before = n
        n = pick_up(state.hand[p], cz.CARDS, cards, n)
        sizes[p] = n - before
    n = pick_up_rest(state.deck, state.deck_next, state.deck_size, cards, n)
    shuffle(state, cz.Luck.OPPORTUNITY, cards, 0, n)
    for p in range(cz.PLAYERS):
        n = hand_out(state.hand[p], sizes[p], cards, n)
    lay_out(state.deck, state.deck_next, cards, n)


def mix_orders(state, cards):
    """Redeal the Security cards in the German's hand and in the deck. `cards` is working space."""
    held = pick_up(state.orders, cz.SECURITY, cards, 0)
    n = pick_up_rest(state.order_deck, state.order_next, state.order_size, cards, held)
    shuffle(state, cz.Luck.SECURITY, cards, 0, n)
    n = hand_out(state.orders, held, cards, n)
    lay_out(state.order_deck, state.order_next, cards, n)


def pick_up(hand, kinds, cards, n):
    """Move a hand (number of each kind) to the end of n cards, and return the new number of cards."""
    for k in range(kinds):
        for _ in range(hand[k]):
            cards[n] = k
            n += 1
        hand[k] = 0
    return n


def pick_up_rest(pile, first, end, cards, n):
    """Append the rest of a pile to n cards, and return the new number of cards."""
    for i in range(first, end):
        cards[n] = pile[i]
        n += 1
    return n


def lay_out(pile, first, cards, n):
    """Write the first n cards as the rest of a pile.

    This is a loop, as in `pick_up_rest`, because numba takes seconds to compile the error for unequal sizes.
    """
    for i in range(n):
        pile[first + i] = cards[i]


def hand_out(hand, size, cards, n):
    """Move the last `size` of n cards into a hand, and return the number of cards left."""
    for i in range(n - size, n):
        hand[cards[i]] += 1
    return n - size


jit_module(__name__)
