"""Workbooks of LibreOffice (.ods), read from their XML.

A general reader drops what a designer must know: merged cells, hidden sheets and rows, and times of day.
"""

import io
import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.etree.ElementTree import Element

from bartizan.simcore import safe_xml

NAMES = "urn:oasis:names:tc:opendocument:xmlns"
TABLE, OFFICE, TEXT, STYLE = (f"{{{NAMES}:{name}:1.0}}" for name in ("table", "office", "text", "style"))
MOST_ROWS, MOST_COLUMNS = 1_048_576, 16_384  # of a sheet in any spreadsheet program
MOST_CELLS = 5_000_000  # in the rows of all sheets, up to the last filled cell of each
MOST_BYTES = 1 << 28  # of unpacked XML
DURATION = re.compile(r"PT(\d+)H(\d+)M(\d+)(?:[.,]\d+)?S")
Place = tuple[int, int]  # row and column, from 0
Value = float | bool | str | tuple[float, str]


class TooLargeError(ValueError):
    """Raised for a workbook that could fill the memory."""


@dataclass
class OpenSheet:
    """A sheet of a workbook.

    values: numbers as float, (number, "%") for a percentage, bool or text; blank cells are left out.
    """

    name: str
    is_hidden: bool
    values: dict[Place, Value] = field(default_factory=dict)
    unsaved: set[Place] = field(default_factory=set)  # formulas without a value
    merged: list[tuple[Place, int, int]] = field(default_factory=list)  # first cell, rows, columns
    hidden_rows: set[int] = field(default_factory=set)


def sheets_of(data: bytes) -> list[OpenSheet]:
    """Return the sheets of a workbook.

    Raises TooLargeError, DocumentTypeError for a workbook with a document type, and any error for a damaged
    file.
    """
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        if archive.getinfo("content.xml").file_size > MOST_BYTES:
            raise TooLargeError(f"it has more than {MOST_BYTES >> 20} MB of cells")
        document = safe_xml.tree_of(archive.read("content.xml"))
    hidden = {
        style.get(f"{STYLE}name")
        for style in document.iter(f"{STYLE}style")
        for properties in style.iter(f"{STYLE}table-properties")
        if properties.get(f"{TABLE}display") == "false"
    }
    tables = document.iterfind(f"{OFFICE}body/{OFFICE}spreadsheet/{TABLE}table")
    sheets, room = [], MOST_CELLS
    for table in tables:
        sheet, room = _sheet(table, table.get(f"{TABLE}style-name") in hidden, room)
        sheets.append(sheet)
    return sheets


def _sheet(table: Element, is_hidden: bool, room: int) -> tuple[OpenSheet, int]:
    """Return a sheet, and the number of cells left for the other sheets.

    room: number of cells that the sheet may have. Raises TooLargeError if it has more.
    """
    sheet, row = OpenSheet(table.get(f"{TABLE}name", ""), is_hidden), 0
    for line in _rows(table):
        repeated = _repeats(line, "rows")
        filled = list(_cells(line, sheet, row))
        if filled:
            room -= (filled[-1][0] + 1) * repeated
            if room < 0 or row + repeated > MOST_ROWS:
                raise TooLargeError(f"it has more than {MOST_CELLS:,} cells or {MOST_ROWS:,} rows")
        for again in range(repeated if filled else 0):
            sheet.values.update({(row + again, column): value for column, value in filled})
            if line.get(f"{TABLE}visibility", "visible") != "visible":
                sheet.hidden_rows.add(row + again)
        row += repeated
    return sheet, room


def _repeats(part: Element, what: str) -> int:
    return max(int(part.get(f"{TABLE}number-{what}-repeated", 1)), 1)


def _rows(part: Element) -> Iterator[Element]:
    """Yield the rows of a table, including those in groups and in repeated headings."""
    for child in part:
        if child.tag == f"{TABLE}table-row":
            yield child
        elif child.tag in (f"{TABLE}table-row-group", f"{TABLE}table-header-rows", f"{TABLE}table-rows"):
            yield from _rows(child)


def _cells(line: Element, sheet: OpenSheet, row: int) -> Iterator[tuple[int, Value]]:
    """Yield (column, value) of filled cells. Raises TooLargeError beyond MOST_COLUMNS.

    Adds merged cells that are filled, and formulas without a value, to the sheet.
    """
    column = 0
    for cell in line:
        if cell.tag not in (f"{TABLE}table-cell", f"{TABLE}covered-table-cell"):
            continue
        repeated = _repeats(cell, "columns")
        value = _value(cell) if cell.tag == f"{TABLE}table-cell" else ""
        if value != "" or isinstance(value, bool):
            if column + repeated > MOST_COLUMNS:
                raise TooLargeError(f"it has more than {MOST_COLUMNS:,} columns")
            yield from ((column + again, value) for again in range(repeated))
            rows, columns = (
                int(cell.get(f"{TABLE}number-{what}-spanned", 1)) for what in ("rows", "columns")
            )
            if rows * columns > 1:
                sheet.merged.append(((row, column), rows, columns))
        elif cell.get(f"{TABLE}formula") and not cell.get(f"{OFFICE}value-type"):
            sheet.unsaved.add((row, column))
        column += repeated


def _value(cell: Element) -> Value:
    kind, number = cell.get(f"{OFFICE}value-type", ""), cell.get(f"{OFFICE}value", "")
    if kind in ("float", "currency"):
        return float(number)
    if kind == "percentage":
        return float(number), "%"
    if kind == "boolean":
        return cell.get(f"{OFFICE}boolean-value") == "true"
    if kind == "date":
        return cell.get(f"{OFFICE}date-value", "").replace("T", " ")
    if kind == "time":
        text = cell.get(f"{OFFICE}time-value", "")
        found = DURATION.fullmatch(text)
        return f"{found[1]}:{found[2]}:{found[3]}" if found else text
    paragraphs = "\n".join("".join(_text_of(one)) for one in cell if one.tag == f"{TEXT}p")
    return paragraphs or cell.get(f"{OFFICE}string-value", "")


def _text_of(part: Element) -> Iterator[str]:
    """Yield the text of a paragraph, in which spaces, tabs and line breaks are elements."""
    yield part.text or ""
    for child in part:
        if child.tag == f"{TEXT}s":
            yield " " * min(int(child.get(f"{TEXT}c", 1)), MOST_COLUMNS)
        elif child.tag in (f"{TEXT}tab", f"{TEXT}line-break"):
            yield "\t" if child.tag == f"{TEXT}tab" else "\n"
        elif child.tag != f"{OFFICE}annotation":
            yield from _text_of(child)
        yield child.tail or ""
