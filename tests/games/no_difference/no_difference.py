"""No difference: cards, numbers, levels and players that change what luck is used for, and no outcome's chances.

Whatever Bartizan says to matter in this game is a wrong alarm.
"""

from bartizan.short import *

players = 2
thrown = Number({"first": 0, "second": 1}, 0, 9, "assumed: dice thrown away at the start of a turn")
spare = Number(0, 0, 9, "assumed: more of them")
idle = Number(1, 0, 9, "assumed: dice thrown away at the end of a turn")
cards = Deck({"Ash": 30, "Birch": 30, "Cedar": 30, "Damson": 30})
hand, discards = Hand(cards), Pile(cards)
points = Tokens()


def setup(s, n):
    deal(s, s.cards, s.hand, 3)


def _throw_away(s, dice):
    for _ in range(dice):
        die(s, 6)


def start_turn(s, n):
    _throw_away(s, n.thrown + n.spare)
    if size(s.cards):
        draw(s.cards, s.hand[s.me])


def play(s, n, card: hand):
    _throw_away(s, card)
    move(s.hand[s.me], card, s.discards)
    s.points[s.me] += die(s, 3)
    _throw_away(s, n.idle)
    if die(s, 4) == 1 or not size(s.cards):
        winner = die(s, 2) - 1
        s.points[winner] += 100
        win(s, winner, "thrown for")
    else:
        next_player(s)


def eldest(s, n, legal):
    """Plays the first card it may."""
    return legal[0]


def twin(s, n, legal):
    """Plays as `eldest` does, under another name."""
    return legal[0]


def youngest(s, n, legal):
    """Plays the last card it may."""
    return legal[len(legal) - 1]
