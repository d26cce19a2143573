"""Pages as Markdown: the blocks in order, and figures as their titles.

All text is escaped, because names come from a user's files and must not become markup.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from bartizan.reports.blocks import (
    Answers,
    Block,
    Chart,
    Claims,
    CommandLine,
    Definition,
    Definitions,
    FigureGroup,
    Hint,
    Lines,
    Page,
    Paragraph,
    Table,
    Text,
    View,
)
from bartizan.reports.text.marked import escape, grid
from bartizan.reports.text.visible import visible
from bartizan.simcore.files import MADE_HERE


def page(content: Page) -> str:
    parts = (line for part in content.every_part for line in _part(part, content.reminders))
    return "\n\n".join(filter(None, [*_head(content), *parts, f"<!-- {MADE_HERE} -->"])) + "\n"


def _head(content: Page) -> Iterator[str]:
    yield f"# {escape(content.title + (f': {content.question}' if content.question else ''))}"
    yield from (f"> {_strong(line)}" for line in filter(None, (content.caveat, *content.changed)))
    yield escape(content.headline)
    if content.incomplete:
        yield f"This sweep is incomplete:\n\n{_listed(content.incomplete)}"


def _part(part: View, reminders: Iterable[str], level: int = 2) -> Iterator[str]:
    """Yield the text of a part of the page.

    Each part and each table repeats the reminders, because it may be read separately.
    """
    reminded = "\n".join(f"> {escape(line)}" for line in reminders)
    if part.title:
        yield f"{'#' * level} {escape(part.title)}"
        yield reminded
    yield escape(part.caption)
    for block in part.blocks:
        match block:
            case View():
                yield from _part(block, (), level + 1)
            case Table():
                yield f"{'#' * (level + 1)} {escape(block.title)}"
                yield reminded
                yield from (escape(block.page_caption), _grid(block))
            case _:
                yield from _block(block)


def _block(block: Block) -> Iterator[str]:
    match block:
        case Chart():
            yield _strong(block.title)
            yield _listed(block.in_words)
        case FigureGroup():
            titles = (f"{each.title}{f' ({each.note})' if each.note else ''}" for each in block.figures)
            yield _strong(block.title)
            yield _listed(filter(None, titles))
        case Lines():
            yield _listed(block.page_lines)
        case Text():
            yield escape(block.text)
        case Answers():
            yield from map(_paragraph, block.paragraphs)
        case Claims():
            yield escape(block.sentence)
            yield "\n".join(map(_claim, block.rows))
        case Definitions():
            yield "\n".join(map(_definition, block.rows))
        case CommandLine():
            yield _fenced(block.typed)
        case Hint():
            pass  # terminal only


def _strong(text: str) -> str:
    return f"**{escape(text)}**" if text.strip() else ""


def _paragraph(paragraph: Paragraph) -> str:
    stop = "" if paragraph.heading.endswith("?") else "."
    return f"{_strong(paragraph.heading + stop)} {escape(paragraph.text)}"


def _definition(row: Definition) -> str:
    note = f" {escape(f'({row.note})')}" if row.note else ""
    return f"- {_strong(row.name)}{note}: {escape(row.meaning)}"


def _claim(row: Mapping[str, Any]) -> str:
    source = f" Band: {escape(row['source'])}" if row.get("source") else ""
    return f"- {_strong(row['verdict'])} {escape(row['title'])}: {escape(row['finding'])}.{source}"


def _grid(table: Table) -> str:
    more = f"\n\n{escape(table.more)}" if table.more else ""
    return "\n".join(grid(table.headers, (map(str, row) for row in table.rows))) + more


def _fenced(command: str) -> str:
    longest = max(map(len, re.findall("`+", command)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}\n{visible(command)}\n{fence}"


def _listed(lines: Iterable[str]) -> str:
    return "\n".join(f"- {escape(line)}" for line in lines)
