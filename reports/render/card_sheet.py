"""Copy of the designer's sheet of cards with results beside each card.

The copy of a workbook has the columns, formulas and formats that openpyxl supports. Results are added to the
right of all existing columns.
"""

import csv
import io
import zipfile
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bartizan.analyses.statistics.intervals import Interval
from bartizan.reports.render import workbook
from bartizan.simcore.errors import UsageError
from bartizan.simcore.files import HEADING_MARK, check_output, write_atomic, writing
from bartizan.simcore.sheets import WORKBOOKS, read_cells
from bartizan.simcore.short.card_table import COPIES, NAME, CardSheet

if TYPE_CHECKING:
    from openpyxl import Workbook
    from openpyxl.worksheet.worksheet import Worksheet

SUFFIXES = (".xlsx", ".csv")
VALUE, WORTH = "Value", "Worth"  # of a card in hand; of a kind that is left out
LOW, HIGH = "Low", "High"
USED, DRAWN, VERDICT = "Used, %", "Wins when drawn, %", "Verdict"
METHOD = f"Method {HEADING_MARK}"
ABOVE, BELOW = "CCEBE0", "F7DCC4"  # fills: interval above 0, interval below 0
DIGITS = 1
NOT_KEPT = ("xl/charts/", "xl/media/", "xl/pivotTables/", "xl/slicers/")  # parts that openpyxl may drop


@dataclass(frozen=True)
class CardFinding:
    """Results of one kind of card. A result that was not requested is None.

    value: difference of win rates, from -1 to 1, or of scores if `in_points`. value_is: its heading. used:
    share of the drawn copies that were used as printed. drawn: win rate of the players who drew the card.
    """

    card: str
    value: Interval | None = None
    used: float | None = None
    drawn: Interval | None = None
    verdict: str = ""
    in_points: bool = False
    value_is: str = VALUE

    @property
    def cells(self) -> dict[str, float | str | None]:
        """Result columns, as {heading: number or text}. Shares are in percent."""
        value, drawn = self.value, self.drawn
        unit = "points" if self.in_points else "pp"
        names = [f"{name}, {unit}" for name in (self.value_is, LOW, HIGH)]
        numbers = (None, None, None) if value is None else (value.estimate, value.low, value.high)
        shown = _rounded if self.in_points else _hundredths
        return {
            **{name: None if n is None else shown(n) for name, n in zip(names, numbers, strict=True)},
            USED: None if self.used is None else _hundredths(self.used),
            DRAWN: None if drawn is None else _hundredths(drawn.estimate),
            VERDICT: self.verdict or None,
        }


def check_card_sheet(target: Path, decks: Mapping[str, CardSheet]) -> None:
    """Raise UsageError unless the target is a writable .xlsx or .csv file that the game does not read.

    A .csv file can contain only one deck. Call this before any game is simulated.
    """
    if target.suffix.lower() not in SUFFIXES:
        raise UsageError(f"-o {target}: the name must end in .xlsx or .csv")
    sources = {table.origin.path.resolve() for table in decks.values() if table.origin}
    if target.resolve() in sources:
        raise UsageError(f"-o {target}: the game reads this sheet; write to another file")
    check_output(target)
    if target.suffix.lower() == ".csv" and len(decks) > 1:
        raise UsageError(
            f"-o {target}: the game has {len(decks)} decks, but a .csv file contains only one; write a .xlsx "
            "file"
        )


def write_card_sheet(
    decks: Mapping[str, CardSheet], found: Sequence[CardFinding], method: Sequence[str], target: Path
) -> list[str]:
    """Write the sheets of a game's decks with the results of their cards, and return warnings.

    decks: {name: deck as the game reads it}. found: results, with card names as results print them. method:
    lines for an additional sheet of a workbook. Raises UsageError as `check_card_sheet` does.
    """
    check_card_sheet(target, decks)
    by_card = {one.card: one for one in found}
    lines = {deck: [by_card.get(card) for card in cards] for deck, cards in _cards_named(decks).items()}
    names = dict.fromkeys(name for one in found for name in one.cells)
    headings = [name for name in names if any(one.cells.get(name) is not None for one in found)]
    if target.suffix.lower() == ".csv":
        ((deck, table),) = decks.items()
        data = _as_csv(table, lines[deck], headings)
        notes: list[str] = []
    else:
        data, notes = _as_workbook(decks, lines, headings, method)
    with writing(f"-o {target}"):
        write_atomic(target, data)
    return notes


def _cards_named(decks: Mapping[str, CardSheet]) -> dict[str, list[str]]:
    """Return {deck: names of its cards in results}.

    A name that several decks have is followed by its deck.
    """
    times = Counter(row[NAME] for table in decks.values() for row in table.rows)
    return {
        deck: [row[NAME] if times[row[NAME]] == 1 else f"{row[NAME]} ({deck})" for row in table.rows]
        for deck, table in decks.items()
    }


def _rounded(points: float) -> float | None:
    return round(points, DIGITS) if isfinite(points) else None


def _hundredths(share: float) -> float | None:
    """Return the share in percent, rounded to DIGITS decimals; None for an infinite limit."""
    return round(100 * share, DIGITS) if isfinite(share) else None


Found = Sequence[CardFinding | None]  # one entry per kind of card in a deck


# ---------------------------------------------------------------- .csv


def _as_csv(table: CardSheet, found: Found, headings: Sequence[str]) -> bytes:
    """Return a CSV file with the unchanged rows and the added columns.

    In a file with semicolons, results have decimal commas.
    """
    if table.origin is None:
        rows, kinds, top, separator = [*_plain_rows(table)], _plain_kinds(table), 0, ","
    else:
        cells = read_cells(table.origin.path, table.origin.sheet)
        rows, kinds, top = [list(row) for row in cells.rows], table.origin.kinds, table.origin.top
        separator = cells.separator
    first = _first_free(rows, top)
    file = io.StringIO(newline="")
    writer = csv.writer(file, delimiter=separator)
    for at, row in enumerate(rows):
        kept = [str(cell) for cell in row[:first]]
        if at == top:
            added = [f"{heading} {HEADING_MARK}" for heading in headings]
        elif (one := _at(found, kinds, at)) is not None:
            added = [_csv_text(one.cells[heading], separator) for heading in headings]
        else:
            added = []
        writer.writerow([*kept, *[""] * (first - len(kept)), *added] if added else kept)
    return file.getvalue().encode("utf-8-sig")


def _csv_text(value: float | str | None, separator: str) -> str:
    text = "" if value is None else str(value)
    return text.replace(".", ",") if separator == ";" and isinstance(value, float) else text


def _first_free(rows: Sequence[Sequence[Any]], top: int) -> int:
    """Return the index of the first column after all content.

    If results of an earlier call are at the right end, returns the index of their first column.
    """
    heads = [str(heading).strip() for heading in rows[top]]
    marked = next((at for at, heading in enumerate(heads) if HEADING_MARK in heading), len(heads))
    if all(HEADING_MARK in heading for heading in heads[marked:] if heading) and marked < len(heads):
        return marked
    filled = (at for row in rows for at, cell in enumerate(row, 1) if str(cell).strip())
    return max(filled, default=0)


def _at(found: Found, kinds: Mapping[int, int], row: int) -> CardFinding | None:
    return found[kinds[row]] if row in kinds else None


# ---------------------------------------------------------------- .xlsx


def _as_workbook(
    decks: Mapping[str, CardSheet], found: Mapping[str, Found], headings: Sequence[str], method: Sequence[str]
) -> tuple[bytes, list[str]]:
    """Return (content, warnings) of an annotated copy of the first workbook that a deck comes from.

    If no deck comes from a workbook, the copy starts empty. Decks from other files are on additional sheets.
    """
    import openpyxl

    paths = [table.origin.path for table in decks.values() if table.origin and _is_workbook(table)]
    notes = []
    if paths:
        book = openpyxl.load_workbook(io.BytesIO(paths[0].read_bytes()), rich_text=True)
        if lost := _may_be_lost(paths[0]):
            notes.append(f"{paths[0].name}: the copy may lack {lost}; the original file is unchanged")
        if METHOD in book.sheetnames:
            del book[METHOD]
    else:
        book = workbook.new_book()
    for deck, table in decks.items():
        origin = table.origin
        if origin and paths and origin.path == paths[0]:
            _annotate(book[origin.sheet], origin.top, origin.kinds, found[deck], headings)
        else:
            sheet, top, kinds = _copied(book, deck, table)
            _annotate(sheet, top, kinds, found[deck], headings)
    workbook.add_lines(book, METHOD, method)
    return workbook.bytes_of(book), notes


def _is_workbook(table: CardSheet) -> bool:
    return table.origin is not None and table.origin.path.suffix.lower() in WORKBOOKS


def _may_be_lost(path: Path) -> str:
    with zipfile.ZipFile(path) as archive:
        parts = {name.split("/")[1] for name in archive.namelist() if name.startswith(NOT_KEPT)}
    words = {"charts": "charts", "media": "pictures", "pivotTables": "pivot tables", "slicers": "slicers"}
    return " and ".join(words[part] for part in sorted(parts))


def _copied(book: "Workbook", deck: str, table: CardSheet) -> tuple["Worksheet", int, Mapping[int, int]]:
    """Copy the rows of a deck to a new sheet, with integers in text as numbers.

    Returns the sheet, the row of headings, and {row: index of the kind of card}. Rows count from 0.
    """
    if table.origin is None:
        rows, kinds, top = [*_plain_rows(table)], _plain_kinds(table), 0
    else:
        cells = read_cells(table.origin.path, table.origin.sheet)
        rows, kinds, top = cells.rows, table.origin.kinds, table.origin.top
    sheet = book.create_sheet(workbook.free_name(book, deck))
    for row, values in enumerate(rows, 1):
        for column, value in enumerate(values, 1):
            if isinstance(value, int):
                sheet.cell(row, column, value)
            elif value.strip().isdecimal() and not value.strip().startswith("0"):
                sheet.cell(row, column, int(value))
            elif value:
                workbook.put_text(sheet, row, column, value)
    return sheet, top, kinds


def _plain_rows(table: CardSheet) -> Iterable[list[Any]]:
    """Yield headings and one row per kind of card, for a deck that has no sheet."""
    columns = [*(table.rows[0] if table.rows else (NAME, COPIES))]
    yield [table.headings.get(column, column.capitalize()) for column in columns]
    yield from ([row[column] for column in columns] for row in table.rows)


def _plain_kinds(table: CardSheet) -> dict[int, int]:
    return {number + 1: number for number in range(len(table.rows))}


def _annotate(
    sheet: "Worksheet", top: int, kinds: Mapping[int, int], found: Found, headings: Sequence[str]
) -> None:
    """Write result columns after the columns of a sheet. `top` and the rows of `kinds` count from 0."""
    from openpyxl.utils import get_column_letter

    rows = [["" if cell is None else cell for cell in row] for row in sheet.iter_rows(values_only=True)]
    first = _first_free(rows, top) + 1
    beside = sheet.cell(top + 1, max(first - 1, 1))
    if sheet.cell(top + 1, first).value:
        _remove_result(sheet, first, [top, *kinds])
    for column, heading in enumerate(headings, first):
        head = workbook.put_text(sheet, top + 1, column, f"{heading} {HEADING_MARK}")
        for style in ("font", "fill", "border", "alignment"):
            setattr(head, style, copy(getattr(beside, style)))
        sheet.column_dimensions[get_column_letter(column)].width = len(head.value) + 2
        for row in kinds:
            one = _at(found, kinds, row)
            value = one and one.cells[heading]
            cell = sheet.cell(row + 1, column)
            if isinstance(value, str):
                workbook.put_text(sheet, row + 1, column, value)
            elif value is not None:
                cell.value, cell.number_format = value, f"0.{'0' * DIGITS}"
    if kinds:
        _colour(sheet, first, headings, min(kinds) + 1, max(kinds) + 1)


def _remove_result(sheet: "Worksheet", first: int, rows: Iterable[int]) -> None:
    """Remove the columns of an earlier result and their conditional formats. rows: counted from 0."""
    for row in rows:
        for column in range(first, sheet.max_column + 1):
            sheet.cell(row + 1, column).value = None
    for area in list(sheet.conditional_formatting):
        if all(cells.min_col >= first for cells in area.cells.ranges):
            del sheet.conditional_formatting[str(area.sqref)]


def _colour(sheet: "Worksheet", first: int, headings: Sequence[str], top: int, end: int) -> None:
    """Colour the results in rows whose interval is entirely above or below 0, by conditional formatting."""
    from openpyxl.formatting.rule import FormulaRule
    from openpyxl.styles import PatternFill
    from openpyxl.utils import get_column_letter

    limits = [name for limit in (LOW, HIGH) for name in headings if name.startswith(f"{limit}, ")]
    if not limits:
        return
    low, high = (get_column_letter(first + headings.index(name)) for name in limits)
    last = get_column_letter(first + len(headings) - 1)
    area = f"{get_column_letter(first)}{top}:{last}{end}"
    for limit, sign, colour in ((low, ">", ABOVE), (high, "<", BELOW)):
        formula = f"AND(ISNUMBER(${limit}{top}),${limit}{top}{sign}0)"
        fill = PatternFill("solid", bgColor=colour)
        sheet.conditional_formatting.add(area, FormulaRule(formula=[formula], fill=fill))
