"""Charts of a page as hand-written SVG, which is small, needs no script, and uses the page's typeface.

Each number of a chart has one mark: an element of class `m`, or a child of an element of class `ms`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from itertools import pairwise
from math import floor

from bartizan.reports.figures import bars, curves, theme
from bartizan.reports.figures.bars import Beyond, Histogram, Piece, Stacked
from bartizan.reports.figures.curves import Bands, Dotted, DrawnCurve
from bartizan.reports.figures.dots import shorten
from bartizan.reports.figures.price import PriceLine
from bartizan.reports.figures.rows import (
    ABOVE,
    DODGE,
    LINE,
    Chart,
    ChartMark,
    Picture,
    PlottedNumber,
    Track,
    tick_text,
    ticks_of,
)
from bartizan.reports.text import words
from bartizan.reports.text.visible import visible

WIDTH = 360.0  # width in pixels, so that the type size is the same on a phone
LEFT, RIGHT, TOP = 38.0, 8.0, 18.0  # margins of a chart with two axes
PLOT, AXIS = 122.0, 34.0  # heights of the plot and the axis below it
TEXT, SMALL = theme.TEXT, theme.SMALL
DOT = 4.5  # diameter of a dot in a row
KEY = 16.0  # height of a row of the key
STRIP = 26.0  # height of the strip above a histogram
PRICES, NAME = 316.0, 8.5  # height of a chart of prices, type size of its names

Point = tuple[str, str]  # formatted coordinates


def svg(picture: Picture, alt: str, names: Mapping[str, str], titled: bool = True) -> str:
    """Return an <svg> for a page.

    alt: alternative text. names: name of each colour, for the marks' titles. titled: give each mark its
    number as a title. Without titles, a table on the page lists the numbers in the order of the marks.
    """
    match picture:
        case Chart():
            high, parts = _rows(picture, names)
        case Stacked():
            high, parts = _stacked(picture, names)
        case Histogram():
            high, parts = _histogram(picture, names)
        case Bands():
            high, parts = _bands(picture)
        case Dotted():
            high, parts = _dotted(picture)
        case PriceLine():
            high, parts = _prices(picture)
        case _:
            raise TypeError(type(picture))
    label = escape(visible(alt), quote=True)
    body = "".join(parts)
    if not titled:
        body = TITLED.sub(_bare, body)
    return (
        f'<svg viewBox="0 0 {WIDTH:g} {_n(high)}" role="img" aria-label="{label}" fill="{theme.INK}" '
        f'font-size="{TEXT}">{body}</svg>'
    )


TITLED = re.compile(r'<g( class="m")?><title>[^<]*</title>(?:<(\w+)([^>]*)/></g>)?')


def _bare(mark: re.Match[str]) -> str:
    """Return the mark without its title. A mark of one element needs no group."""
    own = mark[1] or ""
    return f"<{mark[2]}{own}{mark[3]}/>" if mark[2] else f"<g{own}>"


# ---------------------------------------------------------------- elements


def _n(value: float) -> str:
    """Format a coordinate with at most one decimal: `12`, `-.5`."""
    return f"{round(value, 1) + 0:g}".replace("0.", ".") if abs(value) < 1 else f"{round(value, 1):g}"


def _text(x: float, y: float, said: str, more: str = "") -> str:
    return f'<text x="{_n(x)}" y="{_n(y)}"{more}>{escape(visible(said), quote=False)}</text>' if said else ""


def _line(x: float, y: float, to_x: float, to_y: float, more: str = "") -> str:
    return f'<path d="{_stroke(x, y, to_x, to_y)}"{more}/>'


def _stroke(x: float, y: float, to_x: float, to_y: float) -> str:
    """Return a horizontal or vertical line as path data."""
    return f"M{_n(x)} {_n(y)}" + (f"H{_n(to_x)}" if y == to_y else f"V{_n(to_y)}")


def _rect(x: float, y: float, wide: float, high: float, more: str = "") -> str:
    return f'<rect x="{_n(x)}" y="{_n(y)}" width="{_n(wide)}" height="{_n(high)}"{more}/>'


def _mark(one: PlottedNumber, parts: Iterable[str], own: str = ' class="m"') -> str:
    """Return a group with the elements of one number, which is shown on hover and on focus.

    own: attributes of the group; "" inside `_marks`.
    """
    return f"<g{own}><title>{escape(visible(one.full), quote=False)}</title>{''.join(parts)}</g>"


def _marks(marks: Iterable[str], look: str, kind: str = "ms") -> str:
    """Return a group of many marks of the same appearance. kind: class of the group."""
    return f'<g class="{kind}"{look}>{"".join(marks)}</g>'


END, MIDDLE = ' text-anchor="end"', ' text-anchor="middle"'
FAINT = f' fill="{theme.FAINT}"'
PAPER = ' paint-order="stroke" stroke="#fff" stroke-width="3"'  # text hides the lines behind it
AXES = f' stroke="{theme.INK}" stroke-width=".8" fill="none"'


def _grid(strokes: Iterable[str]) -> str:
    return f'<path d="{"".join(strokes)}" stroke="{theme.GRID}" stroke-width=".7"/>'


def _scale(parts: Iterable[str]) -> str:
    """Return a group with the numbers and the name of an axis."""
    return f'<g{FAINT} font-size="{SMALL}">{"".join(parts)}</g>'


def _below(places: Iterable[tuple[float, str]], y: float, name: str) -> str:
    """Return the numbers and the name of the axis below a chart. places: (x, text) pairs."""
    numbers = [_text(x, y + 13, text) for x, text in places]
    return f"<g{MIDDLE}>{''.join(numbers)}{_text(WIDTH / 2, y + 28, name)}</g>"


# ---------------------------------------------------------------- rows of dots


def _rows(chart: Chart, names: Mapping[str, str]) -> tuple[float, list[str]]:
    """Return the height and the elements of a chart of rows.

    The dots are slightly above the end of a row, and the text is above the dots.
    """
    bottom = sum(track.height for track in chart.tracks)
    ticks = [(at * WIDTH, text) for at, text in chart.ticks]
    data, y = iter(chart.data(names)), 0.0
    bands: list[str] = []
    said: list[str] = []
    marks: list[str] = []
    zero: list[str] = []
    strokes = [_stroke(at, 0, at, bottom) for at, _ in ticks]
    for track in chart.tracks:
        y += track.height
        if not track.marks:
            said.append(_text(0, y - 5, track.label, ' font-weight="bold"'))
            continue
        first = y - track.first
        if track.band:
            left, right = (chart.at(end) * WIDTH for end in (track.band.low, track.band.high))
            box = (left, first - ABOVE + 1, max(right - left, 1), track.first + ABOVE - 3)
            bands.append(_rect(*box, ' fill="#d9edde" stroke="#2d6b45" stroke-width=".6"'))
        said += [
            _text(0, first - ABOVE - 3 - LINE * number, line) for number, line in enumerate(track.lines[::-1])
        ]
        said.append(_text(WIDTH, first - ABOVE - 3, track.value, END))
        heights = [first + DODGE * number for number in range(len(track.marks))]
        strokes += [_stroke(0, height, WIDTH, height) for height in heights]
        if chart.line:  # ends below the text
            at = chart.at(chart.line[0]) * WIDTH
            zero.append(_stroke(at, first - ABOVE, at, y))
        marks += _dots(track, first, chart, data)
    inside = [(min(max(at, 12), WIDTH - 14), text) for at, text in ticks]
    parts = [
        *bands,
        _grid(strokes),
        f'<path d="{"".join(zero)}" stroke="{theme.INK}" stroke-dasharray="4 2"/>' if zero else "",
        f"<g{PAPER}>{''.join(said)}</g>",
        *marks,
        _line(0, bottom, WIDTH, bottom, AXES),
        _scale([_below(inside, bottom, chart.unit)]),
    ]
    return bottom + AXIS, parts


def _dots(track: Track, y: float, chart: Chart, data: Iterator[PlottedNumber]) -> Iterator[str]:
    """Yield the dots of a row. y: position of the uppermost dot."""
    size = 6.5 if len(track.marks) == 1 else DOT
    for number, mark in enumerate(track.marks):
        yield _dot(mark, y + DODGE * number, chart, size, next(data))


def _dot(mark: ChartMark, y: float, chart: Chart, size: float, one: PlottedNumber) -> str:
    interval, colour = mark.interval, mark.colour or theme.SHAPES[mark.shape]
    low, at, high = (chart.at(end) * WIDTH for end in (interval.low, interval.estimate, interval.high))
    parts = [_line(low, y, high, y)] if interval.has_limits else []
    if mark.has_dot:
        parts.append(_circle(at, y, size, mark.is_filled and mark.shape != "first"))
    return _mark(one, parts, f' class="m"{_look(colour, size)}')


def _look(colour: str, size: float) -> str:
    """Return the attributes of a group of dots and their intervals."""
    return f' fill="{colour}" stroke="{colour}" stroke-width="{_n(size / 2)}"'


def _circle(x: float, y: float, size: float, is_filled: bool = True) -> str:
    """Return a dot. Its colour is that of its group (`_look`)."""
    own = (
        f'r="{_n(size * 3 / 8)}"'
        if is_filled
        else f'r="{_n(size / 2)}" fill="#fff" stroke-width="{_n(size / 4)}"'
    )
    return f'<circle cx="{_n(x)}" cy="{_n(y)}" {own}/>'


# ---------------------------------------------------------------- stacked bars


def _stacked(picture: Stacked, names: Mapping[str, str]) -> tuple[float, list[str]]:
    bar = picture.bar * 72
    high, parts, data = bar + 23, [], iter(picture.data(names))
    for place, row in enumerate(picture.rows, 1):
        top = place * high - bar
        parts += [_text(0, top - 6, shorten(row.label)), _text(WIDTH, top - 6, row.value, END + FAINT)]
        parts.append(_pieces(row.pieces, top, bar, data))
        for edge in row.edges:
            left, right = edge.low * WIDTH, edge.high * WIDTH
            parts += [
                _line(
                    left,
                    top + bar / 2 + 7,
                    right,
                    top + bar / 2 + 7,
                    f' stroke="{ink}" stroke-width="{wide}"',
                )
                for ink, wide in (("#fff", 3), (theme.INK, 1.4))
            ]
    bottom = len(picture.rows) * high + 6
    ticks = [
        (12 + (WIDTH - 28) * share if share in (0, 1) else share * WIDTH, share)
        for share in (0, 0.2, 0.4, 0.6, 0.8, 1)
    ]
    parts.append(_line(0, bottom, WIDTH, bottom, AXES))
    parts.append(
        _scale([_below([(at, tick_text(share, True)) for at, share in ticks], bottom, picture.axis_label)])
    )
    return bottom + AXIS, parts


def _pieces(
    pieces: Sequence[Piece],
    top: float,
    high: float,
    data: Iterator[PlottedNumber] | None = None,
    edge: str = "",
) -> str:
    """Return the segments of a bar; wide segments show their share. With `data`, each segment is a mark."""
    left, shown = 0.0, []
    for colour, share in pieces:
        wide = share * WIDTH
        parts = [_rect(left, top, wide, high, f' fill="{colour}"')]
        if share >= bars.NAMED_FROM:
            ink = "#fff" if theme.is_dark(colour) else theme.INK
            text = f"{share * 100:.0f}{words.NBSP}%"
            parts.append(_text(left + wide / 2, top + high / 2 + 4, text, f' fill="{ink}"'))
        shown.append(_mark(next(data), parts) if data else "".join(parts))
        left += wide
    return f'<g class="inside"{MIDDLE} font-size="{SMALL}"{edge}>{"".join(shown)}</g>'


# ---------------------------------------------------------------- two axes


class _Plane:
    """A plot with two axes.

    ends: ends of the horizontal axis. low, top: ends of the vertical axis. above: space above the plot, in
    pixels. high: height of the plot, in pixels.
    """

    def __init__(
        self, ends: tuple[float, float], top: float, above: float = 0.0, high: float = PLOT, low: float = 0.0
    ) -> None:
        self.ends, self.low, self.top, self.high = ends, low, top, high
        self.head = TOP + above
        self.bottom = self.head + high

    def x(self, value: float) -> float:
        least, most = self.ends
        return LEFT + (value - least) / (most - least) * (WIDTH - LEFT - RIGHT)

    def y(self, value: float) -> float:
        return self.bottom - (value - self.low) / (self.top - self.low) * self.high

    def frame(
        self, across: Sequence[tuple[float, str]], names: tuple[str, str], is_share: bool = True
    ) -> Iterator[str]:
        """Yield the grid, the axes and their numbers.

        across: positions and texts of the horizontal axis. names: names of both axes.
        """
        heights = ticks_of((self.low, self.top), 4)
        yield _grid(_stroke(LEFT, self.y(value), WIDTH - RIGHT, self.y(value)) for value in heights)
        yield f'<path d="M{LEFT:g} {_n(self.head)}V{_n(self.bottom)}H{WIDTH - RIGHT:g}"{AXES}/>'
        numbers = (_text(LEFT - 4, self.y(v) + 4, tick_text(v, is_share)) for v in heights)
        below = _below([(self.x(at), text) for at, text in across], self.bottom, names[0])
        yield _scale([f"<g{END}>{''.join(numbers)}</g>", below, _text(0, self.head - 9, names[1])])


def whole_numbers(ends: tuple[float, float], most: int = 7) -> list[tuple[float, str]]:
    """Return (value, text) pairs of round integers along an axis."""
    values = [value for value in ticks_of(ends, most) if value == floor(value)]
    return [(value, f"{value:,.0f}".replace("-", "−")) for value in values]


def _histogram(picture: Histogram, names: Mapping[str, str]) -> tuple[float, list[str]]:
    low, high = picture.extent
    apart = bars.APART * (high - low)
    ends = (low, high + apart * len(picture.beyond))
    plane = _Plane(ends, picture.highest * 1.05, above=STRIP * bool(picture.strip))
    places = [(high + apart * (number + 0.5), bar) for number, bar in enumerate(picture.beyond)]
    last = high - apart / 2 if places else high  # omit a number that would touch the first name
    across = [*((at, picture.tick(at)) for at, _ in whole_numbers((low, high)) if at <= last)]
    across += [(at, bar.label) for at, bar in places]
    data = {(one.row, one.series): one for one in picture.data(names)}
    strip = [piece for piece in picture.strip if piece[1]]
    parts = [_pieces(strip, 0, 18, edge=' stroke="#fff" stroke-width=".6"')] if strip else []
    parts += plane.frame(across, (picture.axis_label, picture.of))
    for colour, group in picture.bars.items():
        of_bar = [data[picture.place(value), names.get(colour, "")] for value in group]
        wide = (plane.x(picture.width) - plane.x(0)) * bars.FILLED
        look = f' stroke="{colour}" stroke-width="{_n(wide)}"'
        parts.append(_marks(_bars(picture, group, plane, of_bar), look))
    parts += _beyond(places, plane, (low, high), data)
    middle = (plane.head + plane.bottom) / 2
    for number, line in enumerate(picture.note.splitlines()):
        parts.append(_text((LEFT + WIDTH) / 2, middle + 15 * number, line, MIDDLE + FAINT))
    return plane.bottom + AXIS, parts


def _bars(
    picture: Histogram, group: Mapping[int, float], plane: _Plane, data: Sequence[PlottedNumber]
) -> Iterator[str]:
    for (value, share), one in zip(group.items(), data, strict=True):
        x = plane.x(sum(picture.edges(value)) / 2)
        yield _mark(one, [f'<path d="M{_n(x)} {_n(plane.bottom)}V{_n(plane.y(share))}"/>'], "")


def _beyond(
    places: Sequence[tuple[float, Beyond]],
    plane: _Plane,
    ends: tuple[float, float],
    data: Mapping[tuple[str, str], PlottedNumber],
) -> Iterator[str]:
    """Yield each separate bar, after a dashed line at the end of the axis, with its share above it."""
    low, high = ends
    wide = plane.x(low + bars.ASIDE * (high - low)) - plane.x(low)
    if places:
        dashed = f' stroke="{theme.FAINT}" stroke-dasharray="3 2"'
        yield _line(plane.x(high), plane.head, plane.x(high), plane.bottom, dashed)
    for at, bar in places:
        x, y = plane.x(at), plane.y(min(bar.share, plane.top))
        above = f'{MIDDLE}{FAINT} font-size="9.5"'
        text = _text(x, max(y, plane.head + 8) - 3, bars.share_text(bar.share), above)
        box = _rect(x - wide / 2, y, wide, plane.bottom - y, f' fill="{bar.colour}"')
        yield _mark(data[bar.label, ""], [box, text])


def _bands(picture: Bands) -> tuple[float, list[str]]:
    ats = [at for curve in picture.curves for at in curve.at]
    ends = (0, picture.last + 1) if picture.last is not None else (min(ats), max(ats) + picture.steps)
    plane = _Plane((float(ends[0]), float(max(ends[1], ends[0] + 1))), 1.0)
    parts = list(plane.frame(whole_numbers(plane.ends), (picture.axis_label, picture.of)))
    data = iter(picture.data({}))
    for curve in picture.curves:
        parts += _band(curve, plane, picture.steps, data)
    if picture.with_key:
        parts += _key(picture.curves, plane.bottom + AXIS + 10)
    return plane.bottom + AXIS + (KEY * len(picture.curves) + 4) * picture.with_key, parts


def _band(curve: DrawnCurve, plane: _Plane, steps: bool, data: Iterator[PlottedNumber]) -> Iterator[str]:
    """Yield a band and its curve.

    steps: a share is constant until the next turn. The curve then begins with a share of 0 at turn 0, and the
    last step is one turn long.
    """
    rows = [(at, i.low, i.estimate, i.high) for at, i in zip(curve.at, curve.intervals, strict=True)]
    if steps:
        rows = [(0, 0, 0, 0), *rows, (rows[-1][0] + 1, *rows[-1][1:])]

    def points(column: int) -> list[Point]:
        found: list[Point] = []
        for row in rows:
            x, y = _n(plane.x(row[0])), _n(plane.y(row[column]))
            found += [(x, found[-1][1])] if steps and found else []
            found.append((x, y))
        return found

    low, high = points(1), points(3)
    yield f'<path d="{_path([*low, *reversed(high)])}Z" fill="{curve.colour}" fill-opacity=".16"/>'
    yield _curve(points(2), curve, 1.8)
    places = [(plane.x(at), plane.y(i.estimate)) for at, i in zip(curve.at, curve.intervals, strict=True)]
    hits = (_mark(next(data), [f'<path d="M{_n(x)} {_n(y)}h0"/>'], "") for x, y in places)
    yield _marks(hits, f' stroke="{curve.colour}" stroke-width="6" stroke-opacity="0"', "hit ms")


def _curve(points: Sequence[Point], curve: DrawnCurve, wide: float) -> str:
    look = f'fill="none" stroke="{curve.colour}" stroke-width="{wide}"{_dash(curve, wide)}'
    return f'<path d="{_path(points)}" {look}/>'


def _path(points: Sequence[Point]) -> str:
    """Return lines from point to point as path data, in the shortest form."""
    places = [(float(x), float(y)) for x, y in points]
    inner = zip(places, places[1:], places[2:], strict=False)
    corners = [here for before, here, after in inner if not _is_straight(before, here, after)]
    steps = []
    for (x, y), (to_x, to_y) in pairwise([places[0], *corners, places[-1]]):  # relative coordinates
        across, up = _n(to_x - x), _n(to_y - y)
        steps.append(f"h{across}" if up == "0" else f"v{up}" if across == "0" else f"l{across} {up}")
    return f"M{points[0][0]} {points[0][1]}{''.join(steps)}"


def _is_straight(*points: tuple[float, float]) -> bool:
    """Return whether points are on one horizontal or vertical line."""
    return any(len(set(ends)) == 1 for ends in zip(*points, strict=True))


def _dash(curve: DrawnCurve, wide: float) -> str:
    lengths = " ".join(_n(part * wide) for part in curve.dash)
    return f' stroke-dasharray="{lengths}"' if lengths else ""


def _key(shown: Sequence[DrawnCurve], top: float, x: float = 0.0) -> Iterator[str]:
    for number, curve in enumerate(shown):
        y = top + KEY * number
        yield _line(
            x, y - 4, x + 26, y - 4, f' stroke="{curve.colour}" stroke-width="1.8"{_dash(curve, 1.8)}'
        )
        yield _text(x + 32, y, curve.label, f' font-size="{SMALL}"')


def _dotted(picture: Dotted) -> tuple[float, list[str]]:
    places = picture.places
    margin, dodge = picture.room
    in_a_row = all(len(curve.label) <= curves.SHORT for curve in picture.curves)
    columns = curves.MOST_LABELS if in_a_row else 1
    rows = -(-len(picture.curves) // columns) * picture.with_key
    plane = _Plane((places[0] - margin, places[-1] + margin), picture.end, KEY * rows)
    named = [] if picture.names else [(at, words.exact(at)) for at in places]
    parts = list(plane.frame(named, (picture.axis_label, picture.of)))
    slanted = [
        _text(
            0,
            0,
            name,
            f' transform="translate({_n(plane.x(place))} {_n(plane.bottom + 12)})rotate(-{curves.SLANT})"',
        )
        for place, name in enumerate(picture.names)
    ]
    parts.append(f"<g{END}>{_scale(slanted)}</g>" if slanted else "")
    data = iter(picture.data({}))
    for number, curve in enumerate(picture.curves):
        shift = (number - (len(picture.curves) - 1) / 2) * dodge
        parts += _dots_along(curve, plane, shift, places[-1], data)
        if picture.with_key:
            parts += _key([curve], 12 + KEY * (number // columns), WIDTH / columns * (number % columns))
    return plane.bottom + AXIS + 38 * bool(picture.names), parts


def _dots_along(
    curve: DrawnCurve, plane: _Plane, shift: float, last: float, data: Iterator[PlottedNumber]
) -> Iterator[str]:
    """Yield the curve and its dots.

    last: position of the value beyond the curve, which is a hollow dot without a line.
    """
    points = [(plane.x(at + shift), interval) for at, interval in zip(curve.at, curve.intervals, strict=True)]
    yield _curve([(_n(x), _n(plane.y(interval.estimate))) for x, interval in points], curve, 1.4)
    if curve.beyond:
        points.append((plane.x(last + shift), curve.beyond))
    marks = []
    for number, (x, interval) in enumerate(points):
        is_beyond = number == len(curve.at)
        thin = ' stroke-width="1.2"' if is_beyond else ""
        shown = [_line(x, plane.y(interval.low), x, plane.y(interval.high), thin)]
        if not words.is_bounds(interval):
            shown.append(_circle(x, plane.y(interval.estimate), DOT, not is_beyond))
        marks.append(_mark(next(data), shown, ""))
    yield _marks(marks, _look(curve.colour, DOT))


# ---------------------------------------------------------------- prices


def _prices(picture: PriceLine) -> tuple[float, list[str]]:
    ends, (low, high) = picture.ends, picture.extent
    plane = _Plane(ends, high, high=PRICES - TOP - AXIS, low=low)
    costs = [(cost, f"{cost}") for cost in picture.costs]
    parts = list(plane.frame(costs, picture.axes, False))
    line = "L".join(f"{_n(plane.x(end))} {_n(plane.y(picture.start + picture.slope * end))}" for end in ends)
    parts.append(f'<path d="M{line}" stroke="{theme.INK}" stroke-width="1.2" stroke-dasharray="4 2"/>')
    for (at, dot), one in zip(picture.places, picture.data({}), strict=True):
        x, ends_ = plane.x(at), (plane.y(dot.interval.low), plane.y(dot.interval.high))
        shown = [_line(x, ends_[0], x, ends_[1]), _circle(x, plane.y(dot.interval.estimate), DOT)]
        y, side = (ends_[1] - 4, "") if dot.above else (ends_[0] + 4, END)
        turned = f'{side} font-size="{NAME}" transform="rotate(-90 {_n(x + 3)} {_n(y)})"'
        marked = f"<g{_look(dot.colour, DOT)}>{''.join(shown)}</g>"
        parts.append(_mark(one, [marked, _text(x + 3, y, dot.named, turned)]))
    return plane.bottom + AXIS, parts
