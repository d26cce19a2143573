"""`bartizan compare --luck-adjusted`: a difference with a known answer, narrower than the paired one."""

import pytest

from tests.cli.run_cli import PIG, RUIN, bartizan, error_line, few_pilot_games

FAIR, UNFAIR = 0.5, 0.4012995229723709  # gambler's ruin from 10 to 20, p = 0.50 and 0.49 (Feller XIV.2)


def test_a_known_difference_and_a_greater_factor():
    """Within four standard errors, which are half the width of the interval."""
    with few_pilot_games():
        d = bartizan("compare", RUIN, "--change bets.win_per_mille=500 --games 1500 --luck-adjusted --json").json
    without, plain = d["luck_adjusted"], d["difference"]
    difference = without["difference"]
    assert abs(difference["estimate"] - (FAIR - UNFAIR)) < difference["high"] - difference["low"]
    assert difference["high"] - difference["low"] < plain["high"] - plain["low"]
    assert without["pairing_factor"] > 1.5 * d["pairing_factor"] and without["n"] == d["n"] == 1500
    assert "luck-adjusted" in difference["method"] and [pilot["numbers"] for pilot in without["pilots"]] == [2, 2]


def test_a_player_over_all_seats_and_the_same_for_any_threads():
    args = (
        "compare",
        PIG,
        "--policy hold --policy hold:at=25 --change goal.points=40 --games 60 --luck-adjusted --json",
    )
    with few_pilot_games():
        one, two = (bartizan(*args, "--jobs", jobs).json["luck_adjusted"] for jobs in (1, 2))
    assert one == two and len(one["pilots"]) == 4  # two seatings of either side


@pytest.mark.parametrize("other", [("--steps",), ("--change", "bets.win_per_mille=500", "--test", "B - A > 2pp")])
def test_refused(other):
    assert "--luck-adjusted" in error_line(bartizan("compare", RUIN, *other, "--luck-adjusted"))
