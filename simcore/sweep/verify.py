"""Check the files of a sweep against their checksums."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from bartizan.simcore.errors import EngineError
from bartizan.simcore.files import file_digest
from bartizan.simcore.sweep import store
from bartizan.simcore.sweep.shards import (
    SHARD_GAMES,
    check_rows,
    column_types,
    damaged,
    fit,
    read_table,
    refuse_part,
    shard_identity,
)


def verify_sweep(sweep: store.Sweep) -> Iterator[str]:
    """Check files against SHA256SUMS, and the places of shards; yield the name of each checked file.

    Raises EngineError for a difference.
    """
    refuse_part(sweep.folder)
    sums = store.read_sums(sweep.folder)
    if sums is None:
        raise EngineError(
            f"{sweep.folder / store.SUMS}: missing, so the sweep is not finished; run it again with "
            f"-o {sweep.folder}"
        )
    yield from _checks(sweep, sums)


def checked_sweep(folder: Path) -> store.Sweep:
    """Check all files of a sweep, and open it for reading.

    An unfinished sweep is checked as far as possible without SHA256SUMS. Raises the errors of `open_sweep`,
    and EngineError for a damaged file.
    """
    sweep = store.open_sweep(folder)
    sums = store.read_sums(sweep.folder)
    for _ in _checks(sweep, sums):
        pass
    for shard in store.shards_of_cells(sweep.folder) if sums is None else ():
        read_table(shard)
    return sweep


def _checks(sweep: store.Sweep, sums: dict[str, str] | None) -> Iterator[str]:
    for cell in sweep.cells:
        store.refuse_gaps(cell)
    if sums is not None:
        yield from _check_sums(sweep, sums)
    for cell in sweep.cells:
        _check_shards(sweep, cell)


def _check_sums(sweep: store.Sweep, sums: dict[str, str]) -> Iterator[str]:
    """Check that SHA256SUMS lists exactly the existing files, and yield each file name.

    Raises EngineError for a difference.
    """
    for name, digest in sums.items():
        path = sweep.folder / name
        if not path.is_file():
            again = "to simulate it again" if path.suffix == ".parquet" else f"to rewrite {store.SUMS}"
            raise EngineError(f"{path}: missing; run the same sweep again {again}")
        if file_digest(path) != digest:
            if path.suffix == ".parquet":
                raise damaged(path, f"it does not match {store.SUMS}")
            again = "delete it and run the command that wrote it again"
            if path.name == store.MANIFEST:
                again = "delete it and run the same sweep again: it is rewritten from the shards"
            raise EngineError(f"{path}: does not match {store.SUMS}; {again}")
        yield name
    for path in store.files_of(sweep):
        if path.relative_to(sweep.folder).as_posix() not in sums:
            raise EngineError(
                f"{path}: not listed in {store.SUMS}; if the folder was not changed, run the same "
                f"sweep again with -o {sweep.folder} to rewrite {store.SUMS}; otherwise move the "
                "file elsewhere"
            )


def _check_shards(sweep: store.Sweep, cell: store.Cell) -> None:
    """Check each shard's footer against its place, because a shard may have been copied from elsewhere."""
    for shard in cell.shards():
        identity = shard_identity(shard)
        expected = {**store.identity_of(sweep, cell), "first_game": int(shard.stem) * SHARD_GAMES}
        again = f"move it elsewhere and run the same sweep again with -o {sweep.folder}"
        store.refuse_other_games(shard, identity, expected, again)
        if not fit(column_types(shard), np.dtype(list(cell.columns.items()))):
            raise damaged(shard, f"its columns differ from those in {store.MANIFEST}")
        check_rows(shard, identity["games"], cell.nulls)
