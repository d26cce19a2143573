"""How long games take, and the means of everything else that they record."""

from bartizan.reports import entries
from bartizan.reports.blocks import Entry, Table
from bartizan.reports.entries import NONE
from bartizan.reports.pages.parts import names
from bartizan.reports.study import Finding, Study
from bartizan.reports.text import words


def table(study: Study) -> Table:
    """One row a cell."""
    time = words.sentence(f"{names.time(study)}s")
    numbers = (f"{time}, mean", "5 %", "Median", "95 %", "Shortest to longest", "Decisions, mean")
    caption = f"{time} played and decisions made in a game. {entries.MEANS_AND_QUANTILES}"
    rows = tuple((names.row_name(finding, study), *_row(finding)) for finding in study.findings)
    return Table("Length", caption, (names.header(study), "Games", *numbers), rows)


def _row(finding: Finding) -> tuple[Entry, ...]:
    length = finding.length
    return (
        entries.count(finding.games),
        entries.mean(length.turns),
        *(entries.quantile(length.quantiles[q]) for q in (5, 50, 95)),
        Entry(f"{length.values[0]} to {length.values[-1]}"),
        entries.mean(length.plies),
    )


def measures(study: Study) -> list[Table]:
    """Means of everything else the game records, one table a level, one column a player and variant."""
    caption = (
        f"Mean of every recorded number over all games that have it, with its {words.CONFIDENCE} "
        "interval (Student t)."
    )
    return [Table(level, caption, *_measured(findings)) for level, findings in study.levels.items()]


def _measured(findings: list[Finding]) -> tuple[tuple[str, ...], tuple[tuple[Entry, ...], ...]]:
    """Headers and rows."""
    headers = ("Measure", *(f"{f.who} (n = {words.count(f.games)})" for f in findings))
    columns = dict.fromkeys(name for finding in findings for name in finding.means)
    return headers, tuple(
        (Entry(words.plain(name)), *(_measure(finding, name) for finding in findings)) for name in columns
    )


def _measure(finding: Finding, name: str) -> Entry:
    value = finding.means.get(name)
    if value is None:
        return NONE
    entry = entries.mean(value)
    if value.n == finding.games:
        return entry
    return Entry(entry.text, f"{entry.note}, n = {words.count(value.n)}".lstrip(", "))
