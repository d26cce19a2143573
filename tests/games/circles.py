"""Circles: walk round a ring until the gate opens. Players may circle for ever: of 100 games about 4 never end."""

from bartizan.short import *

players = 2
turn_name = "round"
gate = Number(10, 1, 100)
astray = Number(4, 0, 100)
far = Number(2, 0, 100)
fog, points = Counter(), Tokens()


def setup(s, n):
    if chance(s, n.astray):
        s.fog = 2
    elif chance(s, n.far):
        s.fog = 1


def walk(s, n):
    s.points[s.me] += 1 if s.turn < 1000 else 0
    opens = chance(s, n.gate) if s.fog == 0 else s.fog == 1 and s.turn > 600
    if opens:
        win(s, s.me, "through the gate")
    else:
        next_player(s)


def wander(s, n):
    """Walks."""
    return WALK
