"""`Counter(recorded=True)`: its value at the end of every game, in results, comparisons and exported columns."""

import json
import re
from functools import cache

import pytest

from bartizan.reports.views import compare as views
from tests.cli.run_cli import bartizan

RACE = '''"""Race: throw until the goal."""

from bartizan.short import *

players = (1,)
goal = Number(10, 5, 20, "rulebook")
sixes, unseen = Counter(recorded=True), Counter()
points = Tokens()


def throw(s, n):
    thrown = die(s, 6)
    s.sixes += thrown == 6
    s.points[s.me] += thrown
    if s.points[s.me] >= n.goal:
        win(s, s.me)
'''


@cache
def sixes(to_go: int) -> float:
    """The mean number of sixes until the sum of throws is at least `to_go`."""
    return 0.0 if to_go <= 0 else 1 / 6 + sum(sixes(to_go - thrown) for thrown in range(1, 7)) / 6


@pytest.fixture
def race(tmp_path):
    file = tmp_path / "race.py"
    file.write_text(RACE)
    return file


def test_a_recorded_counter_is_in_results_and_comparisons(race):
    document = json.loads(bartizan("run", race, "--games", 4000, "--json").out)
    found = document["means"]["counter_sixes"]
    assert abs(found["mean"] - sixes(10)) < 4 * found["se"] and "counter_unseen" not in document["means"]
    change = ("--change", "numbers.goal=20", "--games", 2000)
    compared = json.loads(bartizan("compare", race, *change, "--json").out)
    rows = {row["name"]: row for row in compared["effects"]}
    gain = rows["counter_sixes"]["difference"]
    assert gain["low"] < sixes(20) - sixes(10) < gain["high"]
    lead = views.chart(views.ComparisonDocument.read(compared)).title  # all games are won: a mean is chosen
    assert re.search(r"\(\S+ to \S+\)", lead)[0] in compared["sentence"]
    assert "counter  sixes: mean 0.5" in bartizan("run", race, "--games", 4000).out


def test_only_a_shared_counter_can_be_recorded(race):
    race.write_text(RACE.replace("Tokens()", "Tokens(recorded=True)"))
    said = bartizan("run", race, "--games", 10)
    assert said.code == 2 and len(said.err.splitlines()) == 1 and "points: recorded=True" in said.err
