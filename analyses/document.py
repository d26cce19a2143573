"""Base classes of results that define their own JSON.

Field names are the keys, and an interval is stored with its limits and method.

Keys are a contract: a new version may add keys, but never renames them. The same class also reads results
saved by earlier versions, so newer fields have defaults.
"""

import json
from collections.abc import Iterator, Mapping
from math import isfinite
from typing import TYPE_CHECKING, Any, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from bartizan.simcore.errors import EngineError, fault_in_saved

if TYPE_CHECKING:
    import polars as pl


class DocumentError(EngineError, ValueError):
    """A saved document that is not valid. Callers that know the file add its path to the message."""


def finite(value: Any) -> Any:
    """Return a copy in which None replaces infinite limits and unknown estimates, which JSON lacks."""
    if isinstance(value, Mapping):
        return {key: finite(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [finite(one) for one in value]
    return None if isinstance(value, float) and not isfinite(value) else value


def in_rows(part: Any) -> "pl.DataFrame":
    """Return part of a document as a table, with one row per list item or per key of a mapping.

    The column `name` contains the keys of a mapping.

    Nested fields become columns such as `win_rate.low`. A list stays a list, or becomes JSON if its items are
    not plain values.
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
    """Return whether a table cell can contain the value.

    Such a value is a plain value, or a list of numbers or of plain values of one type.
    """
    if isinstance(value, list):
        kinds = {type(one) for one in value}
        return kinds <= {int, float} or (len(kinds) == 1 and not kinds & {dict, list})
    return not isinstance(value, Mapping)


def optional(**settings: Any) -> Any:
    """Return a field whose key is omitted if it has no value."""
    return Field(default=None, exclude_if=lambda value: value is None, **settings)


def keyed(key: str, **settings: Any) -> Any:
    """Return a field with this JSON key, for keys that are Python keywords, such as `from`."""
    return Field(validation_alias=key, serialization_alias=key, **settings)


class Document(BaseModel):
    """The JSON output of a result, or a part of it."""

    model_config = ConfigDict(frozen=True, populate_by_name=True, from_attributes=True)

    def plain(self) -> dict[str, Any]:
        """Return the document as plain JSON data."""
        return self.model_dump(by_alias=True)

    @classmethod
    def read(cls, document: Mapping[str, Any]) -> Self:
        """Read a saved document. Raises DocumentError, in one line, if it is not valid."""
        try:
            return cls.model_validate(document)
        except ValidationError as error:
            raise DocumentError(f"not a valid saved result: {fault_in_saved(error)}") from error
