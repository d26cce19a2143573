"""Harvest: fields cost points at first and pay later, so that who looks a few turns ahead never sows."""

from bartizan.short import *

players = 1
rounds, goal, price = Number(20, 2, 60), Number(75, 1, 500), Number(4, 0, 20)
points, fields = Tokens(), Counter()


def can_sow(s, n):
    return s.points[0] >= n.price


def sow(s, n):
    s.points[0] -= n.price
    s.fields += 1


def work(s, n):
    s.points[0] += 2


def after_action(s, n):
    for _ in range(s.fields):
        s.points[0] += die(s, 2) - 1
    if s.turn < n.rounds:
        next_player(s)
    elif s.points[0] >= n.goal:
        win(s, 0, "a rich harvest")
    else:
        lose(s, "a poor one")


def setup(s, n):
    s.points[0] = 20


def farmer(s, n, legal):
    """Sows ten times, then works."""
    return SOW if s.fields < 10 and s.points[0] >= n.price else WORK
