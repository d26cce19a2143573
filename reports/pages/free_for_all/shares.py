"""Figures of shares beside the equal share: their axis, their colours."""

from collections.abc import Iterable

from bartizan.analyses.statistics.intervals import Interval
from bartizan.reports.blocks import Legend
from bartizan.reports.figures import dots, theme
from bartizan.reports.pages.parts import names
from bartizan.reports.study import Study
from bartizan.reports.text import words

LEAST_SPAN = 0.05  # of an axis to either side of the equal share: less would make noise look like a mountain
MOST_COLOURS = 9
ROOM = 0.08  # of an axis, beyond the longest interval


def axis(intervals: Iterable[Interval], fair: Iterable[float]) -> tuple[float, float]:
    """Ends of an axis that holds all intervals and the equal shares: not from 0, since what matters is the
    distance from the equal share.
    """
    intervals, fair = list(intervals), list(fair)
    low, high = min(min(i.low for i in intervals), *fair), max(max(i.high for i in intervals), *fair)
    room = max((high - low) * ROOM, LEAST_SPAN - (high - low) / 2)
    return max(low - room, 0.0), min(high + room, 1.0)


def colours(study: Study) -> dict[str, str]:
    """Level and settings -> colour, for as many as can be told apart."""
    labels = list(dict.fromkeys(names.under(finding, study) for finding in study.findings))[:MOST_COLOURS]
    if len(labels) == 1:
        return {labels[0]: theme.CLEAR}
    return dict(zip(labels, theme.player_colours(labels).values(), strict=True))


def legend(study: Study) -> Legend:
    labels = colours(study).items()
    return tuple((colour, words.sentence(label)) for label, colour in labels) if len(labels) > 1 else ()


def more_settings(study: Study) -> str:
    labels = {names.under(finding, study) for finding in study.findings}
    return (
        f" Of {len(labels)} settings the first {MOST_COLOURS} are drawn."
        if len(labels) > MOST_COLOURS
        else ""
    )


def point(interval: Interval, colour: str) -> dots.Point:
    return dots.Point(interval, colour, dot=not words.is_bounds(interval))


def row(label: str, points: tuple[dots.Point, ...]) -> dots.Row:
    """A single share stands beside its dot as a text."""
    return dots.Row(label, words.share_with_limits(points[0].interval) if len(points) == 1 else "", points)


def in_words(title: str, rows: Iterable[dots.Row]) -> str:
    """A figure of shares in words."""
    shares = (
        f"{row.label} {', '.join(words.share_with_limits(point.interval) for point in row.points)}"
        for row in rows
    )
    return f"{title}: {'; '.join(shares)}"


def of_games(games: set[int], number: str) -> str:
    """`20,000 games`, where the settings of a figure have the same number of them."""
    return f"{words.count(games.pop())} {number}" if len(games) == 1 else "games as in the table"
