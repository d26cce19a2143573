"""Curves: with the band of their interval, by turn; or a dot with its interval at every place measured."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bartizan.analyses.statistics.intervals import Interval, place
from bartizan.reports.figures import theme
from bartizan.reports.text import words

if TYPE_CHECKING:
    from matplotlib.figure import Figure

HEIGHT, KEY_ROW = 2.3, 0.2  # inches
AXES = (0.1, 0.25, 0.5, 1.0)  # upper ends: shares that are all small deserve a closer look
# of the axis: between curves, so that no interval hides another; beyond the ends
DODGE, MARGIN = 0.006, 0.04
NAMED = 0.4, 0.09  # both in places, where places have names
SLANT = 40  # degrees of such names
MOST_LABELS, SHORT = 3, 16  # curves side by side in the key, where their labels have so few letters
# one a curve: colour is not the only difference
DASHES = ("-", (0, (5, 2)), (0, (1.5, 1.2)), (0, (6, 2, 1.5, 2)))
Dash = str | tuple[float, tuple[float, ...]]


@dataclass(frozen=True)
class DrawnCurve:
    label: str
    colour: str
    at: tuple[float, ...]
    intervals: tuple[Interval, ...]  # one a place
    dash: Dash = "-"
    beyond: Interval | None = None  # of what no curve leads to, at the last place


def axis_end(intervals: Sequence[Interval]) -> float:
    """The first end of AXES that no interval reaches beyond; the last for one that rounding takes above 1."""
    highest = max(interval.high for interval in intervals)
    return next((end for end in AXES if highest <= end), AXES[-1])


# ---------------------------------------------------------------- bands


def bands(
    curves: Sequence[DrawnCurve],
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


def _draw_band(axes, curve: DrawnCurve, steps: bool) -> None:
    """The last step is drawn one turn long."""
    at, intervals = list(curve.at), list(curve.intervals)
    if steps:
        at, intervals = [0, *at, at[-1] + 1], [place(0.0), *intervals, intervals[-1]]
    low, middle, high = _limits(intervals)
    step, style = ("post", "steps-post") if steps else (None, "default")
    axes.fill_between(at, low, high, step=step, color=curve.colour, alpha=0.16, linewidth=0)
    line = {"linestyle": curve.dash, "drawstyle": style, "linewidth": 1.8}
    dots = [i for i, interval in enumerate(curve.intervals) if not words.is_bounds(interval)]
    axes.plot(at, middle, color=curve.colour, label=curve.label, markevery=dots, **line)


def _limits(intervals: Sequence[Interval]) -> list[list[float]]:
    """Lower limits, estimates, upper limits."""
    return [[getattr(interval, end) for interval in intervals] for end in ("low", "estimate", "high")]


def in_words(title: str, curves: Sequence[DrawnCurve], place: Callable[[float], str]) -> str:
    """Each curve at a few of its places. place: `by turn 3`"""
    parts = []
    for curve in curves:
        third = max(len(curve.at) // 3, 1)
        marks = list(zip(curve.at, curve.intervals, strict=True))[third - 1 :: third]
        shares = (f"{interval.estimate * 100:.0f} % {place(at)}" for at, interval in marks)
        parts.append(f"{curve.label} {', '.join(shares)}")
    return f"{title}: {'; '.join(parts)}"


# ---------------------------------------------------------------- dots along a setting


def dotted(
    curves: Sequence[DrawnCurve],
    axis_label: str = "",
    of: str = "of all games",
    names: Sequence[str] = (),
    with_key: bool = False,
) -> Figure:
    """Shares at every place that was measured. names: of the places, where they are no numbers; with_key:
    name the curves in the figure.
    """
    with theme.applied():
        figure = theme.figure(HEIGHT + 0.7 * bool(names))
        axes = figure.add_subplot()
        ticks = range(len(names)) or curves[0].at
        width = ticks[-1] - ticks[0]
        margin, dodge = NAMED if names else (width * MARGIN, width * DODGE)
        for index, curve in enumerate(curves):
            _draw_dots(axes, curve, (index - (len(curves) - 1) / 2) * dodge, ticks[-1])
        intervals = [*(interval for curve in curves for interval in curve.intervals)]
        intervals += [curve.beyond for curve in curves if curve.beyond]
        axes.set(xlim=(ticks[0] - margin, ticks[-1] + margin), ylim=(0, axis_end(intervals)))
        axes.set(xticks=ticks, xlabel=axis_label, ylabel=of)
        if names:
            axes.set_xticks(ticks, names, rotation=SLANT, ha="right", rotation_mode="anchor")
        theme.in_percent(axes.yaxis)
        axes.grid(axis="y")
        if with_key:
            columns = MOST_LABELS if all(len(curve.label) <= SHORT for curve in curves) else 1
            # above the axes, where no line can be
            above: dict[str, Any] = {"loc": "lower left", "bbox_to_anchor": (0, 1), "borderaxespad": 0}
            axes.legend(frameon=False, handlelength=2.2, ncols=min(len(curves), columns), **above)
    return figure


def _draw_dots(axes, curve: DrawnCurve, shift: float, last: float) -> None:
    """last: the place of what lies beyond, a hollow dot that no line leads to."""
    at = [place + shift for place in curve.at]
    low, middle, high = _limits(curve.intervals)
    line = {"linestyle": curve.dash, "linewidth": 1.4, "marker": "o", "markersize": 4.5, "clip_on": False}
    dots = [i for i, interval in enumerate(curve.intervals) if not words.is_bounds(interval)]
    axes.plot(at, middle, color=curve.colour, label=curve.label, markevery=dots, **line)
    axes.vlines(at, low, high, color=curve.colour, linewidth=2.2)
    if beyond := curve.beyond:
        place = [last + shift]
        axes.vlines(place, [beyond.low], [beyond.high], color=curve.colour, linewidth=1.2)
        hollow = {"color": curve.colour, "markerfacecolor": "white", "markersize": 5}
        axes.plot(place, [beyond.estimate], "o", **hollow)


def ends_in_words(title: str, curves: Sequence[DrawnCurve], place: Callable[[float], str]) -> str:
    """Each curve at its first and its last place."""
    ends = (
        f"{curve.label} {words.share(curve.intervals[0])} {place(curve.at[0])}, "
        f"{words.share(curve.intervals[-1])} {place(curve.at[-1])}"
        for curve in curves
    )
    return f"{title}: {'; '.join(ends)}"
