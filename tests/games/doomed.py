"""Doomed: half of the games are lost in the set-up, before anybody decides."""

from bartizan.short import *

players = 1
doom = Number(50, 0, 100)
steps = Counter()


def setup(s, n):
    if chance(s, n.doom):
        lose(s, "dealt badly")


def go(s, n):
    s.steps += 1
    if s.steps > 2:
        win(s, s.me, "through")
