"""Set-up of the game (section 0), and reshuffling of face-down cards.

All functions modify `state`.
"""

from bartizan.simcore.compile.jit import jit_module
from bartizan.simcore.itter.components import NONE, Luck, Place, TacticsShuffled
from bartizan.simcore.itter.rules.board import stand
from bartizan.simcore.itter.rules.tactics import begin_planning
from bartizan.simcore.itter.turns import begin_turn
from bartizan.simcore.kit.piles import shuffle
from bartizan.simcore.rng import below


def reset(state, tables):
    """Put all pieces in their start places, shuffle the decks, and begin turn 1 (0.1 - 0.3, 6.1)."""
    clear_board(state, tables)
    place_defenders(state, tables)
    place_start_counters(state, tables)
    stack_ss_deck(state, tables)
    if tables.tactics_per_turn > 0:
        stack_tactics(state, tables)
    begin_turn(state, tables)
    begin_planning(state, tables)


def clear_board(state, tables):
    """Set the fields whose initial value is not 0.

    No defender and no SS counter is on the board, no Tactics card has been played, and every location has its
    first Defence Value.
    """
    state.newer = state.older = state.tactics_planned = NONE
    for p in range(tables.n_positions):
        state.occupant[p] = NONE
    for location in range(tables.n_locations):
        state.defence[location] = tables.defence_track[location, 0]
    for circle in range(state.counter.shape[0]):
        state.counter[circle] = NONE
    for kind in range(tables.n_kinds):
        state.supply[kind] = tables.count[kind]


def place_defenders(state, tables):
    """Put each defender in his start place: the Cellar, aside ([R]) or the reserve (0.1)."""
    for d in range(tables.n_defenders):
        state.place[d] = tables.start[d]
        if tables.start[d] == Place.RESERVE:
            state.starters_waiting += 1
        if tables.start[d] > Place.RESERVE:
            p = 0
            while not (tables.is_cellar[tables.location[p]] and state.occupant[p] == NONE):
                p += 1
            stand(state, tables, d, p)


def place_start_counters(state, tables):
    """Place one counter on each area, shuffled if the level requires it (0.2, 6.1.2, 6.1.3)."""
    n = len(tables.areas)
    for i in range(n):
        state.counter[tables.areas[i]] = tables.start_kinds[i]
        if tables.start_kinds[i] != NONE:
            state.supply[tables.start_kinds[i]] -= 1
    if tables.random_start:
        for i in range(n - 1, 0, -1):
            j = below(state, Luck.SETUP, i + 1)
            a, b = tables.areas[i], tables.areas[j]
            state.counter[a], state.counter[b] = state.counter[b], state.counter[a]


def stack_ss_deck(state, tables):
    """Shuffle decks 1 to 4 separately, and stack them with deck 1 on top (0.3)."""
    copies = double_cards(state, tables)
    n = 0
    for k in range(4):
        first = n
        for i in range(tables.deck_end[k], tables.deck_end[k + 1]):
            for _ in range(copies[i]):
                state.deck[n] = tables.dealt[i]
                n += 1
        shuffle(state, Luck.SS_DECK, state.deck, first, n)
    state.deck_size = n


def double_cards(state, tables):
    """Return the number of copies of each dealt card, in `state.scratch`.

    The number is one or, with R-66 `drawn` (7.6), two for `tables.drawn_cards` cards drawn at random. Every
    set of these cards is equally likely.
    """
    left = tables.drawn_cards
    cards = tables.deck_end[4]
    for i in range(cards):
        state.scratch[i] = 1
        # selection sampling: Knuth, The Art of Computer Programming 2, 3.4.2
        if left > 0 and below(state, Luck.SETUP, cards - i) < left:
            state.scratch[i] = 2
            left -= 1
    return state.scratch


def stack_tactics(state, tables):
    """Shuffle each Tactics deck (R-56), remove some cards from its top, and stack the decks (6.1).

    Deck 1 is on top.
    """
    for i in range(tables.tactics_end[4]):
        state.stack[i] = tables.tactics_dealt[i]
    if tables.tactics_shuffled == TacticsShuffled.yes:
        for k in range(4):
            shuffle(state, Luck.TACTICS, state.stack, tables.tactics_end[k], tables.tactics_end[k + 1])
    n = 0
    for k in range(4):
        for i in range(tables.tactics_end[k] + tables.tactics_removed[k + 1], tables.tactics_end[k + 1]):
            state.stack[n] = state.stack[i]
            n += 1
    state.stack_size = n


# ---------------------------------------------------------------- redealing face-down cards


def shuffle_unseen(state, tables):
    """Reshuffle both draw piles uniformly, given all that is known about their order (0.3, 2.8d, 6.1).

    Return the number of cards in them.

    The remaining cards of each numbered deck are shuffled separately. If the 142nd is in the deck, the last
    cards, into which it was shuffled, are then shuffled together.
    """
    for k in range(1, 5):
        shuffle_deck(state, tables, k)
    if state.regiment_in:
        first = max(state.regiment_from, state.deck_next)
        shuffle(state, Luck.SS_DECK, state.deck, first, state.deck_size)
    if tables.tactics_per_turn > 0 and tables.tactics_shuffled == TacticsShuffled.yes:
        shuffle_tactics(state, tables)
    return state.deck_size - state.deck_next + state.stack_size - state.stack_next


def shuffle_deck(state, tables, k):
    """Shuffle the remaining cards of deck k among their current places (Fisher-Yates)."""
    n = 0
    for i in range(state.deck_next, state.deck_size):
        if tables.deck_of[state.deck[i]] == k:
            state.scratch[n] = i
            n += 1
    for i in range(n - 1, 0, -1):
        a, b = state.scratch[i], state.scratch[below(state, Luck.SS_DECK, i + 1)]
        state.deck[a], state.deck[b] = state.deck[b], state.deck[a]


def shuffle_tactics(state, tables):
    """Shuffle the rest of each Tactics deck (6.1, R-56)."""
    first = 0
    for k in range(4):
        end = first + tables.tactics_end[k + 1] - tables.tactics_end[k] - tables.tactics_removed[k + 1]
        shuffle(state, Luck.TACTICS, state.stack, max(first, state.stack_next), end)
        first = end


jit_module(__name__)
