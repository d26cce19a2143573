"""What a value of a scenario is called: the one way from its path to words.

`ss_counter.sturm.defence` -> "Assault counter, Defence": whose value it is, by the name that the data give
it, then which one.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

CODE = re.compile(r"\d+|[A-Z]+\d*")  # keys that name nothing by themselves: circle 7, position NT2
ABBREVIATIONS = {"Ss": "SS", "ss": "SS"}


def called(path: str, data: Mapping[str, Any] | None = None) -> str:
    """The name of the value at `path`. data: the scenario's, for the names that stand in it; without it the
    keys must do.
    """
    *rooms, last = path.split(".")
    if rooms == ["rulings"]:
        return f"Ruling {plain(last)}"
    if not rooms:
        return title(last)
    return f"{_whose(rooms, data or {})}, {title(last)}"


def item(path: str, data: Mapping[str, Any] | None = None) -> str:
    """The name of a whole record: `card.ballista` -> "Ballista card"."""
    return _whose(path.split("."), data or {})


def _whose(rooms: Sequence[str], data: Mapping[str, Any]) -> str:
    """The record that a value belongs to, and the parts of it on the way to the value."""
    room, *inside = rooms
    if not inside:
        return title(room)
    key, *parts = inside
    return ", ".join([_named(room, key, data), *map(title, parts)])


def _named(room: str, key: str, data: Mapping[str, Any]) -> str:
    """`Assault counter`, `Axe man card`, `Circle 7`."""
    if CODE.fullmatch(key):
        return f"{title(room)} {key}"
    records = data.get(room, {})
    names = [record.get("name") if isinstance(record, Mapping) else None for record in records.values()]
    own = records[key].get("name") if isinstance(records.get(key), Mapping) else None
    name = own if own and names.count(own) == 1 else title(key)  # of five Riflemen the name says nothing
    kind = plain(room)
    return name if name.lower().endswith(kind.split()[-1].lower()) else f"{name} {kind}"


def plain(text: str) -> str:
    """A key of a data file as words: `focus_fire` -> "focus fire"."""
    return " ".join(ABBREVIATIONS.get(word, word) for word in text.replace("_", " ").split(" "))


def title(text: str) -> str:
    words = plain(text)
    return words[:1].upper() + words[1:]


def suffixes(paths: Sequence[str]) -> dict[str, str]:
    """Path -> the shortest end of it that no other of these paths has: `defence`, or `sturm.defence` beside
    `scout.defence`.
    """
    found = {}
    for path in paths:
        parts = path.split(".")
        ends = (".".join(parts[-depth:]) for depth in range(1, len(parts) + 1))
        found[path] = next(
            end for end in ends if sum(other == end or other.endswith(f".{end}") for other in set(paths)) == 1
        )
    return found
