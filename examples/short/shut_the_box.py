"""Shut the Box: roll two dice, close tiles that add up to the roll; close all nine to win."""

from bartizan.short import *

players = 1
up = Row(9, start=1)  # 1 while a tile stands
rolled = Counter()


def setup(s, n):
    s.rolled = die(s, 6) + die(s, 6)


def _left(s):
    total = 0
    for tile in range(9):
        total += (tile + 1) * s.up[tile]
    return total


def can_close(s, n, tiles):
    total = 0
    for tile in range(9):
        if tiles >> tile & 1:
            if not s.up[tile]:
                return False
            total += tile + 1
    return total == s.rolled


def close(s, n, tiles: range(1, 512)):  # a bit for each tile
    for tile in range(9):
        if tiles >> tile & 1:
            s.up[tile] = 0
    left = _left(s)
    if left == 0:
        win(s, s.me, "the box is shut")
        return
    s.rolled = die(s, 6) + (die(s, 6) if left > 6 else 0)
    for tiles in range(1, 512):
        if can_close(s, n, tiles):
            return
    lose(s, "no tiles fit")


def score(s, n, who):
    return -_left(s)


def highest(s, n, legal):
    """Closes the highest possible tile, then the next highest."""
    return legal[-1]
