"""The Python door: every question gives what its command prints."""

import contextlib
import inspect
import io
import json
import re
import shutil
import subprocess
import sys
from unittest import mock

import pytest
import typer

import bartizan as bz
from bartizan import api, cli
from bartizan.api import Odds, Playtest, Results
from bartizan.api.answer import Answer
from bartizan.api.methods import QuestionMethod, function
from bartizan.api.options import Jobs
from bartizan.api.question import Question, opt, out_opt
from bartizan.api.questions import all_questions
from bartizan.api.reading import File, Names, Sets
from tests.cli.run_cli import PIG, RUIN, bartizan, error_line

pig, castle = bz.game(PIG), bz.game("castle")
SAME = {  # the words after `bartizan`, and the same in Python
    "games": (["games"], bz.games),
    "policies": (["policies", PIG], pig.policies),
    "run": (
        ["run", PIG, "--policy", "hold", "--policy", "random", "--games", 200, "--seed", 4, "--set", "goal.points=50"],
        lambda: pig.run(policy=["hold", "random"], games=200, seed=4, set={"goal.points": 50}),
    ),
    "sweep": (
        ["sweep", PIG, "--set", "goal.points=30,50", "--games", 100]
        + ["--rotate", "--policy", "hold+random", "-o", "OUT"],
        lambda out: pig.sweep(set={"goal.points": [30, 50]}, games=100, rotate=True, policy="hold+random", out=out),
    ),
    "compare": (
        ["compare", PIG, "--change", "goal.points=50", "--change", "policy=random", "--games", 100],
        lambda: pig.compare(change={"goal.points": 50, "policy": "random"}, games=100),
    ),
    "coverage, without changes": (
        ["coverage", PIG, "--no-changes", "--games", 60],
        lambda: pig.coverage(changes=False, games=60),
    ),
    "odds castle": (
        ["odds", "castle", "--attack", "10", "--defend", "K", "--queen", "dead", "--games", 500],
        lambda: castle.odds.castle(attack="10", defend="K", queen="dead", games=500),
    ),
    "best, of every game": (["best"], bz.best),
    "playtest form": (["playtest", "form", PIG], lambda: bz.playtest_form(PIG)),
}
CLOCK = {"seconds", "games_per_second", "multiplier_per_second", "seconds_adjusted", "seconds_raw", "bytes"}


def timeless(document):
    """Without what a clock says."""
    if isinstance(document, dict):
        return {key: timeless(value) for key, value in document.items() if key not in CLOCK}
    return [timeless(part) for part in document] if isinstance(document, list) else document


@pytest.mark.parametrize("name", SAME)
def test_a_method_answers_what_its_command_prints(name, tmp_path):
    words, ask = SAME[name]
    out = {word: tmp_path / word for word in words if str(word).startswith("OUT")}
    answer = ask(*out.values())
    said = bartizan(*[out.get(word, word) for word in words], "--json")
    assert answer.exit_code == said.code
    assert timeless(answer.to_dict()) == timeless(said.json)


class DiceQuestion(Question[Answer]):
    """How many dice?"""

    command = "dice"
    example = "bartizan dice 3 --sides 8"

    dice: int = opt("how many", metavar="DICE", is_argument=True, kw_only=False)
    sides: int = opt("of each", default=6, min=2)
    marks: Names = opt("what a side shows; repeat", default=None, metavar="MARK")
    at: Sets = opt("sides by die", default=None, metavar="DIE=SIDES")
    loaded: bool = opt("they fall as they like", default=True, off="--fair")
    jobs: Jobs = None
    out: File | None = out_opt("FILE", "where to", default=None)

    def answer(self):
        document = {"sides": self.sides, "marks": self.marks, "at": self.at}
        return Answer({**document, "command": self.command_line()}, lambda: ["rolled"])


def on_the_command_line(*words):
    """(exit code, what is printed) of the toy question."""
    toy, out = typer.Typer(rich_markup_mode=None), io.StringIO()
    toy.command("dice", epilog=f"Example: {DiceQuestion.example}")(cli.derive(DiceQuestion))
    with mock.patch.object(sys, "argv", ["bartizan", "dice", *map(str, words)]), contextlib.redirect_stdout(out):
        code = typer.main.get_command(toy)(words and list(map(str, words)), standalone_mode=False)
    return code, out.getvalue()


def test_an_option_is_declared_once():
    """A field is in the help, on the command line, in Python, in a manifest, and for whoever draws a form."""
    _, page = on_the_command_line("--help")
    assert "How many dice?" in page and "Example: bartizan dice 3 --sides 8" in page
    assert re.search(r"--sides N +of each  \[default: 6; x>=2\]", page)
    assert "--fair" in page and "--json" in page
    options = ("--sides", 8, "--marks", "a", "--marks", "b", "--at", "1=20", "--fair", "--jobs", 2, "--json")
    _, printed = on_the_command_line(3, *options)
    document = json.loads(printed)
    assert document == {
        "sides": 8,
        "marks": ["a", "b"],
        "at": {"1": "20"},
        "command": "bartizan dice 3 --sides 8 --marks a --marks b --at 1=20 --fair -o DIR",
    }
    roll = function(DiceQuestion)
    assert roll(3, sides=8, marks=["a", "b"], at={"1": 20}, loaded=False, jobs=2).command == document["command"]
    assert list(inspect.signature(roll).parameters) == [option.name for option in DiceQuestion.options]
    assert inspect.signature(roll).parameters["jobs"].annotation == int | None
    assert "How many dice?" in roll.__doc__ and "sides: of each" in roll.__doc__
    sides = DiceQuestion.options[1]
    assert (sides.flag, sides.type, sides.default, sides.opt.min) == ("--sides", int, 6, 2)


def test_what_is_out_of_bounds_is_refused_in_the_same_words():
    with pytest.raises(bz.UsageError) as refused:
        pig.run(games=0)
    assert f"error: {refused.value}" == error_line(bartizan("run", PIG, "--games", 0))


def test_every_question_is_a_command_and_a_method():
    """A file in api/questions/ is found. A question about a game is a method without more; mypy and editors know those
    that are named in api/methods.py or api/__init__.py.
    """
    named = [
        question.question
        for door in (Playtest, Odds, Results)
        for question in vars(door).values()
        if isinstance(question, QuestionMethod)
    ]
    functions = [getattr(api, name) for name in api.__all__]
    names = {question.command for question in named} | {
        getattr(function, "question", None) and function.question.command for function in functions
    }
    # a method with a default of its own; a session at the terminal
    for words in set(all_questions()) - names - {"export", "watch"}:
        assert getattr(pig, words.replace(" ", "_")).question is all_questions()[words]


def test_an_answer_reads_by_name_and_cannot_be_changed():
    answer = pig.run(games=50)
    assert answer.win_rate.low == answer["win_rate"]["low"] == answer.to_dict()["win_rate"]["low"]
    assert "win_rate" in dir(answer) and str(answer).splitlines() == list(answer.lines())
    with pytest.raises(TypeError):
        answer["wins"] = 50
    answer.to_dict()["wins"] = -1
    assert answer.wins >= 0
    with pytest.raises(AttributeError, match="the fields are: schema"):
        _ = answer.winrate


def test_games_of_a_later_run_are_not_those_of_an_answer(tmp_path):
    """A later run may add games to the folder, or replace them."""
    out = tmp_path / "out"
    first = pig.run(games=50, seed=3, out=out)
    rows = first.rows().collect()
    assert pig.run(games=80, seed=3, out=out).rows().collect().height == 80
    assert first.rows().collect().equals(rows)
    shutil.rmtree(out)
    pig.run(games=50, seed=4, out=out)
    with pytest.raises(bz.UsageError, match=r"have been replaced since .seed = 3, now 4.; run the question again"):
        first.rows()


def test_an_answer_keeps_its_games():
    rows = pig.run(games=50, seed=3).rows().collect()
    assert len(rows) == 50 and rows["game"].to_list() == list(range(50)) and set(rows["cell"]) == {"hold"}
    assert len(rows.to_pandas()) == 50
    both = pig.compare(change={"goal.points": 50}, games=20).rows().collect()
    assert dict(both["side"].value_counts().iter_rows()) == {"a": 20, "b": 20}
    with pytest.raises(bz.UsageError, match="has no games"):
        pig.describe().rows()


def test_results_on_disk(tmp_path):
    pig.sweep(set={"goal.points": [30, 50]}, games=40, out=tmp_path / "out")
    results = bz.open(tmp_path / "out")
    assert len(results.rows().collect()) == 80 and len(list(results.verify())) == 3
    page = results.report(tmp_path / "page.html")
    assert page.exit_code == 0 and (tmp_path / "page.html").stat().st_size > 10_000


def test_a_mistake_is_refused_in_the_words_of_the_command():
    for ask, words in [
        (lambda: pig.run(set={"goal.pointz": 5}), ["run", PIG, "--set", "goal.pointz=5"]),
        (lambda: pig.run(policy="nobody"), ["run", PIG, "--policy", "nobody"]),
        (lambda: bz.game("chess").run(), ["run", "chess"]),
        (lambda: pig.compare(), ["compare", PIG]),
        (lambda: pig.tune(), ["tune", PIG]),
        (lambda: pig.sweep(), ["sweep", PIG]),
        (lambda: pig.cards(seat="first"), ["cards", PIG, "--seat", "first"]),
    ]:
        with pytest.raises(bz.UsageError) as refused:
            ask()
        assert error_line(bartizan(*words)) == f"error: {' '.join(str(refused.value).split())}"


def test_a_manifest_names_the_command_that_asks_the_same(tmp_path):
    pig.sweep(set={"goal.points": [30, 50]}, policy=["hold", "random"], games=40, out=tmp_path / "out")
    manifest = (tmp_path / "out" / "manifest.json").read_text()
    assert f"bartizan sweep {PIG} --policy hold --policy random --games 40 --set goal.points=30,50 -o DIR" in manifest


def test_importing_it_is_quick():
    """No numba, no numpy before a question is asked; every name can be had."""
    script = "import sys, bartizan; print(sorted({'numba', 'numpy', 'polars', 'pydantic'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", script], capture_output=True, text=True).stdout == "[]\n"
    for name in bz.__all__:
        assert getattr(bz, name) is not None
    assert set(api.__all__) - {"version"} <= set(bz.__all__)


def test_more_games_than_a_record_can_number_are_refused():
    for args in (("run", RUIN), ("sweep", RUIN, "-o", "never"), ("compare", RUIN, "--change", "bets.goal=22")):
        assert "at most 4294967296" in error_line(bartizan(*args, "--games", 10**20))
