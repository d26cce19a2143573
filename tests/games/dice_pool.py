"""A dice question as a game: how often do so many dice show at least so many sixes?"""

from bartizan.short import *

players = 1
dice = Number(5, 1, 10, "a question")
least = Number(2, 1, 10, "a question")
sixes = Counter()


def throw(s, n):
    for _ in range(n.dice):
        s.sixes += die(s, 6) == 6
    if s.sixes >= n.least:
        win(s, s.me, "enough sixes")
    else:
        lose(s, "too few sixes")


def thrower(s, n):
    """Throws."""
    return THROW
