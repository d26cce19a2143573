"""Curves: with the band of their interval, by turn; or a dot with its interval at every place measured."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from matplotlib.figure import Figure

from bartizan.analyses.statistics.intervals import Interval
from bartizan.reports.figures import theme
from bartizan.reports.text import words

HEIGHT, KEY_ROW = 2.7, 0.2  # inches
AXES = (0.1, 0.25, 0.5, 1.0)  # upper ends: shares that are all small deserve a closer look
DODGE, MARGIN = 0.006, 0.04  # of the axis: between curves, so that no interval hides another; beyond the ends
# one a curve: colour is not the only difference
DASHES = ("-", (0, (5, 2)), (0, (1.5, 1.2)), (0, (6, 2, 1.5, 2)))
Dash = str | tuple[float, tuple[float, ...]]


@dataclass(frozen=True)
class Curve:
    label: str
    colour: str
    at: tuple[float, ...]
    intervals: tuple[Interval, ...]  # one a place
    dash: Dash = "-"


def axis_end(intervals: Sequence[Interval]) -> float:
    """The first end of AXES that no interval reaches beyond."""
    highest = max(interval.high for interval in intervals)
    return next(end for end in AXES if highest <= end)


# ---------------------------------------------------------------- bands


def bands(
    curves: Sequence[Curve],
    axis_label: str,
    of: str,
    last: int | None = None,
    steps: bool = False,
    with_key: bool = True,
) -> Figure:
    """Shares from 0 to 100 %. last: turn, common to a set of figures so that they compare; steps: a share
    changes within a turn and holds until the next.
    """
    with theme.applied():
        figure = theme.figure(HEIGHT + KEY_ROW * len(curves) * with_key)
        axes = figure.add_subplot()
        for curve in curves:
            _draw_band(axes, curve, steps)
        axes.set(ylim=(0, 1), xlabel=axis_label, ylabel=of)
        if last is not None:
            axes.set_xlim(0, last + 1)
        axes.locator_params(axis="x", integer=True)
        theme.in_percent(axes.yaxis)
        axes.grid(axis="y")
        if with_key:
            key = {"handlelength": 2.4, "borderaxespad": 0.2, "labelspacing": 0.3}
            figure.legend(loc="outside lower left", frameon=False, **key)
    return figure


def _draw_band(axes, curve: Curve, steps: bool) -> None:
    """The last step is drawn one turn long."""
    at, intervals, how = list(curve.at), list(curve.intervals), {}
    if steps:
        nothing = Interval(0.0, 0.0, 0.0, intervals[0].level, "")
        at, intervals, how = (
            [0, *at, at[-1] + 1],
            [nothing, *intervals, intervals[-1]],
            {"drawstyle": "steps-post"},
        )
    low, middle, high = (
        [getattr(interval, end) for interval in intervals] for end in ("low", "estimate", "high")
    )
    axes.fill_between(
        at, low, high, step="post" if steps else None, color=curve.colour, alpha=0.16, linewidth=0
    )
    axes.plot(at, middle, linestyle=curve.dash, color=curve.colour, linewidth=1.8, label=curve.label, **how)


def in_words(title: str, curves: Sequence[Curve], place: Callable[[float], str]) -> str:
    """Each curve at a few of its places. place: `by turn 3`"""
    return f"{title}: {'; '.join(_at_thirds(curve, place) for curve in curves)}"


def _at_thirds(curve: Curve, place: Callable[[float], str]) -> str:
    third = max(len(curve.at) // 3, 1)
    marks = list(zip(curve.at, curve.intervals, strict=True))[third - 1 :: third]
    shares = (f"{interval.estimate * 100:.0f} % {place(at)}" for at, interval in marks)
    return f"{curve.label} {', '.join(shares)}"


# ---------------------------------------------------------------- dots along a setting


def dotted(curves: Sequence[Curve], axis_label: str, with_key: bool = False) -> Figure:
    """Shares of all games at every value that was played. with_key: name the curves in the figure."""
    with theme.applied():
        figure = theme.figure(3.0)
        axes = figure.add_subplot()
        values = curves[0].at
        width = values[-1] - values[0]
        for index, curve in enumerate(curves):
            draw_dots(axes, curve, (index - (len(curves) - 1) / 2) * DODGE * width)
        axes.set(
            xlim=(values[0] - width * MARGIN, values[-1] + width * MARGIN),
            ylim=(0, axis_end([interval for curve in curves for interval in curve.intervals])),
            xticks=values,
            xlabel=axis_label,
            ylabel="of all games",
        )
        theme.in_percent(axes.yaxis)
        axes.grid(axis="y")
        if with_key:
            axes.legend(frameon=False, handlelength=2.2, loc="best")
    return figure


def draw_dots(axes, curve: Curve, shift: float) -> None:
    at = [place + shift for place in curve.at]
    middle = [interval.estimate for interval in curve.intervals]
    line = {"linestyle": curve.dash, "linewidth": 1.4, "marker": "o", "markersize": 4.5}
    axes.plot(at, middle, color=curve.colour, clip_on=False, label=curve.label, **line)
    low, high = ([getattr(interval, end) for interval in curve.intervals] for end in ("low", "high"))
    axes.vlines(at, low, high, color=curve.colour, linewidth=2.2)


def ends_in_words(title: str, curves: Sequence[Curve], place: Callable[[float], str]) -> str:
    """Each curve at its first and its last place."""
    ends = (
        f"{curve.label} {words.share(curve.intervals[0])} {place(curve.at[0])}, "
        f"{words.share(curve.intervals[-1])} {place(curve.at[-1])}"
        for curve in curves
    )
    return f"{title}: {'; '.join(ends)}"
