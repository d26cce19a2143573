"""How soon: when what the game names has happened first."""

from bartizan.analyses.records.outcomes import FirstTime
from bartizan.reports import entries
from bartizan.reports.blocks import Entry, Table
from bartizan.reports.entries import NONE
from bartizan.reports.figures import first_times, theme
from bartizan.reports.pages.parts import curves, names
from bartizan.reports.pages.parts.pictures import Picture, Section, left_out, limited, one_group, picture
from bartizan.reports.study import Finding, Study
from bartizan.reports.text import words

TITLE = "How soon"
MARKS = 4  # rounds at which first times are tabled

# ---------------------------------------------------------------- pictures


def section(study: Study, most: int) -> Section:
    """`most`: pictures in it."""
    findings = [finding for finding in _longest(study) if finding.firsts]
    if not findings:
        return Section(TITLE, "", ())
    last = max(len(finding.firsts[0].steps) for finding in findings)
    pictures = [
        _picture(finding, last, f"first-{index}", study)
        for index, finding in enumerate(limited(findings, most))
    ]
    labels = (words.sentence(first.label) for first in findings[0].firsts)
    return Section(
        TITLE,
        _caption(study, findings),
        one_group(pictures),
        tuple(zip(_colours(findings[0]), labels, strict=True)),
        left_out(findings, most),
    )


def _colours(finding: Finding) -> list[str]:
    return theme.cell_colours(len(finding.firsts), in_order=False)


def _picture(finding: Finding, last: int, name: str, study: Study) -> Picture:
    label, time = names.label(finding, study), names.time(study)
    figure = first_times.draw(finding.firsts, _colours(finding), last, time)
    alt = first_times.describe(label, finding.firsts, time)
    return picture(label, f"{words.count(finding.games)} games", figure, name, alt)


def _caption(study: Study, findings: list[Finding]) -> str:
    time = names.time(study)
    caption = (
        f"Share of all games in which it has happened by the end of each {time}. The shaded band holds the "
        f"whole line at {words.level(study.level)}. "
    )
    for setting in names.reporting(study).settings.values():
        if setting.curve:
            caption += (
                f"Every game was played to the end under its own {setting.name}: a line says what had "
                f"happened by {time} x of such games, not what players would do who know of a "
                f"{setting.name} of x. {setting.note} "
            )
    if len(findings) < len(study.findings):
        caption += "Of settings that differ only in such a limit the longest is drawn."
    return caption.strip()


def _longest(study: Study) -> list[Finding]:
    """Every cell; of those along a curve only the last: the others end sooner and show less."""
    shorter = {cell.id for line in curves.lines_of(study) for cell in line.cells[:-1]}
    return [finding for finding in study.findings if finding.cell.id not in shorter]


# ---------------------------------------------------------------- tables


def tables_of(study: Study) -> list[Table]:
    """One table an event: one row a cell, one column a turn."""
    findings = [finding for finding in study.findings if finding.firsts]
    if not findings:
        return []
    time, last = names.time(study), max(len(finding.firsts[0].steps) for finding in findings)
    marks = sorted({max(round(last * part / MARKS), 1) for part in range(1, MARKS + 1)})
    headers = (names.SETTING, "Games", *(f"By {time} {mark}" for mark in marks), "In the whole game")
    caption = (
        f"Share of all games in which it has happened; the {words.level(study.level)} limits of a row hold "
        f"for all {time}s at once (Dvoretzky-Kiefer-Wolfowitz band); the last column holds on its own."
    )
    return [
        Table(
            f"By when: {first.label}",
            caption,
            headers,
            tuple(_row(finding, index, marks, study) for finding in findings),
        )
        for index, first in enumerate(findings[0].firsts)
    ]


def _row(finding: Finding, index: int, marks: list[int], study: Study) -> tuple[Entry, ...]:
    first = finding.firsts[index]
    return (
        names.row_name(finding, study),
        entries.count(finding.games),
        *(_by(first, mark) for mark in marks),
        entries.proportion(first.ever, first.happened),
    )


def _by(first: FirstTime, mark: int) -> Entry:
    if mark > len(first.steps):
        return NONE
    interval = first.by(mark)
    return Entry(words.share(interval), words.share_limits(interval) if interval.estimate else "")
