"""Piles of cards: an array whose next card stands first."""

from bartizan.simcore.compile.jit import jit
from bartizan.simcore.rng import below


@jit
def shuffle(state, stream, cards, first, end):
    """Fisher-Yates over cards[first:end], luck from `stream`. Modifies `state` and `cards`."""
    for i in range(end - 1, first, -1):
        j = first + below(state, stream, i - first + 1)
        cards[i], cards[j] = cards[j], cards[i]


@jit
def all_open(state, tables, seat):
    """`simcore.game.Engine.determinize` of a game that hides nothing: only dice are to come."""
