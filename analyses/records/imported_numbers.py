"""Game numbers of imported games. A seed has the same number in every cell.

Seeds are sorted in buckets on disk, so that memory does not grow with their number.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile

import numpy as np
import polars as pl
import pyarrow.parquet as pq

from bartizan.analyses.records.imported_file import RecordFile
from bartizan.analyses.records.imported_formats import ROW
from bartizan.simcore.sweep.shards import SHARD_GAMES

CODE = "bartizan cell"
GAME = "game"
MOST_NUMBERS = 1_000_000  # maximum excess of the game numbers over the number of games
BUCKET = 1 << 18  # seeds sorted at a time
MOST_BUCKETS = 100  # each is an open file, twice: macOS allows a process 256
SAMPLE = 1 << 16  # sampled seeds that define the limits of the buckets


@dataclass(frozen=True)
class Numbering:
    """Game numbers: small seeds, ranks among all seeds, or positions in the cell.

    seed: the small seeds. ranks: a file with the int64 rank of each row. paired: whether all cells have the
    same seeds.
    """

    seed: pl.Expr | None = None
    ranks: Path | None = None
    paired: bool = False

    def parts(self, rows: Path) -> Iterator[pl.DataFrame]:
        """Yield the rows in parts, with column GAME unless a game's number is its position in its cell."""
        first = 0
        for games in parts_of(rows):
            if self.ranks:
                ranks = np.fromfile(self.ranks, np.int64, games.height, offset=8 * first)
                games = games.with_columns(pl.Series(GAME, ranks))
            elif self.seed is not None:
                games = games.with_columns(self.seed.alias(GAME))
            yield games
            first += games.height


def numbering_of(source: RecordFile, heading: str, rows: Path, cells: int) -> Numbering:
    """Return the game numbers of imported games.

    rows: a Parquet file with CODE, ROW and `seed` (text) of each game, in order. Raises UsageError if a seed
    is missing, or occurs twice in a cell.
    """
    frame, as_number = pl.scan_parquet(rows), pl.col("seed").cast(pl.Int64, strict=False)
    found = frame.select(
        pl.len().alias("games"),
        pl.col(ROW).filter(pl.col("seed").is_null()).min().alias("unseeded"),
        as_number.null_count().alias("words"),
        as_number.min().alias("least"),
        as_number.max().alias("most"),
    )
    about = found.collect(engine="streaming").row(0, named=True)
    if (row := about["unseeded"]) is not None:
        raise source.fault(row, heading, 'is empty; write each game\'s seed, or seed = "" in a mapping')
    games, key = about["games"], pl.col("seed").hash() if about["words"] else as_number
    ranked = Buckets(rows.parent, min(-(-games // BUCKET), MOST_BUCKETS))
    different, again = 0, None
    for keys, codes, places in _sorted(rows, key, games, ranked.n):
        is_next = np.append(True, keys[1:] != keys[:-1])
        is_again = ~is_next & np.append(False, codes[1:] == codes[:-1])
        for index in np.flatnonzero(is_again).tolist():
            pair = int(places[index - 1]), int(places[index])
            again = min(again or pair, pair)
        ranked.add(places * ranked.n // games, places, different - 1 + np.cumsum(is_next))
        different += int(is_next.sum())
    if again is not None:
        seeds, numbers = zip(
            *(frame.slice(place, 1).select("seed", ROW).collect().row(0) for place in again), strict=True
        )
        raise source.fault(
            numbers[1],
            heading,
            f"seed {seeds[0]} was already used in row {numbers[0]:,} of the same setting; each game counts "
            'once. If the column is not a seed, write seed = "" under [columns] of a mapping',
        )
    paired = cells > 1 and games == cells * different
    if not about["words"] and about["least"] >= 0 and about["most"] <= MOST_NUMBERS + games:
        # a small seed is used as the number, so that it has the same number in other folders
        return Numbering(as_number, paired=paired)
    file = rows.with_name("ranks")
    with file.open("wb") as written:
        for places, ranks in ranked:
            written.write(ranks[np.argsort(places)].tobytes())
    return Numbering(ranks=file, paired=paired)


def _sorted(rows: Path, key: pl.Expr, games: int, buckets: int) -> Iterator[tuple[np.ndarray, ...]]:
    """Yield (keys, cells, places among the rows) of all games in parts, sorted by key, cell and place."""
    is_sampled = pl.col("place") % max(1, games // SAMPLE) == 0
    frame = pl.scan_parquet(rows).select(key.alias("key")).with_row_index("place").filter(is_sampled)
    sample = frame.select("key").collect(engine="streaming").to_series().sort().to_numpy()
    bounds = sample[np.arange(1, buckets) * len(sample) // buckets]
    divided, first = Buckets(rows.parent, buckets), 0
    for part in parts_of(rows, [CODE, "seed"]):
        keys = part.select(key).to_series().to_numpy()
        places = np.arange(first, first + part.height)
        divided.add(
            np.searchsorted(bounds, keys, "right"), keys.view(np.int64), part[CODE].to_numpy(), places
        )
        first += part.height
    for keys, codes, places in divided:
        keys = keys.view(sample.dtype)
        order = np.lexsort((codes, keys))
        yield keys[order], codes[order], places[order]


class Buckets:
    """Rows of integers on disk, in buckets that each fit into memory."""

    def __init__(self, folder: Path, n: int):
        self.n, self.files = n, [TemporaryFile(dir=folder) for _ in range(n)]  # noqa: SIM115 until read

    def add(self, buckets: np.ndarray, *columns: np.ndarray) -> None:
        """Add rows. buckets: index of each row's bucket."""
        self.columns = len(columns)
        rows, order = np.stack(columns, axis=1).astype(np.int64), np.argsort(buckets, kind="stable")
        ends = np.searchsorted(buckets[order], np.arange(self.n + 1))
        for file, first, end in zip(self.files, ends[:-1], ends[1:], strict=True):
            file.write(rows[order[first:end]].tobytes())

    def __iter__(self) -> Iterator[np.ndarray]:
        """Yield the columns of each non-empty bucket, int64 [column, row]. Can be iterated only once."""
        for file in self.files:
            with file:
                file.seek(0)
                rows = np.frombuffer(file.read(), np.int64).reshape(-1, self.columns)
            if len(rows):
                yield np.ascontiguousarray(rows.T)


def parts_of(
    rows: Path, columns: Sequence[str] | None = None, games: int = SHARD_GAMES
) -> Iterator[pl.DataFrame]:
    """Yield the rows in parts of at most this many games."""
    # pre_buffer would read the whole file first
    for batch in pq.ParquetFile(rows, pre_buffer=False).iter_batches(games, columns=columns):
        yield pl.DataFrame(pl.from_arrow(batch))
