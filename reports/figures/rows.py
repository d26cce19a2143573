"""Rows of marks on one scale: the main chart, and every small chart of dots with intervals.

Alternative text, table and JSON of a chart are derived from the data (`Picture.data`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, floor, isfinite, log10
from textwrap import wrap
from typing import TYPE_CHECKING, Literal, Protocol

if TYPE_CHECKING:
    from bartizan.analyses.statistics.intervals import Interval

MOST_TICKS = 5
# in points; a row has label and value on one line and the dot below, so that it fits on a phone
ROW, HEAD, LINE, DODGE = 36.0, 23.0, 14.4, 5.4  # heights of a row, a heading, an extra line, an extra dot
ABOVE, BELOW = 7.2, 10.0  # distances from a dot up to its label, and down to the end of its row
LETTERS, LEAST_LETTERS, MOST_LINES = 50, 18, 5  # letters per line and per line of a label; lines per label
NBSP = "\N{NO-BREAK SPACE}"


@dataclass(frozen=True)
class PlottedNumber:
    """One number of a chart.

    row: label of its row, or its value on the axis. series: name of its series. shown: the printed text with
    limits.
    """

    row: str
    series: str
    shown: str
    estimate: float
    low: float | None = None
    high: float | None = None

    @property
    def in_words(self) -> str:
        return f"{self.series} {self.shown}".strip()

    @property
    def full(self) -> str:
        """Text of the mark's tooltip: the row, and the number with its limits."""
        return ": ".join(filter(None, (self.row, self.in_words)))

    def document(self) -> dict[str, str | float | None]:
        """Return the number as JSON data; a missing limit is null."""
        ends = {"low": self.low, "high": self.high}
        finite = {key: end if end is not None and isfinite(end) else None for key, end in ends.items()}
        return {"row": self.row, "series": self.series, "estimate": self.estimate, **finite}


class Picture(Protocol):
    """Content of a figure. names: maps each colour to its name in the legend beside the figure."""

    @property
    def axes(self) -> tuple[str, ...]:
        """Names of the axes, for the alternative text."""

    def data(self, names: Mapping[str, str]) -> list[PlottedNumber]:
        """Return all plotted numbers."""

    def summary(self, names: Mapping[str, str]) -> str:
        """Return the numbers in words, or only the most important numbers if there are many."""


def by_row(data: Sequence[PlottedNumber]) -> str:
    """Return all numbers of a chart as text: `Easy policy 42 %, other 18 %; Hard policy 12 %`."""
    rows: dict[str, list[str]] = {}
    for one in data:
        rows.setdefault(one.row, []).append(one.in_words)
    return "; ".join(f"{row} {', '.join(texts)}" for row, texts in rows.items())


def ticks_of(ends: tuple[float, float], most: int = MOST_TICKS) -> list[float]:
    """Return at most `most` + 1 round values between both ends, including the ends if they are round."""
    low, high = ends
    rough = (high - low) / most
    size = 10.0 ** floor(log10(rough))
    step = next(size * nice for nice in (1, 2, 2.5, 5, 10) if size * nice >= rough * 0.99)
    return [number * step for number in range(ceil(low / step - 1e-9), floor(high / step + 1e-9) + 1)]


def tick_text(value: float, is_share: bool) -> str:
    """Format the number at a tick, such as `50 %`, `−2.5` or `1,000,000`."""
    return f"{value * 100:g}{NBSP}%" if is_share else f"{value:,.12g}".replace("-", "−")


# ---------------------------------------------------------------- marks, rows, charts

Shape = Literal[
    "first", "other", "own", "best", "beside"
]  # shape of a mark; each is also a character in text
SIGNS: dict[Shape, str] = {"first": "○", "other": "◇", "own": "◆", "best": "●", "beside": "▲"}


@dataclass(frozen=True)
class ChartMark:
    """An estimate on a scale, with its interval.

    value, limits: the printed text. note: n and method. colour: colour in a small chart, in place of the
    colour of the shape. has_dot: False for a range without an estimate.
    """

    name: str
    interval: Interval
    value: str = ""
    note: str = ""
    shape: Shape = "own"
    limits: str = ""
    colour: str = ""
    is_filled: bool = True
    has_dot: bool = True

    @property
    def in_words(self) -> str:
        return f"{self.name} {self.value}".strip()

    @property
    def full(self) -> str:
        more = "; ".join(filter(None, (self.limits, self.note)))
        return f"{self.in_words} ({more})" if more else self.in_words


@dataclass(frozen=True)
class Band:
    """Target band of a result. name: its label, with the limits or the source."""

    low: float
    high: float
    name: str


@dataclass(frozen=True)
class Track:
    """A row of a chart: marks on its scale, and the range of their estimates.

    value: text beside the label. A row without marks is a heading.
    """

    label: str
    marks: tuple[ChartMark, ...]
    value: str = ""
    band: Band | None = None
    is_range: bool = True

    @property
    def lines(self) -> list[str]:
        """Lines of text of the row's label.

        A long label is wrapped to at most MOST_LINES lines, so that its end is visible.
        """
        room = max(LETTERS - len(self.value), LEAST_LETTERS)
        return wrap(self.label, room, max_lines=MOST_LINES, placeholder=" …") or [""]

    @property
    def height(self) -> float:
        """Height of the row, in points."""
        if not self.marks:
            return HEAD
        return ROW + LINE * (len(self.lines) - 1) + DODGE * (len(self.marks) - 1)

    @property
    def first(self) -> float:
        """Height of the uppermost dot above the end of the row, in points."""
        return BELOW + DODGE * (len(self.marks) - 1)

    @property
    def span(self) -> tuple[float, float]:
        places = [mark.interval.estimate for mark in self.marks]
        return min(places), max(places)


@dataclass(frozen=True)
class Chart:
    """Rows on one scale.

    title: the answer in one sentence; "" inside a figure, which has its own title. unit: unit of the scale.
    line: a value marked across all rows, and its name.
    """

    title: str
    tracks: tuple[Track, ...]
    unit: str
    ends: tuple[float, float] = (0.0, 1.0)
    is_share: bool = True
    line: tuple[float, str] | None = None
    notes: tuple[str, ...] = ()

    def at(self, value: float) -> float:
        """Return the position of a value on the scale: 0 at the left end, 1 at the right end.

        A value beyond an end is placed at that end.
        """
        low, high = self.ends
        return min(max((value - low) / (high - low), 0.0), 1.0)

    @property
    def ticks(self) -> tuple[tuple[float, str], ...]:
        """Positions and texts of ticks at round values."""
        return tuple((self.at(value), tick_text(value, self.is_share)) for value in ticks_of(self.ends))

    @property
    def in_words(self) -> tuple[str, ...]:
        """Text of the chart: one line per row, then the notes."""
        rows = (
            f"{track.label}: {', '.join(filter(None, (track.value, *(mark.full for mark in track.marks))))}"
            f"{f'; {track.band.name}' if track.band else ''}"
            for track in self.tracks
        )
        return (*rows, *self.notes)

    # -------------------------------------------------------- as a picture

    @property
    def axes(self) -> tuple[str, ...]:
        return (self.unit,)

    def data(self, names: Mapping[str, str]) -> list[PlottedNumber]:
        return list(self._data(names))

    def _data(self, names: Mapping[str, str]) -> Iterator[PlottedNumber]:
        heading = ""
        for track in self.tracks:
            if not track.marks:
                heading = track.label
            label = ", ".join(filter(None, (heading, track.label)))
            for mark in track.marks:
                name = mark.name or names.get(mark.colour, "")
                shown = self.text_of(mark) if len(track.marks) > 1 or not track.value else track.value
                interval = mark.interval
                yield PlottedNumber(label, name, shown, interval.estimate, interval.low, interval.high)

    def text_of(self, mark: ChartMark) -> str:
        """Return the mark's estimate with its limits."""
        from bartizan.reports.text import estimates  # imports numpy, which --help must not load

        if mark.value:
            return f"{mark.value} ({mark.limits})" if mark.limits else mark.value
        say = estimates.share if self.is_share else estimates.number
        return str(say(mark.interval))

    def summary(self, names: Mapping[str, str]) -> str:
        return by_row(self.data(names))
