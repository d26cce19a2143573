"""Is it better to sit in one seat than in another?"""

from dataclasses import asdict, dataclass

import polars as pl

from bartizan.analyses.records.series import seating
from bartizan.analyses.records.tally import CellGames, Method, Tally, count, cut_off, tally, won
from bartizan.analyses.statistics.intervals import CONFIDENCE, Interval, proportion, with_cut_off

ADVANTAGE, DISADVANTAGE, NONE_FOUND = "advantage", "disadvantage", "none found"


@dataclass(frozen=True)
class Seat:
    """One seat's part of the games that somebody won."""

    seat: int
    role: str
    policy: str
    wins: int
    share: Interval
    advantage: Interval  # share - fair share
    joint: Interval  # the same, with an interval that holds for all seats together

    @property
    def finding(self) -> str:
        """What the joint interval says; none found: the advantage is no larger than `at_most`, either way."""
        return finding_of(self.joint)

    @property
    def at_most(self) -> float:
        return max(abs(self.joint.low), abs(self.joint.high))


def finding_of(advantage: Interval) -> str:
    if advantage.low > 0:
        return ADVANTAGE
    return DISADVANTAGE if advantage.high < 0 else NONE_FOUND


def joint_confidence(seats: int) -> float:
    """The confidence of each seat's interval at which those of all seats hold together with CONFIDENCE.

    Goodman (1965) is Wilson's interval at this one.

    Of two seats one says what the other does: there is one comparison.
    """
    return 1 - (1 - CONFIDENCE) / seats if seats > 2 else CONFIDENCE


@dataclass(frozen=True)
class SeatAdvantage:
    """Win share of each seat of a cell.

    With different policies (`mirror` is False) it speaks of the players as much as of their seats.
    """

    games: int
    drawn: int  # games that nobody won: a draw, or lost to the game itself; they are left out
    capped: int  # games cut off: each share runs from none of them to all of them
    mirror: bool  # the same policy, with the same weights, in every seat
    seats: tuple[Seat, ...]

    @property
    def counted(self) -> int:
        """Games behind each share."""
        return self.games - self.drawn

    @property
    def fair(self) -> float:
        """What every seat would win if all were equal."""
        return 1 / len(self.seats)

    @property
    def first(self) -> Seat:
        return self.seats[0]

    def to_frame(self) -> pl.DataFrame:
        """One row a seat; intervals as structs."""
        return pl.DataFrame([asdict(seat) | {"finding": seat.finding} for seat in self.seats])


def analyze(frame: pl.LazyFrame, cell: CellGames, method: Method = proportion) -> SeatAdvantage:
    """Shares with Wilson's interval (1927; Clopper-Pearson near 0 and 1); the fair share 1/n is known, so the
    advantage is the share moved by it.

    Every seat is looked at: what is found is judged by intervals that hold together. `method` is
    `intervals.confidence_sequence` for a run that stopped when it was precise enough.
    """
    return from_tally(tally(frame, cell), cell, method)


def from_tally(games: Tally, cell: CellGames, method: Method = proportion) -> SeatAdvantage:
    seats, capped = range(len(cell.policies)), count(games.outcomes, cut_off())
    wins = [count(games.outcomes, won(seat)) for seat in seats]
    found = (
        tuple(_seat(cell, seat, wins[seat], capped, sum(wins) + capped, method) for seat in seats)
        if sum(wins) + capped
        else ()
    )
    return SeatAdvantage(
        games.games, games.games - sum(wins) - capped, capped, len(set(seating(cell))) == 1, found
    )


def _seat(cell: CellGames, seat: int, wins: int, capped: int, counted: int, method: Method) -> Seat:
    policy = cell.policies[seat]
    seats = len(cell.policies)
    share, joint = (
        with_cut_off(wins, capped, counted, each, method) for each in (CONFIDENCE, joint_confidence(seats))
    )
    return Seat(
        seat, policy["role"], policy["name"], wins, share, less(share, 1 / seats), less(joint, 1 / seats)
    )


def less(share: Interval, fair: float) -> Interval:
    """An interval moved by a known number."""
    return Interval(share.estimate - fair, share.low - fair, share.high - fair, share.level, share.method)
