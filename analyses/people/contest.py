"""Plays of people against people, beside games of policies. A winner says nothing of how strong all are, so
there is no place on the scale here; seats and length can be compared.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from bartizan.analyses.statistics.intervals import Interval, Mean, mean, proportion
from bartizan.simcore.game import Game
from bartizan.simcore.play.batch import Source
from bartizan.simcore.play.match import Match
from bartizan.simcore.play.rules import TRUNCATED


@dataclass(frozen=True)
class SeatWins:
    """One seat or side: how often people won from it, and policies."""

    seat: str
    plays: int
    wins: int
    share: Interval | None
    policies: float


@dataclass(frozen=True)
class NumberBeside:
    """A number of plays beside that of games."""

    name: str  # "turns", "score"
    people: Mean
    policies: Mean


@dataclass(frozen=True)
class Contested:
    plays: int
    left_out: dict[str, int]
    games: int
    seats: tuple[SeatWins, ...]
    numbers: tuple[NumberBeside, ...]


def analyze(log: pl.DataFrame, match: Match, roles: Sequence[str], games: int, source: Source) -> Contested:
    """Plays of the match's game with as many people as it has seats."""
    rows = source.rows(match, games)
    rows = rows[rows["winner"] != TRUNCATED]
    mine = log.filter((pl.col("game") == match.game.name) & pl.col("kept"))
    tables, left = [], Counter[str]()
    for _, table in mine.sort("play_id", "row").group_by("play_id", maintain_order=True):
        if (table["players"][0] or table.height) != len(roles):
            left["other number of players"] += 1
        else:
            tables.append(table.to_dicts())
    seats = tuple(_seat(index, role, roles, tables, rows, match.game) for index, role in enumerate(roles))
    return Contested(len(tables), dict(left), len(rows), seats, tuple(_numbers(tables, rows)))


def _seat(
    index: int, role: str, roles: Sequence[str], tables: list[list[dict]], rows: np.ndarray, game: Game
) -> SeatWins:
    """One seat, over the plays that have one winner whose place is written down."""
    wins = [_place(table, roles, game) for table in tables]
    known = [place for place in wins if place is not None]
    won = sum(place == index for place in known)
    share = proportion(won, len(known)) if known else None
    return SeatWins(role, len(known), won, share, float((rows["winner"] == index).mean()))


def _place(table: list[dict], roles: Sequence[str], game: Game) -> int | None:
    """Where the one winner sat; None: there is none, or nobody wrote it down."""
    winners = [seat for seat in table if seat["result"] == "win"]
    if len(winners) != 1:
        return None
    (winner,) = winners
    if not game.alike:
        return roles.index(winner["role"]) if winner["role"] in roles else None
    return winner["seat"] - 1 if winner["seat"] else 0 if winner["start_player"] else None


def _numbers(tables: list[list[dict]], rows: np.ndarray) -> Iterator[NumberBeside]:
    turns = [table[0]["rounds"] for table in tables if table[0]["rounds"] is not None]
    if turns:
        yield NumberBeside("turns", _mean(turns), _mean(rows["turn"]))


def _mean(values) -> Mean:
    numbers = np.asarray(values, float)
    return mean(len(numbers), float(numbers.sum()), float((numbers**2).sum()))
