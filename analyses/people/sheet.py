"""Tables of plays: CSV of any separator and encoding, or a sheet of Excel, as headings and rows."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from bartizan.analyses.people.cells import KNOWN_HEADINGS, plain_heading
from bartizan.simcore.errors import UsageError
from bartizan.simcore.sheets import cell_name, read_cells
from bartizan.simcore.short.card_sheet import TOTALS, plain

WITHIN = 10  # rows in which headings are searched
SHOWN = 8  # maximum rows in a note
BELOW = 3  # rows that may be the headings, from the first row with cells


@dataclass(frozen=True)
class Sheet:
    """Unique headings, and the rows below them."""

    name: str  # name of the file
    headings: list[str]
    rows: list[tuple[int, list[str]]]  # (row of the sheet, cells)
    # notes for the user, such as the encoding or rows above the headings
    notes: list[str] = field(default_factory=list)
    separator: str = ","

    def column(self, heading: str) -> list[str]:
        at = self.headings.index(heading)
        return [cells[at] for _, cells in self.rows if at < len(cells)]


def read_sheet(path: Path) -> Sheet:
    """Read a sheet. Raises UsageError for a file without a table, and for a cell without a value."""
    cells = read_cells(path)
    rows, notes = cells.rows, list(cells.notes)
    first = _headings_at(rows)
    if first is None:
        raise UsageError(
            f"{path}: not a table, because no row has headings; write the column names in the first row"
        )
    if first:
        rows_above = f"rows 1 to {first} are" if first > 1 else "row 1 is"
        notes.append(f"{rows_above} above the headings")
    if others := len(cells.others):
        notes.append(
            f"read from one of {others + 1} sheets; to import the others, save each as a file of its own"
        )
    if dimmed := [str(row + 1) for row in sorted(cells.dimmed) if row > first]:
        listed = ", ".join(dimmed[:SHOWN]) + (f" and {len(dimmed) - SHOWN} more" if dimmed[SHOWN:] else "")
        notes.append(f"also read, although hidden or struck through in the workbook: row {listed}")
    for (row, column), why in cells.faults.items():
        if row > first:
            raise UsageError(f"{path}, {cells.sheet}!{cell_name(row, column)}: {why}")
    below = [(number, cells) for number, cells in enumerate(rows, 1) if number > first + 1 and cells]
    while below and _is_of_totals(below[-1][1]):
        number, last = below.pop()
        word = next(cell.strip() for cell in last if cell.strip())
        notes.append(f"row {number} ({word}) is not read, because it has totals")
    return Sheet(path.name, _once(rows[first][: _width(rows[first], below)]), below, notes, cells.separator)


def _is_of_totals(cells: list[str]) -> bool:
    """Return whether a row begins with a word such as "Total" and contains only numbers after it."""
    word, *numbers = [cell.strip() for cell in cells if cell.strip()] or [""]
    return plain(word) in TOTALS and not any(letter.isalpha() for cell in numbers for letter in cell)


def _width(headings: list[str], rows: list[tuple[int, list[str]]]) -> int:
    """Return the number of columns, without trailing columns that have neither heading nor cells."""
    filled = [headings, *(cells[: len(headings)] for _, cells in rows)]
    return max(at for cells in filled for at, cell in enumerate(["", *cells]) if cell.strip() or not at)


def _headings_at(rows: list[list[str]]) -> int | None:
    """Return the index of the row of headings; None if the first WITHIN rows are empty.

    It is the first row with at least two cells or, in a table of one column, the first row with a cell.

    A row of groups above the headings ("The play", "Player 1") is skipped if a row below has more known
    headings.
    """
    filled = [sum(bool(cell.strip()) for cell in cells) for cells in rows[:WITHIN]]
    for at, cells in enumerate(filled):
        if cells > 1:
            below = [row for row in range(at + 1, min(at + BELOW, len(filled))) if filled[row] > 1]
            better = [row for row in below if 2 * headings_in(rows[row]) >= filled[row]]
            return max([at, *better], key=lambda row: headings_in(rows[row]))
    return next((at for at, cells in enumerate(filled) if cells), None)


def headings_in(cells: Sequence[str]) -> int:
    """Return the number of cells that are headings in the vocabulary."""
    return sum(re.sub(r"\s+\d+$", "", plain_heading(cell)) in KNOWN_HEADINGS for cell in cells)


def _once(cells: list[str]) -> list[str]:
    """Return unique headings: a second `Name` becomes `Name (2)`; an empty heading becomes `column 5`."""
    headings: list[str] = []
    for at, cell in enumerate(cells, 1):
        heading = " ".join(cell.split()) or f"column {at}"
        names = (heading, *(f"{heading} ({number})" for number in range(2, at + 1)))
        headings.append(next(name for name in names if name not in headings))
    return headings
