"""Labels of methods in a document: of every interval in it, however deep."""

from collections.abc import Iterator, Mapping
from typing import Any

ENDS = {"low", "high", "level"}


def labels_of(document: Any) -> Iterator[str]:
    """What each interval says its method is; columns of a table (`win_method`) too."""
    if isinstance(document, Mapping):
        if document.keys() >= ENDS | {"method"}:
            yield document["method"]
        for key, value in document.items():
            if key.endswith("_method") and isinstance(value, str):
                yield value
            yield from labels_of(value)
    elif isinstance(document, (list, tuple)):
        for part in document:
            yield from labels_of(part)
