"""Encoding of tasks and results for transfer between processes: a JSON text and the bytes of arrays.

Equal values have equal encodings, so that the results of two workers can be compared. No code is sent:
classes and functions are referred to by their names in this package.
"""

import json
from dataclasses import fields, is_dataclass
from functools import partial, reduce
from importlib import import_module
from pathlib import Path
from types import MethodType
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from bartizan.api.cluster import worker
from bartizan.policies.request import name_in_commands
from bartizan.simcore.errors import EngineError
from bartizan.simcore.play.batch import Batch
from bartizan.simcore.play.match import Match
from bartizan.simcore.sweep.manifest import table_identity
from bartizan.simcore.sweep.plan import FILES

PACKAGE = "bartizan."
LENGTH = 8  # bytes of the number that gives the length of the text


def in_bytes(value: Any) -> bytes:
    """Encode a number, a text, an array, a match, or a dataclass, named tuple or function of this package.

    Lists, tuples and dicts of these are also encoded. Raises TypeError for anything else.
    """
    arrays: list[bytes] = []
    text = json.dumps(_worded(value, arrays), sort_keys=True).encode()
    return b"".join([len(text).to_bytes(LENGTH, "big"), text, *arrays])


def read(content: bytes) -> Any:
    """Decode the output of `in_bytes`. Raises EngineError for names outside this package."""
    end = LENGTH + int.from_bytes(content[:LENGTH], "big")
    return _read(json.loads(content[LENGTH:end]), memoryview(content)[end:])


# ---------------------------------------------------------------- values


def _worded(value: Any, arrays: list[bytes]) -> Any:
    """Return a value as JSON data: plain values unchanged, all others as {kind: parts}.

    Appends the bytes of arrays to `arrays`.
    """
    if value is None or type(value) in (bool, int, float, str):
        return value
    word = partial(_worded, arrays=arrays)
    if isinstance(value, np.ndarray) and value.dtype.names:  # without the padding between columns
        columns = [word(value[name]) for name in value.dtype.names]
        return {"records": [_dtype_in_words(value.dtype), list(value.shape), columns]}
    if isinstance(value, np.ndarray):
        start = sum(map(len, arrays))
        arrays.append(np.ascontiguousarray(value).tobytes())
        return {"array": [value.dtype.str, list(value.shape), start]}
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, (Batch, Match)):
        match = value if isinstance(value, Match) else value.match
        weights = [list(player.weights.items()) for player in match.players]
        return {"batch" if match is not value else "match": [table_in_words(match), weights, match.seed]}
    if isinstance(value, dict):
        return {"dict": [[word(key), word(one)] for key, one in value.items()]}
    if isinstance(value, (tuple, list)):
        kind = "made" if hasattr(value, "_fields") else "tuple" if isinstance(value, tuple) else "list"
        parts = [word(one) for one in value]
        return {kind: [_name(type(value)), parts] if kind == "made" else parts}
    if is_dataclass(value) and not isinstance(value, type):
        return {"made": [_name(type(value)), [word(getattr(value, one.name)) for one in fields(value)]]}
    if isinstance(value, MethodType):
        return {"method": [word(value.__self__), value.__name__]}
    if isinstance(value, partial):
        return {"partial": [word(value.func), word(value.args), word(value.keywords)]}
    if (function := getattr(value, "py_func", None)) is not None:
        return {"named": _name(function)}
    raise TypeError(f"{type(value).__name__}: cannot be sent to a worker")


def _read(worded: Any, arrays: memoryview) -> Any:
    if not isinstance(worded, dict):
        return worded
    ((kind, made_of),) = worded.items()
    again = partial(_read, arrays=arrays)
    if kind == "array":
        dtype, shape, start = np.dtype(made_of[0]), made_of[1], made_of[2]
        array = np.zeros(shape, dtype)
        if array.size:
            array[...] = np.frombuffer(arrays, dtype, array.size, start).reshape(shape)
        return array
    if kind == "records":
        dtype, shape, columns = _dtype_of(made_of[0]), made_of[1], made_of[2]
        records = np.zeros(shape, dtype)
        for name, column in zip(dtype.names or (), columns, strict=True):
            records[name][...] = again(column)
        return records
    if kind in ("match", "batch"):
        table, weights, seed = made_of
        return (worker.match_of if kind == "match" else worker.batch_of)(
            table, [dict(own) for own in weights], seed
        )
    if kind == "dict":
        return {again(key): again(one) for key, one in made_of}
    if kind in ("tuple", "list"):
        return (tuple if kind == "tuple" else list)(map(again, made_of))
    if kind == "made":
        return named(made_of[0])(*map(again, made_of[1]))
    if kind == "method":
        return getattr(again(made_of[0]), made_of[1])
    if kind == "partial":
        function, arguments, options = map(again, made_of)
        return partial(function, *arguments, **options)
    return named(made_of)


def _name(one: Any) -> str:
    return f"{one.__module__}:{one.__qualname__}"


def named(name: str) -> Any:
    """Return the class or function with this name, such as `bartizan.module:name`.

    Raises EngineError for a name outside this package.
    """
    module, _, inside = name.partition(":")
    if not module.startswith(PACKAGE):
        raise EngineError(f"{name}: not part of bartizan; check that the worker has the same version")
    return reduce(getattr, inside.split("."), import_module(module))


def _dtype_in_words(dtype: np.dtype[Any]) -> Any:
    """Return a dtype as JSON data, with offsets and alignment, because compiled code depends on them."""
    if dtype.subdtype:
        base, shape = dtype.subdtype
        return [_dtype_in_words(base), list(shape)]
    if dtype.fields is None:
        return dtype.str
    inside = [dtype.fields[name] for name in dtype.names or ()]
    return {
        "names": list(dtype.names or ()),
        "formats": [_dtype_in_words(one[0]) for one in inside],
        "offsets": [one[1] for one in inside],
        "itemsize": dtype.itemsize,
        "aligned": dtype.isalignedstruct,
    }


def _dtype_of(words: Any) -> np.dtype[Any]:
    if isinstance(words, list):
        of_each: Any = (_dtype_of(words[0]), tuple(words[1]))
        subarray: np.dtype[Any] = np.dtype(of_each)
        return subarray
    if isinstance(words, str):
        return np.dtype(words)
    of_columns: Any = {**words, "formats": [_dtype_of(one) for one in words["formats"]]}
    structured: np.dtype[Any] = np.dtype(of_columns)
    return structured


# ---------------------------------------------------------------- a match


def table_in_words(match: Match) -> str:
    """Return a description of a match as JSON text, with names as the user wrote them.

    The description contains a hash of the whole match except its weights and seed.
    """
    if match not in _TABLES:
        _TABLES[match] = json.dumps(_table(match), sort_keys=True)
    return _TABLES[match]


_TABLES: WeakKeyDictionary[Match, str] = WeakKeyDictionary()  # cache


def _table(match: Match) -> dict[str, Any]:
    game, scenario = match.game, match.scenario
    shipped = scenario.path.parent == game.scenarios
    for player in match.players:
        if not player.named:
            raise EngineError(
                f"--cluster: workers cannot load policy {player.name}, because it has no importable name"
            )
    return {
        "game": name_in_commands(game),
        "scenario": scenario.path.stem if shipped else whole_path(str(scenario.path)),
        "difficulty": scenario.difficulty,
        "policies": [whole_paths(player.named) for player in match.players],
        "sets": scenario.overrides,
        "ply_cap": match.ply_cap,
        "deals": match.deals,
        "identity": table_identity(match),
    }


def whole_path(named: str) -> str:
    """Return the name of a file as an absolute path, because a worker may run in another folder.

    Other names are returned unchanged.
    """
    return str(Path(named).resolve()) if Path(named).is_file() else named


def whole_paths(policy: str) -> str:
    """Return the text of a policy with absolute paths in place of file names."""
    return FILES.sub(lambda found: found["before"] + whole_path(found["file"]), policy)
