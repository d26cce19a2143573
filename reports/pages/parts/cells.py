"""Pictures that have a dot, or a bar, for each cell, a colour a cell."""

from collections.abc import Callable, Sequence
from typing import Any

from bartizan.analyses.records.outcomes import Outcomes
from bartizan.analyses.records.seating import series
from bartizan.analyses.statistics.intervals import Interval
from bartizan.reports.figures import dots, outcome_bars, theme
from bartizan.reports.pages.parts import names
from bartizan.reports.pages.parts.pictures import Legend, limited
from bartizan.reports.study import Finding, Study
from bartizan.reports.text import words

MOST = 10  # in one picture: more colours cannot be told apart; the tables hold every cell


def drawn(study: Study) -> tuple[list[Finding], list[str]]:
    """The cells of a picture that has a dot for each, and their colours."""
    findings = limited(study.seated_once, MOST)
    lines = series((finding.cell for finding in study.findings), every=True, fewest=2)
    in_order = any(len(line.cells) == len(study.findings) for line in lines)
    return findings, theme.cell_colours(len(findings), in_order)


def legend(study: Study) -> Legend:
    """None for a single cell."""
    findings, colours = drawn(study)
    labels = [names.label(finding, study) for finding in findings]
    return tuple(zip(colours, labels, strict=True)) if len(findings) > 1 else ()


def outcome_legend(study: Study) -> Legend:
    """The colours of sides and draws."""
    found: dict[str, str] = {}
    for finding in study.findings:
        found |= outcome_bars.colours(finding.outcomes)
    return tuple((colour, words.sentence(name)) for name, colour in found.items())


def share_rows(study: Study, labels: list[str], values: list[list[Interval]]) -> list[dots.Row]:
    """`values`: for each label the shares of all drawn cells; a single cell's share stands beside its dot as
    a text.
    """
    _, colours = drawn(study)
    return [
        dots.Row(
            label,
            words.share_with_limits(row[0]) if len(row) == 1 else "",
            tuple(dots.Point(value, colour) for value, colour in zip(row, colours, strict=True)),
        )
        for label, row in zip(labels, values, strict=True)
    ]


def in_words(
    study: Study, title: str, labels: list[str], values: Sequence[Sequence[Any]], text: Callable[[Any], str]
) -> str:
    """Such a picture in words; `values` as above."""
    findings, _ = drawn(study)
    cells = [names.label(finding, study) for finding in findings]
    told = (
        ", ".join(f"{text(value)} ({cell})" for value, cell in zip(row, cells, strict=True)) for row in values
    )
    return f"{title}: " + "; ".join(f"{label} {cells}" for label, cells in zip(labels, told, strict=True))


def share_of(seat: int, outcomes: Outcomes) -> Interval:
    """What the side that sits there wins."""
    return next(part.share for part in outcomes.parts if part.seat == seat)


def games_each(study: Study) -> str:
    """`2,000 games each`"""
    games = {finding.games for finding in study.findings}
    if len(games) > 1:
        return "the games of each setting, counted in the table"
    return f"{words.count(games.pop())} games{' each' if len(study.findings) > 1 else ''}"


ONE_ROTATION = " Of a line-up that sat in several rotations the first is drawn."
