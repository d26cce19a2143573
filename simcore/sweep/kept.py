"""Answers kept beside a sweep's games: one JSON file each, named by what was asked.

The folder may be there before its sweep: a sweep that is played into it vouches for them too.
"""

import json
import re
from math import isfinite
from pathlib import Path
from typing import Any

from bartizan.simcore.errors import EngineError, UsageError
from bartizan.simcore.sweep.files import is_left_over, write_atomic
from bartizan.simcore.sweep.shape import hold_letters
from bartizan.simcore.sweep.store import (
    ANSWERS,
    COMPARISON,
    MANIFEST,
    SUMS,
    answers_in,
    open_sweep,
    write_added,
)

SCHEMA = "bartizan.kept/1"
# no answer has such a text
NUMBER_AS_TEXT = re.compile(r'[:\[,]\s*("(?:nan|[+-]?inf|[+-]?infinity)")', re.IGNORECASE)


def refuse_unfit(folder: Path, game: str) -> None:
    """Raises UsageError for a folder that cannot take an answer about this game, before one is played."""
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"-o {folder}: is a file; name the folder of a sweep, or a new one")
    if (folder / COMPARISON).exists():
        raise UsageError(
            f"-o {folder}: holds a comparison; name the folder of a sweep, such as {folder / 'b'}"
        )
    if (folder / MANIFEST).exists():
        refuse_other_game(folder, open_sweep(folder).manifest["game"], game)
    elif folder.exists() and not is_begun(folder):
        raise UsageError(f"-o {folder}: is not empty and holds no sweep; name a new folder")
    read_kept(folder, game)


def refuse_other_game(folder: Path, present: Any, game: str) -> None:
    if present != game:
        raise UsageError(f"-o {folder}: is about another game ({present}, not {game}); name another folder")


def is_begun(folder: Path) -> bool:
    """Is nothing there but answers, or what a killed process left?"""
    return all(path.name == ANSWERS or is_left_over(path) for path in folder.iterdir())


def read_kept(folder: Path, game: str) -> tuple[dict, ...]:
    """Every answer kept in a folder, in the order of their names.

    Raises EngineError where one is damaged, UsageError where one is about another game.
    """
    return tuple(_read(path, game) for path in answers_in(folder))


def _read(path: Path, game: str) -> dict:
    try:
        text = path.read_text(encoding="utf-8")
        if written := NUMBER_AS_TEXT.search(text):
            _no_number(written[1])
        document = json.loads(text, parse_constant=_no_number, parse_float=_number)
        hold_letters(document)
        if document["schema"] != SCHEMA:
            raise ValueError(f"its schema is {document['schema']}")
        about = document["game"]
        for key in ("kind", "command", "versions", "behaviour", "seed", "answer"):
            document[key]
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise EngineError(f"{path}: damaged ({error}); delete it and ask for it again") from error
    if about != game:
        raise UsageError(f"{path}: is about another game ({about}, not {game}); move it away")
    return document


def _no_number(text: str) -> float:
    raise ValueError(f"{text} is no number")


def _number(text: str) -> float:
    return float(text) if isfinite(float(text)) else _no_number(text)


def keep(folder: Path, name: str, document: dict) -> Path:
    """Write an answer into a folder, in the place of the one of that name; a finished sweep vouches for it.

    The order of its keys stays: that of rungs and causes says something.
    """
    path = folder / ANSWERS / f"{name}.json"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if (folder / SUMS).exists():
            return write_added(open_sweep(folder), f"{ANSWERS}/{path.name}", document, sort_keys=False)
        write_atomic(path, json.dumps(document, indent=2).encode() + b"\n")
    except OSError as error:
        raise UsageError(f"-o {folder}: cannot be written: {error.strerror or error}") from error
    return path
