"""Pages as Markdown: the same sentences and tables, without figures."""

from collections.abc import Iterable, Iterator

from bartizan.reports.blocks import Page, PlayerFact, Section, Table
from bartizan.reports.text import glossary
from bartizan.simcore.files import MADE_HERE


def page(content: Page) -> str:
    command = f"```\n{content.command}\n```"
    again = ("## Play it again", command, f"Seed {content.seed}; {content.versions}.")
    parts = [*_answers(content), *_numbers(content), *_background(content), *again]
    reminded = (line for part in [*parts, *glossary.in_markdown(parts)] for line in _reminded(part, content))
    return "\n\n".join([*reminded, f"<!-- {MADE_HERE} -->"]) + "\n"


def _reminded(part: str, content: Page) -> Iterator[str]:
    """A section may be read by itself."""
    yield part
    if part.startswith("## "):
        yield from (f"> {line}" for line in content.reminders)


def _answers(content: Page) -> Iterator[str]:
    yield f"# {content.title}{f': {content.question}' if content.question else ''}"
    if content.caveat:
        yield f"> **{' '.join(content.caveat)}**"
    yield from (f"> **{line}**" for line in content.changed)
    yield f"**{content.chart.title}**"
    yield _listed(content.chart.in_words)
    yield content.played
    yield from (f"- {line}" for line in content.incomplete)
    if content.claims:
        yield f"**Claims.** {content.claimed}"
        yield _listed(
            f"**{row['verdict']}** {row['title']}: "
            f"{row['finding']}.{f' Band: {source}' if (source := row.get('source')) else ''}"
            for row in content.claims
        )
    for paragraph in (*content.front, *content.verdict):
        stop = "" if paragraph.heading.endswith("?") else "."
        yield f"**{paragraph.heading}{stop}** {paragraph.text}"


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
    yield from filter(None, (f"## {section.title}", section.caption, drawn, _listed(section.lines)))
    for table in section.tables:
        heading, *rest = _table("###", table)
        yield from rest if table.title == section.title else (heading, *rest)


def _table(mark: str, table: Table) -> tuple[str, str, str]:
    return f"{mark} {table.title}", table.caption, _grid(table)


def _background(content: Page) -> Iterator[str]:
    yield "## What was played, and what is assumed"
    yield from filter(None, (content.rules_source, content.stopping_rule))
    if content.players:
        yield _listed(map(_player, content.players))
    if content.scenarios:
        yield from (content.scenarios.caption, _grid(content.scenarios))
    if content.assumptions:
        yield _listed(
            f"{item.text}{f' ({item.cells})' if item.cells else ''}" for item in content.assumptions
        )
    yield _listed(f"**{job}**: {method}" for job, method in content.methods)
    if content.validity:
        yield f"### {content.validity_heading}"
        yield _listed(content.validity)
    if content.measures:
        yield "## Other measures"
    for table in content.measures:
        yield from _table("###", table)


def _grid(table: Table) -> str:
    """Rows between bars."""
    lines = [table.headers, ["---"] * len(table.headers), *(map(str, row) for row in table.rows)]
    more = f"\n\n{table.more}" if table.more else ""
    return "\n".join(f"| {' | '.join(_escape(entry) for entry in line)} |" for line in lines) + more


def _escape(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def _player(player: PlayerFact) -> str:
    weights = f" Weights: {player.weights}." if player.weights else ""
    return f"**{player.name}** ({player.role}): {player.about}{weights}"


def _listed(lines: Iterable[str]) -> str:
    return "\n".join(f"- {line}" for line in lines)
