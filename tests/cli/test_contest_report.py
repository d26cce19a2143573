"""From the command line to the report of a game for two sides, as Escape from Colditz declares it."""

import json

import pytest

from bartizan.api.answers.sweep import plan_of_file
from tests.cli.run_cli import ROOT, bartizan


@pytest.fixture(scope="module")
def swept(tmp_path_factory):
    folder = tmp_path_factory.mktemp("colditz") / "results"
    policies = ("--policy", "allied=random", "--policy", "german=random")
    result = bartizan(
        "sweep", "colditz", *policies, "--set limit.rounds=4,8,12 --set players.allied=2 --games 60 -o", folder
    )
    assert result.code == 0, result.err
    return folder


def test_a_colditz_report(swept, tmp_path):
    path = tmp_path / "report.html"
    assert bartizan("report", swept, "-o", path).code == 0
    page = path.read_text(encoding="utf-8").replace("\u00a0", " ")
    for part in (
        "Results by round limit",
        "Race to 1 escape",
        "Race to 2 escapes",
        "POWs lost, by cause",
        "Won by the German",
        "The limit is an assumption",
        "Causes of the losses of the Allies",
        "How soon",
    ):
        assert part in page, part
    assert "surviv" not in page and "how hard" not in page
    assert "a limit of 12 rounds" in page and "Changed setting" in page


def test_its_numbers_are_those_of_the_records(swept, tmp_path):
    path = tmp_path / "report.json"
    assert bartizan("report", swept, "-o", path).code == 0
    document = json.loads(path.read_text(encoding="utf-8"))
    assert document["by_setting"][0]["values"] == [4, 8, 12]
    for cell in document["cells"]:
        assert sum(part["games"] for part in cell["outcomes"]) == cell["games"] == 60
        assert [len(form["parts"]) for form in cell["forms"]] == [2, 2]
        assert {group["title"] for group in cell["groups"]} >= {"Escapes", "Escapes by target", "POWs lost, by cause"}
        assert len(cell["first_times"][0]["by_turn"]) <= 12


@pytest.mark.parametrize(("plan", "cells"), [("colditz-players", 5), ("colditz-rounds", 8)])
def test_the_plans_of_the_examples(plan, cells):
    assert len(plan_of_file(str(ROOT / f"examples/{plan}.toml"), None, None, "sweep").cells) == cells
