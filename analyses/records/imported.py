"""Records of games that another program played, as a folder of results: one row a game, with a column for who
won and one for how long it took. Reports, claims and exports read the folder as they read a sweep.

Games of different cells with the same seed get the same game number, so they are compared in pairs. Games
without seeds are numbered in the order of their rows: a pair of independent games says no more than the two
by themselves, and no less.
"""

import json
import re
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

from bartizan.analyses.records.imported_columns import ALIKE, RecordMapping, guessed, setting_name, unit_of
from bartizan.analyses.records.tally import HOUSE, NOBODY, TRUNCATED
from bartizan.simcore.errors import UsageError
from bartizan.simcore.files import file_digest, write_atomic, writing
from bartizan.simcore.reporting import CONFIDENCE, Reporting, Setting
from bartizan.simcore.sheets import separator_of
from bartizan.simcore.sweep.manifest import versions
from bartizan.simcore.sweep.shards import DIGEST, IDENTITY, SHARD_GAMES, keep_shard
from bartizan.simcore.sweep.store import MANIFEST, SCHEMA, identity_of, shard_path, sweep_of, write_sums

KINDS = (".csv", ".tsv", ".jsonl", ".ndjson", ".parquet")
MOST_CELLS, MOST_WORDS = 400, 400  # settings and line-ups; words of a column
HEAD = 1 << 16  # bytes that tell the separator
ROW = "bartizan row"  # numbers of rows as a reader of the file counts them
CODE = "bartizan cell"
NOT_RECORDED = "not recorded"
WON = {"win": 0, "won": 0, "victory": 0, "success": 0, "true": 0, "yes": 0, "1": 0}
LOST = {"loss": HOUSE, "lose": HOUSE, "lost": HOUSE, "defeat": HOUSE, "false": HOUSE, "no": HOUSE, "0": HOUSE}
UNDECIDED = {
    **dict.fromkeys(("draw", "tie", "tied", "drawn", "nobody", "none", "-1"), NOBODY),
    **dict.fromkeys(("truncated", "timeout", "timedout", "unfinished", "aborted", "maxturns"), TRUNCATED),
    **dict.fromkeys(("game", "house", "environment"), HOUSE),
}
MEANINGS = {"draw": NOBODY, "truncated": TRUNCATED, "game": HOUSE}


@dataclass(frozen=True)
class Source:
    """A file of records. first_row: number of its first row of data, as a reader counts."""

    path: Path
    frame: pl.LazyFrame
    headings: list[str]
    first_row: int
    notes: tuple[str, ...] = ()

    def fault(self, row: int, heading: str, why: str) -> UsageError:
        return UsageError(f"{self.path}: row {row:,}, column {heading!r}: {why}")


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


@dataclass(frozen=True)
class Imported:
    """What was read. unread: headings of columns that were left out -> what they hold."""

    manifest: dict[str, Any]
    mapping: RecordMapping
    rows: int
    paired: bool  # do all cells have the same seeds?
    unread: dict[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


# ---------------------------------------------------------------- the file


def open_source(path: Path, decimal: str = "") -> Source:
    """The rows, lazily: text columns of a CSV stay text. Raises UsageError for a file that is no table."""
    if not path.is_file():
        raise UsageError(f"{path}: no such file")
    kind, notes = path.suffix.lower(), ()
    if kind not in KINDS:
        hint = "; write one game a line, as .jsonl" if kind == ".json" else ""
        raise UsageError(f"{path}: name a file of games that ends in {', '.join(KINDS)}{hint}")
    try:
        if kind == ".parquet":
            frame, first_row = pl.scan_parquet(path, glob=False, hive_partitioning=False), 1
        elif kind in (".jsonl", ".ndjson"):
            frame, first_row = _flat(pl.scan_ndjson(path, infer_schema_length=None)), 1
        else:
            with path.open("rb") as file:
                head = file.read(HEAD).decode("utf-8", errors="replace").lstrip("\ufeff")
            if "\x00" in head:
                raise UsageError(f"{path}: not UTF-8; save it as CSV (UTF-8)")
            separator, text = separator_of(head.rpartition("\n")[0] or head)
            frame = pl.scan_csv(
                path,
                separator=separator,
                infer_schema=False,
                skip_rows=int(text != (head.rpartition("\n")[0] or head)),
                encoding="utf8-lossy",
                glob=False,
            )
            first_row = 2
            if decimal == "," or (separator == ";" and not decimal):
                frame = frame.with_columns(pl.all().str.replace(r"^(-?\d+),(\d+)$", "$1.$2"))
        headings = frame.collect_schema().names()
    except UsageError:
        raise
    except (pl.exceptions.PolarsError, OSError) as error:
        raise UsageError(f"{path}: cannot be read: {_first_line(error)}") from error
    numbered = frame.with_row_index(ROW, first_row)
    return Source(path, numbered, headings, first_row, notes)


def _flat(frame: pl.LazyFrame) -> pl.LazyFrame:
    """Objects and lists in a row as columns of their own: `settings.deck`, `scores 1`."""
    while True:
        schema = frame.collect_schema()
        nested = {name: kind for name, kind in schema.items() if isinstance(kind, pl.Struct | pl.List)}
        if not nested:
            return frame
        columns: list[pl.Expr] = []
        for name, kind in schema.items():
            if isinstance(kind, pl.Struct):
                columns += [
                    pl.col(name).struct.field(one.name).alias(f"{name}.{one.name}") for one in kind.fields
                ]
            elif isinstance(kind, pl.List):
                longest = frame.select(pl.col(name).list.len().max()).collect(engine="streaming").item() or 0
                columns += [
                    pl.col(name).list.get(place, null_on_oob=True).alias(f"{name} {place + 1}")
                    for place in range(min(longest, MOST_WORDS))
                ]
            else:
                columns.append(pl.col(name))
        frame = frame.select(columns)


def _first_line(error: Exception) -> str:
    return (str(error) or type(error).__name__).splitlines()[0][:160]


# ---------------------------------------------------------------- what its columns mean


def meanings(
    source: Source, given: RecordMapping | None, by: Sequence[str]
) -> tuple[RecordMapping, dict[str, str]]:
    """The mapping with what was guessed, and the columns that are left out -> what they hold.

    Numbers that no field takes are measures; text is left out, because it may be a setting or a remark.
    """
    try:
        mapping = guessed(source.headings, given, by)
    except UsageError as error:
        raise UsageError(f"{source.path}: {error}") from error
    used = {*(one for each in mapping.columns.values() for one in each), *mapping.settings, *mapping.measures}
    others = [heading for heading in source.headings if heading not in used]
    unread: dict[str, str] = {}
    measures = list(mapping.measures)
    if others:
        parts = [
            part.alias(f"{name}\x1f{index}")
            for index, heading in enumerate(others)
            for name, part in (
                ("n", _text(heading).is_not_null().sum()),
                ("numbers", _number(heading).is_not_null().sum()),
                ("values", _text(heading).approx_n_unique()),
            )
        ]
        counted = _collected(source, source.frame.select(parts)).row(0, named=True)
        for index, heading in enumerate(others):
            n, numbers, values = (counted[f"{name}\x1f{index}"] for name in ("n", "numbers", "values"))
            if n and n == numbers and given is None:
                measures.append(heading)
            elif n == 0:
                unread[heading] = "empty"
            else:
                unread[heading] = "numbers" if n == numbers else f"text, some {values:,} values"
    return mapping.model_copy(update={"measures": measures}), unread


def _text(heading: str) -> pl.Expr:
    """As text without spaces around; null where empty."""
    text = pl.col(heading).cast(pl.String).str.strip_chars()
    return pl.when(text != "").then(text)


def _number(heading: str) -> pl.Expr:
    return pl.coalesce(
        _text(heading).cast(pl.Float64, strict=False),
        pl.when(_text(heading).str.to_lowercase().is_in(["true", "yes"])).then(1.0),
        pl.when(_text(heading).str.to_lowercase().is_in(["false", "no"])).then(0.0),
    )


def _collected(source: Source, frame: pl.LazyFrame) -> pl.DataFrame:
    try:
        return frame.collect(engine="streaming")
    except (pl.exceptions.PolarsError, OSError) as error:
        raise UsageError(f"{source.path}: cannot be read: {_first_line(error)}") from error


# ---------------------------------------------------------------- import


def import_records(
    path: Path, out: Path, given: RecordMapping | None = None, by: Sequence[str] = (), command: str = ""
) -> Imported:
    """Write the games of a file into a new folder of results. Nothing is left there where it cannot be read.

    Raises UsageError with file, row, column and what to write instead.
    """
    source = open_source(path, given.records.decimal if given else "")
    mapping, unread = meanings(source, given, by)
    _refuse_missing(source, mapping)
    with tempfile.TemporaryDirectory(prefix="bartizan-import-") as folder:
        reader = _Reader(source, mapping)
        cells = reader.cells()
        rows = Path(folder) / "rows.parquet"
        _sink(source, reader.rows(), rows)
        numbers, paired = reader.game_numbers(rows, len(cells))
        manifest = _manifest(reader, cells, reader.column_types(rows), command)
        _write(out, manifest, rows, numbers, len(cells))
    return Imported(manifest, mapping, sum(cell.games for cell in cells), paired, unread, source.notes)


def _refuse_missing(source: Source, mapping: RecordMapping) -> None:
    columns = mapping.columns
    write = f"name it under [columns] of a mapping: bartizan import {source.path} --suggest mapping.toml"
    if not (columns.keys() & {"winner", "result"} or (mapping.records.wins and columns.get("score"))):
        if columns.get("score"):
            write += '; or write wins = "highest" there, if the highest score wins'
        raise UsageError(f"{source.path}: no column says who won (winner, result); {write}")
    if not columns.keys() & {"turns", "decisions"}:
        raise UsageError(
            f"{source.path}: no column says how long a game took (turns, rounds, decisions); {write}"
        )


def _sink(source: Source, frame: pl.LazyFrame, path: Path) -> None:
    try:
        frame.sink_parquet(path, row_group_size=SHARD_GAMES)
    except (pl.exceptions.PolarsError, OSError) as error:
        raise UsageError(f"{source.path}: cannot be read: {_first_line(error)}") from error


class _Reader:
    """One file under one mapping."""

    def __init__(self, source: Source, mapping: RecordMapping):
        self.source, self.mapping = source, mapping
        self.seats_named = max((len(each) for each in mapping.of_seat.values()), default=0)
        self.scores = mapping.of_seat.get("score", [])
        policies = mapping.columns.get("policy", [])
        self.keys = {"level": mapping.one("level")}
        self.keys |= {f"policy {place}": heading for place, heading in enumerate(policies)}
        self.keys |= {f"setting {place}": heading for place, heading in enumerate(mapping.settings)}
        self.endings: list[str] = []

    # ------------------------------------------------------------ cells, and who won

    def cells(self) -> list[RecordCell]:
        """In the order of their first rows."""
        keys = [
            _text(heading).alias(key) if heading else pl.lit("").alias(key)
            for key, heading in self.keys.items()
        ]
        words = [expression.alias(name) for name, expression in self._winner_words().items()]
        grouped = (
            self.source.frame.select(ROW, *keys, *words)
            .group_by([*self.keys, *self._winner_words()])
            .agg(pl.len().alias("n"), pl.col(ROW).min())
        )
        limit = MOST_CELLS * MOST_WORDS
        found = _collected(self.source, grouped.head(limit + 1)).sort(ROW)
        if found.is_empty():
            raise UsageError(f"{self.source.path}: holds no game")
        if found.select(list(self.keys)).n_unique() > MOST_CELLS or found.height > limit:
            self._refuse_many(found)
        self.found = found
        self.most_seats = self._seats(found)
        by_key: dict[tuple, RecordCell] = {}
        codes = []
        for row in found.iter_rows(named=True):
            key = tuple(row[name] for name in self.keys)
            policies = self._policies(row)
            known = by_key.get(key)
            games = row["n"] + (known.games if known else 0)
            by_key[key] = RecordCell(row["level"] or "", policies, self._settings(row), games)
            codes.append((list(by_key).index(key), self._winner(row, policies)))
        self._refuse_twins(list(by_key.values()))
        self.codes = found.select([*self.keys, *self._winner_words()]).with_columns(
            pl.Series(CODE, [code for code, _ in codes], pl.Int32),
            pl.Series("winner", [winner for _, winner in codes], pl.Int8),
        )
        return list(by_key.values())

    def _refuse_many(self, found: pl.DataFrame) -> None:
        names = {key: found[key].n_unique() for key in [*self.keys, *self._winner_words()]}
        worst = max(names, key=names.__getitem__)
        heading = self.keys.get(worst) or self.mapping.one("winner") or self.mapping.one("result")
        raise UsageError(
            f"{self.source.path}: column {heading!r} has {names[worst]:,} values or more, too many to compare; "
            "list it as a measure, or leave it out"
        )

    def _refuse_twins(self, cells: Sequence[RecordCell]) -> None:
        seen: dict[str, RecordCell] = {}
        for cell in cells:
            if cell.id in seen:
                raise UsageError(f"{self.source.path}: two settings are both called {cell.id}; rename one")
            seen[cell.id] = cell

    def _seats(self, found: pl.DataFrame) -> int:
        """The greatest number of seats that the columns show."""
        roles = len(self.mapping.records.roles)
        if "winner" not in self.mapping.columns or self.seats_named or roles:
            return max(self.seats_named, roles, 1)
        numbers = [
            int(word) for word in found["word"].drop_nulls().unique() if re.fullmatch(r"\d{1,2}", word)
        ]
        return max([number + (self._first_seat(numbers, None) == 0) for number in numbers], default=1)

    def _policies(self, row: Mapping[str, Any]) -> tuple[str, ...]:
        """One for each seat that is taken. A single column of policies names who takes every seat."""
        named = [row[f"policy {place}"] for place in range(len(self.mapping.columns.get("policy", [])))]
        if len(named) > 1:
            taken = [name for name in named if name is not None]
            if named[: len(taken)] != taken:
                raise self.source.fault(
                    row[ROW], self.keys["policy 0"], "an empty seat before one that is taken"
                )
            if not taken:
                raise self.source.fault(row[ROW], self.keys["policy 0"], "names no policy")
            return tuple(taken)
        return (named[0] or NOT_RECORDED if named else NOT_RECORDED,) * self.most_seats

    def _settings(self, row: Mapping[str, Any]) -> dict[str, Any]:
        return {
            setting_name(heading): _value(row[f"setting {place}"])
            for place, heading in enumerate(self.mapping.settings)
        }

    def _winner_words(self) -> dict[str, pl.Expr]:
        """Columns that tell who won, as words."""
        columns = self.mapping.columns
        if "winner" in columns:
            return {"word": _text(columns["winner"][0])}
        if "result" in columns:
            return {f"word {place}": _text(heading) for place, heading in enumerate(columns["result"])}
        scores = [_number(heading) for heading in self.scores]
        best = (
            pl.max_horizontal(scores) if self.mapping.records.wins == "highest" else pl.min_horizontal(scores)
        )
        leaders = [pl.when(score == best).then(pl.lit(str(place))) for place, score in enumerate(scores)]
        return {"leaders": pl.concat_str(leaders, separator=",", ignore_nulls=True)}

    def _winner(self, row: Mapping[str, Any], policies: tuple[str, ...]) -> int:
        """Seat from 0, or one of NOBODY, TRUNCATED, HOUSE."""
        if "leaders" in row:
            seats = row["leaders"].split(",") if row["leaders"] else []
            return int(seats[0]) if len(seats) == 1 else NOBODY
        if "word" in row:
            return self._winner_of(row, row["word"], policies, self.mapping.one("winner"))
        return self._winner_by_results(row, policies)

    def _winner_of(
        self, row: Mapping[str, Any], word: str | None, policies: tuple[str, ...], heading: str
    ) -> int:
        if word is None:
            return self._empty(row, heading)
        plain = _plain(word)
        for meaning, words in self.mapping.winner_words.items():
            if word in words:
                return MEANINGS[meaning]
        if re.fullmatch(r"\d{1,3}(?:\.0)?", word):
            return self._seat(row, int(float(word)), policies, heading)
        names = [*self.mapping.records.roles, *ALIKE][: len(policies)]
        for taken in (policies, names):
            places = [place for place, name in enumerate(taken) if _plain(name) == plain]
            if len(places) == 1:
                return places[0]
            if len(places) > 1:
                raise self.source.fault(
                    row[ROW],
                    heading,
                    f"{word!r} took {len(places)} seats; write the number of the seat that won",
                )
        if match := re.fullmatch(r"(?:p|player|seat)(\d+)", plain):
            return self._seat(row, int(match[1]), policies, heading)
        if plain in UNDECIDED:
            return UNDECIDED[plain]
        if len(policies) == 1 and plain in WON | LOST:
            return (WON | LOST)[plain]
        raise self.source.fault(
            row[ROW],
            heading,
            f"{word!r} names no seat and no policy of this game ({', '.join(dict.fromkeys(policies))}); write the "
            "number of a seat, or list the word under [winner_words] of a mapping",
        )

    def _empty(self, row: Mapping[str, Any], heading: str) -> int:
        meaning = self.mapping.records.no_winner
        if not meaning:
            raise self.source.fault(
                row[ROW],
                heading,
                'is empty; write no_winner = "draw", "truncated" or "game" under [records] of a mapping',
            )
        return MEANINGS[meaning]

    def _seat(self, row: Mapping[str, Any], number: int, policies: tuple[str, ...], heading: str) -> int:
        words = self.found["word"].drop_nulls().unique() if "word" in self.found.columns else []
        numbers = [int(match[0]) for word in words if (match := re.match(r"\d{1,3}", word))]
        seat = number - self._first_seat(numbers, row)
        if seat == -1:  # seats count from 1: 0 is nobody
            return NOBODY
        if not 0 <= seat < len(policies):
            raise self.source.fault(row[ROW], heading, f"seat {number} of a game with {len(policies)} seats")
        return seat

    def _first_seat(self, numbers: Sequence[int], row: Mapping[str, Any] | None) -> int:
        """Number of the first seat. Raises UsageError where the numbers leave it open."""
        if (given := self.mapping.records.first_seat) is not None:
            return given
        seats = max(self.seats_named, len(self.mapping.records.roles))
        if 0 not in numbers:
            return 1
        if seats and max(numbers) == seats:
            return 1  # 0 is nobody
        if seats and max(numbers) == seats - 1 and seats > 1:
            return 0
        raise UsageError(
            f"{self.source.path}: column {self.mapping.one('winner')!r}: is 0 the first seat, or nobody? Write "
            "first_seat = 0 or first_seat = 1 under [records] of a mapping"
        )

    def _winner_by_results(self, row: Mapping[str, Any], policies: tuple[str, ...]) -> int:
        """Of a column of results for each seat; of a single one, the first seat's."""
        headings = self.mapping.columns["result"]
        codes = []
        for place in range(len(headings)):
            word = row[f"word {place}"]
            if word is None and place >= len(policies):
                continue
            plain = _plain(word or "")
            listed = [meaning for meaning, words in self.mapping.winner_words.items() if word in words]
            if word is None:
                codes.append(self._empty(row, headings[place]))
            elif listed:
                codes.append(MEANINGS[listed[0]])
            elif plain in WON | LOST | UNDECIDED:
                codes.append((WON | LOST | UNDECIDED)[plain])
            else:
                raise self.source.fault(
                    row[ROW], headings[place], f"{word!r} is no result; write win, loss or draw, or 1 and 0"
                )
        winners = [place for place, code in enumerate(codes) if code == 0]
        if len(headings) == 1:
            if codes[0] == HOUSE and len(policies) == 2:
                return 1
            return codes[0]
        if len(winners) > 1:
            raise self.source.fault(
                row[ROW], headings[winners[1]], "a second seat that won; write draw for a shared win"
            )
        if winners:
            return winners[0]
        return TRUNCATED if TRUNCATED in codes else NOBODY if NOBODY in codes else HOUSE

    # ------------------------------------------------------------ rows

    def rows(self) -> pl.LazyFrame:
        """A row a game with the columns of a record, its cell and its seed; in the order of the file."""
        columns = self.mapping.columns
        keys = [
            _text(heading).alias(key) if heading else pl.lit("").alias(key)
            for key, heading in self.keys.items()
        ]
        words = [expression.alias(name) for name, expression in self._winner_words().items()]
        values = {name: self._checked(heading) for name, heading in self.number_columns().items()}
        ending = columns.get("ending")
        if ending:
            counted = self.source.frame.group_by(_text(ending[0]).alias("ending")).agg(pl.col(ROW).min())
            found = _collected(self.source, counted).drop_nulls("ending").sort(ROW)
            if found.height > MOST_WORDS:
                raise UsageError(
                    f"{self.source.path}: column {ending[0]!r} has {found.height:,} values, too many"
                )
            self.endings = found["ending"].to_list()
        code = (
            _text(ending[0]).replace_strict(
                {word: number for number, word in enumerate(self.endings, 1)},
                default=0,
                return_dtype=pl.Int32,
            )
            if ending and self.endings
            else pl.lit(0, pl.Int32)
        )
        seed = [_text(heading) for heading in columns.get("seed", [])]
        seeds = pl.concat_str(seed, separator=" ") if seed else pl.lit(None, pl.String)
        selected = self.source.frame.select(
            *keys,
            *words,
            ROW,
            seeds.alias("seed"),
            code.fill_null(0).alias("end_reason"),
            *(value.alias(name) for name, value in values.items()),
        )
        joined = selected.join(
            self.codes.lazy(),
            on=[*self.keys, *self._winner_words()],
            how="left",
            nulls_equal=True,
            maintain_order="left",
        )
        return joined.select(CODE, ROW, "seed", "winner", "end_reason", *values)

    def number_columns(self) -> dict[str, str]:
        """Column of a record -> heading."""
        columns = self.mapping.columns
        named = {"turn": columns.get("turns", columns.get("decisions", [""]))[0]}
        if "turns" in columns and "decisions" in columns:
            named["plies"] = columns["decisions"][0]
        if self.scores:
            named |= {f"score_{place}": heading for place, heading in enumerate(self.scores)}
        elif "score" in columns:
            named["score"] = columns["score"][0]
        taken = set(named) | {"game", "winner", "end_reason", "score", "plies"}
        for heading in self.mapping.measures:
            name = re.sub(r"[^a-z0-9]+", "_", heading.lower()).strip("_") or "measure"
            while name in taken:
                name += "_"
            taken.add(name)
            named[name] = heading
        return named

    def column_types(self, rows: Path) -> dict[str, str]:
        """Column of a record -> numpy type: whole numbers where all values are."""
        names = self.number_columns()
        frame = pl.scan_parquet(rows)
        whole = frame.select((pl.col(name) == pl.col(name).round()).all() for name in names)
        is_whole = whole.collect(engine="streaming").row(0, named=True)
        if "score" not in names:
            is_whole["score"] = is_whole.get("score_0", True)
        kinds = {name: "<i8" if each else "<f8" for name, each in is_whole.items()}
        if kinds["turn"] != "<i8" or frame.select(pl.col("turn").null_count()).collect().item():
            heading = names["turn"]
            faulty = frame.filter((pl.col("turn") != pl.col("turn").round()).fill_null(True)).select(
                ROW, "turn"
            )
            row, value = faulty.head(1).collect().row(0)
            what = "is empty" if value is None else f"{value} is no whole number"
            raise self.source.fault(row, heading, f"{what}; write how long the game took as a whole number")
        return {"game": "<i8", "winner": "|i1", "end_reason": "<i4", **kinds}

    def _checked(self, heading: str) -> pl.Expr:
        """Numbers, null where empty. Raises UsageError that names the first cell which is none."""
        number, text = _number(heading), _text(heading)
        faulty = (
            self.source.frame.filter(number.is_null() & text.is_not_null())
            .select(ROW, text.alias("text"))
            .head(1)
        )
        if (found := _collected(self.source, faulty)).height:
            row, word = found.row(0)
            raise self.source.fault(row, heading, f"{word!r} is no number")
        return number

    # ------------------------------------------------------------ game numbers

    def game_numbers(self, rows: Path, cells: int) -> tuple[np.ndarray, bool]:
        """(number of each game within its cell, in the order of the file; do all cells have the same seeds?).

        One seed has one number in every cell.
        """
        frame = pl.read_parquet(rows, columns=[CODE, "seed", ROW])
        code = frame[CODE].to_numpy()
        if "seed" not in self.mapping.columns:
            number = frame.select(pl.int_range(pl.len()).over(CODE)).to_series().to_numpy()
            return number, False
        if (missing := frame.filter(pl.col("seed").is_null())).height:
            raise self.source.fault(
                missing[ROW][0],
                self.mapping.one("seed"),
                'is empty; write each game\'s seed, or seed = "" in a mapping',
            )
        as_number = frame["seed"].cast(pl.Int64, strict=False)
        seeds = frame["seed"] if as_number.null_count() else as_number
        number = (seeds.rank("dense").to_numpy() - 1).astype(np.int64)
        repeated = frame.with_columns(pl.Series("number", number)).filter(
            pl.struct(CODE, "number").is_duplicated()
        )
        if repeated.height:
            same = repeated.filter(pl.col("seed") == repeated["seed"][0], pl.col(CODE) == repeated[CODE][0])
            first, again = same[ROW][:2]
            raise self.source.fault(
                again,
                self.mapping.one("seed"),
                f"seed {repeated['seed'][0]} again, as in row {first:,} of the same setting: one game counts once. If "
                'the column is no seed, write seed = "" under [columns] of a mapping',
            )
        paired = cells > 1 and len(frame) == cells * (int(number.max()) + 1)
        return number, paired


def _plain(word: str) -> str:
    return re.sub(r"[^\w-]+", "", word.lower()).replace("_", "")


def _value(text: str | None) -> Any:
    """A setting as a manifest has it: a truth, a whole number, a number, or text."""
    if text is None:
        return ""
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


# ---------------------------------------------------------------- the folder


def _manifest(
    reader: _Reader, cells: Sequence[RecordCell], columns: dict[str, str], command: str
) -> dict[str, Any]:
    source, mapping = reader.source, reader.mapping
    # two files of one game have one name, so that `report --since` compares them
    name = re.sub(r"[^a-z0-9]+", "_", mapping.records.title.lower()).strip("_") or "records"
    alike = not mapping.records.roles and max(len(cell.policies) for cell in cells) > 1
    return {
        "schema": SCHEMA,
        "game": name,
        "game_as_named": name,
        "title": mapping.records.title or source.path.stem,
        "rules_source": None,
        "behaviour": 1,
        **({"alike": True} if alike else {}),
        "versions": versions(),
        "seed": 0,
        "level": CONFIDENCE,
        "command": command,
        "shard_games": SHARD_GAMES,
        "imported": {
            "file": source.path.name,
            "sha256": file_digest(source.path),
            "rows": sum(cell.games for cell in cells),
            "mapping": mapping.model_dump(mode="json"),
        },
        "cells": [_entry(reader, cell, columns) for cell in cells],
    }


def _entry(reader: _Reader, cell: RecordCell, columns: dict[str, str]) -> dict[str, Any]:
    seats = len(cell.policies)
    roles = reader.mapping.records.roles or (ALIKE if seats > 1 else ("player",))
    roles = [*roles, *(f"seat {place + 1}" for place in range(len(roles), seats))][:seats]
    settings = {
        name: Setting(name.replace("_", " "), curve=True)
        for name, value in cell.settings.items()
        if isinstance(value, int | float) and not isinstance(value, bool)
    }
    has_score = bool(reader.scores or "score" in reader.mapping.columns)
    reporting = Reporting(
        time=unit_of(reader.mapping),
        has_score=has_score,
        scored="" if reader.scores or seats == 1 else "the game",
        scores="score_{}" if reader.scores and seats > 1 else "",
        settings=settings,
    )
    policies = [
        {"role": role, "name": policy, "as_named": policy, "weights": {}, "about": "", "source_hash": ""}
        for role, policy in zip(roles, cell.policies, strict=True)
    ]
    return {
        "id": cell.id,
        "difficulty": cell.level or "standard",
        "scenario": "records",
        "scenario_hash": "",
        "set": cell.settings,
        "names": [[name, name.replace("_", " ")] for name in cell.settings],
        "policies": policies,
        "games": cell.games,
        "tiers": {},
        "tier_levels": {},
        "end_reasons": {"0": "not recorded"} | {str(n): word for n, word in enumerate(reader.endings, 1)},
        "labels": {},
        "cause_column": None,
        "nulls": dict.fromkeys((name for name in columns if name not in ("game", "winner", "end_reason")), 0),
        "columns": columns,
        "assumed": 0,
        "confidence": {},
        "assumptions": [],
        "min_win_score": None,
        "reporting": reporting.document(),
    }


def _write(out: Path, manifest: dict[str, Any], rows: Path, numbers: np.ndarray, cells: int) -> None:
    """Shards of all cells in one pass over the rows, then the manifest and the checksums."""
    sweep = sweep_of(out, manifest)
    kinds = manifest["cells"][0]["columns"]
    waiting: list[list[pl.DataFrame]] = [[] for _ in range(cells)]
    written = [0] * cells

    def keep(code: int, at_least: int) -> None:
        frame = pl.concat(waiting[code]) if waiting[code] else None
        while frame is not None and frame.height and frame.height >= at_least:
            cell, part = sweep.cells[code], frame.head(SHARD_GAMES)
            identity = {**identity_of(sweep, cell), "first_game": written[code], "games": part.height}
            keep_shard(shard_path(cell, written[code]), _shard_bytes(part, identity))
            written[code] += part.height
            frame = frame.slice(SHARD_GAMES)
        waiting[code] = [frame] if frame is not None and frame.height else []

    with writing(f"-o {out}"):
        out.mkdir(parents=True, exist_ok=True)
        write_atomic(out / MANIFEST, json.dumps(manifest, indent=2, sort_keys=True).encode() + b"\n")
        first = 0
        for batch in pq.ParquetFile(rows).iter_batches(SHARD_GAMES):
            read = pl.DataFrame(pl.from_arrow(batch))
            of_batch = read.with_columns(pl.Series("game", numbers[first : first + read.height]))
            first += read.height
            for (code,), part in of_batch.partition_by(CODE, as_dict=True).items():
                waiting[code].append(_record(part, kinds))
                if sum(frame.height for frame in waiting[code]) >= SHARD_GAMES:
                    keep(code, SHARD_GAMES)
        for code in range(cells):
            keep(code, 1)
        write_sums(sweep)


def _record(part: pl.DataFrame, kinds: Mapping[str, str]) -> pl.DataFrame:
    if "score" not in part.columns:
        own = pl.col("score_0") if "score_0" in part.columns else pl.lit(None, pl.Float64)
        part = part.with_columns(own.alias("score"))
    types: dict[str, Any] = {"<i8": pl.Int64, "<i4": pl.Int32, "|i1": pl.Int8, "<f8": pl.Float64}
    return part.select(pl.col(name).cast(types[kind]) for name, kind in kinds.items())


def _shard_bytes(part: pl.DataFrame, identity: dict[str, Any]) -> bytes:
    table = part.to_arrow()
    digest = str(part.hash_rows().sum())
    footer = {IDENTITY: json.dumps(identity, sort_keys=True).encode(), DIGEST: digest.encode()}
    sink = pa.BufferOutputStream()
    pq.write_table(table.replace_schema_metadata(footer), sink, compression="zstd", store_schema=True)
    return sink.getvalue().to_pybytes()
