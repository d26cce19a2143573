"""A sweep that is killed loses at most the shards in flight; the rerun gives the same bytes."""

import signal
import time

from tests.cli.run_cli import PIG, ROOT, bartizan, process, tree

GAMES = 400_000  # 13 shards, a few seconds
ENDLESS = ROOT / "tests/games/endless.py"
SWEEP = ("sweep", PIG, "--policy", "hold", "--games", GAMES, "--jobs", 1)


def start_and_stop(folder, how):
    """Start a sweep and stop it as soon as its first shard stands."""
    child = process(*SWEEP, "-o", folder)
    for _ in range(6000):
        if list(folder.rglob("0*.parquet")) or child.poll() is not None:
            break
        time.sleep(0.01)
    child.send_signal(how)
    _, err = child.communicate(timeout=60)
    return child.returncode, err


def test_kill_and_resume(tmp_path):
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    code, _ = start_and_stop(killed, signal.SIGKILL)
    assert code == -signal.SIGKILL, "the sweep was over before it could be killed: give it more games"
    stood = {path: path.stat().st_mtime_ns for path in killed.rglob("0*.parquet")}
    assert 0 < len(stood) < 13
    assert bartizan(*SWEEP, "-o", killed).code == 0
    assert all(path.stat().st_mtime_ns == time for path, time in stood.items()), "finished shards are kept, not played again"
    assert bartizan(*SWEEP, "-o", whole).code == 0
    assert tree(killed) == tree(whole)


def test_interrupt_says_how_to_go_on(tmp_path):
    code, err = start_and_stop(tmp_path / "out", signal.SIGINT)
    assert code == 130
    assert "run the same command again" in err and "Traceback" not in err


def test_a_policy_that_loops_for_ever_is_interrupted(tmp_path):
    child = process("sweep", PIG, "--policy", ENDLESS, "--games", 10, "--jobs", 1, "-o", tmp_path / "out")
    for _ in range(12_000):
        if (tmp_path / "out/manifest.json").exists() or child.poll() is not None:
            break
        time.sleep(0.01)
    time.sleep(2)  # from the manifest to the first game
    child.send_signal(signal.SIGINT)
    _, err = child.communicate(timeout=30)
    assert child.returncode == 130
    assert "interrupted" in err and "Traceback" not in err


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
