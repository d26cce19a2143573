"""Every number of a report for several sides, in tables."""

from bartizan.analyses.records.column_groups import Count
from bartizan.analyses.records.outcomes import Mark, Part
from bartizan.reports.pages import tables
from bartizan.reports.pages.tables import Entry, Table, proportion
from bartizan.reports.pages.two_sided import names
from bartizan.reports.study import Finding, Study, set_text
from bartizan.reports.text import words

NAME = "Setting"
MARKS = 4  # rounds at which first times are tabled


def all_tables(study: Study) -> list[Table]:
    """The tables this study has something to say in."""
    found = [
        outcomes(study),
        forms(study),
        *groups(study),
        causes(study),
        *firsts(study),
        scores(study),
        lengths(study),
    ]
    return [table for table in found if table and table.rows]


def outcomes(study: Study) -> Table:
    """One row a cell, one column a side."""
    parts = list({part.name: part for finding in study.findings for part in finding.outcomes.parts}.values())
    changed = any(set_text(finding.cell) for finding in study.findings)
    capped = any(finding.outcomes.capped for finding in study.findings)
    rows = []
    for finding in study.findings:
        shares = {part.name: proportion(part.share, part.games) for part in finding.outcomes.parts}
        ends = [Entry(set_text(finding.cell) or "–")] * changed + [Entry(words.count(finding.games))]
        rows.append(
            (
                _name(finding, study),
                *ends,
                *(shares.get(part.name, Entry("–")) for part in parts),
                *([Entry(words.count(finding.outcomes.capped))] * capped),
            )
        )
    titles = (
        f"Won by {part.name}" if part.seat >= 0 else {"draw": "Drawn", "nobody": "Lost by all"}[part.name]
        for part in parts
    )
    headers = (
        NAME,
        *(["Changed setting"] if changed else []),
        "Games",
        *titles,
        *(["Cut off"] if capped else []),
    )
    caption = f"Shares of all games with {words.level(study.level)} intervals; each holds on its own."
    if capped:
        caption += (
            " Games cut off by the limit on decisions count as none of these: each range runs from none of "
            "them to all of them."
        )
    return Table("Who wins", caption, headers, tuple(rows))


def forms(study: Study) -> Table | None:
    """One row a cell: what other forms of the result would say, and what is true of how many games."""
    findings = [finding for finding in study.findings if finding.outcomes.forms or finding.outcomes.marks]
    if not findings:
        return None
    rows, first = [], max(findings, key=lambda finding: len(finding.outcomes.forms)).outcomes
    for finding in findings:
        won = {form.title: _part(form.winner) for form in finding.outcomes.forms}
        marked = (_part(mark) for mark in finding.outcomes.marks)
        rows.append(
            (
                _name(finding, study),
                Entry(words.count(finding.games)),
                *(won.get(form.title, Entry("–")) for form in first.forms),
                *marked,
            )
        )
    titles = (f"{form.title}: won by {form.winner.name}" for form in first.forms)
    notes = " ".join(
        f"{form.title}: {form.note}; all other games go to {form.otherwise.name}." for form in first.forms
    )
    caption = (
        "The same games, read by another form of the result. Shares of all games with "
        f"{words.level(study.level)} intervals; each holds on its own. {notes}"
    )
    headers = (NAME, "Games", *titles, *(names.sentence(mark.label) for mark in first.marks))
    return Table("Other forms of the result", caption, headers, tuple(rows))


def groups(study: Study) -> list[Table]:
    """One table a group of counts: one row a count, one column a cell."""
    found = []
    for index, group in enumerate(study.findings[0].groups):
        columns = [finding.groups[index].counts for finding in study.findings]
        rows = tuple(
            (Entry(names.sentence(counts[0].label)), *(mean_entry(count, study) for count in counts))
            for counts in zip(*columns, strict=True)
        )
        headers = (
            "In a game",
            *(
                f"{names.label(finding, study)} (n = {words.count(finding.games)})"
                for finding in study.findings
            ),
        )
        found.append(Table(group.title, mean_caption(study, group.note), headers, rows))
    return found


def mean_caption(study: Study, note: str) -> str:
    capped = (
        " Games cut off count with what had happened by then."
        if any(finding.outcomes.capped for finding in study.findings)
        else ""
    )
    means = f"Mean a game over all n games with its {words.level(study.level)} interval (Student t)"
    return (
        f"{note} {means}; where it never happened, in what share of games it could at most.{capped}".strip()
    )


def mean_entry(count: Count, study: Study) -> Entry:
    if count.any is not None:
        return Entry(
            "none", f"in {words.share(count.any)} of games; {words.one_in(count.any)}; {count.any.method}"
        )
    return Entry(*words.mean(count.mean, study.level))


def causes(study: Study) -> Table | None:
    """What ended the games that the first side lost."""
    found = tables.causes(study)
    if found is None or not found.rows:
        return None
    caption = f"What stopped {_first_side(study)} in the games they lost. {found.caption}"
    losing = [finding for finding in study.findings if finding.losses.causes]
    rows = tuple((_name(finding, study), *row[1:]) for finding, row in zip(losing, found.rows, strict=True))
    return Table(f"What undid {_first_side(study)}", caption, (NAME, *found.headers[1:]), rows)


def firsts(study: Study) -> list[Table]:
    """One table an event: one row a cell, one column a turn."""
    findings = [finding for finding in study.findings if finding.firsts]
    if not findings:
        return []
    time, last = names.time(study), max(len(finding.firsts[0].steps) for finding in findings)
    marks = sorted({max(round(last * part / MARKS), 1) for part in range(1, MARKS + 1)})
    band = (
        f"the {words.level(study.level)} limits of a row hold for all {time}s at once "
        "(Dvoretzky-Kiefer-Wolfowitz band)"
    )
    found = []
    for index, first in enumerate(findings[0].firsts):
        rows = tuple(
            (
                _name(finding, study),
                Entry(words.count(finding.games)),
                *(_by(finding, index, mark) for mark in marks),
                _ever(finding, index),
            )
            for finding in findings
        )
        headers = (NAME, "Games", *(f"By {time} {mark}" for mark in marks), "In the whole game")
        found.append(
            Table(
                f"By when: {first.label}",
                f"Share of all games in which it has happened; {band}; the last column holds on its own.",
                headers,
                rows,
            )
        )
    return found


def _by(finding: Finding, index: int, mark: int) -> Entry:
    first = finding.firsts[index]
    if mark > len(first.steps):
        return Entry("–")
    interval = first.by(mark)
    return Entry(words.share(interval), words.share_limits(interval) if interval.estimate else "")


def _ever(finding: Finding, index: int) -> Entry:
    return proportion(finding.firsts[index].ever, finding.firsts[index].happened)


def scores(study: Study) -> Table | None:
    found = tables.scores(study)
    if found is None or not found.rows:
        return None
    what = names.sentence(names.scores(study))
    scored = [finding for finding in study.findings if finding.scores.values]
    rows = tuple((_name(finding, study), *row[1:]) for finding, row in zip(scored, found.rows, strict=True))
    if what == "Scores":
        return Table(found.title, found.caption, (NAME, *found.headers[1:]), rows)
    caption = found.caption.removeprefix("Only games that ended with a score. ")
    return Table(f"{what} in a game", caption, (NAME, "Games", *found.headers[2:]), rows)


def lengths(study: Study) -> Table:
    found, time = tables.lengths(study), names.time(study)
    rows = tuple(
        (_name(finding, study), *row[1:]) for finding, row in zip(study.findings, found.rows, strict=True)
    )
    headers = (NAME, *(header.replace("Turns", names.sentence(f"{time}s")) for header in found.headers[1:]))
    return Table(found.title, found.caption.replace("Turns", names.sentence(f"{time}s"), 1), headers, rows)


def _first_side(study: Study) -> str:
    return study.findings[0].outcomes.sides[0].name


def _part(part: Part | Mark) -> Entry:
    return proportion(part.share, part.games)


def _name(finding: Finding, study: Study) -> Entry:
    label = names.label(finding, study)
    return Entry(label, ", ".join(part for part in finding.rests_on if part not in label))
