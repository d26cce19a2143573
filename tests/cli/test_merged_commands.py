"""Commands that answer what several commands answered before: each is one question with one answer."""

import json

import pytest

import bartizan as bz
from bartizan.api.answers.ladder import everybody
from bartizan.simcore.game import load_game
from tests.cli.run_cli import PIG, ROOT, bartizan, error_line, few_pilot_games

pig = bz.game(PIG)
PLAN = str(ROOT / "examples/itter-levels.toml")
DO_OR_DIE = ["chance", "colditz", "--event", "do-or-die"]


def test_run_plays_one_cell_or_several():
    several = bartizan("run", PIG, "--set", "goal.points=30,50", "--games", 60)
    assert several.code == 0 and len(several.json["cells"]) == 2 and several.json["folder"] is None
    for cell, points in zip(several.json["cells"], (30, 50), strict=True):
        alone = bartizan("run", PIG, "--set", f"goal.points={points}", "--games", 60).json
        assert alone["schema"] == cell["schema"] == "bartizan.run/1" and alone["digest"] == cell["digest"]


def test_policies_sit_at_one_table_and_tables_are_cells():
    """Where all seats are alike."""
    assert pig.run(policy=["hold", "random"], games=20).policies == ("hold", "random")
    tables = pig.run(policy=["hold+random", "random+hold"], games=20).cells
    assert [table.policies for table in tables] == [("hold", "random"), ("random", "hold")]
    with pytest.raises(bz.UsageError, match="for 2 seats"):
        pig.run(policy=["hold", "random", "hold"], games=20)


def test_run_takes_the_luck_off_every_cell(tmp_path):
    with few_pilot_games():
        found = pig.run(set={"goal.points": [30, 50]}, games=60, luck_adjusted=True, samples=2, out=tmp_path / "out")
    assert [cell.luck_adjusted.samples for cell in found.cells] == [2, 2]
    assert len(list((tmp_path / "out" / "answers").glob("luck*.json"))) == 2
    assert str(found).count("adjusted first") == 2


def test_describe_adds_the_lists_that_are_asked_for():
    plain = bartizan("describe", PIG).json
    document = bartizan("describe", PIG, "--policies", "--bands").json
    assert {**document, **plain} == document and document["schema"] == "bartizan.describe/1"
    assert {"policies", "modifiers", "best", "bands"} <= set(document) - set(plain)
    assert "no game given; write bartizan describe GAME --knobs" in error_line(bartizan("describe", "--knobs"))


@pytest.mark.parametrize(
    ("words", "refusal"),
    [
        (["doctor", PIG], "add --warm"),
        (["doctor", "--quick"], "requires --bench"),
        (["check", ".", "--ends"], "is a folder of results"),
        (["check", "itter", "--refresh"], "has no links to sheets"),
        (["check", PIG, "--trust", PIG], "requires a folder of results"),
        (["report", ".", "-o", "games.csv", "--since", "."], "is a table of games"),
        (["import", ".", "--by", "size", "-o", "out"], "does not support options about columns"),
        (["import", "a.csv", "b.csv", "-o", "out"], "give one file of records"),
        (["new", "skill", "x", "--game", "itter"], "--game is only for: bartizan new policy"),
        (["new", "game", "x", "--game", "itter"], "--game is only for: bartizan new policy"),
        (["new", "policy", "x", "--game", "itter", "--from", "x.csv"], "--from is only for: bartizan new game"),
        (["new", "policy", "x", "--game", "itter", "--long"], "--long is only for: bartizan new game"),
        (["new", "game", "x", "--from", "x.csv", "--long"], "bartizan new game x_long --from x.py"),
        (["check", PLAN, "--policy", "hold"], "is a scenario file; remove --policy"),
        (["describe", "colditz", "--board", "board.svg", "--knobs"], "remove one of them"),
        (["chance", "colditz", "--with", "distance=3"], "--with requires --event NAME"),
        (["chance", "colditz", "--games", 3], "--games requires --event NAME"),
        (["coverage", PIG, "--no-changes", "--path", "goal"], "--path has no effect with --no-changes"),
        (["trace", PIG, "--position", 3, "--html", "game.html"], "--position and --html are mutually exclusive"),
        (["trace", PIG, "--rollouts", 3], "trace: --rollouts requires --html FILE.html; add it, or remove --rollouts"),
        (["trace", PIG, "-o", "place.toml"], "trace: -o requires --position; add it"),
        (["train", PIG, "--mixed", "-o", "mine.toml"], "train: --mixed requires --learn"),
        (["run", PIG, "--samples", 8], "run: --samples requires --luck-adjusted"),
        (["run", PLAN, "--policy", "random"], f"--policy: a plan defines it: write it in {PLAN}"),
        (["run", PLAN, "--set", "numbers.goal=9"], "examples/itter-levels.toml, under [set]"),
        (["sensitivity", PIG, "--settings", 30], "sensitivity: --settings requires --effects K"),
        (["tune", PIG, "--target", "turns=9", "--trials", 30], "--trials needs at least two --knob options"),
        (["cards", "castle", "--turn", 2], "cards: --turn requires --value"),
        (["cards", "castle", "--games", 2], "cards: --games requires --value, --usage, --without or --pairs"),
        (["playtest", "plan", "--games", 2], "--games requires GAME and --plays DIR"),
        (["new", "game"], "no name given"),
        (["ladder", PIG, "--role", "first"], "--role requires --admit"),
        (["chance", "colditz", "--event", "apel"], 'did you mean "appel"?'),
        (["chance", "colditz", "--event", "appel", "--with", "distanse=3"], "not a parameter of appel"),
        (["chance", "colditz", "--event", "appel", "--with", "distance=far"], "write an integer"),
        (
            [*DO_OR_DIE, "--with", "distance=3", "--with", "from=4"],
            "--event do-or-die: give --with distance or --with from, not both",
        ),
        ([*DO_OR_DIE, "--with", "Ropes=1", "--with", "distance=3"], "use: --event do-or-die --with distance=3"),
        (["chance", "colditz", "--event", "appel", "--policy", "random"], "--policy: does not apply to appel"),
        (["chance", "itter", "--event", "no-casualty", "--with", "cap=3"], "not supported for the rare event"),
    ],
)
def test_what_does_not_go_together_is_refused(words, refusal, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = bartizan(*words)
    assert result.code == 2 and refusal in error_line(result)
    assert not any(tmp_path.iterdir())


def test_chance_lists_throws_with_what_they_depend_on():
    listed = bartizan("chance", "castle").json["events"]
    (fight,) = (row for row in listed if row["event"] == "fight")
    assert {"attack", "defend", "queen"} <= set(fight["parameters"])
    assert bz.game("castle").odds.castle.question.event == "fight"


def test_a_throw_of_python_names_the_command_of_today():
    asked = bz.game("colditz").odds.do_or_die.question(distance=40, card=[3, 4], games=500)
    words = "bartizan chance colditz --event do-or-die --with distance=40 --with card=3,4 --games 500 -o DIR"
    assert asked.command_line() == words


def test_ladder_tests_another_policy(tmp_path):
    words = ["ladder", PIG, "--noise", "none", "--games", 60, "--admit", "hold:at=25", "--pairs", 16]
    asked = bartizan(*words, "--archive", tmp_path / "mine.toml", "--json")
    document = json.loads(asked.out)
    assert "hold:at=25" in [player["policy"] for player in document["players"]]
    tested = document["admission"]
    assert tested["schema"] == "bartizan.best-admit/1" and "bartizan ladder" in tested["command"]
    assert asked.code == {"yes": 0, "no": 1}.get(tested["answer"], 3)


def test_ladder_tests_another_policy_beside_those_that_have_a_seat():
    """`ladder itter --admit` ranks all policies of the game; commander plays only the SS."""
    itter = load_game("itter")
    assert "commander" not in everybody(itter, ["defender"]) and "commander" in everybody(itter, ["ss"])


def test_every_question_about_a_game_is_a_method():
    """The typed names in api/methods.py are for editors."""
    assert pig.playtest_form.question.command == "playtest form"
    with pytest.raises(AttributeError, match="no method 'nothing'"):
        _ = pig.nothing


def test_lines_are_a_document_too(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    document = json.loads(bartizan("new", "game", "mine", "--json").out)
    assert document["schema"] == "bartizan.new/1" and document["lines"][0].endswith("mine.py")
