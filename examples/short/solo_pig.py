"""Solitaire Pig: reach the goal in a given number of turns; a 1 ends a turn and brings nothing."""

from bartizan.short import *

players = 1
goal, turns = Number(100, 1, 10_000), Number(10, 1, 1000)
left, stake, points = Counter(), Counter(), Counter()


def setup(s, n):
    s.left = n.turns


def _end_turn(s):
    s.stake = 0
    s.left -= 1
    if s.left == 0:
        lose(s, "no turn is left")


def roll(s, n):
    pips = die(s, 6)
    s.stake += pips
    if pips == 1:
        _end_turn(s)


def hold(s, n):
    s.points += s.stake
    if s.points >= n.goal:
        win(s, s.me, "goal reached")
    else:
        _end_turn(s)


def steady(s, n, at=25):
    """Holds at `at` points, or when that wins."""
    return HOLD if s.stake >= at or s.points + s.stake >= n.goal else ROLL
