"""Numbers that spread over the games (who goes out when, lengths): bars, and entries of a table."""

from collections.abc import Iterator, Mapping
from functools import partial

from bartizan.analyses.records.outcomes import Spread
from bartizan.reports import entries
from bartizan.reports.blocks import Entry, Figure, Section
from bartizan.reports.entries import NONE
from bartizan.reports.figures import bars
from bartizan.reports.pages.parts import names
from bartizan.reports.pages.parts.cells import ONE_ROTATION
from bartizan.reports.study import Study
from bartizan.reports.text import words

NUMBERS = ("Games", "Mean", "5 %", "Median", "95 %")
NOTE = f"{words.CONFIDENCE} intervals: Student t for means, order statistics for quantiles."


def section(
    title: str, caption: str, unit: str, colour: str, cells: Mapping[str, Spread | None], study: Study
) -> Section:
    """Bars, a figure for each cell, all with the same axes. cells: cell id -> what spreads, if anything."""
    spreads = {cell: spread for cell, spread in cells.items() if spread and spread.values}
    if not spreads:
        return Section(title, "")
    lows, highs = zip(*((spread.values[0], spread.values[-1]) for spread in spreads.values()), strict=True)
    span = min(lows), max(highs)
    width = bars.width_for(span)
    heights = {cell: bars.shares(spread.values, spread.counts, width) for cell, spread in spreads.items()}
    highest = max(max(shares.values()) for shares in heights.values())
    labels = {finding.cell.id: names.label(finding, study) for finding in study.findings}
    figures = []
    for cell, spread in spreads.items():
        label = f"{labels[cell]}: median {words.whole(spread.quantiles[50])}"
        note = f"{words.count(spread.games)} games; mean {words.mean(spread.mean)[0]}"
        shown = {colour: heights[cell]}
        draw = partial(bars.histogram, shown, span, highest, unit, width, "of these games")
        figures.append(Figure(label, f"{title}, {label}: {note}", draw, note))
    each = f" Each bar holds {width} numbers." if width > 1 else ""
    caption = (
        f"{caption}{each}{ONE_ROTATION if study.skills else ''} In brackets the {words.CONFIDENCE} interval "
        "of the median (order statistics)."
    )
    return Section(title, caption, tuple(figures))


def row(spread: Spread) -> Iterator[Entry]:
    yield entries.count(spread.games)
    yield entries.mean(spread.mean)
    yield from map(entries.quantile, spread.quantiles.values()) if spread.quantiles else [NONE] * 3
