"""A die of a thousand sides: a 1 loses, all else wins."""

from bartizan.short import *

players = 1
sides = Number(1000, 1, 1_000_000)


def roll(s, n):
    if n.sides > 1 and die(s, n.sides) == 1:
        lose(s, "a one")
    else:
        win(s, s.me, "no one")


def roller(s, n):
    """Rolls."""
    return ROLL
