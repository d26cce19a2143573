"""Cells that seat the same players in other places: put together game number by game number, the seat no
longer speaks for the player.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from operator import add
from typing import Any

import polars as pl

from bartizan.analyses.records.series import all_but, seating
from bartizan.analyses.records.tally import cut_off, drawn, won
from bartizan.analyses.statistics.paired import Measure
from bartizan.simcore.game import rotations

Player = tuple[str, tuple, str]  # a policy's name, weights and the hash of its code


@dataclass(frozen=True)
class Held:
    """Games of one seating that are kept in memory: what a `LineUp` needs of a cell."""

    policies: list[dict]  # as a manifest has them, see `seated`
    frame: pl.DataFrame  # `game`, `winner`, and what else is asked for

    def scan(self) -> pl.LazyFrame:
        return self.frame.lazy()


def seated(roles: Sequence[str], players: Iterable[Any]) -> list[dict]:
    """A seating of `simcore.play.match.Player`s as a manifest has it."""
    return [
        {"role": role, "name": player.name, "weights": player.weights, "source_hash": player.source_hash}
        for role, player in zip(roles, players, strict=False)
    ]


@dataclass(frozen=True)
class LineUp:
    """Rotations of one line-up under the same settings and seed, or a single cell.

    Game number g has the same luck in all of its cells.
    """

    cells: tuple[Any, ...]
    known: tuple[Player, ...] = ()  # all players of the sweep: names must tell these apart

    @cached_property
    def seatings(self) -> tuple[tuple[Player, ...], ...]:
        """Who sits where, one a cell."""
        return tuple(seating(cell) for cell in self.cells)

    @cached_property
    def players(self) -> tuple[Player, ...]:
        """Each once, in the order of the first cell's seats."""
        return tuple(dict.fromkeys(self.seatings[0]))

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Of the players; with their weights where those alone tell two apart."""
        return tuple(name_of(player, self.known or self.players) for player in self.players)

    @property
    def seats(self) -> int:
        return len(self.seatings[0])

    @property
    def is_mirror(self) -> bool:
        """The same policy in every seat: a difference between seats is due to the seats."""
        return len(self.players) == 1

    @property
    def is_complete(self) -> bool:
        """Everybody sat in every seat equally often: a difference between players is due to the players."""
        return set(rotations(self.seatings[0])) == set(self.seatings)

    @property
    def name(self) -> str:
        """`steward+greedy`, as the first cell is seated."""
        return "+".join(self.names[self.players.index(player)] for player in self.seatings[0])

    def places_of(self, player: int) -> int:
        """How many seats of a game a player takes."""
        return self.seatings[0].count(self.players[player])

    # ------------------------------------------------------------ one row a game number

    def scan(self, columns: Sequence[str] = ()) -> pl.LazyFrame:
        """Column `game` and, for each cell, who won and every column asked for; the game numbers that all
        cells have.
        """
        frames = [self._scan_one(index, columns) for index in range(len(self.cells))]
        return reduce(lambda left, right: left.join(right, on="game", how="inner"), frames)

    def _scan_one(self, index: int, columns: Sequence[str]) -> pl.LazyFrame:
        columns_of = {f"seat:{seat}": won(seat) for seat in range(self.seats)}
        for number, player in enumerate(self.players):
            columns_of[f"player:{number}"] = pl.col("winner").is_in(
                [seat for seat, other in enumerate(self.seatings[index]) if other == player]
            )
        columns_of |= {"cut off": cut_off(), "drawn": drawn(), "decided": pl.col("winner") >= 0}
        columns_of |= {f"column:{column}": pl.col(column) for column in columns}
        values = {f"{name}@{index}": value.cast(pl.Float64) for name, value in columns_of.items()}
        return self.cells[index].scan().select("game", **values)

    def mean(self, name: str) -> pl.Expr:
        """Mean over the cells, of a column of `scan`."""
        return reduce(add, (pl.col(f"{name}@{index}") for index in range(len(self.cells)))) / len(self.cells)

    # ------------------------------------------------------------ what a game number has one of

    def seat_share(self, seat: int) -> Measure:
        """Share of the cells in which a seat won."""
        share = self.mean(f"seat:{seat}")
        return Measure("seat", str(seat), share, share + self.mean("cut off"), (0.0, 1.0))

    def seat_advantage(self, seat: int) -> Measure:
        """Share of a seat less its equal part of the games that anybody won."""
        return self._advantage("seat advantage", self.seat_share(seat))

    def player_share(self, player: int) -> Measure:
        """Share of wins for each seat that a player took."""
        share, places = self.mean(f"player:{player}"), self.places_of(player)
        most = (share + self.mean("cut off")) / places
        return Measure("policy", self.names[player], share / places, most, (0.0, 1 / places))

    def player_advantage(self, player: int) -> Measure:
        """Share of a player less a seat's equal part of the games that anybody won."""
        return self._advantage("policy advantage", self.player_share(player))

    def _advantage(self, kind: str, share: Measure) -> Measure:
        # a game cut off would have been won by somebody
        fair = (self.mean("decided") + self.mean("cut off")) / self.seats
        span = (-1 / self.seats, share.most - 1 / self.seats)
        return Measure(kind, share.name, share.low - fair, share.high - fair, span)

    def skill(self, player: int, other: int) -> Measure:
        """How much more a seat of one player wins than a seat of another."""
        mine, theirs = self.player_share(player), self.player_share(other)
        name, span = f"{mine.name} - {theirs.name}", (-theirs.most, mine.most)
        return Measure("skill", name, mine.low - theirs.high, mine.high - theirs.low, span)

    def draws(self) -> Measure:
        """Share of the cells that ended in a draw."""
        share = self.mean("drawn")
        return Measure("draws", "draws", share, share + self.mean("cut off"), (0.0, 1.0))

    def column(self, column: str) -> Measure:
        value = self.mean(f"column:{column}")
        return Measure("column", column, value, value)


def line_ups(cells: Iterable[Any]) -> list[LineUp]:
    """Cells gathered by line-up, whatever its rotation, and by everything else that was set."""
    cells = list(cells)
    groups: dict[tuple, dict[tuple, Any]] = {}
    known = tuple(dict.fromkeys(player for cell in cells for player in seating(cell)))
    for cell in cells:
        groups.setdefault((min(rotations(seating(cell))), all_but(None, cell)), {}).setdefault(
            seating(cell), cell
        )
    return [LineUp(_in_order(group), known) for group in groups.values()]


def _in_order(group: dict[tuple, Any]) -> tuple:
    """The first cell, then its rotations as they follow."""
    return tuple(group[turned] for turned in rotations(next(iter(group))) if turned in group)


def name_of(player: Player, players: Iterable[Player]) -> str:
    """A policy's name, with what tells it from its namesakes among `players`: weights, else the hash of its
    code.
    """
    name, weights, code = player
    namesakes = [other for other in players if other[0] == name]
    telling = [
        f"{key}={value:g}"
        for key, value in weights
        if any(dict(other[1]).get(key) != value for other in namesakes)
    ]
    if any(other[1] == weights and other[2] != code for other in namesakes):
        telling.append(f"code {code[:6]}")
    return f"{name} ({', '.join(telling)})" if telling else name
