"""Integer types for the columns of a record and the counters of a state, derived from the bounds of a schema.

A schema declares the bounds of a scenario's numbers once. A game's `record` derives the range of each column
from them, and the range determines the type:

    TURNS = limits(PigScenario, "limit.turns")[1]
    RECORD = np.dtype([*LOOP_COLUMNS, column("turn", TURNS), column("score", 100, least=-100)])
"""

from types import NoneType, UnionType
from typing import Annotated, Any, Union, get_args, get_origin

import numpy as np
from pydantic import BaseModel

PLIES = 100_000  # maximum decisions in a game; longer games are truncated
UNSIGNED, SIGNED = ("u1", "u2", "u4", "u8"), ("i1", "i2", "i4", "i8")
# columns of every record, written by the play loop
LOOP_COLUMNS = [("game", "u4"), ("plies", "u4"), ("end_reason", "u1"), ("winner", "i1")]


def narrowest(least: int, most: int) -> str:
    """Return the narrowest integer type for all numbers from `least` to `most`."""
    kinds = SIGNED if least < 0 else UNSIGNED
    return next(kind for kind in kinds if holds(kind, least, most))


def holds(kind: Any, least: int, most: int) -> bool:
    """Return whether an integer type includes every number from `least` to `most`."""
    room = np.iinfo(kind)
    return bool(room.min <= least and most <= room.max)


def column(name: str, most: int, least: int = 0) -> tuple[str, str]:
    """Return a column of a record: field name and type."""
    return name, narrowest(least, most)


def columns(names: str, most: int) -> list[tuple[str, str]]:
    """Return columns with values from 0 to `most`. names: column names, separated by spaces."""
    return [column(name, most) for name in names.split()]


def counter(most: int) -> str:
    """Return the type of a state's counter with values up to `most`.

    It is signed, because rules subtract, and has at least 32 bits.
    """
    return "i4" if holds("i4", -most, most) else "i8"


def no_value(kind: Any) -> int:
    """Return the number that means "none" in a signed column: the minimum of its type."""
    return int(np.iinfo(kind).min)


# ---------------------------------------------------------------- bounds of a schema


def limits(schema: type[BaseModel], path: str) -> tuple[int, int]:
    """Return the smallest and largest number that a schema allows at a path.

    Examples of paths are "turn.draw" and "card.*.count".

    Raises ValueError if the schema declares no bounds for this number.
    """
    kind: Any = schema
    for key in path.split("."):
        kind = _part(kind, key)
    bounds = _bounds(kind)
    if bounds is None:
        raise ValueError(f"{schema.__name__}: {path} has no bounds; declare ge and le")
    return bounds


def _part(kind: Any, key: str) -> Any:
    """Return the type of the field `key`; for a dict type, return the type of its values."""
    kind = _bare(kind)
    if get_origin(kind) is dict:  # `*`, or one of its keys
        return get_args(kind)[1]
    if isinstance(there := getattr(kind, key, None), property):
        return there.fget.__annotations__["return"]
    field = kind.model_fields[key]
    return Annotated[field.annotation, *field.metadata] if field.metadata else field.annotation


def _bare(kind: Any) -> Any:
    return get_args(kind)[0] if get_origin(kind) is Annotated else kind


def _bounds(kind: Any) -> tuple[int, int] | None:
    """Return (least, greatest) of a number, or of the numbers in a list; None if there are no bounds.

    For an optional number, which is -1 if missing, least is -1.
    """
    marks = get_args(kind)[1:] if get_origin(kind) is Annotated else ()
    least = next((mark.ge for mark in _flat(marks) if getattr(mark, "ge", None) is not None), None)
    most = next((mark.le for mark in _flat(marks) if getattr(mark, "le", None) is not None), None)
    if most is None:
        most = next((mark.lt - 1 for mark in _flat(marks) if getattr(mark, "lt", None) is not None), None)
    kind = _bare(kind)
    if kind is bool:
        return 0, 1
    if kind is int and least is not None and most is not None:
        return least, most
    if get_origin(kind) is list:
        return _bounds(get_args(kind)[0])
    if get_origin(kind) in (Union, UnionType):
        parts = [(-1, -1) if one is NoneType else _bounds(one) for one in get_args(kind)]
        if None not in parts:
            return min(low for low, _ in parts), max(high for _, high in parts)
    return None


def _flat(marks: tuple) -> list:
    """Return the annotations of one value; pydantic stores several in one FieldInfo."""
    return [one for mark in marks for one in (getattr(mark, "metadata", None) or [mark])]
