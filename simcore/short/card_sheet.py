"""A designer's sheet of cards, read as a deck: its columns of names, copies and numbers.

Rows that are not cards (empty rows, comments, totals) are ignored and blank numbers are 0; `notes` reports
each case once. Anything ambiguous raises a `SheetError` with the cell and a correction.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any

from bartizan.simcore.errors import UsageError
from bartizan.simcore.files import HEADING_MARK
from bartizan.simcore.scenario.parameters import unit_of
from bartizan.simcore.sheets import cell_name, letter_of, read_cells
from bartizan.simcore.short import card_values as values
from bartizan.simcore.short.card_table import COPIES, NAME, CardSheet, SheetError, SheetOrigin
from bartizan.simcore.short.sheet_words import MOST_WORDS
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
    "nombre",
    "item name",
    "item",
)
COUNTS = (
    COPIES,
    "copy",
    "number of copies",
    "no of copies",
    "# of copies",
    "# copies",
    "copies in deck",
    "# in deck",
    "in deck",
    "in box",
    "qty",
    "quantity",
    "card count",
    "number of cards",
    "item amount",
    "count",
    "amount",
    "how many",
    "anzahl",
    "menge",
    "kopien",
    "stückzahl",
    "exemplare",
    "exemplaires",
    "quantite",
    "qte",
    "cantidad",
    "quantità",
    "copie",
    "copias",
    "aantal",
)
NUMBERINGS = ("number", "#", "no", "nr", "nombre")  # copies, unless they look like a numbering
COUNTS += NUMBERINGS
# columns that a new game scores; no word that also means a cost, hit points or a number of the card
POINTS_HEADINGS = (
    "victory points",
    "victory point",
    "vp",
    "vps",
    "points",
    "point",
    "pts",
    "prestige",
    "prestige points",
    "score",
    "siegpunkte",
    "siegpunkt",
    "punkte",
    "punkt",
    "points de victoire",
    "punti vittoria",
    "punti",
    "puntos de victoria",
    "puntos",
    "overwinningspunten",
    "punten",
    "worth",
    "value",
    "wert",
    "valeur",
    "valor",
    "valore",
    "waarde",
)
COUNT_WORDS = {"copies", "qty", "quantity", "exemplare", "kopien"}  # in a longer heading: "Qty per deck"
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
# labels of other summary rows below the table; EXTREMES count only below another summary row
AVERAGES = ("average", "avg", "mean", "median", "durchschnitt", "mittelwert", "moyenne", "promedio")
EXTREMES = ("min", "max", "minimum", "maximum", "count", "anzahl", "nombre")
COMMENTS = ("#", "//", ";", "--")
TIMES = re.compile(r"\b[x×]\s*\d+\)?$|^\(?\d+\s*[x×]\s|\(\d+[x×]\)$", re.I)  # copies in a name
WITHIN = 20  # rows within which headings are searched
SHOWN = 3  # maximum cells in a note
LONGEST = 40  # maximum characters of a cell in a message


def plain(text: str) -> str:
    """Return a heading in a form for comparison: without case and punctuation, and with "e" for "é"."""
    apart = re.sub(r"(?<=[a-zäöüß])(?=[A-Z])", " ", text.strip().lstrip("*"))
    bare = apart.casefold().replace("é", "e")
    return " ".join(re.sub(r"[^\w#]+|_+", " ", bare).split())


def column_of(heading: str) -> str:
    """Return the name by which rules read a column, n.COLUMN. For example, "Attack Power" is attack_power."""
    return "_".join(plain(heading).replace("#", " ").split())


def read_card_sheet(
    path: Path,
    sheet: str = "",
    copies: str | None = "",
    name: str = "",
    scale: Mapping[str, int] | None = None,
) -> CardSheet:
    """Read a sheet of cards.

    sheet: sheet of a workbook, or deck in a saved object of Tabletop Simulator. copies, name: headings of
    these columns, if they differ from the defaults. copies=None: the rows are not cards, so no column
    contains copies. scale: maps columns of decimals to factors. Raises SheetError or OSError.
    """
    if path.suffix.lower() == ".json":
        return read_tabletop_deck(path, sheet)
    try:
        return _reading(path, sheet, copies, name, dict(scale or {})).card_sheet()
    except UsageError as error:  # faults of the file as a whole
        raise SheetError(str(error).replace(str(path), path.name)) from error


class _NoNamesError(SheetError):
    """Raised if a sheet has no column of names. `others`: the other sheets of the workbook, if any."""

    others: tuple[str, ...] = ()


def _reading(path: Path, sheet: str, copies: str | None, name: str, scale: dict[str, int]) -> "_SheetReading":
    """Return the `_SheetReading` of a sheet.

    If no sheet is requested and the first has no column of names, the only other sheet with such a column is
    read. Raises SheetError.
    """
    try:
        return _SheetReading(path, sheet, copies, name, scale)
    except _NoNamesError as error:
        if sheet:
            raise
        found = []
        for other in error.others:
            with suppress(SheetError):
                found.append(_SheetReading(path, other, copies, name, scale))
        if len(found) != 1:
            part, others = "Board" if copies is None else "Deck", error.others
            choice = f'; or choose a sheet: {part}("{path.name}", sheet="{others[0]}")' if others else ""
            raise SheetError(f"{error}{choice}") from error
        (only,) = found
        listed = ", ".join(only.cells.others)
        only.aside.append(f"read from its sheet {only.cells.sheet}, with card names; other sheets: {listed}")
        return only


class _SheetReading:
    """The state of reading a sheet. Rows and columns count from 0, as in `SheetCells`."""

    def __init__(self, path: Path, sheet: str, copies: str | None, name: str, scale: dict[str, int]):
        self.cells = read_cells(path, sheet)
        self.file = f"{path.name}, {self.cells.sheet}!" if self.cells.sheet else f"{path.name}, "
        self.path, self.file_name = path, path.name
        self.notes: list[str] = []
        self.aside = list(self.cells.notes)  # reported last, because they change no number
        self.scale = scale
        self.fitting: dict[int, int] = {}  # column with decimals -> scale with which rules can read it
        if self.cells.others and not sheet:
            others = ", ".join(self.cells.others)
            self.aside.append(f"read from its first sheet, {self.cells.sheet}; other sheets: {others}")
        self.top = self._headings_row(name)
        self.headings = self._headings()
        name_at = self._column(NAMES, name, "names", "name")
        self.has_copies = copies is not None
        if name_at is None:
            part = "Deck" if self.has_copies else "Board"
            error = _NoNamesError(
                f'{self.at(self.top, 0)}: no column of names: rename the column with the names to "name", or '
                f'specify it: {part}("{path.name}", name="{next(iter(self.headings.values()), "Title")}")'
            )
            error.others = self.cells.others
            raise error
        self.name_at = name_at
        self.copies_at = None if copies is None else self._column(COUNTS, copies, "copies", "copies")

    def at(self, row: int, column: int) -> str:
        return f"{self.file}{cell_name(row, column)}"

    def text(self, row: int, column: int | None) -> str:
        cells = self.cells.rows[row]
        return values.tidy(cells[column]) if column is not None and column < len(cells) else ""

    # ------------------------------------------------------------ headings

    def _headings_row(self, name: str) -> int:
        """Return the row of headings.

        It is the row with a column of names and the most known headings, or otherwise the first row with
        cells. Raises SheetError for a sheet without cells.
        """
        wanted = {plain(name)} if name else set(NAMES)
        rows = self.cells.rows[:WITHIN]
        if not any(cell.strip() for cells in self.cells.rows for cell in cells):
            raise SheetError(
                f"{self.file_name}: the file is empty; write column names in the first row and cards "
                "in the others"
            )
        first = next(at for at, cells in enumerate(self.cells.rows) if any(cell.strip() for cell in cells))
        said = [list(filter(None, map(plain, cells))) for cells in rows]
        every = wanted | set(COUNTS)
        known = [len(wanted & set(one)) and len(every & set(one)) for one in said]

        def heads(at: int) -> bool:
            """Return whether a row can be the row of headings.

            The row of a card may also contain the word of a heading.
            """
            is_wider = all(len(said[at]) > len(above) for above in said[:at])
            return known[at] > 1 or said[at][0] in wanted or is_wider

        named = [at for at in range(len(rows)) if known[at] and (name or heads(at))]
        top = max(named, key=lambda at: known[at], default=first)
        if top > first:
            rows_above = f"rows {first + 1} to {top}" if top > first + 1 else f"row {top}"
            self.aside.append(f"{rows_above} above the headings ignored")
        return top

    def _headings(self) -> dict[int, str]:
        """Map the index of each column to its heading.

        Two kinds of column are left out: columns without a heading, and columns that Bartizan added to the
        sheet (HEADING_MARK).

        Raises SheetError for an unreadable or repeated heading.
        """
        headings = {
            i: " ".join(values.tidy(text).split())
            for i, text in enumerate(self.cells.rows[self.top])
            if values.tidy(text) and HEADING_MARK not in text
        }
        for row, column in self.cells.faults:
            if row == self.top and any(
                self.text(one, column) for one in range(row + 1, len(self.cells.rows))
            ):
                raise SheetError(f"{self.at(row, column)}: {self.cells.faults[row, column]}")
        seen: dict[str, int] = {}
        for i, heading in headings.items():
            if (first := seen.setdefault(column_of(heading), i)) != i:
                raise SheetError(
                    f"{self.at(self.top, i)}: {heading!r} is also the heading of column "
                    f"{letter_of(first)}: rename one of them"
                )
        return headings

    def _column(self, known: Iterable[str], asked: str, what: str, option: str) -> int | None:
        taken = getattr(self, "name_at", None)
        by_name = {plain(heading): i for i, heading in self.headings.items() if i != taken}
        if asked:
            if plain(asked) in by_name:
                return by_name[plain(asked)]
            there = ", ".join(self.headings.values())
            raise SheetError(f"{self.file_name}: no column {asked!r} for {option}=; the columns are: {there}")
        found = next((by_name[one] for one in known if one in by_name), None)
        if found is None and what == "copies":
            found = self._longer_heading_of_copies(by_name)
        if found is None or plain(self.headings[found]) == option:
            return found
        heading = self.headings[found]
        if what == "copies" and plain(heading) in NUMBERINGS and self._is_numbering(found):
            raise SheetError(
                f"{self.at(self.top, found)}: {heading!r} counts up, so it may be copies or a numbering: "
                f'for copies, write Deck("{self.file_name}", copies="{heading}"); otherwise rename the '
                'column to "id"'
            )
        self.notes.append(f"{what} are read from {heading!r}")
        return found

    def _longer_heading_of_copies(self, by_name: Mapping[str, int]) -> int | None:
        """Return the column of the only heading that mentions copies, such as "Qty per deck".

        Returns None if there is none. Raises SheetError for several such headings.
        """
        longer = [i for heading, i in by_name.items() if COUNT_WORDS & set(heading.split())]
        if len(longer) > 1:
            first, second = (self.headings[i] for i in longer[:2])
            raise SheetError(
                f"{self.at(self.top, longer[0])}: {first!r} and {second!r} may both be the column of "
                f'copies: choose one, as in Deck("{self.file_name}", copies="{first}")'
            )
        return longer[0] if longer else None

    def _is_numbering(self, column: int) -> bool:
        """Return whether a column numbers the cards: 1, 2, 3; 001, 002; 101, 102, 105."""
        texts = [
            text for row in range(self.top + 1, len(self.cells.rows)) if (text := self.text(row, column))
        ]
        numbers = [int(text) for text in texts if values.WHOLE.fullmatch(text) and text.isdecimal()]
        rises = all(one < next_one for one, next_one in pairwise(numbers))
        return len(numbers) > 2 and (rises or any(text.startswith("0") and text != "0" for text in texts))

    # ------------------------------------------------------------ rows

    def card_sheet(self) -> CardSheet:
        rows = list(self._rows_of_cards())
        if not rows:
            raise SheetError(
                f"{self.file_name}: no cards below the headings in row {self.top + 1}: "
                "write one card per row there"
            )
        for row in rows:
            for column in self.headings:
                self._refuse_broken(row, column)
            self._refuse_cells_beyond(row)
        columns: dict[str, list[Any]] = {NAME: [self._name(row) for row in rows]}
        if self.copies_at is None:
            if self.has_copies:
                self.notes.append("no column of copies: one copy of each card")
            columns[COPIES] = [1] * len(rows)
        else:
            columns[COPIES] = self._copies(rows)
        unread: dict[str, str] = {}
        named = {NAME: self.headings[self.name_at]}
        named |= {COPIES: self.headings[self.copies_at]} if self.copies_at is not None else {}
        for i, heading in self.headings.items():
            if i not in (self.name_at, self.copies_at):
                column = column_of(heading) or f"column_{letter_of(i).lower()}"
                named[column] = heading
                columns[column], why = self._values(rows, i, self.scale.pop(column, 0))
                if why:
                    unread[column] = f"{heading!r} of {self.file_name} {why}"
        for why, dimmed in self._by_reason({row: self.cells.dimmed.get(row, "") for row in rows}).items():
            self.aside.append(f"also read, although {why} in the workbook: {dimmed}")
        if self.scale:
            raise SheetError(
                f"{self.file_name}: scale contains {', '.join(self.scale)}, which is not a column of "
                "numbers: use the name of a column of numbers"
            )
        cards = [dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)]
        every_row, every_card = rows, cards
        cards, rows = self._once(cards, rows)
        places = [f"{self.file_name}, row {row + 1}" for row in rows]
        notes = [f"{self.file_name}: {note}" for note in (*self.notes, *self.aside)]
        numbers = {card[NAME].casefold(): number for number, card in enumerate(cards)}
        kinds = {row: numbers[card[NAME].casefold()] for row, card in zip(every_row, every_card, strict=True)}
        origin = SheetOrigin(self.path, self.cells.sheet, self.top, kinds)
        scales = {column_of(self.headings[i]): scale for i, scale in self.fitting.items()}
        return CardSheet(cards, places, notes, unread, named, origin, scales)

    def _rows_of_cards(self) -> Iterator[int]:
        filled = [row for row in range(self.top + 1, len(self.cells.rows)) if self._is_filled(row)]
        left_out: dict[int, str] = {}
        cards: list[int] = []
        for at, row in enumerate(filled):
            if why := self._no_card(row, cards, filled[at + 1 :], "a total" in left_out.values()):
                left_out[row] = why
            else:
                self._refuse_no_card(row)
                cards.append(row)
        for what, rows in self._by_reason(left_out).items():
            self.notes.append(f"ignored: {rows} ({what})")
        if self.copies_at is None:
            self._refuse_copies_in_names(cards)
        yield from cards

    def _first(self, row: int) -> str:
        return next((text for text in map(values.tidy, self.cells.rows[row]) if text), "")

    def _count(self, row: int) -> int:
        numbers, _ = values.without_unit({row: self.text(row, self.copies_at)})
        number = values.copies_in(numbers[row])
        return values.whole(number) if values.WHOLE.fullmatch(number) else 0

    def _no_card(self, row: int, above: list[int], below: list[int], has_total: bool) -> str:
        """Return the reason why a row is not a card; "" if it is one.

        above: rows of cards; below: rows with cells.
        """
        name, first = self.text(row, self.name_at), self._first(row)
        texts = {i: text for i in self.headings if (text := self.text(row, i))}
        if self._is_total(row, plain(name or first), above, below):
            return "a total"
        if plain(name) in AVERAGES or (has_total and plain(name) in EXTREMES):
            return "a total"
        if first.startswith(COMMENTS) and first == (name or first) and not (name and self._count(row)):
            return "a comment"
        if any((row, i) in self.cells.faults for i in self.headings):
            return ""
        if all(text == self.headings[i] for i, text in texts.items()):
            return "repeated headings"
        is_alone = set(texts) == {self.name_at} or len(list(filter(values.tidy, self.cells.rows[row]))) == 1
        if is_alone and len(self.headings) > 1 and not (self.copies_at is None or first.isdecimal()):
            return "only a text"
        return ""

    def _is_total(self, row: int, words: str, above: list[int], below: list[int]) -> bool:
        """Return whether a row is a total.

        Its copies are a sum, and it is labelled as a total or has no name. A labelled row may have no copies.
        Raises SheetError for a row that is labelled as a total but is not the sum.
        """
        says_so = words in TOTALS or (not below and words.split(" ")[0] in ("total", "summe"))
        if not says_so and self.text(row, self.name_at):
            return False
        count, text = self._count(row), self.text(row, self.copies_at)
        sums_above = list(accumulate(map(self._count, reversed(above))))
        cards_below = [one for one in below if plain(self._first(one)) not in TOTALS]
        sums_below = list(accumulate(map(self._count, cards_below)))
        if not says_so:
            return count > 0 and count in sums_above[-1:] + sums_below[-1:]
        if count in sums_above + sums_below or not text:
            return True
        if words in TOTALS and count:
            raise SheetError(
                f"{self.at(row, self.copies_at or 0)}: {text} is not the sum of the copies: correct the "
                "total, or rename the card"
            )
        return False

    def _is_filled(self, row: int) -> bool:
        """Return whether a row may be a card.

        It has a name, or a cell other than an unticked box or 0, which formulas and boxes leave below the
        last card.
        """
        filled = [text for i in self.headings if (text := self.text(row, i))]
        if self.text(row, self.name_at) or any((row, i) in self.cells.faults for i in self.headings):
            return True
        return any(text != "0" and values.TICKS.get(text.casefold()) != 0 for text in filled)

    def _by_reason(self, rows: Mapping[int, str]) -> dict[str, str]:
        """Map each reason to the rows with this reason, as text."""
        reasons: dict[str, list[str]] = {}
        for row, reason in rows.items():
            if reason:
                reasons.setdefault(reason, []).append(str(row + 1))
        return {
            reason: f"row{'s' if len(numbers) > 1 else ''} {', '.join(numbers)}"
            for reason, numbers in reasons.items()
        }

    def _refuse_no_card(self, row: int) -> None:
        """Raise SheetError for a row without a name, and for a row that is probably not a card."""
        at, name = self.at(row, self.name_at), self.text(row, self.name_at)
        if not name:
            for column in self.headings:  # a formula without a value may be the whole row
                self._refuse_broken(row, column)
            raise SheetError(f"{at}: the card has no name: enter one, or clear the row")
        if plain(self.text(row, self.copies_at)) in COUNTS or (
            plain(name) in NAMES and self.copies_at is None
        ):
            raise SheetError(f"{at}: another table begins here: move it to a separate sheet")
        if self.copies_at is not None:
            return
        if plain(name) in COUNTS:
            raise SheetError(
                f"{at}: {name!r} is in the column of names, so the cards seem to be columns: copy the "
                "table and paste it transposed, one row for each card"
            )
        is_alone = len(self.headings) > 1 and not any(
            self.text(row, i) for i in self.headings if i != self.name_at
        )
        if is_alone and row > self.top + 1 and not any(map(values.tidy, self.cells.rows[row - 1])):
            raise SheetError(
                f"{at}: {_short(name)!r} follows an empty row and has no other cells: begin it with # if it "
                "is a remark, or remove the empty row if it is a card"
            )

    def _refuse_copies_in_names(self, rows: list[int]) -> None:
        """Raise SheetError if names contain copies: "Guard x5", or "5 Guard" in every row."""
        names = {row: self.text(row, self.name_at) for row in rows}
        found = [row for row, name in names.items() if TIMES.search(name)]
        if found or all(re.match(r"\d+ +\D", name) for name in names.values()):
            row = (found or rows)[0]
            raise SheetError(
                f"{self.at(row, self.name_at)}: {names[row]!r} seems to contain a number of copies: "
                'write it in a separate column, "copies"'
            )

    def _refuse_broken(self, row: int, column: int) -> None:
        if why := self.cells.faults.get((row, column), ""):
            raise SheetError(f"{self.at(row, column)}: {why}")
        if values.BROKEN.fullmatch(text := self.text(row, column)):
            raise SheetError(
                f"{self.at(row, column)}: {text}: its formula has an error: correct it in the spreadsheet"
            )

    def _refuse_cells_beyond(self, row: int) -> None:
        """Raise SheetError for a row with more cells than the headings.

        The cause is a text that was split at its commas.
        """
        for column in range(len(self.cells.rows[self.top]), len(self.cells.rows[row])):
            if self.text(row, column):
                raise SheetError(
                    f"{self.at(row, column)}: the row has more cells than the headings: put quotation marks "
                    f'around a text or number with "{self.cells.separator}", or give the column a heading'
                )

    # ------------------------------------------------------------ values

    def _name(self, row: int) -> str:
        if found := values.DIRECTION.search(self.cells.rows[row][self.name_at]):
            raise SheetError(
                f"{self.at(row, self.name_at)}: the name contains U+{ord(found[0]):04X}, an invisible "
                "character that changes the direction of text: write the name again"
            )
        name = " ".join(self.text(row, self.name_at).split())
        if values.DATE.fullmatch(name):
            raise SheetError(
                f"{self.at(row, self.name_at)}: {name} is a date, because spreadsheets convert entries "
                "such as 1-2: format the cell as text and write the name again"
            )
        return name

    def _copies(self, rows: list[int]) -> list[int]:
        assert self.copies_at is not None
        filled = {row: text for row in rows if not values.is_blank(text := self.text(row, self.copies_at))}
        for row in rows:
            if not self.text(row, self.copies_at):  # "-" and "n/a" are 0
                raise SheetError(
                    f"{self.at(row, self.copies_at)}: no number of copies of {self._name(row)!r}: write one, "
                    "or 0 to leave the card out"
                )
        numbers, unit = values.without_unit(filled)
        found = {row: values.copies_in(text) for row, text in numbers.items()}
        for row, bare in found.items():
            if not values.WHOLE.fullmatch(bare) or "%" in unit:
                raise SheetError(
                    f"{self.at(row, self.copies_at)}: {_short(filled[row])!r} is not a number of copies: "
                    "write an integer"
                )
            if values.whole(bare) < 0:
                raise SheetError(
                    f"{self.at(row, self.copies_at)}: {bare} copies: write an integer of at least 0"
                )
        self._note_unit(self.copies_at, unit if unit not in ("x", "×") else "")
        self._note_blanks(rows, self.copies_at)
        return [values.whole(found.get(row, "0")) for row in rows]

    def _values(self, rows: list[int], column: int, scale: int) -> tuple[list[Any], str]:
        """Return the values of a column and "".

        If they are not all numbers, return its texts and the reason.
        """
        texts = {row: self.text(row, column) for row in rows}
        filled = {row: text for row, text in texts.items() if not values.is_blank(text)}
        if not filled:
            return list(texts.values()), "is empty"
        if not scale and all(text.casefold() in values.TICKS for text in filled.values()):
            words = dict.fromkeys(text for text in filled.values() if text.casefold() not in values.TRUTHS)
            if words:
                said = " and ".join(f"{text} as {values.TICKS[text.casefold()]}" for text in words)
                self.notes.append(f"{self.headings[column]!r} is read as numbers: {said}, blank as 0")
            return [values.TICKS.get(text.casefold(), 0) for text in texts.values()], ""
        numbers, unit = values.without_unit(filled)
        if scale:
            found = self._scaled(numbers, column, scale)
        elif why := self._no_numbers(filled, numbers, column):
            return list(texts.values()), why
        else:
            found = {row: values.whole(text) for row, text in numbers.items()}
            self._note_blanks(rows, column)
        self._note_unit(column, unit)
        return [found.get(row, 0) for row in rows], ""

    def _no_numbers(self, filled: Mapping[int, str], numbers: Mapping[int, str], column: int) -> str:
        """Return the reason why rules cannot read numbers from a column; "" if they can.

        filled: texts of the column.
        """
        marks = values.decimal_marks(numbers)

        def first(is_so: Callable[[str], Any]) -> tuple[int, str]:
            row = next((row for row, text in numbers.items() if is_so(text)), -1)
            return row, f"({cell_name(row, column)}: {_short(filled[row])})" if row >= 0 else ""

        row, cell = first(lambda text: values.ambiguous(text, marks))
        if cell:
            return f"may contain thousands separators or decimals {cell}: write 1000 or 1.0"
        row, cell = first(lambda text: not (values.WHOLE.fullmatch(text) or values.DECIMAL.fullmatch(text)))
        if cell:
            what = "a date" if values.DATE.fullmatch(filled[row]) else "words"
            or_words = f", or one of at most {MOST_WORDS} words in each" if what == "words" else ""
            cell = f"({cell_name(row, column)}: {_short(filled[row])!r})"
            why = f"contains {what} {cell}: write only a number in each cell{or_words}"
            if 1 < len(filled) <= 2 * sum(text[-1:].isdecimal() for text in filled.values()):
                self.aside.append(f"{self.headings[column]!r} {why}, to use it in rules")
            return why
        row, cell = first(lambda text: not values.WHOLE.fullmatch(text))
        if cell:
            name = column_of(self.headings[column])
            places = max(len(text.replace(",", ".").partition(".")[2]) for text in numbers.values())
            scale = self.fitting[column] = 10 ** min(places, 3)
            return (
                f"contains decimals {cell}, and rules use integers: "
                f'Deck("{self.file_name}", scale={{"{name}": {scale}}}) converts it to {unit_of(scale)}; '
                f"if it counts points, also write score_scale = {scale}"
            )
        row, cell = first(lambda text: abs(values.whole(text)) > values.LARGEST)
        return f"contains a number above {values.LARGEST:,} {cell}" if cell else ""

    def _scaled(self, numbers: Mapping[int, str], column: int, scale: int) -> dict[int, int]:
        marks = values.decimal_marks(numbers)
        found = {}
        for row, text in numbers.items():
            at = self.at(row, column)
            if not (values.WHOLE.fullmatch(text) or values.DECIMAL.fullmatch(text)):
                raise SheetError(f"{at}: {self.text(row, column)!r} is not a number: write a number")
            if values.ambiguous(text, marks):
                raise SheetError(
                    f"{at}: {text}: the separator may mark thousands or decimals: write thousands without a "
                    f"separator, and decimals as {text}0"
                )
            number = values.scaled(text, scale)
            if number is None:
                raise SheetError(f"{at}: {text} in units of 1/{scale} is not an integer: increase scale")
            if abs(number) > values.LARGEST:
                raise SheetError(
                    f"{at}: {text} in units of 1/{scale} is above {values.LARGEST:,}: decrease scale"
                )
            found[row] = number
        return found

    def _note_unit(self, column: int, unit: str) -> None:
        if unit:
            self.notes.append(f"{self.headings[column]!r} is read without {unit!r}")

    def _note_blanks(self, rows: list[int], column: int) -> None:
        blank = [cell_name(row, column) for row in rows if values.is_blank(self.text(row, column))]
        if blank:
            more = f" and {len(blank) - SHOWN} more" if len(blank) > SHOWN else ""
            note = f"blank cells of {self.headings[column]!r} are 0: {', '.join(blank[:SHOWN])}{more}"
            # a few blanks in a full column may be a mistake, so their note comes first
            self.notes.insert(0 if len(blank) <= len(rows) / 5 else len(self.notes), note)

    def _once(self, cards: list[dict[str, Any]], rows: list[int]) -> tuple[list[dict[str, Any]], list[int]]:
        """Return each kind of card once, with its row.

        Without a column of copies, identical rows are copies. Raises SheetError for any other repeated name.
        """
        kept: dict[str, int] = {}
        for i, card in enumerate(cards):
            first = kept.setdefault(card[NAME].casefold(), i)
            if first == i:
                continue
            same = {**card, COPIES: 0} == {**cards[first], COPIES: 0}
            if self.copies_at is not None or not same:
                different = "" if same else ", with other values"
                raise SheetError(
                    f"{self.at(rows[i], self.name_at)}: {card[NAME]!r} is also in row {rows[first] + 1}"
                    f"{different}: write the total number of copies in one row, or rename one of them"
                )
            cards[first][COPIES] += 1
        if len(kept) < len(cards):
            self.notes.append("identical rows count as copies of one card")
        return [cards[i] for i in kept.values()], [rows[i] for i in kept.values()]


def _short(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}..."
