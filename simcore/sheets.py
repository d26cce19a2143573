"""Tables made by hand, read as text: CSV with any separator and encoding, or a sheet of a workbook.

openpyxl reads .xlsx and `opendocument` reads .ods, including merged cells and formulas without a value.
xlrd, an optional package, reads .xls. Callers interpret the cells.
"""

import csv
import io
import re
import warnings
import zipfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bartizan.simcore.documentation import extra
from bartizan.simcore.errors import UsageError, as_spelled, did_you_mean
from bartizan.simcore.opendocument import TooLargeError, sheets_of
from bartizan.simcore.safe_xml import DocumentTypeError

SEPARATORS = (",", ";", "\t", "|")
LOOKED_AT = 50  # rows used to detect the separator
MARKS = (
    (b"\xef\xbb\xbf", "utf-8-sig"),
    (b"\xff\xfe\0\0", "utf-32"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)
WORKBOOKS, OPEN_DOCUMENT, OLD_WORKBOOK = (".xlsx", ".xlsm"), ".ods", ".xls"
AS_CSV = "save the sheet as CSV (UTF-8) and use that"
LOCK = "~$"  # first characters of the file that Excel keeps beside an open workbook
# first bytes of files that are not text tables -> file type
OLD = b"\xd0\xcf\x11\xe0"
OTHER_FILES = {
    b"PK\x03\x04": "a workbook or an archive, despite its name",
    OLD: "an old workbook (.xls), or one with a password",
    b"%PDF": "a PDF",
    b"\x89PNG": "a picture",
    b"\x1f\x8b": "compressed",
}
WEB_PAGE = re.compile(rb"(\xef\xbb\xbf)?\s*<(!doctype\s+html|html|\?xml)", re.I)
PUBLISH = "publish it as comma-separated values (in Google Sheets: File > Share > Publish to web)"
NO_VALUE = "its formula has no saved value: open the file in the spreadsheet program and save it"
NO_DAY = re.compile(r"^1899-12-3[01] ")  # the date that Excel adds to a time of day or a duration
DAY = re.compile(r" 00:00:00$")  # the time that Excel adds to a date
DIGITS = 15  # significant digits that a spreadsheet shows
PERCENT = re.compile(r"^([^;%\"\\]|\"[^\"]*\"|\\.)*%")  # a format with a percent sign outside of its texts
THREE_DECIMALS = re.compile(r"\.\d{3}$")
FORMULA = re.compile(rb"<(\w+:)?f[\s/>]")  # in the XML of a sheet
csv.field_size_limit(2**31 - 1)  # a card may have a long text


@dataclass(frozen=True)
class SheetCells:
    """The cells of a sheet as text, row by row. Rows may differ in length.

    faults: maps (row, column), both from 0, to the reason why a cell has no text of its own. dimmed: maps
    each row that the sheet seems to exclude to the reason, "hidden" or "struck through".
    """

    rows: list[list[str]]
    notes: list[str] = field(default_factory=list)  # notes for the user, such as the encoding
    separator: str = ","
    sheet: str = ""  # its name, if the file is a workbook
    others: tuple[str, ...] = ()  # the other sheets of the workbook
    faults: dict[tuple[int, int], str] = field(default_factory=dict)
    dimmed: dict[int, str] = field(default_factory=dict)


def read_cells(path: Path, sheet: str = "") -> SheetCells:
    """Read the cells of a file.

    sheet: name of a sheet in a workbook (default: the first visible one with cells). Raises UsageError for a
    file that is not a table.
    """
    kind = path.suffix.lower()
    if path.name.startswith(LOCK):
        raise UsageError(
            f"{path}: not a sheet, but the lock of an open one; give {path.name.removeprefix(LOCK)}"
        )
    if kind in WORKBOOKS:
        return _workbook(path, sheet)
    if kind == OPEN_DOCUMENT:
        return _open_document(path, sheet)
    if kind == OLD_WORKBOOK:
        return _old_workbook(path, sheet)
    if sheet:
        raise UsageError(f"{path}: only workbooks (.xlsx, .xls, .ods) have sheets; remove sheet={sheet!r}")
    notes: list[str] = []
    data = path.read_bytes()
    refuse_other_files(path, data)
    separator, text = separator_of(_text(path, data, notes))
    if "\0" in text:
        raise UsageError(f"{path}: not a text table; {AS_CSV}")
    return SheetCells(_rows(path, text, separator), notes, separator)


def _rows(path: Path, text: str, separator: str) -> list[list[str]]:
    """Return the rows of a text.

    Raises UsageError for an unclosed quotation mark, which hides the cells and rows after it.
    """
    reader = csv.reader(
        io.StringIO(text, newline=""), delimiter=separator, strict=True, skipinitialspace=True
    )
    rows, line = [], 1
    try:
        for cells in reader:
            rows.append(cells)
            line = reader.line_num + 1
    except csv.Error as error:
        raise UsageError(
            f"{path}, line {line}: a cell begins with a quotation mark that does not end it; write "
            '"" for each quotation mark within a text, or save the sheet as CSV in a spreadsheet program'
        ) from error
    return rows


def refuse_other_files(path: Path, data: bytes) -> None:
    """Raise UsageError for a file that is not text, and for a web page.

    The link of an unpublished sheet returns a web page.
    """
    if WEB_PAGE.match(data):
        raise UsageError(f"{path}: a web page, not a table; {PUBLISH}")
    if what := next((what for mark, what in OTHER_FILES.items() if data.startswith(mark)), ""):
        raise UsageError(f"{path}: {what}, not a text table; {AS_CSV}")
    if b'"doc_id"' in data[:1000] and data.lstrip().startswith(b"{"):
        raise UsageError(f"{path}: a shortcut to a Google sheet; download it there as .xlsx or .csv")


def letter_of(column: int) -> str:
    """Return the spreadsheet name of a column, counted from 0: A, B, ..., Z, AA."""
    return (letter_of(column // 26 - 1) if column >= 26 else "") + chr(ord("A") + column % 26)


def cell_name(row: int, column: int) -> str:
    """Return the spreadsheet name of a cell; row and column count from 0."""
    return f"{letter_of(column)}{row + 1}"


# ---------------------------------------------------------------- text


def _text(path: Path, data: bytes, notes: list[str]) -> str:
    """Return the text of a file. Raises UsageError for bytes that its encoding does not have."""
    encoding = next((encoding for mark, encoding in MARKS if data.startswith(mark)), "")
    if not encoding and (wide := data[:1000].count(0)) > len(data[:1000]) / 3:
        # UTF-16 without a mark: every other byte is 0
        encoding = "utf-16-le" if data[1:1000:2].count(0) * 2 > wide else "utf-16-be"
    why = ""
    for coding in [encoding] if encoding else ["utf-8", "cp1252"]:
        try:
            text = data.decode(coding)
        except UnicodeDecodeError as error:
            why = f"byte {error.start + 1:,} is not text in {encoding or 'UTF-8 or cp1252'}"
            continue
        if coding == "cp1252":
            notes.append(
                "not UTF-8: read as cp1252, the default on Windows; if names look wrong, save the sheet as "
                "UTF-8"
            )
        return text
    raise UsageError(f"{path}: {why}; save the sheet as CSV (UTF-8)")


def separator_of(text: str) -> tuple[str, str]:
    """Return the separator, and the text without the line `sep=` that Excel may write."""
    first, _, rest = text.partition("\n")
    if first.strip().lower().startswith("sep=") and len(first.strip("\r")) == 5:
        return first[4], rest
    return max(SEPARATORS, key=lambda mark: _fit(text, mark)), text


def _fit(text: str, mark: str) -> tuple[int, int]:
    """Return the fit of a separator to the first rows.

    The fit is (number of rows with the most common length, that length).
    """
    head = "\n".join(text.splitlines()[:LOOKED_AT])
    try:
        lengths = Counter(len(cells) for cells in csv.reader(io.StringIO(head), delimiter=mark) if cells)
    except csv.Error:
        return (0, 0)
    agreed = {length: rows for length, rows in lengths.items() if length > 1}
    if not agreed:
        return (0, 0)
    length, rows = max(agreed.items(), key=lambda item: (item[1], item[0]))
    return (rows, length)


# ---------------------------------------------------------------- workbooks


def _workbook(path: Path, sheet: str) -> SheetCells:
    import openpyxl

    data = path.read_bytes()
    _refuse_no_workbook(path, data)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about contents that openpyxl would not save
            values = openpyxl.load_workbook(io.BytesIO(data), data_only=True)
            # a second reading takes as long as the first
            formulas = openpyxl.load_workbook(io.BytesIO(data)) if _has_formulas(io.BytesIO(data)) else None
    except Exception as error:  # the reader may raise anything for a damaged file
        raise UsageError(f"{path}: no sheet can be read: {type(error).__name__}; {AS_CSV}") from error
    tables = {one.title: one for one in values.worksheets}
    in_order = sorted(
        tables, key=lambda name: (_is_empty(tables[name]), tables[name].sheet_state != "visible")
    )
    name = _chosen(path, sheet, in_order)
    table = tables[name]
    faults = {
        (cell.row - 1, cell.column - 1): NO_VALUE
        for row in (formulas[name].iter_rows() if formulas else ())
        for cell in row
        if cell.data_type == "f" and _has_no_value(table.cell(cell.row, cell.column))
    }
    for merged in table.merged_cells.ranges:
        cells = table[merged.min_row]
        if table.cell(merged.min_row, merged.min_col).value is not None:  # else blank cells
            first, size = (merged.min_row - 1, merged.min_col - 1), merged.size
            values_there = sum(cell.value is not None for cell in cells)
            whole = (table.max_row, table.max_column)
            faults |= _merged(first, size["rows"], size["columns"], values_there, whole)
    rows, dimmed = [], {}
    for at, cells in enumerate(table.iter_rows()):
        rows.append([_shown(cell.value, cell.number_format) for cell in cells])
        filled = [cell for cell in cells if cell.value is not None]
        if filled and table.row_dimensions[at + 1].hidden:
            dimmed[at] = "hidden"
        elif filled and all(cell.font.strike for cell in filled):
            dimmed[at] = "struck through"
    others = _but(name, [one for one in tables if not _is_empty(tables[one])])
    return SheetCells(rows, sheet=name, others=others, faults=faults, dimmed=dimmed)


def _refuse_no_workbook(path: Path, data: bytes) -> None:
    """Raise UsageError for a file that is not an .xlsx workbook, despite its name."""
    if data.startswith(OLD):
        raise UsageError(
            f"{path}: {OTHER_FILES[OLD]}; remove its password, or save it as .xlsx in a spreadsheet program"
        )
    if not zipfile.is_zipfile(io.BytesIO(data)):
        why = "an empty file" if not data else "not a complete workbook, despite its name"
        raise UsageError(f"{path}: {why}; save it again in a spreadsheet program")


def _is_empty(table: Any) -> bool:
    return all(value is None for row in table.iter_rows(values_only=True) for value in row)


def _has_formulas(file: io.BytesIO) -> bool:
    with zipfile.ZipFile(file) as archive:
        sheets = (name for name in archive.namelist() if name.startswith("xl/worksheets/"))
        return any(FORMULA.search(archive.read(name)) for name in sheets)


def _has_no_value(cell: Any) -> bool:
    """Return whether the value of a formula is missing.

    An empty string is a value: its cell has the type "str".
    """
    return cell.value is None and cell.data_type != "str"


def _merged(
    first: tuple[int, int], rows: int, columns: int, filled: int, size: tuple[int, int]
) -> dict[tuple[int, int], str]:
    """Map each merged cell, except the first, to its fault.

    Returns {} for one row with one filled cell, such as a title.

    filled: number of filled cells in their first row. size: numbers of rows and columns of the sheet; whole
    columns may be merged.
    """
    if rows == 1 and filled == 1:
        return {}  # a title, or the heading of a group
    row, column = first
    named = f"{cell_name(*first)}:{cell_name(row + rows - 1, column + columns - 1)}"
    below, beside = min(rows, size[0] - row), min(columns, size[1] - column)
    cells = [(row + down, column + right) for down in range(below) for right in range(beside)]
    return dict.fromkeys(cells[1:], f"part of the merged cells {named}: unmerge them and fill in each cell")


def _open_document(path: Path, sheet: str) -> SheetCells:
    data = path.read_bytes()
    _refuse_no_workbook(path, data)
    try:
        tables = {one.name: one for one in sheets_of(data)}
    except (TooLargeError, DocumentTypeError) as error:
        raise UsageError(f"{path}: {error}; {AS_CSV}") from error
    except Exception as error:  # a damaged file may raise anything
        raise UsageError(f"{path}: no sheet can be read: {type(error).__name__}; {AS_CSV}") from error
    in_order = sorted(tables, key=lambda name: (not tables[name].values, tables[name].is_hidden))
    name = _chosen(path, sheet, in_order)
    table = tables[name]
    last = max((row for row, _ in table.values), default=-1)
    widths = Counter(row for row, _ in table.values)
    rows: list[list[str]] = [[] for _ in range(last + 1)]
    for row, column in sorted(table.values):
        value = table.values[row, column]
        text = _shown(value[0], "0%") if isinstance(value, tuple) else _shown(value)
        rows[row] += ["" for _ in range(column - len(rows[row]))] + [text]
    faults = dict.fromkeys(table.unsaved, NO_VALUE)
    for first, height, width in table.merged:
        faults |= _merged(first, height, width, widths[first[0]], (len(rows), max(map(len, rows))))
    dimmed = dict.fromkeys(table.hidden_rows, "hidden")
    others = _but(name, [one for one in tables if tables[one].values])
    return SheetCells(rows, sheet=name, others=others, faults=faults, dimmed=dimmed)


def _old_workbook(path: Path, sheet: str) -> SheetCells:
    try:
        import xlrd
    except ImportError as error:
        raise UsageError(
            f"{path}: {path.suffix} files need an optional reader; {AS_CSV}, or {extra('excel')}"
        ) from error
    data = path.read_bytes()
    if zipfile.is_zipfile(io.BytesIO(data)):  # the name of an old workbook, the content of a new one
        return _workbook(path, sheet)
    if not data.startswith(OLD):
        refuse_other_files(path, data)
    try:
        book = xlrd.open_workbook(file_contents=data, formatting_info=True, logfile=io.StringIO())
        tables = {one.name: one for one in book.sheets()}
    except Exception as error:  # the reader may raise anything for a damaged file
        raise UsageError(
            f"{path}: no sheet can be read ({type(error).__name__}); remove its password, if it has one, or "
            f"{AS_CSV}"
        ) from error
    filled = {
        name: [[cell if cell.value != "" else None for cell in table.row(at)] for at in range(table.nrows)]
        for name, table in tables.items()
    }
    in_order = sorted(tables, key=lambda name: (not any(map(any, filled[name])), tables[name].visibility > 0))
    name = _chosen(path, sheet, in_order)
    table, cells = tables[name], filled[name]

    def shown(cell: Any) -> str:
        if cell is None:
            return ""
        if cell.ctype == xlrd.XL_CELL_ERROR:
            return str(xlrd.error_text_from_code.get(cell.value, "#VALUE!"))
        if cell.ctype == xlrd.XL_CELL_DATE:
            try:
                moment = xlrd.xldate_as_datetime(cell.value, book.datemode)
            except (ValueError, OverflowError):  # a date after the year 9999
                return "#VALUE!"
            return _shown(moment.time() if 0 <= cell.value < 1 else moment)
        value = bool(cell.value) if cell.ctype == xlrd.XL_CELL_BOOLEAN else cell.value
        return _shown(value, book.format_map[book.xf_list[cell.xf_index].format_key].format_str)

    faults: dict[tuple[int, int], str] = {}
    dimmed: dict[int, str] = {}
    for row, below, column, beside in table.merged_cells:
        first = cells[row][column:beside] if row < len(cells) else []
        if first and first[0]:
            count = sum(cell is not None for cell in first)
            whole = (table.nrows, table.ncols)
            faults |= _merged((row, column), below - row, beside - column, count, whole)
    for at, line in enumerate(cells):
        fonts = [book.font_list[book.xf_list[cell.xf_index].font_index] for cell in line if cell]
        if fonts and at in table.rowinfo_map and table.rowinfo_map[at].hidden:
            dimmed[at] = "hidden"
        elif fonts and all(font.struck_out for font in fonts):
            dimmed[at] = "struck through"
    others = _but(name, [one for one in tables if any(map(any, filled[one]))])
    rows = [[shown(cell) for cell in line] for line in cells]
    return SheetCells(rows, sheet=name, others=others, faults=faults, dimmed=dimmed)


def _chosen(path: Path, sheet: str, names: Sequence[str]) -> str:
    """Return the name of the requested sheet, ignoring case; by default the first.

    Raises UsageError if there is no such sheet.
    """
    if not names:
        raise UsageError(
            f"{path}: the workbook has no sheet with cells; fill in a sheet, or choose another file"
        )
    if not sheet:
        return names[0]
    if (same := as_spelled(sheet, names)) in names:
        return same
    raise UsageError(f"{path}: no sheet {sheet!r}{did_you_mean(sheet, names)}")


def _but(name: str, names: Sequence[str] | dict[str, Any]) -> tuple[str, ...]:
    return tuple(one for one in names if one != name)


def _shown(value: Any, number_format: str = "") -> str:
    """Return a value as the sheet shows it: 3 for 3.0, 50% for 0.5 in percent, TRUE for a ticked box."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).upper()
    is_percent = isinstance(value, int | float) and PERCENT.search(number_format)
    if is_percent or isinstance(value, float):
        text = f"{value * 100 if is_percent else value:.{DIGITS}g}"
        # with a zero, because three digits after a point may be thousands in a text, but not in a number
        return f"{text}{'0' if THREE_DECIMALS.search(text) else ''}{'%' if is_percent else ''}"
    return DAY.sub("", NO_DAY.sub("", str(value)))
