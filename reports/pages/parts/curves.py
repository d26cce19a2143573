"""Shares of the games along a setting, one picture a line-up: a section for each setting that the game wants
drawn as a curve.
"""

from bartizan.analyses.records.outcomes import FormResult, Outcomes
from bartizan.analyses.records.seating import Series, series
from bartizan.analyses.statistics.intervals import Interval
from bartizan.reports.figures import by_setting, outcome_bars, theme
from bartizan.reports.pages.parts import cells, names
from bartizan.reports.pages.parts.pictures import Picture, PictureGroup, Section, left_out, limited, picture
from bartizan.reports.study import Finding, Study
from bartizan.reports.text import words

FORM_COLOURS, FORM_DASHES = ("#029e73", "#cc78bc", "#ca9161"), ("--", ":", "-.")


def sections(study: Study, most: int) -> list[Section]:
    """`most`: pictures in a section."""
    found: dict[str, list[Series]] = {}
    for line in lines_of(study):
        found.setdefault(line.path, []).append(line)
    return [_section(study, lines, f"curve-{index}", most) for index, lines in enumerate(found.values())]


def lines_of(study: Study) -> list[Series]:
    return series(finding.cell for finding in study.findings)


def _section(study: Study, lines: list[Series], name: str, most: int) -> Section:
    setting, most_lines = lines[0].setting, max(most // 2, 1)
    groups = [
        PictureGroup(_fixed(line, lines, study), tuple(_pictures(line, study, f"{name}-{index}")))
        for index, line in enumerate(limited(lines, most_lines))
    ]
    caption = (
        f"Shares of all games, a dot for each {setting.name} that was played; the line through a dot is its "
        f"{words.level(study.level)} interval. {setting.note}"
    )
    return Section(
        f"Over the {setting.name}",
        caption.strip(),
        tuple(groups),
        cells.outcome_legend(study),
        left_out(lines, most_lines),
    )


def _pictures(line: Series, study: Study, name: str) -> list[Picture]:
    outcomes = [finding.outcomes for finding in _findings(line, study)]
    found = [_picture("How games end", line, _part_lines(outcomes), f"{name}-ends")]
    if forms := _form_lines(outcomes):
        title = f"Won by {outcomes[0].sides[0].name}, by form of the result"
        found.append(_picture(title, line, forms, f"{name}-forms", with_key=True))
    return found


def _picture(
    title: str, line: Series, drawn: list[by_setting.Line], name: str, with_key: bool = False
) -> Picture:
    figure = by_setting.draw(line.values, drawn, line.setting.name, with_key)
    return picture(title, "", figure, name, by_setting.describe(line.setting.name, line.values, drawn))


def _findings(line: Series, study: Study) -> list[Finding]:
    by_id = {finding.cell.id: finding for finding in study.findings}
    return [by_id[cell.id] for cell in line.cells]


def _part_lines(outcomes: list[Outcomes]) -> list[by_setting.Line]:
    colours = outcome_bars.colours(outcomes[0])
    return [
        by_setting.Line(
            part.name, colours[part.name], tuple(cells.share_of(part.seat, each) for each in outcomes)
        )
        for part in outcomes[0].parts
    ]


def _form_lines(outcomes: list[Outcomes]) -> list[by_setting.Line]:
    """The first side's share as played, and by every other form."""
    if not all(each.forms for each in outcomes):
        return []
    seat = outcomes[0].sides[0].seat
    played = tuple(cells.share_of(seat, each) for each in outcomes)
    return [
        by_setting.Line("as played", theme.side_colours(1)[0], played),
        *(_form_line(index, seat, outcomes) for index in range(len(outcomes[0].forms))),
    ]


def _form_line(index: int, seat: int, outcomes: list[Outcomes]) -> by_setting.Line:
    return by_setting.Line(
        outcomes[0].forms[index].title,
        FORM_COLOURS[index % len(FORM_COLOURS)],
        tuple(_won(each.forms[index], seat) for each in outcomes),
        FORM_DASHES[index % len(FORM_DASHES)],
    )


def _won(form: FormResult, seat: int) -> Interval:
    return next(part.share for part in (form.winner, form.otherwise) if part.seat == seat)


def _fixed(line: Series, lines: list[Series], study: Study) -> str:
    """What sets this curve apart from the others over the same setting."""
    if len(lines) == 1:
        return ""
    first, *others = (names.parts(finding, study) for finding in _findings(line, study))
    return words.sentence(", ".join(part for part in first if all(part in other for other in others)))
