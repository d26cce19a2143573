"""Pictures of a page as SVG that we write: small, readable without a script, their text left as text in the
page's typeface. What has the class `m` is a mark, one for each number of the picture.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from html import escape
from math import floor
from textwrap import wrap

from bartizan.reports.figures import bars, curves, theme
from bartizan.reports.figures.bars import Beyond, Histogram, Piece, Stacked
from bartizan.reports.figures.curves import Bands, Dotted, DrawnCurve
from bartizan.reports.figures.dots import shorten
from bartizan.reports.figures.price import PriceLine
from bartizan.reports.figures.rows import Chart, ChartMark, Picture, PlottedNumber, Track, tick_text, ticks_of
from bartizan.reports.text import words
from bartizan.reports.text.visible import visible

WIDTH = 360.0  # pixels across: on a phone a picture keeps its type size
LEFT, RIGHT, TOP = 38.0, 8.0, 18.0  # margins of a picture with two axes
PLOT, AXIS = 122.0, 34.0  # height of its plot, and of the axis below
TEXT, SMALL = theme.TEXT, theme.SMALL
# rows of dots: a label and a value on one line, the dot below, so that no margin is lost on a phone
ROW, HEAD, LINE, DODGE = 36.0, 23.0, 14.4, 5.4  # heights of a row, a heading, a line more, a dot more
ABOVE, BELOW = 7.2, 10.0  # from a dot up to its label and down to the end of its row
LETTERS, LEAST_LETTERS, MOST_LINES = 50, 18, 5  # of a line, of a label's line, of a label
KEY = 16.0  # height of a row of the key
STRIP = 26.0  # height that the strip above a histogram takes
APART, ASIDE = 0.17, 0.06  # of the axis: from one bar beyond it to the next, and the width of one
FILLED = 0.86  # of a bar's place
SLANT = 40  # degrees of names below an axis
PRICES, NAME = 316.0, 8.5  # height of a picture of prices, size of its names

Point = tuple[str, str]  # as SVG has it


def svg(picture: Picture, alt: str, names: Mapping[str, str], titled: bool = True) -> str:
    """An <svg> for a page. alt: it in words; names: colour -> name, of the key beside it; titled: has each
    mark its number as its title? A page has them in a table, row by row in the order of the marks.
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


TITLED = re.compile(r'<g class="m"><title>[^<]*</title>(?:<(\w+)([^>]*)/></g>)?')


def _bare(mark: re.Match[str]) -> str:
    """Without its title; a mark of one element needs no group."""
    return f'<{mark[1]} class="m"{mark[2]}/>' if mark[1] else '<g class="m">'


# ---------------------------------------------------------------- elements


def _n(value: float) -> str:
    """A tenth of a pixel is enough for where things stand."""
    return f"{value:.1f}".rstrip("0").rstrip(".")


def _text(x: float, y: float, said: str, more: str = "") -> str:
    return f'<text x="{_n(x)}" y="{_n(y)}"{more}>{escape(visible(said), quote=False)}</text>' if said else ""


def _line(x: float, y: float, to_x: float, to_y: float, more: str = "") -> str:
    path = f"M{_n(x)} {_n(y)}" + (f"H{_n(to_x)}" if y == to_y else f"V{_n(to_y)}")
    return f'<path d="{path}"{more}/>'


def _rect(x: float, y: float, wide: float, high: float, more: str = "") -> str:
    return f'<rect x="{_n(x)}" y="{_n(y)}" width="{_n(wide)}" height="{_n(high)}"{more}/>'


def _mark(one: PlottedNumber, parts: Iterable[str]) -> str:
    """What belongs to a number: it is shown under the pointer, and when it is chosen by a key."""
    return f'<g class="m"><title>{escape(visible(one.full), quote=False)}</title>{"".join(parts)}</g>'


END, MIDDLE = ' text-anchor="end"', ' text-anchor="middle"'
FAINT = f' fill="{theme.FAINT}"'
PAPER = ' paint-order="stroke" stroke="#fff" stroke-width="3"'  # words hide the lines behind them


def _grid(parts: Iterable[str]) -> str:
    return f'<g stroke="{theme.GRID}" stroke-width=".7">{"".join(parts)}</g>'


def _scale(parts: Iterable[str]) -> str:
    """Numbers and name of an axis."""
    return f'<g{FAINT} font-size="{SMALL}">{"".join(parts)}</g>'


def _below(places: Iterable[tuple[float, str]], y: float, name: str) -> Iterator[str]:
    """Numbers of an axis below a picture, each where it lies, and what it counts."""
    yield from (_text(x, y + 13, text, MIDDLE) for x, text in places)
    yield _text(WIDTH / 2, y + 28, name, MIDDLE)


# ---------------------------------------------------------------- rows of dots


def _rows(chart: Chart, names: Mapping[str, str]) -> tuple[float, list[str]]:
    bottom = sum(map(_row_height, chart.tracks))
    x, y, parts = _across(chart), 0.0, []
    ticks = [(at * WIDTH, text) for at, text in chart.ticks]
    data = iter(chart.data(names))
    parts.append(_grid(_line(at, 0, at, bottom) for at, _ in ticks))
    if chart.line:
        at = x(chart.line[0])
        parts.append(_line(at, 0, at, bottom, f' stroke="{theme.INK}" stroke-dasharray="4 2"'))
    for track in chart.tracks:
        y += _row_height(track)
        parts += _row(track, y, x, data)
    parts.append(_line(0, bottom, WIDTH, bottom, f' stroke="{theme.INK}" stroke-width=".8"'))
    inside = [(min(max(at, 12), WIDTH - 14), text) for at, text in ticks]
    parts.append(_scale(_below(inside, bottom, chart.unit)))
    return bottom + AXIS, parts


def _across(chart: Chart) -> Callable[[float], float]:
    return lambda value: chart.at(value) * WIDTH


def _row_height(track: Track) -> float:
    if not track.marks:
        return HEAD
    return ROW + LINE * (len(_lines(track)) - 1) + DODGE * (len(track.marks) - 1)


def _lines(track: Track) -> list[str]:
    """A label that is long goes on below: what it says at its end may be what sets it apart."""
    room = max(LETTERS - len(track.value), LEAST_LETTERS)
    return wrap(track.label, room, max_lines=MOST_LINES, placeholder=" …") or [""]


def _row(
    track: Track, bottom: float, x: Callable[[float], float], data: Iterator[PlottedNumber]
) -> Iterator[str]:
    """bottom: of the row; the dots sit a little above it, the words above the dots."""
    if not track.marks:
        yield _text(0, bottom - 5, track.label, ' font-weight="bold"' + PAPER)
        return
    first = bottom - BELOW - DODGE * (len(track.marks) - 1)
    if track.band:
        left, right = x(track.band.low), x(track.band.high)
        box = (left, first - ABOVE + 1, max(right - left, 1), bottom - first + ABOVE - 3)
        yield _rect(*box, ' fill="#d9edde" stroke="#2d6b45" stroke-width=".6"')
    lines = _lines(track)
    for number, line in enumerate(lines):
        yield _text(0, first - ABOVE - 3 - LINE * (len(lines) - 1 - number), line, PAPER)
    yield _text(WIDTH, first - ABOVE - 3, track.value, END + PAPER)
    size = 6.5 if len(track.marks) == 1 else 4.5
    for number, mark in enumerate(track.marks):
        y = first + DODGE * number
        yield _grid([_line(0, y, WIDTH, y)])
        yield _mark(next(data), _dot(mark, y, x, size))


def _dot(mark: ChartMark, y: float, x: Callable[[float], float], size: float) -> Iterator[str]:
    interval, colour = mark.interval, mark.colour or theme.SHAPES[mark.shape]
    if interval.has_limits:
        look = f' stroke="{colour}" stroke-width="{_n(size / 2)}"'
        yield _line(x(interval.low), y, x(interval.high), y, look)
    if mark.has_dot:
        yield _circle(x(interval.estimate), y, size, colour, mark.is_filled and mark.shape != "first")


def _circle(x: float, y: float, size: float, colour: str, is_filled: bool = True) -> str:
    face = colour if is_filled else "#fff"
    look = f'fill="{face}" stroke="{colour}" stroke-width="{_n(size / 4)}"'
    return f'<circle cx="{_n(x)}" cy="{_n(y)}" r="{_n(size / 2)}" {look}/>'


# ---------------------------------------------------------------- stacked bars


def _stacked(picture: Stacked, names: Mapping[str, str]) -> tuple[float, list[str]]:
    bar = picture.bar * 72
    high, parts, data = bar + 23, [], iter(picture.data(names))
    for place, row in enumerate(picture.rows, 1):
        top = place * high - bar
        parts += [_text(0, top - 6, shorten(row.label)), _text(WIDTH, top - 6, row.value, END + FAINT)]
        parts += _pieces(row.pieces, top, bar, data)
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
    parts.append(_line(0, bottom, WIDTH, bottom, f' stroke="{theme.INK}" stroke-width=".8"'))
    parts.append(
        _scale(_below([(at, tick_text(share, True)) for at, share in ticks], bottom, picture.axis_label))
    )
    return bottom + AXIS, parts


def _pieces(
    pieces: Sequence[Piece],
    top: float,
    high: float,
    data: Iterator[PlottedNumber] | None = None,
    edge: str = "",
) -> Iterator[str]:
    """Side by side, the wide ones with their share."""
    left = 0.0
    for colour, share in pieces:
        wide = share * WIDTH
        parts = [_rect(left, top, wide, high, f' fill="{colour}"{edge}')]
        if share >= bars.NAMED_FROM:
            ink = "#fff" if theme.is_dark(colour) else theme.INK
            look = f'{MIDDLE} fill="{ink}" font-size="{SMALL}"'
            parts.append(_text(left + wide / 2, top + high / 2 + 4, f"{share * 100:.0f}{words.NBSP}%", look))
        yield _mark(next(data), parts) if data else "".join(parts)
        left += wide


# ---------------------------------------------------------------- two axes


class _Plane:
    """A plot with two axes. ends: of the axis across; top: of the axis of shares; above: height above it."""

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
        """Grid, axes and their numbers. across: places and texts; names: of both axes."""
        heights = ticks_of((self.low, self.top), 4)
        yield _grid(_line(LEFT, self.y(value), WIDTH - RIGHT, self.y(value)) for value in heights)
        ink = f' stroke="{theme.INK}" stroke-width=".8"'
        yield _line(LEFT, self.bottom, WIDTH - RIGHT, self.bottom, ink)
        yield _line(LEFT, self.head, LEFT, self.bottom, ink)
        numbers = (_text(LEFT - 4, self.y(v) + 4, tick_text(v, is_share), END) for v in heights)
        below = _below([(self.x(at), text) for at, text in across], self.bottom, names[0])
        yield _scale([*numbers, *below, _text(0, self.head - 9, names[1])])


def whole_numbers(ends: tuple[float, float], most: int = 7) -> list[tuple[float, str]]:
    """Along an axis, and how they are written."""
    values = [value for value in ticks_of(ends, most) if value == floor(value)]
    return [(value, f"{value:,.0f}".replace("-", "−")) for value in values]


def _histogram(picture: Histogram, names: Mapping[str, str]) -> tuple[float, list[str]]:
    low, high = picture.extent
    apart = APART * (high - low)
    ends = (low, high + apart * len(picture.beyond))
    plane = _Plane(ends, picture.highest * 1.05, above=STRIP * bool(picture.strip))
    places = [(high + apart * (number + 0.5), bar) for number, bar in enumerate(picture.beyond)]
    last = high - apart / 2 if places else high  # a number that would touch the first name is left out
    across = [*((at, text) for at, text in whole_numbers((low, high)) if at <= last)]
    across += [(at, bar.label) for at, bar in places]
    data = {(one.row, one.series): one for one in picture.data(names)}
    strip = [piece for piece in picture.strip if piece[1]]
    parts = list(_pieces(strip, 0, 18, edge=' stroke="#fff" stroke-width=".6"'))
    parts += plane.frame(across, (picture.axis_label, picture.of))
    for colour, group in picture.bars.items():
        of_bar = [data[picture.place(value), names.get(colour, "")] for value in group]
        parts.append(f'<g fill="{colour}">{"".join(_bars(picture, group, plane, of_bar))}</g>')
    parts += _beyond(places, plane, (low, high), data)
    middle = (plane.head + plane.bottom) / 2
    for number, line in enumerate(picture.note.splitlines()):
        parts.append(_text((LEFT + WIDTH) / 2, middle + 15 * number, line, MIDDLE + FAINT))
    return plane.bottom + AXIS, parts


def _bars(
    picture: Histogram, group: Mapping[int, float], plane: _Plane, data: Sequence[PlottedNumber]
) -> Iterator[str]:
    for (value, share), one in zip(group.items(), data, strict=True):
        left, right = map(plane.x, picture.edges(value))
        gap, y = (right - left) * (1 - FILLED) / 2, plane.y(share)
        yield _mark(one, [_rect(left + gap, y, right - left - 2 * gap, plane.bottom - y)])


def _beyond(
    places: Sequence[tuple[float, Beyond]],
    plane: _Plane,
    ends: tuple[float, float],
    data: Mapping[tuple[str, str], PlottedNumber],
) -> Iterator[str]:
    """Each under its share and over its name, behind a dashed line at the end of the axis."""
    low, high = ends
    wide = plane.x(low + ASIDE * (high - low)) - plane.x(low)
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
    """Steps: a share holds until the next turn; the last one is drawn one turn long."""
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
    hits = []
    for at, interval in zip(curve.at, curve.intervals, strict=True):
        x, y = plane.x(at), plane.y(interval.estimate)
        hits.append(_mark(next(data), [f'<circle cx="{_n(x)}" cy="{_n(y)}" r="3"/>']))
    yield f'<g class="hit" fill="{curve.colour}" fill-opacity="0">{"".join(hits)}</g>'


def _curve(points: Sequence[Point], curve: DrawnCurve, wide: float) -> str:
    look = f'fill="none" stroke="{curve.colour}" stroke-width="{wide}"{_dash(curve, wide)}'
    return f'<path d="{_path(points)}" {look}/>'


def _path(points: Sequence[Point]) -> str:
    """Lines from point to point, as short as SVG allows."""
    (x, y), *others = points
    parts = [f"M{x} {y}"]
    for to_x, to_y in others:
        if (to_x, to_y) != (x, y):
            parts.append(f"H{to_x}" if to_y == y else f"V{to_y}" if to_x == x else f"L{to_x} {to_y}")
        x, y = to_x, to_y
    return "".join(parts)


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
    wide = places[-1] - places[0] or 1
    margin, dodge = (0.4, 0.09) if picture.names else (wide * 0.04, wide * 0.006)
    in_a_row = all(len(curve.label) <= curves.SHORT for curve in picture.curves)
    columns = curves.MOST_LABELS if in_a_row else 1
    rows = -(-len(picture.curves) // columns) * picture.with_key
    plane = _Plane((places[0] - margin, places[-1] + margin), picture.end, KEY * rows)
    named = [] if picture.names else [(at, f"{at:g}") for at in places]
    parts = list(plane.frame(named, (picture.axis_label, picture.of)))
    for place, name in enumerate(picture.names):
        x, y = plane.x(place), plane.bottom + 12
        parts.append(
            _text(
                x, y, name, f'{END}{FAINT} font-size="{SMALL}" transform="rotate(-{SLANT} {_n(x)} {_n(y)})"'
            )
        )
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
    """last: the place of what lies beyond, a hollow dot that no line leads to."""
    points = [(plane.x(at + shift), interval) for at, interval in zip(curve.at, curve.intervals, strict=True)]
    yield _curve([(_n(x), _n(plane.y(interval.estimate))) for x, interval in points], curve, 1.4)
    if curve.beyond:
        points.append((plane.x(last + shift), curve.beyond))
    for number, (x, interval) in enumerate(points):
        is_beyond = number == len(curve.at)
        stroke = f' stroke="{curve.colour}" stroke-width="{1.2 if is_beyond else 2.2}"'
        shown = [_line(x, plane.y(interval.low), x, plane.y(interval.high), stroke)]
        if not words.is_bounds(interval):
            shown.append(_circle(x, plane.y(interval.estimate), 4.5, curve.colour, not is_beyond))
        yield _mark(next(data), shown)


# ---------------------------------------------------------------- prices


def _prices(picture: PriceLine) -> tuple[float, list[str]]:
    low = min(dot.interval.low for dot in picture.dots)
    high = max(dot.interval.high for dot in picture.dots)
    span = high - low or 1.0
    room = {
        above: span * (0.42 if any(dot.named and dot.above == above for dot in picture.dots) else 0.08)
        for above in (False, True)
    }
    costs = picture.costs
    ends = (costs[0] - 0.5, costs[-1] + 0.5)
    plane = _Plane(ends, high + room[True], high=PRICES - TOP - AXIS, low=low - room[False])
    parts = list(
        plane.frame([(cost, f"{cost}") for cost in costs], (picture.cost_label, picture.axis_label), False)
    )
    line = "L".join(f"{_n(plane.x(end))} {_n(plane.y(picture.start + picture.slope * end))}" for end in ends)
    parts.append(f'<path d="M{line}" stroke="{theme.INK}" stroke-width="1.2" stroke-dasharray="4 2"/>')
    for (at, dot), one in zip(picture.places, picture.data({}), strict=True):
        x, ends_ = plane.x(at), (plane.y(dot.interval.low), plane.y(dot.interval.high))
        shown = [_line(x, ends_[0], x, ends_[1], f' stroke="{dot.colour}" stroke-width="1.6"')]
        shown.append(_circle(x, plane.y(dot.interval.estimate), 4.5, dot.colour))
        y, side = (ends_[1] - 4, "") if dot.above else (ends_[0] + 4, END)
        turned = f'{side} font-size="{NAME}" transform="rotate(-90 {_n(x + 3)} {_n(y)})"'
        parts.append(_mark(one, [*shown, _text(x + 3, y, dot.named, turned)]))
    return plane.bottom + AXIS, parts
