"""Win rate by a column of the records (`report --over`): a figure for each cell, and a table."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from bartizan.analyses.records.over import ColumnRates, ValueRate
from bartizan.reports import entries
from bartizan.reports.blocks import Entry, Figure, Table, View
from bartizan.reports.figures import dots
from bartizan.reports.figures.curves import axis_end
from bartizan.reports.figures.theme import CLEAR
from bartizan.reports.text import words

RESTS_ON = "Games with a value also differ in other ways, so this does not show what the column causes."


def views(rates: Sequence[ColumnRates], names: Mapping[str, str], whose: str) -> Iterator[View]:
    """Yield a view for each column. names: maps cell ids to names. whose: the side whose wins count."""
    together = sum(len(rate.values) for rate in rates)
    for column, group in groupby(rates, lambda rate: rate.column):
        yield _view(column, list(group), names, whose, together)


def _view(
    column: str, rates: Sequence[ColumnRates], names: Mapping[str, str], whose: str, together: int
) -> View:
    name = words.plain(column)
    title = f"Win rate over {name}"
    shares = [value.win for rate in rates for value in rate.values]
    end = axis_end(shares)
    bins = " Bins have about the same number of games." if any(rate.is_binned for rate in rates) else ""
    caption = (
        f"Games that {whose} wins, as a share of the games with each value.{bins} The {words.CONFIDENCE} "
        f"intervals are simultaneous for all {words.count(together)} rates of these columns. {RESTS_ON}"
    )
    figures = tuple(_figure(rate, names, end) for rate in rates)
    rows = tuple(
        (Entry(names[rate.cell]), Entry(value.value), entries.count(value.games), entries.share(value.win))
        for rate in rates
        for value in rate.values
    )
    table = Table(title, caption, ("Setting", words.sentence(name), "Games", f"Won by {whose}"), rows)
    method = (title, "; ".join(dict.fromkeys(share.method for share in shares))) if shares else ("", "")
    return View(_sentence(name, rates[0], names, whose), (*figures, table), method, title, caption)


def _figure(rate: ColumnRates, names: Mapping[str, str], end: float) -> Figure:
    rows = [dots.share_row(value.value, (dots.mark(value.win, CLEAR),)) for value in rate.values]
    return Figure(names[rate.cell], dots.chart(rows, end, "of the games with this value"))


def _sentence(name: str, rate: ColumnRates, names: Mapping[str, str], whose: str) -> str:
    """Return a sentence on the lowest and the highest win rate in the first cell."""
    ordered = sorted(rate.values, key=lambda value: value.win.estimate)
    said = " and ".join(map(_rate, [*ordered[:1], *ordered[1:][-1:]])) or "no game that has a value"
    return f"{words.sentence(name)}, {names[rate.cell]}: {whose} wins {said}."


def _rate(value: ValueRate) -> str:
    return f"{words.share_with_limits(value.win)} at {value.value} (n = {words.count(value.games)})"
