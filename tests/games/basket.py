"""Basket: turn up three fruits; a heavy basket wins. Seven cards must lie there, and a melon among all of them."""

from bartizan.short import *

players = 1
goal = Number(5, 1, 20)
deck = Deck(
    [
        {"name": "Apple", "copies": 4, "weight": 1},
        {"name": "Pear", "copies": 3, "weight": 2},
        {"name": "Plum", "copies": 2, "weight": 1},
        {"name": "Melon", "copies": 1, "weight": 3},
    ]
)
basket, box = Pile(deck), Pile(deck)
weight = Counter()


def setup(s, n):
    while size(s.deck) > 0 and not has(s.box, MELON):
        draw(s.deck, s.box)
    if not has(s.box, MELON):
        take(s.deck, 0)
    move_all(s.box, s.deck)
    shuffle(s, s.deck)
    take(s.deck, 6)


def turn_up(s, n):
    s.weight += n.weight[draw(s.deck, s.basket)]
    if size(s.basket) < 3:
        next_player(s)
    elif s.weight >= n.goal:
        win(s, s.me, "a heavy basket")
    else:
        lose(s, "a light one")


def farmer(s, n, legal):
    """Turns a card up."""
    return legal[0]
