"""The same games, read by other forms of the result; and what is true of how many games."""

from collections.abc import Iterator, Sequence
from functools import partial

from bartizan.analyses.records.outcomes import Mark, Part
from bartizan.analyses.statistics.intervals import Interval
from bartizan.reports import entries
from bartizan.reports.blocks import Entry, Figure, Section, Table
from bartizan.reports.entries import NONE
from bartizan.reports.figures import dots
from bartizan.reports.figures.curves import axis_end
from bartizan.reports.pages.parts import cells, names
from bartizan.reports.study import Finding, Study
from bartizan.reports.text import words

TITLE = "Other forms of the result"

# ---------------------------------------------------------------- figures


def section(study: Study) -> Section:
    forms = cells.drawn(study)[0].outcomes.forms
    notes = " ".join(f"{form.title}: {form.note}." for form in forms if form.note)
    caption = (
        f"The same games, read by another form of the result, with {words.CONFIDENCE} intervals, over "
        f"{cells.games_each(study)}. {notes}"
    )
    figures = (*_won(study), *_marks(study))
    return Section(TITLE, caption.strip(), figures, cells.legend(study), cells.left_out(study))


def _won(study: Study) -> Iterator[Figure]:
    """What the first side wins by each form; none where the cells have other forms."""
    outcomes = [finding.outcomes for finding in cells.drawn(study)]
    first = outcomes[0]
    if first.forms and all(len(each.forms) == len(first.forms) for each in outcomes):
        side = first.sides[0]
        labels = ["As played", *(form.title for form in first.forms)]
        as_played = [cells.share_of(side.seat, each) for each in outcomes]
        forms = zip(*(each.forms for each in outcomes), strict=True)
        shares = [as_played, *([form.winner.share for form in row] for row in forms)]
        yield _figure(study, f"Won by {side.name}", labels, shares)


def _marks(study: Study) -> Iterator[Figure]:
    marks = list(zip(*(finding.outcomes.marks for finding in cells.drawn(study)), strict=True))
    if marks:
        shares = [[mark.share for mark in row] for row in marks]
        yield _figure(study, "Of all games", [words.sentence(row[0].label) for row in marks], shares)


def _figure(study: Study, title: str, labels: Sequence[str], shares: Sequence[Sequence[Interval]]) -> Figure:
    end = axis_end([share for row in shares for share in row])
    alt = cells.in_words(study, title, labels, shares, words.share_with_limits)
    return Figure(
        title, alt, partial(dots.draw, cells.share_rows(study, labels, shares), end, "of all games")
    )


# ---------------------------------------------------------------- table


def tables_of(study: Study) -> list[Table]:
    """One row a cell: what other forms of the result would say, and what is true of how many games."""
    findings = [finding for finding in study.findings if finding.outcomes.forms or finding.outcomes.marks]
    if not findings:
        return []
    first = max(findings, key=lambda finding: len(finding.outcomes.forms)).outcomes
    titles = [form.title for form in first.forms]
    notes = " ".join(
        f"{form.title}: {form.note}; all other games go to {form.otherwise.name}." for form in first.forms
    )
    caption = (
        "The same games, read by another form of the result. Shares of all games with "
        f"{words.CONFIDENCE} intervals; each holds on its own. {notes}"
    )
    headers = (
        names.header(study),
        "Games",
        *(f"{form.title}: won by {form.winner.name}" for form in first.forms),
        *(words.sentence(mark.label) for mark in first.marks),
    )
    return [Table(TITLE, caption, headers, tuple(_row(finding, titles, study) for finding in findings))]


def _row(finding: Finding, titles: list[str], study: Study) -> tuple[Entry, ...]:
    won = {form.title: _entry(form.winner) for form in finding.outcomes.forms}
    return (
        names.row_name(finding, study),
        entries.count(finding.games),
        *(won.get(title, NONE) for title in titles),
        *map(_entry, finding.outcomes.marks),
    )


def _entry(part: Part | Mark) -> Entry:
    return entries.proportion(part.share, part.games)
