"""Piles of cards. A pile is a slice of an array, cards[first:end], and its first element is the next card."""

from bartizan.simcore.compile.jit import jit
from bartizan.simcore.rng import aside, below


@jit
def shuffle(state, stream, cards, first, end):
    """Shuffle cards[first:end] (Fisher-Yates), with random numbers from `stream`.

    Modifies `state` and `cards`.
    """
    for i in range(end - 1, first, -1):
        j = first + below(state, stream, i - first + 1)
        cards[i], cards[j] = cards[j], cards[i]


@jit
def one_of(state, cards, first, end, kinds, kind):
    """Return the index of a uniformly random card of a kind in cards[first:end]; -1 if there is none.

    The choice changes no random stream (`aside`).

    kinds: kind of each card. The choice is random because always taking the next card would leave the pile
    badly shuffled.
    """
    left = 0
    for i in range(first, end):
        left += kinds[cards[i]] == kind
    which = aside(state, kind, left) if left > 0 else -1
    for i in range(first, end):
        if kinds[cards[i]] == kind:
            if which == 0:
                return i
            which -= 1
    return -1


@jit
def another_of(state, cards, first, end, kinds, kind, mark):
    """Return the index of a uniformly random card of another kind in cards[first:end], as `one_of` does.

    Returns -1 if there is none. mark: distinguishes several choices in one game.
    """
    left = 0
    for i in range(first, end):
        left += kinds[cards[i]] != kind
    which = aside(state, (mark + 1) << 12 | kind, left) if left > 0 else -1
    for i in range(first, end):
        if kinds[cards[i]] != kind:
            if which == 0:
                return i
            which -= 1
    return -1


@jit
def all_open(state, tables, seat):
    """Do nothing, because nothing is hidden.

    Implements `simcore.game.Engine.determinize` for a game without hidden information.
    """
