"""Measures that every kind of page has. A measure added here appears on every page and in every format."""

from collections.abc import Iterator

from bartizan.analyses.records.comparison import LENGTH
from bartizan.analyses.records.quantities import score_names
from bartizan.analyses.records.tally import reporting_of, seat_scores
from bartizan.reports import entries
from bartizan.reports.blocks import Entry, Table
from bartizan.reports.entries import NONE
from bartizan.reports.pages.parts.measure import PageMeasure
from bartizan.reports.study import Finding, Study
from bartizan.reports.text import words


class Recorded(PageMeasure):
    """Means of all recorded numbers: one table per level, with a column for each player and variant."""

    def tables(self, study: Study) -> Iterator[Table]:
        caption = (
            f"Mean of each recorded number over the games that have it, with its {words.CONFIDENCE} "
            "interval (Student t)."
        )
        for place, (level, findings) in enumerate(study.levels.items()):
            yield _table(f"Means of all recorded numbers: {level}", "" if place else caption, findings)


def _table(title: str, caption: str, findings: list[Finding]) -> Table:
    headers = ("Measure", *(f"{f.who} (n = {words.count(f.games)})" for f in findings))
    columns = {name: called for finding in findings for name, called in _recorded(finding).items()}
    rows = tuple(
        (Entry(called), *(_mean(finding, name) for finding in findings)) for name, called in columns.items()
    )
    return Table(title, caption, headers, rows)


def _recorded(finding: Finding) -> dict[str, str]:
    """Map column names to display names. A score that is empty or repeats another column is omitted."""
    cell = finding.cell
    scores, own = score_names(cell), ["score", *seat_scores(cell)]
    known = {"plies": "decisions", LENGTH: f"{reporting_of(cell).time}s", **scores}
    return {
        name: known.get(name, words.plain(name))
        for name in finding.means
        if name in scores or name not in own
    }


def _mean(finding: Finding, name: str) -> Entry:
    value = finding.means.get(name)
    if value is None:
        return NONE
    entry, size = entries.mean(value), f"n = {words.count(value.n)}"
    if value.n == finding.games or entry.note.endswith(size):  # a mean of few values states their number
        return entry
    return Entry(entry.text, f"{entry.note}, {size}".lstrip(", "))


EVERYWHERE: tuple[PageMeasure, ...] = (Recorded(),)
