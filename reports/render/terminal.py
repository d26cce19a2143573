"""Blocks for a reader at a terminal: the sentence first, tables in columns, pictures left out."""

from collections.abc import Iterator

from bartizan.reports.blocks import Block, Entry, Hint, Lines, Table, View


def lines(view: View) -> Iterator[str]:
    """An answer line by line."""
    yield view.sentence
    for block in view.blocks:
        shown = list(block_lines(block))
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
    to_right = [any(text[:1].isdigit() for text in column[1:]) for column in columns]
    for row in cells:
        texts = (
            text.rjust(width) if right else text.ljust(width)
            for text, width, right in zip(row, widths, to_right, strict=True)
        )
        yield f"  {'  '.join(texts)}".rstrip()
    yield from (f"  {line}" for line in table.more.splitlines())


def cell(entry: Entry) -> str:
    return f"{entry.text} ({entry.limits})" if entry.limits else entry.text
