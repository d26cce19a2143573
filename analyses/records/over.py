"""Win rate of the first seat by the values of a column of the records, or by bins of a number.

Bins contain about the same number of games and depend only on the column, not on the winners. The intervals
of all values, columns and cells of an answer are simultaneous (Bonferroni), so any of them may be selected.
The rates describe the games that have each value. They are not causal effects of the column.
"""

from collections.abc import Sequence
from functools import partial
from itertools import pairwise
from typing import NamedTuple

import polars as pl

from bartizan.analyses.document import Document
from bartizan.analyses.records.tally import drawn, is_truncated, won
from bartizan.analyses.statistics.intervals import Interval, confidence_sequence, proportion, with_truncated
from bartizan.analyses.statistics.testing import jointly
from bartizan.simcore.errors import UsageError, as_spelled, did_you_mean
from bartizan.simcore.sweep.store import Cell, Sweep

MOST_VALUES, BINS = 12, 5  # maximum number of distinct values of a number that are not binned; number of bins


class ValueRate(Document):
    """Games of a cell with one value of a column, or with values in one bin."""

    value: str
    games: int
    wins: int
    draws: int
    win: Interval  # win rate of the first seat in these games


class ColumnRates(Document):
    """Win rates of one cell over one column."""

    column: str
    cell: str
    is_binned: bool
    values: list[ValueRate]


class ColumnValues(NamedTuple):
    """Values of a column: an expression for the index of a game's value, and the name of each index."""

    place: pl.Expr
    names: list[str]
    is_binned: bool


def rates_over(columns: Sequence[str], sweep: Sweep) -> list[ColumnRates]:
    """Return the rates of every column in every cell. columns: names, or headings of imported records.

    Raises UsageError for a column that no cell has.
    """
    counted = []
    for named in dict.fromkeys(columns):
        headings = _headings(sweep)
        known = dict.fromkeys(headings or (name for cell in sweep.cells for name in _columns_of(cell)))
        named = as_spelled(named, known)
        column = headings.get(named, named)
        having = [cell for cell in sweep.cells if column in _columns_of(cell)]
        if not having:
            raise UsageError(f"--over {named}: no such column{did_you_mean(named, known)}")
        values = _values(column, having)
        counted += [(named, cell, values, _counts(values, cell)) for cell in having]
    together = sum(len(counts) for *_, counts in counted)
    return [
        ColumnRates(
            column=column,
            cell=cell.id,
            is_binned=values.is_binned,
            values=[_rate(values.names[place], counts, together, cell) for place, counts in numbers.items()],
        )
        for column, cell, values, numbers in counted
    ]


def _columns_of(cell: Cell) -> list[str]:
    return [name for name in cell.columns if name not in ("game", "winner")]


def _headings(sweep: Sweep) -> dict[str, str]:
    headings = sweep.manifest.get("imported", {}).get("headings", {})
    return {heading: column for column, heading in headings.items() if heading}


def _values(column: str, cells: Sequence[Cell]) -> ColumnValues:
    labels = {**cells[0].labels, "end_reason": cells[0].end_reasons}
    if words := labels.get(column):
        codes = [int(code) for code in words]
        return ColumnValues(
            pl.col(column).replace_strict(codes, range(len(codes)), default=None), list(words.values()), False
        )
    value = pl.col(column).cast(pl.Float64)
    frame = pl.concat([cell.scan().select(value) for cell in cells]).drop_nulls()
    found = frame.select(
        pl.col(column).unique().head(MOST_VALUES + 1).sort().implode().alias("values"),
        *(pl.col(column).quantile(part / BINS, "lower").alias(str(part)) for part in range(BINS + 1)),
    )
    row = found.collect(engine="streaming").row(0)
    if len(row[0]) <= MOST_VALUES:
        numbers = list(row[0])
        place = value.replace_strict(numbers, range(len(numbers)), default=None)
        return ColumnValues(place, [f"{number:,g}" for number in numbers], False)
    ends = list(dict.fromkeys(row[1:]))
    inner = ends[1:-1]
    names = [
        f"{low:,g} to {high:,g}" if not at else f"above {low:,g} to {high:,g}"
        for at, (low, high) in enumerate(pairwise(ends))
    ]
    is_known = pl.when(value.is_not_null())
    return ColumnValues(
        is_known.then(pl.sum_horizontal((value > end).cast(pl.Int32) for end in inner)), names, True
    )


def _counts(values: ColumnValues, cell: Cell) -> dict[int, tuple[int, int, int, int]]:
    """Map each index of a value to the number of games, wins of the first seat, draws and truncated games."""
    numbers = [
        which.sum().alias(name)
        for name, which in (("won", won(0)), ("drawn", drawn()), ("cut", is_truncated()))
    ]
    grouped = cell.scan().group_by(values.place.alias("place")).agg(pl.len(), *numbers)
    found = grouped.collect(engine="streaming").drop_nulls("place").sort("place")
    return {place: tuple(rest) for place, *rest in found.iter_rows()}


def _rate(name: str, counts: tuple[int, int, int, int], together: int, cell: Cell) -> ValueRate:
    games, wins, draws, cut = counts
    method = proportion if cell.precision is None else confidence_sequence
    at = partial(with_truncated, wins, cut, games, method=method)
    return ValueRate(value=name, games=games, wins=wins, draws=draws, win=jointly(at, together))
