"""Is it better to sit in one seat than in another?"""

from dataclasses import dataclass

from bartizan.analyses.records.series import seating
from bartizan.analyses.records.tally import CellGames, Method, Tally, count, cut_off, won
from bartizan.analyses.statistics.intervals import CONFIDENCE, Interval, proportion, with_cut_off

ADVANTAGE, DISADVANTAGE, NONE_FOUND = "advantage", "disadvantage", "none found"


@dataclass(frozen=True)
class SeatShare:
    """One seat's part of the games that somebody won.

    Over rotations of all players a game that nobody won is an equal part for each seat.
    """

    seat: int
    role: str
    share: Interval
    advantage: Interval  # share - fair share
    joint: Interval  # the advantage, with an interval that holds for all seats together

    @property
    def finding(self) -> str:
        """What the joint interval says."""
        if self.joint.low > 0:
            return ADVANTAGE
        return DISADVANTAGE if self.joint.high < 0 else NONE_FOUND


@dataclass(frozen=True)
class SeatWins(SeatShare):
    """The share of a seat in which one policy sat."""

    policy: str
    wins: int


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
    seats: tuple[SeatWins, ...]

    @property
    def counted(self) -> int:
        """Games behind each share."""
        return self.games - self.drawn

    @property
    def fair(self) -> float:
        """What every seat would win if all were equal."""
        return 1 / len(self.seats)

    @property
    def first(self) -> SeatWins:
        return self.seats[0]


def from_tally(games: Tally, cell: CellGames, method: Method = proportion) -> SeatAdvantage:
    """Shares with Wilson's interval (1927; Clopper-Pearson near 0 and 1); the fair share 1/n is known, so the
    advantage is the share moved by it.

    Every seat is looked at: a finding is judged by intervals that hold together. `method` is
    `intervals.confidence_sequence` for a run that stopped when it was precise enough.
    """
    seats, capped = range(len(cell.policies)), count(games.outcomes, cut_off())
    wins = [count(games.outcomes, won(seat)) for seat in seats]
    counted = sum(wins) + capped
    shares = (_seat(cell, seat, wins[seat], capped, counted, method) for seat in seats if counted)
    mirror = len(set(seating(cell))) == 1
    return SeatAdvantage(games.games, games.games - counted, capped, mirror, tuple(shares))


def _seat(cell: CellGames, seat: int, wins: int, capped: int, counted: int, method: Method) -> SeatWins:
    policy = cell.policies[seat]
    seats = len(cell.policies)
    share, joint = (
        with_cut_off(wins, capped, counted, each, method) for each in (CONFIDENCE, joint_confidence(seats))
    )
    advantage, joint_advantage = (less(interval, 1 / seats) for interval in (share, joint))
    return SeatWins(seat, policy["role"], share, advantage, joint_advantage, policy["name"], wins)


def less(share: Interval, fair: float) -> Interval:
    """An interval moved by a known number."""
    return Interval(share.estimate - fair, share.low - fair, share.high - fair, share.level, share.method)
