"""A sweep, and questions, played by the workers of a cluster: the bytes and answers of one machine.

So it is whatever becomes of a worker.
"""

import os
import signal
import time
from dataclasses import replace

import pytest

import bartizan as bz
from bartizan.api.cluster import client as clusters
from bartizan.api.cluster.client import Cluster, WorkerPool
from bartizan.api.cluster.worker import code_of
from bartizan.simcore.play.batch import Batch, Source
from bartizan.simcore.watch import Watch
from tests.cli.run_cli import PIG, ROOT, bartizan, error_line, process_that_waits, tree
from tests.cli.test_worker_pool import LADDER, match_of, without_dask

pytestmark = without_dask

GAMES, SHARDS = 150_000, 5  # short ones
SWEEP = ("sweep", PIG, "--policy", "hold", "--set", "goal.points=30", "--games", GAMES)


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    folder = tmp_path_factory.mktemp("whole") / "out"
    assert bartizan(*SWEEP, "-o", folder).code == 0
    return folder


@pytest.fixture(scope="module")
def cluster():
    """Two workers that all tests share: each takes seconds to start."""
    import distributed

    one_each = {"n_workers": 2, "threads_per_worker": 1, "memory_limit": 0}
    with distributed.LocalCluster(**one_each, dashboard_address=":0", silence_logs=50) as cluster:
        yield cluster


def workers(cluster):
    """Their processes."""
    import distributed

    with distributed.Client(cluster, set_as_default=False) as client:
        client.wait_for_workers(2, timeout=60)
        return sorted(client.run(os.getpid).values())


class Watching(Watch):
    """Does something once, as soon as the first games have come."""

    def __init__(self, then):
        self.then, self.lines = then, []

    def note(self, line):
        self.lines.append(line)

    def progress(self, name, games):
        notes = super().progress(name, games)
        return _Told(notes, self)


class _Told:
    def __init__(self, notes, watch):
        self.notes, self.watch = notes, watch

    def __enter__(self):
        tell = self.notes.__enter__()

        def told(progress):
            tell(progress)
            then, self.watch.then = self.watch.then, lambda: None
            then()

        return told

    def __exit__(self, *error):
        return self.notes.__exit__(*error)


def sweep(cluster, out, then=lambda: None):
    watch = Watching(then)
    short = {"goal.points": 30}
    bz.game(PIG, watch=watch).sweep(policy="hold", set=short, games=GAMES, out=out, cluster=cluster.scheduler_address)
    return watch.lines


def same(folder, whole):
    """The folder is that of one machine but for the words that asked for it, which Python words otherwise."""
    here, there = tree(folder), tree(whole)
    shards = {name for name in there if name.endswith(".parquet")}
    assert here.keys() == there.keys() and len(shards) == SHARDS
    assert {name: here[name] for name in shards} == {name: there[name] for name in shards}


# ---------------------------------------------------------------- with Dask


def test_a_process_of_this_machine_interrupted_and_resumed(whole, cluster, tmp_path):
    """Resumed by the workers of another cluster: nothing of it is in the folder."""
    out = tmp_path / "out"
    child = process_that_waits(0, *SWEEP, "--cluster", "local:1", "-o", out)
    while not list(out.rglob("0*.parquet")) and child.poll() is None:
        time.sleep(0.01)
    child.send_signal(signal.SIGINT)
    since = time.monotonic()
    _, err = child.communicate(timeout=60)
    assert child.returncode == 130, err
    assert "run the same command again" in err and "Traceback" not in err and "warn" not in err.lower(), err
    assert time.monotonic() - since < 20
    stood = {path: path.stat().st_mtime_ns for path in out.rglob("0*.parquet")}
    assert 0 < len(stood) < SHARDS and not (out / "SHA256SUMS").exists()
    assert bartizan(*SWEEP, "--cluster", cluster.scheduler_address, "-o", out).code == 0
    assert {path: path.stat().st_mtime_ns for path in stood} == stood, "what had come is kept"
    assert tree(out) == tree(whole)


def test_a_part_can_be_played_by_a_cluster(whole, cluster, tmp_path):
    for number in (1, 2):
        where = ("--cluster", cluster.scheduler_address) if number == 1 else ()
        assert bartizan(*SWEEP, *where, "--shards", f"{number}/2", "-o", tmp_path / str(number)).code == 0
    assert bartizan("merge", tmp_path / "1", tmp_path / "2", "-o", tmp_path / "out").code == 0
    assert tree(tmp_path / "out") == tree(whole)


def test_a_worker_that_is_killed_costs_its_shard(whole, cluster, tmp_path):
    victim = workers(cluster)[0]
    sweep(cluster, tmp_path / "out", lambda: os.kill(victim, signal.SIGKILL))
    same(tmp_path / "out", whole)
    assert victim not in workers(cluster)


def test_a_worker_that_hangs_is_not_waited_for(whole, cluster, tmp_path, monkeypatch):
    monkeypatch.setattr(clusters, "PATIENCE", 0.5)
    victim = workers(cluster)[0]
    try:
        lines = sweep(cluster, tmp_path / "out", lambda: os.kill(victim, signal.SIGSTOP))
    finally:
        os.kill(victim, signal.SIGCONT)
    same(tmp_path / "out", whole)
    assert any("5 times as long as others; resubmitted" in line for line in lines)


def test_a_worker_of_another_version_is_refused(cluster, tmp_path, monkeypatch):
    monkeypatch.setattr(clusters, "code_of", lambda: {**code_of(), "bartizan": "9.9"})
    result = bartizan(*SWEEP, "--cluster", cluster.scheduler_address, "-o", tmp_path / "out")
    line = error_line(result)
    assert result.code == 4
    assert "would simulate different games (versions: bartizan = 0.1.0 instead of 9.9); install the same" in line


def test_a_policy_that_breaks_the_rules_is_named(cluster, tmp_path):
    reckless = ROOT / "tests/games/reckless.py"
    here = bartizan("sweep", PIG, "--policy", reckless, "--games", 10, "-o", tmp_path / "here")
    there = bartizan(
        "sweep", PIG, "--policy", reckless, "--games 10 --cluster", cluster.scheduler_address, "-o", tmp_path / "there"
    )
    assert there.code == here.code == 2 and error_line(there) == error_line(here)


# ---------------------------------------------------------------- questions (test_cluster_commands.py asks all)


def test_a_player_with_weights_of_its_own_is_found_by_the_name_it_was_named_by(cluster):
    """As a member of an equilibrium's pool is."""
    match = match_of()
    players = tuple(replace(player, name="trained", weights={**player.weights, "at": 12.0}) for player in match.players)
    changed = replace(match, players=players)
    with WorkerPool(Cluster(cluster.scheduler_address), lambda line: None) as pool:
        rows = Source(pool).rows(changed, range(300))
    assert rows.tobytes() == Batch(changed).play(range(300)).tobytes() != Batch(match).play(range(300)).tobytes()


def test_workers_play_and_this_process_does_not(cluster, monkeypatch):
    monkeypatch.setattr(Batch, "run", lambda *arguments: pytest.fail("played here"))
    found = bz.game(PIG).ladder(policy="hold", games=100, cluster=cluster.scheduler_address)
    assert found["cells"] == 12


def asked_of_a_cluster_that(then, cluster):
    watch = Watching(then)
    found = bz.game(PIG, watch=watch).ladder(policy="hold", games=3000, cluster=cluster.scheduler_address)
    assert found.to_json() == bz.game(PIG, watch=Watching(lambda: None)).ladder(policy="hold", games=3000).to_json()
    return watch.lines


@pytest.mark.slow  # a sweep loses a worker above, by the same code
def test_a_worker_that_is_killed_costs_its_pieces(cluster):
    victim = workers(cluster)[0]
    asked_of_a_cluster_that(lambda: os.kill(victim, signal.SIGKILL), cluster)
    assert victim not in workers(cluster)


@pytest.mark.slow
def test_a_worker_that_hangs_over_a_question_is_not_waited_for(cluster, monkeypatch):
    monkeypatch.setattr(clusters, "PATIENCE", 0.5)
    victim = workers(cluster)[0]
    try:
        lines = asked_of_a_cluster_that(lambda: os.kill(victim, signal.SIGSTOP), cluster)
    finally:
        os.kill(victim, signal.SIGCONT)
    assert any("games " in line and "5 times as long as others; resubmitted" in line for line in lines)


def test_a_worker_of_another_version_answers_no_question(cluster, monkeypatch):
    monkeypatch.setattr(clusters, "code_of", lambda: {**code_of(), "bartizan": "9.9"})
    result = bartizan(*LADDER, "--cluster", cluster.scheduler_address)
    assert result.code == 4
    assert "would simulate different games (versions: bartizan = 0.1.0 instead of 9.9); install the same" in error_line(
        result
    )


def test_a_policy_that_breaks_the_rules_is_named_as_here(cluster):
    reckless = ("ladder", PIG, "--policy", ROOT / "tests/games/reckless.py", "--policy", "hold", "--games", 3000)
    here, there = bartizan(*reckless), bartizan(*reckless, "--cluster", cluster.scheduler_address)
    assert there.code == here.code == 2 and error_line(there) == error_line(here)


# ---------------------------------------------------------------- without a cluster


@pytest.mark.parametrize("address", ["local:0", "local:", "local:x", "nonsense", "tcp://host", ""])
def test_an_address_that_is_none(address, tmp_path):
    result = bartizan(*SWEEP, f"--cluster={address}", "-o", tmp_path / "out")
    said = "write the address of a scheduler, such as tcp://host:8786, or local:2" if address else "ADDRESS|local:N"
    assert result.code == 2 and said in error_line(result)


def test_an_address_where_nobody_answers(tmp_path, monkeypatch):
    monkeypatch.setattr(clusters, "ANSWER", 1.0)
    result = bartizan(*SWEEP, "--cluster", "tcp://127.0.0.1:9", "-o", tmp_path / "out")
    assert result.code == 2 and "no scheduler found" in error_line(result)


def test_without_dask_it_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "distributed", None)
    result = bartizan(*SWEEP, "--cluster", "local:2", "-o", tmp_path / "out")
    assert result.code == 2 and 'run pip install ".[cluster]" in' in error_line(result)


def test_a_dry_run_is_about_this_machine():
    result = bartizan(*SWEEP, "--dry-run", "--cluster", "local:2")
    assert result.code == 2 and "estimates the whole sweep on this machine" in error_line(result)


def test_a_worker_finds_its_work_without_heavy_imports():
    """The cache of compiled code is named before numba is imported."""
    script = "import sys, bartizan.api.cluster.worker; print(sorted({'numba', 'numpy', 'polars'} & set(sys.modules)))"
    child = __import__("subprocess").run([__import__("sys").executable, "-c", script], capture_output=True, text=True)
    assert child.stdout == "[]\n"
    assert Cluster("local:2").local == 2
