"""What is the mean of every number a game records?"""

from dataclasses import dataclass

from bartizan.analyses.records.tally import Tally
from bartizan.analyses.statistics.intervals import Mean, mean


@dataclass(frozen=True)
class Means:
    """Column -> mean over the games that have a value (`n` of them).

    Codes that stand for names have no mean and are left out.
    """

    columns: dict[str, Mean]


def from_tally(games: Tally) -> Means:
    return Means(
        {
            row["column"]: mean(row["n"], row["total"], row["squares"])
            for row in games.sums.iter_rows(named=True)
        }
    )
