"""What a results folder holds is counted right, or said to be missing; nothing in it is lost."""

import shutil

import pytest

from bartizan.simcore.errors import EngineError
from bartizan.simcore.sweep.store import open_sweep
from tests.cli.run_cli import PIG, RUIN, bartizan, error_line, tree

GAMES = 70_000  # three shards


def sweep(folder, *more, games=GAMES, policy="hold"):
    return bartizan("sweep", PIG, "--policy", policy, "--games", games, "-o", folder, *more)


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    folder = tmp_path_factory.mktemp("finished") / "out"
    assert sweep(folder).code == 0
    return folder


@pytest.fixture
def folder(finished, tmp_path):
    """A finished sweep of three shards, to be spoiled."""
    return shutil.copytree(finished, tmp_path / "out")


# ---------------------------------------------------------------- another number of games


@pytest.mark.parametrize("games", [1000, 40_000, 69_999])
def test_fewer_games_are_refused(folder, games):
    before = tree(folder)
    result = sweep(folder, games=games)
    assert result.code == 2
    line = error_line(result)
    assert f"holds 70,000 games a cell, asked for {games:,}; ask for at least 70000 or name a new folder with -o" in line
    assert tree(folder) == before


def test_fewer_games_than_first_asked_are_fine_while_none_is_lost(folder):
    for shard in folder.rglob("0000[12].parquet"):
        shard.unlink()  # as if interrupted after the first shard
    result = sweep(folder, "--json", games=40_000)
    assert result.code == 0 and result.json["cells"][0]["games"] == 40_000


def ruin(folder, games):
    result = bartizan("sweep", RUIN, "--precision", "1pp", "--games", games, "-o", folder, "--json")
    return result if result.code else result.json["cells"][0]


def test_a_precise_sweep_may_be_shorter_than_its_limit(tmp_path):
    first = ruin(tmp_path / "out", 400_000)
    assert first["games"] < 60_000
    assert ruin(tmp_path / "out", 300_000)["digest"] == first["digest"]
    refused = ruin(tmp_path / "out", first["games"] - 1)
    assert refused.code == 2 and f"holds {first['games']:,} games" in error_line(refused)


def test_a_raised_limit_of_a_precise_sweep_leaves_no_gap(tmp_path):
    assert ruin(tmp_path / "out", 10_000)["games"] == 10_000
    assert ruin(tmp_path / "out", 400_000)["digest"] == ruin(tmp_path / "other", 400_000)["digest"]


# ---------------------------------------------------------------- a lost manifest

LOSS = {
    "deleted": lambda manifest: manifest.unlink(),
    "empty": lambda manifest: manifest.write_text(""),
    "cut": lambda manifest: manifest.write_bytes(manifest.read_bytes()[:300]),
    "of another kind": lambda manifest: manifest.write_text("[]"),
}
OTHERS = {"seed": ["--seed", 2], "numbers": ["--set", "goal.points=60"], "weights": ["--policy", "hold:at=15"], "cells": ["--policy", "random"]}


@pytest.mark.parametrize("lose", LOSS.values(), ids=LOSS)
def test_without_its_manifest_the_same_sweep_keeps_its_shards(folder, lose):
    before = tree(folder)
    stamps = {path: path.stat().st_mtime_ns for path in folder.rglob("*.parquet")}
    lose(folder / "manifest.json")
    result = bartizan("report", folder, "-o", folder.parent / "report.md")
    assert result.code == 4 and "run the same sweep again" in error_line(result)
    assert sweep(folder).code == 0
    assert tree(folder) == before
    assert {path: path.stat().st_mtime_ns for path in stamps} == stamps


@pytest.mark.parametrize("lose", LOSS.values(), ids=LOSS)
@pytest.mark.parametrize("other", OTHERS)
def test_without_its_manifest_another_sweep_is_refused(folder, lose, other):
    lose(folder / "manifest.json")
    before = tree(folder)
    policy = [] if other in ("cells", "weights") else ["--policy", "hold"]
    result = bartizan("sweep", PIG, *policy, "--games", GAMES, "-o", folder, *OTHERS[other])
    assert result.code == 2 and "holds another sweep" in error_line(result)
    assert tree(folder) == before


def test_a_shard_of_another_sweep_is_never_played_over(folder, tmp_path):
    assert sweep(tmp_path / "other", "--seed", 2).code == 0
    shutil.copy(next((tmp_path / "other").rglob("00001.parquet")), next(folder.rglob("00001.parquet")))
    before = tree(folder)
    result = sweep(folder)
    assert result.code == 2 and "00001.parquet: holds another sweep (seed = 2, now 1)" in error_line(result)
    assert tree(folder) == before


# ---------------------------------------------------------------- missing shards


def report(folder):
    return bartizan("report", folder, "-o", folder.parent / "report.md")


@pytest.mark.parametrize("shard", ["00000", "00001", "00002"])
def test_a_missing_shard_is_noticed(folder, shard):
    before = tree(folder)
    next(folder.rglob(f"{shard}.parquet")).unlink()
    with pytest.raises(EngineError, match=f"{shard}.parquet: is missing"):
        open_sweep(folder).cells[0].scan()
    for result in (report(folder), bartizan("verify", folder)):
        assert result.code == 4
        assert f"{shard}.parquet: is missing; run the same sweep again" in error_line(result)
    assert sweep(folder).code == 0
    assert tree(folder) == before


def test_all_shards_of_a_cell_missing(folder):
    shutil.rmtree(folder / "cells")
    assert "00000.parquet: is missing" in error_line(report(folder))


def test_a_missing_shard_of_a_precise_sweep(tmp_path):
    folder = tmp_path / "out"
    args = ("sweep", RUIN, "--precision", "0.6pp", "--games", 400_000, "-o", folder)
    assert bartizan(*args).code == 0
    before = tree(folder)
    last = sorted(folder.rglob("0*.parquet"))[-1]
    assert last.name != "00000.parquet"
    last.unlink()
    result = report(folder)
    assert result.code == 4 and f"{last.name}: is missing" in error_line(result)
    (folder / "SHA256SUMS").unlink()
    result = report(folder)
    assert result.code == 4 and "the sweep is not finished" in error_line(result) and "run the same sweep again" in error_line(result)
    assert bartizan(*args).code == 0
    assert tree(folder) == before


def test_an_unfinished_sweep_says_so(folder):
    """As the reports define it: what there is, with a warning how far it is."""
    (folder / "SHA256SUMS").unlink()
    next(folder.rglob("00002.parquet")).unlink()
    assert report(folder).code == 0
    assert "65,536 of 70,000 games played" in (folder.parent / "report.md").read_text(encoding="utf-8")
    next(folder.rglob("00000.parquet")).unlink()  # a gap is not an early end
    assert "00000.parquet: is missing" in error_line(report(folder))


def test_a_sweep_that_is_being_extended_is_unfinished(folder, monkeypatch):
    monkeypatch.setattr("bartizan.simcore.sweep.run.play_games", interrupt)
    assert sweep(folder, games=200_000).code == 130
    assert not (folder / "SHA256SUMS").exists()
    verified = bartizan("verify", folder)
    assert verified.code == 4 and "not finished" in error_line(verified)
    assert report(folder).code == 0
    assert "70,000 of 200,000 games played" in (folder.parent / "report.md").read_text(encoding="utf-8")


def interrupt(*_):
    raise KeyboardInterrupt


def test_a_shard_cut_short_is_noticed(folder, tmp_path):
    assert sweep(tmp_path / "short", games=1000).code == 0
    shutil.copy(next((tmp_path / "short").rglob("00000.parquet")), next(folder.rglob("00000.parquet")))
    result = report(folder)
    assert result.code == 4 and "hold 38,232 games instead of 70,000; run the same sweep again" in error_line(result)
    assert sweep(folder).code == 0 and report(folder).code == 0


# ---------------------------------------------------------------- names of folders


@pytest.mark.parametrize("name", ["a*", "results [v2]", "a?", "[ab]", "seed=2"])
def test_the_name_of_a_folder_is_no_pattern(tmp_path, name):
    """Beside a folder that the name would match as a pattern."""
    assert sweep(tmp_path / "ab", games=900, policy="random").code == 0
    assert sweep(tmp_path / "a", "--seed", 3, games=800).code == 0
    here = sweep(tmp_path / name, "--json", games=1000)
    assert here.code == 0 and here.json["cells"][0]["games"] == 1000
    assert here.json["cells"][0]["wins"] == sweep(tmp_path / "plain", "--json", games=1000).json["cells"][0]["wins"]
    assert bartizan("report", tmp_path / name, "-o", tmp_path / "report.json").code == 0
    assert bartizan("verify", tmp_path / name).code == 0
    assert open_sweep(tmp_path / name).cells[0].scan().collect().height == 1000
