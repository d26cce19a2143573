"""Clever 4Ever (2022) once more, in plain Python and from its rules alone (`short_twins.Twin`).

The course of the game is one generator: it yields whose decision it is and what is legal, and is sent the action.
Only what is printed on the sheet is read from the game's tables.
"""

import csv
from functools import cache
from pathlib import Path

from tests.naive.short_twins import DICE, NOBODY, Twin

SHORT = Path(__file__).parents[2] / "examples" / "short"
YELLOW, BLUE, GREY, GREEN, PINK, WHITE = range(6)  # dice; the first five are areas, too
ANY = 5  # owed: a ? of any area
TOP, MINUS, PLUS, UPPER, LOWER, LAST = range(6)  # lines; the last is the pink one
LENGTHS = (5, 5, 5, 11, 11, 12)
LINES = {YELLOW: (TOP, MINUS, PLUS), GREEN: (UPPER, LOWER), PINK: (LAST,)}
POOL, FIELD, TRAY = range(3)
REROLL, EXTRA, POLISH = range(3)
BLUE_ROWS = (8, 9, 5, 2, 7, 4)
GREY_COLUMNS = (1, 2, 3, 4, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11)
PINK_NUMBERS = {2: 2, 4: 4, 6: 3}
SKIP = ("skip",)
SEEN = ("written", "length", "blue", "grey", "left", "foxes", "owed")  # of each seat, in the state of the game


@cache
def printed(file: str) -> list[dict[str, int]]:
    with (SHORT / file).open(encoding="utf-8") as rows:
        return [{key: int(row[key]) for key in row if key not in ("field", "cell")} for row in csv.DictReader(rows)]


@cache
def field(line: int, number: int) -> dict[str, int]:
    """What is printed in a field, the first of its line is 0."""
    return [row for row in printed("clever_4ever_fields.csv") if row["line"] == line][number]


@cache
def cells() -> dict[tuple[int, int], dict[str, int]]:
    """The grey area: (row, column) -> its cell."""
    return {divmod(i, 16): row for i, row in enumerate(printed("clever_4ever_grey.csv"))}


@cache
def shape(part: int) -> list[tuple[int, int]]:
    return [place for place, cell in cells().items() if cell["part"] == part]


@cache
def beside(part: int) -> set[int]:
    """The other parts that share a side of a cell with this one."""
    near = [(r + down, c + right) for r, c in shape(part) for down, right in ((0, 1), (1, 0), (0, -1), (-1, 0))]
    return {cells()[place]["part"] for place in near if place in cells()} - {part}


class Sheet:
    """What one player has written, crossed and won (1, 2)."""

    def __init__(self, diagonal_bonus):
        self.diagonal_bonus = diagonal_bonus
        self.lines, self.blue, self.grey = [[] for _ in LENGTHS], set(), set()
        self.left, self.owed, self.foxes, self.rerolls = [0, 0, 0], [0] * 6, 0, 0

    def gain(self, code):
        """2.1 to 2.3"""
        if code == 4:
            self.foxes += 1
        elif code >= 5:
            self.owed[code - 5] += 1
        elif code:
            self.left[code - 1] += 1
        if code == 1:
            self.rerolls += 1
            if self.rerolls == 7:
                self.gain(9)

    def takes(self, line, number) -> bool:
        """1.1, 1.2"""
        filled = self.lines[line]
        return len(filled) < LENGTHS[line] and (line != TOP or not filled or number > filled[-1])

    def parts(self, number) -> set[int]:
        """The grey parts that a number can cross (1.6)."""
        open_parts = {part for part in range(17) if beside(part) & self.grey} if self.grey else {0, 8}
        return {part for part in open_parts - self.grey if len(shape(part)) <= number}

    def marks(self, area) -> set[tuple]:
        """What a ? of an area can do (2.4)."""
        if area == BLUE:
            every = {(row, column) for row in range(6) for column in range(6)}
            return {("mark_blue", *cell) for cell in every - self.blue}
        if area == GREY:
            return {("mark_grey", part) for part in self.parts(6)}
        return {("mark_line", line, n) for line in LINES[area] for n in range(1, 7) if self.takes(line, n)}

    def owed_marks(self) -> set[tuple]:
        areas = [area for area in range(5) if self.owed[area] or self.owed[ANY]]
        return set().union(*(self.marks(area) for area in areas))

    def forfeit(self):
        """2.5"""
        for area in range(5):
            if not self.marks(area):
                self.owed[area] = 0
        if not any(self.marks(area) for area in range(5)):
            self.owed[ANY] = 0

    def mark(self, action, *where):
        """Use a ? (2.4)."""
        area = next(area for area in range(5) if (action, *where) in self.marks(area))
        self.owed[area if self.owed[area] else ANY] -= 1
        {"mark_blue": self.cross, "mark_grey": self.cross_part, "mark_line": self.write}[action](*where)

    def write(self, line, number):
        """1.3, 1.4"""
        filled = self.lines[line]
        filled.append(number)
        if line != LAST or number >= 5:
            self.gain(field(line, len(filled) - 1)["bonus"])
        elif number == 3 and len(filled) < LENGTHS[LAST]:
            filled.append(3)

    def cross(self, row, column):
        """1.5"""
        self.blue.add((row, column))
        if sum(r == row for r, _ in self.blue) == 2:
            self.gain(BLUE_ROWS[row])
        if row == column and sum(r == c for r, c in self.blue) == 2:
            self.gain(self.diagonal_bonus)

    def cross_part(self, part):
        """1.6"""
        self.grey.add(part)
        for place in shape(part):
            self.gain(cells()[place]["prize"])
        shade = cells()[shape(part)[0]]["shade"]
        if all(cell["part"] in self.grey for cell in cells().values() if cell["shade"] == shade):
            self.gain(4)

    def areas(self) -> list[int]:
        """5.1 to 5.5"""
        top, minus, plus, upper, lower, pink = self.lines
        yellow = sum(plus) - sum(minus)
        yellow += sum(field(TOP, i)["points"] for i in range(min(len(top), len(minus), len(plus))))
        blue = sum(7 + c for c in range(6) if sum(column == c for _, column in self.blue) >= 2)
        blue += 6 * (sum(row + column == 5 for row, column in self.blue) >= 2)  # counted from 0
        done = [all(cells()[row, c]["part"] in self.grey for row in range(4)) for c in range(16)]
        grey = sum(points for points, full in zip(GREY_COLUMNS, done, strict=True) if full)
        pairs = [one + other for one, other in zip(upper, lower, strict=False)]
        green = sum(pair * field(UPPER, i)["points"] for i, pair in enumerate(pairs))
        last = field(LAST, len(pink) - 1)["points"] if pink else 0
        return [yellow, blue, grey, green, last + sum(PINK_NUMBERS.get(number, 0) for number in pink)]

    def seen(self) -> tuple:
        """SEEN"""
        fields = [filled + [0] * (size - len(filled)) for filled, size in zip(self.lines, LENGTHS, strict=True)]
        rows = [sum(1 << column for r, column in self.blue if r == row) for row in range(6)]
        grey = sum(1 << part for part in self.grey)
        return sum(fields, []), [len(filled) for filled in self.lines], rows, grey, self.left, self.foxes, self.owed


class Clever(Twin):
    free_skip = "yes"
    white_for_blue, solo_fallback, solo_polish, partner_polish, fox_below_zero = "yes", "nothing", "yes", "yes", "yes"
    # the printed numbers; the test plays other ones, too
    rounds, round_bonus, rolls_each, diagonal_bonus = (6, 6, 5, 4), (1, 2, 3, 10, 0, 0), 3, 1

    def begin(self):
        self.sheets = [Sheet(self.diagonal_bonus) for _ in range(self.players)]
        self.dice, self.shown, self.place = [0] * 6, [0] * 6, [POOL] * 6
        self.course = self.all_rounds()
        self.me, self.options = next(self.course)

    def legal(self):
        return self.options

    def play(self, *action):
        self.me, self.options = self.course.send(action)

    def all_rounds(self):
        for number in range(self.rounds[self.players - 1]):
            self.round, self.active, self.place = number + 1, 0, [POOL] * 6
            for sheet in self.sheets:
                sheet.gain(self.round_bonus[number] if number < len(self.round_bonus) else 0)
            yield from self.question_marks()
            for seat in range(self.players):
                yield from self.turn(seat)
        self.end = self.winner(), "all rounds are played"
        yield self.me, set()

    def turn(self, active):
        """3.3 to 3.7"""
        self.active = active
        yield from self.three_rolls(active)
        yield from self.extra_dice(active)
        if self.players == 1:
            self.roll_alone()
        for seat in self.after_active()[1:] or [active]:
            yield from self.from_the_tray(seat)
            yield from self.extra_dice(seat)

    def after_active(self) -> list[int]:
        """All seats, the active one first."""
        return [(self.active + i) % self.players for i in range(self.players)]

    def question_marks(self):
        """2.3 to 2.5"""
        while True:
            for sheet in self.sheets:
                if any(sheet.owed):
                    sheet.forfeit()
            owing = [seat for seat in self.after_active() if any(self.sheets[seat].owed)]
            if not owing:
                return
            action = yield owing[0], self.sheets[owing[0]].owed_marks()
            self.sheets[owing[0]].mark(*action)

    def three_rolls(self, seat):
        """3.3, 3.4"""
        self.place, left = [POOL] * 6, self.sheets[seat].left
        for _ in range(self.rolls_each):
            self.roll()
            while True:
                pool = self.lying(POOL)
                rerolls = {("reroll",)} if left[REROLL] else set()
                fitting = self.uses(seat, pool)
                action = yield seat, self.skips(fitting) | fitting | rerolls | self.partner_polishes(seat)
                if action[0] == "reroll":
                    left[REROLL] -= 1
                    self.roll()
                elif action[0] == "polish":
                    self.polish(seat, *action[1:])
                else:
                    break
            if action != SKIP:
                self.use(seat, *action)
                for die in pool:
                    if self.dice[die] < self.dice[action[1]]:
                        self.place[die] = TRAY
                self.place[action[1]] = FIELD
                yield from self.question_marks()
            self.shown = [*self.dice]
            if not self.lying(POOL):
                break
        for die in self.lying(POOL):
            self.place[die] = TRAY

    def skips(self, fitting):
        """3.3, 3.6: whether dice that fit may be left is a ruling."""
        return {SKIP} if self.free_skip == "yes" or not fitting else set()

    def extra_dice(self, seat):
        """3.5"""
        left, fresh = self.sheets[seat].left, {*range(6)}
        while left[EXTRA] and fresh:
            action = yield seat, {SKIP} | self.uses(seat, fresh) | self.polishes(seat)
            if action == SKIP:
                break
            if action[0] == "polish":
                self.polish(seat, *action[1:])
            else:
                left[EXTRA] -= 1
                fresh.remove(action[1])
                self.use(seat, *action)
                yield from self.question_marks()
        self.shown = [*self.dice]

    def from_the_tray(self, seat):
        """3.6"""
        choice = self.lying(TRAY)
        if not self.uses(seat, choice) and (self.players > 1 or self.solo_fallback == "others"):
            choice = range(6)
        while True:
            fitting = self.uses(seat, choice)
            action = yield seat, self.skips(fitting) | fitting | self.polishes(seat)
            if action[0] != "polish":
                break
            self.polish(seat, *action[1:])
        if action != SKIP:
            self.use(seat, *action)
            yield from self.question_marks()
        self.shown = [*self.dice]

    def roll(self):
        for die in self.lying(POOL):
            self.dice[die] = self.luck.below(DICE, 6) + 1
        self.shown = [*self.dice]

    def roll_alone(self):
        """3.7"""
        self.place = [POOL] * 6
        self.roll()
        for places in (3, 2, 1):
            pool = self.lying(POOL)
            lowest = [die for die in pool if self.dice[die] == min(self.dice[other] for other in pool)]
            chosen = self.luck.below(DICE, len(lowest)) if len(lowest) > places else 0
            self.place[lowest[chosen]] = TRAY
        for die in self.lying(POOL):
            self.place[die] = FIELD

    def lying(self, place) -> list[int]:
        return [die for die in range(6) if self.place[die] == place]

    def uses(self, seat, dice) -> set[tuple]:
        """4.1, 4.2"""
        found, sheet = set(), self.sheets[seat]
        for die in dice:
            number = self.shown[die]
            lines = range(6) if die == WHITE else LINES.get(die, ())
            found |= {("write", die, line) for line in lines if sheet.takes(line, number)}
            if (die == BLUE or (die == WHITE and self.white_for_blue == "yes")) and self.cell() not in sheet.blue:
                found.add(("cross_blue", die))
            if die in (GREY, WHITE):
                found |= {("cross_grey", die, part) for part in sheet.parts(number)}
        return found

    def cell(self) -> tuple[int, int]:
        return self.shown[BLUE] - 1, self.shown[WHITE] - 1

    def use(self, seat, action, die, where=None):
        """Mark with a die; then all dice show what was rolled (4.3)."""
        number, cell, self.shown = self.shown[die], self.cell(), [*self.dice]
        if action == "write":
            self.sheets[seat].write(where, number)
        elif action == "cross_blue":
            self.sheets[seat].cross(*cell)
        else:
            self.sheets[seat].cross_part(where)

    def polishes(self, seat, dice=range(6)) -> set[tuple]:
        """4.3"""
        if not self.sheets[seat].left[POLISH] or (self.players == 1 and self.solo_polish == "no"):
            return set()
        tray = [die for die in dice if self.place[die] == TRAY]
        up = {("polish", die, 0) for die in tray if self.shown[die] < 6}
        return up | {("polish", die, 1) for die in tray if self.shown[die] > 1}

    def partner_polishes(self, seat) -> set[tuple]:
        """Of blue and white the one on the tray, if the other is in the pool (4.3)."""
        apart = POOL in (self.place[BLUE], self.place[WHITE])
        return self.polishes(seat, (BLUE, WHITE)) if apart and self.partner_polish == "yes" else set()

    def polish(self, seat, die, down):
        self.sheets[seat].left[POLISH] -= 1
        self.shown[die] += -1 if down else 1

    def scores(self) -> list[int]:
        """5.6"""
        lowest = 0 if self.fox_below_zero == "no" else -999
        return [sum(sheet.areas()) + sheet.foxes * max(lowest, min(sheet.areas())) for sheet in self.sheets]

    def winner(self) -> int:
        """5.7"""
        ranks = [*zip(self.scores(), (max(sheet.areas()) for sheet in self.sheets), strict=True)]
        return ranks.index(max(ranks)) if ranks.count(max(ranks)) == 1 else NOBODY

    def agrees(self, state) -> bool:
        theirs = zip(*(getattr(state, name)[: self.players].tolist() for name in SEEN), strict=True)
        if [*theirs] != [sheet.seen() for sheet in self.sheets]:
            return False
        mine = [*self.dice, *self.shown, *self.place, self.round, self.active]
        return mine == [*state.dice, *state.shown, *state.place, state.round_number, state.active]
