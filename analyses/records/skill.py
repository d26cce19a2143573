"""Who plays better, the seats apart?

The cells of a sweep that are rotations of one line-up are put together game number by game number: everybody
sits in every seat, with the same luck. A game number gives one value, the mean over its rotations; standard
errors are those of these values (see `analyses.statistics.paired`).
"""

from dataclasses import dataclass
from itertools import combinations

import polars as pl

from bartizan.analyses.records.line_ups import LineUp
from bartizan.analyses.records.seat_advantage import SeatShare, joint_confidence, less
from bartizan.analyses.statistics.intervals import CONFIDENCE
from bartizan.analyses.statistics.paired import Estimate, estimates


@dataclass(frozen=True)
class Standing:
    """One policy of a line-up."""

    policy: str
    places: int  # seats it takes in each game
    wins: int  # in all rotations together
    share: Estimate  # share of wins for each seat it took; 1/n if all players were equal
    advantage: Estimate  # that less a seat's equal part of the games that anybody won


@dataclass(frozen=True)
class Duel:
    """One policy's share of wins a seat less another's."""

    better: str  # the one with the higher share; that it is better is said by `difference.is_clear`
    other: str
    difference: Estimate
    # pairing factor: variance if the rotations were played on luck of their own, over the variance reached
    factor: float | None


@dataclass(frozen=True)
class Skill:
    line_up: LineUp
    games: int  # game numbers that all rotations have
    left_out: int  # game numbers that only some rotations have
    capped: int  # games cut off, of games x rotations: the intervals are bounds over them
    standings: tuple[Standing, ...]  # best first
    duels: tuple[Duel, ...]  # every two policies, the best ones first
    seats: tuple[SeatShare, ...]  # whoever sat there: everybody did equally often

    @property
    def rotations(self) -> int:
        return len(self.line_up.cells)

    @property
    def fair(self) -> float:
        return 1 / self.line_up.seats


def analyze(line_up: LineUp) -> Skill | None:
    """None for a line-up that was not seated in all its rotations, or of one policy only: then nothing tells
    players from seats.
    """
    if line_up.is_mirror or not line_up.is_complete:
        return None
    frame = line_up.scan()
    counts = _counts(frame, line_up)
    games, capped = counts["games"], counts["capped"]
    if not games:
        return None
    standings = sorted(_standings(frame, line_up, counts), key=lambda row: -row.share.interval.estimate)
    most = max(cell.scan().select(pl.len()).collect().item() for cell in line_up.cells)
    duels = tuple(_duels(frame, line_up, standings, capped))
    seats = _seats(frame, line_up, capped)
    return Skill(line_up, games, most - games, capped, tuple(standings), duels, seats)


def _counts(frame: pl.LazyFrame, line_up: LineUp) -> dict:
    cells = len(line_up.cells)
    sums = {
        f"player:{number}": line_up.mean(f"player:{number}").sum() * cells
        for number in range(len(line_up.players))
    }
    sums["capped"] = line_up.mean("cut off").sum() * cells
    counted = frame.select(games=pl.len(), **sums).collect(engine="streaming")
    return {name: round(value) for name, value in counted.row(0, named=True).items()}


def _standings(frame: pl.LazyFrame, line_up: LineUp, counts: dict):
    players = range(len(line_up.players))
    shares = estimates(frame, [line_up.player_share(player) for player in players], counts["capped"])
    advantages = estimates(frame, [line_up.player_advantage(player) for player in players], counts["capped"])
    for player, share, advantage in zip(players, shares, advantages, strict=True):
        yield Standing(
            line_up.names[player], line_up.places_of(player), counts[f"player:{player}"], share, advantage
        )


def _duels(frame: pl.LazyFrame, line_up: LineUp, standings: list[Standing], capped: int):
    order = [line_up.names.index(standing.policy) for standing in standings]
    pairs = list(combinations(order, 2))
    differences = estimates(frame, [line_up.skill(*pair) for pair in pairs], capped)
    for (better, other), difference in zip(pairs, differences, strict=True):
        yield Duel(
            line_up.names[better], line_up.names[other], difference, _factor(frame, line_up, better, other)
        )


def _factor(frame: pl.LazyFrame, line_up: LineUp, player: int, other: int) -> float | None:
    mine, theirs = (f"player:{number}" for number in (player, other))
    places, their_places = line_up.places_of(player), line_up.places_of(other)
    cells = len(line_up.cells)
    differences = [line_up.mean(mine) / places - line_up.mean(theirs) / their_places] + [
        pl.col(f"{mine}@{cell}") / places - pl.col(f"{theirs}@{cell}") / their_places for cell in range(cells)
    ]
    variances = [value.var().alias(str(index)) for index, value in enumerate(differences)]
    reached, *alone = frame.select(variances).collect(engine="streaming").row(0)
    return sum(alone) / cells**2 / reached if reached else None


def _seats(frame: pl.LazyFrame, line_up: LineUp, capped: int) -> tuple[SeatShare, ...]:
    seats = range(line_up.seats)
    measures = [line_up.seat_advantage(seat) for seat in seats]
    advantages, joint = (
        [estimate.interval for estimate in estimates(frame, measures, capped, confidence)]
        for confidence in (CONFIDENCE, joint_confidence(line_up.seats))
    )
    shares = [less(advantage, -1 / line_up.seats) for advantage in advantages]
    roles = [policy["role"] for policy in line_up.cells[0].policies]
    return tuple(map(SeatShare, seats, roles, shares, advantages, joint))
