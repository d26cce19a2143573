"""What is the mean of every number a game records?"""

from bartizan.analyses.records.tally import Tally
from bartizan.analyses.statistics.intervals import Mean, mean


def from_tally(games: Tally) -> dict[str, Mean]:
    """Column -> mean over the games that have a value (`n` of them).

    Codes that stand for names have no mean and are left out.
    """
    rows = games.sums.iter_rows(named=True)
    return {row["column"]: mean(row["n"], row["total"], row["squares"]) for row in rows}
