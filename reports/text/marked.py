"""Text inside Markdown: nothing of it is markup."""

import re
from collections.abc import Iterable, Iterator
from itertools import zip_longest

from bartizan.reports.text.visible import visible

CODE = re.compile(r"`([^`]+)`")  # what stands between backticks is to be typed
# punctuation that CommonMark, GitHub's tables and its mathematics read as markup wherever it stands
MARKUP = re.compile(r"[\\`*\[\]|~$]|(?<![^\W_])_|_(?![^\W_])|<(?=[\w/!?])|&(?=#?\w+;)|#+$")
# what opens a quotation, a heading, a list or a rule at the beginning of a line
OPENING = re.compile(r"^(?:>|(?:#{1,6}|[+-]+)(?=\s|$)|(\d{1,9})(?=[.)](?:\s|$)))")
BAR = re.compile(r"(?<!\\)\|")


def escape(text: str) -> str:
    """Text in which no character is markup, on one line; pairs of backticks stay code."""
    parts = CODE.split(re.sub(r"[ \t\n]+", " ", visible(text)).strip(" "))
    literal = [MARKUP.sub(lambda match: rf"\{match[0]}", part) for part in parts[::2]]
    code = [f"`{part}`" for part in parts[1::2]]
    joined = "".join(part for pair in zip_longest(literal, code, fillvalue="") for part in pair)
    return OPENING.sub(lambda match: f"{match[1]}\\" if match[1] else rf"\{match[0]}", joined)


def grid(headers: Iterable[str], rows: Iterable[Iterable[str]]) -> Iterator[str]:
    """The lines of a table: cells between bars."""
    names = [*map(escape, headers)]
    for line in (names, ["---"] * len(names), *(map(escape, row) for row in rows)):
        cells = (BAR.sub(r"\|", cell) for cell in line)  # in code a bar ends a cell too
        yield f"| {' | '.join(cells)} |"
