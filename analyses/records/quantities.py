"""Numbers that a game records: scores, length, and counts of events."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import polars as pl

from bartizan.analyses.records import outcomes
from bartizan.analyses.records.outcomes import QUANTILES
from bartizan.analyses.records.seating import seat_advantage_of
from bartizan.analyses.records.tally import (
    MARGIN,
    NOBODY,
    TRUNCATED,
    CellGames,
    SeatedGames,
    Tally,
    is_truncated,
    reporting_of,
    seat_scores,
    tally,
)
from bartizan.analyses.statistics.intervals import (
    Interval,
    Mean,
    Method,
    goodman,
    mean,
    mean_of_counts,
    proportion,
    quantile_interval,
)
from bartizan.simcore.reporting import CUT_OFF, LOST

# ---------------------------------------------------------------- means of columns


def means_of(games: Tally) -> dict[str, Mean]:
    """Map each column to its mean over the games that have a value (`n` of them).

    Codes that represent names have no mean and are left out. A truncated game has neither a final score nor a
    final length. Events are counted up to the truncation.
    """
    means = {row["column"]: _mean_of_sums(row) for row in games.sums.iter_rows(named=True)}
    if games.outcomes["winner"].is_in([TRUNCATED]).any():
        ended = {row["column"]: _mean_of_sums(row) for row in games.seat_scores.iter_rows(named=True)}
        for column, counted in (("score", games.scores), ("turn", games.outcomes)):
            counts = counted.filter(~is_truncated()).drop_nulls(column).group_by(column).agg(pl.sum("n"))
            counts = counts.sort(column)
            ended[column] = mean_of_counts(counts[column].to_list(), counts["n"].to_list())
        means |= {column: value for column, value in ended.items() if column in means}
    return means


@dataclass(frozen=True)
class Count:
    column: str
    label: str
    mean: Mean  # mean per game, over the games that have a value
    # if it never happened: upper limit of the share of games in which it happens, because a mean of 0 has no
    # spread
    any: Interval | None


@dataclass(frozen=True)
class GroupMeans:
    title: str
    note: str
    counts: tuple[Count, ...]

    def rows(self) -> list[dict[str, Any]]:
        """Return a row for each column: column, label, mean, se, n."""
        return [{"column": count.column, "label": count.label, **asdict(count.mean)} for count in self.counts]


def group_means_of(games: Tally, cell: CellGames, method: Method = proportion) -> tuple[GroupMeans, ...]:
    """Return the means per game of every declared column, in its groups.

    A truncated game counts with its values at the truncation.
    """
    column_means = means_of(games)

    def counted(column: str, label: str) -> Count:
        mean = column_means[column]
        return Count(column, label, mean, method(0, mean.n) if mean.mean == 0 else None)

    return tuple(
        GroupMeans(group.title, group.note, tuple(counted(*column) for column in group.columns.items()))
        for group in reporting_of(cell).groups
    )


# ---------------------------------------------------------------- scores and victory tiers


@dataclass(frozen=True)
class Tier:
    name: str
    least: int | None  # least score, None for games without one
    games: int
    share: Interval  # of all games; simultaneous for all tiers (Goodman)
    # its level of victory; "" if the game has none, or if a game with this tier ended differently
    victory: str = ""


@dataclass(frozen=True)
class SeatScore:
    """One seat's scores over the games that ended."""

    seat: int
    role: str
    mean: Mean
    min: float | None
    max: float | None


@dataclass(frozen=True)
class Margin:
    """The winner's score minus the best other seat's, over the games that a seat won."""

    mean: Mean
    min: float | None
    max: float | None


@dataclass(frozen=True)
class Scores:
    """Scores of the games that have one; `mean.n` is their number. Tiers are shares of all games."""

    of: str  # owner of `score`, as the object of a sentence; "" for a game without scores
    games: int
    values: tuple[int, ...]  # distinct scores, ascending
    counts: tuple[int, ...]  # games with each
    mean: Mean
    won: Mean  # over the games that the first seat won
    quantiles: dict[int, Interval]  # percent -> quantile; empty when no game has a score
    seats: tuple[SeatScore, ...]  # empty if seats have no separate scores
    margin: Margin | None  # None if seats have no separate scores, or no game has a winner
    # best first, then "lost" and, if there are any, "cut off"; empty for a game without tiers
    tiers: tuple[Tier, ...]

    @property
    def min(self) -> int | None:
        return self.values[0] if self.values else None

    @property
    def max(self) -> int | None:
        return self.values[-1] if self.values else None


def scores_of(games: Tally, cell: CellGames) -> Scores:
    """Return the scores of the games, without values if the game declares no score."""
    has_score = reporting_of(cell).has_score
    finished = games.scores.filter(pl.col("winner") != TRUNCATED) if has_score else games.scores.clear()
    scored = finished.drop_nulls("score").group_by("score").agg(pl.col("n").sum()).sort("score")
    won = finished.drop_nulls("score").filter(pl.col("winner") == 0)
    values, counts = tuple(scored["score"].to_list()), tuple(scored["n"].to_list())
    lost = int(finished.filter(pl.col("score").is_null())["n"].sum())
    quantiles = {q: quantile_interval(values, counts, q / 100) for q in QUANTILES} if values else {}
    levels = _levels(finished, cell)
    tiers = _tiers(values, counts, lost, games.games, cell, levels)
    return Scores(
        score_owner(cell) if has_score else "",
        games.games,
        values,
        counts,
        mean_of_counts(values, counts),
        mean_of_counts(won["score"].to_list(), won["n"].to_list()),
        quantiles,
        *_by_seat(games, cell),
        tiers,
    )


def score_owner(cell: SeatedGames) -> str:
    """Return the owner of `score` as an object: `the first player`, `the winner`, `the defender`."""
    if declared := reporting_of(cell).scored:
        return declared
    if len(cell.policies) == 1:
        role = cell.policies[0]["role"].replace("_", " ")
        return "the player" if role == "first" else f"the {role}"  # the only seat of a game for one or more
    return outcomes.side_names(cell)[0]


def score_names(cell: SeatedGames) -> dict[str, str]:
    """Map score columns to names in a sentence: `points of the first player`; {} for a game without scores.

    The order is `score`, the seats' scores, MARGIN. A seat's score is omitted if `score` already contains it.
    """
    reporting = reporting_of(cell)
    if not reporting.has_score:
        return {}
    what, own, sides = reporting.score or "score", seat_scores(cell), outcomes.side_names(cell)
    names = {"score": f"{what} of {score_owner(cell)}"}
    first = 0 if reporting.scored else 1  # otherwise `score` is the first seat's
    names |= {column: f"{what} of {sides[first + i]}" for i, column in enumerate(own[first:])}
    by = f"margin of the winner in {reporting.score}" if reporting.score else "score margin of the winner"
    return names | ({MARGIN: by} if own else {})


def _by_seat(games: Tally, cell: CellGames) -> tuple[tuple[SeatScore, ...], Margin | None]:
    rows = {row["column"]: row for row in games.seat_scores.iter_rows(named=True)}
    last = rows.pop(MARGIN, None)
    seats = tuple(
        SeatScore(seat, cell.policies[seat]["role"], _mean_of_sums(row), row["min"], row["max"])
        for seat, row in enumerate(rows.values())
    )
    margin = Margin(_mean_of_sums(last), last["min"], last["max"]) if last and last["n"] else None
    return seats, margin


def _mean_of_sums(row: Mapping[str, Any]) -> Mean:
    return mean(row["n"], row["off"], row["squares"], row["min"] or 0.0)


def _tiers(
    values: Sequence[int],
    counts: Sequence[int],
    lost: int,
    games: int,
    cell: CellGames,
    levels: Mapping[str, str],
) -> tuple[Tier, ...]:
    """Return the tiers of the game, reached or not, followed by lost and truncated games; () without tiers.

    Unreached tiers are included so that the table has the same rows for every cell.
    """
    if not cell.tiers:
        return ()
    tiers = best_first(cell.tiers)
    numbers = dict.fromkeys(tiers, 0)
    for value, n in zip(values, counts, strict=True):
        numbers[tier_of(value, tiers)] += n
    if may_lack_score(cell):
        numbers[LOST] = lost
    if truncated := games - sum(numbers.values()):
        numbers[CUT_OFF] = truncated
    shares = goodman([*numbers.values(), *([] if truncated else [0])])  # a game may always be truncated
    return tuple(
        Tier(name, tiers.get(name), n, share, levels.get(name, ""))
        for (name, n), share in zip(numbers.items(), shares, strict=False)
    )


def _levels(finished: pl.DataFrame, cell: CellGames) -> dict[str, str]:
    """Map tiers to levels of victory, without levels that contradict the result of a game.

    Under a changed victory rule, a game may be a draw although its tier means victory.
    """
    levels, tiers = dict(getattr(cell, "tier_levels", {})), best_first(cell.tiers)
    for winner, score in finished.drop_nulls("score").select("winner", "score").iter_rows():
        if tiers and not is_borne_out(levels.get(name := tier_of(score, tiers), ""), winner):
            del levels[name]
    return levels


def is_borne_out(level: str, winner: int) -> bool:
    """Return whether the winner agrees with a level of victory.

    Only levels that are a victory or a draw of the first seat are tested; True for all others.
    """
    if level.endswith("victory"):
        return winner == 0
    return winner == NOBODY or not level.endswith("draw")


def may_lack_score(cell: Any) -> bool:
    """Return whether games of a cell may end without a score, so that LOST is a row of its tiers."""
    return "score" in getattr(cell, "nulls", ("score",))


def best_first(tiers: Mapping[str, int]) -> dict[str, int]:
    """Map tier names to minimum scores, best first. A manifest sorts its keys by name instead."""
    return dict(sorted(tiers.items(), key=lambda pair: -pair[1]))


def tier_of(score: float, tiers: Mapping[str, int]) -> str:
    """Return the best tier whose minimum score is reached.

    A score below all minimum scores belongs to the last tier.

    tiers: best first.
    """
    for name, least in tiers.items():
        if score >= least:
            return name
    return name


def tier_column(score: pl.Expr, tiers: Mapping[str, int], name: str) -> pl.Expr:
    """Return a boolean expression that is true if this is the best tier that a game reaches.

    tiers: name -> minimum score.
    """
    least = tiers[name]
    better = [other for other in tiers.values() if other > least]
    worst = least == min(tiers.values())
    inside = pl.lit(True) if worst else score >= least
    return (score.is_not_null() & inside & (score < min(better) if better else pl.lit(True))).fill_null(False)


# ---------------------------------------------------------------- length in turns and in decisions


@dataclass(frozen=True)
class Length:
    """Turns and plies (decisions) of all games.

    A truncated game counts with the length it had reached, so the mean is too low if `capped` > 0. `ended`
    counts only games that reached their end.
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
    ended: outcomes.Spread  # turns of the games that ended; without values when all are truncated
    capped_at: tuple[int, int] | None  # shortest and longest truncated game, in turns; None without any


def length_of(games: Tally, cell: CellGames) -> Length:
    truncated = games.outcomes.filter(is_truncated())
    values, counts = _by_turn(games.outcomes)
    turns, plies = _sums(games, "turn"), _sums(games, "plies")  # imported records may lack decisions
    return Length(
        games=games.games,
        capped=int(truncated["n"].sum()),
        values=values,
        counts=counts,
        turns=_mean_of_sums(turns),
        quantiles={q: quantile_interval(values, counts, q / 100) for q in QUANTILES},
        plies=_mean_of_sums(plies),
        plies_total=int(plies["off"] + (plies["min"] or 0) * plies["n"]),
        plies_max=int(plies["max"] or 0),
        ended=outcomes.spread_of(*_by_turn(games.outcomes.filter(~is_truncated()))),
        capped_at=(cut[0], cut[-1]) if (cut := _by_turn(truncated)[0]) else None,
    )


def _by_turn(counted: pl.DataFrame) -> tuple[tuple[int, ...], tuple[int, ...]]:
    by_turn = counted.group_by("turn").agg(pl.col("n").sum()).sort("turn")
    return tuple(by_turn["turn"].to_list()), tuple(by_turn["n"].to_list())


def _sums(games: Tally, column: str) -> dict[str, Any]:
    """Return the sums of a column (`Tally.sums`); n is 0 if the records lack the column."""
    found = games.sums.filter(pl.col("column") == column)
    none = {"n": 0, "off": 0.0, "squares": 0.0, "min": None, "max": None}
    return found.row(0, named=True) if found.height else none


# ---------------------------------------------- the part of a run's JSON document that comes from its records


def summarize(frame: pl.LazyFrame, cell: CellGames, method: Method = proportion) -> dict[str, Any]:
    """Summarise the games of `frame`: outcomes, score, tiers, end reasons, length and means.

    The result is ready for `json.dumps`. `wins`, `draws`, `losses` and `win_rate` describe the first seat.
    With two or more seats, `seats` has the same fields for each seat. If all seats have the same policy,
    `seat_advantage` has the advantage of each. `score` is the score of the seats in `score.of`; `scores` and
    `margin` exist if seats have separate scores.
    """
    return summary_of(tally(frame, cell), cell, method)


def summary_of(games: Tally, cell: CellGames, method: Method = proportion) -> dict[str, Any]:
    rates = outcomes.win_rate_of(games, cell, games.method(method))
    lengths = length_of(games, cell)
    score = scores_of(games, cell)
    levels = {tier.name: tier.victory for tier in score.tiers if tier.victory}
    turns = lengths.turns
    document: dict[str, Any] = {
        **_outcome(rates.first),
        # over the games with a score; every number is None if no game has one
        "score": {
            "of": score.of or None,  # owner of the score; None: the game has no score
            "counts": (reporting_of(cell).score or "score") if score.of else None,
            **_mean(score.mean),
            "sd": score.mean.sd,
            "min": score.min,
            "max": score.max,
            "quantiles": _quantiles(score.quantiles) or {str(q): None for q in QUANTILES},
            "won": _mean(score.won),  # over the games that the first seat won
            # all scores of this document are in points; the stored records count them in units of 1 / scale
            **({"scale": scale} if (scale := reporting_of(cell).score_scale) > 1 else {}),
        },
        **_seat_scores(score),
        "tiers": {tier.name: tier.games for tier in score.tiers},
        **({"tier_levels": levels} if levels else {}),
        "tier_shares": {tier.name: tier.share.to_dict() for tier in score.tiers},
        "end_reasons": end_reasons(games, cell),
        "turns": {
            **_mean(turns),
            "sd": turns.sd,
            "min": lengths.values[0],
            "max": lengths.values[-1],
            "quantiles": _quantiles(lengths.quantiles),
            "unit": reporting_of(cell).time,
            "ended": _ended(lengths.ended),  # over the games that were not truncated
        },
        "is_one_game": games.is_one_game,
        "means": {name: _mean(value) for name, value in means_of(games).items()},
        "plies": lengths.plies_total,
    }
    if len(rates.seats) > 1:
        document["seats"] = [
            {"seat": seat.seat, "role": seat.role, "policy": seat.policy, **_outcome(seat)}
            for seat in rates.seats
        ]
        advantage = seat_advantage_of(games, cell, games.method(method))
        if advantage.mirror and advantage.seats:
            document["seat_advantage"] = advantage.document()
    return document


def _seat_scores(score: Scores) -> dict[str, Any]:
    """Return the seats' scores; {} if seats have no separate scores."""
    if not score.seats:
        return {}
    own = [{"seat": seat.seat, "role": seat.role, **_spread(seat)} for seat in score.seats]
    return {"scores": own, "margin": score.margin and _spread(score.margin)}


def _spread(value: SeatScore | Margin) -> dict[str, Any]:
    return {**_mean(value.mean), "sd": value.mean.sd, "min": value.min, "max": value.max}


def _ended(lengths: outcomes.Spread) -> dict[str, Any]:
    """Return the lengths of ended games; every number is None if no game ended."""
    return {
        **_mean(lengths.mean),
        "min": lengths.values[0] if lengths.values else None,
        "max": lengths.values[-1] if lengths.values else None,
        "quantiles": _quantiles(lengths.quantiles) or {str(q): None for q in QUANTILES},
    }


def end_reasons(games: Tally, cell: CellGames) -> dict[str, int]:
    """Map every end reason of the game to its number of games, including end reasons that never occurred."""
    numbers = dict(games.outcomes.group_by("end_reason").agg(pl.col("n").sum()).iter_rows())
    codes = sorted({*map(int, cell.end_reasons), *numbers})
    return {cell.end_reasons.get(str(code), f"end reason {code}"): numbers.get(code, 0) for code in codes}


def _outcome(seat: outcomes.SeatRate) -> dict[str, Any]:
    return {
        "wins": seat.wins,
        "draws": seat.draws,
        "losses": seat.losses,
        "capped": seat.capped,
        "win_rate": seat.win.to_dict(),
    }


def _quantiles(quantiles: Mapping[int, Interval]) -> dict[str, float | None]:
    return {str(q): interval.estimate for q, interval in quantiles.items()}


def _mean(value: Mean) -> dict[str, float | None]:
    return {"mean": value.mean, "se": value.se, "n": value.n}
