"""A card question as a game: how often are there at least two aces among five cards of 52?"""

from bartizan.short import *

players = 1
deck = Deck(range(52))
hand = Pile(deck)
aces = Counter()


def take(s, n):
    for _ in range(5):
        s.aces += draw(s.deck, s.hand) % 13 == 0
    if s.aces >= 2:
        win(s, s.me, "two aces")
    else:
        lose(s, "fewer aces")


def taker(s, n):
    """Takes five cards."""
    return TAKE
