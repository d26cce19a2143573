"""Charts drawn by matplotlib with seaborn's theme, for paper and for files (.svg, .pdf, .png)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from bartizan.analyses.statistics.intervals import Interval, figure_mark
from bartizan.reports.figures import bars, curves, theme
from bartizan.reports.figures.bars import Histogram, Piece, Stacked, StackedBar
from bartizan.reports.figures.curves import Bands, Dotted, DrawnCurve
from bartizan.reports.figures.dots import shorten
from bartizan.reports.figures.price import Dot, PriceLine
from bartizan.reports.figures.rows import ABOVE, BELOW, DODGE, Chart, ChartMark, Picture, Track, tick_text
from bartizan.reports.text import words

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.path import Path


def drawn(picture: Picture) -> Figure:
    with theme.applied():
        match picture:
            case Chart():
                return _rows(picture)
            case Stacked():
                return _stacked(picture)
            case Histogram():
                return _histogram(picture)
            case Bands():
                return _bands(picture)
            case Dotted():
                return _dotted(picture)
            case PriceLine():
                return _prices(picture)
    raise TypeError(type(picture))


# ---------------------------------------------------------------- rows of dots

AXIS = 0.5  # inches
POINTS = 72  # points per inch


def _rows(chart: Chart) -> Figure:
    """Draw a chart of rows of dots.

    The label and value of each row are above its dot, so that no margin is needed on a phone.
    """
    figure = theme.figure(height=sum(track.height for track in chart.tracks) / POINTS + AXIS)
    axes = figure.add_subplot()
    bottom, (least, most) = 0.0, chart.ends
    for track in chart.tracks:
        bottom += track.height
        _draw_row(axes, track, bottom, least, most)
        if chart.line and track.marks:
            look: dict[str, Any] = {
                "color": theme.INK,
                "linewidth": 1,
                "linestyle": (0, (4, 2)),
                "zorder": 1.5,
            }
            axes.plot([chart.line[0]] * 2, [bottom - track.first - ABOVE, bottom], **look)
    axes.set(xlim=(least, most), ylim=(bottom + 3, 0), yticks=[], xlabel=chart.unit)
    axes.spines["left"].set_visible(False)
    if chart.is_share:
        theme.in_percent(axes.xaxis)
    else:
        axes.xaxis.set_major_formatter(lambda value, _: tick_text(value, False))
    axes.locator_params(axis="x", nbins=5)
    axes.grid(axis="x", zorder=0)
    axes.set_axisbelow(True)
    return figure


def _draw_row(axes: Axes, track: Track, bottom: float, least: float, most: float) -> None:
    """Draw a row of a chart. Text hides the lines behind it.

    bottom: distance of the lower end of the row from the top, in points. The dot is slightly above this end,
    and the text above the dot.
    """
    dot = bottom - track.first  # the uppermost dot
    above, weight = (dot - ABOVE, "normal") if track.marks else (bottom - 1.5, "bold")
    paper: dict[str, Any] = {"bbox": {"facecolor": "white", "edgecolor": "none", "pad": 0.5}}
    look: dict[str, Any] = {"va": "bottom", "clip_on": False}
    axes.text(least, above, "\n".join(track.lines), ha="left", weight=weight, **look, **paper)
    axes.text(most, above, track.value, ha="right", **look, **(paper if track.value else {}))
    if track.band:
        band: dict[str, Any] = {"color": "#d9edde", "zorder": 0.5, "linewidth": 0}
        axes.fill_between([track.band.low, track.band.high], dot - ABOVE, bottom - BELOW + ABOVE, **band)
    for index, mark in enumerate(track.marks):
        height = dot + DODGE * index
        grid: dict[str, Any] = {"color": theme.GRID, "linewidth": 0.7, "zorder": 1}
        axes.plot([least, most], [height, height], solid_capstyle="butt", **grid)
        _draw_mark(axes, mark, height, size=6.5 if len(track.marks) == 1 else 4.5)


def _draw_mark(axes: Axes, mark: ChartMark, height: float, size: float) -> None:
    colour = mark.colour or theme.SHAPES[mark.shape]
    interval = mark.interval
    look: dict[str, Any] = {"color": colour, "clip_on": False}
    line: dict[str, Any] = {"linewidth": size / 2, "zorder": 2, "solid_capstyle": "butt"}
    if interval.has_limits:
        axes.plot([interval.low, interval.high], [height, height], **look, **line)
    if mark.has_dot:
        face = colour if mark.is_filled and mark.shape != "first" else "white"
        dot: dict[str, Any] = {"markersize": size, "markerfacecolor": face, "markeredgewidth": size / 4}
        axes.plot([interval.estimate], [height], "o", zorder=3, **look, **dot)


# ---------------------------------------------------------------- stacked bars

WORDS = 0.32  # inches
HISTOGRAM, STRIP = 1.7, 0.4  # inches


def _stacked(picture: Stacked) -> Figure:
    height = picture.bar + WORDS
    figure = theme.figure(height * len(picture.rows) + AXIS)
    axes = figure.add_subplot()
    for index, row in enumerate(picture.rows):
        _draw_bar(axes, row, (index + 1) * height, picture.bar)
    axes.set(xlim=(0, 1), ylim=(height * len(picture.rows) + 0.08, 0), yticks=[], xlabel=picture.axis_label)
    axes.spines["left"].set_visible(False)
    theme.in_percent(axes.xaxis)
    return figure


def _draw_bar(axes: Axes, row: StackedBar, bottom: float, bar: float) -> None:
    """Draw a stacked bar. bottom: distance of its lower edge from the top, in inches."""
    axes.text(0, bottom - bar - 0.06, shorten(row.label), ha="left", va="bottom")
    axes.text(1, bottom - bar - 0.06, row.value, ha="right", va="bottom", color=theme.FAINT)
    _draw_pieces(axes, row.pieces, bottom - bar, bar)
    for edge in row.edges:
        level = bottom - bar / 2 + 0.1
        for colour, width, above in (("white", 3, 3), (theme.INK, 1.4, 4)):
            style: dict[str, Any] = {"color": colour, "linewidth": width, "zorder": above}
            axes.plot([edge.low, edge.high], [level, level], clip_on=False, solid_capstyle="butt", **style)


def _draw_pieces(axes: Axes, pieces: Iterable[Piece], low: float, height: float, edge: str = "none") -> None:
    """Draw the segments of a bar, with the shares of wide segments. edge: colour of the outlines."""
    from matplotlib.patches import Rectangle

    left = 0.0
    for colour, width in pieces:
        box: dict[str, Any] = {"facecolor": colour, "edgecolor": edge, "linewidth": 0.6, "clip_on": False}
        axes.add_patch(Rectangle((left, low), width, height, **box))
        if width >= bars.NAMED_FROM:
            ink = "white" if theme.is_dark(colour) else theme.INK
            middle: dict[str, Any] = {"ha": "center", "va": "center", "color": ink, "fontsize": theme.SMALL}
            axes.text(left + width / 2, low + height / 2, f"{width * 100:.0f}{words.NBSP}%", **middle)
        left += width


# ---------------------------------------------------------------- histograms


def _histogram(picture: Histogram) -> Figure:
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path

    figure = theme.figure(HISTOGRAM + STRIP * bool(picture.strip))
    if picture.strip:
        above, axes = figure.subplots(2, 1, height_ratios=[1, 5.2])
        _draw_pieces(above, picture.strip, 0, 1, edge="white")
        above.set(xlim=(0, 1), ylim=(0, 1))
        above.set_axis_off()
    else:
        axes = figure.subplots()
    for colour, group in picture.bars.items():  # one path per colour keeps the file small
        path = Path.make_compound_path(*(_bar(picture, value, share) for value, share in group.items()))
        axes.add_patch(PathPatch(path, facecolor=colour, edgecolor="none"))
    low, high = picture.extent
    right = high + bars.APART * (high - low) * len(picture.beyond)
    axes.set(xlim=(low, right), ylim=(0, picture.highest * 1.05))
    axes.set(xlabel=picture.axis_label, ylabel=picture.of)
    axes.locator_params(axis="y", nbins=4)
    axes.locator_params(axis="x", nbins=7, integer=True)
    if picture.scale > 1:
        axes.xaxis.set_major_formatter(lambda value, _: picture.tick(value))
    if picture.beyond:
        _draw_beyond(axes, picture, low, high)
    theme.in_percent(axes.yaxis)
    axes.grid(axis="y")
    axes.set_axisbelow(True)
    axes.text(0.5, 0.5, picture.note, transform=axes.transAxes, ha="center", va="center", color=theme.FAINT)
    return figure


def _draw_beyond(axes: Axes, picture: Histogram, low: float, high: float) -> None:
    """Draw the separate bars, after a dashed line at the end of the axis. Each has its share above it."""
    beyond = picture.beyond
    ticks = [tick for tick in axes.get_xticks() if low <= tick <= high]
    apart, places = bars.APART * (high - low), []
    axes.axvline(high, color=theme.FAINT, linewidth=0.8, linestyle="--")
    for index, bar in enumerate(beyond):
        at = high + apart * (index + 0.5)
        places.append(at)
        axes.bar(at, bar.share, width=bars.ASIDE * (high - low), color=bar.colour, linewidth=0)
        look: dict[str, Any] = {"textcoords": "offset points", "fontsize": theme.SMALL - 1}
        top = (at, min(bar.share, axes.get_ylim()[1] * 0.86))
        axes.annotate(bars.share_text(bar.share), top, (0, 2), ha="center", color=theme.FAINT, **look)
    # omit a tick whose number would touch the first name
    ticks = [tick for tick in ticks if tick <= places[0] - apart]
    axes.set_xticks([*ticks, *places], [*map(picture.tick, ticks), *(bar.label for bar in beyond)])
    for label in axes.get_xticklabels()[len(ticks) :]:
        label.set_fontsize(theme.SMALL - 1.5)


def _bar(picture: Histogram, value: int, share: float) -> Path:
    from matplotlib.path import Path

    left, right = picture.edges(value)
    gap = (right - left) * (1 - bars.FILLED) / 2
    left, right = left + gap, right - gap
    return Path([(left, 0), (left, share), (right, share), (right, 0), (left, 0)], closed=True)


# ---------------------------------------------------------------- curves

HEIGHT, KEY_ROW = 2.3, 0.2  # inches


def _dash(curve: DrawnCurve) -> str | tuple[float, tuple[float, ...]]:
    return (0, curve.dash) if curve.dash else "-"


def _limits(intervals: Sequence[Interval]) -> list[list[float]]:
    return [[getattr(interval, end) for interval in intervals] for end in ("low", "estimate", "high")]


def _bands(picture: Bands) -> Figure:
    figure = theme.figure(HEIGHT + KEY_ROW * len(picture.curves) * picture.with_key)
    axes = figure.add_subplot()
    for curve in picture.curves:
        _draw_band(axes, curve, picture.steps)
    axes.set(ylim=(0, 1), xlabel=picture.axis_label, ylabel=picture.of)
    if picture.last is not None:
        axes.set_xlim(0, picture.last + 1)
    axes.locator_params(axis="x", integer=True)
    theme.in_percent(axes.yaxis)
    axes.grid(axis="y")
    if picture.with_key:
        key: dict[str, Any] = {"handlelength": 2.4, "borderaxespad": 0.2, "labelspacing": 0.3}
        figure.legend(loc="outside lower left", frameon=False, **key)
    return figure


def _draw_band(axes: Axes, curve: DrawnCurve, steps: bool) -> None:
    """Draw a curve and its band.

    With `steps`, the curve begins with a share of 0 at turn 0, and the last step is one turn long.
    """
    at, intervals = list(curve.at), list(curve.intervals)
    if steps:
        at, intervals = [0, *at, at[-1] + 1], [figure_mark(0.0), *intervals, intervals[-1]]
    low, middle, high = _limits(intervals)
    axes.fill_between(
        at, low, high, step="post" if steps else None, color=curve.colour, alpha=0.16, linewidth=0
    )
    line: dict[str, Any] = {"linestyle": _dash(curve), "linewidth": 1.8}
    dots = [i for i, interval in enumerate(curve.intervals) if not words.is_bounds(interval)]
    style = "steps-post" if steps else "default"
    axes.plot(at, middle, color=curve.colour, label=curve.label, markevery=dots, drawstyle=style, **line)


def _dotted(picture: Dotted) -> Figure:
    figure = theme.figure(HEIGHT + 0.7 * bool(picture.names))
    axes = figure.add_subplot()
    ticks = picture.places
    margin, nudge = picture.room
    for index, curve in enumerate(picture.curves):
        _draw_dots(axes, curve, (index - (len(picture.curves) - 1) / 2) * nudge, ticks[-1])
    axes.set(xlim=(ticks[0] - margin, ticks[-1] + margin), ylim=(0, picture.end))
    axes.set(xticks=ticks, xlabel=picture.axis_label, ylabel=picture.of)
    if picture.names:
        axes.set_xticks(ticks, picture.names, rotation=curves.SLANT, ha="right", rotation_mode="anchor")
    theme.in_percent(axes.yaxis)
    axes.grid(axis="y")
    if picture.with_key:
        in_a_row = all(len(curve.label) <= curves.SHORT for curve in picture.curves)
        columns = min(len(picture.curves), curves.MOST_LABELS if in_a_row else 1)
        # above the axes, so that it covers no line
        above: dict[str, Any] = {"loc": "lower left", "bbox_to_anchor": (0, 1), "borderaxespad": 0}
        axes.legend(frameon=False, handlelength=2.2, ncols=columns, **above)
    return figure


def _draw_dots(axes: Axes, curve: DrawnCurve, shift: float, last: float) -> None:
    """Draw a curve with its dots and intervals.

    shift: horizontal offset of the curve. last: position of the separate value `curve.beyond`, before the
    shift. This value is a hollow dot with an interval, not connected to the curve.
    """
    at = [where + shift for where in curve.at]
    low, middle, high = _limits(curve.intervals)
    line: dict[str, Any] = {"linestyle": _dash(curve), "linewidth": 1.4, "marker": "o", "markersize": 4.5}
    dots = [i for i, interval in enumerate(curve.intervals) if not words.is_bounds(interval)]
    axes.plot(at, middle, color=curve.colour, label=curve.label, markevery=dots, clip_on=False, **line)
    axes.vlines(at, low, high, color=curve.colour, linewidth=2.2)
    if beyond := curve.beyond:
        where = [last + shift]
        axes.vlines(where, [beyond.low], [beyond.high], color=curve.colour, linewidth=1.2)
        hollow: dict[str, Any] = {"color": curve.colour, "markerfacecolor": "white", "markersize": 5}
        axes.plot(where, [beyond.estimate], "o", **hollow)


# ---------------------------------------------------------------- prices

TALL = 4.4  # inches
NAMED_BEYOND = 0.02  # distance from the end of an interval to its name, relative to the span of intervals
NAME_SIZE = 8.5  # points: small, because names are side by side


def _prices(picture: PriceLine) -> Figure:
    ends = picture.ends
    figure = theme.figure(TALL)
    axes = figure.add_subplot()
    line: dict[str, Any] = {"color": theme.INK, "linewidth": 1.2, "linestyle": (0, (4, 2))}
    axes.plot(ends, [picture.start + picture.slope * end for end in ends], **line)
    for at, dot in picture.places:
        _draw_price(axes, at, dot, picture.span * NAMED_BEYOND)
    axes.set(xlim=ends, ylim=picture.extent, xticks=picture.costs)
    axes.set(xlabel=picture.cost_label, ylabel=picture.axis_label)
    axes.grid(axis="y")
    axes.set_axisbelow(True)
    return figure


def _draw_price(axes: Axes, at: float, dot: Dot, beyond: float) -> None:
    limits = [dot.interval.low, dot.interval.high]
    axes.plot([at, at], limits, color=dot.colour, linewidth=1.6, solid_capstyle="butt")
    axes.plot([at], [dot.interval.estimate], "o", markersize=4.5, color=dot.colour)
    where, side = (limits[1] + beyond, "bottom") if dot.above else (limits[0] - beyond, "top")
    look: dict[str, Any] = {"ha": "center", "va": side, "rotation": 90, "fontsize": NAME_SIZE}
    axes.text(at, where, dot.named, clip_on=False, **look)
