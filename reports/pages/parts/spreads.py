"""The distribution of an integer over the games of each cell, as histograms and as rows of a table."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict

from bartizan.analyses.records.outcomes import Spread
from bartizan.reports import entries
from bartizan.reports.blocks import Entry, Figure, View
from bartizan.reports.entries import NONE
from bartizan.reports.figures import bars
from bartizan.reports.figures.theme import CUT_OFF_COLOUR
from bartizan.reports.pages.parts import names
from bartizan.reports.pages.parts.measure import Document, of_quantiles
from bartizan.reports.pages.parts.outcomes import CUT_OFF, ONE_ROTATION
from bartizan.reports.study import Study
from bartizan.reports.text import words

NUMBERS = ("Games", "Mean", "5 %", "Median", "95 %")
NOTE = f"{words.CONFIDENCE} intervals: Student t for means, order statistics for quantiles."


def section(
    title: str,
    caption: str,
    unit: str,
    colour: str,
    cells: Mapping[str, Spread | None],
    study: Study,
    truncated: Mapping[str, int] | None = None,
) -> View:
    """Return a section with one histogram per cell, all with the same axes; empty if no cell has values.

    cells: {cell id: distribution or None}. truncated: {cell id: number of games without a value}, which have
    a separate bar.
    """
    spreads = {cell: spread for cell, spread in cells.items() if spread and spread.values}
    if not spreads:
        return View(title=title)
    span = bars.robust_span((spread.values, spread.counts) for spread in spreads.values())
    width, cut = bars.width_for(span), truncated or {}
    games = {cell: spread.games + cut.get(cell, 0) for cell, spread in spreads.items()}
    heights = {
        cell: bars.shares(spread.values, spread.counts, width, span[1], games[cell])
        for cell, spread in spreads.items()
    }
    asides = {cell: _asides(spread, span[1], games[cell], colour) for cell, spread in spreads.items()}
    highest = max(max(shares.values()) for shares in heights.values())
    highest = max(highest, *(bar.share for aside in asides.values() for bar in aside), 0.0)
    labels = {finding.cell.id: names.label(finding, study) for finding in study.findings}
    figures = []
    for cell, spread in spreads.items():
        label = f"{labels[cell]}: median {words.whole(spread.quantiles[50])}"
        note = f"{words.many(spread.games, 'game')}; mean {words.mean(spread.mean)[0]}"
        note += "".join(f"; {bar.label} {unit}: {words.percent(bar.share, 2)}" for bar in asides[cell][:1])
        if n := cut.get(cell):
            note += f"; {words.count(n)} more truncated"
        shown = {colour: heights[cell]}
        beyond = (*asides[cell], *_truncated_bar(n or 0, games[cell]))
        picture = bars.Histogram(shown, span, highest, unit, width, "of these games", beyond=beyond)
        figures.append(Figure(label, picture, note))
    each = f" Each bar covers {width} {unit}." if width > 1 else ""
    if any(asides.values()):
        each += " The bar after the dashed line shows all games beyond the axis."
    caption = (
        f"{caption}{each}{ONE_ROTATION if study.skills else ''} The brackets contain the {words.CONFIDENCE} "
        "interval of the median (order statistics)."
    )
    return View(title=title, caption=caption, blocks=tuple(figures))


def _asides(spread: Spread, end: int, games: int, colour: str) -> tuple[bars.Beyond, ...]:
    """Return the bar of the values beyond the end of the axis; () if there are none."""
    over = sum(n for value, n in zip(spread.values, spread.counts, strict=True) if value > end)
    return (bars.Beyond(f"{words.count(end + 1)}+", colour, over / games),) if over else ()


def _truncated_bar(truncated: int, games: int) -> tuple[bars.Beyond, ...]:
    return (bars.Beyond(CUT_OFF, CUT_OFF_COLOUR, truncated / games),) if truncated else ()


def row(spread: Spread) -> Iterator[Entry]:
    yield entries.count(spread.games)
    yield entries.mean(spread.mean)
    yield from (entries.quantile(spread.quantiles[q]) if spread.quantiles else NONE for q in (5, 50, 95))


def document(spread: Spread | None) -> Document | None:
    """Return a distribution as JSON data; None for None."""
    if not spread:
        return None
    return {
        "games": spread.games,
        **asdict(spread.mean),
        "quantiles": of_quantiles(spread.quantiles),
        "counts": dict(zip(map(str, spread.values), spread.counts, strict=True)),
    }
