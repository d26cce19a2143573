"""Small pictures of rows of dots with intervals: the rows of a chart, their marks told apart by colour."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from bartizan.reports.figures.rows import Chart, ChartMark, Track

if TYPE_CHECKING:
    from bartizan.analyses.statistics.intervals import Interval

LETTERS = 50  # of a line


class Point(ChartMark):
    def __init__(self, interval: Interval, colour: str, filled: bool = True, dot: bool = True) -> None:
        super().__init__("", interval, colour=colour, is_filled=filled, has_dot=dot)


class Row(Track):
    """points: none of a heading."""

    def __init__(self, label: str, value: str, points: Sequence[ChartMark]) -> None:
        super().__init__(label, tuple(points), value, is_range=False)

    @property
    def points(self) -> tuple[ChartMark, ...]:
        return self.marks


def draw(
    rows: Iterable[Track],
    most: float = 1.0,
    axis_label: str = "",
    percent: bool = True,
    least: float = 0.0,
    mark: float | None = None,
) -> Chart:
    """least, most: ends of the axis, fractions or (not `percent`) numbers; one picture of a set must share
    them with the others. mark: where to draw a line across.
    """
    line = None if mark is None else (mark, "")
    return Chart("", tuple(rows), axis_label, (least, most), percent, line)


def shorten(text: str, longest: int = LETTERS) -> str:
    return text if len(text) <= longest else text[: longest - 1].rstrip() + "…"
