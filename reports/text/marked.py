"""Functions that escape text for Markdown."""

import re
from collections.abc import Iterable, Iterator
from itertools import zip_longest

from bartizan.reports.text.visible import visible

CODE = re.compile(r"`([^`]+)`")  # code between backticks
# punctuation that CommonMark, GitHub tables and GitHub mathematics read as markup anywhere
MARKUP = re.compile(r"[\\`*\[\]|~$]|(?<![^\W_])_|_(?![^\W_])|<(?=[\w/!?])|&(?=#?\w+;)|#+$")
# openings of a quotation, heading, list or rule at the beginning of a line
OPENING = re.compile(r"^(?:>|(?:#{1,6}|[+-]+)(?=\s|$)|(\d{1,9})(?=[.)](?:\s|$)))")
BAR = re.compile(r"(?<!\\)\|")


def escape(text: str) -> str:
    """Return the text on one line, with markup escaped except in code between backticks."""
    parts = CODE.split(re.sub(r"[ \t\n]+", " ", visible(text)).strip(" "))
    literal = [MARKUP.sub(lambda match: rf"\{match[0]}", part) for part in parts[::2]]
    code = [f"`{part}`" for part in parts[1::2]]
    joined = "".join(part for pair in zip_longest(literal, code, fillvalue="") for part in pair)
    return OPENING.sub(lambda match: f"{match[1]}\\" if match[1] else rf"\{match[0]}", joined)


def grid(headers: Iterable[str], rows: Iterable[Iterable[str]]) -> Iterator[str]:
    """Yield the lines of a Markdown table."""
    names = [*map(escape, headers)]
    for line in (names, ["---"] * len(names), *(map(escape, row) for row in rows)):
        cells = (BAR.sub(r"\|", cell) for cell in line)  # a bar ends a cell even inside code
        yield f"| {' | '.join(cells)} |"
