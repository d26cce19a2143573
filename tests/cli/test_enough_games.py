"""How many games are enough? `--precision` of run and sweep, and `compare --test`: what they say, when they stop, and with which exit code."""

import re

import pytest

import bartizan as bz
from bartizan.analyses.statistics.intervals import confidence_sequence
from bartizan.reports.render import progress
from bartizan.simcore.play.batch import Progress
from tests.cli.run_cli import PIG, RUIN, answered, bartizan, error_line
from tests.oracles import pig, ruin

START = ("--change", "bets.start=11")
TRUTH = ruin(0.49, 11, 20) - ruin(0.49, 10, 20)  # 4.97 points
KEYS = {
    "schema", "sentence", "game", "change", "test", "answer", "pairs", "games", "stopping", "llr", "headline",
    "adjusted", "raw", "pairing_factor", "seed", "method", "a", "b",
}  # fmt: skip


def ask(statement, *args):
    result = bartizan("compare", RUIN, *START, "--test", statement, *args, "--json")
    return result.code, result.json


# ---------------------------------------------------------------- compare --test


@pytest.mark.parametrize(
    ("statement", "answer", "code"),
    [("B - A > 2pp", "yes", 0), ("A - B > 2pp", "no", 1), ("B-A > 0.09", "no", 1), ("A - B < -2%", "yes", 0)],
)
def test_an_answer_and_its_exit_code(statement, answer, code):
    assert 0.049 < TRUTH < 0.05
    left, document = ask(statement)
    assert (left, document["answer"]) == (code, answer)
    assert set(document) >= KEYS and document["schema"] == "bartizan.compare-test/1"
    assert document["test"]["statement"] == statement
    assert document["pairs"] < 20_000 == document["stopping"]["limit"] and document["games"] == 2 * document["pairs"]
    assert (
        document["llr"]["value"] >= document["llr"]["yes"]
        if answer == "yes"
        else document["llr"]["value"] <= document["llr"]["no"]
    )
    for numbers in ("raw", "adjusted"):
        assert document[numbers]["low"] - 0.02 < TRUTH < document[numbers]["high"] + 0.02


def test_both_estimates_hold_the_truth_when_it_took_several_looks():
    _, document = ask("B - A > 5pp", "--margin", "0.5pp")
    assert document["stopping"]["looks"] > 2
    assert document["test"]["either_way"] == [pytest.approx(0.045), pytest.approx(0.055)]
    assert document["adjusted"]["low"] < TRUTH < document["adjusted"]["high"]
    assert "median-unbiased" in document["adjusted"]["method"]
    assert document["raw"]["estimate"] != document["adjusted"]["estimate"] and "too narrow" in document["raw"]["note"]


def test_not_told_within_the_maximum():
    result = bartizan("compare", RUIN, *START, "--test", "B - A > 5pp", "--margin", "0.1pp", "--games", 1000)
    assert result.code == 3 and result.out.startswith("Inconclusive: B - A > 5pp. Gambler's ruin")


def test_what_the_answer_says():
    result = bartizan("compare", RUIN, *START, "--test", "B - A > 2pp", "--seed", 3)
    sentence, *lines = result.out.splitlines()
    for part in (
        "Yes: B - A > 2pp.",
        "Bets, Start 11 instead of 10",
        "the win rate rises by",
        "median-unbiased",
        "pairs of games, GSPRT",
        "GSPRT",
        "error rates 5\u00a0% and 5\u00a0%",
        "seed 3",
        "no value is assumed",
    ):
        assert part in sentence, part
    text = "\n".join(lines)
    for part in (
        "no at -2.94, yes at 2.94",
        "at most 20,000 pairs",
        "between 1 and 3 percentage points, either answer is accepted",
        "adjusted  ",
        "raw  ",
        "shares  ",
        "pairing factor",
    ):
        assert part in text, part
    _, document = ask("B - A > 2pp", "--seed", 3)
    assert document["sentence"] == sentence


def test_threads_change_nothing():
    one, two = (ask("B - A > 5pp", "--margin", "0.5pp", "--jobs", jobs)[1] for jobs in (1, 2))
    assert one == two


def test_other_errors_ask_for_more_pairs():
    usual, strict = (
        ask("B - A > 4pp", "--margin", "0.4pp", *errors)[1] for errors in ((), ("--alpha", 0.001, "--beta", 0.001))
    )
    assert strict["pairs"] > usual["pairs"] and strict["llr"]["yes"] == pytest.approx(6.907, abs=0.001)


def test_another_player_is_asked_about_over_all_seats():
    result = bartizan(
        "compare",
        PIG,
        "--policy hold:at=20 --change policy=first=hold:at=25 --test",
        "B - A > 5pp",
        "--margin 2pp --json",
    )
    document, truth = result.json, (pig(25, 20) + 1 - pig(20, 25)) / 2 - 0.5
    assert result.code == 1 and document["b"]["seatings"] == 2 and document["games"] == 3 * document["pairs"]
    assert document["adjusted"]["low"] < truth < document["adjusted"]["high"]
    assert document["headline"]["a"]["estimate"] == 0.5


@pytest.mark.parametrize(
    ("args", "words"),
    [
        ((*START, "--test", "B > A"), "B is the change, A the baseline"),
        ((*START, "--test", "B - A > 2"), "write 2pp or 0.02"),
        ((*START, "--test", "B - A > 2pp", "--margin", "wide"), "--margin wide"),
        ((*START, "--margin", "1pp"), "requires --test"),
        ((*START, "--beta", "0.1"), 'compare: --beta requires --test "B - A > 2pp"; add it, or remove --beta'),
        ((*START, "--test", "B - A > 2pp", "--margin", "0"), "--margin 0"),
        ((*START, "--test", "B - A > 2pp", "-o", "kept"), "remove -o"),
        (("--test", "B - A > 2pp"), "no change given"),
        (("--steps", "--test", "B - A > 2pp"), "remove --change, --test and --luck-adjusted"),
    ],
)
def test_refusals(args, words):
    result = bartizan("compare", RUIN, *args)
    assert result.code == 2 and words in error_line(result) and not result.out


def test_zero_is_no_default():
    ruin = bz.game(RUIN)
    with pytest.raises(bz.UsageError, match="--margin 0"):
        ruin.compare(change={"bets.start": 9}, test="B - A > 2pp", margin=0)
    with pytest.raises(bz.UsageError, match="--range 0"):
        ruin.tune(target="win_rate=0.3", range=0)


# ---------------------------------------------------------------- run and sweep --precision


def test_a_run_that_stopped_says_how_and_both_estimates():
    document = answered("run", RUIN, "--games", 400_000, "--precision", "1pp").json
    rule, rate, adjusted, raw = (document[key] for key in ("stopping", "win_rate", "adjusted", "raw"))
    assert rule == {
        "rule": "confidence sequence",
        "half_width": 0.01,
        "looks": rule["looks"],
        "every": 2048,
        "limit": 400_000,
        "reached": True,
    }
    assert rule["looks"] == document["games"] / 2048 > 1
    assert (adjusted["low"], adjusted["high"]) == (rate["low"], rate["high"])
    assert "median-unbiased" in adjusted["method"]
    assert raw["method"] == "Wilson" and raw["high"] - raw["low"] < rate["high"] - rate["low"]
    assert "fixed in advance" in raw["note"]
    assert adjusted["estimate"] == pytest.approx(raw["estimate"], abs=1e-3)


def test_both_are_printed():
    text = bartizan("run", RUIN, "--games", 100_000, "--precision", "2pp").out.replace("\u00a0", " ")
    for part in (
        "the win rate is accurate to ±2 percentage points",
        "adjusted ",
        "raw ",
        "95 % confidence sequence",
        "too narrow after several looks",
    ):
        assert part in text, part
    short = bartizan("run", RUIN, "--games", 4000, "--precision", "1pp").out
    assert "the limit was reached before the win rate was accurate to ±1 percentage point" in short


def test_what_to_ask_next_names_the_games_that_were_played():
    result = answered("run", RUIN, "--games", 400_000, "--precision", "1pp")
    played = re.search(r": ([\d,]+) games, seed 1", result.out)[1].replace(",", "")
    assert int(played) < 400_000 and f" --games {played} -o results" in result.out


def test_a_fixed_number_of_games_is_a_stopping_rule_too(tmp_path):
    result = bartizan("run", RUIN, "--games", 500)
    document = result.json
    assert document["stopping"]["rule"] == "fixed number of games" and not {"adjusted", "raw"} & set(document)
    assert "adjusted" not in result.out
    swept = bartizan("sweep", RUIN, "--set", "bets.start=9,10", "--precision", "3pp", "-o", tmp_path, "--json").json
    assert [cell["stopping"]["half_width"] for cell in swept["cells"]] == [0.03, 0.03]
    assert all("adjusted" in cell for cell in swept["cells"])


def test_what_is_watched_may_be_watched():
    """The progress line shows the confidence sequence, with games cut off as bounds."""
    assert progress.so_far(Progress()) == ""
    least, most = (confidence_sequence(wins, 1000) for wins in (500, 600))
    assert (
        progress.so_far(Progress(wins=500, games_of_cell=1000))
        == f"win rate {least.low:.1%} to {least.high:.1%} so far (95% at every look)"
    )
    assert (
        progress.so_far(Progress(wins=500, truncated=100, games_of_cell=1000))
        == f"win rate {least.low:.1%} to {most.high:.1%} so far (95% at every look)"
    )
    # of a policy in training, each look has other games: intervals that do not overlap are no contradiction
    latest = progress.so_far(Progress(wins=100, games_of_cell=200, is_latest=True))
    assert latest == "win rate 43.1% to 56.9% in the latest 200 games (95%)"
