"""Counts of events in a game with several sides."""

from collections.abc import Iterator

from bartizan.analyses.records.quantities import Count
from bartizan.analyses.statistics.intervals import without_limits
from bartizan.reports import entries
from bartizan.reports.blocks import ChartMark, Entry, Figure, FigureGroup, Table, View
from bartizan.reports.figures import dots
from bartizan.reports.pages.parts import names, outcomes
from bartizan.reports.pages.parts.measure import Document, PageMeasure, fields_of
from bartizan.reports.study import Finding, Study
from bartizan.reports.text import words

HAPPENS = "Events in a game"
# more rows than this are divided into several figures, whose counts differ at most by this factor
MANY_ROWS, MAGNITUDE = 8, 8
HOW_OFTEN = ("Often", "Less often", "Seldom")


class GameCounts(PageMeasure):
    """Means of the declared counts of the game (`Reporting.groups`)."""

    def sections(self, study: Study) -> Iterator[View]:
        grid = FigureGroup("", tuple(_count_figures(study)), columns=2)
        yield View(
            title=HAPPENS,
            caption=_counts_caption(study),
            blocks=(grid,),
            legend=outcomes.legend(study),
            left_out=outcomes.left_out(study),
        )

    def tables(self, study: Study) -> Iterator[Table]:
        """Yield one table per group of counts: one row per count, one column per cell."""
        labels = (
            f"{names.label(finding, study)} (n = {words.count(finding.games)})" for finding in study.findings
        )
        headers = ("Count", *labels)
        for index, group in enumerate(study.findings[0].groups):
            counts = zip(*(finding.groups[index].counts for finding in study.findings), strict=True)
            rows = tuple((Entry(words.sentence(row[0].label)), *map(_count_entry, row)) for row in counts)
            caption = _counts_table_caption(study, group.note) if index == 0 else group.note
            yield Table(group.title, caption, headers, rows)

    def of_cell(self, finding: Finding, study: Study) -> Document:
        groups = ({**fields_of(group, "title", "note"), "counts": group.rows()} for group in finding.groups)
        return {"groups": list(groups)}


def _count_figures(study: Study) -> Iterator[Figure]:
    for index, group in enumerate(outcomes.drawn(study)[0].groups):
        counts = [row for row in _counts(study, index) if any(count.any is None for count in row)]
        if counts:
            parts = _by_size(counts)
            title, how_often = "" if group.title == HAPPENS else group.title, HOW_OFTEN[: len(parts)]
            for part, name in zip(parts, how_often if len(parts) > 1 else ("",), strict=True):
                yield _count_figure(study, ": ".join(filter(None, (title, name))), group.note, part)


def _counts(study: Study, index: int) -> list[list[Count]]:
    """Return the counts of a group: one list per count, with its value in every drawn cell."""
    counts = (finding.groups[index].counts for finding in outcomes.drawn(study))
    return [list(row) for row in zip(*counts, strict=True)]


def _counts_caption(study: Study) -> str:
    caption = (
        f"Means per game with their {words.CONFIDENCE} intervals (Student t), over "
        f"{outcomes.games_each(study)}. A hollow dot means that it never happened. Events that never "
        "happened in any setting are only in the table, with an upper limit."
    )
    findings = outcomes.drawn(study)
    never = [
        group.title[:1].lower() + group.title[1:]
        for index, group in enumerate(findings[0].groups)
        if all(count.any for finding in findings for count in finding.groups[index].counts)
    ]
    if never:
        caption += f" Never in any of these games: {words.listing(never)}."
    if any(finding.outcomes.capped for finding in findings):
        caption += " Truncated games count with their events so far."
    return caption + (outcomes.ONE_ROTATION if len(study.seated_once) < len(study.findings) else "")


def _by_size(counts: list[list[Count]]) -> list[list[list[Count]]]:
    """Divide the counts among up to three figures if there are many, so that rare events are visible.

    The order within a figure does not change.
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


def _count_figure(study: Study, title: str, note: str, counts: list[list[Count]]) -> Figure:
    alone = len(counts[0]) == 1
    rows = [
        dots.row(words.sentence(row[0].label), _mean_text(row[0]) if alone else "", _points(row, study))
        for row in counts
    ]
    most = max(point.interval.drawn[1] for row in rows for point in row.marks) * 1.05 or 1.0
    title = words.sentence(": ".join(filter(None, (title, _above_all(counts)))))
    return Figure(title, dots.chart(rows, most, "per game", is_share=False), note)


def _above_all(counts: list[list[Count]]) -> str:
    """Return the most frequent event as text, such as `up to 87 per game (fights)`."""
    most = max(counts, key=lambda row: max(count.mean.mean or 0.0 for count in row))
    mean = max(count.mean.mean or 0.0 for count in most)
    digits = 0 if mean >= 10 else 1 if mean >= 1 else 2
    often = f"{'up to ' if len(most) > 1 else ''}{words.number(mean, digits)} per game"
    return f"{often} ({most[0].label[:1].lower()}{most[0].label[1:]})"


def _points(row: list[Count], study: Study) -> tuple[ChartMark, ...]:
    points = []
    for count, colour in zip(row, outcomes.colours(study).values(), strict=True):
        mean = count.mean.mean or 0.0
        interval = count.mean.interval() or without_limits(mean, count.mean.n)
        points.append(dots.mark(interval, colour, count.any is None))
    return tuple(points)


def _mean_text(count: Count) -> str:
    if count.any is not None:
        return "none"
    text, limits = words.mean(count.mean)
    return f"{text} ({limits})" if limits else text


def _counts_table_caption(study: Study, note: str) -> str:
    truncated = (
        " Truncated games count with their events so far."
        if any(finding.outcomes.capped for finding in study.findings)
        else ""
    )
    return (
        f"{note} Mean per game with its {words.CONFIDENCE} interval (Student t); for events that never "
        f"happened, the upper limit of their share of games.{truncated}"
    ).strip()


def _count_entry(count: Count) -> Entry:
    if count.any is None:
        return entries.mean(count.mean)
    note = f"in {words.share(count.any)} of games; {words.one_in(count.any)}; {count.any.method}"
    return Entry("none", note)
