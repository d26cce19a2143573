"""Questions whose games a cluster plays: the answers of one machine, whatever becomes of a worker."""

import hashlib
import json
import os
import signal
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

import bartizan as bz
from bartizan.api.cluster import client as clusters
from bartizan.api.cluster.client import Cluster, WorkerPool, rows_of, table_in_words
from bartizan.api.cluster.worker import batch_of, code_of, play_rows
from bartizan.policies.request import Request
from bartizan.simcore.errors import BartizanError, EngineError
from bartizan.simcore.play.batch import Batch, Source
from bartizan.simcore.watch import Watch
from tests.cli.run_cli import PIG, ROOT, bartizan, error_line

distributed = pytest.importorskip("distributed")

LADDER = ("ladder", PIG, "--policy", "hold", "--games", 3000, "--json")
QUESTIONS = {
    "sensitivity": ("sensitivity", PIG, "--policy", "hold", "--games", 300, "--decks", 3, "--effects", 2, "--settings", 20, "--json"),
    "tune, one value": ("tune", PIG, "--policy", "hold", "--knob", "goal.points=40:100", "--target", "win_rate=0.55", "--games", 2000, "--fresh", 2000, "--json"),
    "tune, every value": ("tune", PIG, "--policy", "hold", "--target", "win_rate=0.55", "--games", 500, "--fresh", 500, "--json"),
}
TRAIN = ("train", PIG, "--policy", "hold", "--generations", 3, "--games", 300, "--fresh", 3000, "--json")


@pytest.fixture(scope="module")
def cluster():
    """Two workers that all tests share."""
    one_each = {"n_workers": 2, "threads_per_worker": 1, "memory_limit": 0}
    with distributed.LocalCluster(**one_each, dashboard_address=":0", silence_logs=50) as cluster:
        yield cluster


def both(arguments, address):
    """What a command prints here, and what it prints where a cluster plays."""
    here, there = bartizan(*arguments), bartizan(*arguments, "--cluster", address)
    assert here.code == there.code, there.err
    return here.out, there.out


# ---------------------------------------------------------------- with Dask


def test_a_ladder_by_two_processes_of_this_machine():
    here, there = both(LADDER, "local:2")
    assert here == there and json.loads(here)["cells"] == 12


@pytest.mark.parametrize("question", QUESTIONS)
def test_answers_are_those_of_one_machine(question, cluster):
    here, there = both(QUESTIONS[question], cluster.scheduler_address)
    assert here == there and json.loads(here)["game"] == "pig"


def test_a_player_with_weights_of_its_own_is_found_by_the_name_it_was_named_by(cluster):
    """As a member of an equilibrium's pool is."""
    match = match_of()
    players = tuple(replace(player, name="trained", weights={**player.weights, "at": 12.0}) for player in match.players)
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


class Meddling(Watch):
    """Does something once, as soon as the first games have come."""

    def __init__(self, then):
        self.then, self.lines = then, []

    def note(self, line):
        self.lines.append(line)

    def compiling(self, what, duration):
        pass

    def progress(self, name, games):
        return self

    def __enter__(self):
        return self

    def __exit__(self, *error):
        pass

    def __call__(self, progress):
        then, self.then = self.then, lambda: None
        then()


def processes(cluster):
    """Of its workers."""
    with distributed.Client(cluster, set_as_default=False) as client:
        client.wait_for_workers(2, timeout=60)
        return sorted(client.run(os.getpid).values())


def asked_of_a_cluster_that(then, cluster):
    watch = Meddling(then)
    found = bz.game(PIG, watch=watch).ladder(policy="hold", games=3000, cluster=cluster.scheduler_address)
    assert found.to_json() == bz.game(PIG, watch=Meddling(lambda: None)).ladder(policy="hold", games=3000).to_json()
    return watch.lines


@pytest.mark.slow  # a sweep loses a worker in test_cluster, by the same code
def test_a_worker_that_is_killed_costs_its_pieces(cluster):
    victim = processes(cluster)[0]
    asked_of_a_cluster_that(lambda: os.kill(victim, signal.SIGKILL), cluster)
    assert victim not in processes(cluster)


@pytest.mark.slow
def test_a_worker_that_hangs_is_not_waited_for(cluster, monkeypatch):
    monkeypatch.setattr(clusters, "PATIENCE", 0.5)
    victim = processes(cluster)[0]
    try:
        lines = asked_of_a_cluster_that(lambda: os.kill(victim, signal.SIGSTOP), cluster)
    finally:
        os.kill(victim, signal.SIGCONT)
    assert any("games " in line and "5 times as long as others; asked for again" in line for line in lines)


def test_a_worker_of_another_version_is_refused(cluster, monkeypatch):
    monkeypatch.setattr(clusters, "code_of", lambda: {**code_of(), "bartizan": "9.9"})
    result = bartizan(*LADDER, "--cluster", cluster.scheduler_address)
    assert result.code == 4
    assert "would play other games (versions: bartizan = 0.1.0, asked for 9.9); install the same" in error_line(result)


def test_a_policy_that_breaks_the_rules_is_named_as_here(cluster):
    reckless = ("ladder", PIG, "--policy", ROOT / "tests/games/reckless.py", "--policy", "hold", "--games", 3000)
    here, there = bartizan(*reckless), bartizan(*reckless, "--cluster", cluster.scheduler_address)
    assert there.code == here.code == 2 and error_line(there) == error_line(here)


# ---------------------------------------------------------------- without a cluster


@pytest.mark.parametrize("arguments", [LADDER, *QUESTIONS.values(), (*TRAIN, "-o", "hold.toml")])
def test_an_address_that_is_none(arguments, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = bartizan(*arguments, "--cluster=nonsense")
    assert result.code == 2 and "write the address of a scheduler" in error_line(result)


def test_what_is_wrong_with_a_question_is_said_before_anybody_is_asked():
    result = bartizan(*LADDER, "--policy", "nobody", "--cluster", "tcp://127.0.0.1:9")
    assert result.code == 2 and 'no policy "nobody" for pig' in error_line(result)


def match_of(policy="hold", seed=5, sets=()):
    return Request(PIG, policy=(policy,), sets=dict(sets)).match(seed, "one line-up")


def asked(match, **changes):
    words = {**json.loads(table_in_words(PIG, match, code_of())), **changes}
    return json.dumps({"table": json.dumps(words), "weights": [player.weights for player in match.players], "seed": match.seed})


def test_rows_of_a_worker_are_those_of_one_machine():
    match = match_of(sets={"goal.points": "30"})
    content, digest, player = play_rows(asked(match), 100, 50)
    assert hashlib.sha256(content).hexdigest() == digest
    rows = rows_of(content, match.engine.record_dtype, 100, 50, player)
    assert rows.tobytes() == Batch(match).play(100, 50).tobytes()


def test_a_worker_plays_the_weights_that_are_asked_for():
    match = match_of()
    other = Batch(match).with_weights(1, {"at": 3.0}, 7)
    words = json.dumps({"table": json.loads(asked(match))["table"], "weights": [player.weights for player in other.match.players], "seed": 7})
    content, _, _ = play_rows(words, 0, 50)
    assert content == other.play(0, 50).tobytes() != Batch(match).play(0, 50).tobytes()


def test_a_worker_with_other_files_refuses():
    match = match_of()
    identity = json.loads(json.loads(asked(match))["table"])["identity"]
    with pytest.raises(EngineError, match=r"match: scenario_hash = .*, asked for other"):
        batch_of(asked(match, identity={**identity, "scenario_hash": "other"}))
    with pytest.raises(EngineError, match=r"code = .*, asked for other"):
        batch_of(asked(match, code={**code_of(), "code": "other"}))


def test_a_player_without_a_name_is_refused():
    match = match_of()
    nameless = replace(match, players=tuple(replace(player, named="") for player in match.players))
    with pytest.raises(EngineError, match="policy hold has no name by which a worker could find it"):
        table_in_words(PIG, nameless, {})


def test_rows_of_other_games_are_refused():
    dtype = np.dtype([("game", np.int64), ("winner", np.int64)])
    rows = np.zeros(3, dtype)
    rows["game"] = [4, 5, 6]
    assert rows_of(rows.tobytes(), dtype, 4, 3, "one")["game"].tolist() == [4, 5, 6]
    for first, games in ((5, 3), (4, 2), (4, 4)):
        with pytest.raises(EngineError, match="one sends other games than asked for"):
            rows_of(rows.tobytes(), dtype, first, games, "one")


class Scheduler:
    """A cluster that takes tasks and answers none."""

    status = "running"

    def __init__(self, workers=1):
        self.workers = workers

    def nthreads(self):
        return dict.fromkeys(range(self.workers), 1)

    def submit(self, function, words, first, games, key, pure, **where):
        return SimpleNamespace(key=key, add_done_callback=lambda call: None)


class Reached(Cluster):
    def __init__(self, scheduler):
        self.address, self.game, self.scheduler = "a:1", PIG, scheduler

    def client(self):
        import contextlib

        return contextlib.nullcontext(self.scheduler)


def test_who_waits_is_told_when_the_workers_are_gone(monkeypatch):
    monkeypatch.setattr(clusters, "ANSWER", 0.5)
    scheduler = Scheduler()
    match = match_of()
    with WorkerPool(Reached(scheduler), lambda line: None) as pool:
        assert pool.threads == 2
        scheduler.workers = 0
        with pytest.raises(BartizanError, match=r"has had no worker for 0 s; .* run the same command again"):
            Batch(match, pool).play(0, 10)
        with pytest.raises(BartizanError, match="has had no worker"):
            Batch(match, pool).play(0, 10)
