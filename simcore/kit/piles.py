"""Piles of cards: an array whose next card stands first."""

from bartizan.simcore.compile.jit import jit
from bartizan.simcore.rng import aside, below


@jit
def shuffle(state, stream, cards, first, end):
    """Fisher-Yates over cards[first:end], luck from `stream`. Modifies `state` and `cards`."""
    for i in range(end - 1, first, -1):
        j = first + below(state, stream, i - first + 1)
        cards[i], cards[j] = cards[j], cards[i]


@jit
def one_of(state, cards, first, end, kinds, kind):
    """Where among cards[first:end] a card of a kind lies, any of them alike (`aside`); or -1.

    kinds: [card] its kind. The next one would leave a pile that is not shuffled.
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
    """Where among cards[first:end] a card of any other kind lies, each as likely (`aside`); or -1.

    kinds: [card] its kind; mark: tells several choices of one game apart.
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
    """`simcore.game.Engine.determinize` of a game that hides nothing: only dice are to come."""
