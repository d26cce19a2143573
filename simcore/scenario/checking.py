"""Is a scenario one that its game can play? One line for the first fault."""

from difflib import get_close_matches
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError

from bartizan.simcore.compile import mistakes
from bartizan.simcore.errors import EngineError, ScenarioError, did_you_mean
from bartizan.simcore.scenario.model import NOT_PARAMETERS, Datum, ScenarioModel


def check(game, data: dict, path: Path) -> ScenarioModel:
    """The checked model of a scenario's data. Raises ScenarioError: one line for the first fault."""
    try:
        model = game.schema.model_validate(data)
    except ValidationError as error:
        raise ScenarioError(f"{path}: {first_fault(error, data, game.schema)}") from error
    if model.game != game.name:
        raise ScenarioError(f'{path}: game = "{model.game}", but this is read as a scenario of {game.name}')
    if model.difficulty not in model.difficulties():
        raise ScenarioError(
            f'{path}: difficulty = "{model.difficulty}"{did_you_mean(model.difficulty, model.difficulties())}'
        )
    _check_rulings(model, path)
    _check_change_costs(model, data, path)
    _check_steps(model, data, path)
    if problem := _first_problem(model):
        raise ScenarioError(f"{path}: {problem}")
    return model


def _first_problem(model: ScenarioModel) -> str:
    """What the game itself finds wrong first: `problems` yields pairs, where and what; "" if nothing."""
    found = next(iter(model.problems() or ()), ())
    if isinstance(found, tuple) and len(found) in (0, 2):
        return ": ".join(map(str, found))
    raise EngineError(
        f"{mistakes.head_of(type(model).problems)}: problems yields {found!r} instead of where and what: "
        'yield "dice.sides", "a die needs two"'
    )


def _check_rulings(model: ScenarioModel, path: Path) -> None:
    for key, reading in model.rulings.items():
        if key not in model.ruling:
            raise ScenarioError(f"{path}: rulings.{key}: no such ruling{did_you_mean(key, model.ruling)}")
        if reading not in model.ruling[key].readings:
            raise ScenarioError(
                f'{path}: rulings.{key} = "{reading}": must be one of {", ".join(model.ruling[key].readings)}'
            )


def _check_change_costs(model: ScenarioModel, data: dict, path: Path) -> None:
    for prefix in model.change_cost:
        if not _is_there(data, prefix):
            raise ScenarioError(
                f'{path}: change_cost."{prefix}": no value lies '
                f"there{did_you_mean(prefix, set(data) - NOT_PARAMETERS)}"
            )


def _check_steps(model: ScenarioModel, data: dict, path: Path) -> None:
    for name, step in model.step.items():
        for where in step.set:
            if not _is_there(data, where):
                raise ScenarioError(f'{path}: step.{name}.set: no value "{where}"')


def _is_there(data: Any, path: str) -> bool:
    for key in path.split("."):
        if not isinstance(data, dict) or key not in data:
            return False
        data = data[key]
    return True


def _instead(loc: tuple, data: dict) -> str:
    """What may be meant where a value is missing: a neighbour of a record with a misspelt name, or the
    scenario that a file forgot to extend.
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
    """One line for the first fault pydantic found."""
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
        return f"{where}: is missing{meant}{_instead(fault['loc'], data)}"
    if fault["type"] == "tuple_type":
        return f"{where}: TOML has lists, no tuples: let the model say list[list[int]], or the like"
    shown = f" = {fault['input']!r}" if isinstance(fault["input"], (int, float, str, bool)) else ""
    return f"{where}{shown}: {fault['msg'].removeprefix('Value error, ')}{meant}"
