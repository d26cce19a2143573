"""Orchard, a sketch of deck building: buy coins, gardeners and trees; most fruit wins."""

from bartizan.short import *

players = (2, 3, 4)
pennies, saplings = Number(7, 1, 10), Number(3, 0, 5)  # what everybody begins with
hand_size = Number(5, 1, 9)
supply = Deck(
    [
        {"name": "Penny", "copies": 40, "cost": 0, "coins": 1, "draws": 0, "fruit": 0},
        {"name": "Shilling", "copies": 20, "cost": 3, "coins": 2, "draws": 0, "fruit": 0},
        {"name": "Gardener", "copies": 10, "cost": 4, "coins": 1, "draws": 2, "fruit": 0},
        {"name": "Sapling", "copies": 24, "cost": 2, "coins": 0, "draws": 0, "fruit": 1},
        {"name": "Apple Tree", "copies": 8, "cost": 6, "coins": 0, "draws": 0, "fruit": 5},
    ],
    shuffled=False,
    seen="open",
)
stock, hand = Pile(supply, each=True, seen="nobody"), Hand(supply)
laid, used = Pile(supply, each=True), Pile(supply, each=True)
coins = Counter()


def setup(s, n):
    for p in range(s.players):
        for _ in range(n.pennies):
            move(s.supply, PENNY, s.stock[p])
        for _ in range(n.saplings):
            move(s.supply, SAPLING, s.stock[p])
        shuffle(s, s.stock[p])
        _draw(s, p, n.hand_size)


def _draw(s, p, number):
    for _ in range(number):
        draw_or_reshuffle(s, s.stock[p], s.used[p], s.hand[p])


def start_turn(s, n):
    s.coins = 0


def lay_down(s, n, card: hand):
    move(s.hand[s.me], card, s.laid[s.me])
    s.coins += n.coins[card]
    _draw(s, s.me, n.draws[card])


def can_lay_down(s, n, card):
    return n.coins[card] > 0


def can_buy(s, n, card):
    return card != PENNY and n.cost[card] <= s.coins


def buy(s, n, card: supply):
    move(s.supply, card, s.used[s.me])
    rest(s, n)


def rest(s, n):
    move_all(s.hand[s.me], s.used[s.me])
    move_all(s.laid[s.me], s.used[s.me])
    _draw(s, s.me, n.hand_size)
    if not has(s.supply, APPLE_TREE) or not has(s.supply, SAPLING):
        win(s, leader(s, n), "the nursery is sold out")
    else:
        next_player(s)


def score(s, n, who):
    fruit = 0
    for card in range(5):
        held = count(s.stock[who], card) + count(s.hand[who], card)
        fruit += n.fruit[card] * (held + count(s.laid[who], card) + count(s.used[who], card))
    return fruit


def thrifty(s, n, trees=4):
    """Buys the most expensive card with all coins; saplings only if `trees` apple trees or fewer are left."""
    for card in (GARDENER, SHILLING, PENNY):
        if has(s.hand[s.me], card):
            return LAY_DOWN(card)
    for card in (APPLE_TREE, GARDENER, SHILLING, SAPLING):
        if can_buy(s, n, card) and has(s.supply, card):
            if card != SAPLING or count(s.supply, APPLE_TREE) <= trees:
                return BUY(card)
    return REST
