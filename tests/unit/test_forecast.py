"""A long command says how long it takes, and which options make it shorter."""

import pytest

from bartizan.api.questions import balance, in_games, skill
from bartizan.reports.render import progress

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
