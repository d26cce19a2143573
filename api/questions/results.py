"""Pages and tables from a folder of results: `report`."""

from collections.abc import Sequence
from pathlib import Path

from bartizan.api import answers
from bartizan.api.answer import Answer
from bartizan.api.options import Trust
from bartizan.api.question import HelpSection, Question, opt, out_opt
from bartizan.api.reading import File, trusted_of


class ReportQuestion(Question[Answer]):
    """Write a folder of results as a page, PDF or table of games.

    The page has win rates, scores, tiers, losses and claims. Exit codes: 0, all claims hold; 1, a claim
    fails; 3, a claim is inconclusive.
    """

    command = "report"
    section = HelpSection.PLAY
    example = "bartizan report levels -o report.html"

    folder: File = opt(
        "folder that run, compare or import wrote with -o", metavar="DIR", is_argument=True, kw_only=False
    )
    out: File = out_opt(
        "FILE",
        "output file: a report (.html, .pdf, .md, .json, or .xlsx with its tables), or a table with one row "
        "per game (.csv or .parquet)",
        default=Path("report.html"),
        kw_only=False,
    )
    claims: File | None = opt(
        "use the [[claim]] tables of this file instead of those in DIR", default=None, metavar="PLAN.toml"
    )
    since: File | None = opt(
        "folder of earlier results; the report begins with the changes since then",
        default=None,
        metavar="EARLIER",
    )
    over: str | Sequence[str] | None = opt(
        "also show the win rate by this column of the records; repeatable", default=None, metavar="COLUMN"
    )
    plays: File | None = opt(
        "folder of plays by people, to compare with the policies", default=None, metavar="PLAYS"
    )
    paper: str | None = opt("page size of a .pdf (default: a4)", default=None, metavar="a4|letter")
    trust: Trust = None

    def answer(self) -> Answer:
        trusted_of(self.trust)
        return answers.results.report(self)
