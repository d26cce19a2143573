"""The number of a person's play, and rungs only where plays show learning."""

from types import SimpleNamespace

import numpy as np
import pytest

from bartizan.analyses.people.learning import FEWEST_PEOPLE, analyze, numbered
from bartizan.analyses.people.skill import PeoplePlay
from bartizan.reports.views import people_learning


def play(day: int, *people: str, won: bool = False, first: float | None = None, when: bool = True) -> PeoplePlay:
    return PeoplePlay(people, "standard", won, first, None, None, "", f"2026-09-{day:02} 1" if when else "")


YARD = SimpleNamespace(
    levels=("standard",),
    eases=np.zeros((20, 1)),
    skills=np.tile([1.0, 0.0, -1.0], (20, 1)),
    noise_of=lambda skill: np.interp(-skill, [-1, 0, 1], [0.0, 0.2, 0.4]),
)


def group(trend: float, people: int = 16, times: int = 8, seed: int = 1) -> list[PeoplePlay]:
    random = np.random.default_rng(seed)
    return [
        play(number, f"tester {person}", won=random.random() < 1 / (1 + np.exp(1.5 - trend * np.log2(number))))
        for number in range(1, times + 1)
        for person in range(people)
    ]


def test_plays_are_numbered_by_date_and_not_by_their_order():
    those = numbered([play(9, "anna"), play(2, "anna"), play(5, "bert")], ["standard"])
    assert sorted((result.people[0], result.first) for result in those.results) == [
        ("anna", 0),
        ("anna", 1),
        ("bert", 0),
    ]
    assert those.counts == {"anna": 2, "bert": 1} and not those.are_marked


def test_a_table_has_the_mean_of_those_who_sit_there():
    those = numbered([play(1, "anna"), play(2, "anna", "bert")], ["standard"])
    assert [result.first for result in those.results] == [0, 0.5]


def test_what_tells_no_number_is_left_out_and_counted():
    plays = [
        play(1, "anna", when=False),
        play(2, "unnamed, x.csv"),
        play(3, "cleo", first=0.0),
        play(4, "cleo"),
        play(5, "dora", first=1.0),
    ]
    those = numbered(plays, ["standard"])
    assert those.left_out == {"without a date": 1, "without names": 1, "by people who had played before": 2}
    assert set(those.counts) == {"dora"} and those.are_marked


def test_too_few_who_come_back_carry_no_trend():
    found = analyze(group(1.0, FEWEST_PEOPLE - 1), YARD)
    assert found.trend is None and not found.rungs and found.repeaters == FEWEST_PEOPLE - 1
    (block,) = people_learning.blocks(found, "eager")
    assert "too few plays" in block.lines[0]


def test_people_who_get_better_become_rungs_no_further_than_their_plays():
    found = analyze(group(1.0), YARD)
    assert found.shown and found.trend.low < 1.0 < found.trend.high
    assert [rung.play for rung in found.rungs] == [1, 2, 5], "nobody has played ten times"
    rates = [rung.win_rates["standard"].estimate for rung in found.rungs]
    assert rates == sorted(rates) and rates[-1] > 2 * rates[0]
    names = [mark.in_words for mark in people_learning.marks(found, "standard", "your testers")]
    assert len(names) == 2 and "play 1" in names[0] and "play 5" in names[1]


@pytest.mark.parametrize("seed", [1, 2])
def test_people_who_do_not_get_better_are_no_rungs(seed):
    found = analyze(group(0.0, seed=seed), YARD)
    assert found.trend.low < 0 < found.trend.high and not found.shown and not found.rungs
    (block,) = people_learning.blocks(found, "eager")
    assert "these plays do not show learning" in block.lines[0]
    assert not list(people_learning.marks(found, "standard", "your testers"))
