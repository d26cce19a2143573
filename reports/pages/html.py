"""The report as one HTML file: sentences, pictures, tables; no script, no font, no
request leaves the page.
"""

from dataclasses import replace
from pathlib import Path

import jinja2

from bartizan.reports.pages import assumptions as guesses
from bartizan.reports.pages import cards, facts, solo, tables
from bartizan.reports.pages.free_for_all import page as rivals
from bartizan.reports.pages.pictures import Section
from bartizan.reports.pages.two_sided import page as contest
from bartizan.reports.pages.views import CONTEST, RIVALS, SOLO, verdict_of, view_of
from bartizan.reports.study import Study, study
from bartizan.reports.text import banner, claims

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
    view = view_of(found)
    sections = {SOLO: solo, CONTEST: contest, RIVALS: rivals}[view].sections
    shown = [
        section
        for section in (*sections(found, most), *cards.sections(found, most), *guesses.sections(found))
        if section.groups
    ]
    text = (
        environment()
        .get_template("report.html.j2")
        .render(
            manifest=found.manifest,
            title=found.title,
            changed=facts.changed(found),
            banner=banner.lines(found.banner, found.manifest["game_as_named"]) if found.banner else (),
            question=view.question,
            headline=view.headline,
            played=facts.played(found),
            incomplete=facts.incomplete(found),
            claims=claims.of_study(found),
            claimed=claims.sentence(claims.of_study(found), found.manifest) if found.claims else "",
            verdict=verdict_of(found),
            sections=[_said_first(section, found) for section in shown],
            tables=[*view.tables(found), *cards.tables(found), *guesses.tables(found)],
            OPEN_TABLES=2,  # the others unfold: a phone should reach the assumptions without a mile of rows
            measures=tables.measures(found),
            players=facts.players(found),
            assumptions=[*facts.assumptions(found), *cards.assumptions(found)],
            scenarios=facts.scenarios(found),
            rules_source=facts.rules_source(found),
            stopping_rule=facts.stopping_rule(found),
            methods=[
                *view.methods(found),
                *claims.methods(found),
                *cards.methods(found),
                *guesses.methods(found),
            ],
            versions=facts.versions(found),
        )
    )
    return with_arrows(text)


def environment() -> jinja2.Environment:
    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(__file__).parent.parent / "templates"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )


def with_arrows(text: str) -> str:
    """A page has the arrow that a terminal may lack."""
    return text.replace(" -&gt; ", " → ")


def _said_first(section: Section, found: Study) -> Section:
    """A picture is shown without its page: its caption says what is changed in all of the games."""
    return replace(section, caption=f"{found.title}. {section.caption}") if found.changes else section
