"""The notebooks, as plain files: they run from top to bottom."""

import runpy

import pytest

from bartizan.api.answers import check
from bartizan.api.answers.check_here import check_here
from bartizan.simcore import conformance
from tests.cli.run_cli import ROOT

NOTEBOOKS = sorted((ROOT / "examples" / "notebooks").glob("*.py"))


def test_there_are_two():
    assert [path.stem for path in NOTEBOOKS] == ["itter_elite", "own_game"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_it_runs(path, capsys, monkeypatch):
    """Checks in this process, which has the game loaded, and of few games."""
    monkeypatch.setattr(conformance, "GAMES", 2)
    monkeypatch.setattr(check, "said_by", lambda called, target, *_, **__: check_here(target))
    runpy.run_path(str(path))
    said = capsys.readouterr().out
    assert {"itter_elite": "Defender actions", "own_game": "on the scale"}[path.stem] in said or "pig.html" in said
