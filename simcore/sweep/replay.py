"""Check whether the current code reproduces the games of a sweep."""

from pathlib import Path

import numpy as np

from bartizan.simcore.errors import EngineError
from bartizan.simcore.play.batch import CHUNK_GAMES, Batch
from bartizan.simcore.play.match import Match
from bartizan.simcore.sweep.shards import read_shard
from bartizan.simcore.sweep.store import Cell


def resimulate(cell: Cell, match: Match) -> int:
    """Simulate the first games of a cell again, at most CHUNK_GAMES, and compare their rows.

    Return the number of games. Raises EngineError for a difference.
    """
    path = cell.shards()[0]
    stored = read_shard(path, match.engine)
    n = min(len(stored), CHUNK_GAMES)
    check_equal(path, stored[:n], Batch(match).play(range(n)))
    return n


def check_equal(path: Path, stored: np.ndarray, again: np.ndarray) -> None:
    """Raise EngineError if the rows of games that were simulated again differ from those in a shard."""
    differing = np.flatnonzero(again != stored)
    if differing.size:
        raise EngineError(
            f"{path}: game {int(stored['game'][differing[0]])} now has a different result, because the code, "
            "weights or data have changed since the file was written; simulate the sweep again in another "
            "folder"
        )
