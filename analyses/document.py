"""A result that is its own JSON: field names are keys, intervals stand in it as intervals.

Keys are a contract: they are added, never renamed. What was kept by an earlier version is read by the same
class, so a field that came later has a default.
"""

import json
from collections.abc import Iterator, Mapping
from math import isinf
from typing import TYPE_CHECKING, Any, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from bartizan.simcore.errors import EngineError

if TYPE_CHECKING:
    import polars as pl


def finite(value: Any) -> Any:
    """A copy with null for an infinite limit of an interval: JSON has no infinity."""
    if isinstance(value, Mapping):
        return {key: finite(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [finite(one) for one in value]
    return None if isinstance(value, float) and isinf(value) else value


def in_rows(part: Any) -> "pl.DataFrame":
    """A part of a document as a table: a row an item of a list, or a name of a mapping (column `name`).

    Fields within fields are columns such as `win_rate.low`; a list stays a list, or is JSON where its items
    are no values.
    """
    import polars as pl

    if isinstance(part, Mapping):
        part = [{"name": name, **_fields_of(one)} for name, one in part.items()]
    rows = [dict(_flat(_fields_of(one))) for one in part]
    return pl.DataFrame(rows, strict=False, infer_schema_length=None)


def _fields_of(one: Any) -> Mapping[str, Any]:
    return one if isinstance(one, Mapping) else {"value": one}


def _flat(fields: Mapping[str, Any], within: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in fields.items():
        if isinstance(value, Mapping) and value:
            yield from _flat(value, f"{within}{name}.")
        else:
            yield f"{within}{name}", value if _is_simple(value) else json.dumps(value)


def _is_simple(value: Any) -> bool:
    """Is it a value, or a list of values of one kind?"""
    if isinstance(value, list):
        kinds = {type(one) for one in value}
        return kinds <= {int, float} or (len(kinds) == 1 and not kinds & {dict, list})
    return not isinstance(value, Mapping)


def optional(**settings: Any) -> Any:
    """A field whose key is left out where there is nothing to say."""
    return Field(default=None, exclude_if=lambda value: value is None, **settings)


def keyed(key: str, **settings: Any) -> Any:
    """A field whose key is a word of Python's own, such as `from`."""
    return Field(validation_alias=key, serialization_alias=key, **settings)


class Document(BaseModel):
    """A part of an answer, or all of it."""

    model_config = ConfigDict(frozen=True, populate_by_name=True, from_attributes=True)

    def plain(self) -> dict[str, Any]:
        """As JSON has it."""
        return self.model_dump(by_alias=True)

    @classmethod
    def read(cls, document: Mapping[str, Any]) -> Self:
        """What was kept. Raises EngineError, in one line, where it is no such document."""
        try:
            return cls.model_validate(document)
        except ValidationError as error:
            fault = error.errors()[0]
            raise EngineError(f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}") from error
