"""Questions whose games a cluster plays: what workers are asked, and what is refused. test_cluster.py
asks them of a cluster.
"""

import hashlib
import json
from dataclasses import replace
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from bartizan.api.cluster import client as clusters
from bartizan.api.cluster.client import Cluster, Dispatch, Flight, Piece, WorkerPool, refuse_other_bytes
from bartizan.api.cluster.wording import in_bytes, read, table_in_words, whole_path, whole_paths
from bartizan.api.cluster.worker import code_of, piece_of, play_piece, table_of
from bartizan.policies.request import Request
from bartizan.simcore.errors import BartizanError, EngineError, PolicyError
from bartizan.simcore.play.batch import Batch
from bartizan.simcore.play.rollouts import Branches, Rollouts
from tests.cli.run_cli import PIG, ROOT, bartizan, error_line

# found and not imported: that would take a second while tests are collected
pytestmark = without_dask = pytest.mark.skipif(find_spec("distributed") is None, reason="Dask is not installed")

LADDER = ("ladder", PIG, "--policy", "hold", "--games", 600, "--json")
QUESTIONS = {
    "ladder": LADDER,
    "sensitivity": ("sensitivity", PIG, "--policy hold --games 60 --decks 2 --effects 2 --settings 20 --json"),
    "tune, one value": (
        "tune",
        PIG,
        "--policy hold --knob goal.points=40:100:20 --target win_rate=0.55 --games 1000 --fresh 1000 --json",
    ),
    "tune, every value": ("tune", PIG, "--policy hold --target win_rate=0.55 --games 200 --fresh 200 --json"),
}
TRAIN = ("train", PIG, "--policy", "hold", "--generations", 2, "--games", 100, "--fresh", 1000, "--json")


@pytest.mark.parametrize("arguments", [*QUESTIONS.values(), (*TRAIN, "-o", "hold.toml")])
def test_an_address_that_is_none(arguments, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = bartizan(*arguments, "--cluster=nonsense")
    assert result.code == 2 and "write the address of a scheduler" in error_line(result)


def test_what_is_wrong_with_a_question_is_said_before_anybody_is_asked():
    result = bartizan(*LADDER, "--policy", "nobody", "--cluster", "tcp://127.0.0.1:9")
    assert result.code == 2 and 'no policy "nobody" for pig' in error_line(result)


def match_of(policy="hold", seed=5, sets=()):
    return Request(PIG, policy=(policy,), sets=dict(sets)).match(seed, "test")


def played(piece, *chunk):
    """What a worker makes of a piece, with its sha256 held."""
    content, digest, _ = play_piece(json.dumps(code_of()), in_bytes(piece), chunk)
    assert hashlib.sha256(content).hexdigest() == digest
    return read(content)


def test_rows_of_a_worker_are_those_of_one_machine():
    batch = Batch(match_of(sets={"goal.points": "30"}))
    assert played(batch.play, range(100, 150)).tobytes() == batch.play(range(100, 150)).tobytes()


def test_a_worker_plays_the_weights_and_the_luck_that_are_asked_for():
    match = match_of()
    other = Batch(match).with_weights(1, {"at": 3.0}, 7)
    assert (
        played(other.play, range(50)).tobytes()
        == other.play(range(50)).tobytes()
        != Batch(match).play(range(50)).tobytes()
    )


def test_an_experiment_travels_with_its_fields_and_without_its_code():
    rollouts = Rollouts(match_of(), 20)
    (here,) = rollouts.play(range(8, 11), first_branch=5)
    there = played(partial(rollouts._piece, 5), range(8, 11))
    assert there.first_game == 8 and (there.turns == here.turns).all() and (there.wins == here.wins).all()
    assert len(in_bytes(partial(rollouts._piece, 5))) < 5000


def test_a_worker_with_other_files_refuses():
    words = json.loads(table_in_words(match_of()))
    words["identity"]["scenario_hash"] = "other"
    with pytest.raises(EngineError, match=r"match: scenario_hash = .* instead of other"):
        table_of(json.dumps(words))
    with pytest.raises(EngineError, match=r"code = .* instead of other"):
        play_piece(json.dumps({**code_of(), "code": "other"}), b"", ())


def test_a_player_without_a_name_is_refused():
    match = match_of()
    nameless = replace(match, players=tuple(replace(player, named="") for player in match.players))
    with pytest.raises(EngineError, match="workers cannot load policy hold, because it has no importable name"):
        table_in_words(nameless)


def test_rows_of_other_games_are_refused():
    class Others:
        threads = 1

        def play(self, piece, games):
            return Batch(match_of()).play(range(games.start + 1, games.stop + 1))

    with pytest.raises(EngineError, match="games 5 to 7: a worker returned games that were not requested"):
        Batch(match_of(), Others()).play(range(5, 8))


def test_files_are_named_by_their_whole_path(tmp_path, monkeypatch):
    monkeypatch.chdir(ROOT / "examples")
    words = json.loads(table_in_words(Request("pig/pig.py").match(5, "test")))
    assert words["game"] == PIG and words["scenario"] == "standard"
    (tmp_path / "hold.py").write_text("")
    policy = f"a={tmp_path}/../{tmp_path.name}/hold.py:at=3"
    assert (
        whole_paths(policy) == f"a={tmp_path.resolve()}/hold.py:at=3" and Path(whole_path("pig/pig.py")).is_absolute()
    )


def test_what_travels_comes_back_alike():
    """Also records with gaps between their columns, on which compiled code depends."""
    inside = np.dtype([("a", "i1"), ("b", "f8", (2,))], align=True)
    record = np.dtype([("x", inside, (3,)), ("y", "u2")], align=True)
    value = (
        1,
        2.5,
        "three",
        None,
        {4: [True]},
        Branches(0, 7),
        np.zeros((2, 0), np.int8),
        np.arange(6, dtype="i2").reshape(2, 3),
    )
    rows = np.zeros(2, record)
    rows["x"]["b"][1, 2] = 8.0
    *plain, none, numbers, again = read(in_bytes((*value, rows)))
    assert tuple(plain) == value[:-2] and type(plain[-1]) is Branches and none.shape == (2, 0)
    assert (numbers == value[-1]).all() and again.dtype == record and again.dtype.isalignedstruct
    assert again.tobytes() == rows.tobytes() and in_bytes(again) == in_bytes(rows)
    with pytest.raises(TypeError, match="object: cannot be sent to a worker"):
        in_bytes(object())
    with pytest.raises(EngineError, match=r"os:system +: not part of bartizan"):
        read(in_bytes(Branches(0, 7)).replace(b"bartizan.simcore.play.rollouts:Branches", b"os:system".ljust(39)))


def test_a_worker_keeps_what_it_made_ready():
    asked = in_bytes(Batch(match_of(sets={"goal.points": "41"})).play)
    assert piece_of(asked) is piece_of(asked)


class Scheduler:
    """A cluster that takes tasks and answers none."""

    status = "running"

    def __init__(self, workers=1):
        self.workers = workers

    def nthreads(self):
        return dict.fromkeys(range(self.workers), 1)

    def submit(self, function, *asked, key, pure, **where):
        return SimpleNamespace(key=key, add_done_callback=lambda call: None)


class Reached(Cluster):
    def __init__(self, scheduler):
        self.address, self.scheduler = "a:1", scheduler

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
        with pytest.raises(
            BartizanError,
            match=r"has had no worker for 0 s; .* run the same command again; a sweep keeps finished games",
        ):
            Batch(match, pool).play(range(10))
        with pytest.raises(BartizanError, match="has had no worker"):
            Batch(match, pool).play(range(10))


class Answering(Scheduler):
    """Answers as it is told: each try by a function of (content, digest, player), or an error."""

    loop = SimpleNamespace(add_callback=lambda fetch, client, future, seconds, put: put((future, future.result())))

    def __init__(self, *answers):
        super().__init__()
        self.answers, self.keys = list(answers), []

    def submit(self, function, *asked, key, pure, **where):
        self.keys.append(key)
        answer = self.answers.pop(0) if self.answers else lambda *played: played
        future = SimpleNamespace(key=key, status="error", exception=lambda: answer)
        future.add_done_callback = lambda call: call(future)
        if callable(answer):
            content, digest, _ = function(*asked)
            future.status, future.result = "finished", lambda: answer(content, digest, "a worker")
        return future


class KilledWorker(Exception):
    pass


def fly(*answers):
    """Ten games from a scheduler that answers so; it."""
    scheduler = Answering(*answers)
    with WorkerPool(Reached(scheduler), lambda line: None) as pool:
        assert len(Batch(match_of(), pool).play(range(10))) == 10
    return scheduler


def test_a_piece_whose_worker_died_is_asked_for_again_under_another_key():
    scheduler = fly(KilledWorker("task"), KilledWorker("task"))
    assert len(set(scheduler.keys)) == 3
    with pytest.raises(EngineError, match="its workers stop unexpectedly; run the same command again"):
        fly(*(KilledWorker("task") for _ in range(99)))


def test_what_a_worker_raises_is_said():
    with pytest.raises(PolicyError, match=r"^not legal$"):
        fly(PolicyError("not legal"))
    with pytest.raises(
        EngineError,
        match="a worker failed: ModuleNotFoundError: no bartizan; check that it has the same version of bartizan",
    ):
        fly(ModuleNotFoundError("no bartizan"))


def test_bytes_that_were_damaged_are_refused():
    with pytest.raises(EngineError, match="a worker sent bytes that do not match their checksum"):
        fly(lambda content, digest, player: (content[:-1], digest, player))


def test_a_scheduler_that_is_gone(monkeypatch):
    def gone(self):
        raise OSError("closed")

    monkeypatch.setattr(Scheduler, "nthreads", gone)
    with pytest.raises(EngineError, match=r"the scheduler no longer answers \(OSError\); run the same"):
        fly()


def test_two_workers_that_disagree_are_both_named():
    flight = Flight(Piece("", b"", (10, 0), "games 0 to 9"), digest="a" * 64, player="tcp://one")
    refuse_other_bytes(flight, "a" * 64, "tcp://two")
    with pytest.raises(
        EngineError,
        match=r"games 0 to 9: tcp://one and tcp://two return different results for the same games \(sha256 aaaaaaaaaaaaaaaa and bbbbbbbbbbbbbbbb\)",
    ):
        refuse_other_bytes(flight, "b" * 64, "tcp://two")


def test_a_late_duplicate_that_fails_changes_nothing():
    """Asked for twice: the rows have come, or the first try has failed, before the second fails."""
    for is_failed in (False, True):
        dispatch = Dispatch(Answering(*(EngineError("this worker has other files") for _ in "12")), "tcp://x:1", print)
        flight = Flight(Piece("", b"", (4, 0), "games 0 to 3"))
        for _ in range(1 + is_failed):
            dispatch.submit(flight)
        if not is_failed:
            flight.piece.content.set_result(b"rows")
            flight.is_over = True
        for _ in range(1 + is_failed):
            assert dispatch.landed_within(0.1) is None
        assert dispatch.under_way == {} and bool(flight.piece.content.exception()) == is_failed
