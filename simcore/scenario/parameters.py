"""Parameters: the values of a scenario that `--set` can change, each identified by its path.

A *path* (`ss_counter.rifleman.defence`) names one value; `--set`, sweeps, tuning and sensitivity all use
paths.
"""

import re
import tomllib
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any, TypeVar, get_args

from pydantic import BaseModel

from bartizan.simcore.errors import ScenarioError, UsageError, did_you_mean
from bartizan.simcore.numerals import is_unusual
from bartizan.simcore.scenario.model import NOT_PARAMETERS, Datum, Origin, ScenarioModel, not_values
from bartizan.simcore.toml import inline

T = TypeVar("T")
MOST_NAMED = 3  # maximum paths in a suggestion


@dataclass(frozen=True)
class Parameter:
    """One value that `--set` can change."""

    path: str
    value: Any
    allowed: str
    source: str
    confidence: str
    low: float | None = None  # bounds of a number, if there are any
    high: float | None = None
    choices: tuple = ()  # all options of a choice
    what: str = ""  # its name in words
    scale: int = 1  # number of units per 1 in which rules read a card's column of decimals

    @property
    def is_guess(self) -> bool:
        return is_guess(self.path, self.confidence)


def is_guess(path: str, confidence: str) -> bool:
    """Return whether a value is an assumption.

    It is an assumed value, or an inferred reading of an unclear rule, which is only the most likely of
    several.
    """
    return confidence == "assumed" or (confidence == "inferred" and path.startswith("rulings."))


def get(data: dict, path: str) -> Any:
    for key in path.split("."):
        data = data[key]
    return data


def find(data: Any, path: str) -> Any:
    """Return the value at a path; None if the path does not exist."""
    for key in path.split("."):
        data = data.get(key) if isinstance(data, Mapping) else None
    return data


def put(data: dict, path: str, value: Any, file: Path | str = "scenario") -> None:
    """Set one value of `data` by its path.

    Text is converted to the type of the old value. Raises ScenarioError if there is no such value.
    """
    *rooms, last = path.split(".")
    room = data
    for i, key in enumerate(rooms):
        if not isinstance(room, dict) or key not in room or key in not_values(".".join(rooms[:i])):
            raise _no_path(data, path, ".".join(rooms[:i]), key, room, file)
        room = room[key]
    if not isinstance(room, dict) or last not in room or last in not_values(".".join(rooms)):
        raise _no_path(data, path, ".".join(rooms), last, room, file)
    parsed = parse_value(value, room[last])
    if isinstance(room[last], dict) and not isinstance(parsed, dict):
        first = next((name for name in room[last] if name not in not_values(path)), "")
        raise ScenarioError(f'{file}: {path} is a group of values; set one of them, such as "{path}.{first}"')
    room[last] = parsed


def parse_value(value: Any, like: Any) -> Any:
    """Convert text to a value of the type of `like`.

    `"4"` becomes 4 in place of a number, but remains text in place of text (a reading); `"[1, 2]"` becomes a
    list. Text such as `1_0` or `0x10` remains text, which the model rejects.
    """
    if isinstance(like, str):
        return str(value)
    if not isinstance(value, str):
        return value
    if isinstance(like, bool) and value.strip() in ("True", "False"):
        return value.strip() == "True"
    try:
        return value if is_unusual(value) else tomllib.loads(f"v = {value.strip()}")["v"]
    except (tomllib.TOMLDecodeError, RecursionError):
        return value


def as_text(value: Any) -> str:
    """Return a value in the notation of `--set`: `true`, `4`, `["a", "b"]`, `{ n = 1 }`.

    Text is not quoted.
    """
    return value if isinstance(value, str) else inline(value)


def _no_path(data: dict, path: str, room_path: str, key: str, room: Any, file) -> ScenarioError:
    if not isinstance(room, dict):
        whole = f"{room_path}={as_text(room)}"
        return ScenarioError(
            f'{file}: no value "{path}": {room_path} is one value; set it as a whole, as {whole}'
        )
    named = [path, path.partition(".")[2]]  # written without a group, or in the wrong group
    groups = {name: group for name, group in data.items() if name not in NOT_PARAMETERS}
    for name in groups:
        for rest in filter(None, named):
            if _paths_meant(f"{name}.{rest}", data):
                return ScenarioError(f'{file}: no value "{path}"; did you mean "{name}.{rest}"?')
    same = (
        [one for one in _leaves(data) if _bare(one.split(".")[-1]) == _bare(key)]
        if path.endswith(key)
        else []
    )
    if 0 < len(same) <= MOST_NAMED:
        return ScenarioError(
            f"""{file}: no value "{path}"; did you mean {" or ".join(f'"{one}"' for one in same)}?"""
        )
    for name, group in groups.items():
        if path == key and isinstance(group, dict) and (near := get_close_matches(key, group, 1, 0.75)):
            return ScenarioError(f'{file}: no value "{path}"; did you mean "{name}.{near[0]}"?')
    known = {k: k for k in room if k not in not_values(room_path)}
    deck, *card = room_path.split(".")
    if headings := data.get("headings", {}).get(deck):  # read from a sheet: named as in the sheet
        known = {k: headings.get(k, k) if card else _own_name(room[k]) or k for k in known}
    where = f" under {room_path}" if room_path else ""
    return ScenarioError(f'{file}: no value "{path}": no "{key}"{where}{did_you_mean(key, known.values())}')


# ---------------------------------------------------------------- paths as people write them


def by_path(values: Mapping[str, T], data: Mapping[str, Any], option: str = "--set") -> dict[str, T]:
    """Return the values by full path (`path_meant`). Raises UsageError if a path is named twice."""
    found: dict[str, T] = {}
    for text, value in values.items():
        path = path_meant(text, data)
        if path in found:
            raise UsageError(f"{option} {text}: {path} is set twice; set it once")
        found[path] = value
    return found


def path_meant(text: str, data: Mapping[str, Any]) -> str:
    """Return the full path of a value, or of a table of values, ignoring case and punctuation.

    A record may be given by its key or its name, and a column of a sheet by its heading: `deck.Guard.Qty`
    means `deck.guard.copies`.

    Returns `text` itself if nothing matches. Raises UsageError if several paths match.
    """
    if find(data, text) is not None:
        return text
    paths = _paths_meant(text, data)
    if len(paths) > 1:
        raise UsageError(f'"{text}" is ambiguous: write {" or ".join(paths)}')
    if not paths and len(known := _paths_meant(text.rpartition(".")[0], data)) == 1:
        return f"{known[0]}.{text.rpartition('.')[2]}"  # for the error message: the missing part
    return paths[0] if paths else text


def _paths_meant(text: str, data: Mapping[str, Any]) -> list[str]:
    return list(dict.fromkeys(_paths_called(data, _bare(text), [], data.get("headings", {}))))


def _paths_called(
    room: Any, rest: str, keys: list[str], headings: Mapping[str, Mapping[str, str]]
) -> Iterator[str]:
    """Yield the paths in `room` that match the rest of a text. keys: keys of the path so far."""
    if not isinstance(room, Mapping):
        return
    for key, child in room.items():
        if key in not_values(".".join(keys)):
            continue
        heading = headings.get(keys[0], {}).get(key, "") if len(keys) == 2 else ""
        for name in {_bare(key), _bare(_own_name(child)), _bare(heading)} - {""}:
            if rest == name:
                yield ".".join([*keys, key])
            elif rest.startswith(f"{name}."):
                yield from _paths_called(child, rest.removeprefix(f"{name}."), [*keys, key], headings)


def _leaves(room: Mapping[str, Any], before: str = "") -> Iterator[str]:
    for key, child in room.items():
        if key in not_values(before):
            continue
        if isinstance(child, Mapping):
            yield from _leaves(child, f"{before}{key}.")
        else:
            yield f"{before}{key}"


def level_of(path: str, data: Mapping[str, Any], levels: Sequence[str]) -> str:
    """Return the level of a value, such as "elite" for `level.elite.water`.

    Returns "" for a value that applies to all levels.
    """
    room, _, rest = path.partition(".")
    level, inside = rest.partition(".")[0], data.get(room)
    is_by_level = isinstance(inside, Mapping) and {*levels} <= inside.keys()
    return level if is_by_level and level in levels else ""


def _own_name(record: Any) -> str:
    return str(record.get("name", "")) if isinstance(record, Mapping) else ""


def _bare(text: str) -> str:
    """Return a text without case and accents, reduced to letters, digits, `.`, `#` and `+`."""
    letters = unicodedata.normalize("NFKD", text.casefold())
    return "".join(letter for letter in letters if letter.isalnum() or letter in ".#+")


def parameters_of(
    model: BaseModel, data: dict, path: str = "", origin: Datum | Origin | None = None
) -> Iterator[Parameter]:
    """Yield every value below one model that can be set, in file order.

    origin: origin of the containing record.
    """
    for key, value in data.items():
        if key in not_values(path) or key not in type(model).model_fields:
            continue
        here = f"{path}.{key}" if path else key
        child = getattr(model, key)
        source = model.origin(key) if isinstance(model, Datum) else origin
        if isinstance(child, BaseModel):
            yield from parameters_of(child, value, here, source)
        elif isinstance(child, dict) and any(isinstance(v, BaseModel) for v in child.values()):
            for name in value:
                yield from parameters_of(child[name], value[name], f"{here}.{name}", source)
        elif here == "rulings" and isinstance(model, ScenarioModel):
            yield from _rulings_of(model, value)
        elif isinstance(value, (int, float, str, bool, list, dict)):
            yield _parameter(model, key, value, here, source)


def _rulings_of(model: ScenarioModel, readings: dict[str, str]) -> Iterator[Parameter]:
    """Yield the rulings as parameters. readings: maps each ruling to its current reading."""
    for name, reading in readings.items():
        ruling = model.ruling[name]
        yield Parameter(
            f"rulings.{name}",
            reading,
            " | ".join(ruling.readings),
            f"{ruling.id}: {ruling.source}",
            ruling.confidence,
            choices=tuple(ruling.readings),
        )


def _parameter(model: BaseModel, key: str, value: Any, path: str, origin: Datum | Origin | None) -> Parameter:
    low, high, choices = _limits(model, key, value, path)
    if choices:
        allowed = "true | false" if isinstance(value, bool) else " | ".join(map(str, choices))
    elif low is not None or high is not None:
        allowed = f"{'' if low is None else low} .. {'' if high is None else high}".strip()
    else:
        kinds = {int: "integer", float: "number", str: "text", list: "list", dict: "table"}
        allowed = kinds[type(value)]
    source, confidence = (origin.source, origin.confidence) if origin else ("", "")
    return Parameter(path, value, allowed, source, confidence, low, high, choices)


def _limits(model: BaseModel, key: str, value: Any, path: str) -> tuple[float | None, float | None, tuple]:
    """Return (least, greatest, choices) of a value, as far as its type defines them."""
    if path == "difficulty" and isinstance(model, ScenarioModel):
        return None, None, tuple(model.difficulties())
    if isinstance(value, bool):
        return None, None, (True, False)
    info = type(model).model_fields[key]
    choices = get_args(info.annotation)
    if choices and all(isinstance(c, (str, int)) for c in choices):
        return None, None, choices
    low = next((m.ge for m in info.metadata if hasattr(m, "ge")), None)
    high = next((m.le for m in info.metadata if hasattr(m, "le")), None)
    return low, high, ()


# ---------------------------------------------------------------- names

# The name of a scenario value: the only conversion from paths to words.
#
# `ss_counter.sturm.defence` -> "Assault counter, Defence": the owner of the value, by its name in the data,
# then the value.


CODE = re.compile(r"\d+|[A-Z]+\d*")  # keys that are not names by themselves: circle 7, position NT2
ABBREVIATIONS = {"Ss": "SS", "ss": "SS"}


def called(path: str, data: Mapping[str, Any] | None = None) -> str:
    """Return the name of the value at `path`.

    data: data of the scenario, which contains names; without it, keys are used.
    """
    *rooms, last = path.split(".")
    if rooms == ["rulings"]:
        return f"Ruling {plain(last)}"
    if not rooms or rooms == ["numbers"]:  # a short game has one group of numbers
        return title(last)
    return f"{_whose(rooms, data or {})}, {column(path, data or {})}"


def column(path: str, data: Mapping[str, Any]) -> str:
    """Return the last part of a path as text.

    For a card of a sheet, it is the heading of its column, with the unit of a column of decimals, such as `VP
    (tenths)`.
    """
    keys = path.split(".")
    name = data.get("headings", {}).get(keys[0], {}).get(keys[-1]) or title(keys[-1])
    return f"{name} ({unit_of(scale)})" if (scale := scale_of(path, data)) > 1 else name


def scale_of(path: str, data: Mapping[str, Any]) -> int:
    """Return the number of units per 1 in which rules read a column of decimals; 1 for other values."""
    keys = path.split(".")
    return data.get("column_scales", {}).get(keys[0], {}).get(keys[-1], 1)


def unscaled(number: int, scale: int) -> int | float:
    """Return a number that rules count in units as a person writes it: 1.5 for 15 tenths, and 2 for 20."""
    return number / scale if number % scale else number // scale


def unit_of(scale: int) -> str:
    return {10: "tenths", 100: "hundredths", 1000: "thousandths"}.get(scale, f"units of 1/{scale}")


def item(path: str, data: Mapping[str, Any] | None = None) -> str:
    """Return the name of a record, such as "Ballista card" for `card.ballista`."""
    return _whose(path.split("."), data or {})


def _whose(rooms: Sequence[str], data: Mapping[str, Any]) -> str:
    """Return the name of the record to which a value belongs, such as `Ballista card`.

    The deeper parts of the path follow the name.

    rooms: the keys of the path without the key of the value.
    """
    room, *inside = rooms
    if not inside:
        return title(room)
    if room in data.get("headings", {}):
        return _named_in_sheet(rooms, data)
    key, *parts = inside
    return ", ".join([_named(room, key, data), *map(title, parts)])


def _named(room: str, key: str, data: Mapping[str, Any]) -> str:
    """Return a name such as `Assault counter`, `Axe man card` or `Circle 7`."""
    if CODE.fullmatch(key):
        return f"{title(room)} {key}"
    records = data.get(room, {})
    own = records[key].get("name") if isinstance(records.get(key), Mapping) else None
    alike = sum(isinstance(one, Mapping) and one.get("name") == own for one in records.values()) if own else 0
    # if five entries are called Rifleman, the name is ambiguous
    name = own if own and alike == 1 else title(key)
    kind = plain(room)
    return name if name.lower().endswith(kind.split()[-1].lower()) else f"{name} {kind}"


def _named_in_sheet(rooms: Sequence[str], data: Mapping[str, Any]) -> str:
    """Return a card's name in its sheet, followed by its deck if another deck has a card of this name."""
    deck, card = rooms[0], rooms[-1]
    name = _own_name(find(data, ".".join(rooms))) or title(card)
    others = (cards for other, cards in data.items() if other != deck and isinstance(cards, Mapping))
    is_shared = any(_own_name(record) == name for cards in others for record in cards.values())
    return f"{name} ({plain(deck)})" if is_shared else name


def plain(text: str) -> str:
    """Return a key of a data file as words: `focus_fire` -> "focus fire"."""
    return " ".join(ABBREVIATIONS.get(word, word) for word in text.replace("_", " ").split(" "))


def title(text: str) -> str:
    words = plain(text)
    return words[:1].upper() + words[1:]


def suffixes(paths: Sequence[str]) -> dict[str, str]:
    """Map each path to its shortest unique end: `defence`, or `sturm.defence` beside `scout.defence`."""
    shortest = {}
    for path in paths:
        parts = path.split(".")
        for depth in range(1, len(parts) + 1):
            shortest[path] = ".".join(parts[-depth:])
            if sum(f".{other}".endswith(f".{shortest[path]}") for other in set(paths)) == 1:
                break
    return shortest
