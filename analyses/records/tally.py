"""Counts of many games, on which every analysis of records is based.

Memory is constant in the number of games: only distinct values and running sums are kept.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import polars as pl

from bartizan.analyses.statistics.intervals import Method as Method
from bartizan.analyses.statistics.intervals import deterministic
from bartizan.simcore.reporting import Reporting, read

# column `winner` if no seat won: a draw, truncated by the limit on plies, lost to the game itself
NOBODY, TRUNCATED, HOUSE = (-1, -2, -3)
MARGIN = "score:margin"  # the winner's score minus the best other seat's; not a column of a record
NO_SCORE = None  # column `score` of a game that ended without one
# integers that are codes of names, whose mean is meaningless
IDENTITIES = ("game", "winner", "end_reason")


class SeatedGames(Protocol):
    """The players of the games of a frame. The optional attribute `reporting` is the game's declaration."""

    @property
    def policies(self) -> Sequence[Mapping[str, Any]]:
        """One dict per seat, each with at least "role" and "name"."""


class CellGames(SeatedGames, Protocol):
    """Settings of the games of a frame: the part of a sweep cell that the analyses need."""

    @property
    def tiers(self) -> Mapping[str, int]:
        """Minimum score of each tier, in any order; empty if the game has none."""

    @property
    def end_reasons(self) -> Mapping[str, str]:
        """Name of each end-reason code (as text)."""

    @property
    def labels(self) -> Mapping[str, Mapping[str, str]]:
        """For each column, the name of each code (as text)."""

    @property
    def cause_column(self) -> str | None:
        """Column with the cause of a loss; None if the end reason is the cause."""


@dataclass(frozen=True)
class Tally:
    """Counts of a set of games. In every frame, `n` is a number of games."""

    games: int
    outcomes: pl.DataFrame  # winner, end_reason, turn, cause (see `cause_column`), n
    scores: pl.DataFrame  # winner, score (null: none), n
    # over the games that ended: columns as in `sums`; one row per seat's score, then MARGIN
    seat_scores: pl.DataFrame
    # column, n (games with a value), off and squares (sums of the distances from the least value and of
    # their squares), min, max
    sums: pl.DataFrame
    # column that the game declares for reporting by value -> value, cut_at (turn; null: not truncated), n
    values: dict[str, pl.DataFrame] = field(default_factory=dict)
    draws_luck: bool = True  # False only if proven (`simcore.play.drawn`), never inferred from the records

    @property
    def is_one_game(self) -> bool:
        """Whether all games are one deterministic game, repeated.

        The game is proven not to use chance, it ends, and all records are equal.
        """
        if self.draws_luck:
            return False
        same = (pl.col("min") == pl.col("max")) & (pl.col("n") == self.games) | (pl.col("n") == 0)
        ended = count(self.outcomes, ~is_truncated()) == self.games
        return ended and len(self.outcomes) == len(self.scores) == 1 and self.sums.select(same.all()).item()

    def method(self, method: Method) -> Method:
        """Return the method for a share of these games. method: the method for games with randomness."""
        return deterministic if self.is_one_game else method


def tally(frame: pl.LazyFrame, cell: CellGames) -> Tally:
    """Count the games of `frame` (one row per game) in streaming passes."""
    cause = pl.col(cause_column(cell)).alias("cause")
    outcomes = frame.group_by("winner", "end_reason", "turn", cause).agg(pl.len().cast(pl.Int64).alias("n"))
    scores = frame.group_by("winner", "score").agg(pl.len().cast(pl.Int64).alias("n"))
    columns = numeric_columns(frame, cell)
    own = seat_scores(cell)
    ended = frame.filter(~is_truncated()).with_columns(margin(own))
    of_seats = [*own, MARGIN]
    scales = dict.fromkeys(["score", *of_seats], reporting_of(cell).score_scale)
    sums, seat_sums = _sums(frame, columns, scales), _sums(ended, of_seats, scales)
    # columns for which sums are not sufficient: events (yes or no), and times of first events
    reporting = reporting_of(cell)
    valued_columns = dict.fromkeys(
        [*reporting.marks, *reporting.firsts, *(form.column for form in reporting.forms)]
    )
    cut_at = pl.when(is_truncated()).then(pl.col("turn").cast(pl.Int64)).alias("cut_at")
    by_value = {
        column: frame.group_by(pl.col(column).cast(pl.Int64).alias("value"), cut_at).agg(
            pl.len().cast(pl.Int64).alias("n")
        )
        for column in valued_columns
    }
    counted, scored, summed, summed_by_seat, *valued = pl.collect_all(
        [outcomes, scores, sums, seat_sums, *by_value.values()], engine="streaming"
    )
    return Tally(
        games=int(counted["n"].sum()),
        outcomes=counted.sort("turn", "winner", "end_reason", "cause"),
        scores=scored.sort("score", "winner"),
        seat_scores=_by_column(of_seats if own else [], summed_by_seat.row(0, named=True)),
        sums=_by_column(columns, summed.row(0, named=True)),
        values={
            column: counts.sort("value", "cut_at") for column, counts in zip(by_value, valued, strict=True)
        },
        draws_luck=getattr(cell, "draws_luck", True),
    )


def added(one: Tally, more: Tally) -> Tally:
    """Return the combined counts of two sets of games."""
    return Tally(
        one.games + more.games,
        _counted([one.outcomes, more.outcomes], "turn", "winner", "end_reason", "cause"),
        _counted([one.scores, more.scores], "score", "winner"),
        _summed([one.seat_scores, more.seat_scores]),
        _summed([one.sums, more.sums]),
        {
            column: _counted([counts, more.values[column]], "value", "cut_at")
            for column, counts in one.values.items()
        },
        one.draws_luck,
    )


def _counted(counts: Sequence[pl.DataFrame], *by: str) -> pl.DataFrame:
    columns = counts[0].columns
    return pl.concat(counts).group_by(by).agg(pl.col("n").sum()).select(columns).sort(by)


def _summed(sums: Sequence[pl.DataFrame]) -> pl.DataFrame:
    """Return sums of the distances from the least value of all parts, by column.

    The columns keep their order.
    """
    step = (pl.col("min") - pl.col("min").min().over("column")).fill_null(0.0)
    n, off, squares = (pl.col(name) for name in ("n", "off", "squares"))
    moved = pl.concat(sums).with_columns(off=off + step * n, squares=squares + step * (2 * off + step * n))
    added = [pl.col("n", "off", "squares").sum(), pl.col("min").min(), pl.col("max").max()]
    return moved.group_by("column", maintain_order=True).agg(added)


def reporting_of(cell: SeatedGames) -> Reporting:
    """Return the reporting that a cell's game declares; the default if it declares none."""
    return read(getattr(cell, "reporting", None))


def cause_column(cell: CellGames) -> str:
    """Return the column with the cause of a loss: the end reason, unless the game records more."""
    return cell.cause_column or "end_reason"


def cause_labels(cell: CellGames) -> Mapping[str, str]:
    """Map codes (as text) of `cause_column` to names."""
    return cell.labels.get(cell.cause_column, {}) if cell.cause_column else cell.end_reasons


def seat_scores(cell: SeatedGames) -> list[str]:
    """Return the columns with the score of each seat; [] if seats have no separate scores."""
    return reporting_of(cell).seat_scores(len(cell.policies))


def margin(columns: Sequence[str]) -> pl.Expr:
    """Return an expression for the winner's margin (column MARGIN); null without a winner.

    The margin is the winner's score minus the best other score.

    columns: one per seat.
    """
    scores = [pl.col(column).cast(pl.Float64) for column in columns]
    by_winner = (
        pl.when(won(seat)).then(score - pl.max_horizontal(scores[:seat] + scores[seat + 1 :]))
        for seat, score in enumerate(scores)
    )
    return pl.coalesce(*by_winner, pl.lit(None, pl.Float64)).alias(MARGIN)


def numeric_columns(frame: pl.LazyFrame, cell: CellGames) -> list[str]:
    """Return the names of the numeric and boolean columns.

    Game numbers, codes of names, and columns of seats without a player are omitted.
    """
    columns = frame.collect_schema()
    absent = reporting_of(cell).absent(columns, len(cell.policies))
    named = {*IDENTITIES, *cell.labels, cell.cause_column, *absent}
    return [
        name
        for name, kind in columns.items()
        if (kind.is_numeric() or kind == pl.Boolean) and name not in named
    ]


def _sums(frame: pl.LazyFrame, columns: Sequence[str], scales: Mapping[str, int]) -> pl.LazyFrame:
    """Return the sums of each column.

    A first pass finds the least values, from which distances are measured. scales: of the columns of scores
    (`Reporting.score_scale`).
    """
    least = frame.select(pl.col(columns).cast(pl.Float64).min()).collect(engine="streaming")
    return frame.select(
        part
        for column in columns
        for part in _sums_of(column, least[column].item() or 0.0, scales.get(column, 1))
    )


def _sums_of(column: str, least: float, scale: int) -> list[pl.Expr]:
    # exact for integers, because a sum of squares is below 2**53 for any realistic run
    value = pl.col(column).cast(pl.Float64)
    off = value - least if scale == 1 else ((value - least) * scale).round()
    parts = {
        "n": value.count(),
        "off": off.sum() / scale,
        "squares": (off * off).sum() / scale**2,
        "min": value.min(),
        "max": value.max(),
    }
    return [expression.alias(f"{column}:{part}") for part, expression in parts.items()]


def _by_column(columns: list[str], sums: dict[str, Any]) -> pl.DataFrame:
    parts = {"n": pl.Int64, "off": pl.Float64, "squares": pl.Float64, "min": pl.Float64, "max": pl.Float64}
    rows = [{"column": column, **{part: sums[f"{column}:{part}"] for part in parts}} for column in columns]
    return pl.DataFrame(rows, schema={"column": pl.String, **parts})


# ----------------------------------------------------------------- counts of winners


def won(seat: int) -> pl.Expr:
    return pl.col("winner") == seat


def drawn() -> pl.Expr:
    return pl.col("winner") == NOBODY


def is_truncated() -> pl.Expr:
    return pl.col("winner") == TRUNCATED


def lost(seat: int) -> pl.Expr:
    """Return an expression for the games that another seat, or the game itself, won."""
    return ~(won(seat) | drawn() | is_truncated())


def count(counts: pl.DataFrame, which: pl.Expr) -> int:
    """Return the number of games that satisfy `which`."""
    return int(counts.filter(which)["n"].sum())
