"""Imported games divided into cells: one level, line-up and setting each."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import isfinite
from pathlib import Path
from typing import Any

import polars as pl

from bartizan.analyses.records.imported_columns import CARDS, RecordMapping, setting_name
from bartizan.analyses.records.imported_file import (
    MOST_WORDS,
    RecordFile,
    collected,
    is_odd,
    number_of,
    text_of,
    words_of,
)
from bartizan.analyses.records.imported_formats import ROW
from bartizan.analyses.records.imported_numbers import CODE
from bartizan.analyses.records.imported_winner import Winners
from bartizan.simcore.errors import UsageError
from bartizan.simcore.files import quoted
from bartizan.simcore.numerals import numeral

MOST_CELLS = 400  # maximum number of combinations of settings and line-ups
FAULT = "bartizan fault"
END = "end_reason"
NOT_RECORDED = "not recorded"


@dataclass(frozen=True)
class RecordCell:
    """Games of one level, line-up and setting."""

    level: str
    policies: tuple[str, ...]
    settings: dict[str, Any]
    games: int

    @property
    def id(self) -> str:
        line_up = self.policies if len(set(self.policies)) > 1 else self.policies[:1]
        parts = [self.level, "-".join(line_up), *(f"{name}={value}" for name, value in self.settings.items())]
        return re.sub(r"[^A-Za-z0-9_.=+-]+", "_", ".".join(filter(None, parts)))


def refuse_missing(source: RecordFile, mapping: RecordMapping) -> None:
    columns = mapping.columns
    suggest = f"bartizan import {quoted(source.path)} --suggest mapping.toml"
    write = f"give the column under [columns] of a mapping: {suggest}"
    if not (columns.keys() & {"winner", "result"} or (mapping.records.wins and "score" in mapping.of_seat)):
        if columns.get("score"):
            write += '; or write wins = "highest" there, if the highest score wins'
        raise UsageError(f"{source.path}: no column has the winner (winner, result); {write}")
    if not columns.keys() & {"turns", "decisions"}:
        raise UsageError(
            f"{source.path}: no column has the length of a game (turns, rounds, decisions); {write}"
        )


class RecordReader:
    """Reads the games of one file under one mapping."""

    def __init__(self, source: RecordFile, mapping: RecordMapping):
        self.source, self.mapping = source, mapping
        self.winners = Winners(source, mapping)
        self.words = self.winners.words()
        self.scores = mapping.of_seat.get("score", [])
        policies = mapping.columns.get("policy", [])
        self.keys = {"level": mapping.one("level")}
        self.keys |= {f"policy {place}": heading for place, heading in enumerate(policies)}
        self.keys |= {f"setting {place}": heading for place, heading in enumerate(mapping.settings)}

    # ------------------------------------------------------------- cells and winners

    def cells(self) -> list[RecordCell]:
        """Return the cells in the order of their first rows. Call this before `rows`.

        Raises UsageError if there are no games, too many cells, two cells of one name, or a row whose winner
        or line-up is invalid.
        """
        grouped = (
            self.source.frame.select(ROW, *self._of_cell())
            .group_by([*self.keys, *self.words])
            .agg(pl.len().alias("n"), pl.col(ROW).min())
        )
        limit = MOST_CELLS * MOST_WORDS
        found = collected(self.source, grouped.head(limit + 1)).sort(ROW)
        if found.is_empty():
            raise UsageError(
                f"{self.source.path}: contains no games; write one row per game below the headings"
            )
        if found.select(list(self.keys)).n_unique() > MOST_CELLS or found.height > limit:
            self._refuse_many(found)
        self.most_seats = self.winners.seats_shown(found)
        by_key: dict[tuple[Any, ...], RecordCell] = {}
        numbers: dict[tuple[Any, ...], int] = {}  # numbers of the cells, in their order
        codes = []
        for row in found.iter_rows(named=True):
            key = tuple(row[name] for name in self.keys)
            policies = self._policies(row)
            known = by_key.get(key)
            games = row["n"] + (known.games if known else 0)
            by_key[key] = RecordCell(row["level"] or "", policies, self._settings(row), games)
            number = numbers.setdefault(key, len(numbers))
            codes.append((number, self.winners.of(row, policies)))
        self.codes = found.select([*self.keys, *self.words]).with_columns(
            pl.Series(CODE, [code for code, _ in codes], pl.Int32),
            pl.Series("winner", [winner for _, winner in codes], pl.Int8),
        )
        self._refuse_twins(cells := list(by_key.values()))
        self.seats = [len(cell.policies) for cell in cells]
        return cells

    def _of_cell(self) -> list[pl.Expr]:
        """Return expressions for the cell and the winner of a game, as text."""
        keys = [
            text_of(heading).alias(key) if heading else pl.lit("").alias(key)
            for key, heading in self.keys.items()
        ]
        return [*keys, *(expression.alias(name) for name, expression in self.words.items())]

    def _refuse_many(self, found: pl.DataFrame) -> None:
        names = {key: found[key].n_unique() for key in [*self.keys, *self.words]}
        worst = max(names, key=names.__getitem__)
        heading = self.keys.get(worst) or self.mapping.one("winner") or self.mapping.one("result")
        raise UsageError(
            f"{self.source.path}: column {heading!r} has {names[worst]:,} values or more, too many to "
            "compare; list it as a measure, or leave it out"
        )

    def _refuse_twins(self, cells: Sequence[RecordCell]) -> None:
        seen: dict[str, RecordCell] = {}
        for cell in cells:
            if cell.id in seen:
                raise UsageError(f"{self.source.path}: two settings are both called {cell.id}; rename one")
            seen[cell.id] = cell

    def _policies(self, row: Mapping[str, Any]) -> tuple[str, ...]:
        """Return one policy for each occupied seat. A single column of policies fills every seat.

        Raises UsageError for an empty seat before an occupied one, and if all are empty.
        """
        named = [row[f"policy {place}"] for place in range(len(self.mapping.columns.get("policy", [])))]
        if len(named) > 1:
            taken = [name for name in named if name is not None]
            if named[: len(taken)] != taken:
                raise self.source.fault(
                    row[ROW], self.keys["policy 0"], "an empty seat before an occupied seat"
                )
            if not taken:
                raise self.source.fault(row[ROW], self.keys["policy 0"], "contains no policy")
            return tuple(taken)
        return (named[0] or NOT_RECORDED if named else NOT_RECORDED,) * self.most_seats

    def _settings(self, row: Mapping[str, Any]) -> dict[str, Any]:
        return {
            setting_name(heading): _value(row[f"setting {place}"])
            for place, heading in enumerate(self.mapping.settings)
        }

    def rows(self) -> pl.LazyFrame:
        """Return one row per game, in the order of the file.

        Each row has the columns of a record, its cell and its seed.

        Column FAULT contains the index of the first column whose text is not a number.
        """
        columns = self.mapping.columns
        numbers = {name: number_of(heading) for name, heading in self.number_columns().items()}
        unread = [is_odd(heading) for heading in self.number_columns().values()]
        fault = pl.coalesce(pl.when(each).then(place) for place, each in enumerate(unread))
        self.words_of = self._words()
        codes = [self._code(name, heading).alias(name) for name, heading in self.coded.items()]
        seed = [text_of(heading) for heading in columns.get("seed", [])]
        seeds = pl.concat_str(seed, separator=" ") if seed else pl.lit(None, pl.String)
        selected = self.source.frame.select(
            *self._of_cell(),
            ROW,
            seeds.alias("seed"),
            *codes,
            *(text_of(heading).alias(name) for name, heading in self.card_columns().items()),
            fault.cast(pl.Int32).alias(FAULT),
            *(number.alias(name) for name, number in numbers.items()),
        )
        joined = selected.join(
            self.codes.lazy(),
            on=[*self.keys, *self.words],
            how="left",
            nulls_equal=True,
            maintain_order="left",
        )
        return joined.select(CODE, ROW, "seed", FAULT, "winner", *self.coded, *self.card_columns(), *numbers)

    def card_columns(self) -> dict[str, str]:
        """Map `drawn 0`, `played 1` and so on (lists of cards by seat) to headings."""
        return {
            f"{field} {seat}": heading
            for field in CARDS
            for seat, heading in enumerate(self.mapping.columns.get(field, ()))
        }

    def _words(self) -> dict[str, list[str]]:
        """Map columns of codes to their words, in the order of the codes.

        Raises UsageError for more than MOST_WORDS words.
        """
        found = words_of(self.source, {name: text_of(one) for name, one in self.coded.items() if one})
        for name, heading in self.coded.items():
            if heading and name not in found:
                raise UsageError(
                    f"{self.source.path}: column {heading!r} has more than {MOST_WORDS} different values; "
                    "leave it out of the mapping"
                )
        return {name: found.get(name, []) for name in self.coded}

    def _code(self, name: str, heading: str) -> pl.Expr:
        """Return the index of a word, from 1. A missing word is null, or 0 for the end reason.

        All are 0 if the column has no words.
        """
        places = {word: place for place, word in enumerate(self.words_of[name], 1)}
        if not places:
            return pl.lit(0, pl.Int32)
        code = text_of(heading).replace_strict(places, default=None, return_dtype=pl.Int32)
        return code.fill_null(0) if name == END else code

    @cached_property
    def coded(self) -> dict[str, str]:
        """Map columns of codes to headings: the end reason ("" if it is not recorded) and the categories."""
        return {
            END: self.mapping.one("ending"),
            **self._named(self.mapping.categories, self.number_columns()),
        }

    def number_columns(self) -> dict[str, str]:
        """Map the numeric columns of a record to their headings; "" for a length that is not recorded."""
        columns = self.mapping.columns
        named = {"turn": columns.get("turns", columns.get("decisions", [""]))[0]}
        if "turns" in columns and "decisions" in columns:
            named["plies"] = columns["decisions"][0]
        if self.scores:
            named |= {f"score_{place}": heading for place, heading in enumerate(self.scores)}
        elif "score" in columns:
            named["score"] = columns["score"][0]
        return named | self._named(self.mapping.measures, named)

    @staticmethod
    def _named(headings: Sequence[str], others: Iterable[str]) -> dict[str, str]:
        """Map new names of columns to headings. others: names that are already used."""
        taken, named = {"game", "winner", END, "score", "plies", *others}, {}
        for heading in headings:
            name = re.sub(r"[^a-z0-9]+", "_", heading.lower()).strip("_") or "measure"
            while name in taken:
                name += "_"
            taken.add(name)
            named[name] = heading
        return named

    def column_types(self, rows: Path) -> dict[str, str]:
        """Map columns of a record to NumPy types: integers if all values are integers.

        Raises UsageError for the first cell that is not a number, or the first length of a game that is not
        an integer of at least 0.
        """
        names = self.number_columns()
        frame = pl.scan_parquet(rows)
        self._refuse_first(frame.filter(pl.col(FAULT).is_not_null()), list(names.values()))
        found = frame.select(
            *((pl.col(name) == pl.col(name).round()).all() for name in names),
            *((pl.col(name).fill_null(-1) >= 0).all().alias(f"{name} counts") for name in names),
            *(pl.col(name).is_not_null().any().alias(f"{name} is there") for name in names),
        )
        about = found.collect(engine="streaming").row(0, named=True)
        is_whole = {name: about[name] for name in names}
        self.counts = [name for name in names if is_whole[name] and about[f"{name} counts"]]
        self.has_score = any(about[f"{name} is there"] for name in names if name.startswith("score"))
        if "score" not in names:
            is_whole["score"] = is_whole.get("score_0", True)
        kinds = {name: "<i8" if each else "<f8" for name, each in is_whole.items()}
        no_length = ((pl.col("turn") != pl.col("turn").round()) | (pl.col("turn") < 0)).fill_null(True)
        self._refuse_first(frame.filter(no_length), [names["turn"]])
        return {"game": "<i8", "winner": "|i1", **dict.fromkeys(self.coded, "<i4"), **kinds}

    def _refuse_first(self, faulty: pl.LazyFrame, headings: Sequence[str]) -> None:
        """Raise UsageError for the first of these rows, if there is one.

        headings: columns to which the index in FAULT refers.
        """
        found = faulty.select(ROW, FAULT).head(1).collect(engine="streaming")
        if found.is_empty():
            return
        row, place = found.row(0)
        heading = headings[place or 0]
        word = self.source.frame.filter(pl.col(ROW) == row).select(text_of(heading)).head(1)
        text = collected(self.source, word).item()
        if place is not None:
            raise self.source.fault(row, heading, f"{text!r} {_why_no_number(text)}")
        what = "is empty" if text is None else f"{text} is not an integer of at least 0"
        raise self.source.fault(row, heading, f"{what}; write the length of the game as an integer")


def _why_no_number(text: str) -> str:
    """Return the reason why `number_of` returns no number for a text."""
    try:
        is_large = isfinite(float(numeral(text)))
    except ValueError:
        is_large = False
    return "is not below 2^53, so it cannot be stored exactly; divide it" if is_large else "is not a number"


def _value(text: str | None) -> Any:
    """Parse a setting in the form of a manifest: as a boolean, an integer, a number, or text."""
    if text is None:
        return ""
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    try:
        read = numeral(text)
    except ValueError:
        return text
    if re.fullmatch(r"[+-]?\d+", read):
        return int(read)
    return value if isfinite(value := float(read)) else text
