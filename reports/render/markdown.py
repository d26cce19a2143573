"""Pages as Markdown: the same sentences and tables, without figures.

Names come from a user's files: everything that a page says passes `escape`, so that it is read as text.
"""

import re
from collections.abc import Iterable, Iterator

from bartizan.reports.blocks import Page, Paragraph, PlayerFact, Section, Table
from bartizan.reports.text import glossary
from bartizan.reports.text.marked import escape, grid
from bartizan.reports.text.visible import visible
from bartizan.simcore.files import MADE_HERE


def page(content: Page) -> str:
    longest = max(map(len, re.findall("`+", content.command)), default=0)
    fence = "`" * max(3, longest + 1)
    command = f"{fence}\n{visible(content.command)}\n{fence}"
    again = (f"## {content.again_heading}", command, escape(f"{content.stamp}."))
    parts = [*_answers(content), *_numbers(content), *_background(content), *again]
    reminded = (line for part in [*parts, *glossary.in_markdown(parts)] for line in _reminded(part, content))
    return "\n\n".join([*reminded, f"<!-- {MADE_HERE} -->"]) + "\n"


def _reminded(part: str, content: Page) -> Iterator[str]:
    """A section may be read by itself."""
    yield part
    if part.startswith("## "):
        yield from (f"> {escape(line)}" for line in content.reminders)


def _answers(content: Page) -> Iterator[str]:
    yield f"# {escape(content.title + (f': {content.question}' if content.question else ''))}"
    if content.caveat:
        yield f"> {_strong(' '.join(content.caveat))}"
    yield from (f"> {_strong(line)}" for line in content.changed)
    yield _strong(content.chart.title)
    yield _listed(content.chart.in_words)
    yield escape(f"{content.played} {content.whose}")
    yield from (f"- {escape(line)}" for line in content.incomplete)
    if content.claims:
        yield f"**Claims.** {escape(content.claimed)}"
        yield "\n".join(
            f"- {_strong(row['verdict'])} {escape(row['title'])}: "
            f"{escape(row['finding'])}.{f' Band: {escape(source)}' if (source := row.get('source')) else ''}"
            for row in content.claims
        )
    yield from map(_paragraph, (*content.front, *content.verdict))


def _strong(text: str) -> str:
    return f"**{escape(text)}**" if text.strip() else ""


def _paragraph(paragraph: Paragraph) -> str:
    stop = "" if paragraph.heading.endswith("?") else "."
    return f"{_strong(paragraph.heading + stop)} {escape(paragraph.text)}"


def _numbers(content: Page) -> Iterator[str]:
    """The tables, those of a section that says more than its figures under its heading."""
    told = [section for section in content.sections if section.lines or section.tables]
    for table in content.tables:
        section = next((section for section in told if table in section.tables), None)
        if section is None:
            yield from _table("##", table)
        elif table == section.tables[0]:
            yield from _section(section)
    for section in told:
        if not section.tables:
            yield from _section(section)


def _section(section: Section) -> Iterator[str]:
    drawn = _listed(section.chart.in_words) if section.chart else ""
    heading = f"## {escape(section.title)}"
    yield from filter(None, (heading, escape(section.caption), drawn, _listed(section.lines)))
    for table in section.tables:
        heading, *rest = _table("###", table)
        yield from rest if table.title == section.title else (heading, *rest)


def _table(mark: str, table: Table) -> tuple[str, str, str]:
    return f"{mark} {escape(table.title)}", escape(table.caption), _grid(table)


def _background(content: Page) -> Iterator[str]:
    yield "## What was played, and what is assumed"
    yield from map(escape, filter(None, (content.rules_source, content.stopping_rule)))
    if content.players:
        yield "\n".join(map(_player, content.players))
    if content.scenarios:
        yield from (escape(content.scenarios.caption), _grid(content.scenarios))
    if content.assumptions:
        yield _listed(
            f"{item.text}{f' ({item.cells})' if item.cells else ''}" for item in content.assumptions
        )
    yield "\n".join(f"- {_strong(job)}: {escape(method)}" for job, method in content.methods)
    if content.validity:
        yield f"### {content.validity_heading}"
        yield _listed(content.validity)
    if content.measures:
        yield "## Other measures"
    for table in content.measures:
        yield from _table("###", table)


def _grid(table: Table) -> str:
    more = f"\n\n{escape(table.more)}" if table.more else ""
    return "\n".join(grid(table.headers, (map(str, row) for row in table.rows))) + more


def _player(player: PlayerFact) -> str:
    weights = f" Weights: {player.weights}." if player.weights else ""
    return f"- {_strong(player.name)} {escape(f'({player.role}): {player.about}{weights}')}"


def _listed(lines: Iterable[str]) -> str:
    return "\n".join(f"- {escape(line)}" for line in lines)
