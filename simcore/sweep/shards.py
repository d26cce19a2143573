"""Shards: parquet files with one row per game, each for a fixed range of game numbers.

A shard is written atomically (temporary file, fsync, rename). Its footer contains its identity
(`ReadyCell.identity`) and a sha256 over its rows, so that a rerun can detect intact shards.
"""

import hashlib
import json
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

from bartizan.simcore.errors import EngineError, UsageError
from bartizan.simcore.files import write_atomic, writing
from bartizan.simcore.game import Engine
from bartizan.simcore.kit.columns import no_value

SHARD_GAMES = 32_768
IDENTITY, DIGEST = b"bartizan.identity", b"bartizan.digest"


def shards_in(folder: Path) -> list[Path]:
    return sorted(path for path in folder.glob("*.parquet") if path.stem.isdecimal())


def shard_bytes(rows: np.ndarray, engine: Engine, identity: dict[str, Any]) -> bytes:
    """Return the bytes of one shard. rows: structured array of the game's record dtype, in game order."""
    nulls = [pl.when(pl.col(name) != null).then(pl.col(name)) for name, null in engine.nulls.items()]
    footer = {IDENTITY: json.dumps(identity, sort_keys=True).encode(), DIGEST: rows_digest(rows).encode()}
    # via polars, because pyarrow imports pandas for a numpy array, which takes a third of a second
    table = pl.from_numpy(rows).with_columns(nulls).to_arrow().replace_schema_metadata(footer)
    sink = pa.BufferOutputStream()
    pq.write_table(table, sink, compression="zstd", store_schema=True)
    content: bytes = sink.getvalue().to_pybytes()
    return content


def write_shard(path: Path, rows: np.ndarray, engine: Engine, identity: dict[str, Any]) -> None:
    """Write one shard atomically. rows: as for `shard_bytes`."""
    keep_shard(path, shard_bytes(rows, engine, identity))


def keep_shard(path: Path, content: bytes) -> None:
    """Write the bytes of a shard atomically."""
    with writing(path, "finished shards are kept; run the same command again"):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomic(path, content)


def read_shard(path: Path, engine: Engine) -> np.ndarray:
    """Return the rows of a shard in the game's record dtype. Raises EngineError if the file is damaged.

    A shard of an earlier version may have narrower columns. Its checksum is over the original rows.
    """
    metadata, wanted = _metadata(path), engine.record_dtype
    table, kinds = read_table(path), column_types(path)
    if not fit(kinds, wanted):
        raise damaged(path, "its columns differ from those of the game")
    written = np.dtype([(name, kinds[name].to_pandas_dtype()) for name in wanted.names or ()])
    nulls = {name: _null_as(written[name], wanted[name], null) for name, null in engine.nulls.items()}
    try:
        kept = np.zeros(table.height, written)
        for name in kinds:
            kept[name] = table[name].fill_null(nulls[name]) if name in nulls else table[name]
    except (pl.exceptions.PolarsError, TypeError, ValueError) as error:
        raise damaged(path, str(error).splitlines()[0][:120]) from error
    if rows_digest(kept) != metadata[DIGEST].decode():
        raise damaged(path, "its rows do not match their checksum")
    if written == wanted:
        return kept
    rows = kept.astype(wanted)
    for name, null in nulls.items():
        rows[name][kept[name] == null] = engine.nulls[name]
    return rows


def fit(kinds: Mapping[str, pa.DataType], wanted: np.dtype) -> bool:
    """Return whether a shard has the columns of a record, in any order, and none of them is too wide.

    Columns of an earlier version may be narrower.
    """
    types = {name: kind.to_pandas_dtype() for name, kind in kinds.items()}
    return types.keys() == set(wanted.names or ()) and all(
        np.can_cast(kind, wanted[name], "safe") for name, kind in types.items()
    )


def _null_as(written: np.dtype, wanted: np.dtype, null: int) -> int:
    """Return the number that means "none" in a narrower column.

    It is the minimum of its type if `null` is the minimum of the current type, otherwise `null`.
    """
    is_least = wanted.kind == "i" and null == no_value(wanted)
    return no_value(written) if is_least and written.kind == "i" else null


def read_table(path: Path) -> pl.DataFrame:
    """Return a shard as a frame for reports. Raises EngineError if it cannot be read."""
    try:
        return pl.read_parquet(path, glob=False, hive_partitioning=False)
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError) as error:
        raise damaged(path, (str(error) or "unreadable").splitlines()[0][:120]) from error


def shard_identity(path: Path) -> dict[str, Any]:
    return _identity(_metadata(path), path)


def column_types(path: Path) -> dict[str, pa.DataType]:
    schema = pq.read_schema(path)
    return dict(zip(schema.names, schema.types, strict=True))


def check_rows(path: Path, games: int, gaps: Collection[str]) -> None:
    """Raise EngineError unless a shard has this number of rows, with nulls only in the columns `gaps`."""
    metadata = pq.read_metadata(path)
    if metadata.num_rows != games:
        raise damaged(path, f"it has {metadata.num_rows:,} rows, but its footer lists {games:,}")
    for group in map(metadata.row_group, range(metadata.num_row_groups)):
        for column in map(group.column, range(metadata.num_columns)):
            name, counted = column.path_in_schema, column.statistics
            if name not in gaps and counted and counted.null_count:
                raise damaged(path, f"some games have no value in column {name}")


def identity_within(content: bytes, path: Path) -> dict[str, Any]:
    """Return the identity in the bytes of a shard. path: for error messages."""
    return _identity(_metadata(path, pa.BufferReader(content)), path)


def _identity(metadata: dict[bytes, bytes], path: Path) -> dict[str, Any]:
    try:
        identity: dict[str, Any] = json.loads(metadata[IDENTITY])
        if isinstance(identity["games"], int) and isinstance(identity["first_game"], int):
            return identity
    except (ValueError, KeyError, TypeError) as error:
        raise damaged(path, "its footer does not identify its contents") from error
    raise damaged(path, "its footer does not list its games")


def last_game(shard: Path, identity: dict[str, Any] | None) -> int:
    """Return the number of a cell's games up to the end of this shard.

    Without an identity, it is the number up to the shard's first game.
    """
    if identity is None:
        return int(shard.stem) * SHARD_GAMES + 1
    return int(identity["first_game"] + identity["games"])


def _metadata(path: Path, content: pa.BufferReader | None = None) -> dict[bytes, bytes]:
    try:
        metadata = pq.read_schema(content or path).metadata or {}
    except (pa.ArrowException, OSError) as error:
        raise damaged(path, str(error).splitlines()[0][:120]) from error
    if IDENTITY not in metadata or DIGEST not in metadata:
        raise damaged(path, "its footer does not identify its contents")
    return metadata


def damaged(path: Path, why: str) -> EngineError:
    return EngineError(
        f"{path}: damaged shard ({why}); run the same sweep again to replace it; intact shards are kept"
    )


def rows_digest(rows: np.ndarray) -> str:
    return hashlib.sha256(rows.tobytes()).hexdigest()


def arrow_type(kind: Any) -> pa.DataType:
    return pa.from_numpy_dtype(np.dtype(kind))


def types_of(record: np.dtype) -> dict[str, pa.DataType]:
    """Return {column: type} of a shard with rows of this dtype."""
    return {name: arrow_type(record[name]) for name in record.names or ()}


# ---------------------------------------------------------------- parts of a sweep

# A sweep in parts, for several machines: the shards of each part, and the file that identifies the part in a
# folder.


PART = "part.json"
PART_SCHEMA = "bartizan.part/1"
MOST_PARTS = 100_000


@dataclass(frozen=True)
class SweepPart:
    """One of several parts of about equal size into which a sweep is divided."""

    number: int  # from 1
    of: int

    def __str__(self) -> str:
        return f"{self.number}/{self.of}"

    def share(self, games: Sequence[int]) -> set[tuple[int, int]]:
        """Return (index of the cell, first game) of the shards in this part.

        games: number of games of each cell.
        """
        return set(shards_due(games)[self.number - 1 :: self.of])


@dataclass(frozen=True)
class PartMark:
    """The contents of the file in a part's folder."""

    part: SweepPart
    files: dict[str, str] | None  # shard -> sha256; None: the part is not finished


def read_part(text: str) -> SweepPart:
    """Parse `3/16`, the third of sixteen parts. Raises UsageError for other text."""
    match = re.fullmatch(r"0*(\d{1,6})/0*(\d{1,6})", text.strip())
    number, of = map(int, match.groups()) if match else (0, 0)
    if not 1 <= number <= of <= MOST_PARTS:
        raise UsageError(
            f"--shards {text}: write PART/PARTS, such as 3/16 for the third of 16 parts; at most "
            f"{MOST_PARTS:,} parts are possible"
        )
    return SweepPart(number, of)


def shards_due(games: Sequence[int]) -> list[tuple[int, int]]:
    """Return (index of the cell, first game) of all shards, in the order of their assignment to parts.

    games: number of games of each cell. The order is by cell, so that every part gets some of the slow and
    fast cells. Partial shards come last, so that they are distributed over the parts.
    """
    full = [(i, first) for i, n in enumerate(games) for first in range(0, n - n % SHARD_GAMES, SHARD_GAMES)]
    return full + [(i, n - n % SHARD_GAMES) for i, n in enumerate(games) if n % SHARD_GAMES]


def read_mark(folder: Path) -> PartMark | None:
    """Return the mark of the part in a folder; None if it contains no part.

    Raises EngineError if the file does not identify the part.
    """
    path = folder / PART
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
        part, files = SweepPart(int(document["part"]), int(document["parts"])), document.get("files")
        if files is not None:
            files = {str(name): str(digest) for name, digest in files.items()}
        return PartMark(part, files)
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        why = f"{path}: damaged ({type(error).__name__}); delete it and run the same sweep again"
        raise EngineError(f"{why} with -o {folder}") from error


def write_mark(folder: Path, mark: PartMark) -> None:
    files = {} if mark.files is None else {"files": mark.files}
    document = {"schema": PART_SCHEMA, "part": mark.part.number, "parts": mark.part.of, **files}
    write_atomic(folder / PART, json.dumps(document, indent=2, sort_keys=True).encode() + b"\n")


def refuse_part(folder: Path) -> None:
    """Raise EngineError for a part, which must not be used as a complete sweep."""
    mark = read_mark(folder)
    if mark is not None:
        raise EngineError(
            f"{folder}: contains part {mark.part} of a sweep; combine the parts first: bartizan "
            "import PART... -o DIR"
        )


def command_of_part(command: str, part: SweepPart | str, out: str | Path = "DIR") -> str:
    """Return the command line that simulates one part.

    command: the command in the manifest, with `-o DIR` at its end.
    """
    return f"{command.removesuffix(' -o DIR')} --shards {part} -o {out}"
