"""How much of each thing happens in a game?"""

from dataclasses import asdict, dataclass

from bartizan.analyses.records import means
from bartizan.analyses.records.tally import CellGames, Method, Tally, reporting_of
from bartizan.analyses.statistics.intervals import Interval, Mean, proportion


@dataclass(frozen=True)
class Count:
    column: str
    label: str
    mean: Mean  # a game, over the games that have a value
    # where it never happened: upper bound of the share of games in which it does, since a mean of 0 has no
    # spread to judge by
    any: Interval | None


@dataclass(frozen=True)
class GroupMeans:
    title: str
    note: str
    counts: tuple[Count, ...]

    def rows(self) -> list[dict]:
        """A row for each column: column, label, mean, se, n."""
        return [{"column": count.column, "label": count.label, **asdict(count.mean)} for count in self.counts]


def from_tally(games: Tally, cell: CellGames, method: Method = proportion) -> tuple[GroupMeans, ...]:
    """Means a game of every column that the game declares, in its groups.

    A game cut off counts with what had happened by then.
    """
    column_means = means.from_tally(games)

    def counted(column: str, label: str) -> Count:
        mean = column_means[column]
        return Count(column, label, mean, method(0, mean.n) if mean.mean == 0 else None)

    return tuple(
        GroupMeans(group.title, group.note, tuple(counted(*column) for column in group.columns.items()))
        for group in reporting_of(cell).groups
    )
