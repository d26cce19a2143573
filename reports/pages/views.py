"""Kinds of report, told apart by the question: a player against the game (how hard?), sides against each
other (who wins?), free-for-all (is it the seat?).
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from bartizan.reports.blocks import Table
from bartizan.reports.pages import free_for_all, solo, two_sided
from bartizan.reports.pages.free_for_all import page as of_all
from bartizan.reports.pages.parts import between, cards, kept, over_skill, sensitivity, since
from bartizan.reports.pages.parts.methods import Method
from bartizan.reports.pages.parts.paragraphs import Paragraph
from bartizan.reports.pages.parts.pictures import Section
from bartizan.reports.pages.solo import pictures as of_solo
from bartizan.reports.pages.solo import tables as solo_tables
from bartizan.reports.pages.solo import verdict as solo_verdict
from bartizan.reports.pages.two_sided import pictures as of_sides
from bartizan.reports.pages.two_sided import tables as sides_tables
from bartizan.reports.pages.two_sided import verdict as sides_verdict
from bartizan.reports.study import Study
from bartizan.reports.text import changes, claims


@dataclass(frozen=True)
class View:
    question: str  # goes on from the game's title
    headline: str
    verdict: Callable[[Study], list[Paragraph]]
    sections: Callable[[Study, int], list[Section]]
    tables: Callable[[Study], list[Table]]
    methods: Callable[[Study], list[Method]]


SOLO = View(
    "how hard is it?",
    "How hard is it, for whom, and how sure are we?",
    solo_verdict.verdict,
    of_solo.sections,
    solo_tables.all_tables,
    solo.methods,
)
ABOUT_LENGTH = replace(
    SOLO, question="how long is it?", headline="How long is it, for whom, and how sure are we?"
)
TWO_SIDED = View(
    "who wins?",
    "Who wins, how, and how sure are we?",
    sides_verdict.verdict,
    of_sides.sections,
    sides_tables.all_tables,
    two_sided.methods,
)
FREE_FOR_ALL = View(
    "is it fair?",
    "Is going first worth it, who plays better, and how sure are we?",
    of_all.verdict,
    of_all.sections,
    of_all.all_tables,
    free_for_all.methods,
)


def view_of(study: Study) -> View:
    if study.is_alike:
        return FREE_FOR_ALL
    if study.is_contest:
        return TWO_SIDED
    return ABOUT_LENGTH if study.is_about_length else SOLO


def verdict_of(study: Study) -> list[Paragraph]:
    """The answers; each opens with what is changed in all of the games, so that none can be quoted without
    it. What the best players found get against each other, and what other players would win, stand last:
    how sure the page is speaks of neither.
    """
    *answers, how_sure = view_of(study).verdict(study)
    lead = changes.with_these(study.changes)
    led = [replace(it, answer=f"{lead}: {it.answer}") if lead else it for it in answers]
    return [*led, how_sure, *between.paragraphs(study), *over_skill.paragraphs(study)]


def tables_of(study: Study) -> list[Table]:
    return [*own_tables(study), *kept.tables_of(study)]


def own_tables(study: Study) -> list[Table]:
    """Those of the games, and of what is known of their cards and guesses."""
    own = [*since.tables_of(study), *view_of(study).tables(study)]
    return [*own, *over_skill.tables_of(study), *cards.tables_of(study), *sensitivity.tables_of(study)]


def methods_of(study: Study) -> list[Method]:
    """(job, method with its reference) for every method that the report uses."""
    own = [*since.methods(study), *view_of(study).methods(study)]
    own = [*own, *claims.methods(study), *between.methods(study), *over_skill.methods(study)]
    return [*own, *cards.methods(study), *sensitivity.methods(study), *kept.methods(study)]
