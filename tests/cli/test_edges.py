"""Edges of `ladder`, `claims`, `verify`, `sweep` and of the terminal, met from outside."""

import io
import json
import re
import shutil
import sys
from pathlib import Path

import pytest

from bartizan.analyses.records.comparison import pairs
from bartizan.reports.render.terminal import encode_what_can_be
from bartizan.simcore.sweep.store import open_sweep
from tests.cli.run_cli import PIG, RUIN, bartizan, error_line

POLICY = "from bartizan import Policy, jit\n\n\ndef choose(state, tables, legal, n_legal, weights):\n    return legal[{}]\n\n\nP = Policy('p', choose)\n"


def test_one_policy_is_no_ladder(wording):
    result = bartizan("ladder", RUIN, "--policy", "random", "--games", 50)
    assert result.code == 2
    assert error_line(result) == wording


def test_one_game_is_no_games():
    out = bartizan("run", PIG, "--games", 1).out
    assert ": 1 game, seed 1" in out.splitlines()[0] and not re.search(r"\b1 games", out)


def test_a_level_that_is_set_is_the_one_of_the_ladder():
    assert bartizan("ladder", PIG, "--set", "difficulty=standard", "--games", 50).code == 0


def test_policy_files_of_one_name(tmp_path, wording):
    """Told apart by their folders, in the folder and in what is said."""
    for place, folder in enumerate("ab"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "p.py").write_text(POLICY.format(f"{place} * (n_legal - 1)"))
    texts = [f"--policy=first={tmp_path / folder / 'p.py'}" for folder in "ab"]
    result = bartizan("sweep", PIG, *texts, "--games", 200, "-o", tmp_path / "out")
    assert result.code == 0, result.err
    assert sorted(path.name for path in (tmp_path / "out" / "cells").iterdir()) == ["a_p-hold", "b_p-hold"]
    one, other = (line[:40] for line in result.out.splitlines()[:2])
    assert one != other
    again = bartizan("sweep", PIG, texts[0], texts[0], "--games", 200, "-o", tmp_path / "twice")
    assert error_line(again) == wording


def test_a_sweep_is_verified_from_any_folder(tmp_path, monkeypatch, wording):
    home = shutil.copytree(Path(RUIN).parent, tmp_path / "home")
    monkeypatch.chdir(home)
    assert bartizan("sweep", "ruin.py", "--games", 100, "-o", "results/one").code == 0
    monkeypatch.chdir(tmp_path)
    assert bartizan("verify", home / "results/one").code == 0
    shutil.move(home / "results/one", tmp_path / "one")
    assert error_line(bartizan("verify", tmp_path / "one")) == wording


def test_the_published_value_is_a_scope_and_a_place_in_an_order(tmp_path):
    """Of cells in which a value is not set others say what it is."""
    plan = tmp_path / "plan.toml"
    head = f'game = "{RUIN}"\ngames = 4000\nseed = 3\n[[cells]]\npolicy = "random"\n[[cells]]\nset = {{ "bets.win_per_mille" = 300 }}\n'
    published = 490
    claims = f'[[claim]]\nset = {{ "bets.win_per_mille" = {published} }}\nband = [0.1, 0.9]\n[[claim]]\norder = [{published}, 300]\nover = "bets.win_per_mille"\n'
    plan.write_text(head + claims)
    result = bartizan("sweep", plan, "-o", tmp_path / "out", "--json")
    assert result.code in (0, 1, 3), result.err
    band, order = result.json["claims"]
    assert "win_per_mille" not in band["cell"] and order["against"] == band["cell"]


def test_the_published_value_is_the_base_wherever_it_stands(tmp_path):
    assert bartizan("sweep", PIG, "--set", "dice.sides=4,6,8", "--games", 100, "-o", tmp_path / "out").code == 0
    found = [(value, base) for _, value, base, _, _ in pairs(open_sweep(tmp_path / "out").cells)]
    assert found == [(4, 6), (8, 6)]


def test_yes_and_no_as_python_writes_them():
    from bartizan.simcore.scenario.parameters import as_text, parse_value

    assert parse_value("True", False) is True and parse_value("False", True) is False
    assert parse_value("true", False) is True
    assert parse_value("True", "text") == "True" and parse_value("True", 1) == "True"
    assert [as_text(value) for value in (True, 4, "x", [1, 2])] == ["true", "4", "x", "[1, 2]"]


def test_a_part_of_a_list_is_no_path():
    from bartizan.simcore.errors import ScenarioError
    from bartizan.simcore.scenario.parameters import put

    with pytest.raises(
        ScenarioError, match=r"board.ladders is one value; set it as a whole, as board.ladders=\[\[1, 38\]\]"
    ):
        put({"board": {"ladders": [[1, 38]]}}, "board.ladders.0.1", 20)


def test_one_game_has_no_spread():
    """Of a game with a score; and of every other."""
    for game in (PIG, RUIN):
        result = bartizan("run", game, "--games", 1)
        assert result.code == 0, result.err


def test_a_value_set_twice(wording):
    assert error_line(bartizan("run", PIG, "--set", "goal.points=50", "--set", "goal.points=60")) == wording


@pytest.mark.parametrize("encoding", ["cp1252", "latin-1", "cp437", "ascii"])
def test_stdout_of_another_encoding(encoding, monkeypatch):
    """Windows redirects to a file as cp1252; a minus sign is not in it."""
    written = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(written, encoding, "strict"))
    monkeypatch.setattr(sys, "stderr", io.StringIO())  # a stream that Python code has replaced
    encode_what_can_be()
    print("\N{MINUS SIGN}1\N{NO-BREAK SPACE}%, 3\N{EN DASH}4, \N{GREEK SMALL LETTER PI}", flush=True)
    text = written.getvalue().decode(encoding).replace("\N{NO-BREAK SPACE}", " ").replace("\N{EN DASH}", "-").strip()
    pi = "\N{GREEK SMALL LETTER PI}" if encoding == "cp437" else "?"
    assert text == f"-1 %, 3-4, {pi}"


def test_a_full_disk_behind_stdout_and_a_name_too_long(monkeypatch, wording):
    assert error_line(bartizan("describe", PIG, "--scenario", "y" * 300 + ".toml")) == wording
    monkeypatch.setattr("bartizan.api.questions.old_names.BandsQuestion.answer", no_space)
    result = bartizan("bands")
    assert result.code == 2
    assert error_line(result) == wording


def no_space(*_):
    raise OSError(28, "No space left on device")


def test_a_file_is_no_results_folder(tmp_path, wording):
    (tmp_path / "manifest.json").write_text(json.dumps({}))
    assert error_line(bartizan("report", tmp_path / "manifest.json")) == wording
