"""Is a sweep what it says? Its files against their checksums, its first games against the code of today."""

from collections.abc import Iterator

import numpy as np

from bartizan.simcore.errors import EngineError
from bartizan.simcore.play.batch import CHUNK_GAMES, Batch
from bartizan.simcore.play.match import Match
from bartizan.simcore.sweep.files import file_digest
from bartizan.simcore.sweep.shards import damaged, read_shard
from bartizan.simcore.sweep.store import SUMS, Cell, Sweep, refuse_gaps


def verify_sweep(sweep: Sweep) -> Iterator[str]:
    """Check every file against SHA256SUMS and every shard against its own digest; yields what was checked.

    Raises EngineError.
    """
    sums = sweep.folder / SUMS
    if not sums.exists():
        raise EngineError(
            f"{sums}: is missing: the sweep is not finished; run it again with -o {sweep.folder}"
        )
    for line in sums.read_text(encoding="utf-8").splitlines():
        digest, _, name = line.partition("  ")
        path = sweep.folder / name
        if not path.exists():
            raise EngineError(f"{path}: is missing; run the same sweep again to play it anew")
        if file_digest(path) != digest:
            raise damaged(path, "it does not match SHA256SUMS")
        yield name
    for cell in sweep.cells:
        refuse_gaps(cell)


def resimulate(cell: Cell, match: Match) -> int:
    """Play the cell's first shard again and compare row by row; returns the number of games compared.

    Raises EngineError.
    """
    path = cell.shards()[0]
    stored = read_shard(path, match.engine)
    n = min(len(stored), CHUNK_GAMES)
    again = Batch(match).play(0, n)
    differing = np.flatnonzero(again != stored[:n])
    if differing.size:
        raise EngineError(
            f"{path}: game {int(differing[0])} plays differently now: other code, weights or data than when "
            "it was written"
        )
    return n
