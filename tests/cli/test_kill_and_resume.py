"""A sweep that is killed loses at most a second of games; the rerun gives the same bytes."""

import signal
import time

import pytest

from bartizan.simcore.play.batch import Batch
from bartizan.simcore.sweep import run
from bartizan.simcore.sweep.shards import shard_identity
from tests.cli.run_cli import PIG, RUIN, bartizan, process_that_waits, tree

GAMES = 150_000
SHARDS = 5
SWEEP = ("sweep", PIG, "--policy", "hold", "--games", GAMES, "--jobs", 1)


def start_and_stop(folder, how, shards):
    """Start a sweep and stop it when so many shards stand."""
    child = process_that_waits(0, *SWEEP, "-o", folder)
    while len(list(folder.rglob("0*.parquet"))) < shards and child.poll() is None:
        time.sleep(0.01)
    child.send_signal(how)
    _, err = child.communicate(timeout=60)
    return child.returncode, err


def test_interrupted_and_killed_and_resumed(tmp_path):
    """Twice stopped from outside: what stood is kept, and Ctrl-C says how to go on."""
    whole, stopped = tmp_path / "whole", tmp_path / "stopped"
    stood = {}
    for how, code in ((signal.SIGINT, 130), (signal.SIGKILL, -signal.SIGKILL)):
        ended, err = start_and_stop(stopped, how, len(stood) + 1)
        assert ended == code, err
        assert how == signal.SIGKILL or ("run the same command again" in err and "Traceback" not in err)
        assert {path: path.stat().st_mtime_ns for path in stood} == stood, "finished shards are kept, not played again"
        stood = {path: path.stat().st_mtime_ns for path in stopped.rglob("0*.parquet")}
        assert 0 < len(stood) < SHARDS
    assert bartizan(*SWEEP, "-o", stopped).code == 0
    assert {path: path.stat().st_mtime_ns for path in stood} == stood
    assert bartizan(*SWEEP, "-o", whole).code == 0
    assert tree(stopped) == tree(whole)


def test_more_games_keep_the_full_shards(tmp_path):
    folder = tmp_path / "out"
    assert bartizan("sweep", PIG, "--games", 40_000, "-o", folder).code == 0
    first = next(folder.rglob("00000.parquet"))
    stamp = first.stat().st_mtime_ns
    assert bartizan("sweep", PIG, "--games", 70_000, "-o", folder).code == 0
    assert first.stat().st_mtime_ns == stamp
    other = tmp_path / "other"
    assert bartizan("sweep", PIG, "--games", 70_000, "-o", other).code == 0
    assert tree(folder) == tree(other)


def test_a_run_to_a_precision_goes_on_beyond_an_earlier_limit(tmp_path):
    """After one look, which decided nothing: those games are no complete cell, although they end at a look."""
    short, whole = tmp_path / "short", tmp_path / "whole"
    command = ("run", RUIN, "--precision", "3pp", "--games")
    assert bartizan(*command, 2048, "-o", short).json["games"] == 2048
    assert bartizan(*command, 20_000, "-o", short).json["games"] > 2048
    assert bartizan(*command, 20_000, "-o", whole).code == 0
    assert tree(short) == tree(whole)


class Killed(BaseException):
    """The end of the process in the middle of a piece."""


@pytest.mark.parametrize("games", [("--games", 5_000), ("--precision", "1.4pp")], ids=["games", "precision"])
def test_games_of_a_shard_that_is_killed_are_not_played_twice(games, tmp_path, monkeypatch):
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    command = ("run", PIG, "--jobs", 1, *games, "-o")
    assert bartizan(*command, whole).code == 0
    monkeypatch.setattr(run, "KEPT_EVERY", 0)
    monkeypatch.setattr(run, "KEPT_SHARE", 0)
    play_into, asked, ends = Batch.play_into, [], [700, 2_500, 4_000]

    def played(batch, rows, games):
        asked.append(games.start)
        if ends and games.stop > ends[0]:
            raise Killed
        return play_into(batch, rows, games)

    monkeypatch.setattr(Batch, "play_into", played)
    while ends:
        with pytest.raises(Killed):
            bartizan(*command, killed)
        (shard,) = killed.rglob("0*.parquet")
        kept = shard_identity(shard)["games"]
        assert asked[-2:][0] <= kept < ends.pop(0)  # at most the piece before the last was not yet saved
        asked.clear()
    assert bartizan(*command, killed).code == 0
    assert min(game for game in asked if game >= run.REPEATED) == kept  # the first games are compared again
    assert tree(killed) == tree(whole)
