"""Exact chances of events and throws of small games (`chance`), beside closed forms; simulated where not."""

import pytest
from scipy.stats import binom, hypergeom

from tests.cli.run_cli import ROOT, RUIN, bartizan
from tests.oracles import ruin

DICE, ACES = ROOT / "tests/games/dice_pool.py", ROOT / "tests/games/aces.py"
PIG = ROOT / "examples/short/pig.py"
FEW = ("--trajectories", 200, "--replicates", 10, "--json")


@pytest.mark.parametrize(("dice", "least"), [(5, 2), (8, 1), (10, 9)])
def test_a_dice_question_has_its_closed_form(dice, least):
    sets = ("--set", f"numbers.dice={dice}", "--set", f"numbers.least={least}")
    found = bartizan("chance", DICE, "--event", "enough_sixes", *sets, *FEW).json
    chance = found["exact"]["chance"]
    assert chance["estimate"] == pytest.approx(binom.sf(least - 1, dice, 1 / 6), rel=1e-9)
    assert chance["high"] - chance["low"] < 1e-8 and found["exact"]["states"] == 1
    assert found["chance"]["low"] <= chance["estimate"] <= found["chance"]["high"]


def test_an_event_on_a_long_way_is_exact_too():
    sets = ("--set", "bets.start=5", "--set", "bets.goal=25", "--set", "bets.win_per_mille=300")
    result = bartizan("chance", RUIN, "--event", "goal", *sets, *FEW[:-1])
    assert result.json["exact"]["chance"]["estimate"] == pytest.approx(ruin(0.3, 5, 25), rel=1e-6)
    assert "4.3066e-08 exactly; simulated: 1 in " in result.out and "over all 24 states" in result.out


def test_a_card_question_is_simulated_and_says_why():
    found = bartizan("chance", ACES, "--event", "two_aces", *FEW).json
    assert "exact" not in found and "shuffled deck" in found["not_exact"]
    assert found["chance"]["low"] < hypergeom.sf(1, 52, 4, 5) < found["chance"]["high"]


def test_a_throw_from_a_position_is_exact_and_of_all_futures():
    """Not only of those that meet the condition: these all have its text."""
    found = bartizan("chance", PIG, "--at", "game 2, turn 4", "--when", "shows 6", "--games", 400, "--json").json
    assert found["when"]["share"]["low"] < 1 / 6 < found["when"]["share"]["high"]
    (roll,) = found["throws"]["actions"]
    assert roll["exact"] == pytest.approx(1 / 6) and roll["share"]["low"] < 1 / 6 < roll["share"]["high"]
