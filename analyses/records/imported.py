"""Records of games from another program, converted to a folder of results with one row per game.

Reports, claims and exports read the folder like a sweep.

Games of different cells with the same seed get the same game number, so they are compared in pairs. Games
without seeds are numbered in the order of their rows. Comparing independent games in pairs loses no
information.
"""

import json
import re
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

from bartizan.analyses.records.imported_columns import ALIKE, RecordMapping, score_of, unit_of
from bartizan.analyses.records.imported_file import meanings, open_source, reading
from bartizan.analyses.records.imported_numbers import CODE, GAME, Numbering, numbering_of
from bartizan.analyses.records.imported_rows import END, RecordCell, RecordReader, refuse_missing
from bartizan.simcore.files import write_atomic, writing
from bartizan.simcore.reporting import CONFIDENCE, Group, Reporting, Setting
from bartizan.simcore.sweep.cells import CellEntry
from bartizan.simcore.sweep.manifest import versions
from bartizan.simcore.sweep.shards import DIGEST, IDENTITY, SHARD_GAMES, keep_shard
from bartizan.simcore.sweep.store import (
    MANIFEST,
    SCHEMA,
    Sweep,
    identity_of,
    shard_path,
    sweep_of,
    write_sums,
)

COUNTED = "Counted in the records"
AT_ONCE = 32  # cells written in one pass over the rows; each keeps up to a shard of games in memory


@dataclass(frozen=True)
class Imported:
    """Result of reading a file.

    unread: maps headings of ignored columns to a description of their content.
    """

    manifest: dict[str, Any]
    mapping: RecordMapping
    rows: int
    paired: bool  # whether all cells have the same seeds
    unread: dict[str, str] = field(default_factory=dict)
    format: str = ""  # name of a public format; "": a table in another format
    unfinished: int = 0  # omitted games


def import_records(
    path: Path,
    out: Path,
    given: RecordMapping | None = None,
    by: Sequence[str] = (),
    command: str = "",
    before: Callable[[RecordReader, Path], None] | None = None,
) -> Imported:
    """Write the games of a file into a new folder of results. On failure, no files are left.

    before: called with the rows of all games before the folder is written. Raises UsageError with file, row,
    column and the correction, or if the folder cannot be written.
    """
    source = open_source(path, given.records.decimal if given else "")
    mapping, unread = meanings(source, given, by)
    refuse_missing(source, mapping)
    with tempfile.TemporaryDirectory(prefix="bartizan-import-") as folder:
        reader = RecordReader(source, mapping)
        cells = reader.cells()
        rows = Path(folder) / "rows.parquet"
        with reading(source.path):
            reader.rows().sink_parquet(rows, row_group_size=SHARD_GAMES, compression="lz4")
        kinds = reader.column_types(rows)
        seed = mapping.one("seed")
        numbering = numbering_of(source, seed, rows, len(cells)) if seed else Numbering()
        if before is not None:
            before(reader, rows)
        _write(out, manifest := _manifest(reader, cells, kinds, command), rows, numbering)
    rows_read = manifest["imported"]["rows"]
    return Imported(manifest, mapping, rows_read, numbering.paired, unread, source.format, source.unfinished)


# ---------------------------------------------------------------- the folder


def _manifest(
    reader: RecordReader, cells: Sequence[RecordCell], columns: dict[str, str], command: str
) -> dict[str, Any]:
    source, mapping = reader.source, reader.mapping
    # two files of one game have one name, so that `report --since` compares them
    name = re.sub(r"[^a-z0-9]+", "_", mapping.records.title.lower()).strip("_") or "records"
    alike = not mapping.records.roles and max(len(cell.policies) for cell in cells) > 1
    return {
        "schema": SCHEMA,
        "game": name,
        "game_as_named": name,
        "title": mapping.records.title or source.path.stem,
        "rules_source": None,
        "behaviour": 1,
        **({"alike": True} if alike else {}),
        "versions": versions(),
        "seed": 0,
        "level": CONFIDENCE,
        "command": command,
        "shard_games": SHARD_GAMES,
        "imported": {
            "file": source.path.name,
            "sha256": source.digest(),
            "rows": sum(cell.games for cell in cells),
            "mapping": mapping.model_dump(mode="json"),
            "headings": reader.number_columns() | reader.coded,  # of columns
        },
        "cells": [_entry(reader, cell, columns) for cell in cells],
    }


def _entry(reader: RecordReader, cell: RecordCell, columns: dict[str, str]) -> dict[str, Any]:
    seats = len(cell.policies)
    roles = reader.mapping.records.roles or (ALIKE if seats > 1 else ("player",))
    roles = [*roles, *(f"seat {place + 1}" for place in range(len(roles), seats))][:seats]
    settings = {
        name: Setting(name.replace("_", " "), curve=True)
        for name, value in cell.settings.items()
        if isinstance(value, int | float) and not isinstance(value, bool)
    }
    numbers = reader.number_columns()
    counts = {name: numbers[name] for name in reader.counts if numbers[name] in reader.mapping.measures}
    reporting = Reporting(
        time=unit_of(reader.mapping),
        has_score=reader.has_score,
        score=score_of(reader.mapping),
        groups=(Group(COUNTED, counts),) if counts else (),
        scored="" if reader.scores or seats == 1 else "the game",
        scores="score_{}" if reader.scores and seats > 1 else "",
        settings=settings,
    )
    policies = [
        {"role": role, "name": policy, "as_named": policy, "weights": {}, "about": "", "source_hash": ""}
        for role, policy in zip(roles, cell.policies, strict=True)
    ]
    labels = {
        name: {str(code): word for code, word in enumerate(words, 1)}
        for name, words in reader.words_of.items()
    }
    entry = CellEntry(
        id=cell.id,
        difficulty=cell.level or "standard",
        scenario="records",
        scenario_hash="",
        set=cell.settings,
        names=[[name, name.replace("_", " ")] for name in cell.settings],
        policies=policies,
        games=cell.games,
        tiers={},
        end_reasons={"0": "not recorded"} | labels.pop(END),
        labels=labels,
        cause_column=None,
        nulls=dict.fromkeys((name for name in columns if name not in ("game", "winner", "end_reason")), 0),
        columns=columns,
        assumed=0,
        confidence={},
        assumptions=[],
        reporting=reporting.document(),
    )
    return {**entry.written(), "names": entry.names}


def _write(out: Path, manifest: dict[str, Any], rows: Path, numbering: Numbering) -> None:
    """Write the folder beside its place, and move its content there once it is complete."""
    beside = out.resolve().parent
    with writing(f"-o {out}"):
        beside.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".bartizan-import-", dir=beside) as folder:
            sweep = sweep_of(Path(folder), manifest)
            write_atomic(
                sweep.folder / MANIFEST, json.dumps(manifest, indent=2, sort_keys=True).encode() + b"\n"
            )
            for first in range(0, len(sweep.cells), AT_ONCE):
                _write_cells(sweep, range(first, min(first + AT_ONCE, len(sweep.cells))), rows, numbering)
            write_sums(sweep)
            out.mkdir(exist_ok=True)
            for path in sweep.folder.iterdir():
                path.rename(out / path.name)


def _write_cells(sweep: Sweep, codes: range, rows: Path, numbering: Numbering) -> None:
    """Write the shards of some cells in one pass over the rows."""
    kinds = sweep.cells[0].columns
    waiting = {code: pl.DataFrame() for code in codes}
    written = dict.fromkeys(codes, 0)

    def keep(code: int) -> None:
        cell, part = sweep.cells[code], waiting[code].head(SHARD_GAMES)
        identity = {**identity_of(sweep, cell), "first_game": written[code], "games": part.height}
        keep_shard(shard_path(cell, written[code]), _shard_bytes(part, identity))
        written[code] += part.height
        waiting[code] = waiting[code].slice(SHARD_GAMES)

    for games in numbering.parts(rows):
        read = games.filter(pl.col(CODE).is_between(codes[0], codes[-1]))
        for (code,), part in read.partition_by(CODE, as_dict=True).items():
            if GAME not in part.columns:
                part = part.with_row_index(GAME, written[code] + waiting[code].height)
            record = _record(part, kinds)
            waiting[code] = pl.concat([waiting[code], record]) if waiting[code].height else record
            if waiting[code].height >= SHARD_GAMES:
                keep(code)
    for code in codes:
        if waiting[code].height:
            keep(code)


def _record(part: pl.DataFrame, kinds: Mapping[str, str]) -> pl.DataFrame:
    if "score" not in part.columns:
        own = pl.col("score_0") if "score_0" in part.columns else pl.lit(None, pl.Float64)
        part = part.with_columns(own.alias("score"))
    types: dict[str, Any] = {"<i8": pl.Int64, "<i4": pl.Int32, "|i1": pl.Int8, "<f8": pl.Float64}
    return part.select(pl.col(name).cast(types[kind]) for name, kind in kinds.items())


def _shard_bytes(part: pl.DataFrame, identity: dict[str, Any]) -> bytes:
    table = part.to_arrow()
    digest = str(part.hash_rows().sum())
    footer = {IDENTITY: json.dumps(identity, sort_keys=True).encode(), DIGEST: digest.encode()}
    sink = pa.BufferOutputStream()
    pq.write_table(table.replace_schema_metadata(footer), sink, compression="zstd", store_schema=True)
    content: bytes = sink.getvalue().to_pybytes()
    return content
