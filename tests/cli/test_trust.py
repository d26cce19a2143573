"""Somebody else's results: the .py files that they name are not run unless their user has named them."""

import shutil
from pathlib import Path

import pytest

from bartizan.analyses.people.log import KnownGames
from bartizan.simcore import sources
from bartizan.simcore.errors import UsageError
from tests.cli.run_cli import PIG, RUIN, bartizan, error_line
from tests.cli.test_playtest_skill import made_up

MINE = "from bartizan import Policy\n\n\ndef choose(state, tables, legal, n_legal, weights):\n    return legal[0]\n\n\nP = Policy('p', choose)\n"
EVIL = "\nfrom pathlib import Path\nPath(r'{}').write_text('was run')\n"


@pytest.fixture
def archive(tmp_path, monkeypatch):
    """As from a stranger: a sweep with the game and the policy beside it, which write a file when they are run; this machine knows neither."""
    home = tmp_path / "home"
    shutil.copytree(Path(RUIN).parent, home)
    (home / "mine.py").write_text(MINE)
    monkeypatch.chdir(home)
    assert bartizan("sweep", "ruin.py", "--policy", "mine.py", "--games", 60, "-o", "results").code == 0
    there = tmp_path / "there"
    shutil.copytree(home, there)
    for name in ("ruin.py", "mine.py"):
        (there / name).write_text((there / name).read_text() + EVIL.format(tmp_path / f"{name}.txt"))
    return there


def run_by(archive) -> set[str]:
    return {path.name for path in archive.parent.glob("*.py.txt")}


@pytest.mark.parametrize("inside", [True, False])
def test_a_planted_file_is_not_run(archive, monkeypatch, inside):
    """Neither from elsewhere nor where one stands in the unpacked folder."""
    monkeypatch.chdir(archive if inside else archive.parent)
    plays = made_up(archive.parent / "plays", 0.3, rounds=10, edition="made up")
    for command in (["check", archive / "results"], ["report", archive / "results", "--plays", plays]):
        result = bartizan(*command, *(["-o", "r.md"] if command[0] == "report" else []))
        line = error_line(result)
        assert result.code == 2
        assert (
            f"{archive / 'ruin.py'}: not run, because {archive / 'results/manifest.json'} refers to this code" in line
        )
        assert line.endswith(f"allow it with: bartizan {' '.join(map(str, command))} --trust {archive / 'ruin.py'}")
    assert bartizan("report", archive / "results", "-o", "r.md").code == 0
    assert run_by(archive) == set()


def test_what_is_trusted_is_run_and_nothing_else(archive, monkeypatch):
    monkeypatch.chdir(archive)
    game = archive / "ruin.py"
    assert "the code of ruin has changed since" in error_line(bartizan("check", "results", "--trust", "ruin.py"))
    assert run_by(archive) == {"ruin.py.txt"}
    shutil.copy(RUIN, game)
    line = error_line(bartizan("check", "results", "--trust", "ruin.py"))
    assert f"{archive / 'mine.py'}: not run, because results/manifest.json refers to this code" in line
    assert line.endswith(f"bartizan check results --trust ruin.py --trust {archive / 'mine.py'}")
    assert run_by(archive) == {"ruin.py.txt"}
    (archive / "mine.py").write_text(MINE)
    allowed = bartizan("check", "results", "--trust", game, "--trust", "mine.py")
    assert allowed.code == 0, allowed.err
    assert bartizan("check", "results").code == 0  # allowed once, known from then on


def test_a_known_file_that_was_changed_is_a_stranger_again(archive, monkeypatch):
    home = archive.parent / "home"
    monkeypatch.chdir(home)
    assert bartizan("check", "results").code == 0
    (home / "mine.py").write_text(MINE + EVIL.format(archive.parent / "mine.py.txt"))
    assert f"{home / 'mine.py'}: not run, because" in error_line(bartizan("check", "results"))
    assert run_by(archive) == set()


def test_a_scenario_file_runs_no_game_that_it_names(archive, monkeypatch):
    monkeypatch.chdir(archive)
    Path("odd.toml").write_text('game = "ruin.py"\nextends = "standard"\nname = "odd"\n')
    assert error_line(bartizan("check", "odd.toml")).endswith(f"allow it with: bartizan check {archive / 'ruin.py'}")
    assert run_by(archive) == set()


def test_a_mapping_runs_no_game_that_it_names(archive):
    with pytest.raises(UsageError, match=r"ruin.py: not run, because the mapping refers to"):
        KnownGames(called={"ruin": str(archive / "ruin.py")}).find("Ruin")
    assert run_by(archive) == set()


def test_files_elsewhere_may_be_named(archive, monkeypatch):
    """Results that were moved away from what played them."""
    home = archive.parent / "home"
    shutil.move(home / "results", archive.parent / "results")
    monkeypatch.chdir(archive.parent)
    assert "--trust FILE" in error_line(bartizan("check", "results"))
    result = bartizan("check", "results", "--trust", home / "ruin.py", "--trust", home / "mine.py")
    assert result.code == 0, result.err


def test_without_notes_nothing_is_known(monkeypatch, tmp_path):
    """A cache folder that cannot be written, or is not text."""
    monkeypatch.setattr(sources, "cache_root", lambda: tmp_path / "file")
    (tmp_path / "file").write_text("")
    sources.note_named(Path(PIG))
    with sources.only_known(tmp_path, (), str), pytest.raises(UsageError, match=r"pig.py: not run, because"):
        sources.check_known(Path(PIG))
    (tmp_path / "root").mkdir()
    (tmp_path / "root" / sources.NOTES).write_bytes(b"\xff\n")
    monkeypatch.setattr(sources, "cache_root", lambda: tmp_path / "root")
    assert not sources.is_noted(sources.mark("x"))
    sources.note(sources.mark("x"))
