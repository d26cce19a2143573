"""What a reader at a terminal gets: blocks as lines, without pictures, in letters that the terminal has."""

import codecs
import re
import sys
import unicodedata
from collections.abc import Iterator

from bartizan.reports.blocks import Block, Entry, Hint, Lines, Table, View

NUMBER = re.compile(r"[+−]?\d|below |above |–?$")  # what a cell of a column of numbers begins with


def lines(view: View) -> Iterator[str]:
    """An answer line by line, the sentence first. One table needs no title: the sentence is its title."""
    tables = [block for block in view.blocks if isinstance(block, Table) and block.place != "page"]
    yield view.sentence
    for block in view.blocks:
        shown = list(block_lines(block))
        if shown and isinstance(block, Table) and len(tables) > 1 and not block.heading:
            shown.insert(0, block.title)
        if shown and not isinstance(block, Hint):
            yield ""
        yield from shown
    if method := view.method[1]:
        yield ""
        yield f"Method: {method}"


def block_lines(block: Block) -> Iterator[str]:
    match block:
        case Table() if block.place != "page":
            yield from table_lines(block)
        case Lines():
            yield from block.lines
        case Hint():
            yield block.line


def table_lines(table: Table) -> Iterator[str]:
    """Columns as wide as their widest cell: numbers to the right, words to the left."""
    if table.heading:
        yield f"  {table.heading}"
    cells = [table.headers, *([cell(entry) for entry in row] for row in table.rows)]
    columns = list(zip(*cells, strict=True))
    widths = [max(map(len, column)) for column in columns]
    to_right = [all(NUMBER.match(text) for text in column[1:]) for column in columns]
    for row in cells:
        texts = (
            text.rjust(width) if right else text.ljust(width)
            for text, width, right in zip(row, widths, to_right, strict=True)
        )
        yield f"  {'  '.join(texts)}".rstrip()
    yield from (f"  {line}" for line in table.more.splitlines())


def cell(entry: Entry) -> str:
    return f"{entry.text} ({entry.limits})" if entry.limits else entry.text


# ---------------------------------------------------------------- another encoding than ours

DASHES = {"\N{MINUS SIGN}": "-", "\N{EN DASH}": "-", "\N{EM DASH}": "-"}


def encode_what_can_be() -> None:
    """A character that stdout or stderr cannot encode becomes the nearest they can: Windows redirects to
    files as cp1252.
    """
    codecs.register_error("bartizan.nearest", _nearest)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # not where Python code has put its own
            stream.reconfigure(errors="bartizan.nearest")


def _nearest(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    near = (DASHES.get(c, unicodedata.normalize("NFKD", c)) for c in error.object[error.start : error.end])
    return "".join(text.encode("ascii", "ignore").decode() or "?" for text in near), error.end
