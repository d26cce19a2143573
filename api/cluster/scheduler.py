"""The workers of a Dask cluster, and `sweep --cluster`: shards played by them, written here.

A worker gets text and numbers and returns the bytes of a shard; only this process writes. At most two shards
a worker are under way, so that a worker that dies costs little and the scheduler holds little.
"""

import atexit
import json
import logging
import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from bartizan.api.cluster.dispatch import AHEAD, ANSWER, TICK, Dispatch, Flight, Task
from bartizan.api.cluster.worker import code_of, play_shard
from bartizan.simcore.errors import EngineError, UsageError

if TYPE_CHECKING:
    from distributed import Client

    from bartizan.simcore.play.batch import Progress
    from bartizan.simcore.sweep.run import DueShard

INSTALL = "--cluster: needs Dask, which is not installed; install it with: pip install 'bartizan[cluster]'"
FAILURES = 100  # workers that may die under one shard: most of them die of something else


@dataclass
class Cluster:
    """The workers at an address, as `simcore.sweep.run.ShardWorkers`.

    address: of a scheduler, `tcp://host:8786`, or `local:2` for two processes of this machine. Raises
    UsageError for an address that is none, and where Dask is not installed.
    """

    address: str
    game: str  # as it is named
    scenario: str | None = None
    local: int = field(init=False, default=0)

    def __post_init__(self):
        processes = re.fullmatch(r"local:(\d{1,3})", self.address)
        self.local = int(processes[1]) if processes else 0
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


class Flights(Dispatch):
    """Shards under way on a cluster."""

    def __init__(self, client: "Client", cluster: Cluster, progress: "Progress", watch: Callable):
        super().__init__(client, cluster.address, self._note)
        self.named = cluster.game, cluster.scenario
        self.progress, self.watch = progress, watch
        self.code = code_of()

    def play(self, due: "list[DueShard]") -> dict[str, float]:
        """Returns {cell id: seconds}. Raises EngineError, and what a worker raises."""
        cells = {str(one.path): one.cell.plan.id for one in due}
        waiting, seconds = iter(due), dict.fromkeys(cells.values(), 0.0)
        left, slots, since = len(due), self.slots(), time.monotonic()
        while left:
            for one in islice(waiting, max(0, AHEAD * max(1, slots) - len(self.open()))):
                self.submit(Flight(self._task(one)))
            flight = self.landed_within(TICK)
            if flight is not None:
                now = time.monotonic()
                cell = cells[flight.task.name]
                seconds[cell] += now - since
                self._count(cell, flight.task.games, now - since)
                left, since = left - 1, now
            if self.is_time_to_look():
                slots = self.slots()
                self.look_after_late_ones()
        return seconds

    def _task(self, due: "DueShard") -> Task:
        words = asked_of(self.named, due, self.code)
        return Task(play_shard, words, due.first, due.games, str(due.path), partial(_keep, due))

    def _note(self, line: str) -> None:
        self.progress.notes.append(line)
        self.watch(self.progress)

    def _count(self, cell: str, games: int, seconds: float) -> None:
        progress = self.progress
        progress.cell, progress.games_done = cell, progress.games_done + games
        progress.played, progress.seconds = progress.played + games, progress.seconds + seconds
        self.watch(progress)


def _keep(due: "DueShard", content: bytes, player: str) -> None:
    """Writes a shard. Raises EngineError where it is of other games."""
    from bartizan.simcore.sweep.shards import identity_within, keep_shard

    if identity_within(content, due.path) != json.loads(json.dumps(due.identity())):
        raise EngineError(
            f"{due.path}: {player} sends other games than asked for; run the same command again"
        )
    keep_shard(due.path, content)


def asked_of(named: tuple[str, str | None], due: "DueShard", code: dict[str, str]) -> str:
    """A cell in words for `play_shard`: what was named, and what it must come to.

    named: game and scenario.
    """
    plan, (game, scenario) = due.cell.plan, named
    words = {
        "game": whole_path(game),
        "scenario": scenario and whole_path(scenario),
        "difficulty": plan.difficulty,
        "policies": [whole_paths(text) for text in plan.policies],
        "sets": plan.sets,
        "seed": due.cell.match.seed,
        "identity": due.cell.identity(0, 0),
        "code": code,
    }
    return json.dumps(words, sort_keys=True)


def whole_path(named: str) -> str:
    """A file by its whole path, as a worker may stand in another folder; what names no file stays."""
    return str(Path(named).resolve()) if Path(named).is_file() else named


def whole_paths(policy: str) -> str:
    """The same of the files in a policy's text."""
    from bartizan.simcore.sweep.plan import FILES

    return FILES.sub(lambda match: match["before"] + whole_path(match["file"]), policy)
