"""`bartizan gate`: claims of a plan and win rates since a baseline, as one verdict (docs/gate.md)."""

from math import inf
from xml.etree import ElementTree

import pytest

import bartizan as bz
from bartizan.analyses.statistics.intervals import Interval
from bartizan.reports.views.gate import GateDocument, MovedRate, markdown, picture
from bartizan.reports.views.gate import lines as terminal_lines
from bartizan.simcore.errors import UsageError
from tests.cli.run_cli import PIG, bartizan

PLAN = """game = "{game}"
games = 400
seed = {seed}
policy = ["hold", "hold+random"]
set = {{ "dice.sides" = {sides} }}
"""
CLAIM = """
[[claim]]
title = "The first seat wins {low} to {high}"
measure = "win_rate"
band = [{low}, {high}]
policy = "hold"
"""


def plan(path, sides=6, seed=1, claim=""):
    path.write_text(PLAN.format(game=PIG, sides=sides, seed=seed) + claim, encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def baseline(tmp_path_factory):
    folder = tmp_path_factory.mktemp("gate")
    answer = bz.gate(plan(folder / "p.toml", claim=CLAIM.format(low=0.3, high=0.8)), keep=folder / "base")
    assert answer.exit_code == 0 and answer.to_dict()["moved"] == []
    return folder / "base"


def test_nothing_changed_passes(baseline, tmp_path):
    answer = bz.gate(plan(tmp_path / "p.toml"), baseline=baseline)
    document = answer.to_dict()
    assert answer.exit_code == 0 and document["verdict"] == "pass" and document["sentence"] == "No win rate changed."
    assert all(row["every_game_the_same"] for row in document["moved"]) and len(document["moved"]) == 2


def test_a_change_that_moves_a_win_rate_fails_and_is_reported(baseline, tmp_path):
    """A larger die favours the first seat."""
    files = {"out": "s.md", "junit": "j.xml", "badge": "b.svg"}
    answer = bz.gate(
        plan(tmp_path / "p.toml", sides=20), baseline=baseline, **{key: tmp_path / name for key, name in files.items()}
    )
    document = answer.to_dict()
    failed = [row for row in document["moved"] if row["verdict"] == "fail"]
    assert answer.exit_code == 1 and failed
    for row in document["moved"]:
        beyond = row["difference"]["low"] > 0 or row["difference"]["high"] < 0
        assert (row["verdict"] == "fail") == beyond and "for all 2 together" in row["difference"]["method"]
    text = (tmp_path / "s.md").read_text(encoding="utf-8")
    assert "Balance gate failed" in text and "●" in text and "Dice, Sides: 20, earlier 6" in text
    suite = ElementTree.fromstring((tmp_path / "j.xml").read_bytes())
    assert (suite.get("tests"), suite.get("failures")) == ("2", str(len(failed)))
    assert "balance: failed" in (tmp_path / "b.svg").read_text(encoding="utf-8")
    wide = bz.gate(tmp_path / "p.toml", baseline=baseline, allow=0.5, out=tmp_path / "s.md")
    assert wide.exit_code == 0 and "by more than 50 percentage points" in wide.to_dict()["sentence"]


def test_a_claim_that_fails_fails_the_gate_and_an_open_one_does_not(baseline, tmp_path):
    bands = {"fail": (0.1, 0.2), "pass": (0.2, 0.9), "open": (0.1, 0.5)}
    for verdict, (low, high) in bands.items():
        claims = tmp_path / f"{verdict}.toml"
        claims.write_text(CLAIM.format(low=low, high=high), encoding="utf-8")
        answer = bz.gate(baseline, claims=claims)
        assert [row["verdict"] for row in answer.to_dict()["claims"]] == [verdict]
        assert answer.exit_code == (verdict == "fail")


def test_imported_records_have_a_gate_too(tmp_path):
    for name, bias in (("then", 2), ("now", 5)):
        lines = ["seed,winner,rounds", *(f"{seed},{1 if seed % 7 < bias else 2},9" for seed in range(700))]
        (tmp_path / f"{name}.csv").write_text("\n".join(lines))
        bz.import_records(tmp_path / f"{name}.csv", out=tmp_path / name)
    document = bz.gate(tmp_path / "now", baseline=tmp_path / "then").to_dict()
    (row,) = document["moved"]
    assert document["verdict"] == "fail" and row["difference"]["estimate"] == pytest.approx(3 / 7)


def moved(estimate, low, high, name="a"):
    interval = Interval(estimate, low, high, 0.95, "Student t")
    return MovedRate(
        name=name, cell="a", then=interval, now=interval, difference=interval, games_then=9, games_now=9,
        every_game_the_same=False, verdict="pass",
    )  # fmt: skip


def test_the_picture_has_one_scale():
    first, second, scale = picture([moved(0.1, 0.05, 0.2), moved(-0.2, -0.2, 0.0)])
    assert first.index("●") > first.index("│") and second.index("●") == 3 and "┼" in second
    assert scale.split() == ["−20.0", "0", "+20.0"]
    first, second, scale = picture([moved(0.1, -inf, inf), moved(-0.2, -0.2, 0.0)])
    assert first.index("●") > first.index("│") and scale.split() == ["−20.0", "0", "+20.0"]


def test_a_name_cannot_end_the_picture():
    name = "hold\n```\n# heading"
    document = GateDocument(
        schema="bartizan.gate/1", game="pig", title="Pig", verdict="pass", sentence="s", allow=0, baseline=None,
        now="now", moved=[moved(0.1, 0.05, 0.2, name)], claims=[], notes=[], method="m",
    )  # fmt: skip
    lines = markdown(document).splitlines()
    start = lines.index("```text")
    assert lines.index("```", start) == start + 3 and lines[start + 1].startswith("hold ``` # heading  ")
    assert [line for line in terminal_lines(document) if "heading" in line] == [[*terminal_lines(document)][1]]


FAULTS = {
    "nothing to judge": (lambda base, tmp: [base], "add --baseline DIR or --claims"),
    "no claims": (lambda base, tmp: [plan(tmp / "p.toml")], "the plan contains no claims"),
    "keep": (lambda base, tmp: [base, "--baseline", base, "--keep", tmp / "x"], "applies only to a plan"),
    "suffix": (lambda base, tmp: [base, "--baseline", base, "-o", "x.html"], "ends in .md"),
    "no results": (lambda base, tmp: [tmp, "--baseline", base], "no manifest.json"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_faults_are_one_line(fault, baseline, tmp_path):
    args, said = FAULTS[fault]
    result = bartizan("gate", *args(baseline, tmp_path))
    assert result.code == 2 and said in result.err and result.err.startswith("error: ")


def test_a_foreign_file_is_not_overwritten(baseline, tmp_path):
    (tmp_path / "notes.md").write_text("mine")
    with pytest.raises(UsageError):
        bz.gate(baseline, baseline=baseline, out=tmp_path / "notes.md")
    assert (tmp_path / "notes.md").read_text() == "mine"
