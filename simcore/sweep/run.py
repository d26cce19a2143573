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
from bartizan.simcore.sweep.files import file_digest
from bartizan.simcore.sweep.lock import alone
from bartizan.simcore.sweep.manifest import ReadyCell, manifest
from bartizan.simcore.sweep.parts import PartMark, SweepPart, shards_due, write_mark
from bartizan.simcore.sweep.plan import Plan
from bartizan.simcore.sweep.resume import begin_sweep, refuse_overtaken, set_aside
from bartizan.simcore.sweep.shards import SHARD_GAMES, read_shard, shard_identity, write_shard
from bartizan.simcore.sweep.store import Cell, Sweep, shard_path, write_sums


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


@dataclass(frozen=True, eq=False)
class DueShard:
    """A shard that is to be played."""

    cell: ReadyCell
    path: Path
    first: int
    games: int

    def identity(self) -> dict:
        return self.cell.identity(self.first, self.games)


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


# plays shards on other machines and writes each to its path; returns {cell id: seconds}
Elsewhere = Callable[[list[DueShard], Progress, Callable[[Progress], None]], dict[str, float]]


@dataclass(frozen=True)
class Division:
    """Who plays what of a sweep."""

    jobs: int = 1  # threads of this process
    part: SweepPart | None = None  # the one that is played; None: all of it
    elsewhere: Elsewhere | None = None


def play_sweep(
    folder: Path,
    plan: Plan,
    game: Game,
    cells: list[ReadyCell],
    division: Division,
    watch: Callable[[Progress], None],
    stop: StoppingRule | None,
) -> dict[str, Played]:
    """Play what is missing of a sweep, or of a part of it, into `folder`. Returns {cell id: Played}."""
    with alone(Path(folder)):
        return _play_alone(folder, plan, game, cells, division, watch, stop)


def _play_alone(
    folder: Path,
    plan: Plan,
    game: Game,
    cells: list[ReadyCell],
    division: Division,
    watch: Callable[[Progress], None],
    stop: StoppingRule | None,
) -> dict[str, Played]:
    wanted = manifest(plan, game, cells)
    sweep, notes = begin_sweep(folder, wanted, division.part)
    due = _due(cells, sweep, division.part)
    total = sum(one.games for shards in due.values() for one in shards)
    seconds = _played_elsewhere(due, division, Progress(games_total=total, notes=notes), watch)
    progress = Progress(games_total=total, notes=notes)
    results = {}
    for stored, (name, shards) in zip(sweep.cells, due.items(), strict=True):
        progress.begin(name)
        results[name] = _play_cell(shards, stored, division.jobs, progress, watch, stop)
        results[name].seconds += seconds.get(name, 0.0)
        progress.cells_done += 1
    refuse_overtaken(folder, wanted)
    if division.part is None:
        write_sums(sweep)
    else:
        _vouch_for_part(sweep, due, division.part)
    return results


def _due(cells: list[ReadyCell], sweep: Sweep, part: SweepPart | None) -> dict[str, list[DueShard]]:
    """Cell -> its shards in game order, as far as they are to be played here."""
    games = [cell.games for cell in cells]
    share = set(shards_due(games)) if part is None else part.share(games)
    due: dict[str, list[DueShard]] = {cell.plan.id: [] for cell in cells}
    for i, first in sorted(share):
        cell, path = cells[i], shard_path(sweep.cells[i], first)
        due[cell.plan.id].append(DueShard(cell, path, first, min(SHARD_GAMES, cell.games - first)))
    return due


def _played_elsewhere(
    due: dict[str, list[DueShard]], division: Division, progress: Progress, watch: Callable
) -> dict[str, float]:
    """Has other machines play what is not there; {cell id: seconds}. A damaged shard is left to who reads
    it.
    """
    if division.elsewhere is None:
        return {}
    missing = [one for shards in due.values() for one in shards if not _seems_kept(one)]
    progress.games_done = progress.games_total - sum(one.games for one in missing)
    return division.elsewhere(missing, progress, watch) if missing else {}


def _seems_kept(due: DueShard) -> bool:
    try:
        return due.path.exists() and shard_identity(due.path) == due.identity()
    except EngineError:
        return False


def _vouch_for_part(sweep: Sweep, due: dict[str, list[DueShard]], part: SweepPart) -> None:
    """A part is finished once it says so: its shards with their sha256."""
    paths = [one.path for shards in due.values() for one in shards]
    digests = {path.relative_to(sweep.folder).as_posix(): file_digest(path) for path in paths}
    write_mark(sweep.folder, PartMark(part, digests))


def _play_cell(
    shards: list[DueShard],
    stored: Cell,
    jobs: int,
    progress: Progress,
    watch: Callable,
    stop: StoppingRule | None,
) -> Played:
    """Shard after shard; good ones already there are read instead of played."""
    played = Played()
    for due in shards:
        cell, first, games = due.cell, due.first, due.games
        kept = _kept(due, stop, progress)
        chunks = _chunks(kept) if kept is not None else play_games(cell.match, first, games, jobs)
        rows, enough = _gather(chunks, games, kept is not None, played, progress, watch, stop)
        if kept is None:
            write_shard(due.path, rows, cell.match.engine, cell.identity(first, len(rows)))
        if enough:
            progress.games_total -= cell.games - first - len(rows)
            _drop_shards_after(stored, due.path)
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


def _kept(due: DueShard, stop: StoppingRule | None, progress: Progress) -> np.ndarray | None:
    """The rows of a good shard already there, else None; a damaged one is moved aside, never deleted."""
    path, cell = due.path, due.cell
    if not path.exists():
        return None
    try:
        identity = shard_identity(path)
        ended = stop if identity.get("games", 0) < due.games else None
        wanted = cell.identity(due.first, identity["games"] if ended else due.games)
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
