"""Pages as tagged PDF, typeset by typst.

The content is passed as JSON to a fixed template, so that no text of a user becomes markup.
"""

import json
import re
from collections.abc import Mapping, Sequence
from contextvars import ContextVar
from dataclasses import fields, is_dataclass
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import matplotlib
from matplotlib.ft2font import FT2Font, LoadFlags

from bartizan.reports.blocks import Chart, Entry, Figure, Lines, Page, Table, View
from bartizan.reports.render.figures import light
from bartizan.reports.render.html import FOLDER
from bartizan.reports.text.visible import visible
from bartizan.simcore.documentation import extra
from bartizan.simcore.errors import UsageError

PAPERS = {"a4": "a4", "letter": "us-letter"}  # {option: name in typst}
STANDARD = "ua-1"  # tagged, with title, language and alternative texts (ISO 14289-1)
MOST_BYTES = 1_900_000  # small enough to send by mail
WIDTHS = {"a4": 493.0, "letter": 510.0}  # points between the margins
GUTTER = 6.2  # points right of a column
NOTE = 0.84  # type size of a note, relative to the text beside it
SIZES = (6.5, 6.0, 5.6)  # type sizes of a table in points: the first at which its columns fit is used
FONTS = Path(matplotlib.get_data_path()) / "fonts" / "ttf"  # identical on every machine
FONT, BOLD = "DejaVuSans.ttf", "DejaVuSans-Bold.ttf"
SVG = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
HEAD = re.compile(r'^<svg viewBox="[\d.-]+ [\d.-]+ ([\d.]+) ([\d.]+)"')
LONG = re.compile(r"[^\s\u200b]{20,}")
JOINT = re.compile(r"(?<=[/=_.,:;-])(?=\w)")
BREAK = "\u200b"  # permitted line break inside a word
SPLIT = re.compile(f"[ {BREAK}\n]|(?<=[\u2013-])")  # line breaks of typst
SHOWN = ("name", "value", "limits", "shape")  # fields of a mark
LETTERS_LACKED = (
    "The typeface of this PDF lacks some characters, which are shown as codes such as {}. "
    "The HTML report shows them all."
)
NO_BREAK = {"typed", "svg", "alt"}  # fields that are copied or not typeset


def page(content: Page, paper: str = "a4") -> bytes:
    """Return a page as PDF. paper: a key of PAPERS. Raises UsageError if typst is not installed."""
    head = {field.name: getattr(content, field.name) for field in fields(content)}
    return light(content.every_part, lambda parts: typeset({**head, "parts": parts}, paper), MOST_BYTES)


def typeset(content: Mapping[str, Any], paper: str) -> bytes:
    """Return the fields of a page as PDF. The file is byte-identical on every machine."""
    typst = compiler()
    lacked: set[str] = set()
    token = _lacked.set(lacked)
    data = {**plain(content, room=WIDTHS[paper]), "paper": PAPERS[paper]}
    _lacked.reset(token)
    if lacked:
        data["changed"] = [*data["changed"], LETTERS_LACKED.format(_number_of(min(lacked)))]
    compiled: bytes = typst.compile(
        (FOLDER / "report.typ").read_bytes(),
        font_paths=fonts(),
        sys_inputs={"data": json.dumps(data, ensure_ascii=False)},
        pdf_standards=STANDARD,
    )
    return compiled


def fonts() -> Any:
    """Return the fonts of typst and matplotlib, without system fonts.

    Raises UsageError if typst is not installed.
    """
    return compiler().Fonts(include_system_fonts=False, font_paths=[str(FONTS)])


def compiler(what: str = "PDF reports", instead: str = ".html") -> Any:
    """Return the module `typst`. Raises UsageError if it is not installed.

    what: the feature that needs it, in the plural. instead: name or suffix of a file that does not need it.
    """
    try:
        import typst
    except ImportError:
        raise UsageError(
            f"{what} need typst, which is not installed; write {instead}, or {extra('pdf')}"
        ) from None
    return typst


# ---------------------------------------------------------------- content as data


def plain(part: Any, name: str = "", room: float = WIDTHS["a4"]) -> Any:
    """Return a value with dataclasses, tuples and texts converted to JSON types.

    name: the field that contains the value. room: available width in points.
    """
    if isinstance(part, Figure):
        return _figure(part)
    if isinstance(part, Entry):
        return {"text": plain(part.text), "note": plain(part.note)}
    if is_dataclass(part) and not isinstance(part, type):
        return {"kind": type(part).__name__, **_fields(part, room)}
    if isinstance(part, Mapping):
        return {str(key): plain(each, str(key), room) for key, each in part.items()}
    if isinstance(part, (list, tuple)):
        return [plain(each, name, room) for each in part]
    return _text(part, name) if isinstance(part, str) else part


def _fields(part: Any, room: float) -> dict[str, Any]:
    match part:
        case Chart():
            return _chart(part)
        case Table():
            return {"parts": _measured(part, room)}
        case Lines():
            return {"lines": plain(part.page_lines)}
    found = {field.name: plain(getattr(part, field.name), field.name, room) for field in fields(part)}
    return found | ({"is_beside": part.is_beside} if isinstance(part, View) else {})


def _figure(figure: Figure) -> dict[str, Any]:
    """Return a figure as data.

    Its SVG names the page's typeface, because typst does not pass the typeface on to an SVG.
    """
    inside = figure.on_paper
    ((wide, high),) = HEAD.findall(inside)  # format of `figures.files.inline`
    named = f'<svg {SVG} width="{wide}" height="{high}" font-family="DejaVu Sans" '
    texts = plain({"title": figure.title, "note": figure.note, "alt": figure.alt})
    return {**texts, "svg": _shown(inside.replace("<svg ", named, 1)), "shape": float(wide) / float(high)}


def _chart(chart: Chart) -> dict[str, Any]:
    """Return a chart as data, with positions as fractions of the width."""

    def placed(low: float, high: float, **others: Any) -> dict[str, Any]:
        return {**plain(others), "low": chart.at(low), "high": chart.at(high)}

    tracks = [
        {
            **plain({"label": track.label, "value": track.value, "is_range": track.is_range}),
            "marks": [
                placed(mark.interval.low, mark.interval.high, **{key: getattr(mark, key) for key in SHOWN})
                | {"at": chart.at(mark.interval.estimate)}
                for mark in track.marks
            ],
            "span": [chart.at(end) for end in track.span] if track.marks else [],
            "band": track.band and placed(track.band.low, track.band.high, name=track.band.name),
        }
        for track in chart.tracks
    ]
    line = chart.line and (chart.at(chart.line[0]), chart.line[1])
    texts = {
        "title": chart.title,
        "ticks": chart.ticks,
        "unit": chart.unit,
        "notes": chart.notes,
        "line": line,
    }
    return {**plain(texts), "tracks": tracks}


# ---------------------------------------------------------------- tables, measured


class _Widths(NamedTuple):
    """Widths of the columns of a table in one type size, in points (see `_widths`)."""

    size: float
    least: list[float]
    below: list[float]
    in_line: list[float]


def _measured(table: Table, room: float) -> list[dict[str, Any]]:
    """Return a table as data, split into as many parts as the paper width requires.

    Each part repeats the column of row names. room: available width in points.
    """
    columns = list(zip(table.headers, *table.folded, strict=True))
    tried = [_Widths(size, *_widths(columns, size)) for size in SIZES]
    tidy = [one for wish in ("in_line", "below") for one in tried if sum(getattr(one, wish)) <= room]
    found = [*tidy, tried[-1]][0]  # if lines must break, small type breaks fewest
    size, least = found.size, found.least
    is_in_line = sum(found.in_line) <= room
    most = found.in_line if is_in_line else found.below
    parts: list[list[int]] = [[]]
    for place in range(1, len(columns)):
        if parts[-1] and least[0] + sum(least[each] for each in (*parts[-1], place)) > room:
            parts.append([])
        parts[-1].append(place)
    return [
        {**_part(table, [0, *part], least, most, room), "size": size, "in_line": is_in_line} for part in parts
    ]


def _part(
    table: Table, places: list[int], least: Sequence[float], most: Sequence[float], room: float
) -> dict[str, Any]:
    """Return a part of a table as data.

    Each column fits its longest word, and columns share the spare width.
    """
    wanted = [most[place] - least[place] for place in places]
    spare = room - sum(least[place] for place in places)
    share = min(spare / (sum(wanted) or 1), 1.0)
    widths = [min(least[place], room) + share * more for place, more in zip(places, wanted, strict=True)]
    return {
        "title": plain(table.title),
        "caption": plain(table.page_caption),
        "headers": [plain(table.headers[place]) for place in places],
        "rows": [[plain(row[place]) for place in places] for row in table.folded],
        "to_right": [table.to_right[place] for place in places],
        "widths": widths,
    }


def _widths(columns: Sequence[Sequence[str | Entry]], size: float) -> tuple[list[float], ...]:
    """Return three lists of column widths in points.

    The widths fit the longest word, the longest line with notes below the numbers, and the longest line with
    notes beside them.
    """
    least, below, in_line = [], [], []
    for place, (header, *entries) in enumerate(columns):
        font = FONT if place else BOLD  # row names are bold
        texts, stacked, lines = [(plain(str(header)), size, BOLD)], [0.0], [0.0]
        for entry in entries:
            assert isinstance(entry, Entry)
            parts = [(plain(entry.text), size, font), (plain(entry.note), size * NOTE, font)]
            widths = [_text_width(*part) for part in parts]
            stacked.append(max(widths))
            lines.append(sum(widths) + size / 3)
            texts += parts
        least.append(
            max(_text_width(word, points, face) for text, points, face in texts for word in SPLIT.split(text))
            + GUTTER
        )
        below.append(max(least[-1], max(stacked) + GUTTER))
        in_line.append(max(least[-1], max(lines) + GUTTER))
    return least, below, in_line


def _text_width(text: str, size: float, font: str) -> float:
    """Return the width of a text in points."""
    return sum(_advance(letter, font) for letter in text) * size


@cache
def _advance(letter: str, font: str) -> float:
    """Return the width of a character, relative to the type size."""
    if letter == BREAK:
        return 0.0
    return _face(font).load_char(ord(letter), flags=LoadFlags.NO_HINTING).linearHoriAdvance / 6_553_600


@cache
def _face(font: str) -> FT2Font:
    face = FT2Font(str(FONTS / font))
    face.set_size(100, 72)
    return face


# ---------------------------------------------------------------- text


def _text(text: str, name: str) -> str:
    text = _shown(visible(text))
    return text if name in NO_BREAK else LONG.sub(_breakable, text.replace(" -> ", " → "))


_lacked: ContextVar[set[str]] = ContextVar("characters missing from the typeface")  # collected per PDF


def _shown(text: str) -> str:
    """Replace each character that the typeface lacks by its code, so that names remain different."""
    known = _characters()
    lacked = {letter for letter in text if letter not in known and letter != "\n"}
    if not lacked:
        return text
    _lacked.get(set()).update(lacked)
    return "".join(_number_of(letter) if letter in lacked else letter for letter in text)


def _number_of(letter: str) -> str:
    return letter.encode("unicode_escape").decode()


@cache
def _characters() -> frozenset[str]:
    letters = map(chr, _face(FONT).get_charmap())
    return frozenset(letter for letter in letters if letter >= " ")


def _breakable(match: re.Match[str]) -> str:
    """Insert permitted breaks into a long word: after punctuation, otherwise every 20 characters."""
    parts = JOINT.sub("\u200b", match.group()).split("\u200b")
    return "\u200b".join("\u200b".join(re.findall(".{1,20}", part)) for part in parts)
