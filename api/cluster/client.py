"""Simulate games on the workers of a Dask cluster, in tasks.

A worker receives a description of the match and the game numbers, and returns the results of the games. Only
this process writes files. A task is resubmitted if its worker dies, and given to a second worker if it is
slow. Two different results of one task are an error.
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
from functools import cached_property
from statistics import median
from typing import TYPE_CHECKING, Any

from bartizan.api.cluster.worker import code_of, play_piece
from bartizan.simcore.documentation import extra
from bartizan.simcore.errors import BartizanError, EngineError, UsageError

if TYPE_CHECKING:
    from distributed import Client, Future

INSTALL = f"--cluster: needs Dask, which is not installed; {extra('cluster')}"
FAILURES = 100  # number of workers that may die during one task, because most die for other reasons
AGAIN = "run the same command again; a sweep keeps finished games"
AHEAD = 2  # tasks in flight per worker
SLOW = 5  # a task that takes this many times the median is also given to another worker
PATIENCE = 10.0  # seconds that any task may take
TRIES = 4
ANSWER = 60.0  # seconds within which a cluster must answer and have a worker
TICK = 0.5  # seconds between two checks for slow tasks
RECENT = 1000  # number of tasks whose durations determine which tasks are slow

Played = tuple[bytes, str, str]  # what `play_piece` returns: bytes, their sha256, name of the worker


# ---------------------------------------------------------------- a cluster


@dataclass
class Cluster:
    """The workers at an address.

    address: the address of a scheduler, such as `tcp://host:8786`, or `local:2` for two processes on this
    machine. Raises UsageError for an invalid address, and if Dask is not installed.
    """

    address: str
    local: int = field(init=False, default=0)

    def __post_init__(self) -> None:
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

    @contextmanager
    def client(self) -> "Iterator[Client]":
        """Context manager for a connection to the scheduler.

        Raises UsageError if the scheduler does not answer.
        """
        import dask
        from distributed import Client, LocalCluster

        quiet = {
            "distributed.scheduler.allowed-failures": FAILURES,
            "distributed.scheduler.worker-saturation": 1.0,
            "distributed.nanny.pre-spawn-environ.NUMBA_NUM_THREADS": 1,
            "distributed.comm.timeouts.connect": "30s",
            "distributed.logging.distributed": "critical",
        }
        for name in ("distributed", "distributed.client"):  # Bartizan reports errors in one line
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
                except KeyboardInterrupt:  # do not wait for workers: they end with this process
                    from distributed.deploy.spec import close_clusters

                    atexit.unregister(close_clusters)
                    raise


# ---------------------------------------------------------------- pieces under way


@dataclass(frozen=True, eq=False)
class Piece:
    """A task: the games to simulate on a worker, and the future that receives their results."""

    code: str  # see `play_piece`
    asked: bytes
    chunk: tuple[range | int, ...]
    name: str  # for messages
    content: Promise[bytes] = field(default_factory=Promise)


@dataclass
class Flight:
    """A submitted task, in flight or finished."""

    piece: Piece
    tries: int = 0
    since: float = 0.0  # start of the last attempt
    digest: str = ""  # sha256 of the result, once it has arrived
    player: str = ""  # worker that returned the result
    is_over: bool = False  # the result has arrived, or the task has failed


class Dispatch:
    """The tasks in flight on a cluster."""

    def __init__(self, client: "Client", address: str, note: Callable[[str], None]):
        self.client, self.address, self.note = client, address, note
        # tasks to submit, and results of attempts (None: the attempt crashed)
        self.arrived: queue.SimpleQueue[Piece | tuple[Future[Any], Played | None]] = queue.SimpleQueue()
        self.under_way: dict[str, tuple[Future[Any], Flight]] = {}  # by key
        self.took: list[float] = []  # seconds from submission to result, for the last tasks
        self.deserted: float | None = None  # time since which there is no worker
        self.submitted = 0
        self.looked = time.monotonic()

    def open(self) -> list[Flight]:
        """Return the tasks in flight that have no result yet, each once."""
        flights = {id(flight): flight for _, flight in self.under_way.values() if not flight.is_over}
        return list(flights.values())

    def slots(self) -> int:
        """Return the number of tasks that the cluster runs at the same time.

        Raises EngineError if the cluster has had no worker for a long time.
        """
        with self._asking():
            slots = sum(map(int, self.client.nthreads().values()))
        now = time.monotonic()
        self.deserted = None if slots else self.deserted or now
        if self.deserted is not None and now - self.deserted > ANSWER:
            raise EngineError(
                f"--cluster {self.address}: has had no worker for {ANSWER:.0f} s; start some with: "
                f"dask worker {self.address} --nthreads 1; {AGAIN}"
            )
        return slots

    @contextmanager
    def _asking(self) -> Iterator[None]:
        """In this context, raise EngineError if a call to the scheduler fails or times out."""
        try:
            yield
        except (OSError, RuntimeError, TimeoutError) as error:
            why = f"the scheduler no longer answers ({type(error).__name__})"
            raise EngineError(f"--cluster {self.address}: {why}; {AGAIN}") from error

    def submit(self, flight: Flight, others: Sequence[str] = ()) -> None:
        """Submit an attempt of a task under a new key.

        With a repeated key, Dask would wait for the slow attempt, or return the result of another task with
        the same request. others: the workers that should run the task; () for any worker.
        """
        piece = flight.piece
        flight.tries += 1
        self.submitted += 1
        flight.since = time.monotonic()
        digest = hashlib.sha256(piece.asked + str(piece.chunk).encode()).hexdigest()
        key = f"bartizan-{digest[:40]}-{self.submitted}"
        where = {"workers": others, "allow_other_workers": True} if others else {}
        with self._asking():
            future = self.client.submit(
                play_piece, piece.code, piece.asked, piece.chunk, key=key, pure=True, **where
            )
        self.under_way[key] = future, flight
        future.add_done_callback(self._done)

    def _done(self, future: "Future[Any]") -> None:
        """Fetch the result of a finished attempt in the background. A thread of Dask calls this method."""
        if future.status == "finished" and self.client.loop:
            self.client.loop.add_callback(_fetch, self.client, future, self._slow_after(), self.arrived.put)
        else:
            self.arrived.put((future, None))

    def landed_within(self, seconds: float) -> Flight | None:
        """Handle one new task or one result, and return the task if this is its first result.

        Returns None otherwise, after at most `seconds`. Raises EngineError if a result was damaged.
        """
        try:
            arrived = self.arrived.get(timeout=seconds)
        except queue.Empty:
            return None
        if isinstance(arrived, Piece):
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
        if hashlib.sha256(content).hexdigest() != digest:  # damaged in transit
            raise EngineError(
                f"{flight.piece.name}: {player} sent bytes that do not match their checksum; run the same "
                "command again"
            )
        flight.piece.content.set_result(content)
        flight.digest, flight.player, flight.is_over = digest, player, True
        self.took = [*self.took[-RECENT:], time.monotonic() - flight.since]
        return flight

    def _crashed(self, future: "Future[Any]", flight: Flight) -> None:
        """Resubmit a task whose worker died. Raises EngineError if this is not possible.

        Bartizan's own exceptions, such as that of a policy that breaks the rules, are passed to the waiting
        thread. The user sees the error of the first failed task in the order of the games.
        """
        if flight.is_over:  # a late duplicate, whose error no longer matters
            return
        error = future.exception() if future.status == "error" else None
        if isinstance(error, BartizanError):
            flight.is_over = True
            flight.piece.content.set_exception(error)
            return
        if future.status == "error" and type(error).__name__ != "KilledWorker":
            raise EngineError(
                f"--cluster {self.address}: {flight.piece.name}: a worker failed: {type(error).__name__}: "
                f"{error}; check that it has the same version of bartizan"
            )
        if flight.tries >= TRIES or self.client.status != "running":
            why = "its workers stop unexpectedly" if error else "the scheduler has abandoned it"
            raise EngineError(f"--cluster {self.address}: {flight.piece.name}: {why}; {AGAIN}")
        self.submit(flight)

    def is_time_to_look(self) -> bool:
        """Return whether to look for missing workers and slow tasks now, which is once per TICK seconds."""
        is_time = time.monotonic() > self.looked + TICK
        self.looked = time.monotonic() if is_time else self.looked
        return is_time

    def resubmit_slow_tasks(self) -> None:
        """Submit slow tasks to a second worker. The result that arrives first is used."""
        if not self.took:
            return
        late = self._slow_after()
        for flight in self.open():
            took = time.monotonic() - flight.since
            if took > late and flight.tries < TRIES:
                self.note(
                    f"{flight.piece.name}: not finished after {took:.0f} s, {SLOW} times as long as "
                    "others; resubmitted"
                )
                self.submit(flight, self._others(flight))

    def _slow_after(self) -> float:
        """Return the number of seconds after which a task counts as slow."""
        return max(PATIENCE, SLOW * median(self.took or [0.0]))

    def _others(self, flight: Flight) -> list[str]:
        """Return the workers that do not run this task yet."""
        keys = {key for key, (_, one) in self.under_way.items() if one is flight}
        with self._asking():
            at_it = self.client.processing()
        return [worker for worker, held in at_it.items() if not keys.intersection(map(str, held))]


async def _fetch(client: "Client", future: "Future[Any]", seconds: float, put: Callable[[Any], None]) -> None:
    """Fetch the result of a task from its worker, and pass (future, result) to `put`.

    The result is None after any error, for example if the worker dies or does not answer within `seconds`.
    """
    try:
        played = await asyncio.wait_for(client.gather(future, asynchronous=True), seconds)
    except Exception:  # after any error, the task is resubmitted
        played = None
    put((future, played))


def refuse_other_bytes(flight: Flight, digest: str, player: str) -> None:
    """Raise EngineError if a later result of a task differs from the first result, which is kept."""
    if flight.digest and digest != flight.digest:
        raise EngineError(
            f"{flight.piece.name}: {flight.player} and {player} return different results for the same "
            f"games (sha256 {flight.digest[:16]} and {digest[:16]}); run bartizan doctor on both "
            "machines, then delete the shard if there is one"
        )


# ---------------------------------------------------------------- who plays


# `in_order` simulates tasks on a pool of threads. With a cluster, each of these threads sends its task to a
# worker and waits for the result, so tasks, their order and their results are the same as on one machine. One
# further thread communicates with the scheduler.


class WorkerPool:
    """Context manager for the workers of a cluster. Implements `simcore.play.match.Elsewhere`.

    The pool connects to the cluster at the first request, so that errors in a question are reported first.
    """

    def __init__(self, cluster: Cluster, note: Callable[[str], None]):
        self.cluster, self.note = cluster, note
        self.stack = ExitStack()
        self.waited_for: set[Promise[bytes]] = set()
        self.end: BaseException | None = None  # the reason why the pool has stopped
        self.code = json.dumps(code_of())

    def __enter__(self) -> "WorkerPool":
        return self

    def __exit__(self, *error: Any) -> bool | None:
        self._give_up(EngineError("--cluster: the command has ended"))
        return self.stack.__exit__(*error)

    @cached_property
    def dispatch(self) -> Dispatch:
        """The tasks in flight. The first use connects to the cluster.

        Raises UsageError if the scheduler does not answer, EngineError if the cluster has no worker.
        """
        client = self.stack.enter_context(self.cluster.client())
        dispatch = Dispatch(client, self.cluster.address, self.note)
        while not dispatch.slots():
            time.sleep(TICK)
        threading.Thread(target=self._serve, args=(dispatch,), daemon=True).start()
        return dispatch

    @cached_property
    def threads(self) -> int:
        """Number of simultaneous tasks: two per slot of the cluster, one running and one waiting."""
        return AHEAD * max(1, self.dispatch.slots())

    def play(self, piece: Callable[..., Any], *chunk: range | int) -> Any:
        """Simulate games, as `Elsewhere` defines. Raises EngineError and the exceptions of a worker."""
        from bartizan.api.cluster.wording import in_bytes, read

        asked, dispatch = Piece(self.code, in_bytes(piece), chunk, _name_of(chunk)), self.dispatch
        self.waited_for.add(asked.content)
        dispatch.arrived.put(asked)
        if self.end:
            self._give_up(self.end)
        try:
            return read(asked.content.result())
        finally:
            self.waited_for.discard(asked.content)

    def _serve(self, dispatch: Dispatch) -> None:
        """Submit tasks and pass their results to the waiting threads, until the pool ends."""
        try:
            while not self.end:
                dispatch.landed_within(TICK)
                if dispatch.is_time_to_look():
                    dispatch.slots()
                    dispatch.resubmit_slow_tasks()
        except BaseException as error:  # the waiting threads must raise any error
            self._give_up(error)

    def _give_up(self, error: BaseException) -> None:
        """Stop the pool, and raise the error in all waiting threads."""
        self.end = self.end or error
        for content in list(self.waited_for):
            with suppress(InvalidStateError):  # the result has just arrived
                content.set_exception(self.end)


def _name_of(chunk: tuple[range | int, ...]) -> str:
    (part,) = chunk
    return f"games {part.start} to {part.stop - 1}" if isinstance(part, range) else f"part {part}"
