"""`ladder`, `tune`, `train` and `sensitivity` with `--cluster`: every piece of their games is played by the
workers of a Dask cluster, and looked at here.

What these commands play, they play by `Batch`, some games at a time on a pool of threads. Here each thread
asks a worker and waits for the rows, so what is asked, in which order it is looked at and what comes of it
are those of one machine. One thread of ours talks to the scheduler.
"""

import json
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, InvalidStateError
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from bartizan.api.cluster.dispatch import AHEAD, TICK, Dispatch, Task
from bartizan.api.cluster.scheduler import Cluster, whole_path, whole_paths
from bartizan.api.cluster.worker import code_of, play_rows
from bartizan.simcore.errors import BartizanError, EngineError

if TYPE_CHECKING:
    import numpy as np

    from bartizan.simcore.play.match import Match


@dataclass(frozen=True, eq=False)
class Piece(Task):
    """Games that a thread waits for."""

    rows: Future = field(default_factory=Future)

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
        self.waited_for: set[Future] = set()
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
        rows: Future = Future()
        words, dispatch = self._asked(table, match), self.dispatch
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

    def _asked(self, table: "Match", match: "Match") -> str:
        if table not in self.tables:
            self.tables[table] = table_in_words(self.cluster.game, table, self.code)
        weights = [player.weights for player in match.players]
        return json.dumps({"table": self.tables[table], "weights": weights, "seed": match.seed})


def table_in_words(game: str, table: "Match", code: dict[str, str]) -> str:
    """A match in words for `play_rows`: what was named, and what it must come to. game: as it is named."""
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
