"""Clever 4Ever (Wolfgang Warsch, Schmidt Spiele 2022): dice fill five areas, which set off each other."""

from bartizan.short import *

players = (2, 1, 3, 4)
source = "public-port: independent transcriptions of the rules and the sheet, which agree"
FIRST_GAME = "public-port: rulebook of Ganz schön clever, whose general rules have not changed"
rounds = Number([6, 6, 5, 4], 1, 20, FIRST_GAME)  # for 1 to 4 players
rolls_each = Number(3, 1, 6, source)
round_bonus = Number([1, 2, 3, 10, 0, 0], 0, 10, source)
all_rerolls = Number(7, 1, 30, source)  # the last of them gives a pink mark, too
again = Number(3, 1, 7, source)  # a pink number that is written twice
least_bonus = Number(5, 1, 7, source)  # pink numbers from here on give the bonus of their field
circled = Number([0, 0, 2, 0, 4, 0, 3], 0, 20, source)  # points of each pink 0 to 6
in_line = Number(2, 1, 6, source)  # crosses that a blue row, column or diagonal needs
row_bonus, diagonal_bonus = Number([8, 9, 5, 2, 7, 4], 0, 10, source), Number(1, 0, 10, source)
blue_points, diagonal_points = Number([7, 8, 9, 10, 11, 12], 0, 50, source), Number(6, 0, 50, source)
grey_points = Number([1, 2, 3, 4, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11], 0, 50, source)
first_parts = Number([0, 8], 0, 16, source)
fields = Board("clever_4ever_fields.csv", name="field")  # of the six lines that are filled from left to right
cells = Board("clever_4ever_grey.csv", name="cell")
free_skip = Ruling("May a player skip dice that fit?", ("yes", "no"), "inferred: nothing says one must mark")
white_for_blue = Ruling("May the white die mark blue?", ("yes", "no"), "inferred: as in the first game")
solo_fallback = Ruling(
    "Alone, if no die on the tray fits?", ("nothing", "others"), "inferred: nobody has them"
)
solo_polish = Ruling("Alone, may silver be polished?", ("yes", "no"), "inferred: one reader says otherwise")
partner_polish = Ruling("Polish for blue on the tray?", ("yes", "no"), "inferred: any die on the tray")
fox_below_zero = Ruling("May foxes cost points?", ("yes", "no"), "inferred: as many as the weakest area")

YELLOW, BLUE, GREY, GREEN, PINK, WHITE = 0, 1, 2, 3, 4, 5  # areas and dice
ANY = 5  # a mark in any area
REROLLS, EXTRAS, POLISHES = 0, 1, 2  # actions; as a bonus, one more
FOX, FIRST_MARK = 4, 5  # bonuses, too; from 5 on a mark in an area, in their order
TOP, UPPER, LOWER, PINK_LINE = 0, 3, 4, 5
DICE = ("yellow", "blue", "grey", "green", "pink", "white")
LINES = ("top", "minus", "plus", "upper", "lower", "pink")
WAYS = ("up", "down")
POOL, TAKEN, TRAY = 0, 1, 2
phases = ["choosing", "picking", "adding", "marking"]
dice, shown, place = Row(6), Row(6), Row(6)  # shown: as the player who decides has polished them
written, length = Row(49, each=True), Row(6, each=True)
blue, grey = Row(6, each=True), Tokens()  # bits: crosses of each row; parts
left, owed = Row(3, each=True), Row(6, each=True)  # actions; marks of each area to be made at once
rerolls, foxes = Tokens(), Tokens()  # re-rolls that were ever unlocked
round_number, active, rolls = Counter(), Counter(), Counter()
passive = Counter()  # the player who decides sits so many seats after the active one
step, finished, used, spare = Counter(), Counter(), Counter(), Counter()  # used: a bit for each extra die
start, first = Row(7), Counter()  # the first field of each line; bits of the grey parts to begin with
cells_of, beside, in_column, of_shade = Row(17), Row(17), Row(16), Row(3)  # of grey, in parts


def setup(s, n):
    for part in n.first_parts:
        s.first |= 1 << part
    for line in range(6):
        s.start[line + 1] = s.start[line] + (n.line == line).sum()
    for cell in range(64):
        part = n.part[cell]
        s.cells_of[part] += 1
        s.in_column[cell % 16] |= 1 << part
        s.of_shade[n.shade[cell]] |= 1 << part
        left_of, above = cell - 1 if cell % 16 > 0 else cell, cell - 16 if cell >= 16 else cell
        for other in (n.part[left_of], n.part[above]):
            if other != part:
                s.beside[part] |= 1 << other
                s.beside[other] |= 1 << part


def start_turn(s, n):
    s.active, s.passive, s.rolls, s.step, s.finished, s.place[:] = s.me, 0, -1, CHOOSING, 1, POOL
    if s.active == 0:
        s.round_number += 1
        for p in range(s.players):
            if s.round_number <= len(n.round_bonus):
                _gain(s, n, p, n.round_bonus[s.round_number - 1])
    _go_on(s, n)


def after_action(s, n):
    _go_on(s, n)


def _go_on(s, n):
    while s.end_reason == 0 and not _waits(s):
        s.finished, s.used, s.shown[:] = 0, 0, s.dice
        if s.step == CHOOSING:
            s.rolls += 1
            if s.rolls < n.rolls_each and times(s.place, POOL) > 0:
                _roll(s)
            else:
                s.place[s.place == POOL], s.step = TRAY, ADDING
        elif s.step == PICKING:
            s.step = ADDING
        elif s.passive < max(1, s.players - 1):
            s.passive, s.step = s.passive + 1, PICKING
            if s.players == 1:
                _roll_alone(s)
            s.spare = _is_spare(s, n)
        elif s.active < s.players - 1 or s.round_number < n.rounds[s.players - 1]:
            pass_to(s, (s.active + 1) % s.players)
            return
        else:
            win(s, _first(s, n), "all rounds are played")


def _waits(s):
    """Return whether a player has to decide. Sets the deciding player and the phase."""
    marker = NONE
    for i in range(s.players - 1, -1, -1):  # all of them: marks without room are lost at once
        p = (s.active + i) % s.players
        if s.owed[p].any() and _can_use(s, p):
            marker = p
    if marker != NONE:
        s.me, s.phase = marker, MARKING
        return True
    s.me, s.phase = (s.active + s.passive) % s.players, s.step
    return not s.finished and (s.step != ADDING or (s.left[s.me, EXTRAS] > 0 and s.used != 63))


def _can_use(s, p):
    """Return whether a player can use a mark that is owed. Marks without room on the sheet are lost."""
    room_anywhere = False
    for area in range(ANY):
        has_room = _has_room(s, p, area)
        s.owed[p, area] *= has_room
        room_anywhere = room_anywhere or has_room
    s.owed[p, ANY] *= room_anywhere
    return s.owed[p].any()


def _has_room(s, p, area):
    if area == BLUE:
        return s.blue[p].min() < 63
    if area == GREY:
        for part in range(17):
            if _part_fits(s, p, part, 6):
                return True
        return False
    for line in range(6):
        if _area_of(line) == area and _line_fits(s, p, line, 6):
            return True
    return False


def _roll(s):
    for one in range(6):
        if s.place[one] == POOL:
            s.dice[one] = die(s, 6)
    s.shown[:] = s.dice


def _roll_alone(s):
    """Roll the dice for one player: the three lowest dice go on the tray, with ties at random."""
    s.place[:] = POOL
    _roll(s)
    for room in range(3, 0, -1):
        lowest, tied = s.dice[s.place == POOL].min(), 0
        for one in range(6):
            tied += s.place[one] == POOL and s.dice[one] == lowest
        skipped = die(s, tied) - 1 if tied > room else 0
        for one in range(6):
            if s.place[one] == POOL and s.dice[one] == lowest:
                s.place[one] = TRAY if skipped == 0 else POOL
                skipped -= 1
    s.place[s.place == POOL] = TAKEN


def _is_spare(s, n):
    """Return whether the next player may take a die that is not on the tray, because none there fits."""
    if s.players == 1 and n.solo_fallback == NOTHING:
        return False
    p = (s.active + s.passive) % s.players
    for one in range(6):
        if s.place[one] == TRAY and _fits_anywhere(s, n, p, one):
            return False
    return True


def _fits_anywhere(s, n, p, one):
    for line in range(6):
        if _is_of(one, _area_of(line)) and _line_fits(s, p, line, s.shown[one]):
            return True
    for part in range(17):
        if _is_of(one, GREY) and _part_fits(s, p, part, s.shown[one]):
            return True
    return _marks_blue(n, one) and _blue_fits(s, p)


# ---------------------------------------------------------------- the sheet


def _area_of(line):
    return YELLOW if line < UPPER else PINK if line == PINK_LINE else GREEN


def _is_of(one, area):
    return one in (area, WHITE)


def _marks_blue(n, one):
    return one == BLUE or (one == WHITE and n.white_for_blue == YES)


def _line_fits(s, p, line, pips):
    field = s.start[line] + s.length[p, line]
    rises = line != TOP or s.length[p, line] == 0 or pips > s.written[p, field - 1]
    return rises and field < s.start[line + 1]


def _part_fits(s, p, part, pips):
    reached = s.beside[part] & s.grey[p] if s.grey[p] else s.first >> part & 1
    return pips >= s.cells_of[part] and reached != 0 and not s.grey[p] >> part & 1


def _blue_fits(s, p):
    return not s.blue[p, s.shown[BLUE] - 1] >> s.shown[WHITE] - 1 & 1


def _gain(s, n, p, bonus):
    if bonus >= FIRST_MARK:
        s.owed[p, bonus - FIRST_MARK] += 1
    elif bonus == FOX:
        s.foxes[p] += 1
    elif bonus > 0:
        s.left[p, bonus - 1] += 1
        s.rerolls[p] += bonus == REROLLS + 1
        s.owed[p, PINK] += bonus == REROLLS + 1 and s.rerolls[p] == n.all_rerolls


def _write(s, n, line, pips):
    field = s.start[line] + s.length[s.me, line]
    s.written[s.me, field] = pips
    s.length[s.me, line] += 1
    if line != PINK_LINE or pips >= n.least_bonus:
        _gain(s, n, s.me, n.bonus[field])
    elif pips == n.again and field + 1 < s.start[line + 1]:
        s.written[s.me, field + 1] = pips
        s.length[s.me, line] += 1


def _cross(s, n, row, column):
    s.blue[s.me, row] |= 1 << column
    if _crosses(s, s.me, row, 0, 0, 1) == n.in_line:
        _gain(s, n, s.me, n.row_bonus[row])
    if row == column and _crosses(s, s.me, 0, 0, 1, 1) == n.in_line:
        _gain(s, n, s.me, n.diagonal_bonus)


def _cross_part(s, n, part):
    s.grey[s.me] |= 1 << part
    for cell in range(64):
        if n.part[cell] == part:
            _gain(s, n, s.me, n.prize[cell])
    for shade in range(3):
        if s.of_shade[shade] >> part & 1 and s.grey[s.me] & s.of_shade[shade] == s.of_shade[shade]:
            _gain(s, n, s.me, FOX)


def _crosses(s, p, row, column, down, right):
    found = 0
    for i in range(6):
        found += s.blue[p, row + down * i] >> column + right * i & 1
    return found


# ---------------------------------------------------------------- actions


def _may_take(s, one):
    if s.phase == ADDING:
        return not s.used >> one & 1
    if s.phase == CHOOSING:
        return s.place[one] == POOL
    return s.phase == PICKING and (s.place[one] == TRAY or (s.spare == 1 and s.place[one] == TAKEN))


def _took(s, one):
    s.shown[:] = s.dice
    if s.phase == ADDING:
        s.left[s.me, EXTRAS] -= 1
        s.used |= 1 << one
        return
    s.finished = 1
    if s.phase == CHOOSING:
        s.place[one] = TAKEN
        for other in range(6):
            if s.place[other] == POOL and s.dice[other] < s.dice[one]:
                s.place[other] = TRAY


def can_write(s, n, one, line):
    return _may_take(s, one) and _is_of(one, _area_of(line)) and _line_fits(s, s.me, line, s.shown[one])


def write(s, n, one: DICE, line: LINES):
    _write(s, n, line, s.shown[one])
    _took(s, one)


def can_cross_blue(s, n, one):
    return _may_take(s, one) and _marks_blue(n, one) and _blue_fits(s, s.me)


def cross_blue(s, n, one: DICE):
    _cross(s, n, s.shown[BLUE] - 1, s.shown[WHITE] - 1)
    _took(s, one)


def can_cross_grey(s, n, one, part):
    return _is_of(one, GREY) and _may_take(s, one) and _part_fits(s, s.me, part, s.shown[one])


def cross_grey(s, n, one: DICE, part: range(17)):
    _cross_part(s, n, part)
    _took(s, one)


def _is_owed(s, area):
    return s.phase == MARKING and (s.owed[s.me, area] > 0 or s.owed[s.me, ANY] > 0)


def _use(s, area):
    s.owed[s.me, area if s.owed[s.me, area] > 0 else ANY] -= 1


def can_mark_line(s, n, line, pips):
    return _is_owed(s, _area_of(line)) and _line_fits(s, s.me, line, pips)


def mark_line(s, n, line: LINES, pips: range(1, 7)):
    _use(s, _area_of(line))
    _write(s, n, line, pips)


def can_mark_blue(s, n, row, column):
    return _is_owed(s, BLUE) and not s.blue[s.me, row] >> column & 1


def mark_blue(s, n, row: range(6), column: range(6)):
    _use(s, BLUE)
    _cross(s, n, row, column)


def can_mark_grey(s, n, part):
    return _is_owed(s, GREY) and _part_fits(s, s.me, part, 6)


def mark_grey(s, n, part: range(17)):
    _use(s, GREY)
    _cross_part(s, n, part)


def can_reroll(s, n):
    return s.phase == CHOOSING and s.left[s.me, REROLLS] > 0


def reroll(s, n):
    s.left[s.me, REROLLS] -= 1
    _roll(s)


def can_polish(s, n, one, way):
    allowed = s.left[s.me, POLISHES] > 0 and (s.players > 1 or n.solo_polish == YES)
    if s.phase == MARKING or not allowed or s.place[one] != TRAY:
        return False
    if s.phase == CHOOSING:
        other = BLUE + WHITE - one
        if n.partner_polish == NO or (one != BLUE and one != WHITE) or s.place[other] != POOL:
            return False
    return s.shown[one] < 6 if way == 0 else s.shown[one] > 1


def polish(s, n, one: DICE, way: WAYS):
    s.left[s.me, POLISHES] -= 1
    s.shown[one] += 1 - 2 * way


def can_skip(s, n):
    if s.phase == MARKING:
        return False
    for one in range(6):
        if n.free_skip == NO and s.phase != ADDING and _may_take(s, one) and _fits_anywhere(s, n, s.me, one):
            return False
    return True


def skip(s, n):
    s.finished = 1


# ---------------------------------------------------------------- the end


def _points(s, n, p, area):
    points = 0
    if area == BLUE:
        for column in range(6):
            points += n.blue_points[column] * (_crosses(s, p, 0, column, 1, 0) >= n.in_line)
        return points + n.diagonal_points * (_crosses(s, p, 0, 5, 1, -1) >= n.in_line)
    if area == GREY:
        for column in range(16):
            points += n.grey_points[column] * (s.grey[p] & s.in_column[column] == s.in_column[column])
        return points
    if area == PINK:
        for i in range(s.length[p, PINK_LINE]):
            points += n.circled[s.written[p, s.start[PINK_LINE] + i]]
        return points + (n.points[s.start[PINK_LINE] + i] if s.length[p, PINK_LINE] else 0)
    if area == GREEN:
        for i in range(min(s.length[p, UPPER], s.length[p, LOWER])):
            upper, lower = s.start[UPPER] + i, s.start[LOWER] + i
            points += n.points[upper] * (s.written[p, upper] + s.written[p, lower])
        return points
    for i in range(s.length[p, :UPPER].min()):
        points += n.points[i]
    minus, plus = s.start[1], s.start[2]
    return points - s.written[p, minus:plus].sum() + s.written[p, plus : s.start[UPPER]].sum()


def score(s, n, who):
    total, weakest = 0, 9999
    for area in range(ANY):
        points = _points(s, n, who, area)
        total, weakest = total + points, min(weakest, points)
    return total + s.foxes[who] * (weakest if n.fox_below_zero == YES else max(0, weakest))


def _first(s, n):
    """Return the player with the most points. Ties: the highest points in one area, otherwise NOBODY."""
    best, most, tied = NOBODY, -99999, False
    for p in range(s.players):
        highest = 0
        for area in range(ANY):
            highest = max(highest, _points(s, n, p, area))
        value = 1000 * score(s, n, p) + highest
        best, most, tied = (p, value, False) if value > most else (best, most, tied or value == most)
    return NOBODY if tied else best


# ---------------------------------------------------------------- the policy


def _worth(bonus, worth):
    """Return the value of a bonus. worth: points of an action, a mark, a fox and a number in the top row."""
    return worth[2] if bonus == FOX else worth[1] if bonus >= FIRST_MARK else worth[0] * (bonus > 0)


def _line_value(s, n, line, pips, worth):
    """Return the value of a number in the next field of a line for the player who decides."""
    i = s.length[s.me, line]
    field = s.start[line] + i
    value = _worth(n.bonus[field], worth) * (line != PINK_LINE or pips >= n.least_bonus)
    if line < UPPER:
        column = n.points[i] * (s.length[s.me, :UPPER] > i).sum() / 6 + n.points[i] / 6
        pace = pips - (s.written[s.me, field - 1] if i > 0 else 0)
        return value + column + (worth[3] - 2 * pace if line == TOP else -pips if line == 1 else pips)
    if line != PINK_LINE:
        other = s.written[s.me, s.start[UPPER + LOWER - line] + i]
        return value + (pips + other) * n.points[s.start[UPPER] + i] * (1.0 if other else 0.4)
    gained = n.points[field] - (n.points[field - 1] if i > 0 else 0)
    return value + n.circled[pips] + gained * (1 + (pips == n.again))


def _blue_value(s, n, row, column, worth):
    """Return the value of a cross: the first two crosses of a row, column or diagonal share its points."""
    in_row, in_column = _crosses(s, s.me, row, 0, 0, 1), _crosses(s, s.me, 0, column, 1, 0)
    value = _worth(n.row_bonus[row], worth) * (in_row < 2) * (1 + in_row) / 3
    value += n.blue_points[column] * (in_column < 2) * (1 + in_column) / 3
    return value + (row == column) * worth[0] / 2 + (row + column == 5) * n.diagonal_points / 2


def _part_value(s, n, part, worth):
    value = 0.0
    for cell in range(64):
        if n.part[cell] == part:
            value += n.grey_points[cell % 16] / 3 + _worth(n.prize[cell], worth)
    return value


def _best_mark(s, n, worth):
    best, chosen = -99.0, SKIP
    for line in range(6):
        for pips in range(1, 7):
            value = _line_value(s, n, line, pips, worth) if can_mark_line(s, n, line, pips) else -99.0
            best, chosen = (value, MARK_LINE(line, pips)) if value > best else (best, chosen)
    for cell in range(36):
        row, column = cell // 6, cell % 6
        value = _blue_value(s, n, row, column, worth) if can_mark_blue(s, n, row, column) else -99.0
        best, chosen = (value, MARK_BLUE(row, column)) if value > best else (best, chosen)
    for part in range(17):
        value = _part_value(s, n, part, worth) if can_mark_grey(s, n, part) else -99.0
        best, chosen = (value, MARK_GREY(part)) if value > best else (best, chosen)
    return chosen


def _best_use(s, n, one, pips, worth):
    """Return the value of a die with this number, and the action."""
    best, chosen = -99.0, SKIP
    for line in range(6):
        if _is_of(one, _area_of(line)) and _line_fits(s, s.me, line, pips):
            value = _line_value(s, n, line, pips, worth)
            best, chosen = (value, WRITE(one, line)) if value > best else (best, chosen)
    for part in range(17):
        if _is_of(one, GREY) and _part_fits(s, s.me, part, pips):
            value = _part_value(s, n, part, worth)
            best, chosen = (value, CROSS_GREY(one, part)) if value > best else (best, chosen)
    row, column = (pips if one == BLUE else s.shown[BLUE]) - 1, (pips if one == WHITE else s.shown[WHITE]) - 1
    if _marks_blue(n, one) and not s.blue[s.me, row] >> column & 1:
        value = _blue_value(s, n, row, column, worth)
        best, chosen = (value, CROSS_BLUE(one)) if value > best else (best, chosen)
    return best, chosen


def clever(s, n, patience=42, action=119, mark=70, fox=14, top=65, least=60, extra=154, shine=5):
    """Takes the die of highest value less that of lost dice; rolls again below `least` tenths of a point."""
    rounds_left = n.rounds[s.players - 1] - s.round_number
    worth = (action / 10 * min(1.0, rounds_left / 2), mark / 10, fox / 10, top / 10)
    if s.phase == MARKING:
        return _best_mark(s, n, worth)
    best, chosen = -99.0, SKIP
    for one in range(6):
        if not _may_take(s, one):
            continue
        value, use = _best_use(s, n, one, s.shown[one], worth)
        if s.phase == CHOOSING and s.rolls + 1 < n.rolls_each:
            for other in range(6):
                value -= patience / 10 * (s.place[other] == POOL and s.dice[other] < s.dice[one])
        best, chosen = (value, use) if value > best else (best, chosen)
        for way in range(2 * (s.phase != CHOOSING)):
            if can_polish(s, n, one, way):
                value = _best_use(s, n, one, s.shown[one] + 1 - 2 * way, worth)[0] - shine / 10
                best, chosen = (value, POLISH(one, way)) if value > best else (best, chosen)
    if s.phase == CHOOSING and best < least / 10 and can_reroll(s, n):
        return REROLL
    return SKIP if s.phase == ADDING and best < extra / 10 and rounds_left > 0 else chosen
