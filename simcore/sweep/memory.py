"""A cell of a sweep whose games stand in memory: nothing is written."""

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import polars as pl

from bartizan.simcore.game import Engine
from bartizan.simcore.sweep.manifest import ReadyCell
from bartizan.simcore.sweep.store import Cell, sweep_of


@dataclass(frozen=True)
class MemoryCell(Cell):
    """What a manifest says of a cell, and its games."""

    frame: pl.DataFrame = field(default_factory=pl.DataFrame, repr=False)

    def scan(self) -> pl.LazyFrame:
        return self.frame.lazy()


def memory_cell(ready: ReadyCell, frame: pl.DataFrame) -> MemoryCell:
    """The cell that a sweep of these games would hold. frame: as `frame_of` makes it."""
    (cell,) = sweep_of(Path(), {"cells": [ready.entry()]}).cells
    return MemoryCell(**vars(cell), frame=frame)


def frame_of(rows: np.ndarray, engine: Engine) -> pl.DataFrame:
    """A row a game, nulls where the game says so, as a shard has it."""
    frame = pl.DataFrame({name: np.ascontiguousarray(rows[name]) for name in rows.dtype.names or ()})
    nulls = [pl.when(pl.col(name) != none).then(pl.col(name)) for name, none in engine.nulls.items()]
    return frame.with_columns(nulls)
