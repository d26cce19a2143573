"""How high are the scores, and how often is each victory tier reached?"""

from collections.abc import Mapping
from dataclasses import dataclass

import polars as pl

from bartizan.analyses.records.tally import NOBODY, TRUNCATED, CellGames, Tally
from bartizan.analyses.statistics.intervals import Interval, Mean, goodman, mean_of_counts, quantile_interval

QUANTILES = (5, 25, 50, 75, 95)  # percent
# games without a score have a tier of their own; a game cut off has no true score yet
LOST, CUT_OFF = ("lost", "cut off")


@dataclass(frozen=True)
class Tier:
    name: str
    least: int | None  # least score, None for games without one
    games: int
    share: Interval  # of all games; all tiers' intervals hold together (Goodman)
    # the level of victory it stands for; "" where the game has none, or a game with this tier ended otherwise
    victory: str = ""


@dataclass(frozen=True)
class Scores:
    """Scores of the games that have one; `mean.n` is their number. Tiers are shares of all games."""

    games: int
    values: tuple[int, ...]  # distinct scores, ascending
    counts: tuple[int, ...]  # games with each
    mean: Mean
    quantiles: dict[int, Interval]  # percent -> quantile; empty when no game has a score
    # best first, then "lost" and, when there are any, "cut off"; empty when the game has none
    tiers: tuple[Tier, ...]

    @property
    def min(self) -> int | None:
        return self.values[0] if self.values else None

    @property
    def max(self) -> int | None:
        return self.values[-1] if self.values else None


def from_tally(games: Tally, cell: CellGames) -> Scores:
    finished = games.scores.filter(pl.col("winner") != TRUNCATED)
    scored = finished.drop_nulls("score").group_by("score").agg(pl.col("n").sum()).sort("score")
    values, counts = tuple(scored["score"].to_list()), tuple(scored["n"].to_list())
    lost = int(finished.filter(pl.col("score").is_null())["n"].sum())
    quantiles = {q: quantile_interval(values, counts, q / 100) for q in QUANTILES} if values else {}
    levels = _levels(finished, cell)
    tiers = _tiers(values, counts, lost, games.games, cell, levels)
    return Scores(games.games, values, counts, mean_of_counts(values, counts), quantiles, tiers)


def _tiers(
    values, counts, lost: int, games: int, cell: CellGames, levels: Mapping[str, str]
) -> tuple[Tier, ...]:
    """Every tier of the game, reached or not, so that the table has the same rows for every cell."""
    if not cell.tiers:
        return ()
    tiers = best_first(cell.tiers)
    numbers = dict.fromkeys(tiers, 0)
    for value, n in zip(values, counts, strict=True):
        numbers[tier_of(value, tiers)] += n
    numbers[LOST] = lost
    if capped := games - sum(numbers.values()):
        numbers[CUT_OFF] = capped
    shares = goodman(list(numbers.values()))
    return tuple(
        Tier(name, tiers.get(name), n, share, levels.get(name, ""))
        for (name, n), share in zip(numbers.items(), shares, strict=True)
    )


def _levels(finished: pl.DataFrame, cell: CellGames) -> dict[str, str]:
    """Tier -> level of victory, where no game contradicts it: under a changed victory rule a game may be a
    draw whose tier stands for a victory.
    """
    levels, tiers = dict(getattr(cell, "tier_levels", {})), best_first(cell.tiers)
    for winner, score in finished.drop_nulls("score").select("winner", "score").iter_rows():
        if tiers and not is_borne_out(levels.get(name := tier_of(score, tiers), ""), winner):
            del levels[name]
    return levels


def is_borne_out(level: str, winner: int) -> bool:
    """Did a game end as a level of victory says? Levels are those of the first seat."""
    if level.endswith("victory"):
        return winner == 0
    return winner == NOBODY or not level.endswith("draw")


def best_first(tiers: Mapping[str, int]) -> dict[str, int]:
    """Name -> least score by falling score: a manifest's keys are sorted by name, so their order says
    nothing.
    """
    return dict(sorted(tiers.items(), key=lambda pair: -pair[1]))


def tier_of(score: int, tiers: Mapping[str, int]) -> str:
    """The best tier whose least score is reached; a score below every tier belongs to the last.

    `tiers`: best first.
    """
    for name, least in tiers.items():
        if score >= least:
            return name
    return name
