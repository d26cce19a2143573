"""Merge the parts of one sweep: the result is byte-identical to the folder of a single machine."""

import hashlib
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bartizan.simcore.errors import EngineError, UsageError
from bartizan.simcore.files import alone, file_digest, write_atomic, writing
from bartizan.simcore.sweep import looks, store
from bartizan.simcore.sweep.run import begin_sweep, difference, set_aside
from bartizan.simcore.sweep.shards import (
    PART,
    SHARD_GAMES,
    SweepPart,
    command_of_part,
    identity_within,
    read_mark,
    shards_due,
)

# text typed by the user: files may be elsewhere on another machine
AS_TYPED = {"game_as_named", "scenario_as_named", "command", "as_named"}
NAMED = 5  # maximum parts in a message
Shard = tuple[int, int]  # (index of the cell, first game)


@dataclass(frozen=True)
class PlayedPart:
    """A folder with shards: a finished part, or a whole sweep."""

    sweep: store.Sweep
    part: SweepPart | None
    digests: dict[str, str]  # file -> sha256, as listed in the folder itself

    def shards(self) -> dict[Shard, Path]:
        """Map the shards listed in the checksums of the part to their files.

        Raises UsageError for a listed shard that does not belong to the sweep, and for a shard in the folder
        that is not listed.
        """
        due = shards_due([cell.games for cell in self.sweep.cells])
        by_name = {_name(self.sweep, shard): shard for shard in due}
        vouched = {name for name in self.digests if name.endswith(".parquet")}
        folder = self.sweep.folder
        present = {path.relative_to(folder).as_posix() for path in store.shards_of_cells(folder)}
        for name in sorted((vouched | present) - vouched.intersection(by_name)):
            raise UsageError(f"{folder / name}: does not belong to this sweep; move it elsewhere")
        return {by_name[name]: folder / name for name in vouched}

    def digest(self, path: Path) -> str:
        return self.digests[path.relative_to(self.sweep.folder).as_posix()]

    def again(self) -> str:
        """Return the command that simulates this part again."""
        folder, command = self.sweep.folder, self.sweep.manifest["command"]
        if self.part:
            return command_of_part(command, self.part, folder)
        return f"{command.removesuffix(' -o DIR')} -o {folder}"


ShardSources = dict[Shard, tuple[PlayedPart, Path]]


def merge_sweep(
    folders: Sequence[Path], out: Path, track: Callable[[list[Shard]], Iterable[Shard]] = iter
) -> tuple[store.Sweep, list[str]]:
    """Merge the parts in `folders` into `out`, or resume an interrupted merge.

    track: iterates over the shards with a progress display. Returns the whole sweep, with lines about damaged
    shards in `out`. Raises UsageError if the folders are not parts of one sweep, or some parts are missing,
    and EngineError if a part is damaged.
    """
    parts = [_opened(Path(folder), Path(out)) for folder in folders]
    for other in parts[1:]:
        _refuse_unlike(parts[0].sweep, other.sweep)
    held = _held(parts)
    _refuse_missing(parts, held)
    if read_mark(out) is not None:
        raise UsageError(f"-o {out}: contains a part; choose another folder")
    with alone(Path(out)):
        whole, notes = begin_sweep(out, parts[0].sweep.manifest)
        for shard in track(sorted(held)):
            notes += _copy(whole, shard, *held[shard])
        looks.add(whole, [look for part in parts for look in looks.read(part.sweep)])
        store.write_sums(whole)
    return whole, notes


def _opened(folder: Path, out: Path) -> PlayedPart:
    """Open a finished part, or a finished sweep.

    Raises UsageError for an unfinished folder, and for a folder that cannot be merged.
    """
    if folder.resolve() == out.resolve():
        raise UsageError(f"-o {out}: is one of the parts; choose another folder for the whole sweep")
    sweep = store.open_sweep(folder)
    if sweep.manifest.get("precision") is not None:
        raise UsageError(
            f"{folder}: was run with --precision, which cannot be split into parts; it is already complete"
        )
    if not all(re.fullmatch(r"[A-Za-z0-9_=+-][A-Za-z0-9_.=+-]*", cell.id) for cell in sweep.cells):
        raise UsageError(f"{folder / store.MANIFEST}: invalid cell name; simulate this part again")
    mark, sums = read_mark(folder), store.read_sums(folder)
    part = PlayedPart(sweep, mark.part if mark else None, (mark.files if mark else sums) or {})
    if (mark.files if mark else sums) is None:
        what = f"part {mark.part}" if mark else f"no {store.SUMS}, no {PART}:"
        raise UsageError(f"{folder}: {what} is not finished; run it again: {part.again()}")
    return part


def _refuse_unlike(first: store.Sweep, other: store.Sweep) -> None:
    """Raise UsageError unless both belong to one sweep, simulated by the same versions."""
    how = difference(other.manifest, first.manifest, "not")
    for key in () if how else first.manifest.keys() | other.manifest.keys():
        value, other_value = (_untyped(sweep.manifest.get(key)) for sweep in (first, other))
        if key not in AS_TYPED and value != other_value:
            how = _in_words(key, value, other_value)
    if how:
        raise UsageError(
            f"{other.folder}: belongs to a different sweep from {first.folder} ({how}); combine parts of "
            "one sweep"
        )


def _untyped(content: Any) -> Any:
    """Return a manifest without the text typed by the user."""
    if isinstance(content, dict):
        return {key: _untyped(value) for key, value in content.items() if key not in AS_TYPED}
    return [_untyped(item) for item in content] if isinstance(content, list) else content


def _in_words(key: str, value: Any, other: Any) -> str:
    """Describe the difference between two manifests as precisely as possible."""
    if isinstance(value, dict) and isinstance(other, dict):
        inside = next(name for name in sorted({*value, *other}) if value.get(name) != other.get(name))
        return _in_words(f"{key}, {inside}", value.get(inside), other.get(inside))
    if isinstance(value, list) and isinstance(other, list) and len(value) == len(other):
        return next(
            _in_words(f"{key} {i}", *both)
            for i, both in enumerate(zip(value, other, strict=True), 1)
            if both[0] != both[1]
        )
    if isinstance(value, list):
        return f"{key} differ"
    return f"{key} = {other}, not {value}"


def _held(parts: Sequence[PlayedPart]) -> ShardSources:
    """Map each shard to the part that contains it, and to its file.

    Raises EngineError if two parts contain different bytes for it.
    """
    held: ShardSources = {}
    for part in parts:
        for shard, path in part.shards().items():
            other, other_path = held.setdefault(shard, (part, path))
            if other.digest(other_path) != part.digest(path):
                raise EngineError(
                    f"{path} and {other_path}: contain the same games but different bytes; run "
                    "bartizan doctor on both machines and simulate one of the parts again"
                )
    return held


def _refuse_missing(parts: Sequence[PlayedPart], held: ShardSources) -> None:
    """Raise UsageError if shards are missing, with the missing parts and the command that simulates them."""
    sweep = parts[0].sweep
    due = shards_due([cell.games for cell in sweep.cells])
    missing = [shard for shard in due if shard not in held]
    if not missing:
        return
    counts = {part.part.of for part in parts if part.part}
    first = _name(sweep, missing[0])
    which = f"{first} is missing"
    if missing[1:]:
        which = f"{first} and {len(missing) - 1:,} more shard{'s' * bool(missing[2:])} are missing"
    if len(counts) != 1:
        raise UsageError(f"import: {which}; give the folders of all parts")
    (of,) = counts
    numbers = sorted({due.index(shard) % of + 1 for shard in missing})
    named = ", ".join(map(str, numbers[:NAMED]))
    if numbers[NAMED:]:
        named += f" and {len(numbers) - NAMED} more"
    parts_missing = f"part {named} of {of} is" if len(numbers) == 1 else f"parts {named} of {of} are"
    command = command_of_part(sweep.manifest["command"], SweepPart(numbers[0], of))
    raise UsageError(
        f"import: {parts_missing} missing ({which}); give the folder of each, or simulate it: {command}"
    )


def _copy(whole: store.Sweep, shard: Shard, part: PlayedPart, path: Path) -> list[str]:
    """Copy a shard to its place, after checking it against the checksums of its part.

    Return lines about a replaced file.
    """
    target = whole.folder / _name(whole, shard)
    digest = part.digest(path)
    if target.exists() and file_digest(target) == digest:
        return []
    content = _checked(part, shard, path, digest)
    notes = [set_aside(target)] if target.exists() else []
    with writing(target, "merged cells are kept; run the same command again"):
        target.parent.mkdir(parents=True, exist_ok=True)
        write_atomic(target, content)
    return notes


def _checked(part: PlayedPart, shard: Shard, path: Path, digest: str) -> bytes:
    """Return the bytes of a shard.

    Raises EngineError if they cannot be read, have changed, or contain other games.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        why = f"cannot be read: {error.strerror or error}"
        raise EngineError(f"{path}: {why}; simulate it again: {part.again()}") from error
    if hashlib.sha256(content).hexdigest() != digest:
        raise EngineError(f"{path}: damaged (its SHA-256 differs); simulate it again: {part.again()}")
    cell = part.sweep.cells[shard[0]]
    games = {"first_game": shard[1], "games": min(SHARD_GAMES, cell.games - shard[1])}
    expected = store.identity_of(part.sweep, cell) | games
    again = f"delete it and simulate it again: {part.again()}"
    store.refuse_other_games(path, identity_within(content, path), expected, again)
    return content


def _name(sweep: store.Sweep, shard: Shard) -> str:
    return store.shard_path(sweep.cells[shard[0]], shard[1]).relative_to(sweep.folder).as_posix()
