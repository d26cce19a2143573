"""`sweep --cluster`: shards played by the workers of a Dask cluster, written here.

A worker gets text and numbers and returns the bytes of a shard; only this process writes. At most two shards
a worker are under way, so that a worker that dies costs little and the scheduler holds little.
"""

import atexit
import hashlib
import json
import logging
import queue
import re
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from bartizan.api.shard_worker import code_of, play_shard
from bartizan.simcore.errors import BartizanError, EngineError, UsageError

if TYPE_CHECKING:
    from distributed import Client, Future

    from bartizan.simcore.sweep.run import DueShard, Progress

INSTALL = "--cluster: needs Dask, which is not installed; install it with: pip install 'bartizan[cluster]'"
KEPT = "what is finished is kept, run the same command again"
AHEAD = 2  # shards under way for each worker
FAILURES = 100  # workers that may die under one shard: most of them die of something else
SLOW = 5  # times the median, after which a shard is played on another worker too
PATIENCE = 10.0  # seconds that a shard may take in any case
TRIES = 4
ANSWER = 60.0  # seconds within which a cluster answers, and has a worker
TICK = 0.5  # seconds between two looks at what is late


@dataclass
class Flight:
    """A shard that is under way, or was."""

    due: "DueShard"
    tries: int = 0
    since: float = 0.0  # of its last try
    digest: str = ""  # of its bytes, once they are there
    player: str = ""  # who played them


@dataclass
class Cluster:
    """The workers at an address, as `Division.elsewhere` wants them.

    address: of a scheduler, `tcp://host:8786`, or `local:2` for two processes of this machine. Raises
    UsageError for an address that is none, and where Dask is not installed.
    """

    address: str
    game: str  # as it is named
    scenario: str | None
    local: int = field(init=False, default=0)

    def __post_init__(self):
        found = re.fullmatch(r"local:(\d{1,3})", self.address)
        self.local = int(found[1]) if found else 0
        if (
            not (self.local or re.fullmatch(r"(\w+://)?[^\s:/]+:\d+", self.address))
            or self.address == "local:0"
        ):
            raise UsageError(
                f"--cluster {self.address}: write the address of a scheduler, such as tcp://host:8786, or "
                "local:2 for two processes here"
            )
        try:
            import distributed  # noqa: F401
        except ImportError:
            raise UsageError(INSTALL) from None

    def __call__(
        self, due: "list[DueShard]", progress: "Progress", watch: "Callable[[Progress], None]"
    ) -> dict[str, float]:
        """Has the shards played and writes them; {cell id: seconds}."""
        with self._client() as client:
            return Flights(client, self, progress, watch).play(due)

    @contextmanager
    def _client(self) -> "Iterator[Client]":
        import dask
        from distributed import Client, LocalCluster

        quiet = {
            "distributed.scheduler.allowed-failures": FAILURES,
            "distributed.scheduler.worker-saturation": 1.0,
            "distributed.nanny.pre-spawn-environ.NUMBA_NUM_THREADS": 1,
            "distributed.comm.timeouts.connect": "30s",
            "distributed.logging.distributed": "critical",
        }
        for name in ("distributed", "distributed.client"):  # what matters is said in one line, by us
            logging.getLogger(name).setLevel(logging.CRITICAL)
        with dask.config.set(quiet):
            if not self.local:
                with self._reached(
                    lambda: Client(self.address, timeout=ANSWER, set_as_default=False)
                ) as client:
                    yield client
                return
            one_each = {"n_workers": self.local, "threads_per_worker": 1, "memory_limit": 0}
            with (
                LocalCluster(**one_each, dashboard_address=":0", silence_logs=logging.CRITICAL) as cluster,
                Client(cluster, set_as_default=False) as client,
                _leaving_at_once(),
            ):
                yield client

    @contextmanager
    def _reached(self, connect: "Callable[[], Client]") -> "Iterator[Client]":
        try:
            client = connect()
        except (OSError, TimeoutError, ValueError) as error:
            raise UsageError(
                f"--cluster {self.address}: no scheduler answers there ({type(error).__name__}); start one "
                "with: dask scheduler"
            ) from error
        with client:
            yield client


@contextmanager
def _leaving_at_once() -> Iterator[None]:
    """After Ctrl-C nobody waits for workers at the end of the process: they end with it."""
    try:
        yield
    except KeyboardInterrupt:
        from distributed.deploy.spec import close_clusters

        atexit.unregister(close_clusters)
        raise


class Flights:
    """Shards under way on a cluster."""

    def __init__(self, client: "Client", cluster: Cluster, progress: "Progress", watch: Callable):
        self.client, self.address = client, cluster.address
        self.named = cluster.game, cluster.scenario
        self.progress, self.watch = progress, watch
        self.landed: queue.SimpleQueue[Future] = queue.SimpleQueue()
        self.under_way: dict[str, tuple[Future, Flight]] = {}  # by key
        self.took: list[float] = []  # seconds from submission to bytes
        self.deserted: float | None = None  # since when there is no worker
        self.code = code_of()

    def play(self, due: "list[DueShard]") -> dict[str, float]:
        """Returns {cell id: seconds}. Raises EngineError, and what a worker raises."""
        waiting, seconds = (
            deque(Flight(one) for one in due),
            dict.fromkeys((one.cell.plan.id for one in due), 0.0),
        )
        left, slots, since = len(waiting), self._slots(), time.monotonic()
        while left:
            while waiting and len(self._open()) < AHEAD * max(1, slots):
                self._submit(waiting.popleft())
            flight = self._landed_within(TICK)
            if flight is not None:
                now = time.monotonic()
                seconds[flight.due.cell.plan.id] += now - since
                self._count(flight, now - since)
                left, since = left - 1, now
            else:
                slots = self._slots()
                self._look_after_late_ones()
        return seconds

    def _open(self) -> list[Flight]:
        """Shards whose bytes are not there yet."""
        flights = {id(flight): flight for _, flight in self.under_way.values() if not flight.digest}
        return list(flights.values())

    def _slots(self) -> int:
        """How many shards the cluster plays at a time. Raises EngineError where it has long had no worker."""
        with self._asking():
            slots = sum(self.client.nthreads().values())
        now = time.monotonic()
        self.deserted = None if slots else self.deserted or now
        if self.deserted is not None and now - self.deserted > ANSWER:
            raise EngineError(
                f"--cluster {self.address}: has had no worker for {ANSWER:.0f} s; start some with: "
                f"dask worker {self.address} --nthreads 1; {KEPT}"
            )
        return slots

    @contextmanager
    def _asking(self) -> Iterator[None]:
        """What a scheduler does that is gone. Raises EngineError."""
        try:
            yield
        except (OSError, RuntimeError, TimeoutError) as error:
            why = f"the scheduler does not answer any more ({type(error).__name__})"
            raise EngineError(f"--cluster {self.address}: {why}; {KEPT}") from error

    def _submit(self, flight: Flight, others: Sequence[str] = ()) -> None:
        """Each try under a key of its own: the same key would wait for the try that is late.

        others: the workers that may play it; () any.
        """
        due = flight.due
        flight.tries += 1
        flight.since = time.monotonic()
        asked = asked_of(self.named, due, self.code)
        digest = hashlib.sha256(f"{asked} {due.first} {due.games}".encode()).hexdigest()
        key = f"bartizan-{digest[:40]}-{flight.tries}"
        where = {"workers": others, "allow_other_workers": True} if others else {}
        with self._asking():
            future = self.client.submit(play_shard, asked, due.first, due.games, key=key, pure=True, **where)
        self.under_way[key] = future, flight
        future.add_done_callback(self.landed.put)

    def _landed_within(self, seconds: float) -> Flight | None:
        """A shard whose first bytes have come; None: none has."""
        try:
            future = self.landed.get(timeout=seconds)
        except queue.Empty:
            return None
        _, flight = self.under_way.pop(str(future.key))
        if future.status != "finished":
            self._crashed(future, flight)
            return None
        content, digest, player = future.result()
        if flight.digest:
            _refuse_other_bytes(flight, digest, player)
            return None
        self._keep(flight.due, content, digest, player)
        flight.digest, flight.player = digest, player
        return flight

    def _crashed(self, future: "Future", flight: Flight) -> None:
        """Plays a shard again whose worker died; raises what a worker raised."""
        error = future.exception() if future.status == "error" else None
        if isinstance(error, BartizanError):
            raise error
        if flight.digest:
            return
        if future.status == "error" and type(error).__name__ != "KilledWorker":
            raise EngineError(
                f"--cluster {self.address}: {flight.due.path}: a worker fails: {type(error).__name__}: "
                f"{error}; is the same bartizan installed there?"
            )
        if flight.tries >= TRIES or self.client.status != "running":
            why = "its workers die" if error else "the scheduler has given it up"
            raise EngineError(f"--cluster {self.address}: {flight.due.path}: {why}; {KEPT}")
        self._submit(flight)

    def _keep(self, due: "DueShard", content: bytes, digest: str, player: str) -> None:
        """Raises EngineError where bytes were damaged on the way, or are of other games."""
        from bartizan.simcore.sweep.shards import identity_within, keep_shard

        sent = hashlib.sha256(content).hexdigest() == digest
        if not sent or identity_within(content, due.path) != json.loads(json.dumps(due.identity())):
            what = "other games than asked for" if sent else "other bytes than it says"
            raise EngineError(f"{due.path}: {player} sends {what}; run the same command again")
        keep_shard(due.path, content)

    def _count(self, flight: Flight, seconds: float) -> None:
        progress, due = self.progress, flight.due
        self.took.append(time.monotonic() - flight.since)
        progress.cell, progress.games_done = due.cell.plan.id, progress.games_done + due.games
        progress.played, progress.seconds = progress.played + due.games, progress.seconds + seconds
        self.watch(progress)

    def _look_after_late_ones(self) -> None:
        """A shard that takes far longer than others is played on another worker too: the first bytes win."""
        if not self.took:
            return
        late = max(PATIENCE, SLOW * median(self.took))
        for flight in self._open():
            took = time.monotonic() - flight.since
            if took > late and flight.tries < TRIES:
                self.progress.notes.append(
                    f"{flight.due.path}: not played after {took:.0f} s, {SLOW} times as long as others; "
                    "asked for again"
                )
                self.watch(self.progress)
                self._submit(flight, self._others(flight))

    def _others(self, flight: Flight) -> list[str]:
        """Workers that are not at this shard already."""
        keys = {key for key, (_, one) in self.under_way.items() if one is flight}
        with self._asking():
            at_it = self.client.processing()
        return [worker for worker, held in at_it.items() if not keys.intersection(map(str, held))]


def _refuse_other_bytes(flight: Flight, digest: str, player: str) -> None:
    """The first bytes are kept; those that come later must be the same. Raises EngineError."""
    if digest != flight.digest:
        raise EngineError(
            f"{flight.due.path}: {flight.player} and {player} play the same games otherwise (sha256 "
            f"{flight.digest[:16]} and {digest[:16]}); run bartizan doctor on both, then delete the shard"
        )


def asked_of(named: tuple[str, str | None], due: "DueShard", code: dict[str, str]) -> str:
    """A cell in words for `play_shard`: what was named, and what it must come to.

    named: game and scenario.
    """
    plan, (game, scenario) = due.cell.plan, named
    asked = {
        "game": _whole_path(game),
        "scenario": scenario and _whole_path(scenario),
        "difficulty": plan.difficulty,
        "policies": [_whole_paths(text) for text in plan.policies],
        "sets": plan.sets,
        "seed": due.cell.match.seed,
        "identity": due.cell.identity(0, 0),
        "code": code,
    }
    return json.dumps(asked, sort_keys=True)


def _whole_path(named: str) -> str:
    """A file by its whole path, as a worker may stand in another folder; what names no file stays."""
    return str(Path(named).resolve()) if Path(named).is_file() else named


def _whole_paths(policy: str) -> str:
    """The same of the files in a policy's text."""
    from bartizan.simcore.sweep.plan import FILES

    return FILES.sub(lambda found: found["before"] + _whole_path(found["file"]), policy)
