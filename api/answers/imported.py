"""`import`: import games that another program simulated into a folder of results."""

from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from bartizan.analyses.experiments.recorded_cards import CellCards, recorded_cards
from bartizan.analyses.records.imported import import_records
from bartizan.analyses.records.imported_columns import RecordMapping, as_toml, read_mapping, setting_name
from bartizan.analyses.records.imported_file import meanings, open_source
from bartizan.analyses.records.imported_rows import RecordReader
from bartizan.analyses.records.tidy import table
from bartizan.api import answers
from bartizan.api.answer import Answer
from bartizan.api.questions.imported import ImportRecordsQuestion
from bartizan.api.reading import listed
from bartizan.reports.text.words import count, listing, many
from bartizan.simcore.errors import UsageError
from bartizan.simcore.files import check_new_folder, check_output, quoted, write_atomic, writing
from bartizan.simcore.sweep.store import CARD_SCHEMA, CARDS, open_sweep, write_added

MOST_CELLS = 12  # cells listed on a terminal
LISTED = ("settings", "measures", "categories")  # fields of a mapping


def bring_in(question: ImportRecordsQuestion) -> Answer:
    """Import the games into a new folder.

    If a row is faulty, raises UsageError and leaves no files.
    """
    out = Path(question.out or "")
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise UsageError(f"-o {out}: already exists; choose a new folder")
    check_new_folder(out)
    given = read_mapping(Path(question.mapping)) if question.mapping else None
    cards: list[CellCards] = []

    def count_cards(reader: RecordReader, rows: Path) -> None:
        cards.extend(recorded_cards(reader, rows))

    found = import_records(
        question.path, out, given, listed(question.by), question.command_line(), count_cards
    )
    if cards:
        sweep = open_sweep(out)
        kept = {"schema": CARD_SCHEMA, "usage": answers.recorded.usage_documents(sweep, cards)}
        write_added(sweep, CARDS, kept)
    document = {
        "schema": "bartizan.import/1",
        "file": str(question.path),
        "folder": str(out),
        "rows": found.rows,
        "format": found.format,
        "unfinished": found.unfinished,
        "paired": found.paired,
        "columns": found.mapping.columns,
        "settings": [setting_name(one) for one in found.mapping.settings],
        "measures": found.mapping.measures,
        "categories": found.mapping.categories,
        "unread": found.unread,
        "cells": [
            {"id": cell["id"], "games": cell["games"], "set": cell["set"]} for cell in found.manifest["cells"]
        ],
    }
    hints = ["", f"Next: bartizan report {quoted(out)} -o report.html"]
    return Answer(document, partial(_lines, document), rows=partial(table, out), hints=hints)


def suggested(question: ImportRecordsQuestion) -> Answer:
    """Write a draft mapping in which the meanings of the columns are guessed."""
    target = Path(question.suggest or "")
    if target.suffix != ".toml":
        raise UsageError(f"--suggest {target}: use a file name that ends in .toml")
    check_output(target, "--suggest")
    given = read_mapping(Path(question.mapping)) if question.mapping else None
    source = open_source(question.path, given.records.decimal if given else "")
    mapping, unread = meanings(source, given, listed(question.by))
    about = mapping.records
    named = mapping.model_copy(
        update={"records": about.model_copy(update={"title": about.title or question.path.stem})}
    )
    with writing(f"--suggest {target}"):
        write_atomic(target, as_toml(named, question.path.name, unread).encode())
    document = {"schema": "bartizan.import.mapping/1", "file": str(target), **named.model_dump(mode="json")}
    guessed = len(source.headings) - len(unread)
    columns = many(len(source.headings), "column")
    lines = [f"{target}: {count(guessed)} of {columns} guessed; check the file before you import"]
    lines += _meanings(named, unread)
    hints = ["", f"Next: bartizan import {quoted(question.path)} --mapping {quoted(target)} -o records"]
    return Answer(document, partial(list, lines), hints=hints)


def _lines(d: Mapping[str, Any]) -> Iterator[str]:
    cells = d["cells"]
    luck = ", compared in pairs by seed" if d["paired"] else ""
    games = f"{many(d['rows'], 'game')} in {many(len(cells), 'setting')}{luck}"
    yield f"{d['file']}: {games}, simulated by another program"
    if d["format"]:
        left_out = f"; {many(d['unfinished'], 'unfinished game')} left out" if d["unfinished"] else ""
        yield f"  format     {d['format']}{left_out}"
    listed = {name: d[name] for name in ("columns", *LISTED)}
    mapping = RecordMapping(**listed)
    yield from _meanings(mapping, d["unread"])
    for cell in cells[:MOST_CELLS]:
        yield f"  {cell['id']:<40} {many(cell['games'], 'game')}"
    if (more := len(cells) - MOST_CELLS) > 0:
        yield f"  and {count(more)} more (--json)"


def _meanings(mapping: RecordMapping, unread: Mapping[str, str]) -> Iterator[str]:
    for field, headings in mapping.columns.items():
        yield f"  {field:<10} {listing(headings)}"
    for name in LISTED:
        if headings := getattr(mapping, name):
            yield f"  {name:<10} {listing(headings)}"
    for heading, what in unread.items():
        yield f"  left out   {heading} ({what}); if it is a setting, add --by {heading}"
