"""A designer's sheet of cards, read as a deck: its columns of names, copies and numbers.

Rows that are not cards (empty rows, comments, totals) are ignored and blank numbers are 0; `notes` reports
each
case once. Anything ambiguous is a `SheetError` that names the cell and what to write instead.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from bartizan.simcore.errors import UsageError
from bartizan.simcore.files import HEADING_MARK
from bartizan.simcore.sheets import cell_name, letter_of, read_cells
from bartizan.simcore.short.card_table import COPIES, NAME, CardSheet, SheetError, SheetOrigin
from bartizan.simcore.short.tabletop_deck import read_tabletop_deck

# usual headings, in order of preference
NAMES = (
    NAME,
    "card name",
    "card",
    "title",
    "card title",
    "kartenname",
    "karte",
    "titel",
    "nom",
    "nome",
    "naam",
    "nickname",
    "item name",
    "item",
)
COUNTS = (
    COPIES,
    "copy",
    "qty",
    "quantity",
    "count",
    "amount",
    "item amount",
    "card count",
    "number of copies",
)
COUNTS += (
    "no of copies",
    "copies in deck",
    "in deck",
    "anzahl",
    "menge",
    "exemplare",
    "quantite",
    "cantidad",
    "aantal",
    "number of cards",
    "how many",
    "# of copies",
    "# in deck",
    "# copies",
)
COUNTS += ("number", "#", "no", "nr")  # may be a numbering: see `_is_numbering`
NUMBERINGS = ("number", "#", "no", "nr")
TOTALS = (
    "total",
    "totals",
    "grand total",
    "sum",
    "subtotal",
    "summe",
    "gesamt",
    "zwischensumme",
    "somme",
    "totale",
)
COMMENTS = ("#", "//", ";", "--")
BLANKS = ("", "-", "–", "—", "n/a", "na", "none", "null")
# check boxes as exported by spreadsheets, and by Airtable and Notion
TRUTHS = {"true": 1, "false": 0}
TICKS = TRUTHS | {"checked": 1, "yes": 1, "no": 0}
BROKEN = re.compile(r"#(REF|DIV/0|VALUE|NAME|N/A|NUM|NULL|SPILL|CALC|ERROR)[!?]?", re.I)
WHOLE = re.compile(r"[+-]?\d+([.,]00?)?")  # 3,0 is another way of writing 3
DECIMAL = re.compile(r"[+-]?(\d+[.,]\d+|[.,]\d+)")
THOUSANDS = re.compile(r"[+-]?\d{1,3}([.,]\d{3})+")
WITHIN = 20  # rows within which headings are searched
SHOWN = 3  # maximum cells in a note


def plain(text: str) -> str:
    """Return a heading for comparison: without case and punctuation, and without accents in common words."""
    apart = re.sub(r"(?<=[a-zäöüß])(?=[A-Z])", " ", text.strip().lstrip("*"))
    bare = apart.casefold().replace("é", "e")
    return " ".join(re.sub(r"[^\w#]+|_+", " ", bare).split())


def column_of(heading: str) -> str:
    """Return the name of a column in rules, n.COLUMN: "Attack Power" is attack_power."""
    return "_".join(plain(heading).replace("#", " ").split())


def read_card_sheet(
    path: Path, sheet: str = "", copies: str = "", name: str = "", scale: Mapping[str, int] | None = None
) -> CardSheet:
    """Read a sheet of cards. sheet: of a workbook, or the deck in a saved object of Tabletop Simulator.
    copies, name: the headings of these columns, if they differ from the defaults. scale: column -> factor for
    columns of decimals. Raises SheetError, OSError.
    """
    if path.suffix.lower() == ".json":
        return read_tabletop_deck(path, sheet)
    try:
        return _SheetReading(path, sheet, copies, name, dict(scale or {})).card_sheet()
    except UsageError as error:  # faults of the file as a whole
        raise SheetError(str(error).replace(str(path), path.name)) from error


class _SheetReading:
    """A sheet that is being read. Rows and columns count from 0, as in `SheetCells`."""

    def __init__(self, path: Path, sheet: str, copies: str, name: str, scale: dict[str, int]):
        self.cells = read_cells(path, sheet)
        self.file = f"{path.name}, {self.cells.sheet}!" if self.cells.sheet else f"{path.name}, "
        self.path, self.file_name = path, path.name
        self.notes: list[str] = []
        self.aside = list(self.cells.notes)  # reported last, because they change no number
        self.scale = scale
        if self.cells.others and not sheet:
            others = ", ".join(self.cells.others)
            self.aside.append(f"read from its first sheet, {self.cells.sheet}; other sheets: {others}")
        self.top = self._headings_row(name)
        self.headings = self._headings()
        self.name_at = self._column(NAMES, name, "names", "name")
        self.copies_at = self._column(COUNTS, copies, "copies", "copies")
        if self.name_at is None:
            raise SheetError(
                f'{self.at(self.top, 0)}: no column of names: call one of them "name", or specify '
                f'it: Deck("{path.name}", name="{next(iter(self.headings.values()), "Title")}")'
            )

    def at(self, row: int, column: int) -> str:
        return f"{self.file}{cell_name(row, column)}"

    def text(self, row: int, column: int | None) -> str:
        cells = self.cells.rows[row]
        return cells[column].strip() if column is not None and column < len(cells) else ""

    # ------------------------------------------------------------ headings

    def _headings_row(self, name: str) -> int:
        """Return the row with a column of names and the most known headings, otherwise the first row with
        cells.
        """
        wanted = {plain(name)} if name else set(NAMES)
        rows = self.cells.rows[:WITHIN]
        if not any(cell.strip() for cells in self.cells.rows for cell in cells):
            raise SheetError(
                f"{self.file_name}: the file is empty; write column names in the first row and cards "
                "in the others"
            )
        first = next(at for at, cells in enumerate(self.cells.rows) if any(cell.strip() for cell in cells))
        said = [{plain(cell) for cell in cells} for cells in rows]
        named = [at for at, headings in enumerate(said) if headings & wanted]
        top = max(named, key=lambda at: len(said[at] & (wanted | set(COUNTS))), default=first)
        if top > first:
            rows_above = f"rows {first + 1} to {top}" if top > first + 1 else f"row {top}"
            self.aside.append(f"{rows_above} above the headings ignored")
        return top

    def _headings(self) -> dict[int, str]:
        """Return column -> its heading; columns without one contain remarks, marked ones earlier results."""
        headings = {
            i: " ".join(text.split())
            for i, text in enumerate(self.cells.rows[self.top])
            if text.strip() and HEADING_MARK not in text
        }
        seen: dict[str, int] = {}
        for i, heading in headings.items():
            if (first := seen.setdefault(column_of(heading), i)) != i:
                raise SheetError(
                    f"{self.at(self.top, i)}: {heading!r} is also the heading of column "
                    f"{letter_of(first)}: rename one of them"
                )
        return headings

    def _column(self, known: Iterable[str], asked: str, what: str, option: str) -> int | None:
        by_name = {plain(heading): i for i, heading in self.headings.items()}
        if asked:
            if plain(asked) in by_name:
                return by_name[plain(asked)]
            there = ", ".join(self.headings.values())
            raise SheetError(f"{self.file_name}: no column {asked!r} for {option}=; the columns are: {there}")
        found = next((by_name[one] for one in known if one in by_name), None)
        if found is None or self.headings[found].strip() == option:
            return found
        heading = self.headings[found]
        if what == "copies" and plain(heading) in NUMBERINGS and self._is_numbering(found):
            raise SheetError(
                f"{self.at(self.top, found)}: {heading!r} counts from 1: is it a numbering, or copies? "
                f'Write Deck("{self.file_name}", copies="{heading}"), or rename the column to '
                '"id"'
            )
        self.notes.append(f"{what} are read from {heading!r}")
        return found

    def _is_numbering(self, column: int) -> bool:
        texts = [
            text for row in range(self.top + 1, len(self.cells.rows)) if (text := self.text(row, column))
        ]
        return len(texts) > 2 and texts == [str(i + 1) for i in range(len(texts))]

    # ------------------------------------------------------------ rows

    def card_sheet(self) -> CardSheet:
        rows = list(self._rows_of_cards())
        if not rows:
            raise SheetError(f"{self.file_name}: no cards below the headings in row {self.top + 1}")
        for row in rows:
            for column in self.headings:
                self._refuse_broken(row, column)
        columns: dict[str, list[Any]] = {NAME: [self.text(row, self.name_at) for row in rows]}
        if self.copies_at is None:
            self.notes.append("no column of copies: one copy of each card")
            columns[COPIES] = [1] * len(rows)
        else:
            columns[COPIES] = self._copies(rows)
        unread: dict[str, str] = {}
        named = {NAME: self.headings[self.name_at]} if self.name_at is not None else {}
        named |= {COPIES: self.headings[self.copies_at]} if self.copies_at is not None else {}
        for i, heading in self.headings.items():
            if i not in (self.name_at, self.copies_at):
                column = column_of(heading) or f"column_{letter_of(i).lower()}"
                named[column] = heading
                columns[column], why = self._values(rows, i, self.scale.pop(column, 0))
                if why:
                    unread[column] = f"{heading!r} of {self.file_name} {why}"
        if self.scale:
            raise SheetError(
                f"{self.file_name}: scale names {', '.join(self.scale)}, which is not a column of numbers"
            )
        cards = [dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)]
        every_row, every_card = rows, cards
        cards, rows = self._once(cards, rows)
        places = [f"{self.file_name}, row {row + 1}" for row in rows]
        notes = [f"{self.file_name}: {note}" for note in (*self.notes, *self.aside)]
        numbers = {plain(card[NAME]): number for number, card in enumerate(cards)}
        kinds = {row: numbers[plain(card[NAME])] for row, card in zip(every_row, every_card, strict=True)}
        origin = SheetOrigin(self.path, self.cells.sheet, self.top, kinds)
        return CardSheet(cards, places, notes, unread, named, origin)

    def _rows_of_cards(self) -> Iterator[int]:
        left_out: dict[str, list[int]] = {}
        total = 0
        for row in range(self.top + 1, len(self.cells.rows)):
            texts = {i: self.text(row, i) for i in self.headings}
            filled = [i for i, text in texts.items() if text]
            faulty = any((row, i) in self.cells.faults for i in texts)
            if not filled and not faulty:
                continue
            name, count = self.text(row, self.name_at), self.text(row, self.copies_at)
            first = next((text for text in self.cells.rows[row] if text.strip()), "").strip()
            if self._is_total(name, first, count, total):
                left_out.setdefault("a total", []).append(row)
            elif first.startswith(COMMENTS) and first == (name or first) and not self._is_card(row):
                left_out.setdefault("a comment", []).append(row)
            elif (
                filled == [self.name_at]
                and len(self.headings) > 1
                and self.copies_at is not None
                and not faulty
            ):
                left_out.setdefault("only a name", []).append(row)
            elif not name and (row, self.name_at) not in self.cells.faults:
                raise SheetError(
                    f"{self.at(row, self.name_at or 0)}: a card without a name: name it, or clear the row"
                )
            else:
                total += int(number) if (number := _copies_in(count)).isdecimal() else 0
                yield row
        for what, rows in left_out.items():
            numbers = ", ".join(str(row + 1) for row in rows)
            self.notes.append(f"ignored: row{'s' if len(rows) > 1 else ''} {numbers} ({what})")

    def _is_total(self, name: str, first: str, count: str, total: int) -> bool:
        """Return whether a row adds up the others: its copies are their sum, and it is labelled as a total or
        has no name.
        """
        says_so = plain(name or first) in TOTALS or plain(name or first).split(" ")[0] in ("total", "summe")
        is_sum = (number := _copies_in(count)).isdecimal() and int(number) == total > 0
        return (says_so and (is_sum or not count)) or (not name and is_sum)

    def _is_card(self, row: int) -> bool:
        return bool(self.text(row, self.name_at)) and bool(self.text(row, self.copies_at))

    def _refuse_broken(self, row: int, column: int) -> None:
        if why := self.cells.faults.get((row, column), ""):
            raise SheetError(f"{self.at(row, column)}: {why}")
        if BROKEN.fullmatch(text := self.text(row, column)) and text.casefold() not in BLANKS:
            raise SheetError(
                f"{self.at(row, column)}: {text}: its formula has an error: correct it in the spreadsheet"
            )

    # ------------------------------------------------------------ values

    def _copies(self, rows: list[int]) -> list[int]:
        assert self.copies_at is not None
        found = []
        for row in rows:
            text = self.text(row, self.copies_at)
            bare = _copies_in(text)
            if not WHOLE.fullmatch(bare or "0") and text.casefold() not in BLANKS:
                raise SheetError(
                    f"{self.at(row, self.copies_at)}: {text!r} is not a number of copies: write an integer"
                )
            found.append(0 if text.casefold() in BLANKS else _whole(bare))
            if found[-1] < 0:
                raise SheetError(
                    f"{self.at(row, self.copies_at)}: {text} copies: write an integer of at least 0"
                )
        self._note_blanks(rows, self.copies_at)
        return found

    def _values(self, rows: list[int], column: int, scale: int) -> tuple[list[Any], str]:
        """Return the values of a column, as numbers if all of them are numbers, otherwise with the reason."""
        texts = {row: self.text(row, column) for row in rows}
        filled = {row: text for row, text in texts.items() if text.casefold() not in BLANKS}
        if not filled:
            return list(texts.values()), "is empty"
        if scale:
            return [self._scaled(row, column, scale) for row in rows], ""

        def first_but(fits: Callable[[str], Any]) -> int | None:
            return next((row for row, text in filled.items() if not fits(text)), None)

        if first_but(lambda text: text.casefold() in TICKS) is None:
            words = dict.fromkeys(
                text for text in filled.values() if text.casefold() not in ("true", "false")
            )
            if words:
                said = " and ".join(f"{text} as {TICKS[text.casefold()]}" for text in words)
                self.notes.append(f"{self.headings[column]!r} is read as numbers: {said}, blank as 0")
            return [TICKS.get(text.casefold(), 0) for text in texts.values()], ""
        if first_but(WHOLE.fullmatch) is None:
            self._note_blanks(rows, column)
            return [_whole(filled.get(row, "0")) for row in rows], ""
        unclear = first_but(lambda text: not _may_be_thousands(text))
        if unclear is not None:
            return list(texts.values()), (
                f"may contain thousands separators or decimals ({cell_name(unclear, column)}: "
                f"{filled[unclear]})"
            )
        word = first_but(lambda text: WHOLE.fullmatch(text) or DECIMAL.fullmatch(text))
        if word is not None:
            return list(texts.values()), f"contains words ({cell_name(word, column)}: {filled[word]!r})"
        row = first_but(WHOLE.fullmatch)
        assert row is not None
        name = column_of(self.headings[column])
        why = f"contains decimals ({cell_name(row, column)}: {filled[row]})"
        hint = (
            f'rules use integers: Deck("{self.file_name}", scale={{"{name}": 100}}) converts it to hundredths'
        )
        return list(texts.values()), f"{why}, and {hint}"

    def _scaled(self, row: int, column: int, scale: int) -> int:
        text = self.text(row, column)
        if text.casefold() in BLANKS:
            return 0
        if not (WHOLE.fullmatch(text) or DECIMAL.fullmatch(text)):
            raise SheetError(f"{self.at(row, column)}: {text!r} is not a number")
        if _may_be_thousands(text):
            raise SheetError(
                f"{self.at(row, column)}: {text}: thousands or decimals? write it without the separator"
            )
        whole, _, digits = text.replace(",", ".").partition(".")
        sign = -1 if whole.startswith("-") else 1
        exact = int((whole.lstrip("+-") or "0") + digits) * scale
        value, rest = divmod(exact, 10 ** len(digits))
        if rest:
            raise SheetError(
                f"{self.at(row, column)}: {text} in units of 1/{scale} is not an integer: increase scale"
            )
        return sign * value

    def _note_blanks(self, rows: list[int], column: int) -> None:
        blank = [cell_name(row, column) for row in rows if self.text(row, column).casefold() in BLANKS]
        if blank:
            more = f" and {len(blank) - SHOWN} more" if len(blank) > SHOWN else ""
            self.notes.append(
                f"blank cells of {self.headings[column]!r} are 0: {', '.join(blank[:SHOWN])}{more}"
            )

    def _once(self, cards: list[dict[str, Any]], rows: list[int]) -> tuple[list[dict[str, Any]], list[int]]:
        """Return each kind once. Without a column of copies, equal rows are copies; with one, they are an
        error.
        """
        kept: dict[str, int] = {}
        for i, card in enumerate(cards):
            first = kept.setdefault(plain(card[NAME]), i)
            if first == i:
                continue
            same = {**card, COPIES: 0} == {**cards[first], COPIES: 0}
            if self.copies_at is not None or not same:
                different = "" if same else ", with other values"
                raise SheetError(
                    f"{self.at(rows[i], self.name_at or 0)}: {card[NAME]!r} is also in row "
                    f"{rows[first] + 1}{different}: write the total number of copies in one row, or "
                    "rename one of them"
                )
            cards[first][COPIES] += 1
        if len(kept) < len(cards):
            self.notes.append("identical rows count as copies of one card")
        return [cards[i] for i in kept.values()], [rows[i] for i in kept.values()]


def _may_be_thousands(text: str) -> bool:
    return bool(THOUSANDS.fullmatch(text)) and not text.lstrip("+-").startswith("0")


def _copies_in(text: str) -> str:
    """Return the `3` of "3x", "x3" and "3"."""
    return re.sub(r"^[x×]\s*(?=\d)|(?<=\d)\s*[x×]$", "", text.casefold())


def _whole(text: str) -> int:
    return int(re.split(r"[.,]", text.removeprefix("+"))[0])
