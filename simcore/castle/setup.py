"""2. Set-up: royals given out, the deck shuffled and dealt; then the players place their cards."""

from numba import literal_unroll

from bartizan.simcore.castle.components import (
    FIRST_JOKER,
    FIRST_ROYAL_RANK,
    NONE,
    RANKS,
    ROYALS,
    SEATS,
    SUITS,
    Luck,
    RoyalsDealt,
    Step,
)
from bartizan.simcore.castle.rules.attack import clear_attack
from bartizan.simcore.castle.rules.grid import bit
from bartizan.simcore.castle.state import TALLIES
from bartizan.simcore.castle.turns import advance, know_royals
from bartizan.simcore.compile.jit import jit
from bartizan.simcore.kit.piles import shuffle


@jit
def reset(state, tables):
    """2.1 - 2.5. Modifies `state`."""
    clear(state, tables)
    deal(state, tables)
    if tables.royals_dealt == RoyalsDealt.choice:
        state.after = Step.CHOOSE
    else:
        deal_royals(state, tables)
        know_royals(state, tables)
        state.after = Step.SETUP
    advance(state, tables)


@jit
def clear(state, tables):
    """Modifies `state`."""
    state.n_events = 0
    state.turn = state.on_turn = 0
    state.pool_hidden = state.once_up = state.first_up = 0
    state.discards = state.gone = 0
    state.shuffles = 0
    state.to_place = 0
    state.drawn = state.forced_from = NONE
    state.forced_left = 0
    state.contested = state.adder = state.last_added = NONE
    state.asked = state.wanted = state.picked = 0
    state.leader = NONE
    for p in range(SEATS):
        clear_seat(state, tables, p)
    state.seen_by[:] = 0
    state.suits_left[:] = 1
    clear_attack(state)
    clear_tallies(state)


@jit
def clear_seat(state, tables, p):
    """Modifies `state`."""
    state.alive[p] = p < tables.players
    state.occupied[p] = state.up[p] = state.barred[p] = 0
    state.pool[p] = state.jokers[p] = state.added[p] = 0
    state.royal[p, :] = NONE
    state.castle[p, :] = NONE
    state.barricade[p, :] = NONE


@jit
def clear_tallies(state):
    """Modifies `state`."""
    state.place[:] = 0
    state.out[:] = 0
    state.kings[:] = 0
    state.reinforced = 0
    for name in literal_unroll(TALLIES):
        state[name] = 0


@jit
def deal_royals(state, tables):
    """2.1, C1: one Jack, one Queen and one King each. Modifies `state`."""
    for k in range(ROYALS):
        if k == 0 or tables.royals_dealt == RoyalsDealt.random:
            for suit in range(SUITS):
                state.face[suit] = suit
            shuffle(state, Luck.ROYALS, state.face, 0, SUITS)
        for p in range(tables.players):
            state.royal[p, k] = state.face[p] * RANKS + FIRST_ROYAL_RANK + k


@jit
def deal(state, tables):
    """2.1, 2.2: Ace to 10; five cards each; Jokers into what is left. Modifies `state`."""
    n = 0
    for card in range(FIRST_JOKER):
        if card % RANKS < FIRST_ROYAL_RANK:
            state.deck[n] = card
            n += 1
    shuffle(state, Luck.DECK, state.deck, 0, n)
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


@jit
def shuffle_in_jokers(state, tables):
    """2.2: the deck is what is left of it, moved to the front, and the Jokers."""
    n = 0
    for i in range(state.deck_next, state.deck_size):
        state.deck[n] = state.deck[i]
        n += 1
    for joker in range(tables.jokers):
        state.deck[n] = FIRST_JOKER + joker
        n += 1
    state.deck_next = 0
    state.deck_size = n
    shuffle(state, Luck.DECK, state.deck, 0, n)
