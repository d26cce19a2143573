"""Of games without a true difference at most 5 % of the answers claim one: a short form of benchmarks/wrong_alarms.py."""

import importlib.util
import sys
from pathlib import Path

import pytest
import scipy

from bartizan.analyses.validation.card import recorded

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "wrong_alarms.py"
RUNS = 60


@pytest.fixture(scope="module")
def script():
    spec = importlib.util.spec_from_file_location("wrong_alarms", SCRIPT)
    module = sys.modules["wrong_alarms"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.slow
@pytest.mark.parametrize(
    "kind", ["compare: a number", "compare: a policy", "compare: two roles", "cards --value", "claims"]
)
def test_few_answers_claim_a_difference(script, kind):
    found = script.of_kind(kind, RUNS)
    most = scipy.stats.binom.ppf(0.999, RUNS, 0.05)  # exceeded once in a thousand times
    assert sum(bool(one.claimed) for one in found) <= most
    assert all(one.text_agrees for one in found)


def test_a_true_difference_is_an_alarm_to_the_script(script):
    """A page that says a player is better, and that a setting moves the length, is counted once, with both."""
    page = {
        "seatings": [{"seats": [{"finding": "none found"}], "about_seats": True}],
        "skill": [{"differences": [{"policy": "a", "other": "b", "low": 0.01, "high": 0.2, "is_clear": True}]}],
        "effects": [{"effects": [{"measure": "turn", "p_adjusted": 0.01}, {"measure": "0", "p_adjusted": 0.5}]}],
        "verdict": [{"text": "a plays better than b."}],
    }
    assert script._of_page(page).claimed == ("player", "setting: turn")
    (row,) = script.rows_of({"x": [script._of_page(page), script.Alarms(())]}, seed=7)
    assert (row["runs"], row["wrong"], row["about"]) == (2, 1, {"player": 1, "setting: turn": 1})
    assert "| x | 2 | 1 (50.0 %)" in script.coverage.alarm_table([row])[-1]


def test_every_kind_is_recorded_at_5_percent_or_less(script):
    """400 runs of each kind: more than 31 wrong alarms would be above 5 % by more than chance (0.5 %)."""
    rows = {row["question"]: row for row in recorded()["alarms"]["rows"]}
    assert list(rows) == list(script.KINDS)
    most = int(scipy.stats.binom.ppf(0.995, 400, 0.05))
    assert all(
        row["runs"] >= 400 and row["wrong"] <= most * row["runs"] / 400 and not row["text_differs"]
        for row in rows.values()
    )
