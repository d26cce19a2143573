"""From a scenario file to a checked scenario: a game's numbers and rulings as data.

A scenario is a TOML file checked by the game's pydantic model. It may extend another. Over it are laid the
values set for a run and the *patches* of the readings in force: the values that a ruling's reading changes.
"""

import hashlib
import json
import tomllib
from collections import Counter
from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, get_args

from bartizan.simcore.errors import ScenarioError, did_you_mean
from bartizan.simcore.scenario.checking import check
from bartizan.simcore.scenario.model import PROVENANCE, Confidence, ScenarioModel, data_origins
from bartizan.simcore.scenario.names import called
from bartizan.simcore.scenario.origins import note_changes, take_over
from bartizan.simcore.scenario.parameters import Parameter, get, parameters_of, put

# what cannot affect play: no part of a scenario's hash
NOT_PLAYED = {
    *PROVENANCE,
    *("schema_version", "name", "title", "about", "sources", "reconstruction", "rules_source"),
    *("ruling", "step", "change_cost"),
}


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
        return hashlib.sha256(json.dumps(_without(self.data, NOT_PLAYED)).encode()).hexdigest()[:16]

    @property
    def confidence(self) -> dict[str, int]:
        """How many data stand on what: {confidence: count}."""
        counts = Counter(origin.confidence for _, origin in data_origins(self.model))
        return {level: counts[level] for level in get_args(Confidence) if counts[level]}

    @property
    def assumed(self) -> int:
        return self.confidence.get("assumed", 0)

    def parameters(self) -> list[Parameter]:
        """Every value that `--set` can reach, in file order, with its name."""
        unnamed = parameters_of(self.model, self.data)
        return [replace(parameter, what=called(parameter.path, self.data)) for parameter in unnamed]


def _without(value: Any, drop: set[str]) -> Any:
    if isinstance(value, dict):
        return {key: _without(child, drop) for key, child in value.items() if key not in drop}
    return value


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
    the game's first. sets: {path: value or text}. Rulings and difficulty are set first, then the patches of
    the readings in force, then the other paths. Raises ScenarioError: one line with file, path, reason and
    what is allowed.
    """
    sets = dict(sets or {})
    if difficulty is not None:
        sets["difficulty"] = difficulty
    path = _find(game, name)
    data = _read(game, path)
    _lay_over(data, sets, path)
    model = check(game, data, path)
    data["difficulty"] = model.difficulty  # said or not, it is part of what is played
    overrides = {key: get(data, key) for key in sets if key != "difficulty"}
    return Scenario(model, data, overrides, path)


def _lay_over(data: dict, sets: Mapping[str, Any], path: Path) -> None:
    """Set values and the patches of the readings in force. Modifies `data`."""
    early = {key: value for key, value in sets.items() if key == "difficulty" or key.startswith("rulings.")}
    for key, value in early.items():
        if key == "difficulty":
            data[key] = str(value)  # a file need not say it
        else:
            put(data, key, value, path)
    for key, value in patches(data).items():
        put(data, key, value, path)
    before = deepcopy(data)
    for key, value in sets.items():
        if key not in early:
            put(data, key, value, path)
    note_changes(before, data, "set for this run")


def patches(data: dict) -> dict[str, Any]:
    """The values changed by the readings in force. What is no table there is refused by `check`."""
    changed: dict[str, Any] = {}
    rulings, ruling = _table(data.get("rulings")), _table(data.get("ruling"))
    for key, reading in rulings.items():
        patch = _table(_table(ruling.get(key)).get("patch"))
        changed |= _table(patch.get(reading)) if isinstance(reading, str) else {}
    return changed


def _table(value: Any) -> dict:
    return value if isinstance(value, dict) else {}


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


def _read(game, path: Path, below: tuple[Path, ...] = ()) -> dict:
    """below: the files that extend this one."""
    try:
        data = _parsed(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise ScenarioError(f"{path}: not TOML: {error}") from error
    except RecursionError:
        raise ScenarioError(f"{path}: nested too deeply") from None
    except (OSError, UnicodeDecodeError) as error:
        raise ScenarioError(f"{path}: cannot be read: {error}") from error
    base_name = data.pop("extends", None)
    if base_name is None:
        return data
    if not isinstance(base_name, str):
        raise ScenarioError(f"{path}: extends: must be the name of a scenario, or the path of a .toml file")
    base_path, below = _find(game, base_name), (*below, path.resolve())
    if base_path.resolve() in below:
        raise ScenarioError(f'{path}: extends = "{base_name}": leads back to {base_path}; extend another one')
    base = _read(game, base_path, below)
    if "taken_over" in data:
        take_over(base, data, data.pop("taken_over"))
    merged = _merged(base, data)
    note_changes(base, merged, path.name)
    return merged


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
