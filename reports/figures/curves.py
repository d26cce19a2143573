"""Curve charts: curves by turn with an interval band, or curves with a dot and interval at each value."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bartizan.reports.figures.rows import PlottedNumber
from bartizan.reports.text import words

if TYPE_CHECKING:
    from bartizan.analyses.statistics.intervals import Interval

AXES = (0.1, 0.25, 0.5, 1.0)  # upper ends of axes, so that small shares remain readable
MOST_LABELS, SHORT = 3, 16  # labels per row of the key, if none has more than SHORT letters
Dash = tuple[float, ...]  # lengths of strokes and gaps, in line widths; (): solid line
# one per curve, so that colour is not the only difference
DASHES: tuple[Dash, ...] = ((), (5, 2), (1.5, 1.2), (6, 2, 1.5, 2))
SLANT = 40  # angle of names below an axis, in degrees
# margin at the ends of the axis, and shift between curves, so that intervals do not overlap: for named values
# in places, otherwise relative to the axis
NAMED, NUMBERED = (0.4, 0.09), (0.04, 0.006)
PLACES = 3  # number of places per curve in the alternative text


@dataclass(frozen=True)
class DrawnCurve:
    label: str
    colour: str
    at: tuple[float, ...]
    intervals: tuple[Interval, ...]  # one per place
    dash: Dash = ()
    beyond: Interval | None = None  # value at the last place that is not connected to the curve


def axis_end(intervals: Sequence[Interval]) -> float:
    """Return the first of AXES that is at least as great as all upper limits.

    If rounding makes a limit exceed 1, returns the last one.
    """
    highest = max(interval.high for interval in intervals)
    return next((end for end in AXES if highest <= end), AXES[-1])


def _datum(place: str, curve: DrawnCurve, interval: Interval) -> PlottedNumber:
    from bartizan.reports.text import estimates

    shown = str(estimates.share(interval))
    return PlottedNumber(place, curve.label, shown, interval.estimate, interval.low, interval.high)


def _in_words(label: str, data: Sequence[PlottedNumber]) -> str:
    return f"{label} {', '.join(f'{one.shown} ({one.row})' for one in data)}"


@dataclass(frozen=True)
class Bands:
    """Curves of shares from 0 to 100 %, each with its interval as a band.

    last: last turn of the axis, the same for a set of figures. steps: draw each share as constant until the
    next turn. with_key: label the curves in the figure.
    """

    curves: Sequence[DrawnCurve]
    axis_label: str
    of: str
    last: int | None = None
    steps: bool = False
    with_key: bool = True

    @property
    def axes(self) -> tuple[str, ...]:
        return self.axis_label, self.of

    def data(self, names: Mapping[str, str]) -> list[PlottedNumber]:
        return [one for curve in self.curves for one in self._of(curve)]

    def _of(self, curve: DrawnCurve) -> Iterator[PlottedNumber]:
        for at, interval in zip(curve.at, curve.intervals, strict=True):
            yield _datum(f"{self.axis_label} {words.exact(at)}", curve, interval)

    def summary(self, names: Mapping[str, str]) -> str:
        """Return as text the shares of each curve at about PLACES evenly spaced places, such as turns."""
        parts = []
        for curve in self.curves:
            data, third = list(self._of(curve)), max(len(curve.at) // PLACES, 1)
            parts.append(_in_words(curve.label, data[third - 1 :: third]))
        return "; ".join(parts)


@dataclass(frozen=True)
class Dotted:
    """Curves of shares with a dot at every measured value.

    names: labels of the values, if they are not numbers. with_key: label the curves in the figure.
    """

    curves: Sequence[DrawnCurve]
    axis_label: str = ""
    of: str = "of all games"
    names: Sequence[str] = ()
    with_key: bool = False

    @property
    def axes(self) -> tuple[str, ...]:
        return self.axis_label, self.of

    @property
    def places(self) -> Sequence[float]:
        return range(len(self.names)) if self.names else self.curves[0].at

    @property
    def end(self) -> float:
        """The upper end of the axis of shares, from 0 to 1."""
        intervals = [*(interval for curve in self.curves for interval in curve.intervals)]
        return axis_end(intervals + [curve.beyond for curve in self.curves if curve.beyond])

    @property
    def room(self) -> tuple[float, float]:
        """Margin at the ends of the axis, and shift between curves, in the unit of the axis."""
        if self.names:
            return NAMED
        width = self.places[-1] - self.places[0] or 1.0
        return width * NUMBERED[0], width * NUMBERED[1]

    def place(self, at: float) -> str:
        return self.names[int(at)] if self.names else f"{self.axis_label} {words.exact(at)}".strip()

    def data(self, names: Mapping[str, str]) -> list[PlottedNumber]:
        return [one for curve in self.curves for one in self._of(curve)]

    def _of(self, curve: DrawnCurve) -> Iterator[PlottedNumber]:
        for at, interval in zip(curve.at, curve.intervals, strict=True):
            yield _datum(self.place(at), curve, interval)
        if curve.beyond:
            yield _datum(self.place(self.places[-1]), curve, curve.beyond)

    def summary(self, names: Mapping[str, str]) -> str:
        """Return the numbers of each curve at its first and its last value."""
        of_each = ((curve, list(self._of(curve))) for curve in self.curves)
        return "; ".join(
            _in_words(curve.label, [data[0], *data[-1:][: len(data) - 1]]) for curve, data in of_each
        )
