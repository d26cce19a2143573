"""All games of a result folder as one tidy table, one row per game (columns: docs/data.md)."""

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow.parquet as pq

from bartizan.analyses.records.tally import reporting_of
from bartizan.simcore.compile.rules import HOUSE, NOBODY, TRUNCATED
from bartizan.simcore.files import MADE_HERE
from bartizan.simcore.sweep.store import Cell, Sweep, is_comparison
from bartizan.simcore.sweep.verify import checked_sweep

PIECE = 250_000  # games in memory at a time
NO_SEAT = {NOBODY: "nobody", TRUNCATED: "cut off", HOUSE: "the game"}


def table(folder: Path) -> pl.LazyFrame:
    """Return all games of a sweep or a comparison, with level, policies and settings."""
    names = ("a", "b") if is_comparison(folder) else ("",)
    sides = [(side, checked_sweep(folder / side)) for side in names]
    cells = [(side, sweep, cell) for side, sweep in sides for cell in sweep.cells]
    kinds = _kinds([cell.set for _, _, cell in cells])
    frames = [_cell(side, sweep, cell, kinds) for side, sweep, cell in cells]
    return pl.concat(frames, how="diagonal_relaxed")


def _kinds(sets: Sequence[Mapping[str, Any]]) -> dict[str, pl.DataType]:
    """Map paths, in order of first use, to column types.

    Numbers and booleans keep their type; other values become text.
    """
    values: dict[str, list[Any]] = {}
    for one in sets:
        for path, value in one.items():
            values.setdefault(path, []).append(value)
    return {path: _kind({type(value) for value in known}) for path, known in values.items()}


def _kind(types: set[type]) -> pl.DataType:
    if types <= {bool}:
        return pl.Boolean()
    if types <= {int}:
        return pl.Int64()
    return pl.Float64() if types <= {int, float} else pl.String()


def _cell(side: str, sweep: Sweep, cell: Cell, kinds: Mapping[str, pl.DataType]) -> pl.LazyFrame:
    columns_of_cell: dict[str, tuple[Any, pl.DataType]] = {"side": (side, pl.String())} if side else {}
    for name in ("cell", "scenario", "difficulty"):
        columns_of_cell[name] = (getattr(cell, "id" if name == "cell" else name), pl.String())
    columns_of_cell["seed"] = (sweep.manifest["seed"], pl.Int64())
    columns_of_cell |= {f"policy_{seat['role']}": (seat["as_named"], pl.String()) for seat in cell.policies}
    columns_of_cell |= {path: (_value(cell.set.get(path), kind), kind) for path, kind in kinds.items()}
    columns = [pl.lit(value, kind).alias(name) for name, (value, kind) in columns_of_cell.items()]
    games = cell.scan() if reporting_of(cell).has_score else cell.scan().drop("score", strict=False)
    return games.select(*columns, pl.all()).with_columns(names_of(cell))


def _value(value: Any, kind: pl.DataType) -> Any:
    if value is None or kind != pl.String() or isinstance(value, str):
        return value
    return json.dumps(value)


def names_of(cell: Cell) -> Iterator[pl.Expr]:
    """Yield an expression for the column of names beside each column of codes."""
    seats = {seat: entry["role"] for seat, entry in enumerate(cell.policies)}
    coded: dict[str, Mapping[Any, str]] = {"winner": {**NO_SEAT, **seats}, "end_reason": cell.end_reasons}
    coded |= cell.labels
    for column, names in coded.items():
        words = {int(code): name for code, name in names.items()}
        code = pl.col(column).cast(pl.Int64)
        yield code.replace_strict(words, default=None, return_dtype=pl.String).alias(f"{column}_name")


# ---------------------------------------------------------------- files


def write_table(frame: pl.LazyFrame, games: int, path: Path, *, is_parquet: bool) -> None:
    """Write a table as .parquet or .csv.

    Does not use polars' sinks, whose memory grows with the length of the table.
    """
    pieces = (frame.slice(first, PIECE).collect() for first in range(0, max(games, 1), PIECE))
    if not is_parquet:
        with path.open("wb") as file:
            for number, piece in enumerate(pieces):
                piece.write_csv(file, include_header=number == 0)
        return
    tables = (piece.to_arrow(compat_level=pl.CompatLevel.oldest()) for piece in pieces)
    first = next(tables)
    schema = first.schema.with_metadata({**(first.schema.metadata or {}), "generator": MADE_HERE})
    with pq.ParquetWriter(path, schema, compression="zstd") as file:
        for one in chain([first], tables):
            file.write_table(one)
