"""What the cells of a sheet of cards mean: blanks, ticks, numbers with units, decimals and thousands."""

import re
import unicodedata
from collections.abc import Mapping

BLANKS = ("", "-", "–", "—", "n/a", "na", "none", "null")
# boxes to tick: as spreadsheets of several languages export them, as Airtable and Notion do, as people do
TRUTHS = dict.fromkeys(("true", "wahr", "vrai", "verdadero", "vero"), 1)
TRUTHS |= dict.fromkeys(("false", "falsch", "faux", "falso"), 0)
TICKS = TRUTHS | dict.fromkeys(("checked", "yes", "y", "ja", "oui", "sí", "x", "✓", "✔", "☑", "✅"), 1)
TICKS |= dict.fromkeys(("no", "n", "nein", "non", "☐", "✗", "❌"), 0)
# errors of formulas in several languages, and a formula that was exported in place of its value
BROKEN = re.compile(
    r"#(REF|DIV/0|VALUE|NAME|N/A|NUM|NULL|SPILL|CALC|ERROR|BEZUG|WERT|NV|ZAHL|VALEUR|NOM|NOMBRE|VALOR)[!?]?"
    r"|Err:\d+|Loading\.{3}|=[A-Z]{2,}\(.*|=\$?[A-Z]{1,3}\$?\d+.*",
    re.I | re.S,
)
WHOLE = re.compile(r"[+-]?\d+([.,]00?)?")  # 3,0 is how some write 3
DECIMAL = re.compile(r"[+-]?(\d+[.,]\d+|[.,]\d+)")
THOUSANDS = re.compile(r"[+-]?\d{1,3}([.,]\d{3})+")  # or three decimals
GAPS = " '’\u00a0\u202f\u2009"  # between thousands
SPACED = re.compile(rf"[+-]?\d{{1,3}}([{GAPS}]\d{{3}})+")
DATE = re.compile(r"\d{4}-\d\d-\d\d")
UNIT = re.compile(rf"(\D*?)\s*([+-]?(?:[\d.,][\d.,{GAPS}]*)?\d)\s*(\D*)")  # before, number, after
LONGEST = 40  # letters of a number with its unit
LARGEST = 10**9  # what a number of a card can be; rules count with it
JOINER = "\u200d"  # the one invisible sign that a name may have: it joins emoji


def tidy(text: str) -> str:
    """A cell without invisible signs and the blanks around it."""
    text = unicodedata.normalize("NFC", text)
    return "".join(one for one in text if unicodedata.category(one) != "Cf" or one == JOINER).strip()


def is_blank(text: str) -> bool:
    return text.casefold() in BLANKS


def number_text(text: str) -> str:
    """A number without the signs of print: `-2` of "−2", `1000` of "1 000"."""
    text = re.sub(r"^[−–](?=[\d.,])", "-", text)
    return re.sub(r"[^\d+-]", "", text) if SPACED.fullmatch(text) else text


def without_unit(texts: Mapping[int, str]) -> tuple[dict[int, str], str]:
    """The numbers of a column, and the unit that every cell has: `3` and "gold" of "3 gold", "$" of "$3"."""
    plain = {row: number_text(text) for row, text in texts.items()}
    parts = {row: UNIT.fullmatch(text) if len(text) <= LONGEST else None for row, text in plain.items()}
    units = {(found[1].casefold(), found[3].casefold()) if found else None for found in parts.values()}
    if len(units) != 1 or not (unit := units.pop()) or not any(unit) or not _is_unit(*unit):
        return plain, ""
    return {row: number_text(found[2]) for row, found in parts.items() if found}, "".join(unit)


def _is_unit(before: str, after: str) -> bool:
    """A currency may be on either side; words, a percent sign or a picture come after the number."""
    kinds = {unicodedata.category(one) for one in after.removesuffix(".") if one not in " %\ufe0f"}
    return all(unicodedata.category(one) == "Sc" for one in before) and all(
        kind[0] == "L" or kind in ("Sc", "So") for kind in kinds
    )


def ambiguous(text: str, decimal_marks: set[str]) -> bool:
    """Return whether a number may have thousands or decimals. decimal_marks: of the other cells."""
    return (
        bool(THOUSANDS.fullmatch(text))
        and not text.lstrip("+-").startswith("0")
        and re.sub(r"[\d+-]", "", text) not in decimal_marks
    )


def decimal_marks(texts: Mapping[int, str]) -> set[str]:
    """The mark of decimals in a column, where some cell leaves no doubt."""
    return {
        re.sub(r"[\d+-]", "", text)
        for text in texts.values()
        if DECIMAL.fullmatch(text) and not ambiguous(text, set())
    }


def copies_in(text: str) -> str:
    """`3` of "3x", "x3" and "3"."""
    return re.sub(r"^[x×]\s*(?=\d)|(?<=\d)\s*[x×]$", "", number_text(text.casefold()))


def whole(text: str) -> int:
    return int(re.split(r"[.,]", text.removeprefix("+"))[0])


def scaled(text: str, scale: int) -> int | None:
    """A decimal in units of 1/scale; None for one that is no whole number of them."""
    digits_before, _, digits = text.replace(",", ".").partition(".")
    sign = -1 if digits_before.startswith("-") else 1
    value, rest = divmod(int((digits_before.lstrip("+-") or "0") + digits) * scale, 10 ** len(digits))
    return None if rest else sign * value
