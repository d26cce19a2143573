"""A long command says how long it takes, and which options make it shorter."""

import pytest

from bartizan.api.questions import balance, in_games, skill
from bartizan.reports.render import progress
from bartizan.simcore.play.batch import Progress

LONG = {  # an answer that takes ten minutes -> what answers in one
    skill.LadderQuestion: "--games 400",
    skill.BracketQuestion: "--games 2000 --slow-games 4",
    skill.TrainQuestion: "--games 200 --fresh 2000",
    skill.EquilibriumQuestion: "--games 200 --fresh 1000",
    balance.CompareQuestion: "--games 2000",
    balance.SensitivityQuestion: "--games 200",
    in_games.LossesQuestion: "--pilot 10",
    in_games.CardsQuestion: "fewer --games",
}


@pytest.mark.parametrize("question", LONG)
def test_options_that_answer_in_a_minute(question):
    given = {"out": "best.toml"} if question is skill.TrainQuestion else {}
    assert question(name="pig.py", **given).shortened(600) == LONG[question]


def test_a_number_that_was_not_given_and_the_least_there_is():
    assert balance.TuneQuestion(name="pig.py").shortened(600) == "fewer --games --fresh 4000"
    assert skill.TrainQuestion(name="pig.py", games=10, fresh=100, out="best.toml").shortened(600) == ""


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (
            "--games 300",
            "this takes about 10 min 0 s here; for a result in about a minute, with wider intervals: --games 300",
        ),
        ("", "this takes about 10 min 0 s here"),
    ],
)
def test_the_forecast_names_them_once(monkeypatch, options, said):
    notes, clock = [], iter([1.0, 1.0, 3.0, 4.0])
    monkeypatch.setattr(progress, "note", notes.append)
    monkeypatch.setattr(progress.time, "monotonic", lambda: next(clock))
    foretell = progress.forecast(lambda seconds: options)
    for _ in range(3):
        foretell(600.0)
    assert notes == [said]


@pytest.mark.parametrize(
    ("left", "notes"),
    [
        ((350.0, 50.0, 14.0, 6.0), 0),  # a stage begins with slow games, long after the command did
        ((350.0, 50.0, 350.0, 14.0), 0),
        ((350.0, 340.0, 330.0, 320.0), 1),
    ],
)
def test_the_first_games_of_a_stage_are_no_forecast(monkeypatch, left, notes):
    shown, clock = [], iter([1.0, 9.0, 9.2, 9.4, 10.5])
    monkeypatch.setattr(progress, "note", shown.append)
    monkeypatch.setattr(progress.time, "monotonic", lambda: next(clock))
    foretell = progress.forecast(lambda seconds: "")
    for seconds in (None, *left):
        foretell(seconds)
    assert len(shown) == notes


def test_without_a_terminal_the_estimate_is_a_line_now_and_then(monkeypatch, capsys):
    clock = iter([0.0, 30.0, 61.0, 62.0, 200.0])
    monkeypatch.setattr(progress, "forecast", lambda shortened: lambda left: None)
    monkeypatch.setattr(progress.time, "monotonic", lambda: next(clock))
    with progress.Terminal().progress("games", 100) as tell:
        for done in (10, 20, 30, 100):
            tell(Progress(games_done=done, games_total=100, games_of_cell=done, wins=done // 2))
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("after 1 min 0 s: 20 of 100 games, win rate ") and "so far" in line
