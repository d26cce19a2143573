"""Wrong calls, derived from the fields of all questions: each raises UsageError before anything is played."""

from collections.abc import Mapping, Sequence
from contextlib import contextmanager
from dataclasses import MISSING
from itertools import product
from math import inf, nan
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin
from unittest import mock

import pytest

import bartizan as bz
from bartizan.analyses.experiments.trials import Condition
from bartizan.api.effort import Effort
from bartizan.api.methods import function
from bartizan.api.question import Question
from bartizan.api.questions import all_questions
from bartizan.simcore.compile import loops
from tests.cli.run_cli import PIG

WRONG = {
    "fraction": 2.5,
    "negative": -3,
    "huge": 10**30,
    "text": "nobody at all",
    "empty text": "",
    "list": ["nobody", 7.5],
    "dict": {"nothing.such": 5},
    "None": None,
    "nan": nan,
    "infinite": inf,
    "bool": True,
    "bytes": b"5",
    "object": object(),
    "function": print,
}
FREE = {  # texts that are right whatever they say: a form's name, folders and files to be written
    ("new", "name"),
    ("new", "from_"),
}


class Asked(Exception):
    """A wrong call went through."""


def members(kind: Any) -> tuple[Any, ...]:
    return get_args(kind) if get_origin(kind) in (Union, UnionType) else (kind,)


def is_of(value: Any, kind: Any) -> bool:
    """Is the value of the declared type? Written without the product's own check."""
    for one in members(kind):
        if get_origin(one) is Mapping:
            if isinstance(value, dict) and all(type(key) is str for key in value):
                return True
        elif get_origin(one) is Sequence:
            if isinstance(value, list) and all(is_of(item, get_args(one)[0]) for item in value):
                return True
        elif get_origin(one) is tuple:
            if isinstance(value, tuple) and len(value) == len(get_args(one)):
                return True
        elif one is float:
            if type(value) in (int, float) and abs(value) != inf and value == value:
                return True
        elif one is Any or (one is NoneType and value is None):
            return True
        elif type(value) is one:
            return True
    return False


def is_in_bounds(value: Any, option) -> bool:
    values = [one for one in (value if isinstance(value, list) else [value]) if type(one) in (int, float)]
    low = -inf if option.opt.min is None else option.opt.min
    high = inf if option.opt.max is None else option.opt.max
    return all(low <= one <= high and (type(one) is float or one < 2**63) for one in values)


def is_file(option) -> bool:
    return Path in members(option.type)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A small sweep, and a file that is no plan."""
    folder = tmp_path_factory.mktemp("sweep") / "out"
    bz.game(PIG).sweep(games=20, out=folder)
    return folder


def call(question: type[Question], results: Path, **given: Any) -> Any:
    """The function, with what it needs beside what is wrong."""
    folder = results
    needed = {one.name: one for one in question.options if one.default is MISSING}
    right = {"name": PIG, "folder": folder, "folders": [folder], "target": PIG, "kind": "game", "distance": 3}
    if question.command == "check":  # a game of one's own is checked in a process of its own
        right["target"] = "itter"
    usual = {name: right.get(name, folder / "there is no such file") for name in needed}
    if question.command in ("best", "playtest plan", "policies"):
        usual["name"] = PIG
    return function(question)(**usual | given)


each_question = pytest.mark.parametrize("question", all_questions().values(), ids=all_questions())


@each_question
def test_a_value_of_another_type_or_out_of_bounds_is_refused_at_the_call(question, folder):
    with mock.patch.object(Question, "ask", side_effect=Asked):
        for option, (what, value) in product(question.options, WRONG.items()):
            if value is option.default or (is_of(value, option.type) and is_in_bounds(value, option)):
                continue
            with pytest.raises(bz.UsageError) as refused:
                call(question, folder, **{option.name: value})
            said = str(refused.value)
            assert option.flag in said or option.name.strip("_") in said, (option.name, what)
            assert "\n" not in said, (option.name, what)


def texts(option) -> dict[str, Any]:
    """Wrong values of the declared type: names of things that do not exist."""
    found = {what: value for what, value in WRONG.items() if is_of(value, option.type) and is_in_bounds(value, option)}
    found.pop("None", None)
    if isinstance(option.default, str):  # "" may mean none of them
        found.pop("empty text", None)
    if not set(members(option.type)) & {str} or is_file(option):
        found = {what: value for what, value in found.items() if what == "dict"}
    return found


@each_question
def test_a_name_that_does_not_exist_is_refused_before_anything_is_played(question, folder, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    wrong = {one.name: texts(one) for one in question.options if (question.command, one.name) not in FREE}
    for name, what in ((name, what) for name, values in wrong.items() for what in values):
        with mock.patch.object(loops, "_compiled", side_effect=Asked), pytest.raises(bz.UsageError) as refused:
            answer = call(question, folder, **{name: wrong[name][what]})
            list(answer) if not isinstance(answer, Mapping) else answer.text()
        assert "\n" not in str(refused.value), (name, what)
    assert not list(tmp_path.iterdir())


def test_a_misspelt_option_names_the_right_one(folder):
    for question in all_questions().values():
        for option in question.options:
            if option.default is MISSING or option.name in ("name", "games", "out") or len(option.name) < 4:
                continue
            misspelt = option.name if option.name.endswith("_") else option.name.strip("_")
            refused = pytest.raises(bz.UsageError, match=f'"{option.name}"')
            with mock.patch.object(Question, "ask", side_effect=Asked), refused:
                call(question, folder, **{f"{misspelt}z": 1})


@pytest.mark.parametrize(
    "ask",
    [lambda wrong: bz.game(wrong), lambda wrong: bz.open(wrong), lambda wrong: bz.playtest_log(wrong)],
    ids=["game", "open", "playtest_log"],
)
def test_what_is_asked_about_is_refused_where_it_is_named(ask, tmp_path):
    (tmp_path / "empty").mkdir()
    for wrong in (*WRONG.values(), "iter", tmp_path / "none.py", tmp_path / "nowhere", Path("itter.toml")):
        with pytest.raises(bz.UsageError) as refused:
            ask(wrong)
        assert "\n" not in str(refused.value)
    with pytest.raises(bz.UsageError):
        bz.playtest_log(tmp_path / "empty")


def test_other_wrong_calls(folder):
    with pytest.raises(bz.UsageError, match='"itter"'):
        bz.game("iter")
    for wrong in (5, "x.csvv", None, ["a.csv"]):
        with pytest.raises(bz.UsageError):
            bz.open(folder).export(wrong)
    for watch in (5, "x", print):
        with pytest.raises(bz.UsageError):
            bz.game(PIG, watch=watch)
    calls = [
        lambda: bz.game(),
        lambda: bz.game("itter", "x"),
        lambda: bz.open(),
        lambda: bz.game(nam="itter"),
        lambda: bz.playtest_log(),
    ]
    for wrong in calls:
        with pytest.raises((bz.UsageError, TypeError)) as refused:
            wrong()
        assert isinstance(refused.value, bz.UsageError)
    with pytest.raises(bz.UsageError):
        bz.open(folder.parent).rows()
    with pytest.raises(bz.UsageError):
        bz.open(folder.parent).table()


# ---------------------------------------------------------------- memory

MANY = {"games": 4_000_000_000}
HELD = {
    "run": lambda game: game.run(**MANY, luck_adjusted=True),
    "compare": lambda game: game.compare(**MANY, change={"goal.points": 50}, luck_adjusted=True),
    "ladder": lambda game: game.ladder(**MANY),
}


@contextmanager
def unplayed():
    """Whoever wants a game gets Asked, but for the few that probe a value."""
    probed = mock.patch.object(Condition, "load_playable", Condition.load)
    with mock.patch.object(loops, "_compiled", side_effect=Asked), mock.patch.object(Effort, "compiles"), probed:
        yield


@pytest.mark.parametrize("name", HELD)
def test_games_that_stay_in_memory_are_announced_before_they_are_played(name):
    said = pytest.warns(UserWarning, match=r"are kept in memory: up to [\d,]+\.\d GB")
    with unplayed(), said, pytest.raises(Asked):
        HELD[name](bz.game(PIG))


def test_few_games_are_not_announced(recwarn):
    with unplayed(), pytest.raises(Asked):
        bz.game(PIG).ladder(games=1000)
    assert not recwarn.list


def test_a_number_without_an_upper_bound_is_refused_by_its_question_or_harmless():
    """How many lines are listed may be as many as one likes; how many people play is for the game to say."""
    options = [one for question in all_questions().values() for one in question.options]
    unbounded = {one.name for one in options if int in one.kinds and one.opt.max is None}
    assert unbounded == {"top", "players"}
    with unplayed(), pytest.raises(bz.UsageError, match="players"):
        bz.game(PIG).run(players=2**62)


def test_an_option_that_its_help_ties_to_another_is_refused_without_it():
    tied = {
        (question, option)
        for question in all_questions().values()
        for option in question.options
        if (option.opt.help or "").startswith("with --") and not option.opt.is_argument
    }
    untied = {option.name for _, option in tied if not option.opt.needs}
    assert untied == {"ropes", "cutters"}  # refused with what to write instead
    for question, option in tied:
        if option.opt.needs:
            needed = {one.name: "x" for one in question.options if one.default is MISSING}
            asked = question(**needed)
            setattr(asked, option.name, "another value")
            with pytest.raises(bz.UsageError, match=rf"{option.typed} requires --"):
                asked.ask()


def test_an_empty_list_or_table_gives_no_option():
    """Programs and assistants write them for options that they do not use."""
    given = bz.playtest_plan(sim=0.7, people=0.5, set={}, policy=[])
    assert given.to_dict() == bz.playtest_plan(sim=0.7, people=0.5).to_dict()


@pytest.mark.parametrize("value", ["", []])
def test_a_value_that_is_empty_is_refused(value):
    with unplayed(), pytest.raises(bz.BartizanError, match=r"goal\.points"):
        bz.game(PIG).run(set={"goal.points": value})


def test_the_fewest_games_of_each_command():
    """Of an experiment that chooses by them more than one."""
    least = {
        (name, option.name): option.opt.min
        for name, question in all_questions().items()
        for option in question.options
        if option.name in ("games", "fresh") and option.opt.min is not None
    }
    assert len(least) > 20
    assert {key: number for key, number in least.items() if number != 1} == {
        ("best", "games"): 16,
        ("equilibrium", "fresh"): 100,
        ("equilibrium", "games"): 10,
        ("sensitivity", "games"): 2,
        ("train", "fresh"): 100,
        ("train", "games"): 10,
        ("tune", "fresh"): 100,
        ("tune", "games"): 100,
    }
