"""Games sent to the workers of a Dask cluster: tried again where a worker dies, asked for twice where one is
slow, and refused where two disagree. What is sent, and what becomes of the bytes, is for others to say.
"""

import asyncio
import hashlib
import queue
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING, Any

from bartizan.simcore.errors import BartizanError, EngineError

if TYPE_CHECKING:
    from distributed import Client, Future

KEPT = "what is finished is kept, run the same command again"
AHEAD = 2  # tasks under way for each worker
SLOW = 5  # times the median, after which a task is given to another worker too
PATIENCE = 10.0  # seconds that a task may take in any case
TRIES = 4
ANSWER = 60.0  # seconds within which a cluster answers, and has a worker
TICK = 0.5  # seconds between two looks at what is late
RECENT = 1000  # tasks whose time tells what is slow


Played = tuple[bytes, str, str]  # what `worker` returns: bytes, their sha256, who played


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
        """A task whose first bytes have come; None: none has. Submits what was asked for."""
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
        self._keep(flight.task, content, digest, player)
        flight.digest, flight.player, flight.is_over = digest, player, True
        self.took = [*self.took[-RECENT:], time.monotonic() - flight.since]
        return flight

    def _keep(self, task: Task, content: bytes, digest: str, player: str) -> None:
        """Raises EngineError where bytes were damaged on the way, or are of other games."""
        if hashlib.sha256(content).hexdigest() != digest:
            raise EngineError(
                f"{task.name}: {player} sends other bytes than it says; run the same command again"
            )
        task.keep(content, player)

    def _crashed(self, future: "Future", flight: Flight) -> None:
        """Plays a task again whose worker died; raises what a worker raised."""
        error = future.exception() if future.status == "error" else None
        if isinstance(error, BartizanError):
            flight.is_over = True
            flight.task.fail(error)
            return
        if flight.is_over:
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
                    f"{flight.task.name}: not played after {took:.0f} s, {SLOW} times as long as others; "
                    "asked for again"
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
