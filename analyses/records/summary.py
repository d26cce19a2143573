"""The part of a run's JSON document that comes from its records."""

import polars as pl

from bartizan.analyses.records import length, means, scores, win_rate
from bartizan.analyses.records.tally import CellGames, Method, Tally, tally
from bartizan.analyses.statistics.intervals import Mean, proportion


def summarize(frame: pl.LazyFrame, cell: CellGames, method: Method = proportion) -> dict:
    """Outcomes, score, tiers, end reasons, length and means of the games of `frame`, ready for `json.dumps`;
    one pass over it.

    `wins`, `draws`, `losses` and `win_rate` are those of the first seat; with two or more seats `seats` has
    each.
    """
    return from_tally(tally(frame, cell), cell, method)


def from_tally(games: Tally, cell: CellGames, method: Method = proportion) -> dict:
    rates = win_rate.from_tally(games, cell, method)
    lengths = length.from_tally(games, cell)
    score = scores.from_tally(games, cell)
    levels = {tier.name: tier.victory for tier in score.tiers if tier.victory}
    document = {
        **_outcome(rates.first),
        "score": _score(score),
        "tiers": {tier.name: tier.games for tier in score.tiers},
        **({"tier_levels": levels} if levels else {}),
        "tier_shares": {tier.name: tier.share.to_dict() for tier in score.tiers},
        "end_reasons": end_reasons(games, cell),
        "turns": _turns(lengths),
        "means": {name: _mean(value) for name, value in means.from_tally(games).items()},
        "plies": lengths.plies_total,
    }
    if len(rates.seats) > 1:
        document["seats"] = [_seat(seat) for seat in rates.seats]
    return document


def end_reasons(games: Tally, cell: CellGames) -> dict[str, int]:
    """Name -> games for every end reason of the game, those that never happened too."""
    numbers = dict(games.outcomes.group_by("end_reason").agg(pl.col("n").sum()).iter_rows())
    codes = sorted({*map(int, cell.end_reasons), *numbers})
    return {cell.end_reasons.get(str(code), f"end reason {code}"): numbers.get(code, 0) for code in codes}


def _outcome(seat: win_rate.SeatRate) -> dict:
    return {
        "wins": seat.wins,
        "draws": seat.draws,
        "losses": seat.losses,
        "capped": seat.capped,
        "win_rate": seat.win.to_dict(),
    }


def _seat(seat: win_rate.SeatRate) -> dict:
    return {"seat": seat.seat, "role": seat.role, "policy": seat.policy, **_outcome(seat)}


def _score(score: scores.Scores) -> dict:
    """Over the games that have a score; every number is None when none has."""
    return {
        **_mean(score.mean),
        "sd": score.mean.sd,
        "min": score.min,
        "max": score.max,
        "quantiles": _quantiles(score.quantiles) or {str(q): None for q in scores.QUANTILES},
    }


def _turns(lengths: length.Length) -> dict:
    ends = {"sd": lengths.turns.sd, "min": lengths.values[0], "max": lengths.values[-1]}
    return {**_mean(lengths.turns), **ends, "quantiles": _quantiles(lengths.quantiles)}


def _quantiles(quantiles: dict) -> dict[str, float]:
    return {str(q): interval.estimate for q, interval in quantiles.items()}


def _mean(value: Mean) -> dict:
    return {"mean": value.mean, "se": value.se, "n": value.n}
