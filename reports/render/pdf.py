"""Pages on paper, typeset by typst into a tagged PDF.

The content travels as data (JSON) into a template that never changes: no text of a user becomes markup.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import is_dataclass, replace
from functools import cache
from html import unescape
from pathlib import Path
from typing import Any

import matplotlib
from matplotlib.ft2font import FT2Font

from bartizan.reports.blocks import Entry, Figure, Page, Table
from bartizan.reports.render.figures import light
from bartizan.reports.render.html import FOLDER
from bartizan.simcore.errors import UsageError

PAPERS = {"a4": "a4", "letter": "us-letter"}  # what typst calls them
STANDARD = "ua-1"  # tagged, with a title, a language and pictures in words (ISO 14289-1)
MOST_BYTES = 1_900_000  # as light as a page: to be mailed
COLUMNS = 9  # of a table; one with more goes on in another below
ROOM = 100  # letters side by side
FONTS = Path(matplotlib.get_data_path()) / "fonts" / "ttf"  # of a package: the same on every machine
FONT = "DejaVuSans.ttf"
SVG = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
HEAD = re.compile(r'<svg viewBox="[\d.-]+ [\d.-]+ ([\d.]+) ([\d.]+)"[^>]*aria-label="([^"]*)"')
LONG = re.compile(r"[^\s\u200b]{20,}")
JOINT = re.compile(r"(?<=[/=_.,:;-])(?=\w)")
NO_BREAK = {"command", "svg", "alt"}  # what is copied, or never set


def page(content: Page, paper: str = "a4") -> bytes:
    """paper: a name of PAPERS."""
    fields = {**vars(content), "glossary": content.glossary}
    return light(
        content.sections, lambda sections: typeset({**fields, "sections": sections}, paper), MOST_BYTES
    )


def typeset(content: Mapping[str, Any], paper: str) -> bytes:
    """Fields of a page as a PDF; the same bytes on every machine."""
    typst = compiler()
    data = {**plain(content), "paper": PAPERS[paper]}
    return typst.compile(
        (FOLDER / "report.typ").read_bytes(),
        font_paths=typst.Fonts(include_system_fonts=False, font_paths=[str(FONTS)]),
        sys_inputs={"data": json.dumps(data, ensure_ascii=False)},
        pdf_standards=STANDARD,
    )


def compiler():
    """The module typst; raises UsageError where it is not installed."""
    try:
        import typst
    except ImportError:
        raise UsageError(
            "PDF reports need typst, which is not installed: pip install 'bartizan[pdf]'; or write .html"
        ) from None
    return typst


# ---------------------------------------------------------------- content as data


def plain(part: Any, name: str = "") -> Any:
    """Dataclasses, tuples and texts as JSON knows them. name: the field it stands in."""
    if isinstance(part, Figure):
        return _figure(part)
    if isinstance(part, Table):
        return [{**_fields(each), "shares": _shares(each)} for each in _narrow(part)]
    if isinstance(part, Entry):
        return {"text": plain(part.text), "note": plain(part.note)}
    if is_dataclass(part):
        return _fields(part)
    if isinstance(part, Mapping):
        return {str(key): plain(each, str(key)) for key, each in part.items()}
    if isinstance(part, (list, tuple)):
        return [plain(each, name) for each in part]
    return _text(part, name) if isinstance(part, str) else part


def _fields(part: Any) -> dict:
    return {name: plain(getattr(part, name), name) for name in part.__dataclass_fields__}


def _figure(figure: Figure) -> dict:
    """Its type is that of the page, which an SVG inside HTML inherits and one by itself must name."""
    ((wide, high, alt),) = HEAD.findall(figure.svg)  # as `figures.files.inline` writes it
    named = f'<svg {SVG} width="{wide}" height="{high}" font-family="DejaVu Sans" '
    texts = plain({"title": figure.title, "note": figure.note, "alt": unescape(alt)})
    svg = _shown(str(figure.svg).replace("<svg ", named, 1))
    return {**texts, "svg": svg, "shape": float(wide) / float(high)}


def _narrow(table: Table) -> list[Table]:
    """Its columns in as many tables as the paper needs, each with the column that names the rows."""
    others, most = len(table.headers) - 1, COLUMNS - 1
    if others <= most:
        return [table]
    each = -(-others // -(-others // most))
    tables = []
    for columns in (slice(start, start + each) for start in range(1, others + 1, each)):
        headers = (table.headers[0], *table.headers[columns])
        rows = tuple((row[0], *row[columns]) for row in table.rows)
        tables.append(replace(table, headers=headers, rows=rows))
    return tables


def _shares(table: Table) -> list[float]:
    """Of the width for each column, by what stands in it; none where everything has room side by side."""
    columns = list(zip(table.headers, *table.rows, strict=True))
    longest = [
        max([len(header), *(len(text) for entry in column for text in (entry.text, entry.note))])
        for header, *column in columns
    ]
    if sum(longest) + 2 * len(columns) <= ROOM:
        return []
    words = [max(len(w) for entry in column for w in str(entry).split()) for column in columns]
    return [max(min(word, 20), long**0.75) for word, long in zip(words, longest, strict=True)]


# ---------------------------------------------------------------- text


def _text(text: str, name: str) -> str:
    text = _shown(text)
    return text if name in NO_BREAK else LONG.sub(_breakable, text.replace(" -> ", " → "))


def _shown(text: str) -> str:
    """What the typeface lacks, and what cannot be printed, as the sign for a missing letter."""
    known = _letters()
    return "".join(letter if letter in known or letter == "\n" else "\ufffd" for letter in text)


@cache
def _letters() -> frozenset[str]:
    letters = map(chr, FT2Font(str(FONTS / FONT)).get_charmap())
    return frozenset(letter for letter in letters if letter >= " ")


def _breakable(match: re.Match) -> str:
    """A long name may go on in the next line, after a joint or anywhere."""
    parts = JOINT.sub("\u200b", match.group()).split("\u200b")
    return "\u200b".join("\u200b".join(re.findall(".{1,20}", part)) for part in parts)
