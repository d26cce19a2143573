"""A sweep folder begun, or gone on with: one that holds another sweep is refused and left as it is."""

import json
from pathlib import Path

from bartizan.simcore.errors import EngineError, UsageError
from bartizan.simcore.sweep.files import file_digest, is_left_over, write_atomic
from bartizan.simcore.sweep.kept import is_begun, read_kept
from bartizan.simcore.sweep.lock import in_turn
from bartizan.simcore.sweep.parts import PART, PartMark, SweepPart, read_mark, write_mark
from bartizan.simcore.sweep.shards import last_game, shard_identity
from bartizan.simcore.sweep.store import (
    MANIFEST,
    SUMS,
    Sweep,
    added_to,
    folder_name,
    identity_of,
    open_sweep,
    read_sums,
    read_sweep,
    shard_path,
    shards_of_cells,
    sweep_of,
)


def begin_sweep(folder: Path, manifest: dict, part: SweepPart | None = None) -> tuple[Sweep, list[str]]:
    """Make or continue a sweep folder, or that of one part. A folder that holds another sweep, another part,
    or more games of this one, is refused and left as it is. Returns it, with lines that say what was damaged.
    """
    folder = Path(folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        old = _old_manifest(folder)
        _refuse_unfit(folder, old, manifest)
        if part is not None:
            _refuse_other_parts(folder, manifest, part)
        for left_over in filter(is_left_over, folder.rglob("*.tmp")):
            left_over.unlink(missing_ok=True)
        _refuse_damaged_answers(folder, manifest)
        # kept, shards that are not what the finished sweep vouched for would be vouched for anew
        notes = [set_aside(path) for path in _unlike_vouched(folder)]
        if old != json.loads(json.dumps(manifest)):
            with in_turn(folder):
                # they say that a sweep is finished: the one before was
                (folder / SUMS).unlink(missing_ok=True)
        write_atomic(folder / MANIFEST, json.dumps(manifest, indent=2, sort_keys=True).encode() + b"\n")
        (folder / PART).unlink(missing_ok=True)  # nothing here is finished from now on
        if part is not None:
            write_mark(folder, PartMark(part, None))
    except OSError as error:
        raise UsageError(
            f"{folder}: cannot be written: {error.strerror or error}; name another folder with -o"
        ) from error
    return open_sweep(folder), notes


def refuse_overtaken(folder: Path, manifest: dict) -> None:
    """Two sweeps may begin in one empty folder at the same instant: the later manifest stands. Raises
    UsageError for the other sweep.
    """
    present = _old_manifest(Path(folder))
    if present is not None:
        _refuse_other(Path(folder) / MANIFEST, present, json.loads(json.dumps(manifest)))


def set_aside(path: Path) -> str:
    """A damaged shard is moved aside, never deleted; says so."""
    aside = path.with_suffix(".damaged")
    path.replace(aside)
    return f"{path}: damaged shard moved to {aside.name}; playing its games again"


def _unlike_vouched(folder: Path) -> list[Path]:
    """Shards that are not what the finished sweep, or part, vouched for."""
    mark = read_mark(folder)
    sums = read_sums(folder) or (mark and mark.files) or {}
    return [
        path
        for path in shards_of_cells(folder)
        if sums.get(path.relative_to(folder).as_posix()) not in (None, file_digest(path))
    ]


def _refuse_damaged_answers(folder: Path, manifest: dict) -> None:
    """Documents that are not what the finished sweep vouched for would be vouched for anew. Raises
    EngineError.
    """
    sums = read_sums(folder) or {}
    for path in added_to(sweep_of(folder, manifest)):
        if sums.get(path.relative_to(folder).as_posix()) not in (None, file_digest(path)):
            raise EngineError(f"{path}: does not match {SUMS}; delete it and ask for it again")


def _refuse_unfit(folder: Path, old: dict | None, manifest: dict) -> None:
    """Raises UsageError unless what a folder holds is part of this sweep, or nothing."""
    path = folder / MANIFEST
    shards = {shard: _identity(shard) for shard in shards_of_cells(folder)}
    if old is not None:
        _refuse_other(path, old, manifest)
        sweep = sweep_of(folder, manifest)
        ours = [identity_of(sweep, cell) for cell in sweep.cells]
        for shard in _unlike_vouched(folder):  # damaged where it stands; one of another sweep is refused
            identity = shards[shard] or {}
            if any(all(identity.get(key) == value for key, value in cell.items()) for cell in ours):
                shards[shard] = None
    elif not shards and not path.exists() and not is_begun(folder):
        raise UsageError(f"{folder}: is not empty and holds no sweep; name a new folder with -o")
    read_kept(folder, manifest["game"])
    _refuse_other_shards(shards, sweep_of(folder, manifest))
    _refuse_fewer(folder, shards, manifest)


def _old_manifest(folder: Path) -> dict | None:
    """The manifest of a folder; None where it is missing or damaged: then it is written anew, and the shards
    say what the folder holds.
    """
    try:
        return read_sweep(folder).manifest
    except (FileNotFoundError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None


def _refuse_other_parts(folder: Path, manifest: dict, part: SweepPart) -> None:
    """Raises UsageError where a folder holds another part than this, or the whole."""
    mark = read_mark(folder)
    if mark is not None and mark.part != part:
        raise UsageError(f"{folder}: holds part {mark.part}, asked for {part}; name a new folder with -o")
    if (folder / SUMS).exists():
        raise UsageError(f"{folder}: holds the whole sweep, asked for part {part}; name a new folder with -o")
    sweep = sweep_of(folder, manifest)
    share = part.share([cell.games for cell in sweep.cells])
    mine = {shard_path(sweep.cells[i], first) for i, first in share}
    for path in shards_of_cells(folder):
        if path not in mine:
            raise UsageError(f"{path}: is not of part {part}; name a new folder with -o")


def _refuse_other(path: Path, old: dict, manifest: dict) -> None:
    if how := difference(old, manifest):
        raise _other_sweep(path, how)


def difference(old: dict, manifest: dict, then: str = "now") -> str | None:
    """How what one manifest plays differs from what another one does, in words; None where it does not."""
    for key in ("game", "behaviour", "seed", "shard_games", "precision", "source_hash"):
        if old.get(key) != manifest.get(key):
            return _how(key, old, manifest, then)
    here = {cell["id"]: cell for cell in manifest["cells"]}
    for cell in old["cells"]:
        new = here.get(cell["id"])
        if new is None:
            return f"cell {cell['id']} is not part of this one"
        if cell["scenario_hash"] != new["scenario_hash"]:
            return f"cell {cell['id']}: other numbers or rulings"
        if _identities(cell) != _identities(new):
            return f"cell {cell['id']}: other policies, weights or policy code"
    return None


def _refuse_other_shards(shards: dict[Path, dict | None], sweep: Sweep) -> None:
    """Each shard's footer says what it is, also where the manifest is lost; a damaged one says nothing and is
    moved aside when its turn comes.
    """
    ours = {cell.id: identity_of(sweep, cell) for cell in sweep.cells}
    by_folder = ours | {folder_name(cell): identity for cell, identity in ours.items()}
    for path, identity in shards.items():
        expected = by_folder.get(path.parent.name)
        if expected is None:
            raise _other_sweep(path, f"cell {path.parent.name} is not part of this one")
        if identity is None:
            continue
        for key in sorted(expected):
            if identity.get(key) != expected[key]:
                raise _other_sweep(path, _how(key, identity, expected))


def _how(key: str, old: dict, new: dict, then: str = "now") -> str:
    if key == "source_hash":
        return "other rules: the code of the game has changed since"
    return f"{key} = {old.get(key)}, {then} {new.get(key)}"


def _other_sweep(path: Path, how: str) -> UsageError:
    return UsageError(f"{path}: holds another sweep ({how}); name a new folder with -o")


def _refuse_fewer(folder: Path, shards: dict[Path, dict | None], manifest: dict) -> None:
    """A cell is never cut: its later games would stay behind and be counted, or be lost."""
    most = max((last_game(path, identity) for path, identity in shards.items()), default=0)
    games = min(cell["games"] for cell in manifest["cells"])
    if most > games:
        raise UsageError(
            f"{folder}: holds {most:,} games a cell, asked for {games:,}; ask for at least {most} or name a "
            "new folder with -o"
        )


def _identity(shard: Path) -> dict | None:
    """What a shard says it is; None when it is damaged."""
    try:
        return shard_identity(shard)
    except EngineError:
        return None


def _identities(cell: dict) -> list[tuple]:
    """The players in a cell of a manifest."""
    return [(player["name"], player["weights"], player["source_hash"]) for player in cell["policies"]]
