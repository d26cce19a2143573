"""Set-up (2): distributing royals, shuffling and dealing the deck. The players then place their cards.

All functions modify `state`.
"""

from bartizan.simcore.castle import components as c
from bartizan.simcore.castle.rules.attack import clear_attack
from bartizan.simcore.castle.rules.grid import bit
from bartizan.simcore.castle.turns import advance, know_royals
from bartizan.simcore.compile.jit import jit_module
from bartizan.simcore.kit.piles import shuffle


def reset(state, tables):
    """Set up the game, up to the first decision (2.1 - 2.5)."""
    clear_table(state, tables)
    deal(state, tables)
    if tables.royals_dealt == c.RoyalsDealt.choice:
        state.after = c.Step.CHOOSE
    else:
        deal_royals(state, tables)
        know_royals(state, tables)
        state.after = c.Step.SETUP
    advance(state, tables)


def clear_table(state, tables):
    """Set the fields whose initial value is not 0: no cards, no leader, no attack."""
    state.drawn = state.forced_from = c.NONE
    state.contested = state.adder = state.last_added = c.NONE
    state.leader = c.NONE
    for p in range(c.SEATS):
        state.alive[p] = p < tables.players
        state.royal[p, :] = c.NONE
        state.castle[p, :] = c.NONE
        state.barricade[p, :] = c.NONE
    state.suits_left[:] = 1
    clear_attack(state)


def deal_royals(state, tables):
    """Deal one Jack, one Queen and one King to each player (2.1, C1)."""
    for k in range(c.ROYALS):
        if k == 0 or tables.royals_dealt == c.RoyalsDealt.random:
            for suit in range(c.SUITS):
                state.face[suit] = suit
            shuffle(state, c.Luck.ROYALS, state.face, 0, c.SUITS)
        for p in range(tables.players):
            state.royal[p, k] = state.face[p] * c.RANKS + c.FIRST_ROYAL_RANK + k


def deal(state, tables):
    """Deal `tables.dealt` cards of the ranks Ace to 10 to each player (2.1, 2.2).

    Jokers are shuffled into the rest.
    """
    n = 0
    for card in range(c.FIRST_JOKER):
        if card % c.RANKS < c.FIRST_ROYAL_RANK:
            state.deck[n] = card
            n += 1
    shuffle(state, c.Luck.DECK, state.deck, 0, n)
    taken = 0
    for p in range(tables.players):
        for i in range(tables.dealt):
            state.dealt[p, i] = state.deck[taken]
            state.seen_by[state.deck[taken]] = bit(p)
            taken += 1
    state.deck_next = taken
    state.deck_size = n
    if tables.jokers > 0:
        shuffle_in_jokers(state, tables)


def shuffle_in_jokers(state, tables):
    """Move the rest of the deck to the front and shuffle it together with the Jokers (2.2)."""
    n = 0
    for i in range(state.deck_next, state.deck_size):
        state.deck[n] = state.deck[i]
        n += 1
    for joker in range(tables.jokers):
        state.deck[n] = c.FIRST_JOKER + joker
        n += 1
    state.deck_next = 0
    state.deck_size = n
    shuffle(state, c.Luck.DECK, state.deck, 0, n)


jit_module(__name__)
