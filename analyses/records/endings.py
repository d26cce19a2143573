"""What ends a game, how often, and how often nobody has won then."""

from dataclasses import dataclass

import polars as pl

from bartizan.analyses.records.tally import CellGames, Tally, count, drawn
from bartizan.analyses.statistics.intervals import Interval, goodman


@dataclass(frozen=True)
class Ending:
    name: str
    games: int
    drawn: int  # of these
    share: Interval  # of all games; the intervals of a cell hold together

    @property
    def is_draw(self) -> bool:
        return self.drawn == self.games


def from_tally(games: Tally, cell: CellGames) -> tuple[Ending, ...]:
    """Those that happened, commonest first, with simultaneous intervals (Goodman 1965)."""
    counted = (
        games.outcomes.group_by("end_reason")
        .agg(pl.col("n").sum())
        .sort("n", "end_reason", descending=[True, False])
    )
    codes, numbers = counted["end_reason"].to_list(), counted["n"].to_list()
    draws = [count(games.outcomes, drawn() & (pl.col("end_reason") == code)) for code in codes]
    names = [cell.end_reasons.get(str(code), f"end reason {code}") for code in codes]
    return tuple(map(Ending, names, numbers, draws, goodman(numbers)))
