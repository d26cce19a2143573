"""How often does each seat win, draw and lose?"""

from dataclasses import dataclass

from bartizan.analyses.records.tally import CellGames, Method, Tally, count, cut_off, drawn, lost, won
from bartizan.analyses.statistics.intervals import Interval, proportion, with_cut_off


@dataclass(frozen=True)
class SeatRate:
    """One seat's games. wins + draws + losses + capped = games; the three intervals are shares
    of all games.
    """

    seat: int
    role: str
    policy: str
    games: int
    wins: int
    draws: int
    losses: int
    capped: int  # cut off by the ply cap: neither won nor lost, so the intervals are bounds over both
    win: Interval
    draw: Interval
    loss: Interval


@dataclass(frozen=True)
class WinRate:
    seats: tuple[SeatRate, ...]  # in seat order

    @property
    def first(self) -> SeatRate:
        return self.seats[0]


def from_tally(games: Tally, cell: CellGames, method: Method = proportion) -> WinRate:
    """Win, draw and loss rates.

    `method` is `intervals.confidence_sequence` for a run that stopped when it was precise enough.
    """
    return WinRate(tuple(_seat_rate(games, cell, seat, method) for seat in range(len(cell.policies))))


def _seat_rate(games: Tally, cell: CellGames, seat: int, method: Method) -> SeatRate:
    wins, draws, losses, capped = (
        count(games.outcomes, which) for which in (won(seat), drawn(), lost(seat), cut_off())
    )
    policy = cell.policies[seat]
    shares = (with_cut_off(number, capped, games.games, method=method) for number in (wins, draws, losses))
    return SeatRate(seat, policy["role"], policy["name"], games.games, wins, draws, losses, capped, *shares)
