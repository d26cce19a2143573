"""Text for a terminal: blocks as lines, and charts as characters if the terminal is wide enough."""

import codecs
import shutil
import sys
import unicodedata
from collections.abc import Iterator
from textwrap import wrap

from bartizan.reports.blocks import SIGNS, Block, Chart, Entry, Figure, Hint, Lines, Table, Track, View
from bartizan.reports.text.visible import one_line

LEAST_ROOM, MOST_ROOM = 72, 110  # width of a chart in characters


def lines(view: View) -> Iterator[str]:
    """Yield the lines of a view, its sentence first.

    A single table has no title, because the sentence describes it.
    """
    tables = [block for block in view.blocks if isinstance(block, Table) and block.place != "page"]
    yield view.sentence
    for block in view.blocks:
        shown = list(block_lines(block))
        if shown and isinstance(block, Table) and len(tables) > 1 and not block.heading:
            shown.insert(0, block.title)
        if shown and not isinstance(block, Hint):
            yield ""
        yield from shown
    if method := view.method[1]:
        yield ""
        yield f"Method: {method}"


def block_lines(block: Block) -> Iterator[str]:
    match block:
        case Table() if block.place != "page":
            yield from table_lines(block)
        case Chart():
            yield from chart_lines(block, room())
        case Figure(picture=Chart() as chart) if block.is_for_terminal:
            yield from chart_lines(chart, room())
        case Lines():
            yield from block.lines
        case Hint():
            yield block.line


def table_lines(table: Table) -> Iterator[str]:
    """Yield the lines of a table. Each column is as wide as its widest cell; numbers are aligned right."""
    if table.heading:
        yield f"  {table.heading}"
    cells = [[one_line(text) for text in table.headers]]
    cells += [[one_line(cell(entry)) for entry in row] for row in table.rows]
    columns = list(zip(*cells, strict=True))
    widths = [max(map(width_of, column)) for column in columns]
    for row in cells:
        texts = (
            padded(text, width, to_right=right)
            for text, width, right in zip(row, widths, table.to_right, strict=True)
        )
        yield f"  {'  '.join(texts)}".rstrip()
    yield from (f"  {line}" for line in table.more.splitlines())


def cell(entry: Entry) -> str:
    return f"{entry.text} ({entry.limits})" if entry.limits else entry.text


def width_of(text: str) -> int:
    """Return the width in terminal columns: East Asian characters take two, combining accents none."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


def padded(text: str, width: int, to_right: bool = False) -> str:
    blank = " " * (width - width_of(text))
    return f"{blank}{text}" if to_right else f"{text}{blank}"


# ---------------------------------------------------------------- a chart in characters

RANGE, DOUBT, BAND, LINE, PLAIN = "─", "━", "░", "┊", str.maketrans("─━░┊○◇◆●▲", "-=.|o+#*^")


def room() -> int:
    """Return the width of the terminal in characters, at most MOST_ROOM; 0 if stdout is not a terminal."""
    return min(shutil.get_terminal_size().columns, MOST_ROOM) if sys.stdout.isatty() else 0


def chart_lines(chart: Chart, room: int) -> Iterator[str]:
    """Yield the lines of a chart; none if `room` is too narrow.

    The marks of each row are described in words below the row, so that labels do not overlap.
    """
    if room < LEAST_ROOM:
        return
    labels = [one_line(track.label) for track in chart.tracks]
    margin = max(map(width_of, labels), default=0) + 4
    wide = room - margin
    try:
        SIGNS["best"].encode(sys.stdout.encoding or "ascii")
        plain: dict[int, int] = {}
    except UnicodeEncodeError:
        plain = PLAIN
    for label, track in zip(labels, chart.tracks, strict=True):
        scale = "".join(_scale(track, chart, wide)).rstrip()
        named = (f"{SIGNS[mark.shape]} {said}" for mark in track.marks if (said := mark.in_words))
        said = "   ".join(
            filter(None, (track.value, *named, f"{BAND} {track.band.name}" if track.band else ""))
        )
        yield f"  {padded(label, margin - 2)}{scale}".translate(plain)
        yield from (f"{'':<{margin}}{line}".translate(plain) for line in wrap(said, wide))
    ticks = [" "] * (wide + 8)
    for place, text in chart.ticks:
        start = min(round(place * (wide - 1)), wide - len(text))
        ticks[start : start + len(text)] = text
    yield f"{'':<{margin}}{''.join(ticks).rstrip()}  {chart.unit}"


def _scale(track: Track, chart: Chart, wide: int) -> list[str]:
    """Return a row of characters, drawn in this order: range, band, line, intervals, marks."""
    if not track.marks:
        return []
    cells = ["·" if column % 2 == 0 else " " for column in range(wide)]

    def fill(low: float, high: float, sign: str) -> None:
        start, end = (round(chart.at(value) * (wide - 1)) for value in (low, high))
        cells[start : end + 1] = sign * (end + 1 - start)

    if track.is_range:
        fill(*track.span, RANGE)
    if track.band:
        fill(track.band.low, track.band.high, BAND)
    if chart.line:
        fill(chart.line[0], chart.line[0], LINE)
    for mark in track.marks:
        fill(mark.interval.low, mark.interval.high, DOUBT)
    for mark in track.marks:
        fill(mark.interval.estimate, mark.interval.estimate, SIGNS[mark.shape])
    return cells


# ---------------------------------------------------------------- encodings other than UTF-8

DASHES = {"\N{MINUS SIGN}": "-", "\N{EN DASH}": "-", "\N{EM DASH}": "-"}


def encode_what_can_be() -> None:
    """Make stdout and stderr replace characters that they cannot encode by similar ones.

    For example, Windows encodes redirected output as cp1252.
    """
    codecs.register_error("bartizan.nearest", _nearest)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # Python code may have replaced the stream
            stream.reconfigure(errors="bartizan.nearest")


def _nearest(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    near = (DASHES.get(c, unicodedata.normalize("NFKD", c)) for c in error.object[error.start : error.end])
    return "".join(text.encode("ascii", "ignore").decode() or "?" for text in near), error.end
