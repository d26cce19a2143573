"""Scenarios: a game's numbers and rulings as data, with where each came from.

A scenario is a TOML file checked by the game's pydantic model. A *path* (`ss_counter.rifleman.defence`) names
one value in it; `--set`,
sweeps, tuning and sensitivity all speak in paths. A ruling's reading may carry a *patch*: the values that
reading changes.
"""

import hashlib
import json
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from bartizan.simcore.errors import ScenarioError, did_you_mean
from bartizan.simcore.parameters import called

# changed: by a user's file or option
Confidence = Literal["rulebook", "public-port", "article", "inferred", "assumed", "changed"]
PROVENANCE = ("source", "confidence", "why", "also", "note", "origins")
NOT_KNOBS = {
    "schema_version",
    "game",
    "name",
    "title",
    "sources",
    "ruling",
    "about",
    "reconstruction",
    "rules_source",
    "levels",
    "step",
    "change_cost",
    *PROVENANCE,
}


class Strict(BaseModel):
    """No unknown keys, no silent conversion of types, nothing changes after it is checked."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Origin(Strict):
    """Where a value comes from."""

    source: str
    confidence: Confidence
    why: str = ""


class Datum(Strict):
    """One record of data: every number in it comes from `source`, as sure as `confidence`, unless `origins`
    tells otherwise of it.
    """

    by_value: ClassVar[bool] = False  # its values are counted one by one, not the record as one

    source: str
    confidence: Confidence
    why: str = ""
    also: str = ""
    note: str = ""
    origins: dict[str, Origin] = {}  # value -> where that one comes from

    def origin(self, value: str) -> Origin:
        """Where one of its values comes from."""
        return self.origins.get(value) or Origin(source=self.source, confidence=self.confidence, why=self.why)


class Ruling(Datum):
    """An unclear rule: the question, its possible readings (the first is the default) and what each means."""

    id: str
    question: str
    readings: list[str] = Field(min_length=1)
    meaning: str = ""
    impact: Literal["high", "medium", "low", "none"] = "low"
    patch: dict[str, dict[str, Any]] = {}  # reading -> {path: value}


class Step(Strict):
    """One of the changes that lead from this scenario to another: `compare --steps` takes each by itself."""

    title: str
    set: dict[str, Any] = Field(min_length=1)  # path -> value


class ChangeCost(Strict):
    """What it costs to change the values below one path, in words of a rulebook: `tune` prefers cheap
    changes.
    """

    cost: float = Field(ge=0)
    sheet: str = ""  # what is printed anew as a whole: paid once, however many values on it change
    why: str = ""


class ScenarioModel(Strict):
    """What every game's scenario file has.

    A game adds its own tables and, in `problems`, its own arithmetic.
    """

    schema_version: int = 1
    game: str
    name: str
    title: str
    about: str = ""
    rules_source: str = ""  # which text its rules are from, where that is not the game's
    # what must be said wherever a result is shown: the data are not the published game's
    reconstruction: str = ""
    difficulty: str = "standard"
    sources: dict[str, str] = {}
    rulings: dict[str, str] = {}
    ruling: dict[str, Ruling] = {}
    step: dict[str, Step] = {}
    change_cost: dict[
        str, ChangeCost
    ] = {}  # path, or the start of paths -> cost; the longest that fits counts, else 1

    def difficulties(self) -> list[str]:
        """The levels `--difficulty` may name; a game without levels has the one its model starts with."""
        return [type(self).model_fields["difficulty"].default]

    def problems(self) -> Iterator[tuple[str, str]]:
        """Yield (path, what is wrong) for everything the types alone cannot see."""
        return iter(())

    def assumptions(self) -> list[str]:
        """One sentence for each guess that a result under these settings rests on."""
        return []


@dataclass(frozen=True)
class Scenario:
    """A checked scenario, ready to play."""

    model: ScenarioModel
    data: dict = field(repr=False)  # the same as plain dicts, in file order
    overrides: dict[str, Any]  # path -> value, as set for this run
    path: Path

    @property
    def name(self) -> str:
        return self.model.name

    @property
    def difficulty(self) -> str:
        return self.model.difficulty

    @property
    def hash(self) -> str:
        """16 hex digits over every value that can affect play; sources and reasons do not."""
        values = _without(
            self.data,
            {
                *PROVENANCE,
                "sources",
                "ruling",
                "step",
                "change_cost",
                "name",
                "title",
                "about",
                "reconstruction",
                "rules_source",
                "schema_version",
            },
        )
        return hashlib.sha256(json.dumps(values).encode()).hexdigest()[:16]

    @property
    def confidence(self) -> dict[str, int]:
        """How many data stand on what: {confidence: count}."""
        counts = Counter(origin.confidence for _, origin in data_origins(self.model))
        return {level: counts[level] for level in get_args(Confidence) if counts[level]}

    @property
    def assumed(self) -> int:
        return self.confidence.get("assumed", 0)

    def knobs(self) -> list["Knob"]:
        return [replace(knob, what=called(knob.path, self.data)) for knob in _knobs(self.model, self.data)]


@dataclass(frozen=True)
class Knob:
    """One value that `--set` can reach."""

    path: str
    value: Any
    allowed: str
    source: str
    confidence: str
    low: float | None = None  # bounds of a number, where there are any
    high: float | None = None
    choices: tuple = ()  # of a choice: all of them
    what: str = ""  # its name in words

    @property
    def is_guess(self) -> bool:
        return is_guess(self.path, self.confidence)


def is_guess(path: str, confidence: str) -> bool:
    """Is it not known?

    Assumed, or a reading of an unclear rule that no text states: inferred, it is the likelier of several.
    """
    return confidence == "assumed" or (confidence == "inferred" and path.startswith("rulings."))


def scenario_names(folder: Path) -> list[str]:
    return sorted(path.stem for path in folder.glob("*.toml"))


def shipped_name(game, path: Path) -> str:
    """The scenario of the game that a file is, or extends; one that extends none is held against the game's
    default.
    """
    while path.parent != game.scenarios:
        base = _parsed(path.read_text(encoding="utf-8")).get("extends")
        path = _find(game, base)
    return path.stem


def default_scenario(game) -> str:
    """The scenario played when none is named."""
    names = scenario_names(game.scenarios)
    return "published" if "published" in names else names[0]


def load_scenario(
    game, name: str | None = None, difficulty: str | None = None, sets: Mapping[str, Any] | None = None
) -> Scenario:
    """Read, patch and check a scenario.

    name: one of the game's scenarios or the path of a TOML file (which may say `extends = "NAME"`); None =
    the game's first.
    sets: {path: value or text}. Rulings and difficulty are set first, then the patches of the readings in
    force, then the other paths.
    Raises ScenarioError: one line with file, path, reason and what is allowed.
    """
    sets = dict(sets or {})
    if difficulty is not None:
        sets["difficulty"] = difficulty
    path = _find(game, name)
    data = _read(game, path)
    early = {key: value for key, value in sets.items() if key == "difficulty" or key.startswith("rulings.")}
    late = {key: value for key, value in sets.items() if key not in early}
    for key, value in early.items():
        if key == "difficulty":
            data[key] = str(value)  # a file need not say it
        else:
            put(data, key, value, path)
    for key, value in patches(data).items():
        put(data, key, value, path)
    before = deepcopy(data)
    for key, value in late.items():
        put(data, key, value, path)
    _note_changes(before, data, "set for this run")
    model = _check(game, data, path)
    data["difficulty"] = model.difficulty  # said or not, it is part of what is played
    overrides = {key: get(data, key) for key in sets if key != "difficulty"}
    return Scenario(model, data, overrides, path)


def get(data: dict, path: str) -> Any:
    for key in path.split("."):
        data = data[key]
    return data


def put(data: dict, path: str, value: Any, file: Path | str = "scenario") -> None:
    """Set one value by its path; text is read as the type of the value it replaces. Modifies `data`."""
    *rooms, last = path.split(".")
    room = data
    for i, key in enumerate(rooms):
        if not isinstance(room, dict) or key not in room:
            raise _no_path(data, path, ".".join(rooms[:i]), key, room, file)
        room = room[key]
    if not isinstance(room, dict) or last not in room or last in NOT_KNOBS:
        raise _no_path(data, path, ".".join(rooms), last, room, file)
    room[last] = parse_value(value, room[last])


def parse_value(value: Any, like: Any) -> Any:
    """`"4"` becomes 4 where a number stands, stays "4" where text stands (a reading), `"[1, 2]"` a list."""
    if isinstance(like, str):
        return str(value)
    if not isinstance(value, str):
        return value
    try:
        return tomllib.loads(f"v = {value.strip()}")["v"]
    except tomllib.TOMLDecodeError:
        return value


def data_records(model: Any, path: str = "") -> Iterator[tuple[str, Datum]]:
    """Every Datum of a scenario with its path, rulings included."""
    if isinstance(model, Datum):
        yield path, model
    if isinstance(model, BaseModel):
        children = [(key, getattr(model, key)) for key in type(model).model_fields]
    elif isinstance(model, dict):
        children = list(model.items())
    else:
        return
    for key, child in children:
        yield from data_records(child, f"{path}.{key}" if path else key)


def data_origins(model: Any) -> Iterator[tuple[str, Datum | Origin]]:
    """Every datum with its path, and the record or origin that says where it comes from."""
    for path, datum in data_records(model):
        if not datum.by_value:
            yield path, datum
        for value in _values(datum) if datum.by_value else datum.origins:
            yield f"{path}.{value}", datum.origin(value)


def _values(datum: Datum) -> list[str]:
    """The values a record was given, provenance aside."""
    return [
        key for key in type(datum).model_fields if key in datum.model_fields_set and key not in PROVENANCE
    ]


# ---------------------------------------------------------------- reading


def _find(game, name: str | None) -> Path:
    names = scenario_names(game.scenarios)
    if name is None:
        return game.scenarios / f"{default_scenario(game)}.toml"
    if name in names:
        return game.scenarios / f"{name}.toml"
    path = Path(name)
    if path.suffix == ".toml":
        if not path.is_file():
            raise ScenarioError(f"{path}: no such scenario file")
        return path
    raise ScenarioError(f'no scenario "{name}" for {game.name}{did_you_mean(name, names)}')


def _read(game, path: Path) -> dict:
    try:
        data = _parsed(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise ScenarioError(f"{path}: not TOML: {error}") from error
    except (OSError, UnicodeDecodeError) as error:
        raise ScenarioError(f"{path}: cannot be read: {error}") from error
    base_name = data.pop("extends", None)
    if base_name is None:
        return data
    base = _read(game, _find(game, base_name))
    if "taken_over" in data:
        _take_over(base, data, data.pop("taken_over"))
    merged = _merged(base, data)
    _note_changes(base, merged, path.name)
    return merged


def _take_over(base: dict, over: dict, why: str) -> None:
    """What a file of another edition leaves as it was is no statement about that edition: surer records
    become inferred.

    Modifies `base`.
    """
    for key, value in base.items():
        if not isinstance(value, dict) or key in PROVENANCE:
            continue
        own = over.get(key, {})
        if (
            _is_record(value)
            and "confidence" not in own
            and value["confidence"] not in ("inferred", "assumed")
        ):
            value |= {"confidence": "inferred", "why": why}
        _take_over(value, own if isinstance(own, dict) else {}, why)


def _parsed(text: str) -> dict:
    """The caller's own copy: a sweep reads the same file for every cell."""
    return deepcopy(_parse(text))


@lru_cache(maxsize=8)
def _parse(text: str) -> dict:
    return tomllib.loads(text)


def _merged(base: dict, over: dict) -> dict:
    merged = deepcopy(base)
    for key, value in over.items():
        both = isinstance(value, dict) and isinstance(merged.get(key), dict)
        merged[key] = _merged(merged[key], value) if both else value
    return merged


def _note_changes(before: dict, after: dict, who: str) -> None:
    """What a user changed does not come from where the old value came from: its origin says so, unless the
    user gives one.

    Modifies `after`.
    """
    records = any(_is_record(value) for value in before.values())
    for key, value in list(after.items()):
        old = before.get(key)
        if key in NOT_KNOBS or value == old:
            continue
        if isinstance(value, dict) and isinstance(old, dict) and not (_is_record(after) and _is_plain(value)):
            _note_changes(old, value, who)
        elif isinstance(value, dict) and old is None and records:
            value.setdefault("source", who)
            value.setdefault("confidence", "changed")
        elif _is_record(after) and _same_origin(before, after, key):
            was = before.get("origins", {}).get(key, before)
            why = (
                f"was {old} ({was.get('confidence')}: {was.get('source')})"
                if old is not None
                else "not there before"
            )
            after["origins"] = after.get("origins", {}) | {
                key: {"source": who, "confidence": "changed", "why": why}
            }


def _is_record(value: Any) -> bool:
    return isinstance(value, dict) and "confidence" in value


def _is_plain(table: dict) -> bool:
    """A table that is one value, with no records in it."""
    return not any(map(_is_record, (table, *table.values())))


def _same_origin(before: dict, after: dict, key: str) -> bool:
    """Does a value still claim the origin it had?"""
    if before.get("origins", {}).get(key) != after.get("origins", {}).get(key):
        return False
    return key in after.get("origins", {}) or all(
        before.get(name) == after.get(name) for name in ("source", "confidence")
    )


def patches(data: dict) -> dict[str, Any]:
    """The values changed by the readings in force."""
    changed: dict[str, Any] = {}
    for key, reading in data.get("rulings", {}).items():
        changed |= data.get("ruling", {}).get(key, {}).get("patch", {}).get(reading, {})
    return changed


def _check(game, data: dict, path: Path) -> ScenarioModel:
    try:
        model = game.schema.model_validate(data)
    except ValidationError as error:
        raise ScenarioError(f"{path}: {_first(error, data)}") from error
    if model.game != game.name:
        raise ScenarioError(f'{path}: game = "{model.game}", but this is read as a scenario of {game.name}')
    if model.difficulty not in model.difficulties():
        raise ScenarioError(
            f'{path}: difficulty = "{model.difficulty}"{did_you_mean(model.difficulty, model.difficulties())}'
        )
    for key, reading in model.rulings.items():
        if key not in model.ruling:
            raise ScenarioError(f"{path}: rulings.{key}: no such ruling{did_you_mean(key, model.ruling)}")
        if reading not in model.ruling[key].readings:
            raise ScenarioError(
                f'{path}: rulings.{key} = "{reading}": must be one of {", ".join(model.ruling[key].readings)}'
            )
    for prefix in model.change_cost:
        if not _is_there(data, prefix):
            raise ScenarioError(
                f'{path}: change_cost."{prefix}": no value lies '
                f"there{did_you_mean(prefix, set(data) - NOT_KNOBS)}"
            )
    for where, what in model.problems():
        raise ScenarioError(f"{path}: {where}: {what}")
    return model


def _is_there(data: Any, path: str) -> bool:
    for key in path.split("."):
        if not isinstance(data, dict) or key not in data:
            return False
        data = data[key]
    return True


def _first(error: ValidationError, data: dict) -> str:
    """One line for the first fault pydantic found."""
    fault = error.errors()[0]
    where = ".".join(str(part) for part in fault["loc"]) or "file"
    if fault["type"] == "extra_forbidden":
        room = data
        for part in fault["loc"][:-1]:
            room = room[part]
        known = set(room) - {fault["loc"][-1]} if isinstance(room, dict) else ()
        return f"{where}: unknown key{did_you_mean(str(fault['loc'][-1]), known)}"
    if fault["type"] == "missing":
        return f"{where}: is missing"
    shown = f" = {fault['input']!r}" if isinstance(fault["input"], (int, float, str, bool)) else ""
    return f"{where}{shown}: {fault['msg'].removeprefix('Value error, ')}"


def _no_path(data: dict, path: str, room_path: str, key: str, room: Any, file) -> ScenarioError:
    known = [k for k in room if k not in NOT_KNOBS] if isinstance(room, dict) else []
    where = f" under {room_path}" if room_path else ""
    return ScenarioError(f'{file}: no value "{path}": there is no "{key}"{where}{did_you_mean(key, known)}')


# ---------------------------------------------------------------- knobs


def _knobs(
    model: BaseModel, data: dict, path: str = "", origin: Datum | Origin | None = None
) -> Iterator[Knob]:
    """Every settable value below one model, in file order. `origin`: of the record it is part of."""
    for key, value in data.items():
        if key in NOT_KNOBS or key not in type(model).model_fields:
            continue
        here = f"{path}.{key}" if path else key
        child = getattr(model, key)
        source = model.origin(key) if isinstance(model, Datum) else origin
        if isinstance(child, BaseModel):
            yield from _knobs(child, value, here, source)
        elif isinstance(child, dict) and any(isinstance(v, BaseModel) for v in child.values()):
            for name in value:
                yield from _knobs(child[name], value[name], f"{here}.{name}", source)
        elif here == "rulings" and isinstance(model, ScenarioModel):
            for name, reading in value.items():
                ruling = model.ruling[name]
                yield Knob(
                    f"rulings.{name}",
                    reading,
                    " | ".join(ruling.readings),
                    f"{ruling.id}: {ruling.source}",
                    ruling.confidence,
                    choices=tuple(ruling.readings),
                )
        elif isinstance(value, (int, float, str, bool, list, dict)):
            yield _knob(model, key, value, here, source)


def _knob(model: BaseModel, key: str, value: Any, path: str, origin: Datum | Origin | None) -> Knob:
    low, high, choices = _limits(model, key, value, path)
    if choices:
        allowed = "true | false" if isinstance(value, bool) else " | ".join(map(str, choices))
    elif low is not None or high is not None:
        allowed = f"{'' if low is None else low} .. {'' if high is None else high}".strip()
    else:
        allowed = {int: "whole number", float: "number", str: "text", list: "list", dict: "table"}[
            type(value)
        ]
    return Knob(
        path,
        value,
        allowed,
        origin.source if origin else "",
        origin.confidence if origin else "",
        low,
        high,
        choices,
    )


def _limits(model: BaseModel, key: str, value: Any, path: str) -> tuple[float | None, float | None, tuple]:
    """(least, greatest, choices) that a value may have, as far as its type says."""
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


def _without(value: Any, drop: set[str]) -> Any:
    if isinstance(value, dict):
        return {key: _without(child, drop) for key, child in value.items() if key not in drop}
    return value
