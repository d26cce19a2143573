"""A table as text: CSV of any separator and encoding, or a sheet of Excel. Every row keeps the number that a
spreadsheet shows beside it.
"""

import csv
import io
import re
import warnings
from collections import Counter
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

from bartizan.simcore.errors import UsageError

SEPARATORS = (",", ";", "\t", "|")
LOOKED_AT = 50  # rows that tell the separator
MARKS = ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))
AS_CSV = "save the sheet as CSV (UTF-8) and import that"
NO_DAY = re.compile(r"^1899-12-3[01] ")  # the day that Excel gives a time of day, or a duration
WITHIN = 10  # rows within which headings are looked for


@dataclass(frozen=True)
class Sheet:
    """Headings, each once, and rows below them."""

    name: str  # of the file
    headings: list[str]
    rows: list[tuple[int, list[str]]]  # (row of the sheet, cells; as many as there are)
    # what a reader must know: an encoding, rows above the headings
    notes: list[str] = field(default_factory=list)
    separator: str = ","

    def column(self, heading: str) -> list[str]:
        at = self.headings.index(heading)
        return [cells[at] for _, cells in self.rows if at < len(cells)]


def read_sheet(path: Path) -> Sheet:
    """Raises UsageError for a file without a table."""
    notes: list[str] = []
    separator = ","
    if path.suffix.lower() in (".xlsx", ".xls", ".ods"):
        rows = _excel(path)
    else:
        text = _text(path.read_bytes(), notes)
        separator, text = _separator(text)
        rows = _rows(path, text, separator)
    first = _headings_at(rows)
    if first is None:
        raise UsageError(f"{path}: no table: no row has headings; the first row names the columns")
    if first:
        rows_above = f"rows 1 to {first} stand" if first > 1 else "row 1 stands"
        notes.append(f"{rows_above} above the headings")
    below = [(number, cells) for number, cells in enumerate(rows, 1) if number > first + 1 and cells]
    return Sheet(path.name, _once(rows[first][: _width(rows[first], below)]), below, notes, separator)


def _width(headings: list[str], rows: list[tuple[int, list[str]]]) -> int:
    """How many columns there are: those at the end with neither heading nor cells are none."""
    filled = [headings, *(cells[: len(headings)] for _, cells in rows)]
    return max(at for cells in filled for at, cell in enumerate(["", *cells]) if cell.strip() or not at)


def _text(data: bytes, notes: list[str]) -> str:
    for mark, encoding in MARKS:
        if data.startswith(mark):
            return data.decode(encoding, errors="replace")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        notes.append("not UTF-8: read as cp1252, as Windows writes it")
        return data.decode("cp1252", errors="replace")


def _separator(text: str) -> tuple[str, str]:
    """The separator, and the text without Excel's line that names it."""
    first, _, rest = text.partition("\n")
    if first.strip().lower().startswith("sep=") and len(first.strip("\r")) == 5:
        return first[4], rest
    return max(SEPARATORS, key=lambda mark: _fit(text, mark)), text


def _fit(text: str, mark: str) -> tuple[int, int]:
    """(rows as long as the longest common length, that length): how well a separator cuts the first rows."""
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


def _rows(path: Path, text: str, separator: str) -> list[list[str]]:
    try:
        return list(csv.reader(io.StringIO(text, newline=""), delimiter=separator))
    except csv.Error as error:
        raise UsageError(f"{path}: not a table of text: {error}; {AS_CSV}") from error


def _excel(path: Path) -> list[list[str]]:
    """The first sheet, every cell as text."""
    import polars as pl

    try:
        import fastexcel  # noqa: F401
    except ImportError as error:
        raise UsageError(
            f"{path}: Excel files need an optional reader; {AS_CSV}, or: pip install fastexcel"
        ) from error
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            frame = pl.read_excel(path, has_header=False, drop_empty_rows=False, infer_schema_length=0)
    except Exception as error:  # whatever the reader says of a damaged file
        raise UsageError(f"{path}: no sheet can be read: {type(error).__name__}; {AS_CSV}") from error
    return [[NO_DAY.sub("", "" if cell is None else str(cell)) for cell in row] for row in frame.iter_rows()]


def _headings_at(rows: list[list[str]]) -> int | None:
    """The first row with two cells or more; a table of one column has its headings in its first."""
    filled = [sum(bool(cell.strip()) for cell in cells) for cells in rows[:WITHIN]]
    for least in (2, 1):
        for at, cells in enumerate(filled):
            if cells >= least:
                return at
    return None


def _once(cells: list[str]) -> list[str]:
    """Headings, each once: a second `Name` is `Name (2)`, one without words `column 5`."""
    headings: list[str] = []
    for at, cell in enumerate(cells, 1):
        heading = " ".join(cell.split()) or f"column {at}"
        others = (f"{heading} ({number})" for number in count(2))
        headings.append(
            heading if heading not in headings else next(one for one in others if one not in headings)
        )
    return headings
