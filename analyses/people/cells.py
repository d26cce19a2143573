"""Cells of tables made by hand: their words and values.

Nothing is guessed: an ambiguous cell is an `UnreadCell`, and an empty one is None.
"""

import re
import tomllib
import unicodedata
from collections.abc import Iterable
from datetime import date
from math import isfinite
from pathlib import Path
from typing import Any

# --------------------------------- words of `words.toml`, which designers use in tables, in several languages

VOCABULARY: dict[str, Any] = tomllib.loads((Path(__file__).parent / "words.toml").read_text(encoding="utf-8"))
BLANK, YES, NO, NOBODY = (frozenset(VOCABULARY[name]) for name in ("blank", "yes", "no", "nobody"))
MONTHS = {word: int(month) for month, names in VOCABULARY["months"].items() for word in names}
RESULT: dict[str, str] = {word: result for result, names in VOCABULARY["result"].items() for word in names}
HEADINGS: dict[str, list[str]] = VOCABULARY["headings"]
EXPORTED: dict[str, str] = {word: field for field, names in VOCABULARY["exports"].items() for word in names}


def words(text: str) -> str:
    """Normalise a text for comparison: lower-case letters, single spaces, and no invisible characters."""
    if not text.isascii():
        text = "".join(letter for letter in text if unicodedata.category(letter) != "Cf")
    return " ".join(text.split()).casefold()


def plain_heading(text: str) -> str:
    """Normalise a heading: "playDate", "Play_Date" and "Play date?" become "play date"."""
    apart = re.sub(r"(?<=[a-zäöüß])(?=[A-Z])", " ", text)
    return words(re.sub(r"[_?!:()\[\]/.-]", " ", apart))


def letters(text: str) -> list[str]:
    """Return the words of a text, in lower-case letters, without digits and signs."""
    return re.findall(r"[^\W\d_]+", text.casefold())


def is_harmless(text: str, names: Iterable[str] = ()) -> bool:
    """Return whether a text cannot name a person.

    All its words must be in the vocabulary, and the normalised text (`words`) must not be one of `names`. A
    text without letters is harmless.
    """
    return words(text) not in names and all(word in KNOWN_WORDS for word in letters(text))


def result_in(winner: str) -> str:
    """Return the result that a cell for the winner's name states instead, such as "loss" for "lost".

    Returns "" for a name, and "unclear" for a doubtful result such as "tie?". A single letter is an initial,
    except if it means a draw.
    """
    plain = words(winner).rstrip(".!")
    sure = plain.rstrip(" ?")
    result = RESULT.get(sure, "")
    if len(sure) < 2 and result != "draw":
        return ""
    return "unclear" if result and sure != plain else result


def _listed(node: Any) -> Iterable[str]:
    if isinstance(node, str):
        return (node,)
    keys, values = (node, node.values()) if isinstance(node, dict) else ((), node)
    return (*keys, *(text for value in values for text in _listed(value)))


# every word of the vocabulary; messages may show these words, because they name no person
KNOWN_WORDS = frozenset(
    word for text in _listed(VOCABULARY) for word in letters(text.replace("_", " ")) if len(word) > 1
)
KNOWN_HEADINGS = (
    frozenset(plain_heading(name) for field, names in HEADINGS.items() for name in (field, *names))
    | EXPORTED.keys()
) - (RESULT.keys() | YES | NO)


def any_of(name: str) -> str:
    """Return a regular expression that matches any word of a vocabulary list; it tries longer words first."""
    return "|".join(re.escape(word) for word in sorted(VOCABULARY[name], key=len, reverse=True))


# ---------------------------------------------------------------- numbers, minutes, dates, yes and no

ABOUT = re.compile(rf"^(?:{any_of('about')})\s*(?=\d)", re.I)
UNITS = re.compile(rf"\s*(?:{any_of('units')})$", re.I)
NAMED = re.compile(rf"^(?:{any_of('named')})\s*(?=\d)", re.I)
DIGITS = re.compile(r"[+-]?\d+(?:[.,]\d+)*")
FRACTIONS = {"¼": "25", "½": "5", "¾": "75"}  # digits after the decimal mark
FRACTION = re.compile(rf"(\d*)\s*([{''.join(FRACTIONS)}])(?!\d)")
# thousands separators without another meaning
GROUPED = re.compile(r"(?<=\d)['’\u00a0\u202f\u2009](?=\d{3}(?!\d))")
DASHED = re.compile(r"\d\s*[-–—]\s*\d")
LISTED = re.compile(r"\d\s*(?:[,.]\s+|[;/:|]\s*|\s+)\d")
HOURS = re.compile(rf"([\d.,]+)\s*(?:{any_of('hours')})\s*(?:(\d{{1,2}})\s*(?:{any_of('minutes')})?)?", re.I)
CLOCK = re.compile(r"(\d{1,2}):([0-5]\d)(:[0-5]\d)?")
MINUTES = re.compile(rf"([\d.,]+)\s*(?:{any_of('minutes')})?", re.I)
MARK = re.compile(r"([1-5])(?:[.,]0+)?(?:\s*(?:/\s*5\b|stars?|sterne?|[-–:(*].*)\s*)?$", re.I)
MOST = 1e12  # maximum score of a board game
LONGEST = 7 * 24 * 60  # minutes
MANY_HOURS = 10  # a larger number before a colon is as likely to be minutes
TERMS = 100  # maximum number of terms in a sum
ORDERS = {"day.month.year": (0, 1, 2), "month/day/year": (1, 0, 2)}  # positions of day, month and year


class UnreadCell(ValueError):
    """A cell with an unexpected value. The text of the error states the reason."""


def is_blank(text: str) -> bool:
    return words(text) in BLANK


def _bare(text: str) -> str:
    """Return the text of a number without common additions.

    These are stars and similar signs, words such as "about" or "rank" before the number, units, and
    unambiguous thousands separators.
    """
    text = GROUPED.sub("", text.strip()).replace("−", "-").replace("\u00a0", " ").replace("\u202f", " ")
    return UNITS.sub("", NAMED.sub("", ABOUT.sub("", text.strip().rstrip("*†! ")))).strip()


def number(text: str, decimal: str = "") -> float | None:
    """Parse a number. decimal: "," or ".", the decimal mark of the file; "" to infer it from the number.

    Without `decimal`, a single mark is the decimal mark (1,5 is one and a half), except if exactly three
    digits follow it and the integer part is not 0. Of two different marks, the last one is the decimal mark.
    Raises UnreadCell for words, ranges and lists ("12-8", "12, 8", "12 8"), for numbers above MOST, and for
    1,234 and 1,234,567, which may be thousands, decimals or a list.
    """
    if is_blank(text):
        return None
    bare = _bare(_without_fractions(text, decimal))
    if not DIGITS.fullmatch(bare):
        raise UnreadCell(_why_no_number(bare))
    value = float(_with_dot(bare, decimal))
    if not isfinite(value) or abs(value) > MOST:
        raise UnreadCell("too large")
    return value


def _without_fractions(text: str, decimal: str) -> str:
    """Write the signs ¼, ½ and ¾ as digits: "1½" becomes 1.5, or 1,5 if `decimal` is a comma."""
    return FRACTION.sub(lambda found: f"{found[1] or 0}{decimal or '.'}{FRACTIONS[found[2]]}", text)


def _why_no_number(bare: str) -> str:
    if DASHED.search(bare):
        return "a range, a difference or a list instead of one number"
    return "several numbers in one cell" if LISTED.search(bare) else "not a number"


def _with_dot(bare: str, decimal: str) -> str:
    """Return the digits with a decimal point, and without thousands separators.

    Raises UnreadCell if the marks do not fit `decimal`, or are ambiguous without it.
    """
    marks = [mark for mark in bare if mark in ".,"]
    if not marks:
        return bare
    if decimal or len(set(marks)) == 2:
        mark = decimal or marks[-1]
        if not _groups(bare, mark):
            raise UnreadCell(f'not a number with "{mark}" as decimal mark')
        return bare.replace("," if mark == "." else ".", "").replace(mark, ".")
    if len(marks) > 1 and not _groups(bare, "." if marks[0] == "," else ","):
        raise UnreadCell("several numbers in one cell" if marks[0] == "," else "not a number")
    whole, part = bare.split(marks[0])[:2]
    if len(marks) > 1 or (len(part) == 3 and whole.lstrip("+-") != "0"):
        raise UnreadCell(
            'the separator may mark thousands, decimals or list items; set decimal = "," or "." in the '
            "mapping"
        )
    return f"{whole}.{part}"


def _groups(bare: str, decimal: str) -> bool:
    """Return whether the text is a number with this decimal mark.

    Any other marks must separate groups of three digits.
    """
    other = re.escape("," if decimal == "." else ".")
    mark = re.escape(decimal)
    return bool(re.fullmatch(rf"[+-]?(\d{{1,3}}({other}\d{{3}})+|\d+)({mark}\d+)?", bare))


def decimal_of(texts: Iterable[str]) -> str:
    """Return the decimal mark of a column; "" if no number has a clear mark, or if both marks occur.

    A mark is clear if it is the only one in its number, and if the number of digits after it is not exactly
    three, which may be thousands.
    """
    marks = {
        mark
        for text in texts
        for mark, digits in re.findall(r"^\D*\d+([.,])(\d+)(?![\d.,])", text.strip())
        if len(digits) != 3
    }
    return marks.pop() if len(marks) == 1 else ""


def whole(text: str, decimal: str = "") -> int | None:
    """Parse an integer of at least 1. Returns None also for 0, which means that nothing was counted."""
    value = number(text.strip().removesuffix("."), decimal)
    if value is None or value == 0:
        return None
    if value < 0 or value != int(value):
        raise UnreadCell("not an integer")
    return int(value)


def score(text: str, decimal: str = "", minus: str = "") -> float | None:
    """Parse points: a number, or a sum such as "31+3+1" (35).

    minus: "subtract" for a file in which a minus subtracts, so that "66-5-0" is 61. Otherwise, a minus
    between numbers raises UnreadCell, because it may mean a range, a difference or a list.
    """
    joint = r"\s*([+-])\s*" if minus == "subtract" else r"\s*(\+)\s*"
    first, *rest = re.split(rf"(?<=\d){joint}(?=\d)", text.replace("−", "-").strip())
    if not rest:
        return number(text, decimal)
    if len(rest) > 2 * TERMS:
        raise UnreadCell("a sum with too many terms")
    value = number(first, decimal)
    for sign, part in zip(rest[::2], rest[1::2], strict=True):
        value = (value or 0) + (number(part, decimal) or 0) * (-1 if sign == "-" else 1)
    if value is not None and abs(value) > MOST:
        raise UnreadCell("too large")
    return value if value is None else round(value, 6)


def minutes(text: str, decimal: str = "") -> float | None:
    """Parse a duration in minutes: "90", "~90 min", "1h30", "1:30", "1,5 Std".

    Returns None also for 0, which means that the play was not timed.
    """
    if is_blank(text):
        return None
    bare = ABOUT.sub("", _without_fractions(text, decimal).strip().rstrip("*")).strip()
    if clock := CLOCK.fullmatch(bare):
        if int(clock[1]) >= MANY_HOURS and not clock[3]:
            raise UnreadCell("the number before the colon may be hours or minutes")
        value = int(clock[1]) * 60.0 + int(clock[2])
    elif hours := HOURS.fullmatch(bare):
        value = (number(hours[1], decimal) or 0) * 60 + int(hours[2] or 0)
    elif plain := MINUTES.fullmatch(bare):
        value = number(plain[1], decimal) or 0
    else:
        raise UnreadCell("not a duration")
    if value > LONGEST:
        raise UnreadCell("longer than a week")
    return value or None


def place_in(text: str) -> int | None:
    """Return the place in turn order that a text such as "seat 2" states; None for any other text."""
    match = re.fullmatch(rf"(?:{any_of('places')})\s*(\d{{1,2}})", text.strip(), re.I)
    return int(match[1]) if match else None


def unit_of_heading(heading: str) -> str | None:
    """Return the unit in the heading of a column of lengths: "turn" or "round".

    The form's own heading `turns` has no unit (None), because the form asks for the game's unit.
    """
    if plain_heading(heading) == "turns":
        return None
    said = set(letters(plain_heading(heading)))
    return next((unit for unit, names in VOCABULARY["lengths"].items() if said & set(names)), None)


def rating(text: str) -> int | None:
    """Parse a rating from 1 to 5: "4", "4/5", "4 - good", "4,0"."""
    if is_blank(text):
        return None
    mark = MARK.match(text.strip())
    if not mark:
        raise UnreadCell("not a rating from 1 to 5")
    return int(mark[1])


def yes_or_no(text: str) -> bool | None:
    if is_blank(text):
        return None
    if words(text) in YES | NO:
        return words(text) in YES
    raise UnreadCell("neither yes nor no")


# ---------------------------------------------------------------- dates

YEAR_FIRST = re.compile(r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[T ].*)?")
DOTS = re.compile(r"(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4}|\d{2})(?:[ ,].*)?")
SLASHES = re.compile(r"(\d{1,2})[/-](\d{1,2})[/-](\d{4}|\d{2})(?:[ ,].*)?")
DAY_MONTH = re.compile(r"(\d{1,2})[.\s-]*([A-Za-zäÄ]{3,9})\.?[\s,-]*(\d{4}|\d{2})")
MONTH_DAY = re.compile(r"([A-Za-zäÄ]{3,9})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})")


def order_of(texts: Iterable[str]) -> str:
    """Return the order of day and month in a column of dates with slashes, one of ORDERS.

    Returns "" if the dates do not determine it.
    """
    dates = [match.groups() for text in texts if (match := SLASHES.fullmatch(text.strip()))]
    fits = [order for order in ORDERS if all(_made(parts, order) for parts in dates)]
    return fits[0] if len(fits) == 1 and dates else ""


def day(text: str, order: str = "") -> date | None:
    """Parse a date without its time.

    order: the order of day and month in dates with slashes, one of ORDERS. "" accepts only unambiguous dates.
    """
    text = text.strip()
    if is_blank(text):
        return None
    if match := YEAR_FIRST.fullmatch(text):
        days = {_made(match.groups()[::-1], "day.month.year")}
    elif match := DOTS.fullmatch(text):
        days = {_made(match.groups(), "day.month.year")}
    elif match := SLASHES.fullmatch(text):
        days = {_made(match.groups(), way) for way in ([order] if order else ORDERS)} - {None} or {None}
    else:
        days = {_named(text)}
    if len(days) > 1:
        raise UnreadCell(
            'the day or the month may be first; set dates = "day.month.year" or "month/day/year" in the '
            "mapping"
        )
    if None in days:
        raise UnreadCell("not a date")
    return days.pop()


def _made(parts: Iterable[str], order: str) -> date | None:
    """Return a date from three numbers, or None if there is no such day from 1970 to 2100."""
    numbers = [int(part) for part in parts]
    first, second, third = ORDERS[order]
    year = numbers[third] + (2000 if numbers[third] < 100 else 0)
    try:
        made = date(year, numbers[second], numbers[first])
    except ValueError:
        return None
    return made if 1970 <= year <= 2100 else None


def _named(text: str) -> date | None:
    """Parse a date with a named month: `23. November 2026`, `Nov 23, 2026`. Returns None for other text."""
    if match := DAY_MONTH.fullmatch(text):
        first, month, year = match.groups()
    elif match := MONTH_DAY.fullmatch(text):
        month, first, year = match.groups()
    else:
        return None
    number = MONTHS.get(month.casefold())
    return _made((first, str(number), year), "day.month.year") if number else None
