"""Load scenario files: a game's numbers and rulings as data, after a check.

A scenario is a TOML file checked by the game's pydantic model. It may extend another. The values set for a
run are applied, as are the *patches* of the current readings, which are the values that a ruling's reading
changes.
"""

import hashlib
import json
import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from difflib import get_close_matches
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import Any, TypeVar, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from bartizan.simcore import toml
from bartizan.simcore.compile import mistakes
from bartizan.simcore.errors import EngineError, ScenarioError, as_spelled, did_you_mean
from bartizan.simcore.scenario.model import (
    NOT_IN_TABLES,
    NOT_PARAMETERS,
    PROVENANCE,
    Confidence,
    Datum,
    ScenarioModel,
    data_origins,
    not_values,
)
from bartizan.simcore.scenario.parameters import (
    Parameter,
    by_path,
    called,
    find,
    get,
    parameters_of,
    put,
    scale_of,
    unit_of,
)

T = TypeVar("T")

# keys of a scenario file that cannot affect play, excluded from its hash
NOT_PLAYED = {
    *PROVENANCE,
    *("schema_version", "name", "title", "about", "sources", "reconstruction", "rules_source"),
    *("ruling", "step", "change_cost", "headings", "column_scales"),
    "read_otherwise",
}


DECIMAL = re.compile(r"-?\d{1,12}[.,]\d{1,12}")


@dataclass(frozen=True)
class Scenario:
    """A checked scenario, ready for simulation."""

    model: ScenarioModel
    data: dict = field(repr=False)  # the same as plain dicts, in file order
    overrides: dict[str, Any]  # path -> value set for this run
    path: Path

    @property
    def name(self) -> str:
        return self.model.name

    @property
    def difficulty(self) -> str:
        return self.model.difficulty

    @property
    def hash(self) -> str:
        """Hash (16 hex digits) of every value that can affect play, without sources and reasons."""
        return hashlib.sha256(json.dumps(_played(self.data)).encode()).hexdigest()[:16]

    @property
    def confidence(self) -> dict[str, int]:
        """Number of values by evidence level, such as {"assumed": 12}."""
        counts = Counter(origin.confidence for _, origin in data_origins(self.model))
        return {level: counts[level] for level in get_args(Confidence) if counts[level]}

    @property
    def assumed(self) -> int:
        return self.confidence.get("assumed", 0)

    @property
    def assumed_values(self) -> list[str]:
        """Names of the values that `assumed` counts, such as "Knight card, Attack"."""
        origins = data_origins(self.model)
        return [called(path, self.data) for path, origin in origins if origin.confidence == "assumed"]

    def parameters(self) -> list[Parameter]:
        """Return every value that `--set` can change, in file order, with its name."""
        unnamed = parameters_of(self.model, self.data)
        return [
            replace(one, what=called(one.path, self.data), scale=scale_of(one.path, self.data))
            for one in unnamed
        ]


def _played(value: Any, drop: set[str] = NOT_PLAYED) -> Any:
    if isinstance(value, dict):
        return {key: _played(child, NOT_IN_TABLES) for key, child in value.items() if key not in drop}
    return value


def scenario_names(folder: Path) -> list[str]:
    return sorted(path.stem for path in folder.glob("*.toml"))


def shipped_name(game, path: Path) -> str:
    """Return the name of the built-in scenario that a file is or extends.

    If it extends no scenario, return the game's default.
    """
    while path.parent != game.scenarios:
        base = _parsed(path.read_text(encoding="utf-8-sig")).get("extends")
        path = _base_of(game, path, base)
    return path.stem


def default_scenario(game) -> str:
    """Return the name of the scenario that a game uses by default."""
    names = scenario_names(game.scenarios)
    return "published" if "published" in names else names[0]


def load_scenario(
    game, name: str | None = None, difficulty: str | None = None, sets: Mapping[str, Any] | None = None
) -> Scenario:
    """Read, patch and check a scenario.

    name: one of the game's scenarios, or the path of a TOML file, which may contain `extends = "NAME"`; None
    for the game's default. sets: {path: value or text}, with paths as `path_meant` reads them. Values are set
    in this order: rulings and difficulty, then the patches that belong to the chosen readings of the rulings,
    then all other paths. Raises ScenarioError with file, path, reason and allowed values.
    """
    path = _find(game, name)
    data = _read(game, path)
    sets = by_path(sets or {}, data)
    if difficulty is not None:
        sets["difficulty"] = difficulty
    _lay_over(data, sets, _written(path))
    model = check(game, data, path)
    data["difficulty"] = model.difficulty  # given or not, it affects play
    overrides = {key: get(data, key) for key in sets if key != "difficulty"}
    return Scenario(model, data, overrides, path)


def paths_meant(game, name: str | None, values: Mapping[str, T]) -> dict[str, T]:
    """Return the values by their full paths in the scenario `name`, as `by_path` does."""
    return by_path(values, _read(game, _find(game, name))) if values else {}


def _lay_over(data: dict, sets: Mapping[str, Any], path: Path) -> None:
    """Apply set values, and the patches of the current readings, to `data`."""
    early = {key: value for key, value in sets.items() if key == "difficulty" or key.startswith("rulings.")}
    for key, value in early.items():
        if key == "difficulty":
            data[key] = str(value)  # a file may omit it
        else:
            put(data, key, value, path)
    spell_readings(data)
    for key, value in patches(data).items():
        put(data, key, value, path)
    late = {key: value for key, value in sets.items() if key not in early}
    if late:
        before = _copy(data)
        for key, value in late.items():
            put(data, key, value, path)
        note_changes(before, data, "set for this run")


def patches(data: dict) -> dict[str, Any]:
    """Return the values that the current readings change.

    Invalid entries are ignored, because `check` rejects them.
    """
    changed: dict[str, Any] = {}
    rulings, ruling = _table(data.get("rulings")), _table(data.get("ruling"))
    for key, reading in rulings.items():
        patch = _table(_table(ruling.get(key)).get("patch"))
        changed |= _table(patch.get(reading)) if isinstance(reading, str) else {}
    return changed


def spell_readings(data: dict) -> None:
    """Correct the case of the current readings in `data` to the case in their rulings."""
    rulings, ruling = _table(data.get("rulings")), _table(data.get("ruling"))
    for key, reading in rulings.items():
        known = _table(ruling.get(key)).get("readings")
        if isinstance(reading, str) and isinstance(known, list):
            rulings[key] = as_spelled(reading, map(str, known))


def _table(value: Any) -> dict:
    return value if isinstance(value, dict) else {}


def _find(game, name: str | None) -> Path:
    names = scenario_names(game.scenarios)
    if name is None:
        return game.scenarios / f"{default_scenario(game)}.toml"
    if (spelled := as_spelled(name, names)) in names:
        return game.scenarios / f"{spelled}.toml"
    path = Path(name)
    if path.suffix == ".toml":
        if not path.is_file():
            raise ScenarioError(f"{path}: no such scenario file; check the path")
        if path.resolve().parent == game.scenarios.resolve():  # a built-in one, however its path is written
            return game.scenarios / path.name
        return path
    raise ScenarioError(f'no scenario "{name}" for {game.name}{did_you_mean(name, names)}')


def _base_of(game, path: Path, name: str | None) -> Path:
    """Return the file that `path` extends: a file in the same folder, or else the result of `_find`."""
    beside = path.parent / name if name and name.endswith(".toml") else None
    return _find(game, str(beside) if beside and beside.is_file() else name)


def _read(game, path: Path, below: tuple[Path, ...] = ()) -> dict:
    """Return the data of a file, laid over the data of the files that it extends.

    below: the files that extend this one. Raises ScenarioError for a file that cannot be read, or a circular
    `extends`.
    """
    try:
        data = _parsed(path.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError, RecursionError) as error:
        raise ScenarioError(f"{path}: {toml.fault_of(error)}") from error
    base_name = data.pop("extends", None)
    if base_name is None:
        return data
    if not isinstance(base_name, str):
        raise ScenarioError(f"{path}: extends: must be the name of a scenario, or the path of a .toml file")
    try:
        base_path, below = _base_of(game, path, base_name), (*below, path.resolve())
    except ScenarioError as error:
        raise ScenarioError(f"{path}: extends: {error}") from None
    if base_path.resolve() in below:
        raise ScenarioError(
            f'{path}: extends = "{base_name}": circular, because it leads back to {base_path}; extend '
            "another scenario"
        )
    base = _read(game, base_path, below)
    if "taken_over" in data:
        take_over(base, data, data.pop("taken_over"))
    merged = _merged(base, data)
    note_changes(base, merged, path.name)
    return merged


def _parsed(text: str) -> dict:
    """Parse a text. Returns a copy for each caller, because a sweep reads the same file for every cell."""
    parsed: dict = _copy(_parse(text))
    return parsed


@lru_cache(maxsize=8)
def _parse(text: str) -> dict:
    return tomllib.loads(text)


def _copy(value: Any) -> Any:
    """Copy tables and lists, in a fraction of the time of `deepcopy`.

    Other values are immutable and not copied.
    """
    if isinstance(value, dict):
        return {key: _copy(child) for key, child in value.items()}
    return [*map(_copy, value)] if isinstance(value, list) else value


def _merged(base: dict, over: dict) -> dict:
    merged: dict = _copy(base)
    for key, value in over.items():
        both = isinstance(value, dict) and isinstance(merged.get(key), dict)
        merged[key] = _merged(merged[key], value) if both else value
    return merged


# ---------------------------------------------------------------- checks

# Check whether a game can play a scenario: one line for the first fault.


def check(game, data: dict, path: Path) -> ScenarioModel:
    """Return the checked model of a scenario's data. Raises ScenarioError for the first fault.

    Words in `data` may differ from the known words in case, and are corrected in place.
    """
    path = _written(path)
    try:
        model = _spelled_model(game, data)
    except ValidationError as error:
        raise ScenarioError(f"{path}: {first_fault(error, data, game.schema)}") from error
    if model.game != game.name:
        raise ScenarioError(
            f'{path}: game = "{model.game}", but it is used as a scenario of '
            f'{game.name}; choose another file, or write game = "{game.name}"'
        )
    if (level := model.difficulty) not in model.difficulties():
        only = model.only_at(level)
        instead = f": it applies only to {only}" if only else did_you_mean(level, model.difficulties())
        raise ScenarioError(f'{path}: no difficulty "{level}"{instead}')
    _check_references(model, data, path)
    if problem := _first_problem(model):
        raise ScenarioError(f"{path}: {problem}")
    return model


def _spelled_model(game, data: dict) -> ScenarioModel:
    """Return the model of a scenario's data. Corrects the case of words and of the level in `data`."""
    try:
        model = game.schema.model_validate(data)
    except ValidationError as error:
        words = [
            _spell(data, fault) for fault in error.errors() if fault["type"] in ("literal_error", "enum")
        ]
        if not any(words):
            raise
        model = game.schema.model_validate(data)
    level = as_spelled(model.difficulty, model.difficulties())
    if level != model.difficulty:
        data["difficulty"] = level
        model = game.schema.model_validate(data)
    return model


def _spell(data: Any, fault: ErrorDetails) -> bool:
    """Correct the case of a word in `data` that its field does not accept.

    Return whether the field accepts the corrected word.
    """
    *rooms, last = fault["loc"]
    known = re.findall(r"'([^']*)'", fault["ctx"]["expected"])
    word = as_spelled(str(fault["input"]), known)
    for key in rooms:
        data = data[key]
    data[last] = word
    return word in known


def _written(path: Path) -> Path:
    """Return the file that the author wrote.

    For a short game, this is not the scenario generated from that file.
    """
    return Path(mistakes.WRITTEN.get(str(path), path))


def _first_problem(model: ScenarioModel) -> str:
    """Return the first result of the game's own `problems` as `PLACE: MESSAGE`; "" if there is none.

    Raises EngineError for a result of another form.
    """
    problem = next(chain(_unknown_columns(model), model.problems() or ()), ())
    if isinstance(problem, tuple) and len(problem) in (0, 2):
        return ": ".join(map(str, problem))
    raise EngineError(
        f"{mistakes.head_of(type(model).problems)}: problems yields {problem!r} instead of a place and "
        'a message: yield "dice.sides", "a die needs two"'
    )


def _unknown_columns(model: ScenarioModel) -> Iterator[tuple[str, str]]:
    """Yield a fault for each scale of a column that is no column of integers, and for a scale below 2."""
    for deck, scales in model.column_scales.items():
        cards = getattr(model, deck, None) if deck in type(model).model_fields else None
        if not isinstance(cards, dict):
            yield f"column_scales.{deck}", "the game has no such deck with a sheet; remove this table"
            continue
        for column, scale in scales.items():
            values = [getattr(card, column, None) for card in cards.values()]
            if column == "copies":
                yield f"column_scales.{deck}.{column}", "numbers of copies have no scale; remove this line"
            elif not all(type(value) is int for value in values):
                known = {key for card in cards.values() for key, value in card if type(value) is int}
                meant = did_you_mean(column, known - {"copies"})
                yield f"column_scales.{deck}.{column}", f"{deck} has no such column of numbers{meant}"
            elif scale < 2:
                yield f"column_scales.{deck}.{column} = {scale}", "write 2 or more: 10 if rules read tenths"


def _check_references(model: ScenarioModel, data: dict, path: Path) -> None:
    """Raise ScenarioError unless rulings, costs of changes and steps refer to existing names."""
    for key, reading in model.rulings.items():
        if key not in model.ruling:
            raise ScenarioError(f"{path}: rulings.{key}: no such ruling{did_you_mean(key, model.ruling)}")
        if reading not in model.ruling[key].readings:
            raise ScenarioError(
                f'{path}: rulings.{key} = "{reading}": must be one of {", ".join(model.ruling[key].readings)}'
            )

    for prefix in model.change_cost:
        if find(data, prefix) is None:
            raise ScenarioError(
                f'{path}: change_cost."{prefix}": no such '
                f"value{did_you_mean(prefix, set(data) - NOT_PARAMETERS)}"
            )

    for name, step in model.step.items():
        for where in step.set:
            if find(data, where) is None:
                raise ScenarioError(f'{path}: step.{name}.set: no value "{where}"')


def _instead(loc: tuple, data: dict) -> str:
    """Suggest a correction for a missing value; "" if none is known.

    It is a similar name, or the scenario that the file should extend.
    """
    if len(loc) == 1:
        return '; to change another scenario, write extends = "NAME" above' if loc[0] == "game" else ""
    if len(loc) != 3:
        return ""
    room, record = data.get(loc[0]), loc[1]
    near = [name for name in room if name != record] if isinstance(room, dict) else []
    close = get_close_matches(str(record), near, 1)
    return f'; a new "{record}" needs it; did you mean "{close[0]}"?' if close else ""


def first_fault(error: ValidationError, data: dict, model: type[BaseModel]) -> str:
    """Return one line for the first fault that pydantic found."""
    fault = error.errors()[0]
    where = ".".join(str(part) for part in fault["loc"]) or "file"
    if fault["type"] == "extra_forbidden":
        room: Any = data
        for part in fault["loc"][:-1]:
            room = room[part]
        known = set(room) - {fault["loc"][-1]} if isinstance(room, dict) else set()
        known |= set(model.model_fields) if room is data else set()
        return f"{where}: unknown key{did_you_mean(str(fault['loc'][-1]), known)}"
    field = model.model_fields.get(where) or Datum.model_fields.get(where.rpartition(".")[2])
    meant = f" ({field.description})" if field and field.description else ""
    if fault["type"] == "missing":
        return f"{where}: missing{meant}{_instead(fault['loc'], data)}"
    if fault["type"] == "tuple_type":
        return f"{where}: TOML has lists, not tuples: declare list[list[int]], or similar, in the model"
    shown = f" = {fault['input']!r}" if isinstance(fault["input"], (int, float, str, bool)) else ""
    if (scale := scale_of(where, data)) > 1 and (number := _decimal(fault["input"])) is not None:
        instead = str(int(number * scale)) if number * scale % 1 == 0 else "an integer"
        return f"{where}{shown}: rules read this column in {unit_of(scale)}: write {instead}"
    return f"{where}{shown}: {fault['msg'].removeprefix('Value error, ')}{meant}"


def _decimal(value: Any) -> Decimal | None:
    """Return a number with decimals, such as 1.5 or "1,5", exactly; None for anything else."""
    return Decimal(str(value).replace(",", ".")) if DECIMAL.fullmatch(str(value)) else None


# ---------------------------------------------------------------- origins of changed values

# The origin of a value after a file or a run has changed it.


def take_over(base: dict, over: dict, why: str) -> None:
    """Lower the evidence level of records in `base` to "inferred" if another edition leaves them unchanged.

    The file of that edition states nothing about them.
    """
    for key, value in base.items():
        if not isinstance(value, dict) or key in PROVENANCE:
            continue
        own = over.get(key, {})
        is_inherited = _is_record(value) and "confidence" not in own
        if is_inherited and value["confidence"] not in ("inferred", "assumed"):
            value |= {"confidence": "inferred", "why": why}
        take_over(value, own if isinstance(own, dict) else {}, why)


def note_changes(before: dict, after: dict, who: str, path: str = "") -> None:
    """Replace the origin of values in `after` that a user changed, unless the user states an origin."""
    records = any(_is_record(value) for value in before.values())
    for key, value in list(after.items()):
        old = before.get(key)
        if key in not_values(path) or value == old:
            continue
        if isinstance(value, dict) and isinstance(old, dict) and not (_is_record(after) and _is_plain(value)):
            note_changes(old, value, who, key)
        elif isinstance(value, dict) and old is None and records:
            value.setdefault("source", who)
            value.setdefault("confidence", "changed")
        elif _is_record(after) and _same_origin(before, after, key):
            why = "not there before"
            if old is not None:
                was = before.get("origins", {}).get(key, before)
                why = f"was {old} ({was.get('confidence')}: {was.get('source')})"
            origin = {"source": who, "confidence": "changed", "why": why}
            after["origins"] = after.get("origins", {}) | {key: origin}


def _is_record(value: Any) -> bool:
    return isinstance(value, dict) and "confidence" in value


def _is_plain(table: dict) -> bool:
    """Return whether a table is one value, without records inside it."""
    return not any(map(_is_record, (table, *table.values())))


def _same_origin(before: dict, after: dict, key: str) -> bool:
    if before.get("origins", {}).get(key) != after.get("origins", {}).get(key):
        return False
    return key in after.get("origins", {}) or all(
        before.get(name) == after.get(name) for name in ("source", "confidence")
    )
