"""Clever 4Ever in the short form: its sheet, odds, marks, dice and points (examples/short/clever_4ever.py)."""

from collections import Counter
from itertools import product

import numpy as np
import pytest

from bartizan.simcore.game import load_game
from bartizan.simcore.scenario.loading import load_scenario
from tests.naive.compiled import Compiled
from tests.unit.test_short_games import SHORT, rows

GAME = load_game(str(SHORT / "clever_4ever.py"))
RULES = GAME.engine.__globals__
YELLOW, BLUE, GREY, GREEN, PINK, WHITE, ANY = 0, 1, 2, 3, 4, 5, 5
TOP, MINUS, PLUS, UPPER, LOWER, PINK_LINE = range(6)
REROLLS, EXTRAS, POLISHES = range(3)
CHOOSING, PICKING, ADDING, MARKING = (RULES[name] for name in ("CHOOSING", "PICKING", "ADDING", "MARKING"))
POOL, TAKEN, TRAY = range(3)


class Table(Compiled):
    """A game, by default of one player, before the first die is chosen."""

    def __init__(self, game: int = 0, players: int = 1, **rulings: str):
        sets = {"numbers.players": players} | {f"rulings.{name}": reading for name, reading in rulings.items()}
        super().__init__(GAME.compiled, load_scenario(GAME, None, None, sets), 5, game)

    @property
    def actions(self) -> set[tuple]:
        acts = self.engine.describe_action.__self__
        legal = ((acts.acts[code // acts.arguments], code % acts.arguments) for code in self.legal())
        return {(act.name, *act.values(rest)) for act, rest in legal}

    def play(self, name: str, *arguments: int) -> None:
        action = RULES[name.upper()]
        code = action(*arguments) if arguments else action
        assert code in self.codes(), (name, arguments, self.actions)
        self.apply(np.int32(code))

    def show(self, *dice: int) -> None:
        """Let the dice show these numbers: yellow, blue, grey, green, pink, white."""
        self.state.dice[:] = self.state.shown[:] = dice

    def points(self, area: int, player: int = 0) -> int:
        return int(RULES["_points"](self.state, self.tables, player, area))

    def fill(self, line: int, *numbers: int, player: int = 0) -> None:
        start = self.state.start[line]
        self.state.written[player, start : start + len(numbers)] = numbers
        self.state.length[player, line] = len(numbers)

    def skip_to(self, phase: int) -> None:
        while self.state.phase != phase:
            self.play("skip")


def spaced(found: float, share: float, n: int) -> bool:
    """Whether a share of n trials is within 4 standard errors of the exact one."""
    return abs(found - share) < 4 * np.sqrt(share * (1 - share) / n)


# ---------------------------------------------------------------- the sheet


def test_the_sheet_gives_as_many_actions_as_its_tracks_have_fields():
    """7 re-rolls, 7 extra dice and 9 polishes are printed on the tracks; four foxes and three of grey."""
    t = Table().tables
    bonuses = Counter([*t.bonus, *t.prize, *t.row_bonus, t.diagonal_bonus, *t.round_bonus])
    assert [bonuses[code] for code in (1, 2, 3, 4)] == [7, 7, 9, 4]
    assert Counter(t.line.tolist()) == {0: 5, 1: 5, 2: 5, 3: 11, 4: 11, 5: 12}


def test_grey_has_17_connected_parts_that_a_die_can_mark():
    table = Table()
    t, touching = table.tables, set()
    cells = {divmod(cell, 16): (int(t.part[cell]), int(t.shade[cell])) for cell in range(64)}
    assert sorted(Counter(t.part.tolist()).values()) == [1, 1, 2, 2, 2, 3, 3, 4, 4, 4, 5, 5, 5, 5, 6, 6, 6]
    for (row, column), (part, shade) in cells.items():
        for beside in ((row, column + 1), (row + 1, column)):
            if beside in cells:  # two parts of a shade never touch, so the shades alone make the parts
                assert (cells[beside][0] == part) == (cells[beside][1] == shade)
                touching |= {(part, cells[beside][0]), (cells[beside][0], part)}
    for one, other in product(range(17), repeat=2):
        assert bool(table.state.beside[one] >> other & 1) == ((one, other) in touching and one != other)
    assert cells[0, 0][0] in t.first_parts and cells[1, 0][0] in t.first_parts


def test_a_full_grey_area_scores_106_and_a_full_sheet_has_seven_foxes():
    table, order = Table(), [0]
    state = table.state
    state.owed[0, GREY] = 17
    table.state.phase = MARKING
    while state.owed[0, GREY] > 0:
        part = min(action[1] for action in table.actions if action[0] == "mark_grey")
        order.append(part)
        table.play("mark_grey", part)
        state.owed[0, [YELLOW, BLUE, GREEN, PINK, ANY]] = 0
    assert len(order) == 18 and table.points(GREY) == 106 and state.foxes[0] == 3
    assert state.left[0].tolist() == [1 + 2, 1, 5]


# ---------------------------------------------------------------- odds


def test_the_highest_die_often_ends_the_rolls():
    """All other dice are lower in 6 x sum of 1/6 (k/6)^5 for k from 0 to 5, that is in 4,425 of 7,776 rolls."""
    alone, n = 0, 2000
    for game in range(n):
        table = Table(game)
        RULES["_took"](table.state, int(table.state.dice.argmax()))
        alone += POOL not in table.state.place
    assert spaced(alone / n, 4425 / 7776, n)


def test_alone_the_three_lowest_dice_lie_on_the_tray():
    """Each die in half of the rolls, ties at random; the mean sum of the three lowest of six, by enumeration."""
    n, on_tray, sums = 2000, np.zeros(6), []
    for game in range(n):
        table = Table(game)
        table.skip_to(PICKING)
        state = table.state
        tray = state.place == TRAY
        assert tray.sum() == 3 and state.dice[tray].max() <= state.dice[~tray].min()
        on_tray += tray
        sums.append(int(state.dice[tray].sum()))
    exact = [sum(sorted(roll)[:3]) for roll in product(range(1, 7), repeat=6)]
    assert abs(np.mean(sums) - np.mean(exact)) < 4 * np.std(exact) / np.sqrt(n)
    assert all(spaced(share, 0.5, n) for share in on_tray / n)


# ---------------------------------------------------------------- marks


def test_the_top_row_rises_and_pink_writes_a_three_twice():
    table = Table()
    table.show(3, 1, 1, 1, 3, 1)
    table.play("write", PINK, PINK_LINE)
    assert table.state.written[0, table.state.start[PINK_LINE] :].tolist()[:3] == [3, 3, 0]
    table.skip_to(PICKING)
    table.fill(TOP, 2, 4)
    table.state.place[:], table.state.left[0] = TRAY, 0
    for number in range(1, 7):
        table.show(number, 1, 1, 1, 1, 1)
        assert (("write", YELLOW, TOP) in table.actions) == (number > 4)


@pytest.mark.parametrize("number", [4, 5, 6])
def test_pink_gives_its_bonus_for_a_five_or_six(number):
    table = Table()
    table.show(1, 1, 1, 1, number, 1)
    table.play("write", PINK, PINK_LINE)
    assert table.state.left[0, POLISHES] == (number >= 5)
    assert table.points(PINK) == 2 + {4: 4, 5: 0, 6: 3}[number]


def test_the_second_cross_of_a_blue_row_and_of_the_diagonal_pays_once():
    table = Table()
    table.state.blue[0, 0] = 0b10
    table.show(1, 1, 1, 1, 1, 1)
    table.play("cross_blue", BLUE)
    assert table.state.owed[0].tolist() == [0, 0, 0, 1, 0, 0] and table.state.phase == MARKING
    assert table.actions == {("mark_line", line, number) for line in (UPPER, LOWER) for number in range(1, 7)}
    table.play("mark_line", LOWER, 6)  # a re-roll, the second after that of the first round
    assert table.state.left[0, REROLLS] == 2 and table.state.phase == CHOOSING
    table.state.blue[0, 1] = 0b10
    for third in (0b100, 0b1000):
        table.state.blue[0, 0] |= third
    table.state.owed[0, BLUE], table.state.phase = 1, MARKING
    table.play("mark_blue", 0, 5)
    assert table.state.left[0, REROLLS] == 2 and not table.state.owed.any()


def test_the_seventh_reroll_gives_a_pink_mark():
    table = Table()
    table.state.rerolls[0] = 6
    table.show(1, 1, 1, 1, 1, 1)
    table.play("write", YELLOW, MINUS)
    assert table.state.owed[0, PINK] == 1 and table.actions == {("mark_line", PINK_LINE, i) for i in range(1, 7)}


def test_a_mark_without_room_is_lost():
    table = Table()
    table.fill(PINK_LINE, *[1] * 12)
    table.state.rerolls[0] = 6
    table.show(1, 1, 1, 1, 1, 1)
    table.play("write", YELLOW, MINUS)
    assert not table.state.owed.any() and table.state.phase == CHOOSING


def test_in_round_four_everybody_marks_before_the_first_roll():
    table = Table(players=3)
    while table.state.round_number < 4:
        table.play("skip")
    for seat in range(3):
        assert table.state.me == seat and {name for name, *_ in table.actions} == {
            "mark_line",
            "mark_blue",
            "mark_grey",
        }
        assert len(table.actions) == 18 + 36 + 2 + 12 + 6
        table.play("mark_blue", seat, seat)
    assert table.state.me == 0 and table.state.phase == CHOOSING


# ---------------------------------------------------------------- dice


def test_lower_dice_go_on_the_tray_and_a_skip_moves_none():
    table = Table(players=2)
    table.play("skip")
    assert (table.state.place == POOL).all()
    table.show(3, 3, 2, 6, 1, 4)
    table.play("write", YELLOW, PLUS)
    assert table.state.place.tolist() == [TAKEN, POOL, TRAY, POOL, TRAY, POOL] and table.state.rolls == 2
    table.play("skip")  # the third roll: the rest goes on the tray, and the other player picks
    assert table.state.place.tolist() == [TAKEN] + [TRAY] * 5 and (table.state.me, table.state.phase) == (1, PICKING)


def test_extra_dice_are_each_used_once():
    table = Table(players=2)
    table.state.left[0, EXTRAS] = 2
    table.skip_to(ADDING)
    table.show(1, 1, 1, 1, 1, 1)
    table.play("write", YELLOW, PLUS)
    assert not {action for action in table.actions if action[:2] == ("write", YELLOW)}
    table.play("write", WHITE, PLUS)
    assert (table.state.me, table.state.phase) == (1, PICKING)


def test_polish_changes_a_die_of_the_tray_for_one_mark():
    table = Table(players=2)
    table.state.left[1, POLISHES] = 3
    table.skip_to(PICKING)
    table.show(1, 1, 1, 1, 1, 6)
    assert {("polish", YELLOW, 1), ("polish", WHITE, 0)}.isdisjoint(table.actions)
    table.play("polish", YELLOW, 0)
    table.play("polish", YELLOW, 0)
    table.play("write", YELLOW, PLUS)
    assert table.state.written[1, table.state.start[PLUS]] == 3 and table.state.left[1, POLISHES] == 1
    assert table.state.dice[YELLOW] != 3 or table.state.round_number > 1 or table.state.active == 1


@pytest.mark.parametrize(("reading", "may"), [("yes", True), ("no", False)])
def test_the_partner_of_the_blue_die_may_be_polished(reading, may):
    table = Table(players=2, partner_polish=reading)
    table.state.left[0, POLISHES], table.state.place[WHITE] = 1, TRAY
    table.show(1, 2, 1, 1, 1, 3)
    assert {action for action in table.actions if action[0] == "polish"} == (
        {("polish", WHITE, 0), ("polish", WHITE, 1)} if may else set()
    )


@pytest.mark.parametrize(
    ("players", "reading", "may"), [(2, "nothing", True), (1, "nothing", False), (1, "others", True)]
)
def test_who_can_use_no_die_of_the_tray_takes_another_one(players, reading, may):
    """Only grey and white dice fit, with which a part beside part 9 is marked."""
    me, off_the_tray = players - 1, 0
    for game in range(30):
        table = Table(game, players, solo_fallback=reading)
        state = table.state
        for line, length in ((TOP, 5), (MINUS, 5), (PLUS, 5), (UPPER, 11), (LOWER, 11), (PINK_LINE, 12)):
            table.fill(line, *[1] * length, player=me)
        state.blue[me], state.grey[me] = 63, 1 << 9
        if players > 1:  # as if the active player had taken one or both
            state.place[[WHITE, GREY][: 1 + game % 2]] = TAKEN
        table.skip_to(PICKING)
        smallest = min(state.cells_of[part] for part in range(17) if state.beside[part] >> 9 & 1)
        fitting = {one for one in (GREY, WHITE) if state.dice[one] >= smallest}
        expected = {one for one in fitting if state.place[one] == TRAY}
        if not expected and may:
            expected = {one for one in fitting if state.place[one] == TAKEN}
            off_the_tray += bool(expected)
        assert {action[1] for action in table.actions if action[0] == "cross_grey"} == expected
    assert off_the_tray or not may


# ---------------------------------------------------------------- points


def test_the_examples_of_the_rulebook_score_what_it_says():
    """Yellow 49 and blue 25, as two transcriptions of the rulebook quote them; the others by its rules."""
    table = Table()
    for line, numbers in ((TOP, (2, 3, 5)), (MINUS, (1, 1, 5)), (PLUS, (6, 6, 5, 4))):
        table.fill(line, *numbers)
    assert table.points(YELLOW) == 21 - 7 + 10 + 10 + 15 == 49
    for row, column in ((0, 1), (3, 1), (2, 4), (5, 4), (0, 5), (5, 0)):
        table.state.blue[0, row] |= 1 << column
    assert table.points(BLUE) == 8 + 11 + 6 == 25
    table.fill(UPPER, 4, 6, 5, 4)
    table.fill(LOWER, 4, 2, 5, 3, 6)
    assert table.points(GREEN) == 8 + 8 + 10 + 14
    table.fill(PINK_LINE, 3, 3, 2, 4, 6, 1)
    assert table.points(PINK) == 15 + 2 + 4 + 3
    table.state.foxes[0] = 2
    assert RULES["score"](table.state, table.tables, 0) == 49 + 25 + 40 + 24 + 0


@pytest.mark.parametrize(("reading", "cost"), [("yes", 5), ("no", 0)])
def test_foxes_may_cost_points(reading, cost):
    table = Table(fox_below_zero=reading)
    table.fill(MINUS, 5)
    table.state.foxes[0] = 1
    assert RULES["score"](table.state, table.tables, 0) == -5 - cost


def test_a_tie_is_broken_by_the_highest_area():
    table = Table(players=2)
    table.fill(PLUS, 6, 2)
    table.fill(PLUS, 4, player=1)
    table.fill(PINK_LINE, 4, player=1)  # 2 and 4 points
    table.fill(PLUS, 2, player=1)
    assert [RULES["score"](table.state, table.tables, p) for p in (0, 1)] == [8, 8]
    assert RULES["_first"](table.state, table.tables) == 0


@pytest.mark.parametrize(("players", "rounds"), [(1, 6), (2, 6), (3, 5), (4, 4)])
def test_a_game_lasts_its_rounds(players, rounds):
    played = rows(SHORT / "clever_4ever.py", "clever", 20, players=str(players))
    assert (played["turn"] == players * rounds).all()
