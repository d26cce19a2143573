"""`bartizan odds`: what it says, and what it refuses with one line."""

import re

import pytest

from tests.cli.run_cli import bartizan, error_line

EXACT_AT_36 = {"3": 0.096035, "4": 0.342269, "5": 0.731929, "6": 0.957576, "7": 0.997467, "any": 0.625055}
CAPPED_AT_36 = {"3": 0.091905, "4": 0.340396, "5": 0.731564, "6": 0.957545, "7": 0.997466, "any": 0.623775}


def odds(*args):
    result = bartizan("odds", *args, "--json")
    assert result.code == 0, result.err
    return result.json


def test_do_or_die_at_the_least_distance():
    document = odds("do-or-die", "--games", 20_000)
    assert document["schema"] == "bartizan.odds/1" and document["question"] == "do-or-die"
    assert document["distance"] == 36 and document["cap"] is None
    assert (document["from"]["space"], document["from"]["ropes"], document["from"]["cutters"]) == (295, 2, 0)
    assert document["exact"] == pytest.approx(EXACT_AT_36, abs=5e-7)
    assert list(document["exact"]) == list(EXACT_AT_36) == list(document["simulated"])
    for case, found in document["simulated"].items():
        assert set(found) >= {"estimate", "low", "high", "level", "method", "games"} and found["games"] == 20_000
        assert found["low"] - 0.01 < EXACT_AT_36[case] < found["high"] + 0.01
    assert [entry["cap"] for entry in document["by_cap"]] == [None, 3]
    assert document["by_cap"][1]["exact"] == pytest.approx(CAPPED_AT_36, abs=5e-7)


def test_a_cap_a_card_and_a_seed():
    document = odds("do-or-die", "--distance", 36, "--cap", 3, "--card", 4, "--games", 5000)
    assert document["from"] is None and document["cap"] == 3
    assert document["exact"] == {"4": pytest.approx(CAPPED_AT_36["4"], abs=5e-7)}
    assert (
        document["simulated"]
        == odds("do-or-die", "--distance", 36, "--cap", 3, "--card", 4, "--games", 5000)["simulated"]
    )
    assert (
        document["simulated"]
        != odds("do-or-die", "--distance", 36, "--cap", 3, "--card", 4, "--games", 5000, "--seed", 2)["simulated"]
    )


@pytest.mark.parametrize(
    ("args", "distance", "space"),
    [
        (["appel", "--ropes", 2], 47, 0),
        (["canteen", "--ropes", 2], 36, 295),
        (["295", "--ropes", 1], 75, 295),
        (["1020"], 48, 1020),
    ],
)
def test_the_distance_is_read_off_the_board(args, distance, space):
    document = odds("do-or-die", "--from", *args, "--games", 100)
    assert (document["distance"], document["from"]["space"]) == (distance, space)


def test_the_other_throws():
    assert odds("staff-car", "--games", 100)["exact"] == {"staff-car": pytest.approx(0.680034, abs=5e-7)}
    assert odds("staff-car", "--games", 100)["by_cap"][1]["exact"] == {"staff-car": pytest.approx(0.679253, abs=5e-7)}
    assert odds("appel", "--distance", 9, "--games", 100)["exact"] == {"appel": pytest.approx(0.376457, abs=5e-7)}
    shot = odds("shoot-to-kill", "--distance", 11, "--games", 20_000)
    assert shot["exact"] == {"shoot-to-kill": pytest.approx(0.768433, abs=5e-7)}
    assert shot["simulated"]["shoot-to-kill"]["estimate"] == pytest.approx(0.768433, abs=0.015)
    assert odds("shoot-to-kill", "--distance", 11, "--talisman", "--games", 100)["exact"] == {
        "shoot-to-kill": pytest.approx(0.192470, abs=5e-7)
    }


def test_for_a_reader():
    result = bartizan("odds", "do-or-die", "--games", 1000)
    assert result.code == 0
    assert "Do or Die, 36 steps from circle 295 (Canteen) with 2 Rope cards" in result.out
    assert result.out.startswith("A random card succeeds in 62.5\u00a0%; above 50\u00a0% with a card x5, x6 or x7 ")
    assert "the shortest distance (to choose another: --distance or --from)" in result.out
    assert re.search("card x3 +9.60\u00a0% ", result.out) and "any card" in result.out
    assert "at most 3 rolls per throw" in result.out and "95\u00a0% Wilson" in result.out


def test_the_odds_of_a_game_have_another_command():
    line = error_line(bartizan("odds", "my_game.py", "--at", "position.toml"))
    assert line.endswith("by: bartizan chance my_game.py --at position.toml")


def test_a_start_that_is_none_is_said_in_words():
    refusal = error_line(bartizan("odds", "do-or-die", "--from", "40", "--games", 100))
    assert "circle 40 lies outside" in refusal and "(a distance in steps: --distance 40)" in refusal


def test_stake_or_wait():
    args = ("stake-or-wait", "--players 2 --from canteen --ropes 2 --within 6 --games 40 --seed 4")
    document = odds(*args, "--jobs", 1)
    assert document["schema"] == "bartizan.stake-or-wait/2"
    assert document["chance"] == pytest.approx(EXACT_AT_36["any"], abs=5e-7)
    assert document["asked"] == {"steps": 36, "ropes": 2, "cutters": None, "left": None, "within": 6}
    for row in document["rows"]:
        assert row["steps"] == [30, 42] and 30 <= row["distance"] <= 42 and row["moments"] <= min(row["met"], 40)
        assert row["difference"]["estimate"] == pytest.approx(row["stake"]["estimate"] - row["wait"]["estimate"])
        assert set(row["outcomes"]) == {"win", "any_escape", "own_escapes"}
        assert row["verdict"] in ("stake", "wait", "cannot tell")
    assert odds(*args, "--jobs", 2) == document
    told = bartizan("odds", *args)
    assert told.code == 0 and "30 to 42 steps, 2 Rope cards" in told.out.split("\n")[0]
    assert "continues the same positions" in told.out and "62.5\u00a0% (exact)" in told.out


REFUSED = [
    (["do-or-die", "--from", "9999"], "no such circle; write a number from 1 to 1156"),
    (["do-or-die", "--from", "kichen"], 'did you mean "kitchen"'),
    (["do-or-die", "--from", "883", "--ropes", "12"], "lies in the cells"),
    (["do-or-die", "--from", "69"], "starts in the grey zone"),
    (
        ["do-or-die", "--from", "837"],
        "no target beyond the moat can be reached with 0 Rope cards and 0 Wire Cutters; give more of them",
    ),
    (["do-or-die", "--from", "295", "--distance", "36"], "not both"),
    (["do-or-die", "--ropes", "2"], "require --from"),
    (
        ["do-or-die", "--distance", "40", "--ropes", "2"],
        "--distance already includes ropes and cutters; use: odds do-or-die --distance 40",
    ),
    (["stake-or-wait", "--distance", "40", "--from", "canteen"], "not both"),
    (["stake-or-wait", "--within", "2"], "requires --distance or --from"),
    (
        ["stake-or-wait", "--distance", "20", "--ropes", "7", "--games", "4"],
        "at 17 to 23 steps, 7 Rope cards in any of 4 games; remove a condition",
    ),
    (["do-or-die", "--card", "8"], "choose from: 3, 4, 5, 6, 7"),
    (["do-or-die", "--distance", "-1"], "--distance"),
    (["do-or-die", "--cap", "0"], "--cap"),
    (["appel"], "--distance"),
    (["staff-car", "--talisman"], "--talisman"),
]


@pytest.mark.parametrize(("args", "says"), REFUSED, ids=[" ".join(args) for args, _ in REFUSED])
def test_refused_with_one_line(args, says):
    result = bartizan("odds", *args)
    assert result.code == 2
    assert says in error_line(result)
    assert result.out == ""
