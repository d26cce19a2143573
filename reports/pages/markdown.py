"""The report as Markdown: the same sentences and tables, without pictures."""

from collections.abc import Iterator
from pathlib import Path

from bartizan.reports.blocks import Table
from bartizan.reports.entries import grid
from bartizan.reports.pages.parts import cards, facts, front, kept, lengths, sensitivity, since
from bartizan.reports.pages.views import methods_of, own_tables, verdict_of, view_of
from bartizan.reports.study import Study, study
from bartizan.reports.text import banner, claims, glossary


def write(sweep, path: Path) -> Path:
    path.write_text(text(study(sweep)), encoding="utf-8")
    return path


def text(found: Study) -> str:
    parts = [*_said_again([*_answers(found), *_numbers(found)], found), *kept.in_markdown(found)]
    end = [*_again(found), *glossary.in_markdown([*parts, *_again(found)])]
    return "\n\n".join([*parts, *_said_again(end, found)]) + "\n"


def _answers(found: Study) -> Iterator[str]:
    yield f"# {found.title}: {view_of(found).question}"
    yield from _banner(found)
    yield from _changed(found)
    yield facts.played(found)
    yield from (f"- {line}" for line in facts.incomplete(found))
    yield from _claims(found)
    verdict = verdict_of(found)
    page_one = front.of_study(found, verdict)
    for paragraph in [*page_one, *(one for one in verdict if one not in page_one)]:
        stop = "" if paragraph.heading.endswith("?") else "."
        yield f"**{paragraph.heading}{stop}** {paragraph.text}"


def _numbers(found: Study) -> Iterator[str]:
    for section in since.sections(found):
        yield from (f"## {section.title}", section.caption, "\n".join(f"- {line}" for line in section.lines))
    for table in own_tables(found):
        yield from _table("##", table)
    yield from (f"- {line}" for line in sensitivity.conclusions(found))
    yield "## What was played, and what is assumed"
    yield from _background(found)
    yield "## Other measures"
    for table in lengths.measures(found):
        yield from _table("###", table)


def _table(mark: str, table: Table) -> tuple[str, str, str]:
    return f"{mark} {table.title}", table.caption, grid(table)


def _again(found: Study) -> tuple[str, str, str]:
    command, seed = found.manifest["command"], found.manifest["seed"]
    return "## Play it again", f"```\n{command}\n```", f"Seed {seed}; {facts.versions(found)}."


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


def _background(found: Study) -> Iterator[str]:
    scenarios = facts.scenarios(found)
    yield facts.rules_source(found)
    yield facts.stopping_rule(found)
    yield "\n".join(map(_player, facts.players(found)))
    yield scenarios.caption
    yield grid(scenarios)
    if assumed := [*facts.assumptions(found), *cards.assumptions(found)]:
        yield "\n".join(f"- {item.text}{f' ({item.cells})' if item.cells else ''}" for item in assumed)
    yield "\n".join(f"- **{job}**: {method}" for job, method in methods_of(found))


def _player(player: facts.PlayerFact) -> str:
    weights = f" Weights: {player.weights}." if player.weights else ""
    return f"- **{player.name}** ({player.role}): {player.about}{weights}"
