"""Two levels: a die against a goal."""

from bartizan.short import *

players = 1
goal = Number({"easy": 3, "hard": 5}, 1, 6)
rounds = Number(8, 1, 50)
round, hits = Counter(), Counter()


def roll(s, n):
    s.round += 1
    if die(s, 6) >= n.goal:
        s.hits += 1
    if s.round >= n.rounds:
        if 2 * s.hits >= n.rounds:
            win(s, s.me, "half of the rolls hit")
        else:
            lose(s, "too few hits")
