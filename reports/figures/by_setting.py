"""Shares of games against a setting: a line a share, with its interval at every value that was played."""

from dataclasses import dataclass

from matplotlib.figure import Figure

from bartizan.analyses.statistics.intervals import Interval
from bartizan.reports.figures import theme
from bartizan.reports.text import words

HEIGHT = 3.0  # inches
AXES = (0.1, 0.25, 0.5, 1.0)  # upper ends: shares that are all small deserve a closer look
DODGE = 0.006  # of the axis, between lines, so that no interval hides another


@dataclass(frozen=True)
class Line:
    label: str
    colour: str
    intervals: tuple[Interval, ...]  # one a value
    dash: str = "-"


def draw(values: tuple[float, ...], lines: list[Line], axis_label: str, with_key: bool = False) -> Figure:
    """`with_key`: name the lines in the picture."""
    with theme.applied():
        figure = theme.figure(HEIGHT)
        axes = figure.add_subplot()
        width = values[-1] - values[0]
        for index, line in enumerate(lines):
            draw_line(axes, values, line, (index - (len(lines) - 1) / 2) * DODGE * width)
        highest = max(interval.high for line in lines for interval in line.intervals)
        axes.set(
            xlim=(values[0] - width * 0.04, values[-1] + width * 0.04),
            ylim=(0, next(end for end in AXES if highest <= end)),
        )
        axes.set(xticks=values, xlabel=axis_label, ylabel="of all games")
        axes.yaxis.set_major_formatter(lambda value, _: f"{value * 100:g}\u00a0%")
        axes.grid(axis="y")
        if with_key:
            axes.legend(frameon=False, handlelength=2.2, loc="best")
    return figure


def draw_line(axes, values: tuple[float, ...], line: Line, shift: float) -> None:
    at = [value + shift for value in values]
    axes.plot(
        at,
        [interval.estimate for interval in line.intervals],
        line.dash,
        color=line.colour,
        linewidth=1.4,
        marker="o",
        markersize=4.5,
        clip_on=False,
        label=line.label,
    )
    axes.vlines(
        at,
        [interval.low for interval in line.intervals],
        [interval.high for interval in line.intervals],
        color=line.colour,
        linewidth=2.2,
    )


def describe(name: str, values: tuple[float, ...], lines: list[Line]) -> str:
    """The picture in words."""
    ends = (
        f"{line.label} {words.share(line.intervals[0])} at {values[0]:g}, {words.share(line.intervals[-1])} "
        f"at {values[-1]:g}"
        for line in lines
    )
    return f"Shares of games against the {name}: " + "; ".join(ends)
