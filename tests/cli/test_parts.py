"""A sweep in parts: merged it is the folder that one machine makes; what is missing, foreign or damaged is named."""

import json
import shutil
import signal
import time

import pytest

import bartizan as bz
from bartizan.simcore.sweep import looks
from bartizan.simcore.sweep.shards import SHARD_GAMES, PartMark, SweepPart, shards_due, write_mark
from bartizan.simcore.sweep.store import open_sweep
from tests.cli.run_cli import PIG, RUIN, bartizan, error_line, process, tree

GAMES = 300_000  # 10 shards a cell
PARTS = 16
SWEEP = ("sweep", PIG, "--policy hold --policy random --set goal.points=15 --games", GAMES)  # short ones


def play(folder, *more, sweep=SWEEP):
    return bartizan(*sweep, "-o", folder, *more)


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    folder = tmp_path_factory.mktemp("whole") / "out"
    assert play(folder, "--jobs", 1).code == 0
    return folder


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """All sixteen parts."""
    root = tmp_path_factory.mktemp("parts")
    for number in range(1, PARTS + 1):
        assert play(root / f"part{number}", "--shards", f"{number}/{PARTS}", "--jobs", 1 + number % 2).code == 0
    return root


@pytest.fixture
def parts(played, tmp_path):
    """Copies, to be spoiled."""
    copied = shutil.copytree(played, tmp_path / "parts")
    return [copied / f"part{number}" for number in range(1, PARTS + 1)]


def merge(folders, out, *more):
    return bartizan("merge", *folders, "-o", out, *more)


def shards(folder):
    return sorted(folder.rglob("*.parquet"))


# ---------------------------------------------------------------- the same bytes


def test_sixteen_parts_merged_are_the_folder_of_one_machine(whole, parts, tmp_path):
    merged = merge(parts, tmp_path / "out", "--json")
    assert merged.code == 0 and merged.json["games"] == 2 * GAMES and merged.json["shards"] == 20
    assert tree(tmp_path / "out") == tree(whole)
    assert bartizan("verify", tmp_path / "out").code == 0


def test_two_threads_and_a_merge_in_another_order_are_the_same(whole, parts, tmp_path):
    assert play(tmp_path / "two", "--jobs", 2).code == 0
    assert tree(tmp_path / "two") == tree(whole)
    assert merge([*reversed(parts), parts[3], whole], tmp_path / "out").code == 0, (
        "a part twice, and the whole, bring nothing new"
    )
    assert tree(tmp_path / "out") == tree(whole)


def test_a_look_at_any_part_is_a_look_at_the_whole(parts, tmp_path):
    look = {open_sweep(parts[1]).cells[0].id: 100}
    assert looks.add(open_sweep(parts[1]), [look])
    assert merge(parts, tmp_path / "out").code == 0
    assert looks.read(open_sweep(tmp_path / "out")) == [look]


def test_a_part_that_is_not_finished_goes_on_to_the_same_bytes(parts, tmp_path, wording):
    """As a kill leaves it: its mark names no files, and a shard is not there yet."""
    clean, last = tree(parts[0]), shards(parts[0])[-1]
    write_mark(parts[0], PartMark(SweepPart(1, PARTS), None))
    last.unlink()
    stood = {path: path.stat().st_mtime_ns for path in shards(parts[0])}
    refused = merge(parts, tmp_path / "out")
    assert stood and refused.code == 2
    assert error_line(refused) == wording
    assert play(parts[0], "--shards", "1/16").code == 0
    assert {path: path.stat().st_mtime_ns for path in stood} == stood, "finished shards are kept"
    assert tree(parts[0]) == clean


@pytest.mark.slow  # a whole sweep is killed in test_kill_and_resume.py; tests/soak kills parts too
def test_a_part_that_is_killed_goes_on_to_the_same_bytes(tmp_path):
    sweep = ("sweep", PIG, "--games", 800_000, "--policy", "hold", "--jobs", 1)
    assert play(tmp_path / "clean", "--shards", "1/2", sweep=sweep).code == 0
    child = process(*sweep, "--shards", "1/2", "-o", tmp_path / "killed")
    for _ in range(6000):
        if shards(tmp_path / "killed") or child.poll() is not None:
            break
        time.sleep(0.01)
    child.send_signal(signal.SIGKILL)
    child.communicate(timeout=60)
    assert child.returncode == -signal.SIGKILL, "the part was over before it could be killed: give it more games"
    stood = {path: path.stat().st_mtime_ns for path in shards(tmp_path / "killed")}
    assert 0 < len(stood) < 13
    refused = merge([tmp_path / "killed"], tmp_path / "out")
    assert refused.code == 2
    assert "part 1/2 is not finished; run it again: bartizan" in error_line(refused)
    assert play(tmp_path / "killed", "--shards", "1/2", sweep=sweep).code == 0
    assert {path: path.stat().st_mtime_ns for path in stood} == stood, "finished shards are kept"
    assert tree(tmp_path / "killed") == tree(tmp_path / "clean")


def test_a_merge_that_was_interrupted_goes_on(whole, parts, tmp_path):
    out = tmp_path / "out"
    assert merge(parts, out).code == 0
    (out / "SHA256SUMS").unlink()
    first, second, *others = shards(out)
    first.unlink()
    second.write_bytes(second.read_bytes()[:-9])
    stood = {path: path.stat().st_mtime_ns for path in others}
    again = merge(parts, out)
    assert again.code == 0 and f"moved to {second.stem}.damaged" in again.err
    assert {path: path.stat().st_mtime_ns for path in others} == stood
    next(out.rglob("*.damaged")).unlink()
    assert tree(out) == tree(whole)


def test_in_python_it_is_the_same(parts, tmp_path):
    said = merge(parts, tmp_path / "out", "--json")
    assert bz.merge(parts, tmp_path / "out").to_dict() == said.json


@pytest.mark.parametrize(
    "games", [[1], [SHARD_GAMES], [40_000] * 3, [10_000] * 7, [300_000] * 2, [33 * SHARD_GAMES + 5]]
)
@pytest.mark.parametrize("of", [1, 2, 3, 16])
def test_parts_are_disjoint_whole_and_even(games, of):
    shares = [SweepPart(number, of).share(games) for number in range(1, of + 1)]
    assert sorted(one for share in shares for one in share) == sorted(shards_due(games))
    for cell in range(len(games)):
        counts = [sum(one[0] == cell and one[1] + SHARD_GAMES <= games[cell] for one in share) for share in shares]
        assert max(counts) - min(counts) <= 1, "full shards of a cell"
    sizes = [sum(min(SHARD_GAMES, games[cell] - first) for cell, first in share) for share in shares]
    assert max(sizes) - min(sizes) <= SHARD_GAMES


# ---------------------------------------------------------------- what is missing


def test_missing_parts_are_named_with_what_plays_them(whole, parts, tmp_path, wording):
    result = merge(parts[:2] + parts[3:], tmp_path / "out")
    line = error_line(result)
    assert result.code == 2 and "part 3 of 16 is missing (cells/hold/00002.parquet and 1 more" in line
    assert line.endswith(f"--games {GAMES} --shards 3/16 -o DIR")
    assert not (tmp_path / "out").exists()
    assert error_line(merge(parts[14:], tmp_path / "out")) == wording


def test_a_part_that_lost_a_shard(parts, tmp_path, wording):
    shards(parts[5])[0].unlink()
    result = merge(parts, tmp_path / "out")
    assert result.code == 4
    assert error_line(result) == wording
    assert error_line(result) == wording
    assert play(parts[5], "--shards", "6/16").code == 0
    assert merge(parts, tmp_path / "out").code == 0


# ---------------------------------------------------------------- what is damaged or foreign


def test_a_flipped_byte_in_a_part(parts, tmp_path, whole, wording):
    path = shards(parts[2])[0]
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)
    result = merge(parts, tmp_path / "out")
    assert result.code == 4
    assert error_line(result) == wording
    assert play(parts[2], "--shards", "3/16").code == 0
    assert merge(parts, tmp_path / "out").code == 0, "goes on where it stopped"
    assert tree(tmp_path / "out") == tree(whole)


def test_a_shard_in_the_place_of_another(parts, tmp_path):
    here, there = shards(parts[0])[0], shards(parts[1])[0]
    here.write_bytes(there.read_bytes())
    mark = parts[0] / "part.json"
    said, other = (json.loads((part / "part.json").read_text()) for part in parts[:2])
    name = here.relative_to(parts[0]).as_posix()
    said["files"][name] = other["files"][there.relative_to(parts[1]).as_posix()]
    mark.write_text(json.dumps(said))
    line = error_line(merge(parts, tmp_path / "out"))
    assert f"{here}: contains games that manifest.json does not list (first_game = {SHARD_GAMES}, not 0)" in line


def test_two_parts_that_hold_other_bytes_for_the_same_games(parts, tmp_path):
    twin = shutil.copytree(parts[0], tmp_path / "twin")
    said = json.loads((twin / "part.json").read_text())
    name = min(said["files"])
    said["files"][name] = "0" * 64
    (twin / "part.json").write_text(json.dumps(said))
    line = error_line(merge([*parts, twin], tmp_path / "out"))
    assert str(twin / name) in line and str(parts[0] / name) in line
    assert "contain the same games but different bytes" in line


def test_a_file_that_is_no_part_of_the_sweep(parts, tmp_path, wording):
    stray = shards(parts[0])[0].with_name("00099.parquet")
    stray.write_bytes(b"")
    assert error_line(merge(parts, tmp_path / "out")) == wording


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (["--seed", 2], "seed = 2, not 1"),
        (["--set", "dice.loses_on=2"], "different numbers or rulings"),
        (["--games", GAMES + 1], f"cells 1, games = {GAMES + 1}, not {GAMES}"),
    ],
)
def test_a_part_of_another_sweep(parts, tmp_path, change, why):
    other = tmp_path / "other"
    assert play(other, "--shards", "2/16", *change).code == 0
    line = error_line(merge([parts[0], other], tmp_path / "out"))
    assert f"{other}: belongs to a different sweep from {parts[0]}" in line and why in line


def test_a_part_by_another_version_of_a_library(parts, tmp_path):
    path = parts[4] / "manifest.json"
    said = json.loads(path.read_text())
    said["versions"]["pyarrow"] = "1.0"
    path.write_text(json.dumps(said))
    assert "versions, pyarrow = " in error_line(merge(parts, tmp_path / "out"))


def test_where_the_files_stand_is_no_difference(parts, tmp_path):
    path = parts[4] / "manifest.json"
    said = json.loads(path.read_text())
    said["game_as_named"], said["command"] = "elsewhere/pig.py", "bartizan sweep elsewhere/pig.py -o DIR"
    path.write_text(json.dumps(said))
    assert merge(parts, tmp_path / "out").code == 0


@pytest.mark.parametrize("damage", ["{", "[]", '{"part": 1}', '{"part": 1, "parts": 16, "files": [1]}'])
def test_a_damaged_mark(parts, tmp_path, damage):
    (parts[0] / "part.json").write_text(damage)
    line = error_line(merge(parts, tmp_path / "out"))
    assert "part.json: damaged" in line and "run the same sweep again" in line


# ---------------------------------------------------------------- what is refused before a game is played


def test_a_part_passes_for_no_sweep(parts, tmp_path, wording):
    for asked in (
        ("report", parts[0], "-o", tmp_path / "report.md"),
        ("verify", parts[0]),
        ("export", parts[0], "-o", tmp_path / "a.csv"),
    ):
        result = bartizan(*asked)
        assert result.code == 4
        assert error_line(result) == wording


def test_a_folder_holds_one_part(whole, parts, tmp_path, wording):
    before = tree(parts[0])
    assert error_line(play(parts[0], "--shards", "2/16")) == wording
    assert tree(parts[0]) == before
    copied = shutil.copytree(whole, tmp_path / "copied")
    assert error_line(play(copied, "--shards", "2/16")) == wording
    (copied / "SHA256SUMS").unlink()
    assert error_line(play(copied, "--shards", "2/16")) == wording


def test_the_whole_sweep_goes_on_from_a_part(whole, parts):
    assert play(parts[0]).code == 0
    assert tree(parts[0]) == tree(whole)


@pytest.mark.parametrize("said", ["0/16", "17/16", "3", "a/b", "3/0", "-1/4", "1/9999999", ""])
def test_parts_that_are_none(said, tmp_path, wording):
    result = play(tmp_path / "out", f"--shards={said}")
    assert result.code == 2
    assert error_line(result) == wording
    assert not (tmp_path / "out").exists()


def test_a_cell_that_stops_by_itself_is_not_divided(tmp_path, wording):
    result = bartizan("sweep", RUIN, "--precision", "1pp", "--shards", "1/2", "-o", tmp_path / "out")
    assert result.code == 2
    assert error_line(result) == wording
    assert bartizan("sweep", RUIN, "--precision", "5pp", "-o", tmp_path / "out").code == 0
    assert error_line(merge([tmp_path / "out"], tmp_path / "merged")) == wording


def test_a_merge_into_one_of_the_parts(parts, wording):
    assert error_line(merge(parts, parts[0])) == wording
    copied = shutil.copytree(parts[0], parts[0].with_name("copied"))
    assert error_line(merge(parts, copied)) == wording


def test_folders_that_hold_no_sweep(tmp_path, wording):
    assert error_line(merge([tmp_path], tmp_path / "out")) == wording


def test_a_part_with_nothing_left(tmp_path):
    sweep = ("sweep", PIG, "--games", 10)
    for number in (1, 2):
        result = play(tmp_path / str(number), "--shards", f"{number}/2", sweep=sweep)
        assert result.code == 0
    assert "this part has no work: 1 part would be enough" in result.out
    assert merge([tmp_path / "1", tmp_path / "2"], tmp_path / "out").code == 0
    assert play(tmp_path / "whole", sweep=sweep).code == 0
    assert tree(tmp_path / "out") == tree(tmp_path / "whole")
