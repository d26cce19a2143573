"""Redealing of hidden information: the pile, the other player's hand and cards to place, and stacks.

Functions that return nothing modify `state`.
"""

import numpy as np

from bartizan.simcore.compile.jit import jit_module
from bartizan.simcore.kit.piles import shuffle
from bartizan.simcore.rampage.components import DECK, ROOM, STRUCTURES, Luck, RepelledVeteran, Stage
from bartizan.simcore.rampage.rules.zones import gain, other, pile_left, take


def determinize(state, tables, seat):
    """Redeal the unseen cards uniformly.

    Players remember their own stacks (1.6) and know some top cards of the opponent's stacks. A hand is
    visible while a card is chosen from it (A20).
    """
    cards, q = np.zeros(DECK, np.int8), other(seat)
    n = pile_left(state)
    cards[:n] = state.pile[state.pile_next : state.pile_size]
    held = n
    for k in range(tables.kinds):
        for _ in range(state.hand[q, k] - in_view(state, tables, seat, q, k)):
            take(state, tables, q, k)
            cards[n] = k
            n += 1
    held, dealt = n - held, n
    for k in range(tables.kinds):
        for _ in range(state.dealt[q, k]):
            cards[n] = k
            n += 1
        state.dealt[q, k] = 0
    dealt = n - dealt
    n = collect_stacks(state, q, cards, n)
    shuffle(state, Luck.DECK, cards, 0, n)
    deal_out(state, tables, q, cards, n, held, dealt)


def in_view(state, tables, seat, q, k):
    """Return the number of cards of kind k in player q's hand that `seat` sees.

    These are all cards while `seat` chooses one of them (A20); otherwise the tired Veterans, which have just
    returned (A16b).
    """
    if state.stage == Stage.TAKE and seat == state.on_turn:
        return state.hand[q, k]
    if q == state.on_turn and tables.repelled_veteran == RepelledVeteran.to_hand:
        return min(state.hand[q, k], state.tired[k])
    return 0


def collect_stacks(state, q, cards, n):
    """Append the cards of q's stacks that the other player does not know to `cards`, which is modified.

    n: number of elements in use. Returns the new number.
    """
    for structure in range(STRUCTURES):
        for i in range(state.known[q, structure], state.size[q, structure]):
            cards[n] = state.stack[q, structure, state.top[q, structure] + i & ROOM - 1]
            n += 1
    return n


def deal_out(state, tables, q, cards, n, held, dealt):
    """Deal all n cards to q's zones and the pile.

    `held` cards go to q's hand, `dealt` to q's cards to be placed, and the others to q's stacks and the pile.
    """
    for _ in range(held):
        n -= 1
        gain(state, tables, q, cards[n])
    for _ in range(dealt):
        n -= 1
        state.dealt[q, cards[n]] += 1
    for structure in range(STRUCTURES):
        for i in range(state.known[q, structure], state.size[q, structure]):
            n -= 1
            state.stack[q, structure, state.top[q, structure] + i & ROOM - 1] = cards[n]
    state.pile[state.pile_next : state.pile_size] = cards[:n]


jit_module(__name__)
