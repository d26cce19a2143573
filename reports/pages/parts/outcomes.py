"""Figures and tables of outcomes: wins and draws, shares by setting, and alternative results.

Figures show each cell separately.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict

from bartizan.analyses.records import quantities
from bartizan.analyses.records.outcomes import Outcomes
from bartizan.analyses.records.seating import Series, series
from bartizan.analyses.records.tally import HOUSE, NOBODY
from bartizan.analyses.statistics.intervals import Interval
from bartizan.reports import entries
from bartizan.reports.blocks import Entry, Figure, FigureGroup, Legend, Table, View
from bartizan.reports.entries import NONE
from bartizan.reports.figures import bars, dots, theme
from bartizan.reports.figures.curves import DASHES, Dotted, DrawnCurve, axis_end
from bartizan.reports.pages.parts import names
from bartizan.reports.pages.parts.measure import Document, PageMeasure, fields_of, with_share
from bartizan.reports.study import Finding, Study
from bartizan.reports.text import words
from bartizan.reports.text.cell_names import grouped, set_text

MOST = 10  # cells in one figure: more colours cannot be distinguished; the tables contain every cell
CUT_OFF = "truncated"
ONE_ROTATION = " Of a line-up with several rotations, only the first is drawn."


class WhoWins(PageMeasure):
    """Win rates. Every kind of page has the same JSON, but its own sentences, figures and tables."""

    def of_cell(self, finding: Finding, study: Study) -> Document:
        seat = finding.wins.first
        shares = [with_share(part, "seat", "name") for part in finding.outcomes.parts]
        return {
            **quantities.summary_of(finding.tally, finding.cell, study.method),
            "draw_rate": asdict(seat.draw),
            "loss_rate": asdict(seat.loss),
            **({"outcomes": shares} if study.is_contest else {}),
        }


def drawn(study: Study) -> list[Finding]:
    """Return the cells that figures show: at most MOST, and only the first rotation of each line-up."""
    return list(study.seated_once)[:MOST]


def left_out(study: Study) -> int:
    return max(len(study.seated_once) - MOST, 0)


def colours(study: Study) -> dict[str, str]:
    """Map the id of each drawn cell to its colour."""
    findings = drawn(study)
    lines = series((finding.cell for finding in study.findings), every=True, fewest=2)
    in_order = any(len(line.cells) == len(study.findings) for line in lines)
    ids = (finding.cell.id for finding in findings)
    return dict(zip(ids, theme.cell_colours(len(findings), in_order), strict=True))


def legend(study: Study) -> Legend:
    """Return the legend of the cells; () for a single cell."""
    labels = [names.label(finding, study) for finding in drawn(study)]
    return tuple(zip(colours(study).values(), labels, strict=True)) if len(labels) > 1 else ()


def games_each(study: Study) -> str:
    """Return a number of games, such as `2,000 games each`, or a reference to the table if they differ."""
    games = {finding.games for finding in study.findings}
    if len(games) > 1:
        return "the games of each setting (numbers in the table)"
    return f"{words.many(games.pop(), 'game')}{' each' if len(study.findings) > 1 else ''}"


def share_of(seat: int, outcomes: Outcomes) -> Interval:
    """Return the win share of the side in this seat."""
    return next(part.share for part in outcomes.parts if part.seat == seat)


def outcome_figure(title: str, findings: Sequence[Finding], study: Study) -> Figure:
    """Return a figure with one bar per cell. A bar has segments for each side, draws and truncated games."""
    rows = []
    for finding in findings:
        outcomes, label = finding.outcomes, names.label(finding, study)
        games = {part.name: part.games for part in outcomes.parts} | {CUT_OFF: outcomes.capped}
        colours = outcome_colours(outcomes).items()
        pieces = tuple((colour, games[name] / outcomes.games) for name, colour in colours)
        # with truncated games, no boundary between colours has a known interval
        edges = () if outcomes.capped else outcomes.edges
        rows.append(bars.StackedBar(label, words.many(outcomes.games, "game"), pieces, edges))
    return Figure(title, bars.Stacked(rows, "of all games"))


def outcome_colours(outcomes: Outcomes) -> dict[str, str]:
    """Map the segments of a bar (sides, draws, games that all lose, truncated games) to colours, in order."""
    seats = theme.side_colours(len(outcomes.sides))
    others = {NOBODY: theme.NONE_COLOUR, HOUSE: theme.LOST_COLOUR}
    shown = {part.name: others.get(part.seat) or seats[part.seat] for part in outcomes.parts}
    return shown | ({CUT_OFF: theme.CUT_OFF_COLOUR} if outcomes.capped else {})


def outcome_legend(study: Study) -> Legend:
    shown = {k: v for finding in study.findings for k, v in outcome_colours(finding.outcomes).items()}
    return tuple((colour, words.sentence(name)) for name, colour in shown.items())


# ---------------------------------------------------------------- along a setting

FORM_COLOURS, FORM_DASHES = ("#029e73", "#cc78bc", "#ca9161"), DASHES[1:]


class Curves(PageMeasure):
    """Shares of outcomes as a function of a numeric setting."""

    def sections(self, study: Study) -> Iterator[View]:
        for lines in grouped(lines_of(study), lambda line: line.path).values():
            yield _curve_section(study, lines)

    def of_study(self, study: Study) -> Document:
        lines = [
            {
                "path": line.path,
                **fields_of(line.setting, "name", "note"),
                "values": list(line.values),
                "cells": [cell.id for cell in line.cells],
            }
            for line in lines_of(study)
        ]
        return {"by_setting": lines}


def lines_of(study: Study) -> list[Series]:
    return series(finding.cell for finding in study.findings)


def _curve_section(study: Study, lines: list[Series]) -> View:
    setting = lines[0].setting
    groups = []
    for line in lines:
        first, *others = (names.parts(finding, study) for finding in _on_line(line, study))
        same = [part for part in first if all(part in other for other in others)]
        title = words.sentence(", ".join(same)) if len(lines) > 1 else ""
        groups.append(FigureGroup(title, tuple(_curve_figures(line, study))))
    caption = (
        f"Shares of all games for each simulated {setting.name}. The line through a dot is its "
        f"{words.CONFIDENCE} interval. {setting.note}"
    )
    legend = outcome_legend(study)
    title = f"Results by {setting.name}"
    return View(title=title, caption=caption.strip(), blocks=tuple(groups), legend=legend)


def _curve_figures(line: Series, study: Study) -> list[Figure]:
    outcomes = [finding.outcomes for finding in _on_line(line, study)]
    figures = [_curve_figure("How games end", line, _side_curves(line, outcomes))]
    if all(each.forms for each in outcomes):
        title = f"Won by {outcomes[0].sides[0].name} under each form of the result"
        figures.append(_curve_figure(title, line, _form_curves(line, outcomes), with_key=True))
    return figures


def _curve_figure(title: str, line: Series, curves: list[DrawnCurve], with_key: bool = False) -> Figure:
    name = line.setting.name
    return Figure(title, Dotted(curves, name, with_key=with_key))


def _on_line(line: Series, study: Study) -> list[Finding]:
    by_id = {finding.cell.id: finding for finding in study.findings}
    return [by_id[cell.id] for cell in line.cells]


def _side_curves(line: Series, outcomes: list[Outcomes]) -> list[DrawnCurve]:
    colours = outcome_colours(outcomes[0])
    return [
        DrawnCurve(
            part.name, colours[part.name], line.values, tuple(share_of(part.seat, each) for each in outcomes)
        )
        for part in outcomes[0].parts
    ]


def _form_curves(line: Series, outcomes: list[Outcomes]) -> list[DrawnCurve]:
    """Return the curves of the first side's share, as simulated and under each alternative result."""
    seat = outcomes[0].sides[0].seat
    played = tuple(share_of(seat, each) for each in outcomes)
    curves = [DrawnCurve("as played", theme.side_colours(1)[0], line.values, played)]
    for index, form in enumerate(outcomes[0].forms):
        forms = (each.forms[index] for each in outcomes)
        shares = (each.share_of(seat) for each in forms)
        colour, dash = FORM_COLOURS[index % len(FORM_COLOURS)], FORM_DASHES[index % len(FORM_DASHES)]
        curves.append(DrawnCurve(form.title, colour, line.values, tuple(shares), dash))
    return curves


# ---------------------------------------------------------------- other forms of the result

FORMS = "Other forms of the result"


class Forms(PageMeasure):
    """The same games scored by alternative results, and the shares of games with recorded properties."""

    def sections(self, study: Study) -> Iterator[View]:
        forms = drawn(study)[0].outcomes.forms
        notes = " ".join(f"{form.title}: {form.note}." for form in forms if form.note)
        caption = (
            f"The same games under another form of the result, with {words.CONFIDENCE} intervals, over "
            f"{games_each(study)}. {notes}"
        )
        figures = (*_won_by_form(study), *_marks(study))
        yield View(
            title=FORMS,
            caption=caption.strip(),
            blocks=figures,
            legend=legend(study),
            left_out=left_out(study),
        )

    def tables(self, study: Study) -> Iterator[Table]:
        """Yield the shares under alternative results, and the shares of properties."""
        findings = [finding for finding in study.findings if finding.outcomes.forms or finding.outcomes.marks]
        if not findings:
            return
        first = max(findings, key=lambda finding: len(finding.outcomes.forms)).outcomes
        notes = " ".join(
            f"{form.title}: {form.note}; all other games go to {form.otherwise.name}." for form in first.forms
        )
        caption = (
            "The same games under another form of the result. Shares of all games with "
            f"{words.CONFIDENCE} intervals (not simultaneous). {notes}"
        )
        headers = (
            "Games",
            *(f"{form.title}: won by {form.winner.name}" for form in first.forms),
            *(words.sentence(mark.label) for mark in first.marks),
        )

        def row(finding: Finding) -> Iterator[Entry]:
            won = {form.title: form.winner for form in finding.outcomes.forms}
            yield entries.count(finding.games)
            for part in (*(won.get(form.title) for form in first.forms), *finding.outcomes.marks):
                yield entries.proportion(part.share, part.games) if part else NONE

        yield names.table(study, FORMS, caption, headers, row, findings)

    def of_cell(self, finding: Finding, study: Study) -> Document:
        forms = [
            {
                **fields_of(form, "title", "note"),
                "parts": [with_share(each, "seat", "name") for each in (form.winner, form.otherwise)],
            }
            for form in finding.outcomes.forms
        ]
        marks = [with_share(mark, "column", "label") for mark in finding.outcomes.marks]
        return {"forms": forms, "marks": marks}


def _won_by_form(study: Study) -> Iterator[Figure]:
    """Yield the figure of the first side's share under each form of the result.

    Yields nothing if the number of forms differs between cells.
    """
    outcomes = [finding.outcomes for finding in drawn(study)]
    first = outcomes[0]
    if first.forms and all(len(each.forms) == len(first.forms) for each in outcomes):
        side = first.sides[0]
        labels = ["As played", *(form.title for form in first.forms)]
        as_played = [share_of(side.seat, each) for each in outcomes]
        forms = zip(*(each.forms for each in outcomes), strict=True)
        shares = [as_played, *([form.share_of(side.seat) for form in row] for row in forms)]
        yield _shares_figure(study, f"Won by {side.name}", labels, shares)


def _marks(study: Study) -> Iterator[Figure]:
    marks = list(zip(*(finding.outcomes.marks for finding in drawn(study)), strict=True))
    if marks:
        shares = [[mark.share for mark in row] for row in marks]
        yield _shares_figure(study, "Of all games", [words.sentence(row[0].label) for row in marks], shares)


def _shares_figure(
    study: Study, title: str, labels: Sequence[str], shares: Sequence[Sequence[Interval]]
) -> Figure:
    """Return a figure with one row per label. shares: for each label, the shares of all drawn cells."""
    rows = [
        dots.share_row(label, map(dots.mark, row, colours(study).values()))
        for label, row in zip(labels, shares, strict=True)
    ]
    end = axis_end([share for row in shares for share in row])
    return Figure(title, dots.chart(rows, end, "of all games"))


def outcome_table(
    study: Study,
    title: str,
    headers: Sequence[str],
    shares: Callable[[Finding], Iterable[Entry]],
    none_of: str,
) -> Table:
    """Return the table of outcomes, with one row per cell.

    headers, shares: headings and values of the columns of shares. none_of: text on how truncated games count,
    such as `neither`.
    """
    truncated = any(finding.outcomes.capped for finding in study.findings)
    changed = any(set_text(finding.cell) for finding in study.findings)
    caption = f"Shares of all games with {words.CONFIDENCE} intervals (not simultaneous)."
    if truncated:
        caption += (
            f" Games truncated at the limit on decisions count as {none_of}. Each range covers both "
            "extremes: none or all of them."
        )

    def row(finding: Finding) -> Iterator[Entry]:
        if changed:
            yield Entry(set_text(finding.cell) or "–")
        yield entries.count(finding.games)
        yield from shares(finding)
        if truncated:
            yield entries.count(finding.outcomes.capped)

    columns = (*["Changed setting"] * changed, "Games", *headers, *["Truncated"] * truncated)
    return names.table(study, title, caption, columns, row)
