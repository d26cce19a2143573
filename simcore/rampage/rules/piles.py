"""1.2, 2.1, 3.1: the pile, the discards, and cards that come to a hand from there."""

from bartizan.simcore.compile.jit import jit
from bartizan.simcore.kit.journal import log
from bartizan.simcore.kit.piles import shuffle
from bartizan.simcore.rampage import components as c
from bartizan.simcore.rampage.rules.hands import gain
from bartizan.simcore.rng import named_word


@jit
def discard(state, tables, k):
    """A card goes to the discards; A24 left_out: it rests there until the turn is over. Modifies `state`."""
    if tables.midturn_reshuffle == c.MidturnReshuffle.left_out:
        state.resting[k] += 1
    else:
        state.discards[k] += 1


@jit
def pile_left(state):
    return state.pile_size - state.pile_next


@jit
def shuffle_pile(state, tables):
    """2.1, 2.2: what is left of the pile and the cards in `aside` become a new pile: sorted by words of luck,
    see PROTOCOL.md.

    Modifies `state`.
    """
    for i in range(state.pile_next, state.pile_size):
        state.aside[state.pile[i]] += 1
    n = 0
    for k in range(tables.kinds):
        for copy in range(state.aside[k]):
            word, i = named_word(state, c.Luck.DECK, state.shuffles, tables.tag[k], copy), n
            while i > 0 and state.word[i - 1] > word:  # sorted in
                state.word[i], state.pile[i] = state.word[i - 1], state.pile[i - 1]
                i -= 1
            state.word[i], state.pile[i] = word, k
            n += 1
        state.aside[k] = 0
    state.pile_size = n
    state.pile_next = 0
    state.shuffles += 1
    log(state, c.Event.SHUFFLED, n)


@jit
def shuffle_unseen(state, tables):
    """What is left of the pile in another order, each as likely: nobody looks at it.

    Hands and structures stay. Modifies `state`; returns how many.
    """
    shuffle(state, c.Luck.DECK, state.pile, state.pile_next, state.pile_size)
    return pile_left(state)


@jit
def renew(state, tables):
    """A1: the pile is empty; is there one again? Modifies `state`."""
    if tables.empty_pile == c.EmptyPile.game_ends:
        stop(state, tables, c.End.PILE_EMPTY)
        return False
    if tables.empty_pile == c.EmptyPile.no_draw:
        return False
    there = 0
    for k in range(tables.kinds):
        there += state.discards[k]
        state.aside[k] = state.discards[k]
        state.discards[k] = 0
    if there == 0:
        return False
    shuffle_pile(state, tables)
    state.reshuffles += 1
    return True


@jit
def stop(state, tables, reason):
    """A18: nobody has destroyed a Castle. Modifies `state`."""
    state.end_reason = reason
    if tables.stalemate == c.Stalemate.count_cards:
        for structure in (c.Structure.CASTLE, c.Structure.GATE):
            more = state.size[0, structure] - state.size[1, structure]
            if more != 0:
                state.loser = 1 if more > 0 else 0
                return


@jit
def draw(state, tables, p):
    """3.1, 7.3: one card, its kind, or NONE. Modifies `state`."""
    if pile_left(state) == 0 and not renew(state, tables):
        return c.NONE
    k = int(state.pile[state.pile_next])
    state.pile_next += 1
    state.n_drawn += 1
    state.got[k] += 1
    gain(state, tables, p, k)
    log(state, c.Event.DREW, p, k)
    return k
