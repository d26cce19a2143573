"""Line-ups turned round: what a comparison of players needs when seats are not equal."""

from collections.abc import Sequence
from typing import TypeVar

P = TypeVar("P")


def rotations(seats: Sequence[P]) -> list[tuple[P, ...]]:
    """A line-up in every rotation of the seats, each once."""
    line_up = tuple(seats)
    return list(dict.fromkeys(line_up[turn:] + line_up[:turn] for turn in range(len(line_up))))


def around(seats: Sequence[P], seat: int = 0) -> list[tuple[tuple[P, ...], int]]:
    """Everybody moves on by one seat, all the way round: who sits where, and where the one at `seat` does."""
    line_up, n = tuple(seats), len(seats)
    return [(line_up[n - turn :] + line_up[: n - turn], (seat + turn) % n) for turn in range(n)]
