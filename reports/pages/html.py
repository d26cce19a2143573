"""The report as one HTML file: sentences, pictures, tables; no script, no font, no request
leaves the page.
"""

from dataclasses import replace
from pathlib import Path
from typing import Any

from bartizan.reports.pages.parts import cards, facts, front, kept, lengths, over_skill, sensitivity, since
from bartizan.reports.pages.parts.pictures import Section
from bartizan.reports.pages.parts.templates import render
from bartizan.reports.pages.views import methods_of, tables_of, verdict_of, view_of
from bartizan.reports.study import Study, study
from bartizan.reports.text import banner, claims, glossary

MOST_BYTES = 950_000  # a page must be light enough to mail
MOST_PICTURES = (36, 12, 3)  # in a section: the first that keeps the page light; the tables hold every cell


def write(sweep, path: Path) -> Path:
    path.write_text(light_page(study(sweep)), encoding="utf-8")
    return path


def light_page(found: Study) -> str:
    """The page with as many pictures as its weight allows."""
    for most in MOST_PICTURES:
        text = page(found, most)
        if len(text.encode()) < MOST_BYTES:
            break
    return text


def page(found: Study, most: int = MOST_PICTURES[0]) -> str:
    """`most`: pictures in a section."""
    return render("report.html.j2", **content(found, most))


def content(found: Study, most: int) -> dict[str, Any]:
    """What the page holds, on a screen or on paper."""
    parts = {**_answers(found), **_numbers(found, most), **_background(found)}
    return {**parts, "glossary": glossary.used_in({**parts, "manifest": ""})}


def _answers(found: Study) -> dict[str, Any]:
    view, banner_of, verdict = view_of(found), found.banner, verdict_of(found)
    page_one = front.of_study(found, verdict)
    return {
        "manifest": found.manifest,
        "title": found.title,
        "changed": facts.changed(found),
        "banner": banner.lines(banner_of, found.manifest["game_as_named"]) if banner_of else (),
        "question": view.question,
        "headline": view.headline,
        "played": facts.played(found),
        "whose": facts.whose(found),
        "who": facts.who(found),
        "incomplete": facts.incomplete(found),
        "claims": claims.of_study(found),
        "claimed": claims.sentence(claims.of_study(found), found.manifest) if found.claims else "",
        "front": page_one,
        "verdict": [one for one in verdict if one not in page_one],
    }


def _numbers(found: Study, most: int) -> dict[str, Any]:
    view = view_of(found)
    own = (*since.sections(found), *view.sections(found, most), *over_skill.sections(found))
    sections = (*own, *cards.sections(found, most), *sensitivity.sections(found))
    return {
        "sections": [
            *(_said_first(section, found) for section in sections if section.groups or section.lines),
            *kept.sections(found),
        ],
        "tables": tables_of(found),
        "OPEN_TABLES": 2,  # the others unfold: a phone should reach the assumptions without a mile of rows
        "measures": lengths.measures(found),
    }


def _background(found: Study) -> dict[str, Any]:
    return {
        "players": facts.players(found),
        "assumptions": [*facts.assumptions(found), *cards.assumptions(found)],
        "scenarios": facts.scenarios(found),
        "rules_source": facts.rules_source(found),
        "stopping_rule": facts.stopping_rule(found),
        "methods": methods_of(found),
        "versions": facts.versions(found),
        "signed": facts.signed(found.manifest, [finding.cell.folder for finding in found.findings]),
    }


def _said_first(section: Section, found: Study) -> Section:
    """A picture is shown without its page: its caption says what is changed in all of the games."""
    return replace(section, caption=f"{found.title}. {section.caption}") if found.changes else section
