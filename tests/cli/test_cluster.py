"""A sweep, and questions, played by the workers of a cluster: the bytes and answers of one machine, whatever becomes of a worker."""

import hashlib
import json
import os
import signal
import time
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

import bartizan as bz
from bartizan.api.cluster import client as clusters
from bartizan.api.cluster.client import Cluster, Flights, WorkerPool, asked_of
from bartizan.api.cluster.worker import batch_of, code_of, play_shard
from bartizan.policies.registry import find_player
from bartizan.simcore.errors import EngineError, PolicyError
from bartizan.simcore.game import load_game
from bartizan.simcore.play.batch import Batch, Progress, Source
from bartizan.simcore.sweep.manifest import make_ready
from bartizan.simcore.sweep.plan import CellPlan, Plan
from bartizan.simcore.sweep.run import DueShard
from bartizan.simcore.watch import Watch
from tests.cli.run_cli import PIG, ROOT, RUIN, bartizan, error_line, process_that_waits, tree
from tests.cli.test_worker_pool import LADDER, QUESTIONS, TRAIN, match_of

distributed = pytest.importorskip("distributed")

GAMES = 300_000  # 10 shards
SWEEP = ("sweep", PIG, "--policy", "hold", "--games", GAMES)


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    folder = tmp_path_factory.mktemp("whole") / "out"
    assert bartizan(*SWEEP, "-o", folder).code == 0
    return folder


@pytest.fixture(scope="module")
def cluster():
    """Two workers that all tests share: each takes seconds to start."""
    one_each = {"n_workers": 2, "threads_per_worker": 1, "memory_limit": 0}
    with distributed.LocalCluster(**one_each, dashboard_address=":0", silence_logs=50) as cluster:
        yield cluster


def workers(cluster):
    """Their processes."""
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
    bz.game(PIG, watch=watch).sweep(policy="hold", games=GAMES, out=out, cluster=cluster.scheduler_address)
    return watch.lines


def same(folder, whole):
    """The folder is that of one machine but for the words that asked for it, which Python words otherwise."""
    here, there = tree(folder), tree(whole)
    shards = {name for name in there if name.endswith(".parquet")}
    assert here.keys() == there.keys() and len(shards) == 10
    assert {name: here[name] for name in shards} == {name: there[name] for name in shards}


# ---------------------------------------------------------------- with Dask


def test_two_processes_of_this_machine_interrupted_and_resumed(whole, cluster, tmp_path):
    """Resumed by the workers of another cluster: nothing of it is in the folder."""
    out = tmp_path / "out"
    child = process_that_waits(0, *SWEEP, "--cluster", "local:2", "-o", out)
    while not list(out.rglob("0*.parquet")) and child.poll() is None:
        time.sleep(0.01)
    child.send_signal(signal.SIGINT)
    since = time.monotonic()
    _, err = child.communicate(timeout=60)
    assert child.returncode == 130, err
    assert "run the same command again" in err and "Traceback" not in err and "warn" not in err.lower(), err
    assert time.monotonic() - since < 20
    stood = {path: path.stat().st_mtime_ns for path in out.rglob("0*.parquet")}
    assert 0 < len(stood) < 10 and not (out / "SHA256SUMS").exists()
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
    assert (
        result.code == 4
        and "would simulate other games (versions: bartizan = 0.1.0 instead of 9.9); install the same" in line
    )


def test_a_policy_that_breaks_the_rules_is_named(cluster, tmp_path):
    reckless = ROOT / "tests/games/reckless.py"
    here = bartizan("sweep", PIG, "--policy", reckless, "--games", 10, "-o", tmp_path / "here")
    there = bartizan(
        "sweep",
        PIG,
        "--policy",
        reckless,
        "--games",
        10,
        "--cluster",
        cluster.scheduler_address,
        "-o",
        tmp_path / "there",
    )
    assert there.code == here.code == 2 and error_line(there) == error_line(here)


# ---------------------------------------------------------------- questions


def both(arguments, address):
    """What a command prints here, and what it prints where a cluster plays."""
    here, there = bartizan(*arguments), bartizan(*arguments, "--cluster", address)
    assert here.code == there.code, there.err
    return here.out, there.out


@pytest.mark.rotating
@pytest.mark.parametrize("question", QUESTIONS)
def test_answers_are_those_of_one_machine(question, cluster):
    here, there = both(QUESTIONS[question], cluster.scheduler_address)
    assert here == there and json.loads(here)["game"] == "pig"


def test_a_player_with_weights_of_its_own_is_found_by_the_name_it_was_named_by(cluster):
    """As a member of an equilibrium's pool is."""
    match = match_of()
    players = tuple(
        replace(player, name="trained", weights={**player.weights, "at": 12.0}) for player in match.players
    )
    changed = replace(match, players=players)
    with WorkerPool(Cluster(cluster.scheduler_address, str(PIG)), lambda line: None) as pool:
        rows = Source(elsewhere=pool).rows(changed, 300)
    assert rows.tobytes() == Batch(changed).play(0, 300).tobytes() != Batch(match).play(0, 300).tobytes()


def test_weights_are_those_of_one_machine(cluster, tmp_path):
    here, there = (tmp_path / folder for folder in ("here", "there"))
    for folder in (here, there):
        folder.mkdir()
    words = bartizan(*TRAIN, "-o", here / "hold.toml")
    result = bartizan(*TRAIN, "-o", there / "hold.toml", "--cluster", cluster.scheduler_address)
    assert result.code == 0 and result.out == words.out.replace(str(here), str(there))
    assert (here / "hold.toml").read_bytes() == (there / "hold.toml").read_bytes()


def test_workers_play_and_this_process_does_not(cluster, monkeypatch):
    monkeypatch.setattr(Batch, "run", lambda *arguments: pytest.fail("played here"))
    found = bz.game(PIG).ladder(policy="hold", games=100, cluster=cluster.scheduler_address)
    assert found["cells"] == 12


def asked_of_a_cluster_that(then, cluster):
    watch = Watching(then)
    found = bz.game(PIG, watch=watch).ladder(policy="hold", games=3000, cluster=cluster.scheduler_address)
    assert (
        found.to_json()
        == bz.game(PIG, watch=Watching(lambda: None)).ladder(policy="hold", games=3000).to_json()
    )
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
    assert (
        "would simulate other games (versions: bartizan = 0.1.0 instead of 9.9); install the same"
        in error_line(result)
    )


def test_a_policy_that_breaks_the_rules_is_named_as_here(cluster):
    reckless = (
        "ladder",
        PIG,
        "--policy",
        ROOT / "tests/games/reckless.py",
        "--policy",
        "hold",
        "--games",
        3000,
    )
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
    assert result.code == 2 and "install it with: pip install 'bartizan[cluster]'" in error_line(result)


def test_a_cell_that_stops_by_itself_is_not_divided(tmp_path):
    result = bartizan("sweep", RUIN, "--precision", "1pp", "--cluster", "local:2", "-o", tmp_path / "out")
    assert (
        result.code == 2
        and "--cluster: does not support --precision, because such a cell uses its games in order"
        in error_line(result)
    )


def due_shards(folder, games=(10, 20, 30)):
    """Small shards of one cell."""
    game = load_game(PIG)
    plan = Plan(PIG, None, (CellPlan(None, ("hold", "hold"), (("goal.points", "30"),), ()),), 60, 5)
    (cell,) = make_ready(plan, game, find_player)
    return [DueShard(cell, folder / f"{i:05d}.parquet", first=100 * i, games=n) for i, n in enumerate(games)]


def asked(due, **changes):
    words = json.loads(asked_of(PIG, due, code_of()))
    return json.dumps({**words, "table": json.dumps({**json.loads(words["table"]), **changes})})


def test_a_worker_plays_what_is_asked_or_refuses(tmp_path):
    due = due_shards(tmp_path)[1]
    content, digest, _ = play_shard(asked(due), due.first, due.games)
    assert hashlib.sha256(content).hexdigest() == digest
    with pytest.raises(EngineError, match=r"match: scenario_hash = .* instead of other"):
        batch_of(asked(due, identity={"seed": 5, "scenario_hash": "other"}))
    with pytest.raises(EngineError, match=r"code = .* instead of other"):
        batch_of(asked(due, code={**code_of(), "code": "other"}))


def test_files_are_named_by_their_whole_path(tmp_path, monkeypatch):
    monkeypatch.chdir(ROOT / "examples")
    due = due_shards(tmp_path)[0]
    words = json.loads(json.loads(asked_of("pig/pig.py", due, {}))["table"])
    assert words["game"] == PIG and words["scenario"] == "standard"
    (tmp_path / "hold.py").write_text("")
    assert (
        clusters.whole_paths(f"a={tmp_path}/../{tmp_path.name}/hold.py:at=3")
        == f"a={tmp_path}/../{tmp_path.name}/hold.py:at=3"
    )
    assert Path(clusters.whole_path("pig/pig.py")).is_absolute()


class Scheduler:
    """Answers as it is told: for each try of each shard a function of (content, digest, player), or an error."""

    status = "running"
    loop = SimpleNamespace(
        add_callback=lambda fetch, client, future, seconds, put: put((future, future.result()))
    )

    def __init__(self, *answers):
        self.answers, self.keys = list(answers), []

    def nthreads(self):
        return {"one": 1}

    def processing(self):
        return {"one": self.keys[:1], "two": ()}

    def submit(self, function, words, first, games, key, pure, **where):
        self.keys.append(key)
        answer = self.answers.pop(0) if self.answers else lambda *played: played
        future = SimpleNamespace(key=key, status="error", exception=lambda: answer)
        future.add_done_callback = lambda call: call(future)
        if callable(answer):
            played = answer(*function(words, first, games)[:2], "a worker")
            future.status, future.result = "finished", lambda: played
        return future


class KilledWorker(Exception):
    pass


def fly(tmp_path, *answers):
    scheduler = Scheduler(*answers)
    flights = Flights(
        scheduler, SimpleNamespace(address="a:1", game=PIG), Progress(games_total=60), lambda progress: None
    )
    due = due_shards(tmp_path)
    seconds = flights.play(due)
    assert list(seconds) == [due[0].cell.plan.id] and flights.progress.games_done == 60
    assert all(one.path.exists() for one in due)
    return scheduler


def test_shards_whose_worker_died_are_asked_for_again_under_another_key(tmp_path):
    scheduler = fly(tmp_path, KilledWorker("task"), KilledWorker("task"))
    assert len(set(scheduler.keys)) == 5
    with pytest.raises(EngineError, match="its workers die; what is finished is kept"):
        fly(tmp_path, *(KilledWorker("task") for _ in range(99)))


def test_what_a_worker_raises_is_said(tmp_path):
    with pytest.raises(PolicyError, match=r"^not legal$"):
        fly(tmp_path, PolicyError("not legal"))
    with pytest.raises(
        EngineError,
        match="a worker fails: ModuleNotFoundError: no bartizan; is the same bartizan installed there",
    ):
        fly(tmp_path, ModuleNotFoundError("no bartizan"))


def test_bytes_that_are_not_what_was_asked_for(tmp_path):
    with pytest.raises(EngineError, match="a worker sends other bytes than it says"):
        fly(tmp_path, lambda content, digest, player: (content[:-1], digest, player))
    other = play_shard(asked(due_shards(tmp_path)[1]), 5, 10)
    with pytest.raises(EngineError, match="sends other games than asked for"):
        fly(tmp_path, lambda *played: other)


def test_two_workers_that_disagree_are_both_named(tmp_path):
    task = clusters.Task(
        play_shard, "", 0, 10, str(due_shards(tmp_path)[0].path), lambda content, player: None
    )
    flight = clusters.Flight(task, digest="a" * 64, player="tcp://one")
    clusters.refuse_other_bytes(flight, "a" * 64, "tcp://two")
    with pytest.raises(
        EngineError,
        match=r"00000.parquet: tcp://one and tcp://two play the same games otherwise \(sha256 aaaaaaaaaaaaaaaa and bbbbbbbbbbbbbbbb\)",
    ):
        clusters.refuse_other_bytes(flight, "b" * 64, "tcp://two")


def test_a_cluster_that_has_no_worker_is_left(tmp_path, monkeypatch):
    monkeypatch.setattr(clusters, "ANSWER", -1.0)
    monkeypatch.setattr(Scheduler, "nthreads", lambda self: {})
    with pytest.raises(EngineError, match="has had no worker for"):
        fly(tmp_path)


def test_a_scheduler_that_is_gone(tmp_path, monkeypatch):
    def gone(self):
        raise OSError("closed")

    monkeypatch.setattr(Scheduler, "nthreads", gone)
    with pytest.raises(
        EngineError, match=r"the scheduler does not answer any more \(OSError\); what is finished is kept"
    ):
        fly(tmp_path)


def test_a_dry_run_is_about_this_machine():
    result = bartizan(*SWEEP, "--dry-run", "--cluster", "local:2")
    assert result.code == 2 and "describes the whole sweep on this machine" in error_line(result)


def test_a_worker_finds_its_work_without_heavy_imports():
    """The cache of compiled code is named before numba is imported."""
    script = "import sys, bartizan.api.cluster.worker; print(sorted({'numba', 'numpy', 'polars'} & set(sys.modules)))"
    child = __import__("subprocess").run(
        [__import__("sys").executable, "-c", script], capture_output=True, text=True
    )
    assert child.stdout == "[]\n"
    assert Cluster("local:2", PIG).local == 2
