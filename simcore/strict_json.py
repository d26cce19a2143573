"""JSON from other programs, in which every key of an object must occur once.

Of two values of one key, Python keeps the last without a message.
"""

import json
from collections import Counter
from collections.abc import Callable
from functools import cache
from typing import Any, NoReturn

SHOWN = 80  # characters of a key in a message


class UnclearJson(ValueError):
    """Raised for JSON that Python reads, although its meaning is unclear."""


def loads(text: str | bytes, parse_constant: Callable[[str], NoReturn] | None = None) -> Any:
    """Read JSON. Raises UnclearJson for a key that occurs twice in an object, ValueError for other faults.

    parse_constant: as for `json.loads`.
    """
    if isinstance(text, bytes):
        text = text.decode(json.detect_encoding(text))
    return _decoder(parse_constant).decode(text)


@cache  # making one takes as long as reading a line
def _decoder(parse_constant: Callable[[str], NoReturn] | None) -> json.JSONDecoder:
    return json.JSONDecoder(parse_constant=parse_constant, object_pairs_hook=_distinct)


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        twice = next(key for key, times in Counter(key for key, _ in pairs).items() if times > 1)
        printable = "".join(letter if letter.isprintable() else " " for letter in twice[:SHOWN])
        raise UnclearJson(f"the key '{printable}' occurs twice; write it once")
    return found
