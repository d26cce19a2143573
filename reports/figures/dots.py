"""Small charts: rows of dots with intervals. Colours distinguish the marks of a row."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from bartizan.reports.figures.rows import Chart, ChartMark, Track

if TYPE_CHECKING:
    from bartizan.analyses.statistics.intervals import Interval

LETTERS = 50  # letters per line
ROOM = 0.08  # margin of an axis beyond the longest interval


def mark(interval: Interval, colour: str, is_filled: bool = True) -> ChartMark:
    """Return the mark of an interval. Bounds have no dot, because they have no estimate."""
    from bartizan.reports.text import words

    is_estimate = not words.is_bounds(interval)
    return ChartMark("", interval, colour=colour, is_filled=is_filled, has_dot=is_estimate)


def row(label: str, value: str, marks: Iterable[ChartMark]) -> Track:
    """Return a row of a chart. marks: empty for a heading."""
    return Track(label, tuple(marks), value, is_range=False)


def share_row(label: str, marks: Iterable[ChartMark]) -> Track:
    """Return a row of shares. A single share is also printed beside its dot."""
    from bartizan.reports.text import words

    found = tuple(marks)
    return row(label, words.share_with_limits(found[0].interval) if len(found) == 1 else "", found)


def chart(
    rows: Iterable[Track], most: float = 1.0, unit: str = "", is_share: bool = True, least: float = 0.0
) -> Chart:
    """Return a chart of rows of marks.

    least, most: ends of the axis, which are the same for all charts of a set. They are fractions if
    `is_share`, and otherwise in `unit`.
    """
    return Chart("", tuple(rows), unit, (least, most), is_share)


def differences(rows: Iterable[Track], unit: str, ends: tuple[float, float] | None = None) -> Chart:
    """Return a chart of differences around a dashed line at 0.

    ends: ends of the axis (default: fitted to the rows).
    """
    found = tuple(rows)
    ends = ends or axis_of(one.interval for track in found for one in track.marks)
    return Chart("", found, unit, ends, is_share=False, line=(0.0, "no difference"))


def axis_of(intervals: Iterable[Interval], room: float = ROOM) -> tuple[float, float]:
    """Return the ends of an axis that contains all intervals and 0. room: margin, relative to the span."""
    found = list(intervals)
    low = min([0.0, *(interval.drawn[0] for interval in found)])
    high = max([0.0, *(interval.drawn[1] for interval in found)])
    beyond = (high - low) * room or 1.0
    return low - beyond, high + beyond


def shorten(text: str, longest: int = LETTERS) -> str:
    return text if len(text) <= longest else text[: longest - 1].rstrip() + "…"
