"""How long are the games, in turns and in decisions?"""

from dataclasses import dataclass

import polars as pl

from bartizan.analyses.records.scores import QUANTILES
from bartizan.analyses.records.tally import TRUNCATED, CellGames, Tally
from bartizan.analyses.statistics.intervals import Interval, Mean, mean, quantile_interval


@dataclass(frozen=True)
class Length:
    """Turns and plies (decisions) of all games; a game cut off counts with the length it had reached, so
    `capped` > 0 means too short.
    """

    games: int
    capped: int
    values: tuple[int, ...]  # distinct numbers of turns, ascending
    counts: tuple[int, ...]  # games with each
    turns: Mean
    quantiles: dict[int, Interval]  # percent -> turns
    plies: Mean
    plies_total: int
    plies_max: int


def from_tally(games: Tally, cell: CellGames) -> Length:
    by_turn = games.outcomes.group_by("turn").agg(pl.col("n").sum()).sort("turn")
    values, counts = tuple(by_turn["turn"].to_list()), tuple(by_turn["n"].to_list())
    turns, plies = _sums(games, "turn"), _sums(games, "plies")
    return Length(
        games=games.games,
        capped=int(games.outcomes.filter(pl.col("winner") == TRUNCATED)["n"].sum()),
        values=values,
        counts=counts,
        turns=mean(turns["n"], turns["total"], turns["squares"]),
        quantiles={q: quantile_interval(values, counts, q / 100) for q in QUANTILES},
        plies=mean(plies["n"], plies["total"], plies["squares"]),
        plies_total=int(plies["total"]),
        plies_max=int(plies["max"]),
    )


def _sums(games: Tally, column: str) -> dict:
    return games.sums.row(by_predicate=pl.col("column") == column, named=True)
