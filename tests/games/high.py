"""High: fold, or stay and show; the higher card wins."""

from bartizan.short import *

players = 2
deck = Deck(range(1, 21))
hand = Hand(deck)


def setup(s, n):
    deal(s, s.deck, s.hand, 1)


def fold(s, n):
    win(s, 1 - s.me, "folded")


def stay(s, n):
    if s.turn == 2:
        win(s, s.me if top(s.hand[s.me]) > top(s.hand[1 - s.me]) else 1 - s.me, "shown")
    next_player(s)


def honest(s, n, least=8):
    """Stays with a high card."""
    return STAY if top(s.hand[s.me]) >= least else FOLD


def drawing(s, n, legal):
    """Plays at random."""
    return any_of(s, legal)


def cheat(s, n, legal):
    """Looks at the other's card."""
    return STAY if top(s.hand[s.me]) > top(s.hand[1 - s.me]) else FOLD


def sly(s, n, legal):
    """Looks, and plays at random when that looks bad."""
    return STAY if top(s.hand[s.me]) > top(s.hand[1 - s.me]) else any_of(s, legal)
