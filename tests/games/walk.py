"""Walk: a step or two in turn; who reaches the goal wins."""

from bartizan.short import *

players = 2
goal = 7
place = Tokens()


def step(s, n):
    s.place[s.me] += 1
    _end_turn(s, n)


def leap(s, n):
    s.place[s.me] += 2
    _end_turn(s, n)


def _end_turn(s, n):
    if s.place[s.me] >= n.goal:
        win(s, s.me, "there first")
    next_player(s)


def steady(s, n):
    """Always a step."""
    return STEP
