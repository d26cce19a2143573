"""How games are lost, in a table."""

from bartizan.analyses.records.outcomes import Losses
from bartizan.reports import entries
from bartizan.reports.blocks import Entry
from bartizan.reports.entries import NONE
from bartizan.reports.study import Study
from bartizan.reports.text import words

NAMED = 4
HEADERS = ("Games lost", "Commonest cause", "Second", "Third", "Fourth", "All others")


def caption(study: Study) -> str:
    return (
        f"Shares of the lost games; the {words.level(study.level)} intervals of a row hold together "
        "(Goodman)."
    )


def row(losses: Losses) -> tuple[Entry, ...]:
    """The commonest causes of a cell's lost games, and how many have another."""
    top = [
        Entry(cause.cause, f"{words.share_with_limits(cause.share)}, {words.count(cause.games)} games")
        for cause in losses.causes[:NAMED]
    ]
    rest = sum(cause.games for cause in losses.causes[NAMED:])
    return (entries.count(losses.lost), *top, *[NONE] * (NAMED - len(top)), entries.count(rest))
