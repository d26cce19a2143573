"""A scenario's numbers as one record.

The module defines the fields of the record, and the paths of their values in the scenario.

A field is (name, type, shape, path); shape and path are optional, as in

    ("draw", "i4", "turn.draw")
    ("attack", "i1", (DEFENDERS,), "defender.*.attack")  # of each defender, in the order of the scenario
    ("landing", "f8", (CIRCLES,))  # computed by the game
"""

from collections.abc import Iterable
from typing import Any

import numpy as np

from bartizan.simcore.arrays import Record

Field = tuple[Any, ...]
NONE = -1  # a value that the scenario omits


def scalars(kind: str, names: str) -> list[Field]:
    """Return fields of one type with one number each. names: field names, separated by spaces."""
    return [(name, kind) for name in names.split()]


def record_of(fields: Iterable[Field]) -> np.dtype:
    """Return the dtype of the record, without the paths."""
    return np.dtype([field[:-1] if path_of(field) else field for field in fields], align=True)


def path_of(field: Field) -> str:
    """Return the path of the field's value in the scenario; "" if it has none."""
    return field[-1] if len(field) > 2 and isinstance(field[-1], str) else ""


def fill(tables: Record, fields: Iterable[Field], model: Any) -> None:
    """Copy each field that has a path from the scenario `model` to `tables`, which is modified."""
    for field in fields:
        if path := path_of(field):
            rows, _, column = path.rpartition(".*.")
            if rows:
                values = [value_at(row, column) for row in value_at(model, rows).values()]
                tables[field[0]][: len(values)] = values
            else:
                tables[field[0]] = value_at(model, path)


def value_at(model: Any, path: str) -> Any:
    """Return the value at a path such as "turn.draw" or "inventory.tokens.count"; NONE if it is omitted."""
    value = model
    for key in path.split("."):
        value = value[key] if isinstance(value, dict) else getattr(value, key)
    return NONE if value is None else value
