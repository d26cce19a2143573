"""Pictures of differences, each with its interval, around a dashed line at 0."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from bartizan.reports.figures import dots
from bartizan.reports.figures.rows import Chart, Track

if TYPE_CHECKING:
    from bartizan.analyses.statistics.intervals import Interval

ROOM = 0.08  # of the axis, beyond the longest interval


def axis(intervals: Iterable[Interval], room: float = ROOM) -> tuple[float, float]:
    """Ends of an axis that holds all intervals and 0, in their unit."""
    found = list(intervals)
    low = min([0.0, *(interval.drawn[0] for interval in found)])
    high = max([0.0, *(interval.drawn[1] for interval in found)])
    beyond = (high - low) * room or 1.0
    return low - beyond, high + beyond


def draw(rows: Sequence[Track], unit: str, ends: tuple[float, float] | None = None) -> Chart:
    """ends: of the axis; None: as wide as the rows need."""
    least, most = ends or axis(mark.interval for row in rows for mark in row.marks)
    return dots.draw(rows, most, unit, percent=False, least=least, mark=0.0)


def in_words(title: str, rows: Iterable[Track]) -> str:
    """Such a picture in words."""
    return f"{title}: {'; '.join(f'{row.label} {row.value}' for row in rows)}"
