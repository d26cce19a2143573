"""Two kinds of report, told apart by the question: a player against the game (how hard?), or sides against each other (who wins?)."""

from collections.abc import Callable
from dataclasses import dataclass

from reports import contest, facts, tables, verdict
from reports.contest import tables as contest_tables
from reports.contest import verdict as contest_verdict
from reports.study import Study


@dataclass(frozen=True)
class View:
    question: str  # goes on from the game's title
    headline: str
    verdict: Callable
    tables: Callable
    methods: Callable


SOLO = View("how hard is it?", "How hard is it, for whom, and how sure are we?", verdict.verdict, tables.all_tables, facts.methods)
CONTEST = View("who wins?", "Who wins, how, and how sure are we?", contest_verdict.verdict, contest_tables.all_tables, contest.methods)


def view_of(study: Study) -> View:
    return CONTEST if study.is_contest else SOLO
