"""The rules by which a value is varied, one by one."""

import pytest

from bartizan.analyses.experiments.trials import variations
from bartizan.simcore.scenario.parameters import Parameter


def knob(value, low=None, high=None, choices=()):
    return Parameter("some.path", value, "", "rulebook", "assumed", low, high, choices)


@pytest.mark.parametrize(
    ("value", "spread", "found"),
    [
        (4, 0.25, [3, 5]),
        (20, 0.25, [15, 25]),
        (1, 0.25, [0, 2]),  # a step is at least 1
        (0, 0.25, [-1, 1]),
        (-8, 0.25, [-10, -6]),
        (10, 0.5, [5, 15]),
        (2.0, 0.25, [1.5, 2.5]),
        (0.0, 0.25, []),
        ("free text", 0.25, []),
        ([], 0.25, []),
        ({"a": 1}, 0.25, []),
    ],
)
def test_numbers_and_what_has_no_variation(value, spread, found):
    assert variations(knob(value), spread) == found


def test_bounds_cut_a_number_and_a_bound_itself_has_one_side():
    assert variations(knob(20, 18, 22)) == [18, 22]
    assert variations(knob(6, 6, 6)) == []
    assert variations(knob(0, 0, 9)) == [1]
    assert variations(knob(0.8, 0, 0.9)) == [pytest.approx(0.6), 0.9]


def test_choices_are_taken_each():
    assert variations(knob("some", choices=("none", "some", "all"))) == ["none", "all"]
    assert variations(knob(True, choices=(True, False))) == [False]
    assert variations(knob("only", choices=("only",))) == []


def test_lists_lose_each_entry():
    assert variations(knob(["axe", "knight"])) == [["knight"], ["axe"]]
    assert variations(knob(["axe", "axe"])) == [["axe"]], "the same list twice is one variation"
    assert variations(knob(["axe"])) == [[]]


def test_tables_lose_an_entry_or_count_one_more_or_less():
    draw, end = {"op": "draw", "n": 1}, {"op": "end_attack"}
    assert variations(knob([draw, end])) == [[end], [{"op": "draw", "n": 2}, end], [draw]]
    assert variations(knob([{"op": "draw", "n": 3}])) == [[], [{"op": "draw", "n": 2}], [{"op": "draw", "n": 4}]]


def test_lists_of_numbers_vary_each_number():
    assert variations(knob([6, 1])) == [[4, 1], [8, 1], [6, 0], [6, 2]]
    assert variations(knob([0.5, 1.0])) == [[0.375, 1.0], [0.625, 1.0], [0.5, 0.75], [0.5, 1.25]]
