"""The page of a sweep: which answers, figures and tables, in which order.

The kind of page follows from the question: a player against the game (how hard?), sides against each other
(who wins?), free-for-all (is it the seat?).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from bartizan.reports.blocks import Chart, Method, Page, Paragraph, Section, Table
from bartizan.reports.pages import solo, two_sided
from bartizan.reports.pages.free_for_all import page as free_for_all
from bartizan.reports.pages.parts import certainty, facts, front, measured, record, since, validity
from bartizan.reports.study import Study
from bartizan.reports.text import banner, changes, claims
from bartizan.reports.text.sentences import one_game
from bartizan.reports.views import bracket


@dataclass(frozen=True)
class Kind:
    question: str  # goes on from the game's title
    headline: str
    chart: Callable[[Study], Chart]  # the picture that answers
    verdict: Callable[[Study], list[Paragraph]]  # the last says how sure the others are
    sections: Callable[[Study], list[Section]]
    tables: Callable[[Study], list[Table]]
    methods: Callable[[Study], list[Method]]


SOLO = Kind(
    "how hard is it?",
    "How hard is it, for whom, and how sure are we?",
    solo.chart,
    solo.verdict,
    solo.sections,
    solo.tables,
    solo.methods,
)
ABOUT_LENGTH = replace(
    SOLO, question="how long is it?", headline="How long is it, for whom, and how sure are we?"
)
TWO_SIDED = Kind(
    "who wins?",
    "Who wins, how, and how sure are we?",
    two_sided.chart,
    two_sided.verdict,
    two_sided.sections,
    two_sided.tables,
    two_sided.methods,
)
FREE_FOR_ALL = Kind(
    "is it fair?",
    "Is going first worth it, who plays better, and how sure are we?",
    free_for_all.chart,
    free_for_all.verdict,
    free_for_all.sections,
    free_for_all.tables,
    free_for_all.methods,
)


def kind_of(study: Study) -> Kind:
    if study.is_alike:
        return FREE_FOR_ALL
    if study.is_contest:
        return TWO_SIDED
    return ABOUT_LENGTH if study.is_about_length else SOLO


def page(study: Study) -> Page:
    kind, manifest = kind_of(study), study.manifest
    verdict, (*first, unknown) = verdict_of(study), front.of_study(study)
    how_sure = [paragraph for paragraph in verdict if paragraph.heading == certainty.HOW_SURE]
    elsewhere = (certainty.HOW_SURE, bracket.HEADING)  # on page 1, in its section
    news, own, answers = since.sections(study), kind.sections(study), _answers(study)
    tables = (*_tables(news), *kind.tables(study), *_tables(answers))
    used = (*kind.methods(study), *claims.methods(study), *measured.between_methods(study))
    known = [section.method for section in (*news, *answers) if section.method[1]]
    caveat = banner.lines(study.banner, study.named) if study.banner else ()
    judged = claims.of_study(study)
    return Page(
        title=study.title,
        question=kind.question,
        headline=kind.headline,
        caveat=caveat[:2],  # how far its guesses move it stands below the picture
        reminders=(*caveat[:1], *_changed(study)),
        changed=facts.changed(study),
        played=facts.played(study),
        whose=facts.whose(study),
        incomplete=facts.incomplete(study),
        chart=chart_of(study),
        picks=solo.picks(study),
        front=[*first, *how_sure, unknown],
        claims=judged,
        claimed=claims.sentence(judged, manifest) if judged else "",
        verdict=[paragraph for paragraph in verdict if paragraph.heading not in elsewhere],
        sections=[
            section for section in (*_led([*news, *own], study), *answers) if section.grids or section.lines
        ],
        tables=[table for table in tables if table.rows],
        measures=record.measures(study),
        rules_source=facts.rules_source(study),
        stopping_rule=facts.stopping_rule(study),
        players=facts.players(study),
        scenarios=facts.scenarios(study),
        assumptions=[*facts.assumptions(study), *measured.card_assumptions(study)],
        methods=list(dict.fromkeys((*used, *known))),
        validity=validity.lines_of_study(study),
        command=manifest["command"],
        trace=""
        if study.is_imported
        else f"bartizan trace {study.named} --seed {manifest['seed']} --game 0 --html game.html",
        seed=None if study.is_imported else manifest["seed"],
        versions=facts.versions(study),
        behaviour=manifest["behaviour"],
        signed=facts.signed(manifest),
    )


def _changed(study: Study) -> Sequence[str]:
    """What is changed in all of the games: a figure or a table is shown without its page."""
    return (f"{study.title}.",) if study.changes else ()


def chart_of(study: Study) -> Chart:
    """Its title says what is changed in all of the games."""
    chart, lead = kind_of(study).chart(study), changes.with_these(study.changes)
    if study.is_one_game:
        chart = replace(chart, title=one_game(study.findings[0].games, len(study.findings) > 1))
    return replace(chart, title=f"{lead}: {chart.title}") if lead else chart


def verdict_of(study: Study) -> list[Paragraph]:
    """The answers; each opens with what is changed in all of the games, so that none can be quoted without
    it. What the best players found get against each other, and what other players would win, stand last:
    how sure the page is speaks of neither.
    """
    *answers, how_sure = kind_of(study).verdict(study)
    if study.is_one_game:
        answers = []
    if lead := changes.with_these(study.changes):
        answers = [replace(answer, answer=f"{lead}: {answer.answer}") for answer in answers]
    return [*answers, how_sure, *measured.between_paragraphs(study), *measured.skill_paragraphs(study)]


def _answers(study: Study) -> list[Section]:
    """What is known of the game beside these games; what is kept says itself what it is about."""
    known = [*measured.skill_sections(study), *measured.card_sections(study)]
    known += measured.sensitivity_sections(study.sensitivity, study)
    return [*_led(known, study), *measured.kept_sections(study)]


def _led(sections: Sequence[Section], study: Study) -> list[Section]:
    """With what is changed in all of the games."""
    lead = " ".join(_changed(study))
    return [replace(section, caption=f"{lead} {section.caption}".lstrip()) for section in sections]


def _tables(sections: Sequence[Section]) -> list[Table]:
    return [table for section in sections for table in section.tables]
