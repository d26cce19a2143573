"""Card duel: three rounds, the stronger card takes each, a throw decides between equals. Dragon is planted."""

from bartizan.short import *

players = 2
deck = Deck(
    [
        {"name": "Ant", "copies": 8, "cost": 1, "strength": 2},
        {"name": "Bee", "copies": 8, "cost": 2, "strength": 2},
        {"name": "Cat", "copies": 8, "cost": 3, "strength": 2},
        {"name": "Dog", "copies": 8, "cost": 4, "strength": 2},
        {"name": "Dragon", "copies": 4, "cost": 2, "strength": 9},
    ]
)
hand, laid = Hand(deck), Pile(deck, each=True)
points = Tokens()


def setup(s, n):
    deal(s, s.deck, s.hand, 3)


def lay_down(s, n, card: hand):
    move(s.hand[s.me], card, s.laid[s.me])
    if s.me == 1:
        mine, theirs = n.strength[top(s.laid[0])], n.strength[top(s.laid[1])]
        s.points[die(s, 2) - 1 if mine == theirs else 1 * (theirs > mine)] += 1
    if empty(s.hand[1]):
        win(s, leader(s, n), "three rounds")
    else:
        next_player(s)


def plain(s, n, legal):
    """Lays down the first card."""
    return legal[0]
