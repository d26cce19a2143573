"""Bar charts: stacked bars with one segment per share, and histograms with one bar per range of values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil
from typing import TYPE_CHECKING

from bartizan.reports.figures.rows import NBSP, PlottedNumber, by_row

if TYPE_CHECKING:
    from bartizan.analyses.statistics.intervals import Interval

BAR = 0.3  # inches
NAMED_FROM = 0.085  # width from which a piece is labelled with its share
MOST_BARS = 60
MOST_RANGES = 25  # of values in a table
FILLED = 0.86  # width of a bar, relative to its place
APART, ASIDE = 0.17, 0.06  # distance and width of bars beyond the axis, relative to the axis
# a robust axis ends at STRETCH times the span that contains the fraction INSIDE of each figure's games
INSIDE, STRETCH = 0.95, 2

Piece = tuple[str, float]  # colour, share


def share_text(share: float) -> str:
    """Format a share as text, such as `43 %`, `0.21 %` or `none`."""
    percent = share * 100
    if not percent:
        return "none"
    return f"{percent:.0f}{NBSP}%" if percent >= 10 else f"{percent:.2g}{NBSP}%"


# ---------------------------------------------------------------- stacked bars


@dataclass(frozen=True)
class StackedBar:
    """A stacked bar. edges: intervals of the cumulative shares at the colour changes, if known."""

    label: str
    value: str
    pieces: tuple[Piece, ...]
    edges: tuple[Interval, ...] = ()


@dataclass(frozen=True)
class Stacked:
    """Stacked bars. bar: height of each bar in inches."""

    rows: Sequence[StackedBar]
    axis_label: str
    bar: float = BAR

    @property
    def axes(self) -> tuple[str, ...]:
        return (self.axis_label,)

    def data(self, names: Mapping[str, str]) -> list[PlottedNumber]:
        return [
            PlottedNumber(row.label, names.get(colour, ""), share_text(share), share)
            for row in self.rows
            for colour, share in row.pieces
        ]

    def summary(self, names: Mapping[str, str]) -> str:
        return by_row([one for one in self.data(names) if one.estimate])


# ---------------------------------------------------------------- histograms


def width_for(span: tuple[int, int]) -> int:
    """Return the number of values per bar (1, 2, 5, 10, 20, ...) for at most about MOST_BARS bars.

    All figures of a set use the same number.
    """
    wanted = (span[1] - span[0] + 1) / MOST_BARS
    step = 1
    while step < wanted:
        step = step * 5 // 2 if str(step)[0] == "2" else step * 2
    return step


@dataclass(frozen=True)
class Beyond:
    """A separate bar to the right of the axis, for games beyond the end of the axis or without a value."""

    label: str
    colour: str
    share: float


def robust_span(spread: Iterable[tuple[Sequence[int], Sequence[int]]]) -> tuple[int, int]:
    """Return both ends of an axis that all figures of a set share.

    The upper end is the greatest value. If the greatest value is far beyond 95 % of the games of every
    figure, the axis is twice as long as the span of these 95 %, rounded up to a full bar. spread: for each
    figure, the values in ascending order and the number of games with each value.
    """
    figures = list(spread)
    least, greatest = min(values[0] for values, _ in figures), max(values[-1] for values, _ in figures)
    inside = max(_reached(values, counts, INSIDE) for values, counts in figures)
    end = least + STRETCH * max(inside - least, 1)
    if greatest <= end:
        return least, greatest
    width = width_for((least, end))
    return least, end if width == 1 else ceil((end + 1) / width) * width - 1


def _reached(values: Sequence[int], counts: Sequence[int], share: float) -> int:
    """Return the least value at or below which at least this share of the games lies."""
    wanted, so_far = share * sum(counts), 0
    for value, n in zip(values, counts, strict=True):
        so_far += n
        if so_far >= wanted:
            return value
    return values[-1]


def shares(
    values: Sequence[int], counts: Sequence[int], width: int, end: int | None = None, of: int = 0
) -> dict[int, float]:
    """Map the least value of each bar to the bar's share of the games.

    end: values above it have no bar. of: number of games in the denominator (default: the sum of `counts`).
    """
    bars: dict[int, float] = {}
    for value, n in zip(values, counts, strict=True):
        if end is None or value <= end:
            bars[value // width * width] = bars.get(value // width * width, 0.0) + n / (of or sum(counts))
    return bars


@dataclass(frozen=True)
class Histogram:
    """A histogram.

    bars: for each colour, maps the least value of each bar to the bar's share. span: least and greatest value
    of the axis. highest: share of the tallest bar. All figures of a set have the same span and highest bar.
    width: number of values per bar. strip: shares of all games, shown above the bars. note: text in the
    middle if there are few bars. beyond: separate bars to the right of the axis. scale: all values are in
    units of 1 / scale, and texts show them divided by it.
    """

    bars: Mapping[str, Mapping[int, float]]
    span: tuple[int, int]
    highest: float
    axis_label: str
    width: int = 1
    of: str = "of all games"
    strip: Sequence[Piece] = ()
    note: str = ""
    beyond: Sequence[Beyond] = ()
    scale: int = 1

    @property
    def axes(self) -> tuple[str, ...]:
        return self.axis_label, self.of

    @property
    def extent(self) -> tuple[float, float]:
        """Ends of the axis without the separate bars."""
        least, most = self.span
        if self.width > 1:
            least, most = least // self.width * self.width, ceil((most + 1) / self.width) * self.width
        room = max(self.width / 2, 1)
        return least - room, most + room

    def edges(self, value: int) -> tuple[float, float]:
        """Return the left and right edge of a bar.

        A bar of a single value is centred on the value. A bar of several values extends to the next bar.
        """
        middle = value if self.width == 1 else value + self.width / 2
        return middle - self.width / 2, middle + self.width / 2

    def data(self, names: Mapping[str, str]) -> list[PlottedNumber]:
        inside = sorted(
            (value, colour, share) for colour, group in self.bars.items() for value, share in group.items()
        )
        bars = [
            PlottedNumber(self.place(value), names.get(colour, ""), share_text(share), share)
            for value, colour, share in inside
        ]
        return bars + [PlottedNumber(bar.label, "", share_text(bar.share), bar.share) for bar in self.beyond]

    def place(self, value: int) -> str:
        """Return the value or values of a bar as text: `12`, `10–14`."""
        most = value + self.width - 1
        most = min(most, self.span[1]) if self.beyond else most  # further values are beyond the axis
        return self.shown(value) if self.width == 1 else f"{self.shown(value)}–{self.shown(most)}"

    @property
    def in_ranges(self) -> Histogram:
        """The histogram for a table, in at most MOST_RANGES ranges of equal width."""
        values = {value for group in self.bars.values() for value in group}
        if len(values) <= MOST_RANGES:
            return self
        widths = (self.width * step * 10**power for power in range(20) for step in (1, 2, 5))
        width = next(each for each in widths if len({value // each for value in values}) <= MOST_RANGES)
        bars: dict[str, dict[int, float]] = {}
        for colour, group in self.bars.items():
            ranges = bars.setdefault(colour, {})
            for value, share in group.items():
                ranges[value // width * width] = ranges.get(value // width * width, 0.0) + share
        return replace(self, bars=bars, width=width)

    def shown(self, value: float) -> str:
        """Return a value of the axis as text: `12`, or `1.2` for 12 tenths."""
        shown = f"{value:,}" if self.scale == 1 else f"{value / self.scale:,.12g}"
        return shown.replace("-", "−")

    def tick(self, value: float) -> str:
        """Return a round number below the axis as text."""
        return self.shown(round(value) if self.scale == 1 else value)

    def summary(self, names: Mapping[str, str]) -> str:
        """Return the range of values, the most frequent value, and the shares of the strip."""
        shown = [one for one in self.data(names) if one.estimate]
        if not shown:
            return self.note
        most = max(shown, key=lambda one: one.estimate)
        ends = f"from {shown[0].row} to {shown[-1].row}, most often {most.row} ({most.shown})"
        strip = ", ".join(
            f"{names[colour]} {share_text(share)}" for colour, share in self.strip if colour in names
        )
        return "; ".join(filter(None, (ends, strip)))
