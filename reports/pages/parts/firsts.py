"""Times at which events first occur."""

from collections.abc import Iterator
from functools import partial

from bartizan.analyses.records.outcomes import FirstTime
from bartizan.reports import entries
from bartizan.reports.blocks import Entry, Figure, Method, Table, View
from bartizan.reports.entries import NONE
from bartizan.reports.figures import theme
from bartizan.reports.figures.curves import DASHES, Bands, DrawnCurve
from bartizan.reports.pages.parts import certainty, lengths, names, outcomes
from bartizan.reports.pages.parts.measure import Document, PageMeasure, fields_of
from bartizan.reports.study import Finding, Study
from bartizan.reports.text import words

HOW_SOON = "How soon"


class FirstTimes(PageMeasure):
    """Shares of games in which each declared event has happened by each turn."""

    def sections(self, study: Study) -> Iterator[View]:
        # only the last cell along a curve, because its games are the longest
        shorter = {cell.id for line in outcomes.lines_of(study) for cell in line.cells[:-1]}
        findings = [each for each in study.findings if each.firsts and each.cell.id not in shorter]
        if not findings:
            return
        last = lengths.last_turn(findings)
        drawn = [_first_curves(finding, last) for finding in findings]
        legend = tuple((curve.colour, words.sentence(curve.label)) for curve in drawn[0])
        time = names.time(study)
        figures = tuple(
            Figure(
                names.label(finding, study),
                Bands(shown, time, "of all games, so far", last, steps=True, with_key=False),
                words.many(finding.games, "game"),
            )
            for finding, shown in zip(findings, drawn, strict=True)
        )
        caption = f"{_first_caption(study, findings)}{lengths.ends_early(findings, study)}"
        yield View(title=HOW_SOON, caption=caption, blocks=figures, legend=legend)

    def tables(self, study: Study) -> Iterator[Table]:
        """Yield one table per event: one row per cell, one column per turn."""
        findings = [finding for finding in study.findings if finding.firsts]
        if not findings:
            return
        time, last = names.time(study), lengths.last_turn(findings)
        marks = lengths.quarters(last)
        headers = ("Games", *(f"By {time} {mark}" for mark in marks), "In the whole game")
        caption = (
            f"Share of all games in which it has happened; the {words.CONFIDENCE} limits of a row are "
            f"simultaneous over all {time}s (Dvoretzky-Kiefer-Wolfowitz band); the last column is not."
        )
        for index, first in enumerate(findings[0].firsts):
            row, said = partial(_first_row, index, marks), "" if index else caption
            yield names.table(study, f"Time of: {first.label}", said, headers, row, findings)

    def methods(self, study: Study) -> list[Method]:
        return [("First times", certainty.DKW)] if any(finding.firsts for finding in study.findings) else []

    def of_cell(self, finding: Finding, study: Study) -> Document:
        keys = ("column", "label", "ever")
        firsts = (
            {**fields_of(first, *keys), "games": first.happened, "by_turn": first.rows()}
            for first in finding.firsts
        )
        return {"first_times": list(firsts)}


def _first_curves(finding: Finding, last: int) -> list[DrawnCurve]:
    """Return one curve per event: the share of games in which it has happened by the end of each turn."""
    colours = theme.cell_colours(len(finding.firsts), in_order=False)
    return [
        DrawnCurve(
            first.label,
            colours[index],
            tuple(step.turn for step in first.steps[:last]),
            tuple(step.by for step in first.steps[:last]),
            DASHES[index % len(DASHES)],
        )
        for index, first in enumerate(finding.firsts)
    ]


def _first_caption(study: Study, findings: list[Finding]) -> str:
    time = names.time(study)
    caption = (
        f"Share of all games in which it has happened by the end of each {time}. The shaded "
        f"{words.CONFIDENCE} band is simultaneous over the whole line. "
    )
    for setting in names.reporting(study).settings.values():
        if setting.curve:
            caption += (
                f"Every game ran to the end under its own {setting.name}: a line shows the state of such "
                f"games at {time} x, not the play under a {setting.name} of x. {setting.note} "
            )
    if len(findings) < len(study.findings):
        caption += "If settings differ only in such a limit, the longest is drawn."
    return caption.strip()


def _first_row(index: int, marks: list[int], finding: Finding) -> tuple[Entry, ...]:
    first = finding.firsts[index]
    return (
        entries.count(finding.games),
        *(_by(first, mark) for mark in marks),
        entries.proportion(first.ever, first.happened),
    )


def _by(first: FirstTime, mark: int) -> Entry:
    if mark > len(first.steps):
        return NONE
    interval = first.by(mark)
    return Entry(words.share(interval), words.share_limits(interval) if interval.estimate else "")
