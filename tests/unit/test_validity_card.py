"""The validity card of a page: what is recorded with date and commit, and nothing else."""

import json
import re
from unittest import mock

import pytest

from bartizan.analyses.statistics.methods import METHODS
from bartizan.analyses.validation import card as cards
from bartizan.analyses.validation.registry import TRIALS
from bartizan.benchmarks import coverage
from bartizan.reports.pages.parts import validity
from tests.cli.run_cli import PIG, ROOT, bartizan

CONFIDENCE = {"stated": 30, "assumed": 10}


def test_a_card_holds_what_was_recorded():
    found = validity.of("no_thanks", str(ROOT / "examples/short/no_thanks.py"), CONFIDENCE)
    kept = cards.recorded()["games"]
    assert found.reference.games == kept["references"]["no_thanks"]["games"] > 0
    assert (found.reference.date, found.reference.commit) == (kept["date"], kept["commit"])
    assert (found.assumed, found.data, found.people) == (10, 40, None)
    rules, exact, intervals, data, people = validity.lines(found)
    assert f"{found.reference.games:,} games" in rules and kept["date"] in rules
    assert f"{found.coverage.smallest * 100:.1f}" in intervals
    assert "25" in data and "not measured" in people and "none" in exact


def test_a_difference_is_recorded_for_the_games_of_its_test():
    from bartizan.benchmarks.reference import Compared

    seen, call = Compared("short games"), mock.Mock()
    for number, name in enumerate(("pig", "kuhn", "pig")):
        seen.pytest_runtest_logstart()
        seen.begin(name)
        call.excinfo.errisinstance.return_value = True
        if number == 2:
            seen.pytest_exception_interact(call)
    assert (seen.games, seen.differences, seen.broken) == ({"pig": 2, "kuhn": 1}, {"pig": 1}, "")
    seen.pytest_runtest_logstart()
    seen.pytest_exception_interact(call)  # no game was compared: this is no difference
    assert seen.broken and seen.differences == {"pig": 1}


def test_a_game_from_outside_takes_no_card_of_a_namesake(tmp_path):
    found = validity.of("pig", str(tmp_path / "pig.py"), {})
    assert found.reference is None and found.exact == [] and found.data == 0
    assert len(validity.lines(found)) == 4  # no data, so no share of assumed ones
    assert validity.of("pig", PIG, {}).exact


def test_held_out_plays_by_people_are_named_where_there_are_some():
    assert "10.3" in validity.of("rows", str(ROOT / "examples/rows/rows.py"), {}).people
    page = (ROOT / "docs/newcomer.md").read_text(encoding="utf-8")
    table = page.split("Other models, evaluated the same way:\n\n")[1].split("\n\n")[0].splitlines()
    assert table[0].endswith("| mean error, share of first player's wins and of draws (percentage points) |")
    assert table[-1].startswith("| `newcomer`, ") and table[-1].endswith("| 10.3, 9.8 |")


def test_what_is_recorded_is_about_the_trials_there_are():
    kept = cards.recorded()
    measured = {(row["method"], row["about"]) for row in kept["coverage"]["methods"]}
    assert measured == {(trial.method, trial.about) for trial in TRIALS}, "run benchmarks/coverage.py again"
    for part in kept.values():
        assert re.fullmatch(r"\d{4}-\d\d-\d\d", part["date"]) and part["commit"] and part["command"]
    assert all(one["differences"] == 0 < one["games"] for one in kept["games"]["references"].values())
    for row in kept["games"]["exact"]:
        assert row["holds"] == (row["low"] <= row["exact"] <= row["high"])
    assert (ROOT / "docs/validity.md").read_text(encoding="utf-8") == coverage.page(kept), (
        "python benchmarks/coverage.py --page"
    )
    assert all(name in coverage.page(kept) for name in METHODS if METHODS[name].kind not in ("drawn", "former"))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("pig")
    assert bartizan("sweep", PIG, "--games", 200, "-o", made).code == 0
    return made


@pytest.mark.parametrize("suffix", ["html", "md", "json"])
def test_every_report_has_it(folder, tmp_path, suffix):
    out = tmp_path / f"page.{suffix}"
    assert bartizan("report", folder, "-o", out).code == 0
    text = out.read_text(encoding="utf-8")
    if suffix == "json":
        found = json.loads(text)["validity"]
        assert found["reference"] is None and len(found["exact"]) == 2 and found["data"] > 0
    else:
        assert "How far can these numbers be trusted?" in text
        assert all(line.split("`")[0][:60] in text for line in validity.lines(validity.of("pig", PIG, {}))[:2])


def test_a_comparison_has_it_too(tmp_path):
    made, out = tmp_path / "made", tmp_path / "page.md"
    assert bartizan("compare", PIG, "--change", "goal.points=50", "--games", 100, "-o", made).code in (0, 3)
    assert bartizan("report", made, "-o", out).code == 0
    assert "How far can these numbers be trusted?" in out.read_text(encoding="utf-8")
