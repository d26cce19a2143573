"""Shares of the games along a setting, a figure a line-up: a section for each setting that the game wants
drawn as a curve.
"""

from functools import partial

from bartizan.analyses.records.outcomes import FormResult, Outcomes
from bartizan.analyses.records.seating import Series, series
from bartizan.analyses.statistics.intervals import Interval
from bartizan.reports.blocks import Figure, FigureGroup, Section
from bartizan.reports.figures import theme
from bartizan.reports.figures.curves import DrawnCurve, dotted, ends_in_words
from bartizan.reports.pages.parts import cells, names
from bartizan.reports.study import Finding, Study
from bartizan.reports.text import words
from bartizan.reports.text.cell_names import grouped

FORM_COLOURS, FORM_DASHES = ("#029e73", "#cc78bc", "#ca9161"), ("--", ":", "-.")


def sections(study: Study) -> list[Section]:
    return [_section(study, lines) for lines in grouped(lines_of(study), lambda line: line.path).values()]


def lines_of(study: Study) -> list[Series]:
    return series(finding.cell for finding in study.findings)


def _section(study: Study, lines: list[Series]) -> Section:
    setting = lines[0].setting
    groups = tuple(FigureGroup(_fixed(line, lines, study), tuple(_figures(line, study))) for line in lines)
    caption = (
        f"Shares of all games, a dot for each {setting.name} that was played; the line through a dot is its "
        f"{words.CONFIDENCE} interval. {setting.note}"
    )
    legend = cells.outcome_legend(study)
    return Section(f"Over the {setting.name}", caption.strip(), legend=legend, groups=groups)


def _figures(line: Series, study: Study) -> list[Figure]:
    outcomes = [finding.outcomes for finding in _findings(line, study)]
    figures = [_figure("How games end", line, _side_curves(line, outcomes))]
    if all(each.forms for each in outcomes):
        title = f"Won by {outcomes[0].sides[0].name}, by form of the result"
        figures.append(_figure(title, line, _form_curves(line, outcomes), with_key=True))
    return figures


def _figure(title: str, line: Series, curves: list[DrawnCurve], with_key: bool = False) -> Figure:
    name = line.setting.name
    alt = ends_in_words(f"Shares of games against the {name}", curves, lambda value: f"at {value:g}")
    return Figure(title, alt, partial(dotted, curves, name, with_key=with_key))


def _findings(line: Series, study: Study) -> list[Finding]:
    by_id = {finding.cell.id: finding for finding in study.findings}
    return [by_id[cell.id] for cell in line.cells]


def _side_curves(line: Series, outcomes: list[Outcomes]) -> list[DrawnCurve]:
    colours = cells.outcome_colours(outcomes[0])
    return [
        DrawnCurve(
            part.name,
            colours[part.name],
            line.values,
            tuple(cells.share_of(part.seat, each) for each in outcomes),
        )
        for part in outcomes[0].parts
    ]


def _form_curves(line: Series, outcomes: list[Outcomes]) -> list[DrawnCurve]:
    """The first side's share as played, and by every other form."""
    seat = outcomes[0].sides[0].seat
    played = tuple(cells.share_of(seat, each) for each in outcomes)
    return [
        DrawnCurve("as played", theme.side_colours(1)[0], line.values, played),
        *(
            DrawnCurve(
                form.title,
                FORM_COLOURS[index % len(FORM_COLOURS)],
                line.values,
                tuple(_won(each.forms[index], seat) for each in outcomes),
                FORM_DASHES[index % len(FORM_DASHES)],
            )
            for index, form in enumerate(outcomes[0].forms)
        ),
    ]


def _won(form: FormResult, seat: int) -> Interval:
    return next(part.share for part in (form.winner, form.otherwise) if part.seat == seat)


def _fixed(line: Series, lines: list[Series], study: Study) -> str:
    """What sets this curve apart from the others over the same setting."""
    if len(lines) == 1:
        return ""
    first, *others = (names.parts(finding, study) for finding in _findings(line, study))
    return words.sentence(", ".join(part for part in first if all(part in other for other in others)))
