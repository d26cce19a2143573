"""Muster: throw two dice, or pray for five; tokens of a banner count two each, and a tower one; the best sum wins."""

from bartizan.short import *

players = 2
drums = [0, 1]
charm = Number(1, 0, 1)
dice = Row(2)
banners, points = Tokens(), Tokens()
towers = Row(2, 1, each=True)


def setup(s, n):
    s.banners[:] = 1


def throw(s, n):
    roll_all(s, s.dice, 6)
    _count(s, n, s.dice.sum())


def pray(s, n):
    _count(s, n, 5)


def _count(s, n, sum):
    s.points[s.me] = sum + 2 * s.banners[s.me] + s.towers[s.me, 1] + n.drums[1] + n.charm
    if s.me == 0:
        next_player(s)
    elif s.points[0] == s.points[1]:
        tie(s, "as many")
    else:
        win(s, 0 if s.points[0] > s.points[1] else 1, "more")


def brave(s, n):
    """Throws."""
    return THROW
