"""The report as Markdown: the same sentences and tables, without pictures."""

from collections.abc import Iterator
from pathlib import Path

from bartizan.reports.pages import assumptions as guesses
from bartizan.reports.pages import cards, facts, tables
from bartizan.reports.pages.views import View, verdict_of, view_of
from bartizan.reports.study import Study, study
from bartizan.reports.text import banner, claims


def write(sweep, path: Path) -> Path:
    path.write_text(text(study(sweep)), encoding="utf-8")
    return path


def text(found: Study) -> str:
    manifest, view = found.manifest, view_of(found)
    parts = [
        f"# {found.title}: {view.question}",
        *_banner(found),
        *_changed(found),
        facts.played(found),
        *(f"- {line}" for line in facts.incomplete(found)),
    ]
    parts += list(_claims(found))
    parts += [
        f"**{paragraph.heading}{'' if paragraph.heading.endswith('?') else '.'}** {paragraph.text}"
        for paragraph in verdict_of(found)
    ]
    for table in [*view.tables(found), *cards.tables(found), *guesses.tables(found)]:
        parts += [f"## {table.title}", table.caption, grid(table)]
    parts += [f"- {line}" for line in guesses.conclusions(found)]
    parts += ["## What was played, and what is assumed", *_background(found, view)]
    parts += ["## Other measures"]
    for table in tables.measures(found):
        parts += [f"### {table.title}", table.caption, grid(table)]
    parts += [
        "## Play it again",
        f"```\n{manifest['command']}\n```",
        f"Seed {manifest['seed']}; {facts.versions(found)}.",
    ]
    return "\n\n".join(_said_again(parts, found)) + "\n"


def _banner(found: Study) -> list[str]:
    return [f"> **{banner.line(found.banner, found.manifest['game_as_named'])}**"] if found.banner else []


def _changed(found: Study) -> list[str]:
    return [f"> **{line}**" for line in facts.changed(found)]


def _claims(found: Study) -> Iterator[str]:
    rows = claims.of_study(found)
    if rows:
        yield f"**Claims.** {claims.sentence(rows, found.manifest)}"
        yield "\n".join(
            f"- **{row['verdict']}** {row['title']}: "
            f"{row['finding']}.{f' Band: {source}' if (source := row.get('source')) else ''}"
            for row in rows
        )


def _said_again(parts: list[str], found: Study) -> Iterator[str]:
    """Under every heading of the first rank what must be said of a reconstruction, or of a changed game: a
    section may be read by itself.
    """
    for part in parts:
        yield part
        if found.banner and part.startswith("## "):
            yield f"> {banner.lines(found.banner, found.manifest['game_as_named'])[0]}"
        if found.changes and part.startswith("## "):
            yield f"> {found.title}."


def _background(found: Study, view: View) -> list[str]:
    scenarios = facts.scenarios(found)
    policies = "\n".join(
        f"- **{p.name}** ({p.role}): {p.about}{f' Weights: {p.weights}.' if p.weights else ''}"
        for p in facts.players(found)
    )
    assumed = "\n".join(
        f"- {item.text}{f' ({item.cells})' if item.cells else ''}"
        for item in [*facts.assumptions(found), *cards.assumptions(found)]
    )
    methods = "\n".join(
        f"- **{job}**: {method}"
        for job, method in [
            *view.methods(found),
            *claims.methods(found),
            *cards.methods(found),
            *guesses.methods(found),
        ]
    )
    return [
        facts.rules_source(found),
        facts.stopping_rule(found),
        policies,
        scenarios.caption,
        grid(scenarios),
        *([assumed] if assumed else []),
        methods,
    ]


def grid(table: tables.Table) -> str:
    lines = [table.headers, ["---"] * len(table.headers), *(map(str, row) for row in table.rows)]
    return "\n".join(f"| {' | '.join(_escape(entry) for entry in line)} |" for line in lines)


def _escape(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")
