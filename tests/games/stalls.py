"""Stalls: hidden hands, and an open row that is always full."""

from bartizan.short import *

players = 2
deck = Deck({"Apple": 6, "Pear": 6})
row = Pile(deck, 4)
hand = Hand(deck, 6)


def setup(s, n):
    deal(s, s.deck, s.hand, 1)
    for _i in range(4):
        draw(s.deck, s.row)


def take_one(s, n, at: places(row)):
    put(s.hand[s.me], take(s.row, at))
    draw(s.deck, s.row)
    if count(s.hand[s.me], PEAR) >= 2 or empty(s.deck):
        win(s, s.me, "two pears")
    else:
        next_player(s)


def first(s, n):
    """Takes what does not lie there."""
    return TAKE_ONE(size(s.row))
