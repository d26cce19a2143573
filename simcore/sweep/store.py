"""Results on disk: a folder with a manifest, and the shards of each cell.

Nothing in the folder depends on time, threads or interruptions, so two runs of a sweep give byte-identical
folders.
"""

import hashlib
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import groupby
from math import isfinite
from pathlib import Path
from typing import Any, TypeVar

import polars as pl
import pyarrow as pa

from bartizan.simcore.errors import EngineError, UsageError
from bartizan.simcore.files import (
    drop_abandoned,
    file_digest,
    in_turn,
    is_left_over,
    quoted,
    read_document,
    write_atomic,
    writing,
)
from bartizan.simcore.reporting import Reporting
from bartizan.simcore.reporting import read as read_reporting
from bartizan.simcore.scenario.changes import SCHEMA as SENSITIVITY_SCHEMA
from bartizan.simcore.sweep.cells import CellEntry, as_named, check_characters, refuse_misshapen
from bartizan.simcore.sweep.shards import (
    SHARD_GAMES,
    arrow_type,
    column_types,
    last_game,
    refuse_part,
    shard_identity,
    shards_in,
)

SCHEMA = "bartizan.sweep/1"
MANIFEST = "manifest.json"
SUMS = "SHA256SUMS"
CARD_SCHEMA = "bartizan.card-values/1"
CARDS = "cards.json"  # added to a finished sweep by `bartizan cards --value` and `--usage`
SENSITIVITY = "sensitivity.json"  # added by `bartizan sensitivity`
LOOKS = "looks.json"  # numbers of games at which claims were judged, see simcore.sweep.looks
# file that another command adds -> its schema, and what it is about
ADDED = {CARDS: (CARD_SCHEMA, "cards"), SENSITIVITY: (SENSITIVITY_SCHEMA, "influential values")}
ANSWERS = "answers"  # folder for the results of other commands, see `keep`
COMPARISON = "compare.json"  # written by `bartizan compare -o` beside its two sides
LONGEST = 140  # maximum characters of a folder name; file systems allow from 143 (encrypted homes) to 255

Frame = TypeVar("Frame", pl.DataFrame, pl.LazyFrame)


class Cell(CellEntry):
    """One cell of a sweep: a manifest entry and its shards."""

    folder: Path = Path()
    precision: float | None = None  # of the sweep: at which a cell may end before its maximum number of games

    def shards(self) -> list[Path]:
        return shards_in(self.folder)

    def scan(self) -> pl.LazyFrame:
        """Return a lazy frame of the rows in game order, with scores in points; empty before the first shard.

        Raises EngineError if the shards are incomplete (`refuse_gaps`).
        """
        shards = self.shards()
        refuse_gaps(self)
        if not shards:
            empty = {name: pa.array([], arrow_type(kind)) for name, kind in self.columns.items()}
            schema = {name: pl.Series(column).dtype for name, column in empty.items()}
            return with_points(pl.LazyFrame(schema=schema), self.reporting)
        # shards of an earlier version may have narrower columns; a finished sweep has one width
        is_mixed = read_sums(self.folder.parent.parent) is None
        alike = groupby(shards, column_types) if is_mixed else [(None, shards)]
        # a name is literal: neither a pattern, nor a column of a partition
        scans = [pl.scan_parquet(list(group), glob=False, hive_partitioning=False) for _, group in alike]
        frame = pl.concat(scans, how="vertical_relaxed") if len(scans) > 1 else scans[0]
        return with_points(frame, self.reporting)


def with_points(frame: Frame, declared: Reporting | Mapping[str, Any] | None) -> Frame:
    """Return rows of records with their scores in points (`Reporting.in_points`).

    Every analysis reads records through this function.
    """
    reporting = declared if isinstance(declared, Reporting) else read_reporting(declared)
    if reporting.score_scale == 1:
        return frame
    columns = reporting.scored_columns(frame.collect_schema().names())
    # divided by a column, because polars multiplies by 1 / 10 instead of dividing by 10: 141 * 0.1 > 14.1
    scale = (pl.col(columns) * 0 + reporting.score_scale).cast(pl.Float64)
    return frame.with_columns(pl.col(columns) / scale)


@dataclass(frozen=True)
class Sweep:
    folder: Path
    manifest: dict[str, Any]
    cells: list[Cell] = field(repr=False)


def open_sweep(folder: Path) -> Sweep:
    """Open a sweep for reading.

    Raises UsageError if the folder contains none, and EngineError if its manifest is missing or damaged.
    """
    folder = Path(folder)
    path = folder / MANIFEST
    try:
        return read_sweep(folder)
    except FileNotFoundError:
        if any(shards_of_cells(folder)):
            raise EngineError(
                f"{path}: missing; run the same sweep again with -o {folder} to write it"
            ) from None
        fault = f"contains no sweep (no {MANIFEST})" if folder.exists() else "no such folder"
        raise UsageError(
            f"{folder}: {fault}; create one with: bartizan run GAME -o {quoted(folder)}"
        ) from None
    except NotADirectoryError:
        raise UsageError(f"{folder}: this is a file; give the folder of the sweep") from None
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise EngineError(
            f"{path}: damaged manifest ({error}); run the same sweep again with -o {folder} to rewrite it"
        ) from error


def read_sweep(folder: Path) -> Sweep:
    manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    refuse_misshapen(manifest)
    return sweep_of(folder, manifest)


def sweep_of(folder: Path, manifest: dict[str, Any]) -> Sweep:
    """Return the sweep that a manifest describes, finished or not."""
    cells = []
    for entry in manifest["cells"]:
        # new folders contain no `=`, which readers of many files take for a partition; older ones keep it
        path, older = folder / "cells" / folder_name(entry["id"]), folder / "cells" / entry["id"]
        path = older if len(entry["id"]) <= LONGEST and older.is_dir() else path
        cells.append(Cell(folder=path, precision=manifest.get("precision"), **as_named(entry)))
    return Sweep(folder, manifest, cells)


def folder_name(cell: str) -> str:
    """Return the folder name of a cell; a name that is too long ends in a hash."""
    name = cell.replace("=", "-")
    if len(name) <= LONGEST:
        return name
    digest = hashlib.sha256(cell.encode()).hexdigest()[:8]
    return f"{name[: LONGEST - 1 - len(digest)]}-{digest}"


def identity_of(sweep: Sweep, cell: Cell) -> dict[str, Any]:
    """Return the identity that all shards of a cell share, without their games.

    `ReadyCell.identity` wrote it.
    """
    manifest = sweep.manifest
    return {
        **{key: manifest[key] for key in ("game", "behaviour", "source_hash", "seed") if key in manifest},
        "scenario_hash": cell.scenario_hash,
        "players": [[p["name"], p["weights"], p["source_hash"]] for p in cell.policies],
    }


def refuse_other_games(shard: Path, identity: dict[str, Any], expected: dict[str, Any], again: str) -> None:
    """Raise EngineError unless a shard matches the manifest. again: advice for the message."""
    for key, value in expected.items():
        if identity.get(key) != value:
            raise EngineError(
                f"{shard}: contains games that {MANIFEST} does not list ({key} = {identity.get(key)}, "
                f"not {value}); {again}"
            )


def shards_of_cells(folder: Path) -> list[Path]:
    return [shard for cell in sorted(folder.glob("cells/*")) for shard in shards_in(cell)]


def shard_path(cell: Cell, first_game: int) -> Path:
    return cell.folder / f"{first_game // SHARD_GAMES:05d}.parquet"


def write_sums(sweep: Sweep) -> None:
    """Write SHA256SUMS of the finished folder, in the format of `sha256sum`."""
    with in_turn(sweep.folder):
        lines = [_sum_line(sweep, file) for file in sorted(files_of(sweep))]
        write_atomic(sweep.folder / SUMS, ("\n".join(lines) + "\n").encode())


def files_of(sweep: Sweep) -> list[Path]:
    """List every file with a checksum in a finished sweep."""
    shards = [shard for cell in sweep.cells for shard in cell.shards()]
    return [sweep.folder / MANIFEST, *added_to(sweep), *shards]


def added_to(sweep: Sweep) -> list[Path]:
    """Return the documents that other commands added to the sweep."""
    names = (CARDS, LOOKS, SENSITIVITY)
    added = [path for name in names if (path := sweep.folder / name).exists()]
    return added + answers_in(sweep.folder)


def answers_in(folder: Path) -> list[Path]:
    """Return the results that other commands stored in a folder, by name."""
    return sorted(path for path in (folder / ANSWERS).glob("*.json") if not path.name.startswith("."))


def read_sums(folder: Path) -> dict[str, str] | None:
    """Map files to their sha256 in SHA256SUMS.

    Returns None if that file is missing, which means that the sweep is unfinished.
    """
    try:
        lines = (folder / SUMS).read_text(encoding="utf-8", errors="replace").splitlines()
    except FileNotFoundError:
        return None
    rows = (line.partition("  ") for line in lines)
    return {name: digest for digest, _, name in rows if name}


def _sum_line(sweep: Sweep, file: Path) -> str:
    return f"{file_digest(file)}  {file.relative_to(sweep.folder).as_posix()}"


def read_added(sweep: Sweep, name: str) -> dict[str, Any]:
    """Return a document that another command added; {} if there is none.

    Raises EngineError if it is damaged, and UsageError for a file of this name that Bartizan did not write.
    """
    path = sweep.folder / name
    document = read_document(path)
    schema, what = ADDED.get(name, ("", ""))
    if schema and path.exists() and document.get("schema") != schema:
        raise UsageError(
            f"{path}: Bartizan did not write this file, but saves results about {what} under this name; "
            "move it elsewhere"
        )
    return document


def write_added(sweep: Sweep, name: str, document: dict[str, Any], sort_keys: bool = True) -> Path:
    """Add a document to a finished sweep, or replace the previous document of that name.

    Only the line of this document in SHA256SUMS changes, so that a damaged shard does not get a new checksum.
    sort_keys: sort the keys of the document.
    """
    return _replace_added(sweep, name, lambda: document, sort_keys)


def change_added(sweep: Sweep, name: str, change: Callable[[dict[str, Any]], dict[str, Any]]) -> Path:
    """Replace a document of a finished sweep by the result of `change`.

    `change` receives the previous document ({} if there is none). The file is locked between reading and
    writing.
    """
    return _replace_added(sweep, name, lambda: change(read_added(sweep, name)), sort_keys=True)


def _replace_added(sweep: Sweep, name: str, make: Callable[[], dict[str, Any]], sort_keys: bool) -> Path:
    path = sweep.folder / name
    try:
        with in_turn(sweep.folder):
            _add(sweep, name, as_kept(json.dumps(make(), indent=2, sort_keys=sort_keys)).encode() + b"\n")
    except FileNotFoundError:
        raise UsageError(
            f"{sweep.folder}: the sweep is not finished (no {SUMS}); run it again with -o {sweep.folder} "
            "first"
        ) from None
    except OSError as error:
        raise UsageError(f"{path}: cannot be written: {error.strerror or error}") from error
    return path


def write_beside(sweep: Sweep, name: str, content: bytes) -> None:
    """Write a document into the folder of the games.

    The caller must hold the lock on the folder (`in_turn`). If the sweep is finished, add the document's
    checksum to SHA256SUMS. Raises OSError.
    """
    if (sweep.folder / SUMS).exists():
        _add(sweep, name, content)
    else:
        write_atomic(sweep.folder / name, content)


def _add(sweep: Sweep, name: str, content: bytes) -> None:
    path, sums = sweep.folder / name, sweep.folder / SUMS
    lines = sums.read_text(encoding="utf-8", errors="surrogateescape").splitlines()
    for file in (path, sums):
        drop_abandoned(file.parent, file.name)
    write_atomic(path, content)
    others = [line for line in lines if line.partition("  ")[2] != name]
    lines = [*others, _sum_line(sweep, path)]
    ordered = sorted(lines, key=lambda line: sweep.folder / line.partition("  ")[2])
    write_atomic(sums, ("\n".join(ordered) + "\n").encode(errors="surrogateescape"))


def refuse_gaps(cell: Cell) -> None:
    """Raise EngineError for a missing shard, which must not look like a smaller sample.

    Also raises it for a part of a sweep, and for a shard that does not belong to the cell.

    In an unfinished sweep, a cell with a fixed number of games may end early, and the report shows its
    progress. A cell with a precision has no planned number of games, so it is rejected.
    """
    sweep, shards = cell.folder.parent.parent, cell.shards()
    refuse_part(sweep)
    again = f"run the same sweep again with -o {sweep}"
    sums = read_sums(sweep)
    is_finished = sums is not None
    if not is_finished and cell.precision is not None and shards:
        raise EngineError(f"{sweep}: the sweep is not finished (no {SUMS}); {again} to resume")
    if is_finished and cell.precision is not None:  # it stopped early: the checksums show where
        listed = [path for path in map(sweep.joinpath, sums or ()) if path.parent == cell.folder]
        expected = listed or [shard_path(cell, 0)]
    else:
        games = cell.games if is_finished else len(shards) * SHARD_GAMES
        expected = [shard_path(cell, first) for first in range(0, games, SHARD_GAMES)]
    for path in expected:
        if path not in shards:
            raise EngineError(f"{path}: missing; {again} to replace it; intact shards are kept")
    for path in shards:
        if path not in expected:
            raise EngineError(f"{path}: does not belong to this sweep; move it elsewhere")
    held = sum(shard_identity(shard)["games"] for shard in shards)
    if is_finished and cell.precision is None:
        due = cell.games
    else:
        due = max((last_game(shard, shard_identity(shard)) for shard in shards), default=0)
    if held != due:
        raise EngineError(f"{cell.folder}: its shards contain {held:,} games instead of {due:,}; {again}")


# ---------------------------------------------------------------- stored results

# Results stored beside a sweep's games: one JSON file each, named by the question.
#
# The folder may exist before its sweep: a sweep that is simulated into it adds their checksums.


KEPT_SCHEMA = "bartizan.kept/1"
# a number that was written as text: such names are stored with an escaped letter (`as_kept`)
NUMBER_AS_TEXT = re.compile(r'[:\[,]\s*("(?:nan|[+-]?inf|[+-]?infinity)")', re.IGNORECASE)


def is_comparison(folder: Path) -> bool:
    """Return whether a folder contains a comparison, with its two sides.

    Raises UsageError if it also contains other results, which a page of the comparison would hide. Earlier
    versions saved both in one folder.
    """
    if not (folder / COMPARISON).is_file():
        return False
    names = [name for name in (MANIFEST, SENSITIVITY, CARDS) if (folder / name).exists()]
    if others := [*names, *([ANSWERS] if answers_in(folder) else [])]:
        raise UsageError(
            f"{folder}: contains a comparison and other results ({', '.join(others)}), and a report would "
            f"hide one of them; move {COMPARISON}, a and b to a folder of their own"
        )
    return True


def has_results(folder: Path) -> bool:
    """Return whether a folder contains a sweep or results of commands about one."""
    return (folder / MANIFEST).exists() or bool(answers_in(folder))


def refuse_unfit(folder: Path, game: str) -> None:
    """Raise UsageError for a folder that cannot store a result about this game.

    Call it before the result is computed.
    """
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"-o {folder}: this is a file; give the folder of a sweep, or a new folder")
    if is_comparison(folder):
        raise UsageError(
            f"-o {folder}: contains a comparison; give the folder of a sweep, such as {folder / 'b'}"
        )
    if (folder / MANIFEST).exists():
        present = open_sweep(folder).manifest["game"]
        if present != game:
            raise UsageError(
                f"-o {folder}: contains another game ({present}, not {game}); choose another folder"
            )
    elif folder.exists() and not is_begun(folder):
        raise UsageError(f"-o {folder}: is not empty and contains no sweep; choose a new folder")
    read_kept(folder, game)


def is_begun(folder: Path) -> bool:
    """Return whether the folder contains nothing but results, and files left by a killed process."""
    return all(path.name == ANSWERS or is_left_over(path) for path in folder.iterdir())


def read_kept(folder: Path, game: str) -> tuple[dict[str, Any], ...]:
    """Return every result stored in a folder, by name.

    Raises EngineError if a result is damaged, and UsageError if it is about another game.
    """
    return tuple(_read(path, game) for path in answers_in(folder))


def _read(path: Path, game: str) -> dict[str, Any]:
    try:
        text = path.read_text(encoding="utf-8")
        if written := NUMBER_AS_TEXT.search(text):
            _no_number(written[1])
        document: dict[str, Any] = json.loads(text, parse_constant=_no_number, parse_float=_number)
        check_characters(document)
        if document["schema"] != KEPT_SCHEMA:
            raise ValueError(f"its schema is {document['schema']}, not {KEPT_SCHEMA}")
        about = document["game"]
        for key in ("kind", "command", "versions", "behaviour", "seed", "answer"):
            document[key]
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise EngineError(
            f"{path}: damaged ({error}); delete it and run the command that wrote it again"
        ) from error
    if about != game:
        raise UsageError(f"{path}: contains another game ({about}, not {game}); move it elsewhere")
    return document


def _no_number(text: str) -> float:
    raise ValueError(f"{text} is not a number")


def _number(text: str) -> float:
    return float(text) if isfinite(float(text)) else _no_number(text)


def keep(folder: Path, name: str, document: dict[str, Any]) -> Path:
    """Store a result in a folder.

    It replaces a result of the same name. In a finished sweep, the checksum of the result is added to
    SHA256SUMS.

    The order of keys does not change, because the order of rungs and causes has a meaning.
    """
    path = folder / ANSWERS / f"{name}.json"
    with writing(f"-o {folder}"):
        path.parent.mkdir(parents=True, exist_ok=True)
        if (folder / SUMS).exists():
            return write_added(open_sweep(folder), f"{ANSWERS}/{path.name}", document, sort_keys=False)
        write_atomic(path, as_kept(json.dumps(document, indent=2)).encode() + b"\n")
    return path


def as_kept(text: str) -> str:
    """Return a result as JSON with names such as "Inf" escaped.

    The reader rejects numbers that are written as text.
    """
    return NUMBER_AS_TEXT.sub(_with_escape, text)


def _with_escape(found: re.Match[str]) -> str:
    before, letter, rest = found[0][: 1 - len(found[1])], found[1][1], found[1][2:]
    return f"{before}\\u{ord(letter):04x}{rest}"
