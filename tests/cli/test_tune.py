"""`bartizan tune`: known answers, both numbers, what is refused with one line."""

import json
from pathlib import Path

import pytest

from tests.cli.run_cli import PIG, RUIN, answer_of, answered, bartizan, error_line
from tests.oracles import ruin

TWO_LEVELS = str(Path(__file__).parents[1] / "games/two_levels.py")

KEYS = {
    "schema", "game", "scenario", "scenario_hash", "difficulty", "policies", "target", "seed", "fresh_seed",
    "chosen_seed",
    "knob", "verdict", "reached", "winner", "neighbour", "present", "points", "bends",
    "refused", "method", "sentence", "assumed",
}  # fmt: skip
QUICK = ("--games", 10_000, "--fresh", 20_000)
PER_MILLE = ("--knob", "bets.win_per_mille=400:600")


def answer(*args, code=0):
    return answer_of("tune", *args, codes=(code,))


def test_gamblers_ruin_is_won_in_two_of_five_games_with_a_coin_of_490(tmp_path):
    asked = (*PER_MILLE, "--target", "win_rate=0.4013", "--games", 10_000, "--fresh", 40_000)
    document = answer(RUIN, *asked, "-o", tmp_path / "tuned.json")
    assert set(document) >= KEYS and document["schema"] == "bartizan.tune/1"
    assert document["reached"] and document["verdict"] == "hit" and abs(document["winner"]["value"] - 490) <= 2
    fresh = document["winner"]["fresh"]
    assert fresh["estimate"]["low"] <= 0.4013 <= fresh["estimate"]["high"]
    assert fresh["games"] == 40_000 and document["fresh_seed"] == 1_000_004
    for row in document["points"]:
        exact = ruin(row["value"] / 1000, 10, 20)
        assert abs(row["estimate"]["estimate"] - exact) < 4 * (exact * (1 - exact) / row["games"]) ** 0.5
    assert json.loads((tmp_path / "tuned.json").read_text(encoding="utf-8")) == document


def test_threads_change_nothing():
    one, two = (
        answer(RUIN, "--knob", "bets.start=1:19", "--target", "win_rate=0.4013", *QUICK, "--jobs", jobs)
        for jobs in (1, 2)
    )
    assert one == two and one["winner"]["value"] == 10
    other = answer(RUIN, "--knob", "bets.start=1:19", "--target", "win_rate=0.4013", *QUICK, "--seed", 2)
    assert other["points"] != one["points"] and other["fresh_seed"] == 1_000_005


def test_no_value_reaches_it():
    between = answered("tune", RUIN, "--knob", "bets.start=1:19", "--target", "win_rate=0.43", *QUICK)
    first, *rest = between.out.splitlines()
    assert between.code == 0
    assert "no value of Bets, Start from 1 to 19 brings the win rate to 43" in first
    assert "10 gives" in first and "11 gives" in first
    assert "in the search" in first and "on held-out seeds" in first and "20,000 held-out games" in first
    assert any("current" in line for line in rest)
    beyond = answer(RUIN, "--knob", "bets.start=1:5", "--target", "win_rate=0.9", *QUICK)
    assert (beyond["reached"], beyond["verdict"], beyond["winner"]["value"], beyond["neighbour"]) == (
        False,
        "beyond",
        5,
        None,
    )
    assert beyond["present"]["value"] == 10 and beyond["present"]["present"]


def test_too_few_games_to_tell():
    document = answer(RUIN, *PER_MILLE, "--target", "win_rate=0.40..0.41", "--games", 500, "--fresh", 500, code=3)
    assert document["verdict"] == "open" and not document["reached"] and "it is inconclusive" in document["sentence"]
    assert document["games_needed"] is None or document["games_needed"] > 500


def test_one_knob_says_what_the_change_costs():
    document = answer(RUIN, "--knob", "bets.start=5:15", "--target", "win_rate=0.48..0.53", *QUICK)
    assert document["winner"]["value"] == 12 and document["cost"] == 1 and "a cost of 1 is" in document["cost_unit"]
    assert "brings the win rate between 48 and 53\u00a0%, at a cost of 1" in document["sentence"]
    assert document["knob"]["cost"]["cost"] == 1
    text = answered("tune", RUIN, "--knob", "bets.start=5:15", "--target", "win_rate=0.48..0.53", *QUICK).out
    assert (
        "Cost of change: Bets, Start 1 (no cost is given); a cost of 1 is one sentence or number changed in "
        "the rulebook." in text
    )


def test_several_knobs_do_not_say_none_while_more_games_would_tell():
    args = (
        RUIN,
        "--knob bets.start=5:15 --knob bets.win_per_mille=480:520:10 --target win_rate=0.48..0.52 --games 500",
    )
    document = answer(*args, "--fresh", 2000, code=3)
    best = document["best"]
    assert (
        document["verdict"] == "open" and best["changes"] == {"bets.start": 12} and best["open"] and not best["hits"]
    )  # exactly 0.5003
    assert 2000 < document["games_needed"] < 40_000 and "it is inconclusive" in document["sentence"]
    assert "none" not in document["sentence"]
    text = answered("tune", *args, "--fresh", 2000)
    assert text.code == 3 and "held-out games would give a verdict (--fresh)" in text.out
    assert answer(*args, "--fresh", 20_000)["verdict"] == "hit"
    far = answer(
        RUIN,
        "--knob bets.start=5:6 --knob bets.win_per_mille=480:490:10 --target win_rate=0.8..0.9 --games 500",
        "--fresh 2000",
    )
    assert far["verdict"] == "none of them" and far["games_needed"] is None


# ---------------------------------------------------------------- every value once


def test_without_a_knob_every_value_is_varied_once(tmp_path):
    args = (RUIN, "--target", "win_rate=0.47..0.53", "--fresh", 8000)
    document = answer(*args, "-o", tmp_path / "screen.json")
    assert document["schema"] == "bartizan.tune/1" and document["verdict"] == "hit" and document["values"] == 6
    assert document["best"]["changes"] == {"bets.start": 12} and document["best"]["cost"] == 1
    assert json.loads((tmp_path / "screen.json").read_text(encoding="utf-8")) == document
    for row in [*document["ranked"], *document["others"]]:
        bets = {"start": 10, "goal": 20, "win_per_mille": 490} | {
            path.split(".")[1]: value for path, value in row["changes"].items()
        }
        exact, found = ruin(bets["win_per_mille"] / 1000, bets["start"], bets["goal"]), row.get("fresh", row)
        assert abs(found["estimate"]["estimate"] - exact) < 4 * (exact * (1 - exact) / found["games"]) ** 0.5
    text = answered("tune", *args).out
    assert "of 6 changes of one value each" in text and " hits " in text and " current " in text
    assert "a cost of 1 is" in text
    wider = answer(*args, "--range", "50%", "--path", "bets.goal", code=0)
    assert wider["range"] == 0.5 and {path for row in wider["ranked"] for path in row["changes"]} == {"bets.goal"}
    assert wider["verdict"] == "none of them"


def test_a_value_of_a_level_that_is_not_simulated_is_no_change():
    """The nearest change at Easy was a value of Hard, which affects no game at Easy."""
    few = ("--games", 100, "--fresh", 100)
    document = answer_of("tune", TWO_LEVELS, "--target", "win_rate=0.74..0.95", *few, codes=(0, 3))
    varied = {path for row in [*document["ranked"], *document["others"]] for path in row["changes"]}
    assert varied == {"numbers.rounds", "level.easy.goal"}
    changed = answer_of("coverage", TWO_LEVELS, "--games", 100, "--difficulty", "hard")["numbers"]
    assert set(changed) == {"numbers.rounds", "level.hard.goal"}
    for options in ("--knob level.hard.goal=3:6", "--path level.easy --difficulty hard"):
        line = error_line(bartizan("tune", TWO_LEVELS, options, "--target", "win_rate=0.5", *few))
        assert "is simulated; add --difficulty" in line


def test_a_screen_is_the_same_on_any_number_of_threads():
    one, two = (
        answer(PIG, "--target", "turns=14..15", "--games", 500, "--fresh", 4000, "--cost", "goal=4", "--jobs", jobs)
        for jobs in (1, 2)
    )
    assert one == two and one["best"]["changes"] == {"goal.points": 75} and one["best"]["cost"] == 4
    assert one["verdict"] == "hit" and ", at a cost of 4: " in one["sentence"]


def test_only_numbers_have_values_between_them():
    of_number = answered("tune", PIG, "--target", "turns=14..15", "--games", 200, "--fresh", 200)
    assert (
        "\nFor values in between, use --knob goal.points=LO:HI. To search several values, repeat --knob."
        in of_number.out
    )
    of_ruling = answered(
        "tune", "itter", "--policy random --path rulings.tank_empty_when --target win_rate=0.5 --games 100 --fresh 100"
    )
    assert "values in between" not in of_ruling.out and "\nTo search several values, repeat --knob." in of_ruling.out


def test_pig_other_measures():
    length = answer(PIG, "--knob", "goal.points=20:150", "--target", "turns=16", *QUICK)
    assert length["reached"] and abs(length["winner"]["value"] - 82) <= 3
    assert length["winner"]["fresh"]["estimate"]["method"] == "Student t"
    seats = answer(
        PIG,
        "--knob goal.points=50,100 --policy hold:at=25 --policy hold --target win_rate=0.5 --games 1000 --fresh 1000",
        code=3,
    )
    assert seats["seatings"] == 2 and "averaged over all seats" in seats["subject"]
    other = answered("tune", PIG, "--knob", "dice.loses_on", "--target", "win_rate=0.9", "--games", 500, "--fresh", 500)
    assert other.code == 0 and "Rejected: 7: dice.loses_on: no face 7" in other.out


@pytest.mark.slow
def test_itter_elite():
    """With a sixth action, six points bring 36 wins in a hundred. Without it, no value of the Assault counter's
    defence brings 30.
    """
    elite = ("itter", "--difficulty", "elite", "--policy", "garrison")
    six = ("--set", "turn.defender_actions=6", "--knob", "victory.min_score=1:6")
    hit = answer(*elite, *six, "--target", "win_rate=0.36")
    fresh = hit["winner"]["fresh"]["estimate"]
    assert hit["reached"] and hit["winner"]["value"] == 6 and fresh["low"] <= 0.36 <= fresh["high"]
    missed = answer(*elite, "--knob", "ss_counter.sturm.defence", "--target", "win_rate=0.30")
    assert (missed["verdict"], missed["winner"]["value"], missed["neighbour"]["value"]) == ("between", 4, 5)


def test_a_reconstruction_says_so():
    result = bartizan(
        "tune", "rampage", "--policy random --knob turn.draw=1:3 --target turns=30 --games 100 --fresh 100 --jobs 1"
    )
    assert result.code in (0, 3) and "RECONSTRUCTION" in result.out.splitlines()[1] and "assumed" in result.out


def test_several_knobs():
    args = (
        RUIN,
        "--knob bets.start=9:14 --knob bets.win_per_mille=470:510:20 --cost bets.win_per_mille=3",
        "--target win_rate=0.5 --games 1000 --trials 60",
    )
    document = answer(*args)
    assert document["schema"] == "bartizan.tune/1" and document["reached"]
    assert len(document["tried"]) == 18 == document["combinations"]
    assert [knob["cost"]["cost"] for knob in document["knobs"]] == [1, 3]
    assert document["knobs"][1]["cost"]["why"] == "--cost"
    assert document["best"]["changes"] == {"bets.start": 12} and document["best"]["cost"] == 1  # exactly 0.5003
    assert document["present"]["changes"] == {} and document["present"]["cost"] == 0
    assert ", at a cost of 1: " in document["sentence"]
    for row in document["front"]:
        bets = {"start": 10, "win_per_mille": 490} | {
            path.split(".")[1]: value for path, value in row["changes"].items()
        }
        exact = ruin(bets["win_per_mille"] / 1000, bets["start"], 20)
        assert abs(row["fresh"]["estimate"]["estimate"] - exact) < 4 * (exact * (1 - exact) / 20_000) ** 0.5
    text = answered("tune", *args, "--length", 80).out
    assert text.splitlines()[0].endswith(".") and "target length 80.0 turns" in text
    assert " current " in text and "Cost of change" in text


def test_the_sampler_gives_the_same_answer_on_any_number_of_threads():
    args = (
        RUIN,
        "--knob bets.start=5:15 --knob bets.win_per_mille=450:550 --target win_rate=0.5 --games 300",
        "--fresh 500 --trials 14",
    )
    one, two = (answer(*args, "--jobs", jobs, code=3) for jobs in (1, 2))
    assert one == two and len(one["tried"]) == 15 and "Optuna" in one["method"]


@pytest.mark.parametrize(
    ("args", "words"),
    [
        ((RUIN,), "--knob PATH=LO:HI --target"),
        ((RUIN, *PER_MILLE), "no target given"),
        ((RUIN, *PER_MILLE, "--target", "win_rat=0.3"), "WHAT is one of win_rate, turns, score, draws"),
        ((RUIN, "--knob", "bets.win_per_mile=1:2", "--target", "win_rate=0.3"), 'did you mean "bets.win_per_mille"?'),
        ((RUIN, "--knob", "bets.start=30:40", "--target", "win_rate=0.3"), "only 0 of its 11 values can be simulated"),
        ((RUIN, "--knob", "bets.start=2:4", "--set", "bets.start=3", "--target", "win_rate=0.3"), "set it only once"),
        ((RUIN, "--knob", "bets.start=2:4", "--knob", "bets.start=2:5", "--target", "win_rate=0.3"), "given twice"),
        ((RUIN, *PER_MILLE, "--cost", "bets=2", "--target", "win_rate=0.3"), "need at least two --knob options"),
        ((RUIN, *PER_MILLE, "--knob", "bets.start=2:4", "--cost", "bet=2", "--target", "win_rate=0.3"), "--cost bet"),
        ((RUIN, *PER_MILLE, "--knob", "bets.start=2:4", "--cost", "bets=-2", "--target", "win_rate=0.3"), "0 or more"),
        ((RUIN, *PER_MILLE, "--knob", "bets.start=2:4", "--cost", "bets=nan", "--target", "win_rate=0.3"), "0 or more"),
        ((RUIN, *PER_MILLE, "--target", "turns=nan"), '"nan" is not a number'),
        ((RUIN, *PER_MILLE, "--target", "turns=5..inf"), '"inf" is not a number'),
        ((RUIN, *PER_MILLE, "--target", "win_rate=0.3", "-o", "tuned.txt"), ".json"),
        ((RUIN, "--target", "win_rate=0.3", "--length", 20), "--length requires several --knob"),
        ((RUIN, "--target", "win_rate=0.3", "--path", "bet"), 'did you mean "bets"?'),
        ((RUIN, *PER_MILLE, "--target", "win_rate=0.3", "--path", "bets"), "tune without --knob"),
    ],
)
def test_what_is_refused(args, words):
    result = answered("tune", *args)
    assert result.code == 2 and words in error_line(result)
