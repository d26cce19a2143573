"""The deck, the discard pile, and cards that leave the game (3.8, 4.10).

Functions that return nothing modify `state`; `note_unseen` and `put` modify only `work`.
"""

import numpy as np

from bartizan.simcore.castle import components as c
from bartizan.simcore.castle.rules.grid import bit, count, pool_worth
from bartizan.simcore.compile.jit import jit_module
from bartizan.simcore.kit.journal import log
from bartizan.simcore.kit.piles import shuffle
from bartizan.simcore.rng import below, rekey


def deck_left(state):
    return state.deck_size - state.deck_next


def remake(state):
    """Shuffle the rest of the deck and the discards into a new deck (3.8, 8.5)."""
    cards = state.discards
    for i in range(state.deck_next, state.deck_size):
        cards |= bit(state.deck[i])
    n = 0
    for card in range(c.CARDS):
        if cards >> card & 1:
            state.deck[n] = card
            state.seen_by[card] = 0
            n += 1
    state.once_up &= ~cards
    state.discards = 0
    state.deck_size = n
    state.deck_next = 0
    state.shuffles += 1
    rekey(state, c.Luck.DECK, state.shuffles)
    shuffle(state, c.Luck.DECK, state.deck, 0, n)
    log(state, c.Event.SHUFFLED, n)


def shuffle_unseen(state, tables):
    """Reshuffle the rest of the deck uniformly. Return the number of its cards."""
    shuffle(state, c.Luck.DECK, state.deck, state.deck_next, state.deck_size)
    return deck_left(state)


def take(state):
    """Take and return the top card; NONE if both piles are empty (3.8)."""
    if deck_left(state) == 0:
        if state.discards == 0:
            return c.NONE
        remake(state)
        state.reshuffles += 1
    state.deck_next += 1
    return int(state.deck[state.deck_next - 1])


def discard(state, card):
    """Add a card to the discards, where all players see it."""
    state.discards |= bit(card)
    state.seen_by[card] = 255


def discard_all(state, cards):
    for card in range(c.CARDS):
        if cards >> card & 1:
            discard(state, card)


def use_up(state):
    """Discard the reinforcements added in this fight or contest (4.5)."""
    for p in range(c.SEATS):
        discard_all(state, state.added[p])
        state.added[p] = 0


def added_worth(state, tables, p):
    return pool_worth(tables, state.added[p])


def jokers_of(state, p):
    return count(state.jokers[p])


# ---------------------------------------------------------------- redealing what a player cannot know


# scratch: cards to be dealt, face-down squares of each castle, squares of a Court
WORK = np.dtype(
    [
        ("n", "i4"),
        ("cards", "i1", (c.DECK + c.CARDS,)),
        ("unseen", "i8", (c.SEATS,)),
        ("court", "i1", (c.SQUARES,)),
        ("suits", "i1", (c.SUITS,)),
    ],
    align=True,
)


def determinize(state, tables, seat):
    """Redeal the cards that a seat has not seen.

    They are in the castles of other players, in their hands that are still to be placed, and in the deck.

    Each unseen royal gets a random unseen square of its Court and, if royals are dealt at random, a random
    remaining suit (C1). An attacker's face-down additions are also chosen again at random (C8b).
    """
    work = np.zeros(1, WORK)
    deal_again(state, tables, seat, work)


def deal_again(state, tables, seat, works):
    """Redeal the cards that a seat has not seen.

    works: array whose element 0 is working space, which is modified.
    """
    work = works[0]
    note_unseen(state, tables, seat, work)
    royals = royals_in_play(state, tables)
    collect(state, tables, seat, royals, work)
    move_royals(state, tables, seat, work)
    fill(state, tables, seat, work)
    if 0 <= state.target < c.POOL_TARGET and state.stage == c.Stage.NAME:
        state.target_card = state.castle[state.target // c.CASTLE, state.target % c.CASTLE]
    if tables.reinforcement_order == c.ReinforcementOrder.simultaneous and hides_additions(state, seat):
        add_again(state)


def note_unseen(state, tables, seat, work):
    """Record in `work` the squares with a card that the player has not seen."""
    for q in range(tables.players):
        for square in range(c.SQUARES):
            card = state.castle[q, square]
            if q != seat and card != c.NONE and not state.seen_by[card] >> seat & 1:
                work.unseen[q] |= bit(square)


def royals_in_play(state, tables):
    """Return the players' royals as a bit mask over cards."""
    cards = 0
    for q in range(tables.players):
        for k in range(c.ROYALS):
            if state.royal[q, k] != c.NONE:
                cards |= bit(state.royal[q, k])
    return cards


def is_in_hand(state, seat, q):
    """Return whether player q holds dealt cards that are still to be placed when `seat` decides."""
    return state.stage == c.Stage.CHOOSE or (
        (state.stage == c.Stage.SETUP or state.stage == c.Stage.HAND) and q > seat
    )


def collect(state, tables, seat, royals, work):
    """Collect in `work`, in random order, the cards that the player has not seen.

    Royals and the Jokers of the deck are left out.
    """
    for q in range(tables.players):
        for square in range(c.SQUARES):
            card = state.castle[q, square]
            if work.unseen[q] >> square & 1 and not royals >> card & 1:
                put(work, card)
        for i in range(tables.dealt if q != seat and is_in_hand(state, seat, q) else 0):
            put(work, state.dealt[q, i])
    for i in range(state.deck_next, state.deck_size):
        if state.deck[i] < c.FIRST_JOKER:
            put(work, state.deck[i])
    shuffle(state, c.Luck.DECK, work.cards, 0, work.n)


def put(work, card):
    work.cards[work.n] = card
    work.n += 1


def draw_one(work):
    work.n -= 1
    return work.cards[work.n]


# ---------------------------------------------------------------- royals


def is_sought(state, seat, q, k):
    """Return whether `seat` has not seen royal k of player q."""
    return q != seat and state.royal[q, k] != c.NONE and not state.seen_by[state.royal[q, k]] >> seat & 1


def move_royals(state, tables, seat, work):
    """Give each unseen royal a new random square of its Court and, if royals are dealt at random, a new suit.

    Also modifies `work`.
    """
    stands = lift_royals(state, tables, seat)
    if tables.royals_dealt == c.RoyalsDealt.random:
        for k in range(c.ROYALS):
            change_suits(state, tables, seat, k, work)
    for q in range(tables.players):
        n = 0
        for square in range(c.WIDTH):
            if work.unseen[q] >> square & 1:
                work.court[n] = square
                n += 1
        shuffle(state, c.Luck.ROYALS, work.court, 0, n)
        for k in range(c.ROYALS):
            if is_sought(state, seat, q, k):
                state.seen_by[state.royal[q, k]] = bit(q)
                if stands >> (q * c.ROYALS + k) & 1:
                    n -= 1
                    state.castle[q, work.court[n]] = state.royal[q, k]


def lift_royals(state, tables, seat):
    """Replace unseen royals in the castles by plain cards.

    Returns them as a bit mask: bit q * ROYALS + k for royal k of player q.
    """
    stands = 0
    for q in range(tables.players):
        for k in range(c.ROYALS):
            if not is_sought(state, seat, q, k):
                continue
            for square in range(c.SQUARES):
                if state.castle[q, square] == state.royal[q, k]:
                    state.castle[q, square] = 0
                    stands |= bit(q * c.ROYALS + k)
            state.seen_by[state.royal[q, k]] = 0
    return stands


def change_suits(state, tables, seat, k, work):
    """Give the unseen royals of rank k random suits that no player has shown (C1 random).

    Also modifies `work`.
    """
    n = 0
    for suit in range(c.SUITS):
        if is_free(state, tables, seat, k, suit * c.RANKS + c.FIRST_ROYAL_RANK + k):
            work.suits[n] = suit
            n += 1
    shuffle(state, c.Luck.ROYALS, work.suits, 0, n)
    for q in range(tables.players):
        if is_sought(state, seat, q, k):
            n -= 1
            state.royal[q, k] = work.suits[n] * c.RANKS + c.FIRST_ROYAL_RANK + k


def is_free(state, tables, seat, k, card):
    """Return whether an unseen royal may be this card.

    It may be the card of an unseen royal, or a card that has not been seen and is nowhere in the game.
    """
    for q in range(tables.players):
        if state.royal[q, k] == card:
            return is_sought(state, seat, q, k)
    if state.seen_by[card] or (state.discards | state.gone | state.spent | state.picked) >> card & 1:
        return False
    for q in range(tables.players):
        for square in range(c.SQUARES):
            if state.castle[q, square] == card:
                return False
    for i in range(state.deck_next, state.deck_size):
        if state.deck[i] == card:
            return False
    return True


# ---------------------------------------------------------------- all others


def fill(state, tables, seat, work):
    """Deal the plain cards to the remaining squares, hands and the deck. Also modifies `work`."""
    royals = royals_in_play(state, tables)
    for q in range(tables.players):
        for square in range(c.SQUARES):
            if work.unseen[q] >> square & 1 and not royals >> state.castle[q, square] & 1:
                state.castle[q, square] = draw_one(work)
                state.seen_by[state.castle[q, square]] = bit(q)
        for i in range(tables.dealt if q != seat and is_in_hand(state, seat, q) else 0):
            state.dealt[q, i] = draw_one(work)
            state.seen_by[state.dealt[q, i]] = bit(q)
    for i in range(state.deck_next, state.deck_size):
        if state.deck[i] >= c.FIRST_JOKER:
            put(work, state.deck[i])
    shuffle(state, c.Luck.DECK, work.cards, 0, work.n)
    for i in range(state.deck_next, state.deck_size):
        state.deck[i] = draw_one(work)
        state.seen_by[state.deck[i]] = 0


def hides_additions(state, seat):
    """Return whether `seat` is a defender who decides while the attacker's additions are face down (C8b)."""
    return (
        state.stage == c.Stage.ADD
        and state.contested == c.NONE
        and seat == state.defender
        and seat != state.attacker
    )


def add_again(state):
    """Choose at random which cards of the pool the attacker has added."""
    a = state.attacker
    cards = state.pool[a] | state.added[a]
    state.added[a] = 0
    for card in range(c.CARDS):
        if cards >> card & 1 and below(state, c.Luck.DECK, 2) == 0:
            state.added[a] |= bit(card)
    state.pool[a] = cards & ~state.added[a]


jit_module(__name__)
