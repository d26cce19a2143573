"""Can't Stop (Sid Sackson, Parker 1980): roll four dice, pair them, climb, and stop in time."""

from bartizan.short import *

players = (2, 3, 4)
source = "rulebook of Can't Stop, Parker Brothers 1980"
columns = Number(3, 1, 11, source)  # to be topped
runners = Number(3, 1, 11, source)
dice = Row(4)
climbed = Row(13, each=True)
climber = Row(13)  # where a runner stands, 0: none there
used = Counter()  # runners that stand somewhere
ways = Row(3)  # of each pairing: 1 if the second sum may go first, 2 if the first one may
topped = Row(13)  # by whom + 1
points = Tokens()
phases = ["pairing", "deciding"]


def _height(column):
    return 13 - 2 * abs(7 - column)


def _runners(s):
    return s.used


def _open(s, n, column):
    if s.topped[column] or s.climber[column] >= _height(column):
        return False
    return s.climber[column] > 0 or _runners(s) < n.runners


def _sums(s, pairing):
    other = s.dice[1 + pairing]
    return s.dice[0] + other, s.dice[1] + s.dice[2] + s.dice[3] - other


def start_turn(s, n):
    s.climber[:], s.used = 0, 0
    _throw(s, n)


def _throw(s, n):
    roll_all(s, s.dice, 6)
    s.phase = PAIRING
    for pairing in range(3):
        one, other = _sums(s, pairing)
        both_new = one != other and s.climber[one] == 0 and s.climber[other] == 0
        is_open = _open(s, n, one)
        either = not is_open or (both_new and s.used == n.runners - 1)
        s.ways[pairing] = 2 * is_open + (either and _open(s, n, other))
    if s.ways[0] + s.ways[1] + s.ways[2] == 0:
        next_player(s)  # nothing fits: the turn's steps are lost


def can_climb(s, n, pairing, first):
    return s.phase == PAIRING and s.ways[pairing] >> first & 1


def climb(s, n, pairing: range(3), first: range(2)):
    one, other = _sums(s, pairing)
    for column in (one, other) if first else (other, one):
        if _open(s, n, column):
            s.used += s.climber[column] == 0
            s.climber[column] = max(s.climber[column], s.climbed[s.me, column]) + 1
    s.phase = DECIDING


def can_go_on(s, n):
    return s.phase == DECIDING


def go_on(s, n):
    _throw(s, n)


def can_stop(s, n):
    return s.phase == DECIDING


def stop(s, n):
    for column in range(2, 13):
        s.climbed[s.me, column] = max(s.climbed[s.me, column], s.climber[column])
        if s.climber[column] >= _height(column):
            s.topped[column] = s.me + 1
            s.points[s.me] += 1
    if s.points[s.me] >= n.columns:
        win(s, s.me, "columns topped")
    elif times(s.topped, 0) == 2:  # places 0 and 1 are no columns
        tie(s, "no column is left")  # only where more columns are to be topped than in the rulebook
    else:
        next_player(s)


def rule_of_28(s, n, legal, limit=28):
    """Stops when its steps, which cost more in outer columns, total `limit`; prefers pairs near seven."""
    if s.phase == DECIDING:
        total = 0
        for column in range(2, 13):
            if s.climber[column]:
                total += (abs(7 - column) + 1) * (s.climber[column] - s.climbed[s.me, column] + 1)
        return STOP if total >= limit and _runners(s) == n.runners else GO_ON
    best, nearest = legal[0], 99
    for pairing in range(3):
        for first in range(2):
            if can_climb(s, n, pairing, first):
                one, other = _sums(s, pairing)
                away = abs(7 - one) + abs(7 - other)
                if away < nearest:
                    best, nearest = CLIMB(pairing, first), away
    return best
