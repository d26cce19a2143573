"""Goofspiel, the Game of Pure Strategy: sealed bids for a row of prizes (rules as in Ross 1971)."""

from bartizan.short import *

CARDS = 13  # cards of each player, and prizes
players = (2, 3)
source = "article: S. M. Ross, Goofspiel: The Game of Pure Strategy, 1971"
simultaneous = ["bid"]
tied = Ruling("What happens to a prize with equal highest bids?", ("discarded", "carried_over"), source)
prizes = Deck(range(1, CARDS + 1), source=source)
stake, gone = Pile(prizes), Pile(prizes)
hand = Row(CARDS + 1, 1, each=True)  # 1 until the card is bid
bids, points = Tokens(), Tokens()


def start_turn(s, n):
    draw(s.prizes, s.stake)


def can_bid(s, n, card):
    return s.hand[s.me, card] == 1


def bid(s, n, card: range(1, CARDS + 1)):
    s.hand[s.me, card] = 0
    s.bids[s.me] = card


def after_reveal(s, n):
    best = 0
    for p in range(1, s.players):
        if s.bids[p] > s.bids[best]:
            best = p
    is_won = times(s.bids, s.bids[best]) == 1
    if is_won:
        for prize in cards(s.stake):
            s.points[best] += prize
    if is_won or n.tied == DISCARDED:
        move_all(s.stake, s.gone)
    for p in range(s.players):
        s.bids[p] = 0
    if empty(s.prizes):
        win(s, leader(s, n), "the last prize")
    else:
        next_player(s)


def matching(s, n, over=0):
    """Bids the prize plus `over`, wrapping to 1 above the last card; the next card if that card is gone."""
    card = (top(s.stake) + int(over) - 1) % CARDS + 1
    while not can_bid(s, n, card):
        card = card % CARDS + 1
    return BID(card)
