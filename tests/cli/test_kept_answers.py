"""Answers that stay beside the games: `-o DIR` of the commands about a game, and what a report says of them."""

import json
import re
import shutil
from pathlib import Path

import pytest

from bartizan.api.answers.compare import COMPARED
from bartizan.api.questions import all_questions
from bartizan.reports.blocks import View
from bartizan.reports.pages import sweep as of_sweep
from bartizan.reports.pages.parts import frame, measured
from bartizan.reports.render import html as as_html
from bartizan.reports.study import study
from bartizan.simcore.sweep.store import open_sweep
from tests.cli.run_cli import PIG, ROOT, RUIN, bartizan, error_line, few_pilot_games, tree

STEPS = """
[step.goal]
title = "A goal of 24"
set = { "bets.goal" = 24 }

[step.start]
title = "A start of 9"
set = { "bets.start" = 9 }
"""
LOSSES = ("losses", RUIN, "--games", 100, "--pilot", 10, "--rollouts", 200)
ASKED = {
    "losses": LOSSES,
    "luck": ("run", RUIN, "--luck-adjusted", "--games", 60),
    "ladder": ("ladder", RUIN, "--policy", "random", "--policy", "random:noise=0.5", "--games", 60),
    "tune": ("tune", RUIN, "--knob", "bets.goal=18:24", "--target", "win_rate=0.4", "--games", 200, "--fresh", 200),
    "coverage": ("coverage", RUIN, "--games", 60),
    "compare": ("compare", RUIN, "--change", "bets.goal=24", "--games", 200),
    "steps": ("compare", RUIN, "--scenario", "SCENARIO", "--steps", "--games", 200),
}


@pytest.fixture(scope="module", autouse=True)
def quick():
    with few_pilot_games():
        yield


@pytest.fixture(scope="module")
def scenario(tmp_path_factory):
    path = tmp_path_factory.mktemp("scenario") / "old.toml"
    path.write_text(
        (ROOT / "examples/ruin/scenarios/standard.toml").read_text(encoding="utf-8") + STEPS, encoding="utf-8"
    )
    return str(path)


def ask(kind, scenario, folder, *more):
    words = [scenario if word == "SCENARIO" else word for word in ASKED[kind]]
    return bartizan(*words, *more, "-o", folder)


@pytest.fixture(scope="module")
def full(tmp_path_factory, scenario):
    """A sweep of two cells with an answer of every kind."""
    folder = tmp_path_factory.mktemp("full") / "out"
    assert bartizan("sweep", RUIN, "--set", "bets.start=10,12", "--games", 300, "-o", folder).code == 0
    for kind in ASKED:
        result = ask(kind, scenario, folder)
        assert result.code in (0, 3), result.err  # 3: tune has too few games to tell
        assert f"saved; show it with: bartizan report {folder}" in result.err
    return folder


@pytest.fixture
def folder(full, tmp_path):
    """A copy, to be changed."""
    return shutil.copytree(full, tmp_path / "out")


def one(folder: Path, kind: str) -> Path:
    (path,) = (folder / "answers").glob(f"{kind}-*.json")
    return path


def answers(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted((folder / "answers").iterdir())}


def html(folder: Path) -> str:
    return as_html.page(of_sweep.page(study(open_sweep(folder)))).decode()


# ---------------------------------------------------------------- the files


def test_every_kind_has_a_page_part_and_a_question():
    kinds = {question.kept_as for question in all_questions().values()}
    elsewhere = {"playtest-skill", "do-or-die"}  # test_report_plays.py, tests/browser/test_pages.py
    assert set(measured.KINDS) == {*ASKED, *elsewhere} == {*kinds, COMPARED} - {"", "sensitivity"}


@pytest.mark.parametrize("kind", ASKED)
def test_what_is_kept_is_the_answer_with_what_made_it(full, kind):
    document = json.loads(one(full, kind).read_text(encoding="utf-8"))
    assert document["schema"] == "bartizan.kept/1" and document["kind"] == kind and document["game"] == "ruin"
    assert document["command"].startswith(f"bartizan {ASKED[kind][0]} ") and document["command"].endswith("-o DIR")
    assert (document["seed"], document["behaviour"]) == (1, 1) and document["versions"]["bartizan"]
    assert document["answer"]["title"] == "Gambler's ruin" and "seconds" not in json.dumps(document)


def test_the_same_question_again_is_the_same_bytes_and_no_second_file(folder, scenario):
    before = tree(folder)
    for kind in ASKED:
        ask(kind, scenario, folder, "--jobs", 1)
    assert tree(folder) == before


def test_another_question_stands_beside_it_and_more_games_take_its_place(folder):
    def asking(*more):
        bartizan(*LOSSES[:2], "--games", 120, *LOSSES[4:], *more, "-o", folder)
        return [json.loads(path.read_bytes())["answer"] for path in sorted((folder / "answers").glob("losses-*"))]

    (again,) = asking()
    assert again["games"] == 120
    both = asking("--set", "bets.start=12")
    assert sorted(len(it["changes"]) for it in both) == [0, 1]
    assert html(folder).count("<summary>When games are lost: random") == 2


def test_a_sweep_with_answers_is_whole_and_goes_on(folder):
    assert bartizan("verify", folder).code == 0
    before = tree(folder)
    assert bartizan("sweep", RUIN, "--set", "bets.start=10,12", "--games", 300, "-o", folder).code == 0
    assert tree(folder) == before
    assert bartizan("sweep", RUIN, "--set", "bets.start=10,12", "--games", 400, "-o", folder).code == 0
    assert bartizan("verify", folder).code == 0
    assert answers(folder) == {name[8:]: content for name, content in before.items() if name.startswith("answers/")}


@pytest.mark.parametrize(
    ("harm", "says"),
    [
        (
            lambda path: path.write_text("{}"),
            "does not match SHA256SUMS; delete it and run the command that wrote it again",
        ),
        (lambda path: path.unlink(), "missing; run the same sweep again to rewrite SHA256SUMS"),
    ],
)
def test_a_changed_answer_is_told(folder, harm, says):
    harm(one(folder, "losses"))
    for result in (bartizan("verify", folder), bartizan("report", folder, "-o", folder / "report.html")):
        assert result.code and says in error_line(result)


def test_a_comparison_in_the_folder_of_a_sweep_is_a_section_beside_the_others(full):
    names = {path.name for path in full.iterdir()}
    assert "answers" in names and not names & {"compare.json", "a", "b"}
    page = html(full)
    assert page.index("When games are lost") < page.index("with Bets, Goal 24 instead of 20 (200 games per side)")
    assert "Paired differences, Bets, Goal 24 instead of 20" in page


def test_a_folder_whose_comparison_would_hide_other_results_is_refused(folder, tmp_path):
    """Earlier versions saved a comparison into the folder of a sweep, and each reader then saw only that."""
    (folder / "compare.json").write_text("{}")
    says = "contains a comparison and other results (manifest.json, answers)"
    for name in ("r.html", "r.csv"):
        assert says in error_line(bartizan("report", folder, "-o", tmp_path / name))
    assert says in error_line(bartizan(*LOSSES, "-o", folder))
    assert says in error_line(bartizan(*ASKED["compare"], "-o", folder))


def test_answers_may_be_there_before_the_games(tmp_path, wording):
    folder = tmp_path / "new"
    said = bartizan(*LOSSES, "-o", folder).err
    assert f"to show it in a report, add games: bartizan run GAME -o {folder}" in said
    assert error_line(bartizan("report", folder, "-o", tmp_path / "report.html")) == wording
    assert bartizan("sweep", RUIN, "--games", 100, "-o", folder).code == 0
    assert bartizan("verify", folder).code == 0 and "When games are lost" in html(folder)


def test_the_luck_of_one_cell_does_not_touch_the_games_of_several(full):
    assert [cell.id for cell in open_sweep(full).cells] == ["random.start=10", "random.start=12"]


def test_the_luck_of_a_run_stands_beside_its_games(tmp_path):
    assert bartizan("run", RUIN, "--luck-adjusted", "--games", 60, "-o", tmp_path / "run").code == 0
    assert len(open_sweep(tmp_path / "run").cells) == 1 and one(tmp_path / "run", "luck").exists()


def test_another_sensitivity_stands_beside_the_first(tmp_path):
    folder = tmp_path / "out"
    assert bartizan("sweep", RUIN, "--games", 100, "-o", folder).code == 0
    asked = ("sensitivity", RUIN, "--games", 60, "--decks", 2, "-o", folder)
    for more in ((), ("--path", "bets.start"), ("--path", "bets.goal"), ("--path", "bets.goal")):
        assert bartizan(*asked, *more).code == 0
    first = json.loads((folder / "sensitivity.json").read_bytes())
    assert len(first["knobs"]) == 3 and first["command"] == f"bartizan sensitivity {RUIN} --games 60 --decks 2 -o DIR"
    assert len(list((folder / "answers").glob("sensitivity-*.json"))) == 2
    assert html(folder).count("<h2>Effect of single numbers on the result</h2>") == 3
    assert bartizan("verify", folder).code == 0


# ---------------------------------------------------------------- refused


@pytest.mark.parametrize("kind", ["losses", "ladder", "tune", "coverage", "steps"])
def test_the_folder_of_another_game_is_refused_before_anything_is_played(tmp_path, scenario, kind, wording):
    folder = tmp_path / "pig"
    assert bartizan("sweep", PIG, "--games", 20, "-o", folder).code == 0
    before = tree(folder)
    assert error_line(ask(kind, scenario, folder)) == wording
    assert tree(folder) == before


def test_answers_about_another_game_are_refused(folder, tmp_path, wording):
    shutil.copytree(folder / "answers", tmp_path / "pig" / "answers")
    assert error_line(bartizan("sweep", PIG, "--games", 20, "-o", tmp_path / "pig")) == wording


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda path: path.write_text(""), "this is a file; give the folder of a sweep, or a new folder"),
        (
            lambda path: (path.mkdir(), (path / "notes.md").write_text("")),
            "is not empty and contains no sweep; choose a new folder",
        ),
        (
            lambda path: (path.mkdir(), (path / "compare.json").write_text("{}")),
            "contains a comparison; give the folder of a sweep, such as",
        ),
    ],
)
def test_what_is_no_place_for_an_answer_is_refused(tmp_path, make, says):
    make(tmp_path / "there")
    assert says in error_line(bartizan(*LOSSES, "-o", tmp_path / "there"))


@pytest.mark.parametrize(
    ("spoiled", "says"),
    [
        (lambda text: '{"schema": "bartizan.kept/1"}', "'game'"),
        (lambda text: text.replace('"seed": 1', '"seed": "NaN"'), '"NaN" is not a number'),
        (lambda text: text.replace('"seed": 1', '"seed": 1e400'), "1e400 is not a number"),
        (lambda text: text.replace('"command": "', '"command": "\\ud800'), "\\ud800 is not a character"),
    ],
)
def test_a_damaged_answer_is_told_in_one_line(full, tmp_path, spoiled, says, wording):
    folder = tmp_path / "out"
    shutil.copytree(full / "answers", folder / "answers")
    path = one(folder, "losses")
    path.write_text(spoiled(path.read_text()))
    assert error_line(bartizan("sweep", RUIN, "--games", 20, "-o", folder)) == wording


@pytest.mark.parametrize("name", ["answers", "cards.json"])
def test_a_result_that_cannot_be_shown_is_named_with_its_file(tmp_path, name):
    folder = tmp_path / "out"
    assert bartizan("sweep", RUIN, "--games", 20, "-o", folder).code == 0
    if name == "answers":
        assert bartizan(*LOSSES, "-o", folder).code == 0
        path = one(folder, "losses")
        document = json.loads(path.read_bytes())
        del document["answer"]["schema"]
    else:
        path, document = folder / name, {"schema": "bartizan.card-values/1", "values": [{}]}
    path.write_text(json.dumps(document))
    (folder / "SHA256SUMS").unlink()
    line = error_line(bartizan("report", folder, "-o", tmp_path / "report.html"))
    assert f"{path}: damaged (not a valid saved result: " in line
    assert ": missing); delete it and run the command that wrote it again" in line


def test_a_file_of_cards_that_bartizan_did_not_write_is_named(tmp_path):
    folder = tmp_path / "out"
    assert bartizan("sweep", RUIN, "--games", 20, "-o", folder).code == 0
    (folder / "cards.json").write_text('{"cards": ["Guard"]}')
    (folder / "SHA256SUMS").unlink()
    line = error_line(bartizan("report", folder, "-o", tmp_path / "report.html"))
    assert f"{folder / 'cards.json'}: Bartizan did not write this file" in line and "move it elsewhere" in line


def test_a_file_of_sensitivity_that_bartizan_did_not_write_is_named(tmp_path):
    folder = tmp_path / "out"
    assert bartizan("sweep", RUIN, "--games", 20, "-o", folder).code == 0
    (folder / "sensitivity.json").write_text('{"a": 1}')
    line = error_line(bartizan("sensitivity", RUIN, "--games", 100, "-o", folder))
    assert f"{folder / 'sensitivity.json'}: Bartizan did not write this file" in line


# ---------------------------------------------------------------- the report


def test_a_report_shows_every_answer_in_every_format(full, tmp_path):
    found = study(open_sweep(full))
    sections = measured.kept_sections(found)
    assert len(sections) == len(ASKED)
    text = html(full)
    for form in ("html", "md", "json"):
        assert bartizan("report", full, "-o", tmp_path / f"report.{form}").code == 0
    markdown = (tmp_path / "report.md").read_text(encoding="utf-8")
    data = json.loads((tmp_path / "report.json").read_bytes())
    for section, kind in zip(sections, [kind for kind in measured.KINDS if kind in ASKED], strict=True):
        assert f"## {section.title}" in markdown and section.caption in markdown
        assert section.findings[-1].startswith("Command: bartizan ") and section.findings[-1] in markdown
        assert re.search(r"\d", section.title)
        assert "played by computer policies, not by people." in section.caption, section.title
        assert [row["title"][0].lower() + row["title"][1:] for row in data["answers"] if row["kind"] == kind] == [
            section.title[0].lower() + section.title[1:]
        ]
    assert text.count("Command: bartizan ") == len(ASKED)
    page, methods = of_sweep.page(found), {section.method for section in sections}
    titles = [table.title for table in page.part("Every number").tables]
    assert len(set(titles)) == len(titles) and all(
        f"### {table.title}" in markdown for section in sections for table in section.tables
    )
    (used,) = next(
        view for view in page.part(frame.BACKGROUND).blocks if getattr(view, "title", "").startswith("How")
    ).blocks
    assert methods <= {(row.name, row.meaning) for row in used.rows} and len(methods) == len(ASKED)


def test_tuning_sections_with_one_label_are_told_apart_by_the_target(folder):
    path = one(folder, "tune")
    document = json.loads(path.read_bytes())
    label = "Tuning: Bets, Goal"
    assert label in [section.label for section in measured.kept_sections(study(open_sweep(folder)))]
    document["answer"]["target"] |= {"low": 0.3, "high": 0.3}
    path.with_name("tune-another.json").write_text(json.dumps(document), encoding="utf-8")
    labels = [section.label for section in measured.kept_sections(study(open_sweep(folder)))]
    margin = "% (±1\N{NO-BREAK SPACE}percentage point)".replace("%", "\N{NO-BREAK SPACE}%")
    found = {one for one in labels if label in one}
    assert found == {f"{label}, target {share}{margin}" for share in (30, 40)}


def test_sections_of_one_kind_are_told_apart_by_level_and_policy():
    losses = [View(title="a", label="Losses", details=details) for details in (("", "x"), ("", "y"), ("elite", "x"))]
    labels = [view.label for view in measured._told_apart([*losses, View(title="b", label="Luck", details=("", "x"))])]
    assert labels == ["Losses, x", "Losses, y", "Losses, elite", "Luck"]


@pytest.mark.parametrize("kind", ASKED)
def test_a_takeaway_has_its_number_of_games(full, kind):
    document = json.loads(one(full, kind).read_bytes())
    title = measured.KINDS[kind](document["answer"]).title
    games = {
        "losses": str(document["answer"].get("pilot", {}).get("lost")),
        "luck": "60 games",
        "ladder": "60 games per cell",
        "tune": "200 held-out games",
        "coverage": "60 games",
        "compare": "200 games per side",
        "steps": "200 games per side",
    }[kind]
    assert games in title
    interval = r"\([^)]*\d[^)]*( to |–)[^)]*\d[^)]*\)|by definition|no interval"
    assert kind == "coverage" or re.search(interval, title), title


def changed(path: Path, **keys) -> None:
    path.write_text(json.dumps(json.loads(path.read_bytes()) | keys), encoding="utf-8")


def test_another_behaviour_and_other_numbers_are_said(tmp_path):
    folder = tmp_path / "out"
    assert bartizan(*LOSSES, "--set", "bets.start=8", "-o", folder).code == 0
    changed(one(folder, "losses"), behaviour=0)
    assert bartizan("sweep", RUIN, "--games", 100, "-o", folder).code == 0
    (section,) = measured.kept_sections(study(open_sweep(folder)))
    for said in (
        "Bets, Start 10 -> 8",
        "These numbers and rules differ from those of the games above: scenario ",
        "behaviour version 0 here, 1 in the games above",
    ):
        assert said in section.caption
        assert said in bartizan_markdown(folder, tmp_path)
    (table,) = section.tables
    assert table.caption.startswith("Gambler's ruin, changed: Bets, Start 10 -> 8.")
    changed(one(folder, "losses"), behaviour=1, source_hash="0" * 16)
    (section,) = measured.kept_sections(study(open_sweep(folder)))
    assert "The game's code differs from the code of the games above." in section.caption


def test_a_result_of_an_edited_policy_is_told(tmp_path):
    """An edited policy keeps its name. The games of the folder are those of its earlier version."""
    own, folder = tmp_path / "mine.py", tmp_path / "out"
    text = (
        "from bartizan import Policy\n\n\n"
        "def choose(state, tables, legal, n_legal, weights):\n    return legal[0]\n\n\n"
        'MINE = Policy("mine", choose, "plays", {"at": 1.0})\n'
    )
    own.write_text(text)
    asked = (RUIN, "--policy", own)
    losses = ("losses", *asked, "--games", 60, "--pilot", 10, "--rollouts", 200, "-o", folder)
    assert bartizan("run", *asked, "--games", 20, "-o", folder).code == 0
    assert bartizan(*losses).code == 0
    assert " differs from " not in bartizan_markdown(folder, tmp_path)
    (opened,) = study(open_sweep(folder)).kept
    answer = opened["answer"] | {"policy_weights": [{"at": 2.0}]}  # of an edited file of weights
    changed(one(folder, "losses"), answer=answer)
    (section,) = measured.kept_sections(study(open_sweep(folder)))
    assert "The weights of mine differ from its weights in the games above." in section.caption
    own.write_text(text.replace("legal[0]", "legal[n_legal - 1]"))
    assert bartizan(*losses).code == 0
    assert "The code of mine differs from its code in the games above." in bartizan_markdown(folder, tmp_path)


def test_games_of_edited_rules_are_not_described_by_another_version(tmp_path):
    rules, folder = tmp_path / "pig.py", tmp_path / "out"
    text = (ROOT / "examples/short/pig.py").read_text(encoding="utf-8")
    rules.write_text(text, encoding="utf-8")
    assert bartizan("run", rules, "--games", 20, "-o", folder).code == 0
    rules.write_text(text.replace("if pips == 1:", "if pips == 2:"), encoding="utf-8")
    refused = bartizan("sensitivity", rules, "--games", 100, "-o", folder)
    assert "before the code of pig changed; choose another folder" in error_line(refused)


def bartizan_markdown(folder: Path, tmp_path: Path) -> str:
    assert bartizan("report", folder, "-o", tmp_path / "report.md").code == 0
    return (tmp_path / "report.md").read_text(encoding="utf-8")
