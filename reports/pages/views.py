"""Kinds of report, told apart by the question: a player against the game (how hard?), sides against each
other (who wins?), everybody for himself (is it the seat?).
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from bartizan.reports.pages import facts, tables, verdict
from bartizan.reports.pages import free_for_all as rivals
from bartizan.reports.pages import two_sided as contest
from bartizan.reports.pages.free_for_all import tables as rivals_tables
from bartizan.reports.pages.free_for_all import verdict as rivals_verdict
from bartizan.reports.pages.two_sided import tables as contest_tables
from bartizan.reports.pages.two_sided import verdict as contest_verdict
from bartizan.reports.study import Study
from bartizan.reports.text import changes


@dataclass(frozen=True)
class View:
    question: str  # goes on from the game's title
    headline: str
    verdict: Callable
    tables: Callable
    methods: Callable


SOLO = View(
    "how hard is it?",
    "How hard is it, for whom, and how sure are we?",
    verdict.verdict,
    tables.all_tables,
    facts.methods,
)
CONTEST = View(
    "who wins?",
    "Who wins, how, and how sure are we?",
    contest_verdict.verdict,
    contest_tables.all_tables,
    contest.methods,
)
RIVALS = View(
    "is it fair?",
    "Is going first worth it, who plays better, and how sure are we?",
    rivals_verdict.verdict,
    rivals_tables.all_tables,
    rivals.methods,
)


def verdict_of(study: Study) -> list[verdict.Paragraph]:
    """The answers; each opens with what is changed in all of the games, so that none can be quoted without
    it.
    """
    *answers, how_sure = view_of(study).verdict(study)
    lead = changes.with_these(study.changes)
    return [replace(it, answer=f"{lead}: {it.answer}") if lead else it for it in answers] + [how_sure]


def view_of(study: Study) -> View:
    if study.is_alike:
        return RIVALS
    return CONTEST if study.is_contest else SOLO
