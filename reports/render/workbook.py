"""Workbooks (.xlsx): functions that write cells, and the tables of a page with one sheet each."""

import io
import re
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from math import ceil
from typing import TYPE_CHECKING, Any

from bartizan.reports.blocks import (
    Answers,
    Chart,
    Claims,
    CommandLine,
    Definitions,
    Entry,
    FigureGroup,
    Lines,
    Page,
    Table,
    Text,
    View,
)
from bartizan.reports.text.visible import visible
from bartizan.simcore.files import MADE_HERE

if TYPE_CHECKING:
    from openpyxl import Workbook
    from openpyxl.worksheet.worksheet import Worksheet

LONGEST_NAME = 31  # letters in the name of a sheet
NOT_IN_NAMES = re.compile(r"[\[\]:*?/\\']")
PLAIN_NUMBER = re.compile(r"[+−-]?\d[\d,]*(\.\d+)?")
PERCENT = re.compile(r"([+−-]?\d[\d,]*(?:\.\d+)?)[ \u00a0]?%")
MODIFIED = re.compile(rb"(<dcterms:modified[^>]*>)[^<]*")
APPLICATION = re.compile(rb"(<Application>)[^<]*")
STILL = (1980, 1, 1, 0, 0, 0)  # time stamp of every part, so that files are byte-identical
METHOD_WIDTH, TABLE_WIDTH, WIDEST = 110, 12, 60  # column widths in letters
ROW_HEIGHT = 15  # points


def new_book() -> "Workbook":
    """Return a workbook without sheets, whose times of creation and change are fixed."""
    from openpyxl import Workbook

    book = Workbook()
    book.remove(book.active)
    book.properties.created = book.properties.modified = datetime(*STILL)  # openpyxl's are those of today
    return book


def bytes_of(book: "Workbook") -> bytes:
    """Return the file of a workbook. The same content gives the same bytes.

    The application field marks the file as written by Bartizan. A spreadsheet program that saves the file
    replaces this mark.
    """
    modified = book.properties.modified or datetime(*STILL)
    saved, file = io.BytesIO(), io.BytesIO()
    book.save(saved)
    then = modified.strftime("%Y-%m-%dT%H:%M:%SZ").encode()
    with zipfile.ZipFile(saved) as old, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            data = old.read(name)
            if name == "docProps/core.xml":
                data = MODIFIED.sub(rb"\g<1>" + then, data)
            elif name == "docProps/app.xml":
                data = APPLICATION.sub(rb"\g<1>" + MADE_HERE.encode(), data)
            part = zipfile.ZipInfo(name, STILL)
            part.compress_type = zipfile.ZIP_DEFLATED
            new.writestr(part, data)
    return file.getvalue()


def put_text(sheet: "Worksheet", row: int, column: int, text: str) -> Any:
    """Write text into a cell, never as a formula, and return the cell. Rows and columns count from 1."""
    cell = sheet.cell(row, column, visible(text))
    cell.data_type = "s"
    return cell


def add_lines(book: "Workbook", title: str, lines: Iterable[str]) -> None:
    """Add a sheet with one line of text per row."""
    from openpyxl.styles import Alignment

    sheet = book.create_sheet(free_name(book, title))
    sheet.column_dimensions["A"].width = METHOD_WIDTH
    for row, line in enumerate(lines, 1):
        put_text(sheet, row, 1, line).alignment = Alignment(wrap_text=True, vertical="top")
        sheet.row_dimensions[row].height = ROW_HEIGHT * ceil(max(len(line), 1) / METHOD_WIDTH)


# ---------------------------------------------------------------- the tables of a page


def page(content: Page) -> bytes:
    """Return the file of a workbook with one sheet per table.

    The first sheet contains the text of the report, and the last one the reminders and the text of the
    appendix. The limits of a number are in the next column.
    """
    book = new_book()
    question = f": {content.question}" if content.question else ""
    head = [f"{content.title}{question}", content.caveat, *content.changed, *content.incomplete]
    parts = content.every_part
    main = (line for part in parts if not part.is_appendix for line in _lines(part))
    appendix = (line for part in parts if part.is_appendix for line in _lines(part))
    add_lines(book, "Answer", filter(None, (*head, *main)))
    for table in dict.fromkeys(table for part in parts for table in _tables(part)):
        _add_table(book, table)
    add_lines(book, "Method", (*content.reminders, *appendix))
    return bytes_of(book)


def _tables(part: View) -> Iterator[Table]:
    for block in part.blocks:
        if isinstance(block, Table):
            yield block
        elif isinstance(block, View):
            yield from _tables(block)


def _lines(part: View) -> Iterator[str]:
    """Yield the text of a part without its tables. Each item fills one cell."""
    yield from filter(None, (part.title, part.caption))
    for block in part.blocks:
        match block:
            case View():
                yield from _lines(block)
            case Chart():
                yield from (block.title, *block.in_words)
            case FigureGroup():
                yield from filter(None, (figure.title for figure in block.figures))
            case Lines():
                yield from block.page_lines
            case Text():
                yield block.text
            case Answers():
                yield from (_told(one.heading, one.text) for one in block.paragraphs)
            case Claims():
                yield from (block.sentence, *map(_claim, block.rows))
            case Definitions():
                yield from (f"{row.name}: {row.meaning}" for row in block.rows)
            case CommandLine():
                yield block.typed


def _claim(row: Mapping[str, Any]) -> str:
    return f"{row['verdict']} {row['title']}: {row['finding']}"


def _add_table(book: "Workbook", table: Table) -> None:
    from openpyxl.styles import Font
    from openpyxl.utils import get_column_letter

    sheet = book.create_sheet(free_name(book, table.title))
    put_text(sheet, 1, 1, table.title).font = Font(bold=True)
    put_text(sheet, 2, 1, " ".join(filter(None, (table.page_caption, table.more))))
    headings = list(_headings(table))
    for column, heading in enumerate(headings, 1):
        put_text(sheet, 4, column, heading).font = Font(bold=True)
    for row, entries in enumerate(table.rows, 5):
        column = 1
        for entry, note in zip(entries, _notes(table), strict=True):
            _put_entry(sheet, row, column, entry)
            if note:
                put_text(sheet, row, column + 1, entry.note)
            column += 2 if note else 1
    longest = max((len(row[0].text) for row in table.rows), default=0)
    sheet.column_dimensions["A"].width = min(max(longest, TABLE_WIDTH), WIDEST)
    for column, heading in enumerate(headings[1:], 2):
        sheet.column_dimensions[get_column_letter(column)].width = max(TABLE_WIDTH, len(heading) + 2)
    sheet.freeze_panes = "B5"


def _told(heading: str, text: str) -> str:
    return f"{heading}{'' if heading.endswith('?') else ':'} {text}"


def _notes(table: Table) -> list[str]:
    """Return, for each column, the kind of text beside its cells: "interval", "note" or ""."""
    columns = zip(*table.rows, strict=True) if table.rows else ([],) * len(table.headers)
    return [_note_of(list(column)) for column in columns]


def _note_of(column: Sequence[Entry]) -> str:
    if any(entry.limits for entry in column):
        return "interval"
    return "note" if any(entry.method for entry in column) else ""


def _headings(table: Table) -> Iterable[str]:
    for heading, note in zip(table.headers, _notes(table), strict=True):
        yield heading
        if note:
            yield f"{heading}: {note}"


def _put_entry(sheet: "Worksheet", row: int, column: int, entry: Entry) -> None:
    """Write the entry as a number or percentage if its whole text is one. Otherwise, write it as text."""
    text = entry.text.strip()
    if PLAIN_NUMBER.fullmatch(text):
        digits = len(text.partition(".")[2])
        cell = sheet.cell(row, column, _number(text))
        cell.number_format = f"#,##0{'.' + '0' * digits if digits else ''}"
    elif share := PERCENT.fullmatch(text):
        digits = len(share[1].partition(".")[2])
        cell = sheet.cell(row, column, round(_number(share[1]) / 100, digits + 2))
        cell.number_format = f"0{'.' + '0' * digits if digits else ''} %"
    else:
        put_text(sheet, row, column, text)


def _number(text: str) -> float:
    value = float(text.replace("−", "-").replace(",", ""))
    return int(value) if value.is_integer() and "." not in text else value


def free_name(book: "Workbook", title: str) -> str:
    """Return a sheet name, derived from a title, that is unique in the workbook regardless of case."""
    plain = " ".join(NOT_IN_NAMES.sub(" ", visible(title)).split())[:LONGEST_NAME] or "Table"
    taken: Sequence[str] = [name.casefold() for name in book.sheetnames]
    name, number = plain, 1
    while name.casefold() in taken:
        number += 1
        name = f"{plain[: LONGEST_NAME - len(str(number)) - 1]} {number}"
    return name
