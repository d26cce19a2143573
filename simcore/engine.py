"""From a game's functions to a compiled batch: the only place that spells numba signatures."""

import hashlib
from functools import cache
from pathlib import Path

import numba
import numpy as np
from numba import types
from numba.core import serialize

from simcore import play
from simcore.cache import source_tag
from simcore.game import Engine
from simcore.jit import bind, compiled, jit


def policy_signature(engine: Engine):
    """int32 choose(state, tables, legal_actions, n_legal, weights): what every policy of this game compiles to."""
    return types.int32(
        numba.from_dtype(engine.state_dtype),
        numba.from_dtype(engine.tables_dtype),
        types.int32[::1],
        types.int64,
        types.float64[::1],
    )


@cache
def batch_player(engine: Engine, seats: int):
    """The compiled `play_batch` of one game for a number of seats."""
    state, tables = numba.from_dtype(engine.state_dtype), numba.from_dtype(engine.tables_dtype)
    signature = types.int64(
        types.Array(state, 1, "C"),
        tables,
        types.UniTuple(types.FunctionType(policy_signature(engine)), seats),
        types.Array(numba.from_dtype(desk_dtype(engine, seats)), 1, "C"),
        types.uint64,
        types.int64,
        types.Array(numba.from_dtype(engine.record_dtype), 1, "C"),
        types.int64,
    )
    names, tag = _rules(engine), loop_tag(engine)
    play_game = jit(bind(play.play_game, tag, is_listed=jit(play.is_listed), **names))
    return compiled(bind(play.play_batch, tag, play_game=play_game, **names), signature)


def _rules(engine: Engine) -> dict:
    return {"reset": engine.reset, "legal_actions": engine.legal_actions, "apply": engine.apply, "write_record": engine.write_record}


@cache
def loop_tag(engine: Engine) -> str:
    """12 hex digits for the rules a play loop is bound to: which functions of which sources, and what they enclose."""
    digest = hashlib.sha256()
    for rule in _rules(engine).values():
        function = getattr(rule, "py_func", rule)
        code = function.__code__
        digest.update(f"{function.__qualname__}:{code.co_firstlineno}:{source_tag(Path(code.co_filename))}".encode())
        digest.update(serialize.dumps([cell.cell_contents for cell in function.__closure__ or ()]))
    return digest.hexdigest()[:12]


MAX_WEIGHTS = 64


@cache
def desk_dtype(engine: Engine, seats: int) -> np.dtype:
    """Scratch of one table: the list of legal actions, and each seat's weights."""
    return np.dtype([("weights", "f8", (seats, MAX_WEIGHTS)), ("legal", "i4", (engine.max_legal,))], align=True)


def new_desk(engine: Engine, weights: list[list[float]]) -> np.ndarray:
    """A desk (record array of length 1) with the weights of each seat."""
    desks = np.zeros(1, desk_dtype(engine, len(weights)))
    for seat, values in enumerate(weights):
        desks["weights"][0, seat, : len(values)] = values
    return desks


def new_states(engine: Engine, n: int = 1) -> np.ndarray:
    return np.zeros(n, engine.state_dtype)
