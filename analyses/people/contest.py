"""Plays of people against people, beside games of policies. A winner says nothing of how strong all are, so
there is no place on the scale here; seats and length can be compared.
"""

from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np
import polars as pl

from bartizan.analyses.document import Document
from bartizan.analyses.statistics.intervals import Interval, Mean, mean, proportion
from bartizan.simcore.compile.rules import TRUNCATED
from bartizan.simcore.game import Game
from bartizan.simcore.play.batch import Source
from bartizan.simcore.play.match import Match


class SeatWins(Document):
    """One seat or side: how often people won from it, and policies."""

    seat: str
    plays: int
    wins: int
    share: Interval | None
    policies: float


class NumberBeside(Document):
    """A number of plays beside that of games."""

    name: str  # "turns", "score"
    people: Mean
    policies: Mean


class Contested(Document):
    """Plays with as many people as the game has seats, beside games of policies."""

    plays: int
    left_out: dict[str, int]  # reason -> plays
    games: int
    seats: list[SeatWins]
    numbers: list[NumberBeside]


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
    return Contested(
        plays=len(tables),
        left_out=left,
        games=len(rows),
        seats=[_seat(index, role, roles, tables, rows, match.game) for index, role in enumerate(roles)],
        numbers=list(_numbers(tables, rows)),
    )


def _seat(
    index: int, role: str, roles: Sequence[str], tables: list[list[dict]], rows: np.ndarray, game: Game
) -> SeatWins:
    """One seat, over the plays that have one winner whose place is written down."""
    wins = [_place(table, roles, game) for table in tables]
    known = [place for place in wins if place is not None]
    won = sum(place == index for place in known)
    share = proportion(won, len(known)) if known else None
    policies = float((rows["winner"] == index).mean())
    return SeatWins(seat=role, plays=len(known), wins=won, share=share, policies=policies)


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
        yield NumberBeside(name="turns", people=_mean(turns), policies=_mean(rows["turn"]))


def _mean(values) -> Mean:
    numbers = np.asarray(values, float)
    return mean(len(numbers), float(numbers.sum()), float((numbers**2).sum()))
