"""Idle: tokens, a row and actions that decide nothing; a throw of the last player does."""

from bartizan.short import *

players = 2
beads = Tokens()
stones = Row(3, 1, each=True)


def setup(s, n):
    s.beads[:] = 2


def wait(s, n):
    _on(s, s.beads[s.me] + s.stones[s.me].sum())


def hum(s, n):
    _on(s, 7)


def _on(s, throws):
    """What a player has changes how often the dice are thrown, not whom they favour."""
    last = 0
    for _ in range(1 + throws):
        last = die(s, 2)
    if s.me == 0:
        next_player(s)
    else:
        win(s, last - 1, "a throw")


def lazy(s, n, legal):
    """Anything."""
    return any_of(s, legal)
