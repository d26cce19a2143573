"""Rows of dots with intervals: a label and a value on one line, the dot below it, so that no margin is lost
on a phone.
"""

from __future__ import annotations

from dataclasses import dataclass
from textwrap import wrap
from typing import TYPE_CHECKING

from bartizan.analyses.statistics.intervals import Interval
from bartizan.reports.figures import theme

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ROW, HEAD, AXIS = 0.5, 0.32, 0.5  # inches
ABOVE, BELOW = 0.1, 0.14  # inches from a dot up to its label and down to the end of its row
DODGE = 0.075  # inches between the dots of one row, so that none hides another
# inches and letters of a line: a label has what its value leaves of it; lines of a label
LINE, LETTERS, LEAST_LETTERS, MOST_LINES = (0.2, 50, 18, 5)


@dataclass(frozen=True)
class Point:
    interval: Interval
    colour: str
    filled: bool = True
    dot: bool = True  # bounds have no estimate worth a dot


@dataclass(frozen=True)
class Row:
    label: str
    value: str
    points: tuple[Point, ...]  # none: the row is a heading


def draw(
    rows: list[Row],
    most: float = 1.0,
    axis_label: str = "",
    percent: bool = True,
    least: float = 0.0,
    mark: float | tuple[float, ...] | None = None,
) -> Figure:
    """`least`, `most`: ends of the axis, fractions or (not `percent`) numbers; one picture of a set must
    share them with the others.

    `mark`: where to draw a line across, or lines.
    """
    with theme.applied():
        figure = theme.figure(height=sum(map(_row_height, rows)) + AXIS)
        axes = figure.add_subplot()
        place = 0.0
        for row in rows:
            place += _row_height(row)
            _draw_row(axes, row, place, least, most)
        for at in () if mark is None else mark if isinstance(mark, tuple) else (mark,):
            axes.axvline(at, color=theme.INK, linewidth=1, linestyle=(0, (4, 2)), zorder=1.5)
        _dress(axes, place, least, most, axis_label, percent)
    return figure


def _row_height(row: Row) -> float:
    return ROW + LINE * (len(_lines(row)) - 1) + DODGE * (len(row.points) - 1) if row.points else HEAD


def _lines(row: Row) -> list[str]:
    """A label that is long goes on below: what it says at its end may be what sets it apart."""
    return wrap(
        row.label, max(LETTERS - len(row.value), LEAST_LETTERS), max_lines=MOST_LINES, placeholder=" …"
    ) or [""]


def _draw_row(axes, row: Row, place: float, least: float, most: float) -> None:
    """`place`: the bottom of the row, in inches from the top; the dot sits a little above it, the words above
    the dot. Words hide the lines behind them.
    """
    dot = place - BELOW - DODGE * (len(row.points) - 1)  # the uppermost one
    words, weight = (dot - ABOVE, "normal") if row.points else (place - 0.02, "bold")
    paper = {"bbox": {"facecolor": "white", "edgecolor": "none", "pad": 0.5}}
    axes.text(
        least, words, "\n".join(_lines(row)), ha="left", va="bottom", weight=weight, clip_on=False, **paper
    )
    axes.text(most, words, row.value, ha="right", va="bottom", clip_on=False, **(paper if row.value else {}))
    for index, point in enumerate(row.points):
        height = dot + DODGE * index
        axes.plot(
            [least, most], [height, height], color=theme.GRID, linewidth=0.7, zorder=1, solid_capstyle="butt"
        )
        _draw_point(axes, point, height, size=6.5 if len(row.points) == 1 else 4.5)


def _draw_point(axes, point: Point, place: float, size: float) -> None:
    interval, look = point.interval, {"color": point.colour, "clip_on": False}
    line = {"linewidth": size / 2, "zorder": 2, "solid_capstyle": "butt"}
    if interval.has_limits:
        axes.plot([interval.low, interval.high], [place, place], **look, **line)
    if point.dot:
        face = point.colour if point.filled else "white"
        dot = {"markersize": size, "markerfacecolor": face, "markeredgewidth": size / 4, "zorder": 3}
        axes.plot([interval.estimate], [place], "o", **look, **dot)


def _dress(axes, bottom: float, least: float, most: float, axis_label: str, percent: bool) -> None:
    axes.set(xlim=(least, most), ylim=(bottom + 0.04, 0), yticks=[], xlabel=axis_label)
    axes.spines["left"].set_visible(False)
    if percent:
        theme.in_percent(axes.xaxis)
    else:
        axes.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
    axes.locator_params(axis="x", nbins=5)
    axes.grid(axis="x", zorder=0)
    axes.set_axisbelow(True)


def shorten(text: str, longest: int = LETTERS) -> str:
    return text if len(text) <= longest else text[: longest - 1].rstrip() + "…"
