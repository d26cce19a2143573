"""Win rate of the first seat by the values of a column of the records, or by bins of a number.

Bins contain about the same number of games and depend only on the column, not on the winners. The intervals
of all values, columns and cells of an answer are simultaneous (Bonferroni), so any of them may be selected.
The rates describe the games that have each value. They are not causal effects of the column.
"""

from collections.abc import Callable, Mapping, Sequence
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

SHOWN_DIGITS, MOST_DIGITS = 6, 17  # significant digits of a value; 17 distinguish all values
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
    """Values of a column. place: returns an expression for the index of a game's value in `names`."""

    place: Callable[[Cell], pl.Expr]
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
    if words := list(dict.fromkeys(word for cell in cells for word in _words(column, cell).values())):
        places = {word: place for place, word in enumerate(words)}
        return ColumnValues(partial(_place_of_word, column, places), words, False)
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
        return ColumnValues(lambda _: place, _distinct_texts(numbers), False)
    ends = list(dict.fromkeys(row[1:]))
    inner = ends[1:-1]
    names = [
        f"above {low} to {high}" if at else f"{low} to {high}"
        for at, (low, high) in enumerate(pairwise(_distinct_texts(ends)))
    ]
    above = sum(((value > end).cast(pl.Int32) for end in inner), pl.lit(0))  # rare values may leave one bin
    place = pl.when(value.is_not_null()).then(above)
    return ColumnValues(lambda _: place, names, True)


def _words(column: str, cell: Cell) -> Mapping[str, str]:
    """Map the codes of a column in a cell to their words; {} for a column of numbers."""
    return cell.end_reasons if column == "end_reason" else cell.labels.get(column, {})


def _place_of_word(column: str, places: Mapping[str, int], cell: Cell) -> pl.Expr:
    """Return the place of the word that a cell gives to a code. Cells may give different words."""
    words = _words(column, cell)
    codes = [int(code) for code in words]
    return pl.col(column).replace_strict(
        codes, [places[word] for word in words.values()], default=None, return_dtype=pl.Int64
    )


def _distinct_texts(numbers: Sequence[float]) -> list[str]:
    """Return texts of distinct numbers with only as many decimals as distinguish them."""
    largest = max((abs(number) for number in numbers), default=0.0)
    least = max(SHOWN_DIGITS, len(f"{largest:.0f}")) if largest < 10**MOST_DIGITS else SHOWN_DIGITS
    tries = ([f"{number:,.{digits}g}" for number in numbers] for digits in range(least, MOST_DIGITS + 1))
    return next(texts for texts in tries if len({*texts}) == len(numbers))


def _counts(values: ColumnValues, cell: Cell) -> dict[int, tuple[int, int, int, int]]:
    """Map each index of a value to the number of games, wins of the first seat, draws and truncated games."""
    numbers = [
        which.sum().alias(name)
        for name, which in (("won", won(0)), ("drawn", drawn()), ("cut", is_truncated()))
    ]
    grouped = cell.scan().group_by(values.place(cell).alias("place")).agg(pl.len(), *numbers)
    found = grouped.collect(engine="streaming").drop_nulls("place").sort("place")
    return {place: tuple(rest) for place, *rest in found.iter_rows()}


def _rate(name: str, counts: tuple[int, int, int, int], together: int, cell: Cell) -> ValueRate:
    games, wins, draws, cut = counts
    method = proportion if cell.precision is None else confidence_sequence
    at = partial(with_truncated, wins, cut, games, method=method)
    return ValueRate(value=name, games=games, wins=wins, draws=draws, win=jointly(at, together))
