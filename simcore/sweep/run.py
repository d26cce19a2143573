"""Simulation of a sweep: each cell is written to its own shards.

An interrupted run can be resumed, and gives byte-identical results.
"""

import hashlib
import json
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from typing import Any

import numpy as np

from bartizan.simcore.compile.cache import is_ours
from bartizan.simcore.compile.rules import TRUNCATED
from bartizan.simcore.errors import BartizanError, EngineError, UsageError
from bartizan.simcore.files import alone, drop_abandoned, file_digest, in_turn, write_atomic, writing
from bartizan.simcore.game import Game
from bartizan.simcore.play.batch import CHUNK_GAMES, Progress, Source, Stretch
from bartizan.simcore.sweep import store
from bartizan.simcore.sweep.manifest import ReadyCell, manifest
from bartizan.simcore.sweep.plan import Plan
from bartizan.simcore.sweep.replay import check_equal
from bartizan.simcore.sweep.shards import (
    PART,
    SHARD_GAMES,
    PartMark,
    SweepPart,
    column_types,
    last_game,
    read_mark,
    read_shard,
    shard_identity,
    shards_due,
    types_of,
    write_mark,
    write_shard,
)


@dataclass(frozen=True, eq=False)
class DueShard:
    """A shard that must be simulated."""

    cell: ReadyCell
    path: Path
    games: range

    def identity(self) -> dict[str, Any]:
        return self.cell.identity(self.games)


@dataclass
class Played:
    """Totals of a simulated cell: games, decisions, time, and a digest of its rows."""

    games: int = 0
    plies: int = 0
    seconds: float = 0.0
    digest: Any = field(default_factory=hashlib.sha256)  # over the rows in game order

    def add(self, rows: np.ndarray) -> None:
        """Count further games, given by their rows in game order."""
        self.digest.update(rows.tobytes())
        self.games += len(rows)
        self.plies += int(rows["plies"].sum(dtype=np.int64))


StoppingRule = Callable[[int, int, int], bool]  # (wins, games, truncated) -> whether to stop


def play_sweep(
    folder: Path,
    plan: Plan,
    game: Game,
    cells: list[ReadyCell],
    source: Source,
    part: SweepPart | None = None,
    stop: StoppingRule | None = None,
) -> dict[str, Played]:
    """Simulate the missing games of a sweep, or of a part of it, into `folder`. Returns {cell id: Played}."""
    with alone(Path(folder)):
        document = manifest(plan, game, cells)
        sweep, notes = begin_sweep(folder, document, part)
        due = _due(cells, sweep, part)
        total = sum(len(shard.games) for shards in due.values() for shard in shards)
        begun = {shard.path: _begun(shard) for shards in due.values() for shard in shards}
        _check_reproducible(due, source)
        missing = list(_missing(due, source, begun))
        source.expect(total, missing)
        source.progress.notes.extend(notes)
        results = {}
        # all cells without a pause; a cell that may stop early is played separately
        with closing(source.play([] if stop else missing)) as played:
            ahead = {} if stop else {stretch.key: played for stretch in missing}
            for stored, (name, shards) in zip(sweep.cells, due.items(), strict=True):
                source.progress.begin(name)
                results[name] = _play_cell(shards, stored, source, stop, ahead, begun)
                source.progress.cells_done += 1
        refuse_overtaken(folder, document)
        if part is None:
            store.write_sums(sweep)
        else:  # a part is finished when its file lists its shards with their sha256
            paths = [shard.path for shards in due.values() for shard in shards]
            digests = {path.relative_to(sweep.folder).as_posix(): file_digest(path) for path in paths}
            write_mark(sweep.folder, PartMark(part, digests))
    return results


def _due(cells: list[ReadyCell], sweep: store.Sweep, part: SweepPart | None) -> dict[str, list[DueShard]]:
    """Map each cell to the shards, in game order, that this run has to simulate."""
    games = [cell.games for cell in cells]
    share = set(shards_due(games)) if part is None else part.share(games)
    due: dict[str, list[DueShard]] = {cell.plan.id: [] for cell in cells}
    for i, first in sorted(share):
        cell, path = cells[i], store.shard_path(sweep.cells[i], first)
        due[cell.plan.id].append(DueShard(cell, path, range(cell.games)[first : first + SHARD_GAMES]))
    return due


def _missing(
    due: dict[str, list[DueShard]], source: Source, begun: Mapping[Path, np.ndarray]
) -> Iterator[Stretch]:
    """Yield the missing games of each shard as a stretch, according to the shard's footer.

    The key of a stretch is the path of the shard.
    """
    for name, shards in due.items():
        missing = [shard for shard in shards if not _seems_kept(shard)]
        batch = source.ready(missing[0].cell.match) if missing else None
        for one in missing:
            assert batch
            there = len(begun[one.path])
            yield Stretch(batch, one.games[there:], name, key=one.path)


def _begun(due: DueShard) -> np.ndarray:
    """Return the first games of an interrupted shard.

    Return an empty array for a complete, missing or damaged shard.
    """
    identity = _identity(due.path) if due.path.exists() else None
    if identity is None or identity["games"] >= len(due.games):
        return np.zeros(0, due.cell.match.engine.record_dtype)
    return _read(due)


REPEATED, REPEATED_SECONDS = 8, 5.0  # games of each cell; seconds for all cells, after the first game


def _check_reproducible(due: Mapping[str, list[DueShard]], source: Source) -> None:
    """Simulate some saved games of a user's game or policy again. Raises EngineError for a difference.

    The hash of a user's code does not cover everything that it may depend on: environment variables, files
    that a library opens, files of an engine that its engine file does not list, and the version of Bartizan.
    """
    until = monotonic() + REPEATED_SECONDS
    for shards in filter(None, due.values()):
        match, path = shards[0].cell.match, shards[0].path
        is_tested = match.game.is_builtin and all(is_ours(player.source) for player in match.players)
        if is_tested or not path.exists():
            continue
        stored = _read(shards[0])
        batch = source.ready(match) if len(stored) else None
        for game in range(min(len(stored), REPEATED)):
            assert batch
            first = shards[0].games.start + game
            check_equal(path, stored[game : game + 1], batch.play(range(first, first + 1)))
            if monotonic() > until:
                return


def _read(due: DueShard) -> np.ndarray:
    """Return the rows of a shard; an empty array if the shard is damaged or contains other games."""
    none = np.zeros(0, due.cell.match.engine.record_dtype)
    identity = _identity(due.path)
    if identity is None or identity != due.cell.identity(due.games[: identity["games"]]):
        return none
    try:
        return read_shard(due.path, due.cell.match.engine)
    except EngineError:  # it is moved aside and simulated again
        return none


KEPT_EVERY = 1.0  # maximum seconds of simulation that are lost when the process is killed
KEPT_SHARE = 50  # or this multiple of the time needed to save the games, if that is longer


@dataclass
class UnfinishedShard:
    """A shard in progress. Its games are saved during the run, so that slow games are not repeated."""

    due: DueShard
    source: Source
    saved: int  # number of games in its file
    rows: list[np.ndarray] = field(default_factory=list)
    next_time: float = field(default_factory=lambda: monotonic() + KEPT_EVERY)

    def __len__(self) -> int:
        return sum(map(len, self.rows))

    def keep(self) -> None:
        """Save all games so far, including the games of the current chunk."""
        rows = [*self.rows, *([] if self.source.unfinished is None else [self.source.unfinished])]
        if sum(map(len, rows)) > self.saved:
            self.write(np.concatenate(rows))

    def keep_sometimes(self) -> None:
        now = monotonic()
        if now >= self.next_time:
            self.keep()
            self.next_time = monotonic() + max(KEPT_EVERY, KEPT_SHARE * (monotonic() - now))

    def write(self, games: np.ndarray) -> None:
        due = self.due
        write_shard(due.path, games, due.cell.match.engine, due.cell.identity(due.games[: len(games)]))
        self.saved = len(games)


def _seems_kept(due: DueShard) -> bool:
    return due.path.exists() and _identity(due.path) == due.identity()


def _play_cell(
    shards: list[DueShard],
    stored: store.Cell,
    source: Source,
    stop: StoppingRule | None,
    ahead: Mapping[Path, Iterator[tuple[Stretch, np.ndarray]]],
    begun: Mapping[Path, np.ndarray],
) -> Played:
    """Simulate one shard after the other.

    Intact existing shards are read instead. ahead: maps the path of a shard to the source of its games, if
    they were requested in advance.
    """
    played, before, progress = Played(), source.progress.seconds, source.progress
    for due in shards:
        kept, is_enough = _kept(due, stop, progress), False
        shard = UnfinishedShard(due, source, len(begun[due.path] if kept is None else kept))
        source.keep = shard.keep_sometimes
        try:
            for chunk in _games_of(due, kept, source, ahead.get(due.path), begun[due.path]):
                shard.rows.append(chunk)
                played.add(chunk)
                is_chunk = len(shard) % CHUNK_GAMES == 0 or len(shard) == len(due.games)
                is_enough = (
                    stop is not None
                    and is_chunk
                    and stop(progress.wins, progress.games_of_cell, progress.truncated)
                )
                if is_enough:
                    break
        except (BartizanError, KeyboardInterrupt):
            shard.keep()
            raise
        if kept is None or due.path in ahead:
            shard.write(np.concatenate(shard.rows))
        if is_enough:
            progress.games_total -= due.cell.games - due.games.start - len(shard)
            for path in stored.shards():  # later ones come from an earlier run without the stopping rule
                if path.name > due.path.name:
                    path.replace(path.with_suffix(".unused"))
            break
    played.seconds = progress.seconds - before
    return played


def _games_of(
    due: DueShard,
    kept: np.ndarray | None,
    source: Source,
    ahead: Iterator[tuple[Stretch, np.ndarray]] | None,
    begun: np.ndarray,
) -> Iterator[np.ndarray]:
    """Yield the games of a shard in order.

    They come from the file, from an interrupted run, from a request in advance, or are simulated now. Chunks
    end at the same games as without an interruption, because a stopping rule is evaluated after each of them.
    """
    if kept is not None and ahead is None:
        yield from _counted(kept, source)
        return
    yield from _counted(begun, source)
    if ahead is not None:
        _, rows = next(ahead)
        yield rows
    else:
        left, first = due.games[len(begun) :], -len(begun) % CHUNK_GAMES
        for games in filter(None, (left[:first], left[first:])):
            with closing(source.chunks(due.cell.match, games)) as chunks:
                yield from chunks


def _counted(rows: np.ndarray, source: Source) -> Generator[np.ndarray, None, None]:
    """Yield the rows of an existing shard, in the chunks of a simulation."""
    for start in range(0, len(rows), CHUNK_GAMES):
        chunk = rows[start : start + CHUNK_GAMES]
        source.progress.add(chunk, None)
        source.watch(source.progress)
        yield chunk


def _kept(due: DueShard, stop: StoppingRule | None, progress: Progress) -> np.ndarray | None:
    """Return the rows of an existing shard that this run can reuse, otherwise None.

    A damaged shard is moved aside, never deleted.
    """
    path, cell = due.path, due.cell
    if not path.exists():
        return None
    try:
        identity = shard_identity(path)
        rule = stop if identity["games"] < len(due.games) else None  # a rule that may have ended this shard
        if identity != cell.identity(due.games[: identity["games"]] if rule else due.games):
            return None  # another number of games: play this range again
        rows = read_shard(path, cell.match.engine)
        so_far = (
            progress.wins + int((rows["winner"] == 0).sum()),
            progress.games_of_cell + len(rows),
            progress.truncated + int((rows["winner"] == TRUNCATED).sum()),
        )
        if rule and (len(rows) % CHUNK_GAMES or not rule(*so_far)):
            return None  # it ended at an earlier, lower number of games, not by the rule: play it to its end
        # from an earlier version: rewrite it in the current format
        if column_types(path) != types_of(rows.dtype):
            write_shard(path, rows, cell.match.engine, identity)
        return rows
    except EngineError:
        progress.notes.append(set_aside(path))
        return None


# ---------------------------------------------------------------- new and resumed folders

# Create or resume a sweep folder; a folder with another sweep is rejected and left unchanged.


def begin_sweep(
    folder: Path, manifest: dict[str, Any], part: SweepPart | None = None
) -> tuple[store.Sweep, list[str]]:
    """Create or continue the folder of a sweep or of one part.

    Return the sweep, with lines about damaged files.

    Raises UsageError for a folder with another sweep, another part, or more games of this sweep, and leaves
    the folder unchanged. Raises EngineError for a stored result that does not match its checksum.
    """
    folder = Path(folder)
    with writing(folder, "choose another folder with -o"):
        folder.mkdir(parents=True, exist_ok=True)
        old = _old_manifest(folder)
        _refuse_unfit(folder, old, manifest)
        if part is not None:
            _refuse_other_parts(folder, manifest, part)
        drop_abandoned(folder)
        # files that differ from their checksums must not get new checksums
        sums = store.read_sums(folder) or {}
        for path in store.added_to(store.sweep_of(folder, manifest)):
            if sums.get(path.relative_to(folder).as_posix()) not in (None, file_digest(path)):
                raise EngineError(
                    f"{path}: does not match {store.SUMS}; delete it and run the command that wrote it again"
                )
        notes = [set_aside(path) for path in _unlike_vouched(folder)]
        if old != json.loads(json.dumps(manifest)):
            with in_turn(folder):
                # they mark a sweep as finished: the previous one was
                (folder / store.SUMS).unlink(missing_ok=True)
        write_atomic(folder / store.MANIFEST, json.dumps(manifest, indent=2, sort_keys=True).encode() + b"\n")
        (folder / PART).unlink(missing_ok=True)  # from now on, nothing here is finished
        if part is not None:
            write_mark(folder, PartMark(part, None))
    return store.open_sweep(folder), notes


def refuse_overtaken(folder: Path, manifest: dict[str, Any]) -> None:
    """Raise UsageError if another sweep has replaced the manifest.

    This happens if both began in the same empty folder at the same time.
    """
    present = _old_manifest(Path(folder))
    if present is not None:
        _refuse_other(Path(folder) / store.MANIFEST, present, json.loads(json.dumps(manifest)))


def set_aside(path: Path) -> str:
    """Rename a damaged shard, without deleting it. Return a line about it."""
    aside = path.with_suffix(".damaged")
    path.replace(aside)
    return f"{path}: damaged shard moved to {aside.name}; its games are simulated again"


def _unlike_vouched(folder: Path) -> list[Path]:
    """Return the shards that differ from the checksums of the finished sweep, or of the finished part."""
    mark = read_mark(folder)
    sums = store.read_sums(folder) or (mark and mark.files) or {}
    return [
        path
        for path in store.shards_of_cells(folder)
        if sums.get(path.relative_to(folder).as_posix()) not in (None, file_digest(path))
    ]


def _refuse_unfit(folder: Path, old: dict[str, Any] | None, manifest: dict[str, Any]) -> None:
    """Raise UsageError if the contents of a folder do not belong to this sweep."""
    path = folder / store.MANIFEST
    shards = {shard: _identity(shard) for shard in store.shards_of_cells(folder)}
    if old is not None:
        _refuse_other(path, old, manifest)
        sweep = store.sweep_of(folder, manifest)
        ours = [store.identity_of(sweep, cell) for cell in sweep.cells]
        for shard in _unlike_vouched(folder):  # report damage in place; a shard of another sweep is rejected
            identity = shards[shard] or {}
            if any(all(identity.get(key) == value for key, value in cell.items()) for cell in ours):
                shards[shard] = None
    elif not shards and not path.exists() and not store.is_begun(folder):
        raise UsageError(f"{folder}: is not empty and contains no sweep; choose a new folder with -o")
    store.read_kept(folder, manifest["game"])
    _refuse_other_shards(shards, store.sweep_of(folder, manifest))
    # a cell is never shortened: its later games would remain and be counted, or be lost
    most = max((last_game(path, identity) for path, identity in shards.items()), default=0)
    games = min(cell["games"] for cell in manifest["cells"])
    if most > games:
        raise UsageError(
            f"{folder}: contains {most:,} games per cell, but --games is {games:,}; use at least "
            f"{most}, or choose a new folder with -o"
        )


def _old_manifest(folder: Path) -> dict[str, Any] | None:
    """Return the manifest; None if it is missing or damaged. Shards then identify the folder's contents."""
    try:
        return store.read_sweep(folder).manifest
    except (FileNotFoundError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None


def _refuse_other_parts(folder: Path, manifest: dict[str, Any], part: SweepPart) -> None:
    """Raise UsageError if a folder contains another part, or the whole sweep."""
    mark = read_mark(folder)
    if mark is not None and mark.part != part:
        raise UsageError(f"{folder}: contains part {mark.part}, not {part}; choose a new folder with -o")
    if (folder / store.SUMS).exists():
        raise UsageError(f"{folder}: contains the whole sweep, not part {part}; choose a new folder with -o")
    sweep = store.sweep_of(folder, manifest)
    share = part.share([cell.games for cell in sweep.cells])
    mine = {store.shard_path(sweep.cells[i], first) for i, first in share}
    for path in store.shards_of_cells(folder):
        if path not in mine:
            raise UsageError(f"{path}: does not belong to part {part}; choose a new folder with -o")


def _refuse_other(path: Path, old: dict[str, Any], manifest: dict[str, Any]) -> None:
    if how := difference(old, manifest):
        raise _other_sweep(path, how)


def difference(old: dict[str, Any], manifest: dict[str, Any], then: str = "now") -> str | None:
    """Describe the difference between the games that two manifests define; None if there is none."""
    for key in ("game", "behaviour", "seed", "shard_games", "precision", "source_hash"):
        if old.get(key) != manifest.get(key):
            return _how(key, old, manifest, then)
    here = {cell["id"]: cell for cell in manifest["cells"]}
    for cell in old["cells"]:
        new = here.get(cell["id"])
        if new is None:
            return f"cell {cell['id']} does not belong to this sweep"
        if cell["scenario_hash"] != new["scenario_hash"]:
            return f"cell {cell['id']}: different numbers or rulings"
        if _identities(cell) != _identities(new):
            return f"cell {cell['id']}: different policies, weights or policy code"
    return None


def _refuse_other_shards(shards: dict[Path, dict[str, Any] | None], sweep: store.Sweep) -> None:
    """Raise UsageError for a shard whose footer belongs to another sweep.

    The footer identifies a shard even without the manifest. Damaged shards are ignored here, and moved aside
    later.
    """
    ours = {cell.id: store.identity_of(sweep, cell) for cell in sweep.cells}
    by_folder = ours | {store.folder_name(cell): identity for cell, identity in ours.items()}
    for path, identity in shards.items():
        expected = by_folder.get(path.parent.name)
        if expected is None:
            raise _other_sweep(path, f"cell {path.parent.name} does not belong to this sweep")
        if identity is None:
            continue
        for key in sorted(expected):
            if identity.get(key) != expected[key]:
                raise _other_sweep(path, _how(key, identity, expected))


def _how(key: str, old: dict[str, Any], new: dict[str, Any], then: str = "now") -> str:
    if key == "source_hash":
        return "different rules: the code of the game has changed since"
    return f"{key} = {old.get(key)}, {then} {new.get(key)}"


def _other_sweep(path: Path, how: str) -> UsageError:
    return UsageError(f"{path}: contains another sweep ({how}); choose a new folder with -o")


def _identity(shard: Path) -> dict[str, Any] | None:
    try:
        return shard_identity(shard)
    except EngineError:
        return None


def _identities(cell: dict[str, Any]) -> list[tuple[str, Any, str]]:
    return [(player["name"], player["weights"], player["source_hash"]) for player in cell["policies"]]
