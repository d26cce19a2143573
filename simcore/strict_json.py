"""JSON from other programs, in which every key of an object must occur once.

Of two values of one key, Python keeps the last without a message.
"""

import json
from collections.abc import Callable
from typing import Any, NoReturn

SHOWN = 80  # characters of a key in a message


class UnclearJson(ValueError):
    """Raised for JSON that Python reads, although its meaning is unclear."""


def loads(text: str | bytes, parse_constant: Callable[[str], NoReturn] | None = None) -> Any:
    """Read JSON. Raises UnclearJson for a key that occurs twice in an object, ValueError for other faults.

    parse_constant: as for `json.loads`.
    """
    return json.loads(text, parse_constant=parse_constant, object_pairs_hook=_distinct)


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        printable = "".join(letter if letter.isprintable() else " " for letter in twice[:SHOWN])
        raise UnclearJson(f"the key '{printable}' occurs twice; write it once")
    return found
