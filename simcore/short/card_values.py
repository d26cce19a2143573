"""The values of cells in a sheet of cards: blanks, ticks, numbers with units, decimals and thousands."""

import re
import unicodedata
from collections.abc import Mapping

BLANKS = ("", "-", "–", "—", "n/a", "na", "none", "null")
# check boxes as exported by spreadsheets in several languages, by Airtable and Notion, and as people write
# them
TRUTHS = dict.fromkeys(("true", "wahr", "vrai", "verdadero", "vero"), 1)
TRUTHS |= dict.fromkeys(("false", "falsch", "faux", "falso"), 0)
TICKS = TRUTHS | dict.fromkeys(("checked", "yes", "y", "ja", "oui", "sí", "x", "✓", "✔", "☑", "✅"), 1)
TICKS |= dict.fromkeys(("no", "n", "nein", "non", "☐", "✗", "❌"), 0)
# formula errors in several languages, and formulas exported in place of their values
BROKEN = re.compile(
    r"#(REF|DIV/0|VALUE|NAME|N/A|NUM|NULL|SPILL|CALC|ERROR|BEZUG|WERT|NV|ZAHL|VALEUR|NOM|NOMBRE|VALOR)[!?]?"
    r"|Err:\d+|Loading\.{3}|=[A-Z]{2,}\(.*|=\$?[A-Z]{1,3}\$?\d+.*",
    re.I | re.S,
)
# at most 99 digits, because Python converts no text of thousands of digits to an integer
WHOLE = re.compile(r"[+-]?\d{1,99}([.,]00?)?")  # 3,0 is another way of writing 3
DECIMAL = re.compile(r"[+-]?\d{0,99}[.,]\d{1,99}")
THOUSANDS = re.compile(r"[+-]?\d{1,3}([.,]\d{3})+")  # or three decimals
GAPS = " '’\u00a0\u202f\u2009"  # separators of thousands
SPACED = re.compile(rf"[+-]?\d{{1,3}}([{GAPS}]\d{{3}})+")
DATE = re.compile(r"\d{4}-\d\d-\d\d")
UNIT = re.compile(rf"(\D*?)\s*([+-]?(?:[\d.,][\d.,{GAPS}]*)?\d)\s*(\D*)")  # before, number, after
LONGEST = 40  # maximum characters of a number with its unit
LARGEST = 10**9  # maximum number on a card, because rules calculate with it
JOINER = "\u200d"  # the only invisible character allowed in a name: it joins emoji
DIRECTION = re.compile("[\u202a-\u202e\u2066-\u2069]")  # these reverse text: rejected in names


def tidy(text: str) -> str:
    """Return a cell without invisible characters and surrounding blanks."""
    if text.isascii():
        return text.strip()
    text = unicodedata.normalize("NFC", text)
    return "".join(one for one in text if unicodedata.category(one) != "Cf" or one == JOINER).strip()


def is_blank(text: str) -> bool:
    return text.casefold() in BLANKS


def number_text(text: str) -> str:
    """Return a number without typographic characters, such as `-2` for "−2" or `1000` for "1 000"."""
    text = re.sub(r"^[−–](?=[\d.,])", "-", text)
    return re.sub(r"[^\d+-]", "", text) if SPACED.fullmatch(text) else text


def without_unit(texts: Mapping[int, str]) -> tuple[dict[int, str], str]:
    """Return the numbers of a column, and the unit that all its cells share.

    For example, "3 gold" gives `3` and "gold".
    """
    plain = {row: number_text(text) for row, text in texts.items()}
    parts = {row: UNIT.fullmatch(text) if len(text) <= LONGEST else None for row, text in plain.items()}
    units = {(found[1].casefold(), found[3].casefold()) if found else None for found in parts.values()}
    if len(units) != 1 or not (unit := units.pop()) or not any(unit) or not _is_unit(*unit):
        return plain, ""
    return {row: number_text(found[2]) for row, found in parts.items() if found}, "".join(unit)


def _is_unit(before: str, after: str) -> bool:
    """Return whether the text around a number is a unit.

    A currency may be on either side; words, a percent sign or a picture only after the number.
    """
    kinds = {unicodedata.category(one) for one in after.removesuffix(".") if one not in " %\ufe0f"}
    return all(unicodedata.category(one) == "Sc" for one in before) and all(
        kind[0] == "L" or kind in ("Sc", "So") for kind in kinds
    )


def ambiguous(text: str, decimal_marks: set[str]) -> bool:
    """Return whether the mark in a number may separate thousands or decimals.

    decimal_marks: marks of the other cells.
    """
    return (
        bool(THOUSANDS.fullmatch(text))
        and not text.lstrip("+-").startswith("0")
        and re.sub(r"[\d+-]", "", text) not in decimal_marks
    )


def decimal_marks(texts: Mapping[int, str]) -> set[str]:
    """Return the decimal marks that the cells of a column show unambiguously."""
    return {
        re.sub(r"[\d+-]", "", text)
        for text in texts.values()
        if DECIMAL.fullmatch(text) and not ambiguous(text, set())
    }


def copies_in(text: str) -> str:
    """Return the number of copies in a text: `3` for "3x", "x3" and "3"."""
    return re.sub(r"^[x×]\s*(?=\d)|(?<=\d)\s*[x×]$", "", number_text(text.casefold()))


def whole(text: str) -> int:
    return int(re.split(r"[.,]", text.removeprefix("+"))[0])


def scaled(text: str, scale: int) -> int | None:
    """Return a decimal in units of 1/scale; None if the result is not an integer."""
    digits_before, _, digits = text.replace(",", ".").partition(".")
    sign = -1 if digits_before.startswith("-") else 1
    value, rest = divmod(int((digits_before.lstrip("+-") or "0") + digits) * scale, 10 ** len(digits))
    return None if rest else sign * value
