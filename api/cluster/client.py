"""Games played by the workers of a Dask cluster: shards of `sweep --cluster`, and pieces of the games of
`ladder`, `tune`, `train` and `sensitivity`.

A worker gets text and numbers and returns bytes; only this process writes. A task is tried again where a
worker dies, given to a second worker where one is slow, and refused where two disagree.
"""

import asyncio
import atexit
import hashlib
import json
import logging
import queue
import re
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future as Promise
from concurrent.futures import InvalidStateError
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import islice
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from bartizan.api.cluster.worker import code_of, play_rows, play_shard
from bartizan.simcore.errors import BartizanError, EngineError, UsageError

if TYPE_CHECKING:
    import numpy as np
    from distributed import Client, Future

    from bartizan.simcore.play.batch import Progress
    from bartizan.simcore.play.match import Match
    from bartizan.simcore.sweep.run import DueShard

INSTALL = "--cluster: needs Dask, which is not installed; install it with: pip install 'bartizan[cluster]'"
FAILURES = 100  # workers that may die under one shard: most of them die of something else
KEPT = "what is finished is kept, run the same command again"
AHEAD = 2  # tasks under way for each worker
SLOW = 5  # times the median, after which a task is given to another worker too
PATIENCE = 10.0  # seconds that a task may take in any case
TRIES = 4
ANSWER = 60.0  # seconds within which a cluster answers, and has a worker
TICK = 0.5  # seconds between two looks at what is late
RECENT = 1000  # tasks whose time tells what is slow

Played = tuple[bytes, str, str]  # what `worker` returns: bytes, their sha256, who played


# ---------------------------------------------------------------- a cluster


@dataclass
class Cluster:
    """The workers at an address, as `simcore.sweep.run.ShardWorkers`.

    address: of a scheduler, `tcp://host:8786`, or `local:2` for two processes of this machine. Raises
    UsageError for an address that is none, and where Dask is not installed.
    """

    address: str
    game: str  # as it is named
    local: int = field(init=False, default=0)

    def __post_init__(self):
        processes = re.fullmatch(r"local:(\d{1,3})", self.address)
        self.local = int(processes[1]) if processes else 0
        if (
            not (self.local or re.fullmatch(r"(\w+://)?[^\s:/]+:\d+", self.address))
            or self.address == "local:0"
        ):
            raise UsageError(
                f"--cluster {self.address}: write the address of a scheduler, such as "
                "tcp://host:8786, or local:2 for two local processes"
            )
        try:
            import distributed  # noqa: F401
        except ImportError:
            raise UsageError(INSTALL) from None

    def __call__(
        self, due: "list[DueShard]", progress: "Progress", watch: "Callable[[Progress], None]"
    ) -> dict[str, float]:
        """Has the shards played and writes them; {cell id: seconds}."""
        with self.client() as client:
            return Flights(client, self, progress, watch).play(due)

    @contextmanager
    def client(self) -> "Iterator[Client]":
        """Who asks the scheduler, as long as it is needed. Raises UsageError where none answers."""
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
                try:
                    remote = Client(self.address, timeout=ANSWER, set_as_default=False)
                except (OSError, TimeoutError, ValueError) as error:
                    raise UsageError(
                        f"--cluster {self.address}: no scheduler found ({type(error).__name__}); "
                        "start one with: dask scheduler"
                    ) from error
                with remote as client:
                    yield client
                return
            one_each = {"n_workers": self.local, "threads_per_worker": 1, "memory_limit": 0}
            with (
                LocalCluster(**one_each, dashboard_address=":0", silence_logs=logging.CRITICAL) as cluster,
                Client(cluster, set_as_default=False) as client,
            ):
                try:
                    yield client
                except (
                    KeyboardInterrupt
                ):  # nobody waits for workers at the end of the process: they end with it
                    from distributed.deploy.spec import close_clusters

                    atexit.unregister(close_clusters)
                    raise


# ---------------------------------------------------------------- tasks under way


@dataclass(frozen=True, eq=False)
class Task:
    """Consecutive games to be played elsewhere."""

    play: Callable[[str, int, int], Played]  # of `worker`: what, first game, games
    asked: str
    first: int
    games: int
    name: str  # for a line about it
    keep: Callable[[bytes, str], None]  # (the bytes, who played); raises where they are of other games

    def fail(self, error: BartizanError) -> None:
        """What a worker raised of its own accord: a policy that breaks the rules, other files than here."""
        raise error


@dataclass
class Flight:
    """A task that is under way, or was."""

    task: Task
    tries: int = 0
    since: float = 0.0  # of its last try
    digest: str = ""  # of its bytes, once they are there
    player: str = ""  # who played them
    is_over: bool = False  # it has its bytes, or has failed


class Dispatch:
    """Tasks under way on a cluster."""

    def __init__(self, client: "Client", address: str, note: Callable[[str], None], remedy: str = KEPT):
        self.client, self.address, self.note, self.remedy = client, address, note, remedy
        # what to ask for, and what came of a try; None: it crashed
        self.arrived: queue.SimpleQueue[Task | tuple[Future, Played | None]] = queue.SimpleQueue()
        self.under_way: dict[str, tuple[Future, Flight]] = {}  # by key
        self.took: list[float] = []  # seconds from submission to bytes, of the last ones
        self.deserted: float | None = None  # since when there is no worker
        self.submitted = 0
        self.looked = time.monotonic()

    def open(self) -> list[Flight]:
        """Tasks whose bytes are not there yet."""
        flights = {id(flight): flight for _, flight in self.under_way.values() if not flight.is_over}
        return list(flights.values())

    def slots(self) -> int:
        """How many tasks the cluster plays at a time. Raises EngineError where it has long had no worker."""
        with self._asking():
            slots = sum(self.client.nthreads().values())
        now = time.monotonic()
        self.deserted = None if slots else self.deserted or now
        if self.deserted is not None and now - self.deserted > ANSWER:
            raise EngineError(
                f"--cluster {self.address}: has had no worker for {ANSWER:.0f} s; start some with: "
                f"dask worker {self.address} --nthreads 1; {self.remedy}"
            )
        return slots

    @contextmanager
    def _asking(self) -> Iterator[None]:
        """What a scheduler does that is gone. Raises EngineError."""
        try:
            yield
        except (OSError, RuntimeError, TimeoutError) as error:
            why = f"the scheduler does not answer any more ({type(error).__name__})"
            raise EngineError(f"--cluster {self.address}: {why}; {self.remedy}") from error

    def submit(self, flight: Flight, others: Sequence[str] = ()) -> None:
        """Each try under a key of its own: the same key would wait for the try that is late, or be another
        task that asks the same.

        others: the workers that may play it; () any.
        """
        task = flight.task
        flight.tries += 1
        self.submitted += 1
        flight.since = time.monotonic()
        digest = hashlib.sha256(f"{task.asked} {task.first} {task.games}".encode()).hexdigest()
        key = f"bartizan-{digest[:40]}-{self.submitted}"
        where = {"workers": others, "allow_other_workers": True} if others else {}
        with self._asking():
            future = self.client.submit(
                task.play, task.asked, task.first, task.games, key=key, pure=True, **where
            )
        self.under_way[key] = future, flight
        future.add_done_callback(self._done)

    def _done(self, future: "Future") -> None:
        """A try is over: its bytes are fetched while other things go on. Called by a thread of Dask's."""
        if future.status == "finished" and self.client.loop:
            self.client.loop.add_callback(_fetch, self.client, future, self._late(), self.arrived.put)
        else:
            self.arrived.put((future, None))

    def landed_within(self, seconds: float) -> Flight | None:
        """A task whose first bytes have come; None: none has. Submits what was asked for.

        Raises EngineError where bytes were damaged, or are of other games.
        """
        try:
            arrived = self.arrived.get(timeout=seconds)
        except queue.Empty:
            return None
        if isinstance(arrived, Task):
            self.submit(Flight(arrived))
            return None
        future, played = arrived
        _, flight = self.under_way.pop(str(future.key))
        if played is None:
            self._crashed(future, flight)
            return None
        content, digest, player = played
        if flight.is_over:
            refuse_other_bytes(flight, digest, player)
            return None
        if hashlib.sha256(content).hexdigest() != digest:  # damaged on the way
            raise EngineError(
                f"{flight.task.name}: {player} sends other bytes than it says; run the same command again"
            )
        flight.task.keep(content, player)
        flight.digest, flight.player, flight.is_over = digest, player, True
        self.took = [*self.took[-RECENT:], time.monotonic() - flight.since]
        return flight

    def _crashed(self, future: "Future", flight: Flight) -> None:
        """Plays a task again whose worker died; raises what a worker raised."""
        if flight.is_over:  # a late duplicate: what it failed of no longer matters
            return
        error = future.exception() if future.status == "error" else None
        if isinstance(error, BartizanError):
            flight.is_over = True
            flight.task.fail(error)
            return
        if future.status == "error" and type(error).__name__ != "KilledWorker":
            raise EngineError(
                f"--cluster {self.address}: {flight.task.name}: a worker fails: {type(error).__name__}: "
                f"{error}; is the same bartizan installed there?"
            )
        if flight.tries >= TRIES or self.client.status != "running":
            why = "its workers die" if error else "the scheduler has given it up"
            raise EngineError(f"--cluster {self.address}: {flight.task.name}: {why}; {self.remedy}")
        self.submit(flight)

    def is_time_to_look(self) -> bool:
        """Once in a while, however busy it is: are there workers, and is a task late?"""
        is_time = time.monotonic() > self.looked + TICK
        self.looked = time.monotonic() if is_time else self.looked
        return is_time

    def look_after_late_ones(self) -> None:
        """A task that takes far longer than others is played on another worker too: the first bytes win."""
        if not self.took:
            return
        late = self._late()
        for flight in self.open():
            took = time.monotonic() - flight.since
            if took > late and flight.tries < TRIES:
                self.note(
                    f"{flight.task.name}: not finished after {took:.0f} s, {SLOW} times as long as "
                    "others; resubmitted"
                )
                self.submit(flight, self._others(flight))

    def _late(self) -> float:
        """Seconds after which something is late."""
        return max(PATIENCE, SLOW * median(self.took or [0.0]))

    def _others(self, flight: Flight) -> list[str]:
        """Workers that are not at this task already."""
        keys = {key for key, (_, one) in self.under_way.items() if one is flight}
        with self._asking():
            at_it = self.client.processing()
        return [worker for worker, held in at_it.items() if not keys.intersection(map(str, held))]


async def _fetch(client: "Client", future: "Future", seconds: float, put: Callable[[Any], None]) -> None:
    """The bytes of a task, from the worker that holds them: lost where it dies or hangs before that."""
    try:
        played = await asyncio.wait_for(client.gather(future, asynchronous=True), seconds)
    except Exception:  # whatever it is, the task is played again
        played = None
    put((future, played))


def refuse_other_bytes(flight: Flight, digest: str, player: str) -> None:
    """The first bytes are kept; those that come later must be the same. Raises EngineError."""
    if flight.digest and digest != flight.digest:
        raise EngineError(
            f"{flight.task.name}: {flight.player} and {player} play the same games otherwise (sha256 "
            f"{flight.digest[:16]} and {digest[:16]}); run bartizan doctor on both, then "
            "delete the shard if there is one"
        )


# ---------------------------------------------------------------- shards of a sweep


class Flights(Dispatch):
    """Shards under way on a cluster."""

    def __init__(self, client: "Client", cluster: Cluster, progress: "Progress", watch: Callable):
        super().__init__(client, cluster.address, self._note)
        self.game, self.progress, self.watch = cluster.game, progress, watch
        self.code = code_of()

    def play(self, due: "list[DueShard]") -> dict[str, float]:
        """Returns {cell id: seconds}. Raises EngineError, and what a worker raises."""
        cells = {str(one.path): one.cell.plan.id for one in due}
        waiting, seconds = iter(due), dict.fromkeys(cells.values(), 0.0)
        left, slots, since = len(due), self.slots(), time.monotonic()
        while left:
            for one in islice(waiting, max(0, AHEAD * max(1, slots) - len(self.open()))):
                words = asked_of(self.game, one, self.code)
                keep = partial(_keep, one)
                self.submit(Flight(Task(play_shard, words, one.first, one.games, str(one.path), keep)))
            flight = self.landed_within(TICK)
            if flight is not None:
                now = time.monotonic()
                cell = cells[flight.task.name]
                seconds[cell] += now - since
                self.progress.cell = cell
                self.progress.games_done += flight.task.games
                self.progress.played += flight.task.games
                self.progress.seconds += now - since
                self.watch(self.progress)
                left, since = left - 1, now
            if self.is_time_to_look():
                slots = self.slots()
                self.look_after_late_ones()
        return seconds

    def _note(self, line: str) -> None:
        self.progress.notes.append(line)
        self.watch(self.progress)


def _keep(due: "DueShard", content: bytes, player: str) -> None:
    """Writes a shard. Raises EngineError where it is of other games."""
    from bartizan.simcore.sweep.shards import identity_within, keep_shard

    if identity_within(content, due.path) != json.loads(json.dumps(due.identity())):
        raise EngineError(
            f"{due.path}: {player} sends other games than asked for; run the same command again"
        )
    keep_shard(due.path, content)


def asked_of(game: str, due: "DueShard", code: dict[str, str]) -> str:
    """A shard in words for `play_shard`. game: as it is named."""
    match = due.cell.match
    words = match_in_words(table_in_words(game, match, code), match)
    return json.dumps({**words, "shard": due.cell.identity(0, 0)}, sort_keys=True)


def whole_path(named: str) -> str:
    """A file by its whole path, as a worker may stand in another folder; what names no file stays."""
    return str(Path(named).resolve()) if Path(named).is_file() else named


def whole_paths(policy: str) -> str:
    """The same of the files in a policy's text."""
    from bartizan.simcore.sweep.plan import FILES

    return FILES.sub(lambda match: match["before"] + whole_path(match["file"]), policy)


# ---------------------------------------------------------------- games that nobody keeps


# `Batch` plays these some games at a time on a pool of threads. Here each thread asks a worker and waits for
# the rows: what is asked, in which order it is looked at and what comes of it are those of one machine. One
# thread of ours talks to the scheduler.


@dataclass(frozen=True, eq=False)
class Piece(Task):
    """Games that a thread waits for."""

    rows: Promise = field(default_factory=Promise)

    def fail(self, error: BartizanError) -> None:
        """The thread raises it: the first piece in the order of the games tells what went wrong."""
        self.rows.set_exception(error)


class WorkerPool:
    """The workers of a cluster as `simcore.play.batch.Elsewhere`: from `with` on, for as long.

    The cluster is reached when it is first asked for: what is wrong with a question is said before.
    """

    def __init__(self, cluster: Cluster, note: Callable[[str], None]):
        self.cluster, self.note = cluster, note
        self.stack = ExitStack()
        self.waited_for: set[Promise] = set()
        self.end: BaseException | None = None  # why nothing is played any more
        self.tables: WeakKeyDictionary[Match, str] = WeakKeyDictionary()  # each in words
        self.code = code_of()

    def __enter__(self) -> "WorkerPool":
        return self

    def __exit__(self, *error: Any) -> bool | None:
        self._give_up(EngineError("--cluster: the command has ended"))
        return self.stack.__exit__(*error)

    @cached_property
    def dispatch(self) -> Dispatch:
        """Reached now. Raises UsageError where nobody answers, EngineError where there is no worker."""
        client = self.stack.enter_context(self.cluster.client())
        dispatch = Dispatch(client, self.cluster.address, self.note, "run the same command again")
        while not dispatch.slots():
            time.sleep(TICK)
        threading.Thread(target=self._serve, args=(dispatch,), daemon=True).start()
        return dispatch

    @cached_property
    def threads(self) -> int:
        """Two pieces a worker: one played, one waiting."""
        return AHEAD * max(1, self.dispatch.slots())

    def play(self, table: "Match", match: "Match", first_game: int, games: int) -> "np.ndarray":
        """As `Elsewhere` says. Raises EngineError, and what a worker raises."""
        rows: Promise = Promise()
        if table not in self.tables:
            self.tables[table] = table_in_words(self.cluster.game, table, self.code)
        words, dispatch = json.dumps(match_in_words(self.tables[table], match)), self.dispatch
        dtype = match.engine.record_dtype

        def keep(content: bytes, player: str) -> None:
            rows.set_result(rows_of(content, dtype, first_game, games, player))

        name = f"games {first_game} to {first_game + games - 1}, seed {match.seed}"
        self.waited_for.add(rows)
        dispatch.arrived.put(Piece(play_rows, words, first_game, games, name, keep, rows))
        if self.end:
            self._give_up(self.end)
        try:
            return rows.result()
        finally:
            self.waited_for.discard(rows)

    def _serve(self, dispatch: Dispatch) -> None:
        """Sends pieces and hands their rows to who waits, until nothing is to be played any more."""
        try:
            while not self.end:
                dispatch.landed_within(TICK)
                if dispatch.is_time_to_look():
                    dispatch.slots()
                    dispatch.look_after_late_ones()
        except BaseException as error:  # whatever it is, who waits is to raise it
            self._give_up(error)

    def _give_up(self, error: BaseException) -> None:
        """Nobody waits any longer."""
        self.end = self.end or error
        for rows in list(self.waited_for):
            with suppress(InvalidStateError):  # they have come in this very moment
                rows.set_exception(self.end)


def match_in_words(table: str, match: "Match") -> dict[str, Any]:
    """A match in words for `batch_of`. table: the same as it was named, in words."""
    return {"table": table, "weights": [player.weights for player in match.players], "seed": match.seed}


def table_in_words(game: str, table: "Match", code: dict[str, str]) -> str:
    """A match as it was named, and what it must come to. game: as it is named."""
    from bartizan.simcore.sweep.manifest import table_identity

    scenario = table.scenario
    shipped = scenario.path.parent == table.game.scenarios
    for player in table.players:
        if not player.named:
            raise EngineError(f"--cluster: policy {player.name} has no name by which a worker could find it")
    words = {
        "game": whole_path(game),
        "scenario": scenario.path.stem if shipped else whole_path(str(scenario.path)),
        "difficulty": scenario.difficulty,
        "policies": [whole_paths(player.named) for player in table.players],
        "sets": scenario.overrides,
        "ply_cap": table.ply_cap,
        "identity": table_identity(table),
        "code": code,
    }
    return json.dumps(words)


def rows_of(content: bytes, dtype: "np.dtype", first: int, games: int, player: str) -> "np.ndarray":
    """Raises EngineError where they are of other games."""
    import numpy as np

    rows = np.frombuffer(content, dtype) if len(content) == games * dtype.itemsize else np.zeros(0, dtype)
    if len(rows) != games or (rows["game"] != np.arange(first, first + games)).any():
        raise EngineError(
            f"games {first} to {first + games - 1}: {player} sends other games than asked for; run the same "
            "command again"
        )
    return rows
