"""A sweep that is killed loses at most the shards in flight; the rerun gives the same bytes."""

import signal
import time

from tests.cli.run_cli import PIG, bartizan, process_that_waits, tree

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
