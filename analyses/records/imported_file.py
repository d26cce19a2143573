"""A file of games from another program, with one game per row or in a public format.

Files with one game per row are CSV, JSON lines or Parquet. `imported_formats` reads the public formats.
"""

import codecs
import csv
import hashlib
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

import polars as pl

from bartizan.analyses.records.imported_columns import (
    CARDS,
    UNDECIDED,
    RecordMapping,
    guessed,
    guessed_by_values,
    is_heading,
    lists_cards,
)
from bartizan.analyses.records.imported_formats import (
    ROW,
    Matches,
    is_tag,
    mapping_of,
    matches_of,
    tag_headings,
    tag_table,
)
from bartizan.simcore import strict_json
from bartizan.simcore.errors import UsageError
from bartizan.simcore.files import file_digest
from bartizan.simcore.sheets import refuse_other_files, separator_of

KINDS = (".csv", ".tsv", ".jsonl", ".ndjson", ".parquet")
JSON = (".jsonl", ".ndjson", ".json")
MOST_WORDS = 400  # maximum number of different words per column
MOST_CATEGORIES = 40  # maximum number of different texts in a category column
MOST = 2.0**53  # all integers below it can be stored
GROUPED_ONLY = r"^-?[1-9]\d{0,2}(\.\d{3})+$"  # 1.234 and 1.234.567
GROUPED = r"^-?[1-9]\d{0,2}(\.\d{3})+(,\d+)?$"  # also 1.234,5
GROUPED_SURELY = r"^-?[1-9]\d{0,2}(\.\d{3})+,\d+$"  # only 1.234,5
MOST_SHOWN = 20  # characters of a cell in a message
HEAD = 1 << 16  # bytes from which the separator is inferred
# without these, polars reads 300 MB of a large file ahead; it reads these variables at each scan
READ_AHEAD = {
    "POLARS_CSV_CHUNK_SIZE": "1000000",
    "POLARS_NDJSON_CHUNK_SIZE": "1000000",
    "POLARS_ROW_GROUP_PREFETCH_KBYTES_BUDGET": "64000",
}


@dataclass(frozen=True)
class RecordFile:
    """A file of records. Column ROW of the frame contains the number of each row, as a spreadsheet shows it.

    known: meaning of the columns, for a public format. unfinished: number of games left out.
    """

    path: Path
    frame: pl.LazyFrame
    headings: list[str]
    known: RecordMapping | None = None
    format: str = ""
    unfinished: int = 0

    def digest(self) -> str:
        """Return a hash (64 hex digits) of the file, or of all files of a folder."""
        if self.path.is_file():
            return file_digest(self.path)
        files = sorted(path for path in self.path.iterdir() if path.is_file())
        return hashlib.sha256(
            "\n".join(f"{one.name} {file_digest(one)}" for one in files).encode()
        ).hexdigest()

    def fault(self, row: int, heading: str, why: str) -> UsageError:
        return UsageError(f"{self.path}: row {row:,}, column {heading!r}: {why}")


# ---------------------------------------------------------------- the file


def open_source(path: Path, decimal: str = "") -> RecordFile:
    """Open a file of records lazily. All columns of a CSV are text.

    Raises UsageError for a missing or empty file, for a file that is not a table, and for ambiguous decimal
    marks.
    """
    if not path.exists():
        raise UsageError(f"{path}: no such file; give the path of a file of games")
    kind = path.suffix.lower()
    with reading(path):
        if path.is_file() and not _start(path).removeprefix(codecs.BOM_UTF8).strip():
            raise UsageError(f"{path}: is empty; write one game per row")
        if (path.is_dir() or kind in JSON) and (found := matches_of(path)) is not None:
            return _of_matches(path, found)
        if path.is_dir() or kind not in KINDS:
            hint = "; write one game per line, as .jsonl" if kind == ".json" else ""
            raise UsageError(
                f"{path}: not a supported file of games; use a name that ends in {', '.join(KINDS)}{hint}"
            )
        if kind == ".parquet":
            frame, first_row = _flat(pl.scan_parquet(path, glob=False, hive_partitioning=False)), 1
        elif kind in JSON:
            if odd := _odd_line(path):  # of two values of a key, polars would keep one
                raise UsageError(f"{path}: {odd}")
            frame, first_row = _flat(pl.scan_ndjson(path, infer_schema_length=None)), 1
        else:
            frame, first_row = _text_table(path, decimal), 2
        headings = frame.collect_schema().names()
        numbered = frame.with_row_index(ROW, first_row)
        if kind in (".csv", ".tsv"):  # spreadsheets leave empty rows below the last game
            numbered = numbered.filter(pl.any_horizontal(text_of(one).is_not_null() for one in headings))
        if is_tag(headings):
            numbered, known = tag_table(numbered, headings)
            return RecordFile(path, numbered, tag_headings(headings, known), known, "TAG")
    return RecordFile(path, numbered, headings)


def _start(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(HEAD)


def _of_matches(path: Path, found: Matches) -> RecordFile:
    if not found.rows:
        raise UsageError(
            f"{path}: contains no finished boardgame.io match ({found.unfinished:,} unfinished); export "
            "matches in which ctx.gameover is set"
        )
    frame = pl.LazyFrame(found.rows, infer_schema_length=None, strict=False)
    headings = [name for name in frame.collect_schema().names() if name != ROW]
    return RecordFile(path, frame, headings, mapping_of(found), "boardgame.io", found.unfinished)


@contextmanager
def reading(path: Path) -> Iterator[None]:
    """Context manager that limits polars' read-ahead. Raises UsageError if polars cannot read the file.

    The limit stays in effect after the context.
    """
    for name, size in READ_AHEAD.items():
        os.environ.setdefault(name, size)
    try:
        yield
    except (pl.exceptions.PolarsError, OSError) as error:
        why = (str(error) or type(error).__name__).splitlines()[0][:160]
        is_text = not isinstance(error, OSError)
        if is_text and ("utf-8" in why.lower() or "utf8" in why.lower()):
            why = "not UTF-8; save it as CSV (UTF-8)"
        elif path.suffix.lower() in (".csv", ".tsv") and path.is_file():
            why = _odd_row(path) or why
        raise UsageError(f"{path}: cannot be read: {why}") from error


def _odd_row(path: Path) -> str:
    """Describe the first row of a CSV with more cells than the header, or with invalid quotation marks.

    Returns "" if there is none.
    """
    with path.open(encoding="utf-8", errors="replace", newline="") as lines:
        separator, _ = separator_of(lines.read(HEAD).lstrip("\ufeff"))
        lines.seek(0)
        row = 0
        try:
            table = csv.reader(lines, delimiter=separator, strict=True)
            row, width = 1, len(next(table, []))
            for row, cells in enumerate(table, 2):
                if len(cells) > width:
                    return f"row {row:,} has {len(cells)} cells, and the header has {width}"
        except csv.Error as error:
            return f"row {row + 1:,}: {error}"
    return ""


def _refused(word: str) -> NoReturn:
    raise ValueError(word)


def _odd_line(path: Path) -> str:
    """Describe the first line that is not a JSON object with distinct keys and finite numbers.

    Returns "" if there is none.
    """
    with path.open(encoding="utf-8", errors="replace") as lines:
        for number, line in enumerate(lines, 1):
            try:
                is_game = not line.strip() or isinstance(strict_json.loads(line, _refused), dict)
            except strict_json.UnclearJson as error:
                return f"line {number:,}: {error}"
            except (ValueError, RecursionError):
                is_game = False
            if not is_game:
                return (
                    f"line {number:,} is not a JSON object with finite numbers; write one game per line, and "
                    "null for a missing number"
                )
    return ""


def _text_table(path: Path, decimal: str) -> pl.LazyFrame:
    """Return a CSV file with all columns as text. The separator is detected.

    Decimal commas become points if `decimal` is a comma, or if it is "" and the separator is a semicolon.
    """
    first = _start(path)
    refuse_other_files(path, first)
    start = first.decode("utf-8", errors="replace").lstrip("\ufeff")
    if "\x00" in start or ("\r" in start and "\n" not in start):
        why = "not UTF-8" if "\x00" in start else "rows end as on old Macs"
        raise UsageError(f"{path}: {why}; save it as CSV (UTF-8)")
    head = start.rpartition("\n")[0] or start
    separator, text = separator_of(head)
    names_separator = text != head  # Excel's first line `sep=;`
    frame = pl.scan_csv(
        path, separator=separator, infer_schema=False, skip_rows=int(names_separator), glob=False
    )
    if again := [name for name in frame.collect_schema().names() if "_duplicated_" in name]:
        heading = again[0].rpartition("_duplicated_")[0]
        raise UsageError(f"{path}: two columns have the heading {heading!r}; rename or delete one of them")
    if decimal == "," or (separator == ";" and not decimal):
        if not decimal:
            _refuse_thousands(path, frame)
        grouped = pl.all().str.contains(GROUPED if decimal else GROUPED_SURELY)
        cells = pl.when(grouped).then(pl.all().str.replace_all(".", "", literal=True))
        frame = frame.with_columns(cells.otherwise(pl.all()))
        frame = frame.with_columns(pl.all().str.replace(r"^(-?\d+),(\d+)$", "$1.$2"))
    return _flat(_with_lists(frame))


def _refuse_thousands(path: Path, frame: pl.LazyFrame) -> None:
    """Raise UsageError for a column whose points may mark thousands or decimals.

    In such a column, every point is followed by three digits.
    """
    names, cells = frame.collect_schema().names(), pl.all()
    groups, points = cells.str.contains(GROUPED_ONLY), cells.str.contains(r"^-?\d*\.\d+$")
    example = cells.filter(groups).first().name.prefix("example ")
    decimals = (points & ~groups).any().name.prefix("decimals ")
    found = frame.select(example, decimals).collect(engine="streaming").row(0, named=True)
    for name in names:
        if (text := found[f"example {name}"]) is not None and not found[f"decimals {name}"]:
            raise UsageError(
                f"{path}: column {name!r}: the point in {text} may mark thousands or decimals; write "
                'decimal = "," or "." under [records] of a mapping'
            )


def _with_lists(frame: pl.LazyFrame) -> pl.LazyFrame:
    """Return the table with cells such as `[10, 20]` converted to lists.

    This applies to columns whose first cell has this form. Lists of cards have another form and stay text.
    """
    first = frame.head(1).collect()
    lists = [
        name
        for name in first.columns
        if first.height and str(first[name][0] or "").startswith("[") and not lists_cards(name)
    ]
    parts = pl.col(lists).str.strip_chars("[] ").str.replace_all("[\"']", "").str.split(",")
    return frame.with_columns(parts.list.eval(pl.element().str.strip_chars())) if lists else frame


def _flat(frame: pl.LazyFrame) -> pl.LazyFrame:
    """Return the table with objects and lists expanded to columns: `settings.deck`, `scores 1`.

    A list gives at most MOST_WORDS columns. A list of cards stays one column. A list of winners is a draw
    unless it has exactly one. Durations become seconds.
    """
    while True:
        schema = frame.collect_schema()
        arrays = {name: pl.List(kind.inner) for name, kind in schema.items() if isinstance(kind, pl.Array)}
        lengths = [name for name, kind in schema.items() if isinstance(kind, pl.Duration)]
        if arrays or lengths:
            seconds = pl.col(lengths).dt.total_microseconds() / 1e6
            frame = frame.cast(arrays).with_columns(seconds)  # type: ignore[arg-type]
            continue
        nested = {name: kind for name, kind in schema.items() if isinstance(kind, pl.Struct | pl.List)}
        if not nested:
            return frame
        columns: list[pl.Expr] = []
        for name, kind in schema.items():
            if isinstance(kind, pl.Struct):
                columns += [
                    pl.col(name).struct.field(one.name).alias(f"{name}.{one.name}") for one in kind.fields
                ]
            elif kind == pl.List(pl.String) and lists_cards(name):
                columns.append(pl.col(name).list.join("\x1f"))
            elif isinstance(kind, pl.List) and is_heading(name, "winner"):
                one = pl.col(name).list.get(0, null_on_oob=True).cast(pl.String)
                columns.append(
                    pl.when(pl.col(name).list.len() == 1).then(one).otherwise(pl.lit("draw")).alias(name)
                )
            elif isinstance(kind, pl.List):
                longest = frame.select(pl.col(name).list.len().max()).collect(engine="streaming").item() or 0
                columns += [
                    pl.col(name).list.get(place, null_on_oob=True).alias(f"{name} {place + 1}")
                    for place in range(min(longest, MOST_WORDS))
                ]
            else:
                columns.append(pl.col(name))
        frame = frame.select(columns)


# --------------------------------------------------------------- meaning of its columns


def meanings(
    source: RecordFile, given: RecordMapping | None, by: Sequence[str]
) -> tuple[RecordMapping, dict[str, str]]:
    """Return the mapping, completed with guesses, and a description of the content of each ignored column.

    Other numeric columns become measures, and text columns with few values become categories. Other text
    columns are ignored. Raises UsageError for a missing column.
    """
    try:
        mapping = guessed(source.headings, _with_known(source.known, given), by)
    except UsageError as error:
        raise UsageError(f"{source.path}: {error}") from error
    counts = [
        field
        for field in CARDS
        if not (given and field in given.columns) and _is_numeric(source, mapping, field)
    ]
    mapping = mapping.model_copy(
        update={"columns": {field: named for field, named in mapping.columns.items() if field not in counts}}
    )
    listed = (*mapping.columns.values(), mapping.settings, mapping.measures, mapping.categories)
    used = {heading for each in listed for heading in each}
    if given is None and source.known is None and not mapping.columns.keys() & {"result", "policy"}:
        free = [one for one in source.headings if one not in used or one in mapping.columns.get("winner", ())]
        found = guessed_by_values(_texts(source, free), UNDECIDED)
        mapping = mapping.model_copy(update={"columns": {**found, **mapping.columns}})
        used |= {heading for named in mapping.columns.values() for heading in named}
    others = [heading for heading in source.headings if heading not in used]
    unread: dict[str, str] = {}
    said = given.model_fields_set if given else set()
    measures, categories = list(mapping.measures), list(mapping.categories)
    if others:
        parts = [
            part.alias(f"{name}\x1f{index}")
            for index, heading in enumerate(others)
            for name, part in (
                ("n", (number_of(heading).is_not_null() | is_odd(heading)).sum()),
                ("numbers", number_of(heading).is_not_null().sum()),
                ("values", text_of(heading).approx_n_unique()),
                ("word", text_of(heading).filter(is_odd(heading)).first()),
            )
        ]
        counted = collected(source, source.frame.select(parts)).row(0, named=True)
        for index, heading in enumerate(others):
            names = ("n", "numbers", "values", "word")
            n, numbers, values, word = (counted[f"{name}\x1f{index}"] for name in names)
            if n and n == numbers and "measures" not in said:
                measures.append(heading)
            elif n == 0:
                unread[heading] = "empty"
            elif "categories" not in said and 1 < values <= min(MOST_CATEGORIES, n // 2):
                categories.append(heading)
            elif n == numbers:
                unread[heading] = "numbers"
            elif numbers > n / 2:
                unread[heading] = f"numbers, but also {word[:MOST_SHOWN]!r}; {n - numbers:,} such cells"
            else:
                unread[heading] = f"text, about {values:,} values"
    return mapping.model_copy(update={"measures": measures, "categories": categories}), unread


def _texts(source: RecordFile, headings: Sequence[str]) -> dict[str, list[str]]:
    """Map the headings of text columns with few values to these values."""
    texts = {one: pl.when(number_of(one).is_null()).then(text_of(one)) for one in headings}
    return {heading: words for heading, words in words_of(source, texts).items() if words}


def words_of(source: RecordFile, texts: Mapping[str, pl.Expr]) -> dict[str, list[str]]:
    """Map text columns to their distinct values, sorted.

    Columns with more than MOST_WORDS values are omitted.
    """
    if not texts:
        return {}
    roughly = [text.approx_n_unique().alias(name) for name, text in texts.items()]
    about = collected(source, source.frame.select(roughly)).row(0, named=True)
    words: dict[str, list[str]] = {name: [] for name in texts if about[name] <= 2 * MOST_WORDS}
    if words:
        # as rows, because polars keeps all values for an expression with `unique`
        cells = source.frame.select(texts[name].alias(name) for name in words)
        found = cells.unpivot(variable_name="text", value_name="word").drop_nulls().unique()
        for name, word in collected(source, found).sort("word").iter_rows():
            words[name].append(word)
    return {name: found for name, found in words.items() if len(found) <= MOST_WORDS}


def _is_numeric(source: RecordFile, mapping: RecordMapping, field: str) -> bool:
    """Return whether all columns of a field are numeric, such as the number of cards drawn."""
    if field not in mapping.columns:
        return False
    is_text = pl.any_horizontal(is_odd(one) for one in mapping.columns[field]).any()
    return not collected(source, source.frame.select(is_text)).item()


def _with_known(known: RecordMapping | None, given: RecordMapping | None) -> RecordMapping | None:
    """Return the meaning of a public format, overridden by a mapping file."""
    if known is None or given is None:
        return known or given
    about = {**known.records.model_dump(), **given.records.model_dump(exclude_unset=True)}
    return given.model_copy(
        update={
            "records": known.records.model_copy(update=about),
            "columns": {**known.columns, **given.columns},
            "settings": given.settings if "settings" in given.model_fields_set else known.settings,
        }
    )


def text_of(heading: str) -> pl.Expr:
    """Return the column as text without surrounding spaces; null if empty."""
    text = pl.col(heading).cast(pl.String).str.strip_chars()
    return pl.when(text != "").then(text)


def number_of(heading: str) -> pl.Expr:
    """Return the column as numbers whose absolute value is below MOST.

    `yes` and `true` are 1, `no` and `false` are 0. Larger numbers and other text are null.
    """
    number, word = text_of(heading).cast(pl.Float64, strict=False), text_of(heading).str.to_lowercase()
    return (
        pl.when(number.abs() < MOST)
        .then(number)
        .when(word.is_in(["true", "yes"]))
        .then(1.0)
        .when(word.is_in(["false", "no"]))
        .then(0.0)
    )


def is_odd(heading: str) -> pl.Expr:
    """Return whether a cell has text that is not a number (`number_of`). NaN counts as a blank cell."""
    text = text_of(heading)
    return number_of(heading).is_null() & text.is_not_null() & ~text.is_in(["NaN", "nan"])


def collected(source: RecordFile, frame: pl.LazyFrame) -> pl.DataFrame:
    with reading(source.path):
        return frame.collect(engine="streaming")
