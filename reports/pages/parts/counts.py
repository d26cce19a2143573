"""What happens in a game, counted: means of the columns that the game groups."""

from collections.abc import Iterator
from functools import partial

from bartizan.analyses.records.quantities import Count
from bartizan.analyses.statistics.intervals import CONFIDENCE, Interval
from bartizan.reports import entries
from bartizan.reports.blocks import Entry, Figure, FigureGroup, Section, Table
from bartizan.reports.figures import dots
from bartizan.reports.pages.parts import cells, names
from bartizan.reports.study import Study
from bartizan.reports.text import words

TITLE = "What happens in a game"
# more rows than this stand in several figures, each with counts up to so many times apart
MANY_ROWS, MAGNITUDE = 8, 8
HOW_OFTEN = ("Often", "Less often", "Seldom")

# ---------------------------------------------------------------- figures


def section(study: Study) -> Section:
    grid = FigureGroup("", tuple(_figures(study)), columns=2)
    groups = (grid,) if grid.figures else ()
    return Section(TITLE, _caption(study), (), cells.legend(study), cells.left_out(study), groups=groups)


def _figures(study: Study) -> Iterator[Figure]:
    for index, group in enumerate(cells.drawn(study)[0].groups):
        counts = [row for row in _counts(study, index) if any(count.any is None for count in row)]
        if counts:
            parts = _by_size(counts)
            titles = _part_names("" if group.title == TITLE else group.title, len(parts))
            for title, part in zip(titles, parts, strict=True):
                yield _figure(study, title, group.note, part)


def _counts(study: Study, index: int) -> list[list[Count]]:
    """The counts of a group, each that of every drawn cell."""
    counts = (finding.groups[index].counts for finding in cells.drawn(study))
    return [list(row) for row in zip(*counts, strict=True)]


def _caption(study: Study) -> str:
    caption = (
        f"Means a game with their {words.CONFIDENCE} intervals (Student t), over "
        f"{cells.games_each(study)}. A hollow dot: it never happened. What never happened anywhere is "
        "in the table only, with how often it could at most."
    )
    if never := _never(study):
        titles = words.listing([title[:1].lower() + title[1:] for title in never])
        caption += f" Never in any of these games: {titles}."
    return caption + (cells.ONE_ROTATION if len(study.seated_once) < len(study.findings) else "")


def _never(study: Study) -> list[str]:
    """Groups of which nothing happened."""
    findings = cells.drawn(study)
    return [
        group.title
        for index, group in enumerate(findings[0].groups)
        if all(count.any for finding in findings for count in finding.groups[index].counts)
    ]


def _by_size(counts: list[list[Count]]) -> list[list[list[Count]]]:
    """Many rows in up to three figures, so that what is rare is not all at 0 on the axis of what is common.

    The order stays.
    """
    if len(counts) <= MANY_ROWS:
        return [counts]
    sizes = [max(count.mean.mean or 0.0 for count in row) for row in counts]
    sized = list(zip(counts, sizes, strict=True))
    parts, below = [], max(sizes)
    for last in (False, False, True):
        least = 0.0 if last else below / MAGNITUDE
        parts.append([row for row, size in sized if size <= below and (size > least or last)])
        below = max((size for size in sizes if size <= least), default=-1.0)
        if below < 0:
            break
    return parts


def _part_names(title: str, parts: int) -> list[str]:
    how_often = HOW_OFTEN[:parts] if parts > 1 else ("",)
    return [": ".join(filter(None, (title, name))) for name in how_often]


def _figure(study: Study, title: str, note: str, counts: list[list[Count]]) -> Figure:
    alone = len(counts[0]) == 1
    rows = [
        dots.Row(words.sentence(row[0].label), _mean_text(row[0]) if alone else "", _points(row, study))
        for row in counts
    ]
    most = max(point.interval.high for row in rows for point in row.points) * 1.05
    alt = cells.in_words(study, title or "A game", [row.label for row in rows], counts, _mean_text)
    title = words.sentence(": ".join(filter(None, (title, _above_all(counts)))))
    return Figure(title, alt, partial(dots.draw, rows, most, "a game", percent=False), note)


def _above_all(counts: list[list[Count]]) -> str:
    """What happens most, and how often: `up to 87 a game (fights)`"""
    most = max(counts, key=lambda row: max(count.mean.mean or 0.0 for count in row))
    mean = max(count.mean.mean or 0.0 for count in most)
    digits = 0 if mean >= 10 else 1 if mean >= 1 else 2
    often = f"{'up to ' if len(most) > 1 else ''}{words.number(mean, digits)} a game"
    return f"{often} ({most[0].label[:1].lower()}{most[0].label[1:]})"


def _points(row: list[Count], study: Study) -> tuple[dots.Point, ...]:
    return tuple(
        dots.Point(_mean_interval(count), colour, count.any is None)
        for count, colour in zip(row, cells.colours(study).values(), strict=True)
    )


def _mean_interval(count: Count) -> Interval:
    mean = count.mean.mean or 0.0
    return count.mean.interval() or Interval(mean, mean, mean, CONFIDENCE, "one game")


def _mean_text(count: Count) -> str:
    if count.any is not None:
        return "none"
    text, limits = words.mean(count.mean)
    return f"{text} ({limits})" if limits else text


# ---------------------------------------------------------------- tables


def tables_of(study: Study) -> list[Table]:
    """One table a group of counts: one row a count, one column a cell."""
    labels = (
        f"{names.label(finding, study)} (n = {words.count(finding.games)})" for finding in study.findings
    )
    headers = ("In a game", *labels)
    return [
        Table(group.title, _table_caption(study, group.note), headers, tuple(_rows(study, index)))
        for index, group in enumerate(study.findings[0].groups)
    ]


def _rows(study: Study, index: int) -> Iterator[tuple[Entry, ...]]:
    for counts in zip(*(finding.groups[index].counts for finding in study.findings), strict=True):
        yield (Entry(words.sentence(counts[0].label)), *map(_entry, counts))


def _table_caption(study: Study, note: str) -> str:
    capped = (
        " Games cut off count with what had happened by then."
        if any(finding.outcomes.capped for finding in study.findings)
        else ""
    )
    return (
        f"{note} Mean a game over all n games with its {words.CONFIDENCE} interval (Student t); "
        f"where it never happened, in what share of games it could at most.{capped}"
    ).strip()


def _entry(count: Count) -> Entry:
    if count.any is None:
        return entries.mean(count.mean)
    note = f"in {words.share(count.any)} of games; {words.one_in(count.any)}; {count.any.method}"
    return Entry("none", note)
