"""Playing a sweep: each cell into its own shards; interrupted work resumes to the same bytes."""

import hashlib
from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from bartizan.simcore.errors import EngineError
from bartizan.simcore.game import Game
from bartizan.simcore.play.batch import CHUNK_GAMES, Source
from bartizan.simcore.progress import Progress
from bartizan.simcore.sweep.files import file_digest
from bartizan.simcore.sweep.lock import alone
from bartizan.simcore.sweep.manifest import ReadyCell, manifest
from bartizan.simcore.sweep.parts import PartMark, SweepPart, shards_due, write_mark
from bartizan.simcore.sweep.plan import Plan
from bartizan.simcore.sweep.resume import begin_sweep, refuse_overtaken, set_aside
from bartizan.simcore.sweep.shards import SHARD_GAMES, read_shard, shard_identity, write_shard
from bartizan.simcore.sweep.store import Cell, Sweep, shard_path, write_sums


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

    def add(self, rows: np.ndarray) -> None:
        """Count more games."""
        self.digest.update(rows.tobytes())
        self.games += len(rows)
        self.plies += int(rows["plies"].sum(dtype=np.int64))


StoppingRule = Callable[[int, int], bool]  # (wins, games) -> enough?

# plays shards on other machines and writes each to its path; returns {cell id: seconds}
ShardWorkers = Callable[[list[DueShard], Progress, Callable[[Progress], None]], dict[str, float]]


def play_sweep(
    folder: Path,
    plan: Plan,
    game: Game,
    cells: list[ReadyCell],
    source: Source,
    part: SweepPart | None = None,
    stop: StoppingRule | None = None,
    workers: ShardWorkers | None = None,
) -> dict[str, Played]:
    """Play what is missing of a sweep, or of a part of it, into `folder`. Returns {cell id: Played}."""
    with alone(Path(folder)):
        document = manifest(plan, game, cells)
        sweep, notes = begin_sweep(folder, document, part)
        due = _due(cells, sweep, part)
        total = sum(shard.games for shards in due.values() for shard in shards)
        source.progress = Progress(games_total=total, notes=notes)
        seconds = _played_by(workers, due, source) if workers else {}
        source.progress = Progress(games_total=total, notes=notes)
        results = {}
        for stored, (name, shards) in zip(sweep.cells, due.items(), strict=True):
            source.progress.begin(name)
            results[name] = _play_cell(shards, stored, source, stop)
            results[name].seconds += seconds.get(name, 0.0)
            source.progress.cells_done += 1
        refuse_overtaken(folder, document)
        if part is None:
            write_sums(sweep)
        else:
            _vouch_for_part(sweep, due, part)
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


def _played_by(workers: ShardWorkers, due: dict[str, list[DueShard]], source: Source) -> dict[str, float]:
    """Has other machines play what is not there; {cell id: seconds}. A damaged shard is left to who reads
    it.
    """
    missing = [shard for shards in due.values() for shard in shards if not _seems_kept(shard)]
    source.progress.games_done = source.progress.games_total - sum(shard.games for shard in missing)
    return workers(missing, source.progress, source.watch) if missing else {}


def _seems_kept(due: DueShard) -> bool:
    try:
        return due.path.exists() and shard_identity(due.path) == due.identity()
    except EngineError:
        return False


def _vouch_for_part(sweep: Sweep, due: dict[str, list[DueShard]], part: SweepPart) -> None:
    """A part is finished once it says so: its shards with their sha256."""
    paths = [shard.path for shards in due.values() for shard in shards]
    digests = {path.relative_to(sweep.folder).as_posix(): file_digest(path) for path in paths}
    write_mark(sweep.folder, PartMark(part, digests))


def _play_cell(shards: list[DueShard], stored: Cell, source: Source, stop: StoppingRule | None) -> Played:
    """Shard after shard; good ones already there are read instead of played."""
    played, before, progress = Played(), source.progress.seconds, source.progress
    for due in shards:
        kept, rows, is_enough = _kept(due, stop, progress), [], False
        chunks = (
            _counted(kept, source)
            if kept is not None
            else source.chunks(due.cell.match, due.games, due.first)
        )
        for chunk in chunks:
            rows.append(chunk)
            played.add(chunk)
            is_enough = stop is not None and stop(progress.wins, progress.games_of_cell)
            if is_enough:
                break
        chunks.close()
        if kept is None:
            games = np.concatenate(rows)
            identity = due.cell.identity(due.first, len(games))
            write_shard(due.path, games, due.cell.match.engine, identity)
        if is_enough:
            progress.games_total -= due.cell.games - due.first - sum(map(len, rows))
            for path in stored.shards():  # later ones are of an earlier run without the stopping rule
                if path.name > due.path.name:
                    path.replace(path.with_suffix(".unused"))
            break
    played.seconds = progress.seconds - before
    return played


def _counted(rows: np.ndarray, source: Source) -> Generator[np.ndarray, None, None]:
    """The rows of a shard that is there, in the same chunks."""
    for start in range(0, len(rows), CHUNK_GAMES):
        chunk = rows[start : start + CHUNK_GAMES]
        source.progress.add(chunk, None)
        source.watch(source.progress)
        yield chunk


def _kept(due: DueShard, stop: StoppingRule | None, progress: Progress) -> np.ndarray | None:
    """The rows of a good shard already there, else None; a damaged one is moved aside, never deleted."""
    path, cell = due.path, due.cell
    if not path.exists():
        return None
    try:
        identity = shard_identity(path)
        rule = stop if identity["games"] < due.games else None  # one that may have ended this shard
        if identity != cell.identity(due.first, identity["games"] if rule else due.games):
            return None  # another number of games: play this range again
        rows = read_shard(path, cell.match.engine)
        wins = progress.wins + int((rows["winner"] == 0).sum())
        if rule and (len(rows) % CHUNK_GAMES or not rule(wins, progress.games_of_cell + len(rows))):
            return None  # it ended at an earlier, lower limit of games, not by the rule: play it to its end
        return rows
    except EngineError:
        progress.notes.append(set_aside(path))
        return None
