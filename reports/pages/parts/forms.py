"""The same games, read by other forms of the result; and what is true of how many games."""

from collections.abc import Iterator

from bartizan.analyses.records.outcomes import Mark, Part
from bartizan.analyses.statistics.intervals import Interval
from bartizan.reports import entries
from bartizan.reports.blocks import Entry, Table
from bartizan.reports.entries import NONE
from bartizan.reports.figures import by_setting, dots
from bartizan.reports.pages.parts import cells, names
from bartizan.reports.pages.parts.pictures import Picture, Section, left_out, one_group, picture
from bartizan.reports.study import Finding, Study
from bartizan.reports.text import words

TITLE = "Other forms of the result"

# ---------------------------------------------------------------- pictures


def section(study: Study) -> Section:
    forms = cells.drawn(study)[0][0].outcomes.forms
    notes = " ".join(f"{form.title}: {form.note}." for form in forms if form.note)
    caption = (
        f"The same games, read by another form of the result, with {words.level(study.level)} intervals, "
        f"over {cells.games_each(study)}. {notes}"
    )
    return Section(
        TITLE,
        caption.strip(),
        one_group([*_won(study), *_marks(study)]),
        cells.legend(study),
        left_out(study.findings, cells.MOST),
    )


def _won(study: Study) -> Iterator[Picture]:
    """What the first side wins by each form; none where the cells have other forms."""
    findings, _ = cells.drawn(study)
    first = findings[0].outcomes
    if first.forms and all(len(finding.outcomes.forms) == len(first.forms) for finding in findings):
        side = first.sides[0]
        labels = ["As played", *(form.title for form in first.forms)]
        as_played = [cells.share_of(side.seat, finding.outcomes) for finding in findings]
        forms = zip(*(finding.outcomes.forms for finding in findings), strict=True)
        values = [as_played, *([form.winner.share for form in row] for row in forms)]
        yield _picture(study, f"Won by {side.name}", labels, values, "forms")


def _marks(study: Study) -> Iterator[Picture]:
    findings, _ = cells.drawn(study)
    marks = findings[0].outcomes.marks
    if marks:
        values = [[finding.outcomes.marks[n].share for finding in findings] for n in range(len(marks))]
        labels = [words.sentence(mark.label) for mark in marks]
        yield _picture(study, "Of all games", labels, values, "marks")


def _picture(study: Study, title: str, labels: list[str], values: list[list[Interval]], name: str) -> Picture:
    highest = max(value.high for row in values for value in row)
    most = next(end for end in by_setting.AXES if highest <= end)
    figure = dots.draw(cells.share_rows(study, labels, values), most, "of all games")
    alt = cells.in_words(study, title, labels, values, words.share_with_limits)
    return picture(title, "", figure, name, alt)


# ---------------------------------------------------------------- table


def table(study: Study) -> Table | None:
    """One row a cell: what other forms of the result would say, and what is true of how many games."""
    findings = [finding for finding in study.findings if finding.outcomes.forms or finding.outcomes.marks]
    if not findings:
        return None
    first = max(findings, key=lambda finding: len(finding.outcomes.forms)).outcomes
    titles = [form.title for form in first.forms]
    notes = " ".join(
        f"{form.title}: {form.note}; all other games go to {form.otherwise.name}." for form in first.forms
    )
    caption = (
        "The same games, read by another form of the result. Shares of all games with "
        f"{words.level(study.level)} intervals; each holds on its own. {notes}"
    )
    headers = (
        names.SETTING,
        "Games",
        *(f"{form.title}: won by {form.winner.name}" for form in first.forms),
        *(words.sentence(mark.label) for mark in first.marks),
    )
    return Table(TITLE, caption, headers, tuple(_row(finding, titles, study) for finding in findings))


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
