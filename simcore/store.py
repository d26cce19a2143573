"""Results on disk: a folder with a manifest, and for each cell parquet shards of one row per game.

A shard covers a fixed range of game numbers and is written whole or not at all (temporary file, fsync,
rename). Its footer holds what it is (`identity`) and a sha256
over its rows, so that a rerun knows which shards are good. Nothing in the folder depends on time, threads or
interruptions: the same sweep is the same bytes.
"""

import hashlib
import json
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

from bartizan.simcore.errors import EngineError, UsageError
from bartizan.simcore.game import Engine

SCHEMA = "bartizan.sweep/1"
SHARD_GAMES = 32_768
MANIFEST = "manifest.json"
SUMS = "SHA256SUMS"
CARDS = "cards.json"  # what `bartizan cards --value` and `--usage` add to a finished sweep
SENSITIVITY = "sensitivity.json"  # what `bartizan sensitivity` adds
COMPARISON = "compare.json"  # what `bartizan compare -o` writes beside its two sides
IDENTITY, DIGEST = b"bartizan.identity", b"bartizan.digest"


@dataclass(frozen=True)
class Cell:
    """One cell of a sweep: a manifest entry and its shards."""

    folder: Path
    id: str
    difficulty: str
    scenario: str
    scenario_hash: str
    set: dict[str, Any]
    policies: list[dict]
    games: int
    tiers: dict[str, int]
    end_reasons: dict[str, str]
    labels: dict[str, dict[str, str]]
    cause_column: str | None
    nulls: dict[str, int]
    columns: dict[str, str]  # name -> numpy type
    assumed: int
    confidence: dict[str, int]
    assumptions: list[str]
    min_win_score: int | None = None
    # tier -> level of victory; empty where the game has none, and in older manifests
    tier_levels: dict[str, str] = field(default_factory=dict)
    # see simcore.reporting; empty when the game says nothing, and in older manifests
    reporting: dict = field(default_factory=dict)
    banner: dict | None = None  # of a reconstruction, see simcore.banner
    # [path, name] of every value that was set, as they were named; none in older manifests
    names: list = field(default_factory=list)
    changes: list[dict] = field(default_factory=list)  # against the shipped scenario, see simcore.changes
    precision: float | None = None  # of the sweep: at which a cell may end before its games are used up

    def shards(self) -> list[Path]:
        return shards_in(self.folder)

    def scan(self) -> pl.LazyFrame:
        """Every row of the cell, lazily, in game order; an empty frame before the first shard.

        Raises EngineError when a shard is missing.
        """
        shards = self.shards()
        refuse_gaps(self)
        if not shards:
            return pl.LazyFrame(
                schema={
                    name: pl.Series(pa.array([], _arrow_type(kind))).dtype
                    for name, kind in self.columns.items()
                }
            )
        return pl.scan_parquet(shards)


@dataclass(frozen=True)
class Sweep:
    folder: Path
    manifest: dict
    cells: list[Cell] = field(repr=False)


# ---------------------------------------------------------------- folders and manifests


def open_sweep(folder: Path) -> Sweep:
    """A sweep for reading. Raises UsageError when the folder holds none."""
    folder = Path(folder)
    path = folder / MANIFEST
    try:
        return _read_sweep(folder)
    except FileNotFoundError:
        if any(_shards_of_cells(folder)):
            raise EngineError(
                f"{path}: is missing; run the same sweep again with -o {folder} to write it anew"
            ) from None
        raise UsageError(
            f"{folder}: holds no sweep (no {MANIFEST}); make one with: bartizan sweep GAME -o {folder}"
        ) from None
    except (ValueError, KeyError, TypeError) as error:
        raise EngineError(
            f"{path}: damaged manifest ({error}); run the same sweep again with -o {folder} to write it anew"
        ) from error


def _read_sweep(folder: Path) -> Sweep:
    return sweep_of(folder, json.loads((folder / MANIFEST).read_text(encoding="utf-8")))


def sweep_of(folder: Path, manifest: dict) -> Sweep:
    """What a manifest says is, or will be, in a folder."""
    cells = [
        Cell(folder / "cells" / entry["id"], **_as_named(entry), precision=manifest.get("precision"))
        for entry in manifest["cells"]
    ]
    return Sweep(folder, manifest, cells)


def _as_named(entry: dict) -> dict:
    """A manifest sorts its keys: what was set stands again in the order in which it was named."""
    order = [path for path, _ in entry.get("names", [])]
    there = {**entry, "set": {path: entry["set"][path] for path in dict.fromkeys((*order, *entry["set"]))}}
    if "changes" in entry:
        there["changes"] = [
            {key: row[key] for key in ("path", "what", "from", "to", "confidence", "unit") if key in row}
            for row in entry["changes"]
        ]
    return there


def begin_sweep(folder: Path, manifest: dict, identities: dict[str, dict]) -> Sweep:
    """Make or continue a sweep folder. A folder that holds another sweep, or more games of this one, is
    refused and left as it is.

    identities: cell id -> what a shard of it says it is, whatever its games.
    """
    folder = Path(folder)
    path = folder / MANIFEST
    try:
        folder.mkdir(parents=True, exist_ok=True)
        shards = {shard: _said_identity(shard) for shard in _shards_of_cells(folder)}
        old = _old_manifest(folder)
        if old is not None:
            _refuse_other(path, old, manifest)
        elif not shards and not path.exists() and any(folder.iterdir()):
            raise UsageError(f"{folder}: is not empty and holds no sweep; name a new folder with -o")
        _refuse_other_shards(shards, identities)
        _refuse_fewer(folder, shards, manifest)
        for left_over in folder.rglob(".*.tmp"):  # of a process that was killed while writing
            left_over.unlink(missing_ok=True)
        if old != json.loads(json.dumps(manifest)):
            (folder / SUMS).unlink(missing_ok=True)  # they say that a sweep is finished: the one before was
        write_atomic(path, json.dumps(manifest, indent=2, sort_keys=True).encode() + b"\n")
    except OSError as error:
        raise UsageError(
            f"{folder}: cannot be written: {error.strerror or error}; name another folder with -o"
        ) from error
    return open_sweep(folder)


def _old_manifest(folder: Path) -> dict | None:
    """The manifest of a folder; None where it is missing or damaged: then it is written anew, and the shards
    say what the folder holds.
    """
    try:
        return _read_sweep(folder).manifest
    except (FileNotFoundError, ValueError, KeyError, TypeError):
        return None


def _refuse_other(path: Path, old: dict, manifest: dict) -> None:
    for key in ("game", "behaviour", "seed", "shard_games", "precision"):
        if old.get(key) != manifest[key]:
            raise _other_sweep(path, f"{key} = {old.get(key)}, now {manifest[key]}")
    here = {cell["id"]: cell for cell in manifest["cells"]}
    for cell in old["cells"]:
        new = here.get(cell["id"])
        if new is None:
            raise _other_sweep(path, f"cell {cell['id']} is not part of this one")
        if cell["scenario_hash"] != new["scenario_hash"]:
            raise _other_sweep(path, f"cell {cell['id']}: other numbers or rulings")
        if _who(cell) != _who(new):
            raise _other_sweep(path, f"cell {cell['id']}: other policies, weights or policy code")


def _refuse_other_shards(shards: dict[Path, dict | None], identities: dict[str, dict]) -> None:
    """Each shard's footer says what it is, also where the manifest is lost; a damaged one says nothing and is
    moved aside when its turn comes.
    """
    for path, said in shards.items():
        wanted = identities.get(path.parent.name)
        if wanted is None:
            raise _other_sweep(path, f"cell {path.parent.name} is not part of this one")
        if said is None:
            continue
        for key in sorted(wanted.keys() - {"first_game", "games"}):
            if said.get(key) != wanted[key]:
                raise _other_sweep(path, f"{key} = {said.get(key)}, now {wanted[key]}")


def _other_sweep(path: Path, how: str) -> UsageError:
    return UsageError(f"{path}: holds another sweep ({how}); name a new folder with -o")


def _refuse_fewer(folder: Path, shards: dict[Path, dict | None], manifest: dict) -> None:
    """A cell is never cut: its later games would stay behind and be counted, or be lost."""
    most = max((_last_game(path, said) for path, said in shards.items()), default=0)
    asked = min(cell["games"] for cell in manifest["cells"])
    if most > asked:
        raise UsageError(
            f"{folder}: holds {most:,} games a cell, asked for {asked:,}; ask for at least {most} or name a "
            "new folder with -o"
        )


def _last_game(shard: Path, said: dict | None) -> int:
    """How many games a cell has up to the end of this shard; one that does not say
    holds at least its first.
    """
    return said["first_game"] + said["games"] if said is not None else int(shard.stem) * SHARD_GAMES + 1


def _shards_of_cells(folder: Path) -> list[Path]:
    return [shard for cell in sorted(folder.glob("cells/*")) for shard in shards_in(cell)]


def _said_identity(shard: Path) -> dict | None:
    """What a shard says it is; None when it is damaged."""
    try:
        said = shard_identity(shard)
    except (EngineError, ValueError):
        return None
    return said if isinstance(said, dict) and {"first_game", "games"} <= said.keys() else None


def _who(cell: dict) -> list[tuple]:
    return [(p["name"], p["weights"], p["source_hash"]) for p in cell["policies"]]


def write_sums(sweep: Sweep) -> None:
    """SHA256SUMS of the finished folder, in the format of `sha256sum`."""
    added = [path for path in (sweep.folder / CARDS, sweep.folder / SENSITIVITY) if path.exists()]
    files = [sweep.folder / MANIFEST, *added, *(shard for cell in sweep.cells for shard in cell.shards())]
    lines = [_sum_line(sweep, file) for file in sorted(files)]
    write_atomic(sweep.folder / SUMS, ("\n".join(lines) + "\n").encode())


def _sum_line(sweep: Sweep, file: Path) -> str:
    return f"{file_digest(file)}  {file.relative_to(sweep.folder).as_posix()}"


def read_added(sweep: Sweep, name: str) -> dict:
    """A document that another command added to the sweep; {} without one.

    Raises EngineError when it is damaged.
    """
    path = sweep.folder / name
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise EngineError(f"{path}: damaged ({error}); delete it and make it anew") from error
    if not isinstance(document, dict):
        raise EngineError(f"{path}: damaged (no document); delete it and make it anew")
    return document


def write_added(sweep: Sweep, name: str, document: dict) -> Path:
    """Add a document to a finished sweep, or put it in the place of the one before; only its own line of
    SHA256SUMS changes, so that no damaged shard is signed anew.
    """
    path, sums = sweep.folder / name, sweep.folder / SUMS
    try:
        lines = sums.read_text(encoding="utf-8").splitlines()
        write_atomic(path, json.dumps(document, indent=2, sort_keys=True).encode() + b"\n")
        others = [line for line in lines if line.partition("  ")[2] != name]
        ordered = sorted(
            [*others, _sum_line(sweep, path)], key=lambda line: sweep.folder / line.partition("  ")[2]
        )
        write_atomic(sums, ("\n".join(ordered) + "\n").encode())
    except FileNotFoundError:
        raise UsageError(
            f"{sweep.folder}: the sweep is not finished (no {SUMS}); run it again with -o {sweep.folder} "
            "first"
        ) from None
    except OSError as error:
        raise UsageError(f"{path}: cannot be written: {error.strerror or error}") from error
    return path


def refuse_gaps(cell: Cell) -> None:
    """A missing shard must not pass for a smaller sample. Raises EngineError.

    While a sweep is unfinished a cell of a fixed number of games may end early: the report says how far it
    is. A cell that may stop by
    itself does not tell, so it is refused.
    """
    sweep, shards, listed = cell.folder.parent.parent, cell.shards(), _listed_shards(cell)
    again = f"run the same sweep again with -o {sweep}"
    if listed is None and cell.precision is not None and shards:
        raise EngineError(f"{sweep}: the sweep is not finished (no {SUMS}); {again} to go on")
    for path in _due_shards(cell, len(shards), listed):
        if path not in shards:
            raise EngineError(
                f"{path}: is missing; {again}: it keeps the good shards and plays this one anew"
            )
    held = sum(shard_identity(shard)["games"] for shard in shards)
    fixed = listed is not None and cell.precision is None
    due = (
        cell.games
        if fixed
        else max((_last_game(shard, shard_identity(shard)) for shard in shards), default=0)
    )
    if held != due:
        raise EngineError(f"{cell.folder}: its shards hold {held:,} games instead of {due:,}; {again}")


def _due_shards(cell: Cell, there: int, listed: list[Path] | None) -> list[Path]:
    """The shards a cell must have: up to its games, to where it stopped by itself, or (unfinished) to where
    it is.
    """
    if listed is not None and cell.precision is not None:
        return listed or [shard_path(cell, 0)]
    return [
        shard_path(cell, first)
        for first in range(0, cell.games if listed is not None else there * SHARD_GAMES, SHARD_GAMES)
    ]


def _listed_shards(cell: Cell) -> list[Path] | None:
    """The shards of a cell that SHA256SUMS names; None while there is none: the sweep is unfinished."""
    sweep = cell.folder.parent.parent
    try:
        lines = (sweep / SUMS).read_text(encoding="utf-8", errors="replace").splitlines()
    except FileNotFoundError:
        return None
    paths = [sweep / line.partition("  ")[2] for line in lines]
    return [path for path in paths if path.parent == cell.folder]


def write_atomic(path: Path, content: bytes) -> None:
    """The whole file or none of it, whatever happens meanwhile."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    with open(temporary, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    os.replace(temporary, path)


def file_digest(path: Path) -> str:
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


# ---------------------------------------------------------------- shards


def shards_in(folder: Path) -> list[Path]:
    return sorted(path for path in folder.glob("*.parquet") if path.stem.isdigit())


def shard_path(cell: Cell, first_game: int) -> Path:
    return cell.folder / f"{first_game // SHARD_GAMES:05d}.parquet"


def write_shard(path: Path, rows: np.ndarray, engine: Engine, identity: dict) -> None:
    """One shard, atomically. rows: structured array of the game's record dtype, in game order."""
    columns = {name: _column(rows[name], engine.nulls.get(name)) for name in rows.dtype.names or ()}
    footer = {IDENTITY: json.dumps(identity, sort_keys=True).encode(), DIGEST: rows_digest(rows).encode()}
    table = pa.table(columns).replace_schema_metadata(footer)
    sink = pa.BufferOutputStream()
    pq.write_table(table, sink, compression="zstd", store_schema=True)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomic(path, sink.getvalue().to_pybytes())
    except OSError as error:
        raise UsageError(
            f"{path}: cannot be written: {error.strerror or error}; what is finished is kept, run the same "
            "command again"
        ) from error


def read_shard(path: Path, engine: Engine) -> np.ndarray:
    """The rows of a shard as they were written. Raises EngineError when the file is damaged."""
    said = _metadata(path)
    try:
        table = pq.read_table(path)
        rows = np.zeros(table.num_rows, engine.record_dtype)
        for name in rows.dtype.names:
            column = table[name]
            rows[name] = (
                column.fill_null(engine.nulls[name]).to_numpy() if name in engine.nulls else column.to_numpy()
            )
    except (pa.ArrowException, OSError, KeyError, ValueError) as error:
        raise damaged(path, str(error).splitlines()[0]) from error
    if rows_digest(rows) != said[DIGEST].decode():
        raise damaged(path, "its rows do not match their checksum")
    return rows


def shard_identity(path: Path) -> dict:
    return json.loads(_metadata(path)[IDENTITY])


def _metadata(path: Path) -> dict[bytes, bytes]:
    try:
        said = pq.read_schema(path).metadata or {}
    except (pa.ArrowException, OSError) as error:
        raise damaged(path, str(error).splitlines()[0][:120]) from error
    if IDENTITY not in said or DIGEST not in said:
        raise damaged(path, "its footer does not say what it is")
    return said


def damaged(path: Path, why: str) -> EngineError:
    return EngineError(
        f"{path}: damaged shard ({why}); run the same sweep again: it keeps the good shards and plays this "
        "one anew"
    )


def rows_digest(rows: np.ndarray) -> str:
    return hashlib.sha256(rows.tobytes()).hexdigest()


def _column(values: np.ndarray, null: int | None) -> pa.Array:
    values = np.ascontiguousarray(values)
    return pa.array(values, mask=values == null) if null is not None else pa.array(values)


def _arrow_type(kind: str) -> pa.DataType:
    return pa.from_numpy_dtype(np.dtype(kind))
