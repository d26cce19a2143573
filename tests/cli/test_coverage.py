"""`bartizan coverage`, and what `compare`, `sensitivity` and a page say of a change that changed no game."""

import json
from functools import partial

import bartizan as bz
from bartizan.analyses.statistics.intervals import proportion
from bartizan.analyses.statistics.testing import jointly
from bartizan.reports.blocks import Lines, Table
from bartizan.reports.text import words
from bartizan.reports.views import coverage
from bartizan.reports.views.coverage import CoverageDocument
from tests.cli.run_cli import PIG, RUIN, answer_of, answered, bartizan, error_line

KEYS = {
    "schema", "game", "games", "seed", "policies", "players", "sentence", "actions", "rulings", "numbers", "never",
    "below", "met", "changed", "refused", "unvaried", "method",
}  # fmt: skip
UNREACHED = ("--set", "bets.start=2", "--set", "bets.goal=900", "--set", "bets.win_per_mille=100")
QUICK = (PIG, "--games", 120, "--policy", "hold")


def test_the_document(tmp_path):
    document = answer_of("coverage", *QUICK, "-o", tmp_path / "out.json")
    assert set(document) >= KEYS and document["schema"] == "bartizan.coverage/1"
    assert document["actions"] == {"roll": 120, "hold": 120} and document["rulings"] == {}
    assert set(document["numbers"]) == {"dice.sides", "dice.loses_on", "goal.points"}
    assert document["numbers"]["dice.sides"] == 100
    assert [(row["sort"], row["name"]) for row in document["never"]] == [("winners", "nobody: a draw")]
    rolls = document["met"][0]["found"][0]
    assert rolls["times_a_game"] > 10 and rolls["share"]["low"] > 0.9
    assert json.loads((tmp_path / "out.json").read_text(encoding="utf-8")) == document


def test_intervals_of_the_rarest_rows_allow_for_the_choice():
    """A table lists the rarest rows first, so its intervals hold together for all that could come up."""
    answer = bz.game(PIG).coverage(games=120, policy="hold")
    document, view = answer.to_dict(), coverage.view(CoverageDocument.read(answer.to_dict()))
    of = len(document["changed"]) + sum(len(group["found"]) for group in document["met"])
    group = next(group for group in document["met"] if group["title"] == "winners")
    row = min((row for row in group["found"] if row["games"]), key=lambda row: row["share"]["estimate"])
    shown = next(block for block in view.blocks if isinstance(block, Table) and block.title == "winners").rows[0]
    interval = jointly(partial(proportion, row["games"], 120), of)
    assert shown[0].text == row["name"] and interval.low < row["share"]["low"]
    assert words.share_with_limits(interval) == shown[1].text
    assert coverage.JOINT in " ".join(" ".join(block.lines) for block in view.blocks if isinstance(block, Lines))


def test_a_row_that_was_looked_for_in_fewer_games_says_in_how_many():
    document = bz.game(PIG).coverage(games=120, policy="hold").to_dict()
    (row,) = document["never"]
    for games, shown in ((None, "120"), (60, "60")):
        changed = CoverageDocument.read({**document, "never": [{**row, "games": games}]})
        (table,) = (block for block in coverage.view(changed).blocks if getattr(block, "title", "").startswith("Items"))
        assert table.rows[0][table.headers.index("Games")].text == shown


def test_threads_change_nothing():
    one, two = (bartizan("coverage", *QUICK, "--jobs", jobs, "--json").out for jobs in (1, 2))
    assert one == two != bartizan("coverage", *QUICK, "--seed", 2, "--json").out


def test_a_value_that_is_refused_says_why():
    document = answer_of("coverage", RUIN, "--set", "bets.start=19", "--games", 20, "--path", "bets.start")
    (refused,) = document["refused"]
    assert (refused["path"], refused["to"]) == ("bets.start", 24)
    assert refused["reason"].startswith("bets.start: 24 is not below")
    assert document["changed"][0]["to"] == [14]


def test_for_a_reader():
    result = answered("coverage", RUIN, *UNREACHED, "--games", 150)
    first, *rest = result.out.splitlines()
    assert result.code == 0 and first == answer_of("coverage", RUIN, *UNREACHED, "--games", 150)["sentence"]
    for part in (
        "0 of 1 kinds of action",
        "1 of 3 numbers",
        "never came up in 150 games",
        "in fewer than 2.0",
        "seed 1",
    ):
        assert part in first, part
    for part in (
        "kinds of action: 1 of 1 came up",
        "never came up: goal reached",
        "never came up in 150 games with random: Bets, Goal",
        "Method: ",
    ):
        assert part in "\n".join(rest), part


def test_only_what_is_met_and_only_some_values():
    assert answer_of("coverage", *QUICK, "--no-changes")["changed"] == []
    assert [row["path"] for row in answer_of("coverage", *QUICK, "--path", "goal")["changed"]] == ["goal.points"]
    assert "pig has no such value" in error_line(bartizan("coverage", *QUICK, "--path", "gaol"))
    assert "use a .json file" in error_line(bartizan("coverage", *QUICK, "-o", "out.html"))


# ---------------------------------------------------------------- what never came up, elsewhere


def test_compare_says_that_a_change_never_came_up():
    document = answer_of("compare", RUIN, *UNREACHED, "--change", "bets.goal=901", "--games", 500)
    assert document["changed_games"] == {"games": 0, "of": 500}
    for part in (
        "every game is identical: the change never came up in 500 games with random",
        "in fewer than 0.60",
        "500 games per side",
        "paired game by game",
    ):
        assert part in document["sentence"].replace("\u00a0", " "), document["sentence"]
    assert "significant" not in document["sentence"]


def test_compare_counts_the_games_that_differ():
    document = answer_of("compare", RUIN, "--change", "bets.win_per_mille=500", "--games", 500)
    assert 200 < document["changed_games"]["games"] < 500 and "never came up" not in document["sentence"]
    same = answer_of("compare", PIG, "--policy", "hold:at=20", "--change", "policy=hold:at=20.5", "--games", 100)
    assert same["changed_games"]["games"] == 0 or "never came up" not in same["sentence"], "of players nobody says so"


def test_sensitivity_says_which_values_never_came_up(tmp_path):
    asked = (RUIN, *UNREACHED, "--games", 200, "--decks", 2)
    document = answer_of("sensitivity", *asked)
    assert document["never"] == ["bets.goal"] and document["never_said"] == "never came up in 200 games with random"
    rows = {(row["path"], row["to"]): row["changed_games"] for row in document["influences"]}
    assert rows["bets.goal", 675] == {"games": 0, "of": 200} and rows["bets.start", 1]["games"] == 200
    out = answered("sensitivity", *asked).out
    assert "Never came up in 200 games with random: bets.goal" in out
    lines = [line for line in out.splitlines() if "Bets, Goal (bets.goal)" in line]
    assert len(lines) == 2 and all("  changed no game  " in line for line in lines)
