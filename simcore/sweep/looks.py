"""Looks at the games of a folder: the numbers of games per cell at which claims have been judged.

The record is stored with the games, so that a later look at more games of the same seed can be corrected for
it. Another look at the same games counts as the same look. A copy of a folder includes its looks; a merged
folder includes the looks of all its parts.
"""

import json
from collections.abc import Iterable, Mapping
from typing import Any

from bartizan.simcore.errors import EngineError
from bartizan.simcore.files import in_turn, read_document
from bartizan.simcore.sweep import store

SCHEMA = "bartizan.looks/1"

Look = dict[str, int]  # cell -> number of games when it was judged


def read(sweep: Any) -> list[Look]:
    """Return the looks recorded in a sweep's folder. Raises EngineError for a damaged record."""
    path = sweep.folder / store.LOOKS
    document = read_document(path)
    looks: list[Look] = document.get("looks", [])
    is_whole = isinstance(looks, list) and all(map(_is_look, looks))
    if document and not (document.get("schema") == SCHEMA and is_whole):
        raise EngineError(
            f"{path}: damaged (not a record of looks); delete it to start counting looks from the first"
        )
    return looks


def _is_look(look: Any) -> bool:
    return isinstance(look, dict) and all(type(games) is int and games > 0 for games in look.values())


def number_of(now: Mapping[str, int], looks: Iterable[Look]) -> int:
    """Return the number of this look at these cells, from 1.

    A look with at most as many games of each cell counts as earlier.
    """
    earlier = {tuple(look.get(cell, 0) for cell in now) for look in looks}
    present = tuple(now.values())
    return 1 + sum(
        games != present and all(0 < was <= n for was, n in zip(games, present, strict=True))
        for games in earlier
    )


def add(sweep: Any, more: Iterable[Look]) -> bool:
    """Record looks. Repeated looks change nothing. Returns False if the folder cannot be written."""
    try:
        with in_turn(sweep.folder):
            known = read(sweep)
            new = {_order(look): look for look in more if look and look not in known}
            if new:
                looks = sorted([*known, *new.values()], key=_order)
                content = json.dumps({"schema": SCHEMA, "looks": looks}, indent=2, sort_keys=True).encode()
                store.write_beside(sweep, store.LOOKS, content + b"\n")
    except OSError:
        return False
    return True


def _order(look: Look) -> tuple[int, str]:
    return sum(look.values()), json.dumps(look, sort_keys=True)
