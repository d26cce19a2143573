"""How soon: when what the game names has happened first."""

from functools import partial

from bartizan.analyses.records.outcomes import FirstTime
from bartizan.reports import entries
from bartizan.reports.blocks import Entry, Figure, Section, Table
from bartizan.reports.entries import NONE
from bartizan.reports.figures import theme
from bartizan.reports.figures.curves import DASHES, DrawnCurve, bands
from bartizan.reports.pages.parts import curves, names
from bartizan.reports.study import Finding, Study
from bartizan.reports.text import words

TITLE = "How soon"
MARKS = 4  # rounds at which first times are tabled

# ---------------------------------------------------------------- figures


def section(study: Study) -> Section:
    # of the cells along a curve only the last: the others end sooner and show less
    shorter = {cell.id for line in curves.lines_of(study) for cell in line.cells[:-1]}
    findings = [each for each in study.findings if each.firsts and each.cell.id not in shorter]
    if not findings:
        return Section(TITLE, "")
    last = max(len(finding.firsts[0].steps) for finding in findings)
    drawn = [_curves(finding) for finding in findings]
    legend = tuple((curve.colour, words.sentence(curve.label)) for curve in drawn[0])
    time = names.time(study)
    figures = tuple(
        Figure(
            names.label(finding, study),
            _in_words(finding, study),
            partial(bands, shown, time, "of all games, so far", last, steps=True, with_key=False),
            f"{words.count(finding.games)} games",
        )
        for finding, shown in zip(findings, drawn, strict=True)
    )
    return Section(TITLE, _caption(study, findings), figures, legend)


def _curves(finding: Finding) -> list[DrawnCurve]:
    """Share of games in which it has happened by the end of each turn."""
    colours = theme.cell_colours(len(finding.firsts), in_order=False)
    return [
        DrawnCurve(
            first.label,
            colours[index],
            tuple(step.turn for step in first.steps),
            tuple(step.by for step in first.steps),
            DASHES[index % len(DASHES)],
        )
        for index, first in enumerate(finding.firsts)
    ]


def _in_words(finding: Finding, study: Study) -> str:
    last, time = len(finding.firsts[0].steps), names.time(study)
    half = max(last // 2, 1)
    ends = (
        f"{first.label} {words.share(first.by(half))} by {time} {half}, "
        f"{words.share(first.by(last))} by {time} {last}"
        for first in finding.firsts
    )
    return f"{names.label(finding, study)}: share of games in which it has happened: {'; '.join(ends)}"


def _caption(study: Study, findings: list[Finding]) -> str:
    time = names.time(study)
    caption = (
        f"Share of all games in which it has happened by the end of each {time}. The shaded band holds the "
        f"whole line at {words.CONFIDENCE}. "
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


# ---------------------------------------------------------------- tables


def tables_of(study: Study) -> list[Table]:
    """One table an event: one row a cell, one column a turn."""
    findings = [finding for finding in study.findings if finding.firsts]
    if not findings:
        return []
    time, last = names.time(study), max(len(finding.firsts[0].steps) for finding in findings)
    marks = sorted({max(round(last * part / MARKS), 1) for part in range(1, MARKS + 1)})
    headers = (names.header(study), "Games", *(f"By {time} {mark}" for mark in marks), "In the whole game")
    caption = (
        f"Share of all games in which it has happened; the {words.CONFIDENCE} limits of a row hold "
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
