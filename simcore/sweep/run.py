"""Playing a sweep: each cell into its own shards; interrupted work resumes to the same bytes."""

import hashlib
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from bartizan.simcore.errors import EngineError
from bartizan.simcore.game import Game
from bartizan.simcore.play.batch import CHUNK_GAMES, play_games
from bartizan.simcore.play.rules import TRUNCATED
from bartizan.simcore.sweep.manifest import ReadyCell, manifest
from bartizan.simcore.sweep.plan import Plan
from bartizan.simcore.sweep.resume import begin_sweep, refuse_overtaken, set_aside
from bartizan.simcore.sweep.shards import SHARD_GAMES, read_shard, shard_identity, write_shard
from bartizan.simcore.sweep.store import Cell, shard_path, write_sums


@dataclass
class Progress:
    """Where a sweep is: handed to a callback after every chunk."""

    cell: str = ""
    cells_done: int = 0
    games_done: int = 0  # of all cells, kept shards included
    games_total: int = 0
    played: int = 0  # games played by this run
    seconds: float = 0.0  # spent playing
    wins: int = 0  # of this cell, seat 0
    truncated: int = 0  # of this cell, by the ply cap: neither won nor lost
    games_of_cell: int = 0
    notes: list[str] = field(default_factory=list)  # lines the user should see

    def begin(self, cell: str) -> None:
        """Another cell."""
        self.cell, self.wins, self.truncated, self.games_of_cell = cell, 0, 0, 0

    def add(self, rows: np.ndarray, seconds: float | None) -> None:
        """Count a chunk. seconds: to play it; None: it was there already."""
        self.games_done += len(rows)
        self.games_of_cell += len(rows)
        self.wins += int((rows["winner"] == 0).sum())
        self.truncated += int((rows["winner"] == TRUNCATED).sum())
        if seconds is not None:
            self.seconds += seconds
            self.played += len(rows)


@dataclass
class Played:
    """What came out of one cell."""

    games: int = 0
    plies: int = 0
    seconds: float = 0.0
    digest: Any = field(default_factory=hashlib.sha256)  # over the rows in game order

    def add(self, rows: np.ndarray, seconds: float | None) -> None:
        """Count a chunk. seconds: to play it; None: it was there already."""
        self.digest.update(rows.tobytes())
        self.games += len(rows)
        self.plies += int(rows["plies"].sum(dtype=np.int64))
        self.seconds += seconds or 0.0


StoppingRule = Callable[[int, int], bool]  # (wins, games) -> enough?


def play_sweep(
    folder: Path,
    plan: Plan,
    game: Game,
    cells: list[ReadyCell],
    jobs: int,
    watch: Callable[[Progress], None],
    stop: StoppingRule | None,
) -> dict[str, Played]:
    """Play what is missing of a sweep into `folder`. Returns {cell id: Played}."""
    wanted = manifest(plan, game, cells)
    sweep, notes = begin_sweep(folder, wanted)
    progress = Progress(games_total=sum(cell.games for cell in cells), notes=notes)
    results = {}
    for cell, stored in zip(cells, sweep.cells, strict=True):
        progress.begin(cell.plan.id)
        results[cell.plan.id] = _play_cell(cell, stored, jobs, progress, watch, stop)
        progress.cells_done += 1
    refuse_overtaken(folder, wanted)
    write_sums(sweep)
    return results


def _play_cell(
    cell: ReadyCell, stored: Cell, jobs: int, progress: Progress, watch: Callable, stop: StoppingRule | None
) -> Played:
    """Shard after shard; good ones already there are read instead of played."""
    played = Played()
    for first in range(0, cell.games, SHARD_GAMES):
        games = min(SHARD_GAMES, cell.games - first)
        path = shard_path(stored, first)
        kept = _kept(path, cell, first, games, stop, progress)
        chunks = _chunks(kept) if kept is not None else play_games(cell.match, first, games, jobs)
        rows, enough = _gather(chunks, games, kept is not None, played, progress, watch, stop)
        if kept is None:
            write_shard(path, rows, cell.match.engine, cell.identity(first, len(rows)))
        if enough:
            progress.games_total -= cell.games - first - len(rows)
            _drop_shards_after(stored, path)
            break
    return played


def _gather(
    chunks: Iterator[np.ndarray],
    games: int,
    kept: bool,
    played: Played,
    progress: Progress,
    watch: Callable,
    stop: StoppingRule | None,
) -> tuple[np.ndarray, bool]:
    """Collect the chunks of one shard, of `games` games, until it is full or the stopping rule is content."""
    rows = []
    enough = False
    there = 0
    since = time.perf_counter()
    for chunk in chunks:
        seconds = None if kept else time.perf_counter() - since
        rows.append(chunk)
        played.add(chunk, seconds)
        progress.add(chunk, seconds)
        watch(progress)
        there += len(chunk)
        is_look = there % CHUNK_GAMES == 0 or there == games
        if stop and is_look and stop(progress.wins, progress.games_of_cell):
            enough = True
            break
        since = time.perf_counter()
    if hasattr(chunks, "close"):
        chunks.close()
    return np.concatenate(rows), enough


def _chunks(rows: np.ndarray) -> Iterator[np.ndarray]:
    for start in range(0, len(rows), CHUNK_GAMES):
        yield rows[start : start + CHUNK_GAMES]


def _kept(
    path: Path, cell: ReadyCell, first: int, games: int, stop: StoppingRule | None, progress: Progress
) -> np.ndarray | None:
    """The rows of a good shard already there, else None; a damaged one is moved aside, never deleted."""
    if not path.exists():
        return None
    try:
        identity = shard_identity(path)
        ended = stop if identity.get("games", 0) < games else None
        wanted = cell.identity(first, identity["games"] if ended else games)
        if identity != wanted:
            return None  # another number of games: play this range again
        rows = read_shard(path, cell.match.engine)
        return rows if ended is None or _stopped_here(rows, ended, progress) else None
    except EngineError:
        progress.notes.append(set_aside(path))
        return None


def _stopped_here(rows: np.ndarray, stop: StoppingRule, progress: Progress) -> bool:
    """Was a short shard ended by the stopping rule?

    One that ended at an earlier, lower limit of games is to be played to its end.
    """
    wins = progress.wins + int((rows["winner"] == 0).sum())
    return len(rows) % CHUNK_GAMES == 0 and stop(wins, progress.games_of_cell + len(rows))


def _drop_shards_after(cell: Cell, last: Path) -> None:
    """A cell that stopped early has no later shards (of an earlier run without the stopping rule)."""
    for path in cell.shards():
        if path.name > last.name:
            path.replace(path.with_suffix(".unused"))
