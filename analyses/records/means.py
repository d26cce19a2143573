"""What is the mean of every number a game records?"""

from dataclasses import dataclass

import polars as pl

from bartizan.analyses.records.tally import CellGames, Tally, tally
from bartizan.analyses.statistics.intervals import Mean, mean


@dataclass(frozen=True)
class Means:
    """Column -> mean over the games that have a value (`n` of them).

    Codes that stand for names have no mean and are left out.
    """

    columns: dict[str, Mean]

    def to_frame(self) -> pl.DataFrame:
        """One row a column: column, mean, se, n."""
        rows = [
            {"column": name, "mean": value.mean, "se": value.se, "n": value.n}
            for name, value in self.columns.items()
        ]
        return pl.DataFrame(
            rows, schema={"column": pl.String, "mean": pl.Float64, "se": pl.Float64, "n": pl.Int64}
        )


def analyze(frame: pl.LazyFrame, cell: CellGames) -> Means:
    return from_tally(tally(frame, cell))


def from_tally(games: Tally) -> Means:
    return Means(
        {
            row["column"]: mean(row["n"], row["total"], row["squares"])
            for row in games.sums.iter_rows(named=True)
        }
    )
