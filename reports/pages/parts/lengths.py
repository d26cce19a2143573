"""How long games take, and the means of everything else that they record."""

from bartizan.reports import entries
from bartizan.reports.blocks import Entry, Table
from bartizan.reports.entries import NONE
from bartizan.reports.pages.parts import names
from bartizan.reports.study import Finding, Study
from bartizan.reports.text import words


def table(study: Study, header: str) -> Table:
    """One row a cell, by its label. header: of the column of labels."""
    rows = tuple((names.row_name(finding, study), *row(finding, study)) for finding in study.findings)
    time = words.sentence(f"{names.time(study)}s")
    return Table("Length", caption(time, study), headers(header, time), rows)


def caption(time: str, study: Study) -> str:
    """time: `Turns`."""
    return f"{time} played and decisions made in a game. {entries.interval_note(study.level)}"


def headers(name: str, time: str) -> tuple[str, ...]:
    numbers = (f"{time}, mean", "5 %", "Median", "95 %", "Shortest to longest", "Decisions, mean")
    return (name, "Games", *numbers)


def row(finding: Finding, study: Study) -> tuple[Entry, ...]:
    length = finding.length
    return (
        entries.count(finding.games),
        entries.mean(length.turns, study.level),
        *(entries.quantile(length.quantiles[q]) for q in (5, 50, 95)),
        Entry(f"{length.values[0]} to {length.values[-1]}"),
        entries.mean(length.plies, study.level),
    )


def measures(study: Study) -> list[Table]:
    """Means of everything else the game records, one table a level, one column a player and variant."""
    caption = (
        f"Mean of every recorded number over all games that have it, with its {words.level(study.level)} "
        "interval (Student t)."
    )
    return [
        Table(level, caption, _measure_headers(findings), _measure_rows(findings, study))
        for level, findings in study.levels.items()
    ]


def _measure_headers(findings: list[Finding]) -> tuple[str, ...]:
    return ("Measure", *(f"{f.who} (n = {words.count(f.games)})" for f in findings))


def _measure_rows(findings: list[Finding], study: Study) -> tuple[tuple[Entry, ...], ...]:
    columns = dict.fromkeys(name for finding in findings for name in finding.means)
    return tuple(
        (Entry(words.plain(name)), *(_measure(finding, name, study) for finding in findings))
        for name in columns
    )


def _measure(finding: Finding, name: str, study: Study) -> Entry:
    value = finding.means.get(name)
    if value is None:
        return NONE
    entry = entries.mean(value, study.level)
    if value.n == finding.games:
        return entry
    return Entry(entry.text, f"{entry.note}, n = {words.count(value.n)}".lstrip(", "))
