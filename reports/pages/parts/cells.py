"""Figures that have a dot, or a bar, for each cell, a colour a cell."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from bartizan.analyses.records.outcomes import Outcomes
from bartizan.analyses.records.seating import series
from bartizan.analyses.records.tally import HOUSE, NOBODY
from bartizan.analyses.statistics.intervals import Interval
from bartizan.reports.blocks import Figure, Legend
from bartizan.reports.figures import bars, dots, theme
from bartizan.reports.pages.parts import names
from bartizan.reports.study import Finding, Study
from bartizan.reports.text import words

MOST = 10  # in one figure: more colours cannot be told apart; the tables hold every cell
CUT_OFF = "cut off"
ONE_ROTATION = " Of a line-up that sat in several rotations the first is drawn."

# ---------------------------------------------------------------- dots


def drawn(study: Study) -> list[Finding]:
    """The cells of a figure that has a dot for each."""
    return list(study.seated_once)[:MOST]


def left_out(study: Study) -> int:
    return max(len(study.seated_once) - MOST, 0)


def colours(study: Study) -> dict[str, str]:
    """Cell id -> colour."""
    findings = drawn(study)
    lines = series((finding.cell for finding in study.findings), every=True, fewest=2)
    in_order = any(len(line.cells) == len(study.findings) for line in lines)
    ids = (finding.cell.id for finding in findings)
    return dict(zip(ids, theme.cell_colours(len(findings), in_order), strict=True))


def legend(study: Study) -> Legend:
    """Empty for a single cell."""
    labels = [names.label(finding, study) for finding in drawn(study)]
    return tuple(zip(colours(study).values(), labels, strict=True)) if len(labels) > 1 else ()


def share_rows(study: Study, labels: Sequence[str], values: Sequence[Sequence[Interval]]) -> list[dots.Row]:
    """values: for each label the shares of all drawn cells; a single cell's share stands beside its dot as a
    text.
    """
    return [
        dots.Row(
            label,
            words.share_with_limits(row[0]) if len(row) == 1 else "",
            tuple(map(dots.Point, row, colours(study).values())),
        )
        for label, row in zip(labels, values, strict=True)
    ]


def in_words(
    study: Study,
    title: str,
    labels: Sequence[str],
    values: Sequence[Sequence[Any]],
    text: Callable[[Any], str],
) -> str:
    """Such a figure in words; values as above."""
    cells = [names.label(finding, study) for finding in drawn(study)]
    rows = (
        ", ".join(f"{text(value)} ({cell})" for value, cell in zip(row, cells, strict=True)) for row in values
    )
    return f"{title}: " + "; ".join(f"{label} {row}" for label, row in zip(labels, rows, strict=True))


def games_each(study: Study) -> str:
    """`2,000 games each`"""
    games = {finding.games for finding in study.findings}
    if len(games) > 1:
        return "the games of each setting, counted in the table"
    return f"{words.count(games.pop())} games{' each' if len(study.findings) > 1 else ''}"


# ---------------------------------------------------------------- how games end


def share_of(seat: int, outcomes: Outcomes) -> Interval:
    """What the side that sits there wins."""
    return next(part.share for part in outcomes.parts if part.seat == seat)


def outcome_figure(title: str, findings: Sequence[Finding], study: Study) -> Figure:
    """A bar a cell, a piece for each side and for the draws."""
    labels = [names.label(finding, study) for finding in findings]
    alt = "How games end: " + "; ".join(
        f"{label}: {', '.join(f'{part.name} {words.share_with_limits(part.share)}' for part in parts)}"
        for label, parts in zip(labels, (finding.outcomes.parts for finding in findings), strict=True)
    )
    rows = [_bar(label, finding.outcomes) for label, finding in zip(labels, findings, strict=True)]
    return Figure(title, alt, partial(bars.stacked, rows, "of all games"))


def _bar(label: str, outcomes: Outcomes) -> bars.StackedBar:
    """With games cut off no colour changes at a known place."""
    games = {part.name: part.games for part in outcomes.parts} | {CUT_OFF: outcomes.capped}
    pieces = tuple(
        (colour, games[name] / outcomes.games) for name, colour in outcome_colours(outcomes).items()
    )
    edges = () if outcomes.capped else outcomes.edges
    return bars.StackedBar(label, f"{words.count(outcomes.games)} games", pieces, edges)


def outcome_colours(outcomes: Outcomes) -> dict[str, str]:
    """Side, draw or cut off -> colour, in the order of the bar."""
    seats = theme.side_colours(len(outcomes.sides))
    others = {NOBODY: theme.NONE_COLOUR, HOUSE: theme.LOST_COLOUR}
    shown = {part.name: others.get(part.seat) or seats[part.seat] for part in outcomes.parts}
    return shown | ({CUT_OFF: theme.CUT_OFF_COLOUR} if outcomes.capped else {})


def outcome_legend(study: Study) -> Legend:
    shown: dict[str, str] = {}
    for finding in study.findings:
        shown |= outcome_colours(finding.outcomes)
    return tuple((colour, words.sentence(name)) for name, colour in shown.items())
