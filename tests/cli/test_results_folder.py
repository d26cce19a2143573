"""What a results folder holds is counted right, or said to be missing; nothing in it is lost."""

import errno
import json
import os
import random
import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import polars as pl
import pytest

from bartizan.simcore.errors import EngineError
from bartizan.simcore.files import alone
from bartizan.simcore.game import load_game
from bartizan.simcore.play.batch import Source
from bartizan.simcore.sources import source_files, source_hash
from bartizan.simcore.sweep.shards import check_rows, read_shard
from bartizan.simcore.sweep.store import open_sweep, write_added
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
    assert (
        f"contains 70,000 games per cell, but --games is {games:,}; use at least 70000, or choose a new folder with -o"
        in line
    )
    assert tree(folder) == before


def test_fewer_games_than_first_asked_are_fine_while_none_is_lost(folder):
    for shard in folder.rglob("0000[12].parquet"):
        shard.unlink()  # as if interrupted after the first shard
    result = sweep(folder, "--json", games=40_000)
    assert result.code == 0 and result.json["cells"][0]["games"] == 40_000


def ruin(folder, games):
    result = bartizan("sweep", RUIN, "--precision", "1pp", "--games", games, "-o", folder, "--json")
    return result if result.code else result.json["cells"][0]


def test_a_precise_sweep_may_be_shorter_than_its_limit(tmp_path, wording):
    first = ruin(tmp_path / "out", 400_000)
    assert first["games"] < 60_000
    assert ruin(tmp_path / "out", 300_000)["digest"] == first["digest"]
    refused = ruin(tmp_path / "out", first["games"] - 1)
    assert refused.code == 2
    assert error_line(refused) == wording


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
OTHERS = {
    "seed": ["--seed", 2],
    "numbers": ["--set", "goal.points=60"],
    "weights": ["--policy", "hold:at=15"],
    "cells": ["--policy", "random"],
}


@pytest.mark.parametrize("lose", LOSS.values(), ids=LOSS)
def test_without_its_manifest_the_same_sweep_keeps_its_shards(folder, lose, wording):
    before = tree(folder)
    stamps = {path: path.stat().st_mtime_ns for path in folder.rglob("*.parquet")}
    lose(folder / "manifest.json")
    result = bartizan("report", folder, "-o", folder.parent / "report.md")
    assert result.code == 4
    assert error_line(result) == wording
    assert sweep(folder).code == 0
    assert tree(folder) == before
    assert {path: path.stat().st_mtime_ns for path in stamps} == stamps


@pytest.mark.parametrize("lose", LOSS.values(), ids=LOSS)
@pytest.mark.parametrize("other", OTHERS)
def test_without_its_manifest_another_sweep_is_refused(folder, lose, other, wording):
    lose(folder / "manifest.json")
    before = tree(folder)
    policy = [] if other in ("cells", "weights") else ["--policy", "hold"]
    result = bartizan("sweep", PIG, *policy, "--games", GAMES, "-o", folder, *OTHERS[other])
    assert result.code == 2
    assert error_line(result) == wording
    assert tree(folder) == before


def test_a_shard_of_another_sweep_is_never_played_over(folder, tmp_path, wording):
    assert sweep(tmp_path / "other", "--seed", 2).code == 0
    shutil.copy(next((tmp_path / "other").rglob("00001.parquet")), next(folder.rglob("00001.parquet")))
    before = tree(folder)
    result = sweep(folder)
    assert result.code == 2
    assert error_line(result) == wording
    assert tree(folder) == before


# ---------------------------------------------------------------- missing shards


def report(folder):
    return bartizan("report", folder, "-o", folder.parent / "report.md")


@pytest.mark.parametrize("shard", ["00000", "00001", "00002"])
def test_a_missing_shard_is_noticed(folder, shard, wording):
    before = tree(folder)
    next(folder.rglob(f"{shard}.parquet")).unlink()
    with pytest.raises(EngineError, match=f"{shard}.parquet: missing"):
        open_sweep(folder).cells[0].scan()
    for result in (report(folder), bartizan("verify", folder)):
        assert result.code == 4
        assert error_line(result) == wording
    assert sweep(folder).code == 0
    assert tree(folder) == before


def test_all_shards_of_a_cell_missing(folder, wording):
    shutil.rmtree(folder / "cells")
    assert error_line(report(folder)) == wording


def test_a_missing_shard_of_a_precise_sweep(tmp_path, wording):
    folder = tmp_path / "out"
    args = ("sweep", RUIN, "--precision", "0.6pp", "--games", 400_000, "-o", folder)
    assert bartizan(*args).code == 0
    before = tree(folder)
    last = sorted(folder.rglob("0*.parquet"))[-1]
    assert last.name != "00000.parquet"
    last.unlink()
    result = report(folder)
    assert result.code == 4
    assert error_line(result) == wording
    (folder / "SHA256SUMS").unlink()
    result = report(folder)
    assert result.code == 4 and "the sweep is not finished" in error_line(result)
    assert "run the same sweep again" in error_line(result)
    assert bartizan(*args).code == 0
    assert tree(folder) == before


def test_an_unfinished_sweep_says_so(folder, wording):
    """As the reports define it: what there is, with a warning how far it is."""
    (folder / "SHA256SUMS").unlink()
    next(folder.rglob("00002.parquet")).unlink()
    assert report(folder).code == 0
    assert "65,536 of 70,000 games" in (folder.parent / "report.md").read_text(encoding="utf-8")
    next(folder.rglob("00000.parquet")).unlink()  # a gap is not an early end
    assert error_line(report(folder)) == wording


def test_a_sweep_that_is_being_extended_is_unfinished(folder, monkeypatch, wording):
    monkeypatch.setattr(Source, "play", interrupt)
    assert sweep(folder, games=200_000).code == 130
    assert not (folder / "SHA256SUMS").exists()
    verified = bartizan("verify", folder)
    assert verified.code == 4
    assert error_line(verified) == wording
    assert report(folder).code == 0
    assert "70,000 of 200,000 games" in (folder.parent / "report.md").read_text(encoding="utf-8")


def interrupt(*_):
    raise KeyboardInterrupt


def test_a_shard_cut_short_is_noticed(folder, tmp_path, wording):
    assert sweep(tmp_path / "short", games=1000).code == 0
    shutil.copy(next((tmp_path / "short").rglob("00000.parquet")), next(folder.rglob("00000.parquet")))
    result = report(folder)
    assert result.code == 4
    assert error_line(result) == wording
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


def test_cells_are_told_apart_by_names_too_long_for_a_folder(tmp_path):
    names = [f"hold:at=20.{'0' * 300}{last}" for last in (1, 2)]
    asked = [tmp_path / "out", "--policy", names[1], "--json"]
    first = sweep(*asked, games=500, policy=names[0])
    assert first.code == 0 and len(list((tmp_path / "out/cells").iterdir())) == 2
    before = tree(tmp_path / "out")
    again = sweep(*asked, games=500, policy=names[0])
    assert [cell["wins"] for cell in again.json["cells"]] == [cell["wins"] for cell in first.json["cells"]]
    assert tree(tmp_path / "out") == before
    assert bartizan("verify", tmp_path / "out").code == 0
    assert [cell.scan().collect().height for cell in open_sweep(tmp_path / "out").cells] == [500, 500]


# ---------------------------------------------------------------- a game whose code has changed


def test_an_edited_game_is_another_sweep(tmp_path, wording):
    """Old and new rules are never mixed in one table; nor where only a module that the game imports is edited."""
    home = shutil.copytree(Path(RUIN).parent, tmp_path / "home")
    (home / "luck.py").write_text("FEW = 1\n")
    file = home / "ruin.py"
    file.write_text(file.read_text() + "\nfrom luck import FEW as _\n")
    ask, folder = ("sweep", file, "--games", 500, "-o", tmp_path / "out"), tmp_path / "out"
    assert bartizan(*ask).code == 0
    assert json.loads((folder / "manifest.json").read_text())["source_hash"] == load_game(str(file)).source_hash
    before = tree(folder)
    (home / "unlike.py").write_text("x = 1\n")  # no part of the game
    assert bartizan(*ask).code == 0 and tree(folder) == before
    for edited in (home / "luck.py", file):
        edited.write_text(edited.read_text() + "\nANOTHER_RULE = 1\n")
        for lost in (False, True):
            line = error_line(bartizan(*ask))
            assert "contains another sweep (different rules: the code of the game has changed since)" in line
            assert "manifest.json" in line or lost
            (folder / "manifest.json").unlink(missing_ok=True)
        (folder / "manifest.json").write_bytes(before["manifest.json"])
        assert tree(folder) == before
        assert error_line(bartizan("verify", folder)) == wording


def test_a_policy_is_its_file_and_the_neighbours_it_imports(tmp_path):
    policy, helper = tmp_path / "mine.py", tmp_path / "helper.py"
    policy.write_text("def f():\n    from helper import x\n")
    helper.write_text("x = 1\n")
    (tmp_path / "other.py").write_text("")
    assert source_files(policy) == [helper, policy]
    before = source_hash(policy)
    helper.write_text("x = 2\n")
    assert source_hash(policy) != before


def test_a_policy_of_a_package_is_its_file_and_the_neighbours_it_imports(tmp_path):
    """An edit of what it does not lean on leaves it the same player."""
    package = tmp_path / "players"
    package.mkdir()
    texts = {
        "__init__": "",
        "mine": "def f():\n    from players.aids import x\n",
        "aids": "from . import view\n",
        "view": "import numpy\n",
        "other": "from players import mine\n",
    }
    for name, text in texts.items():
        (package / f"{name}.py").write_text(text)
    assert [file.stem for file in source_files(package / "mine.py")] == ["__init__", "aids", "mine", "view"]
    before = source_hash(package / "mine.py")
    (package / "other.py").write_text("y = 1\n")
    assert source_hash(package / "mine.py") == before
    (package / "view.py").write_text("z = 1\n")
    assert source_hash(package / "mine.py") != before


# ---------------------------------------------------------------- a report checks what `verify` knows


def swap(one, other):
    data = one.read_bytes()
    one.write_bytes(other.read_bytes())
    other.write_bytes(data)


def edit_manifest(folder, **changes):
    path = folder / "manifest.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | changes, indent=2, sort_keys=True))


def cells_of(folder):
    return sorted((folder / "cells").iterdir())


@pytest.fixture(scope="module")
def two_cells(tmp_path_factory):
    folder = tmp_path_factory.mktemp("two") / "out"
    assert sweep(folder, "--policy", "random").code == 0
    return folder


SPOILED = {
    "a shard over another": lambda folder: shutil.copy(
        cells_of(folder)[0] / "00000.parquet", cells_of(folder)[0] / "00001.parquet"
    ),
    "shards of two cells": lambda folder: swap(*(cell / "00000.parquet" for cell in cells_of(folder))),
    "two shards": lambda folder: swap(*(cells_of(folder)[0] / f"0000{i}.parquet" for i in (0, 1))),
    "two cells": lambda folder: [
        cells_of(folder)[0].rename(folder / "x"),
        cells_of(folder)[0].rename(cells_of(folder)[0].parent / "hold"),
        (folder / "x").rename(folder / "cells" / "random"),
    ],
    "seed": lambda folder: edit_manifest(folder, seed=2),
    "level": lambda folder: edit_manifest(folder, level=0.5),
    "title": lambda folder: edit_manifest(folder, title="Hog"),
    "a further shard": lambda folder: shutil.copy(
        cells_of(folder)[0] / "00000.parquet", cells_of(folder)[0] / "00003.parquet"
    ),
}
UNSEEN_BEFORE_THE_END = {"level", "title"}  # without SHA256SUMS nothing vouches for the manifest


@pytest.mark.parametrize("spoil", SPOILED)
@pytest.mark.parametrize("is_finished", [True, False], ids=["finished", "unfinished"])
def test_a_spoiled_folder_makes_no_page(two_cells, tmp_path, spoil, is_finished):
    folder = shutil.copytree(two_cells, tmp_path / "out")
    if not is_finished:
        (folder / "SHA256SUMS").unlink()
    SPOILED[spoil](folder)
    result = report(folder)
    assert result.code == (0 if not is_finished and spoil in UNSEEN_BEFORE_THE_END else 4), result.err
    assert not (tmp_path / "report.md").exists() or result.code == 0
    assert bartizan("verify", folder).code == 4


@pytest.mark.parametrize("sums", [b"", b"\xff\xfe\x00  \n\n x", "short"])
def test_sums_that_leave_files_out_are_no_sums(folder, sums, wording):
    path = folder / "SHA256SUMS"
    path.write_bytes(b"".join(path.read_bytes().splitlines(True)[1:]) if sums == "short" else sums)
    for result in (report(folder), bartizan("verify", folder)):
        assert result.code == 4
        assert error_line(result) == wording
    assert sweep(folder).code == 0 and bartizan("verify", folder).code == 0


def test_a_flipped_bit_is_never_vouched_for_anew(finished, tmp_path):
    """Bits of the footer that one reader minds and another does not; also in a sweep that is extended."""
    shard = next(finished.rglob("00000.parquet")).relative_to(finished)
    size = (finished / shard).stat().st_size
    for place in random.Random(5).sample(range(size - 3000, size), 4):
        folder = shutil.copytree(finished, tmp_path / str(place))
        data = bytearray((folder / shard).read_bytes())
        data[place] ^= 16
        (folder / shard).write_bytes(data)
        assert report(folder).code == 4
        assert "damaged shard moved to 00000.damaged" in sweep(folder).err
        (folder / shard).with_name("00000.damaged").unlink()
        assert tree(folder) == tree(finished)


def test_a_shard_that_the_reports_cannot_read_is_damaged(folder, monkeypatch, wording):
    """Also while nothing vouches for it yet."""
    (folder / "SHA256SUMS").unlink()
    with monkeypatch.context() as patch:
        patch.setattr(pl, "read_parquet", refuse_to_read)
        assert error_line(report(folder)) == wording
        with pytest.raises(EngineError, match="damaged shard"):
            read_shard(next(folder.rglob("00000.parquet")), load_game(PIG).compiled)


def test_a_gap_where_the_game_has_none_is_damage(tmp_path):
    """A column of the game's own too, not only those that every game has."""
    shard, columns = tmp_path / "00000.parquet", {"winner": [0, 1], "turn": [3, None]}
    pl.DataFrame(columns).write_parquet(shard)
    check_rows(shard, 2, gaps=["turn"])
    for gaps, games, said in (([], 2, "some games have no value in column turn"), (["turn"], 3, "it has 2 rows")):
        with pytest.raises(EngineError, match=said):
            check_rows(shard, games, gaps)


def refuse_to_read(*_, **__):
    raise pl.exceptions.ComputeError("parquet: File out of specification")


# ---------------------------------------------------------------- a first write that failed


def test_a_first_write_that_failed_leaves_the_folder_usable(tmp_path, monkeypatch, wording):
    folder = tmp_path / "out"
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", no_space)
        assert error_line(sweep(folder, games=100)) == wording
    assert list(folder.iterdir()) == []
    (folder / ".manifest.json.99999999.tmp").write_text("{")  # of a process that was killed there
    assert sweep(folder, games=100).code == 0
    assert not (folder / ".manifest.json.99999999.tmp").exists()


def no_space(_):
    raise OSError(errno.ENOSPC, "No space left on device")


def test_a_page_that_cannot_be_written_leaves_the_one_before(folder, tmp_path, monkeypatch, wording):
    page = tmp_path / "report.md"
    assert report(folder).code == 0
    before = page.read_bytes()
    monkeypatch.setattr(Path, "write_bytes", half_written)
    assert error_line(report(folder)) == wording
    assert page.read_bytes() == before and {path.name for path in tmp_path.iterdir()} == {"out", "report.md"}


def half_written(path, _):
    path.write_text("half")
    no_space(0)


def test_another_sweep_written_meanwhile_is_noticed(tmp_path, monkeypatch, wording):
    """Two that began in the same instant: one of them says so."""
    folder = tmp_path / "out"

    def play_also_another(source, stretches):
        monkeypatch.undo()
        assert sweep(tmp_path / "other", "--seed", 2, games=100).code == 0
        shutil.copy(tmp_path / "other" / "manifest.json", folder)
        return source.play(stretches)

    monkeypatch.setattr(Source, "play", play_also_another)
    assert error_line(sweep(folder, games=100)) == wording


# ---------------------------------------------------------------- what `make soak` found


def test_a_second_writer_is_refused_and_leaves_the_first_alone(tmp_path, wording):
    folder = tmp_path / "out"
    with alone(folder):
        assert error_line(sweep(folder, games=100)) == wording
        assert not any(folder.iterdir())
    assert sweep(folder, games=100).code == 0


def test_a_sweep_without_a_game_is_no_report(tmp_path, wording):
    folder = tmp_path / "out"
    assert sweep(folder, games=100).code == 0
    shutil.rmtree(folder / "cells")
    (folder / "SHA256SUMS").unlink()
    assert error_line(report(folder)) == wording


def test_a_damaged_answer_is_not_vouched_for_anew(tmp_path, wording):
    folder = tmp_path / "out"
    assert sweep(folder, games=100).code == 0
    kept = write_added(open_sweep(folder), "sensitivity.json", {"n": 1})
    kept.write_text('{"n": 2}')
    assert error_line(sweep(folder, games=100)) == wording
    kept.unlink()
    assert sweep(folder, games=100).code == 0 and bartizan("verify", folder).code == 0


def test_documents_added_at_once_are_all_listed(tmp_path):
    """And a line of SHA256SUMS that is no text stays what it is."""
    folder = tmp_path / "out"
    assert sweep(folder, games=100).code == 0
    with open(folder / "SHA256SUMS", "ab") as sums:
        sums.write(b"\xe2  x\n")
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda i: write_added(open_sweep(folder), f"{i}.json", {}), range(24)))
    said = (folder / "SHA256SUMS").read_bytes()
    assert all(f"  {i}.json\n".encode() in said for i in range(24)) and b"\xe2  x" in said
