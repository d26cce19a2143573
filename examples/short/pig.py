"""Pig: roll as often as you like; a 1 ends the turn and brings nothing (Scarne on Dice, 1945)."""

from bartizan.short import *

players = 2
goal = Number(100, 1, 10_000, "Scarne on Dice, 1945")
sides = Number(6, 2, 20, "Scarne on Dice, 1945")
stake, points = Counter(), Tokens()


def roll(s, n):
    pips = die(s, n.sides)
    s.stake = s.stake + pips if pips > 1 else 0
    if pips == 1:
        next_player(s)


def hold(s, n):
    s.points[s.me] += s.stake
    s.stake = 0
    if s.points[s.me] >= n.goal:
        win(s, s.me, "goal reached")
    else:
        next_player(s)


def steady(s, n, at=20):
    """Holds at `at` points, or when that wins."""
    return HOLD if s.stake >= at or s.points[s.me] + s.stake >= n.goal else ROLL
