"""Questions whose games a cluster plays: what workers are asked, and what is refused. test_cluster.py asks them of a cluster."""

import hashlib
import json
from concurrent.futures import Future as Promise
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from bartizan.api.cluster import client as clusters
from bartizan.api.cluster.client import Cluster, Dispatch, Flight, Piece, WorkerPool, rows_of, table_in_words
from bartizan.api.cluster.worker import batch_of, code_of, play_rows
from bartizan.policies.request import Request
from bartizan.simcore.errors import BartizanError, EngineError
from bartizan.simcore.play.batch import Batch
from tests.cli.run_cli import PIG, bartizan, error_line

pytest.importorskip("distributed")

LADDER = ("ladder", PIG, "--policy", "hold", "--games", 3000, "--json")
QUESTIONS = {
    "ladder": LADDER,
    "sensitivity": ("sensitivity", PIG, "--policy", "hold", "--games", 300, "--decks", 3, "--effects", 2, "--settings", 20, "--json"),
    "tune, one value": ("tune", PIG, "--policy", "hold", "--knob", "goal.points=40:100", "--target", "win_rate=0.55", "--games", 2000, "--fresh", 2000, "--json"),
    "tune, every value": ("tune", PIG, "--policy", "hold", "--target", "win_rate=0.55", "--games", 500, "--fresh", 500, "--json"),
}
TRAIN = ("train", PIG, "--policy", "hold", "--generations", 3, "--games", 300, "--fresh", 3000, "--json")


@pytest.mark.parametrize("arguments", [*QUESTIONS.values(), (*TRAIN, "-o", "hold.toml")])
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
    with pytest.raises(EngineError, match=r"match: scenario_hash = .* instead of other"):
        batch_of(asked(match, identity={**identity, "scenario_hash": "other"}))
    with pytest.raises(EngineError, match=r"code = .* instead of other"):
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


class Broken:
    """A scheduler each of whose tries ends with an error of the worker's own."""

    status, loop = "running", None

    def submit(self, *asked, key, **where):
        error = EngineError("this worker has other files")
        return SimpleNamespace(
            key=key, status="error", exception=lambda: error, add_done_callback=lambda done: None
        )


def test_a_late_duplicate_that_fails_changes_nothing():
    """Asked for twice: the rows have come, or the first try has failed, before the second fails."""
    for is_failed in (False, True):
        dispatch, rows = Dispatch(Broken(), "tcp://x:1", print), Promise()
        flight = Flight(Piece(None, "{}", 0, 4, "games 0 to 3", None, rows))
        for _ in range(1 + is_failed):
            dispatch.submit(flight)
        if not is_failed:
            rows.set_result("rows")
            flight.is_over = True
        for future, _ in list(dispatch.under_way.values()):
            dispatch.arrived.put((future, None))
            assert dispatch.landed_within(0.1) is None
        assert dispatch.under_way == {} and bool(rows.exception()) == is_failed
