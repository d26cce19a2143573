"""Bars: stacked, a piece for each share; and histograms, a bar for every value or for every few."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING, Any

from bartizan.analyses.statistics.intervals import Interval
from bartizan.reports.figures import theme
from bartizan.reports.figures.dots import shorten

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from matplotlib.path import Path

BAR, WORDS, AXIS = 0.3, 0.32, 0.5  # inches
NAMED_FROM = 0.085  # a piece at least this wide carries its share
HISTOGRAM, STRIP = 1.7, 0.4  # inches
MOST_BARS = 60
# a robust axis ends at so many times the span in which this share of each figure's games lies
INSIDE, STRETCH = 0.95, 2
APART, ASIDE = 0.17, 0.06  # of the axis: from one bar beyond it to the next, and the width of one
FILLED = 0.86  # of a bar's place

Piece = tuple[str, float]  # colour, share

# ---------------------------------------------------------------- stacked bars


@dataclass(frozen=True)
class StackedBar:
    """edges: shares up to where the colour changes, as far as they are known."""

    label: str
    value: str
    pieces: tuple[Piece, ...]
    edges: tuple[Interval, ...] = ()


def stacked(rows: Sequence[StackedBar], axis_label: str, bar: float = BAR) -> Figure:
    """bar: inches."""
    height = bar + WORDS
    with theme.applied():
        figure = theme.figure(height * len(rows) + AXIS)
        axes = figure.add_subplot()
        for index, row in enumerate(rows):
            _draw_row(axes, row, (index + 1) * height, bar)
        axes.set(xlim=(0, 1), ylim=(height * len(rows) + 0.08, 0), yticks=[], xlabel=axis_label)
        axes.spines["left"].set_visible(False)
        theme.in_percent(axes.xaxis)
    return figure


def _draw_row(axes, row: StackedBar, bottom: float, bar: float) -> None:
    """bottom: in inches from the top."""
    words = {"y": bottom - bar - 0.06, "va": "bottom"}
    axes.text(0, s=shorten(row.label), ha="left", **words)
    axes.text(1, s=row.value, ha="right", color=theme.FAINT, **words)
    draw_pieces(axes, row.pieces, bottom - bar, bar)
    for edge in row.edges:
        level = bottom - bar / 2 + 0.1
        for colour, width, above in (("white", 3, 3), (theme.INK, 1.4, 4)):
            style = {"color": colour, "linewidth": width, "zorder": above, "solid_capstyle": "butt"}
            axes.plot([edge.low, edge.high], [level, level], clip_on=False, **style)


def draw_pieces(axes, pieces: Iterable[Piece], low: float, height: float, edge: str = "none") -> None:
    """Side by side, the wide ones with their share. edge: colour."""
    from matplotlib.patches import Rectangle

    left = 0.0
    for colour, width in pieces:
        box: dict[str, Any] = {"facecolor": colour, "edgecolor": edge, "linewidth": 0.6, "clip_on": False}
        axes.add_patch(Rectangle((left, low), width, height, **box))
        if width >= NAMED_FROM:
            ink = "white" if theme.is_dark(colour) else theme.INK
            middle = {"ha": "center", "va": "center", "color": ink, "fontsize": theme.SMALL}
            axes.text(left + width / 2, low + height / 2, f"{width * 100:.0f}\u00a0%", **middle)
        left += width


# ---------------------------------------------------------------- histograms


def width_for(span: tuple[int, int]) -> int:
    """Values to a bar, 1, 2, 5, 10, 20, ...: one for all figures of a set, so that they compare."""
    wanted = (span[1] - span[0] + 1) / MOST_BARS
    step = 1
    while step < wanted:
        step = step * 5 // 2 if str(step)[0] == "2" else step * 2
    return step


@dataclass(frozen=True)
class Beyond:
    """A bar apart, right of the axis: games that lie beyond its end, or have no value yet."""

    label: str
    colour: str
    share: float


def robust_span(spread: Iterable[tuple[Sequence[int], Sequence[int]]]) -> tuple[int, int]:
    """Least value and the end of an axis common to a set of figures: the greatest value, unless that is far
    beyond nearly all others. Then twice as far as the values that 95 of 100 games of each figure do not
    exceed, where a bar ends. spread: values, ascending, and the games with each.
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
    """The least value that a share of the games does not exceed."""
    wanted, so_far = share * sum(counts), 0
    for value, n in zip(values, counts, strict=True):
        so_far += n
        if so_far >= wanted:
            return value
    return values[-1]


def shares(
    values: Sequence[int], counts: Sequence[int], width: int, end: int | None = None, of: int = 0
) -> dict[int, float]:
    """Least value of a bar -> share of these games. end: greater values have no bar; of: games that the
    shares are of, if not these.
    """
    bars: dict[int, float] = {}
    for value, n in zip(values, counts, strict=True):
        if end is None or value <= end:
            bars[value // width * width] = bars.get(value // width * width, 0.0) + n / (of or sum(counts))
    return bars


def histogram(
    bars: Mapping[str, Mapping[int, float]],
    span: tuple[int, int],
    highest: float,
    axis_label: str,
    width: int = 1,
    of: str = "of all games",
    strip: Sequence[Piece] = (),
    note: str = "",
    beyond: Sequence[Beyond] = (),
) -> Figure:
    """bars: colour -> least value of a bar -> share; span: least and greatest value, highest: share of the
    tallest bar, both common to the set; width: values to a bar; strip: shares of all games, above the bars;
    note: words in the middle, where there is hardly a bar to be seen; beyond: bars right of the axis.
    """
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path

    with theme.applied():
        figure = theme.figure(HISTOGRAM + STRIP * bool(strip))
        if strip:
            above, axes = figure.subplots(2, 1, height_ratios=[1, 5.2])
            draw_pieces(above, strip, 0, 1, edge="white")
            above.set(xlim=(0, 1), ylim=(0, 1))
            above.set_axis_off()
        else:
            axes = figure.subplots()
        for colour, group in bars.items():  # one path a colour keeps the page small
            path = Path.make_compound_path(*(_bar(value, share, width) for value, share in group.items()))
            axes.add_patch(PathPatch(path, facecolor=colour, edgecolor="none"))
        least, most = span if width == 1 else (span[0] // width * width, ceil((span[1] + 1) / width) * width)
        room = max(width / 2, 1)
        right = most + room + APART * (most - least + 2 * room) * len(beyond)
        axes.set(xlim=(least - room, right), ylim=(0, highest * 1.05), xlabel=axis_label, ylabel=of)
        axes.locator_params(axis="y", nbins=4)
        axes.locator_params(axis="x", nbins=7, integer=True)
        if beyond:
            _draw_beyond(axes, beyond, least - room, most + room)
        theme.in_percent(axes.yaxis)
        axes.grid(axis="y")
        axes.set_axisbelow(True)
        axes.text(0.5, 0.5, note, transform=axes.transAxes, ha="center", va="center", color=theme.FAINT)
    return figure


def _draw_beyond(axes, beyond: Sequence[Beyond], low: float, high: float) -> None:
    """Each under its share and over its name, behind a dashed line at the end of the axis."""
    ticks = [tick for tick in axes.get_xticks() if low <= tick <= high]
    apart, places = APART * (high - low), []
    axes.axvline(high, color=theme.FAINT, linewidth=0.8, linestyle="--")
    for index, bar in enumerate(beyond):
        place = high + apart * (index + 0.5)
        places.append(place)
        axes.bar(place, bar.share, width=ASIDE * (high - low), color=bar.colour, linewidth=0)
        share = f"{bar.share * 100:.2g}\u00a0%"
        axes.annotate(
            share,
            (place, min(bar.share, axes.get_ylim()[1] * 0.86)),
            (0, 2),
            ha="center",
            textcoords="offset points",
            fontsize=theme.SMALL - 1,
            color=theme.FAINT,
        )
    # a tick whose number would touch the first name is left out
    ticks = [tick for tick in ticks if tick <= places[0] - apart]
    axes.set_xticks([*ticks, *places], [*(f"{tick:,.0f}" for tick in ticks), *(bar.label for bar in beyond)])
    for label in axes.get_xticklabels()[len(ticks) :]:
        label.set_fontsize(theme.SMALL - 1.5)


def _bar(value: int, share: float, width: int) -> Path:
    """Single values stand over their number, several between the first and the next bar's."""
    from matplotlib.path import Path

    middle = value if width == 1 else value + width / 2
    left, right = middle - width * FILLED / 2, middle + width * FILLED / 2
    return Path([(left, 0), (left, share), (right, share), (right, 0), (left, 0)], closed=True)
