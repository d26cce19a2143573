"""From a game's functions to a compiled batch: the only place that spells numba signatures."""

import hashlib
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path

import numba
import numpy as np
from numba import types
from numba.core import serialize

from bartizan.simcore import play
from bartizan.simcore.cache import source_tag
from bartizan.simcore.game import Engine
from bartizan.simcore.jit import bind, compiled, jit


def policy_signature(engine: Engine):
    """int32 choose(state, tables, legal_actions, n_legal, weights): what every policy of this game compiles
    to.
    """
    return types.int32(
        numba.from_dtype(engine.state_dtype),
        numba.from_dtype(engine.tables_dtype),
        types.int32[::1],
        types.int64,
        types.float64[::1],
    )


def _at_table(engine: Engine, seats: int) -> tuple:
    """The arguments that every batch begins with: states, tables, policies, desks, seed, first game."""
    return (
        types.Array(numba.from_dtype(engine.state_dtype), 1, "C"),
        numba.from_dtype(engine.tables_dtype),
        types.UniTuple(types.FunctionType(policy_signature(engine)), seats),
        types.Array(numba.from_dtype(desk_dtype(engine, seats)), 1, "C"),
        types.uint64,
        types.int64,
    )


@cache
def batch_player(engine: Engine, seats: int):
    """The compiled `play_batch` of one game for a number of seats."""
    signature = types.int64(
        *_at_table(engine, seats), types.Array(numba.from_dtype(engine.record_dtype), 1, "C"), types.int64
    )
    names, tag = _rules(engine), loop_tag(engine)
    loop = _loop(names, tag, is_due=jit(play.is_due))
    play_game = jit(bind(play.play_game, tag, **loop))
    return compiled(bind(play.play_batch, tag, play_game=play_game, **names), signature)


@cache
def swap_player(engine: Engine, seats: int):
    """The compiled `play_swaps` of a game whose cards can change places."""
    records = types.Array(numba.from_dtype(engine.record_dtype), 1, "C")
    numbers = (types.int64, types.int64, types.int32[::1], records, types.int8[:, ::1], types.int64)
    names, tag = _card_rules(engine), card_tag(engine)
    loop = _loop(names, tag)
    outcome = jit(bind(play.outcome, tag, **names, **loop))
    return compiled(
        bind(play.play_swaps, tag, outcome=outcome, **names, **loop),
        types.void(*_at_table(engine, seats), *numbers),
    )


@cache
def use_player(engine: Engine, seats: int):
    """The compiled `play_uses` of a game that says how its cards are used."""
    signature = types.int64(*_at_table(engine, seats), types.int32[:, :, ::1], types.int64)
    names, tag = _use_rules(engine), use_tag(engine)
    play_noting = jit(bind(play.play_noting, tag, decide=_decide(names, tag), **names))
    begin_game = jit(bind(play.begin_game, tag, **names))
    return compiled(bind(play.play_uses, tag, begin_game=begin_game, play_noting=play_noting), signature)


@cache
def stage_player(engine: Engine, seats: int, event: str):
    """The compiled `play_stage` of one rare event of a game."""
    states, levels = types.Array(numba.from_dtype(engine.state_dtype), 1, "C"), types.int64[::1]
    numbers = (states, levels, levels, types.int64, states, levels, levels, levels, types.int64)
    names, tag = _rare_rules(event)(engine), rare_tag(engine, event)
    play_until = jit(bind(play.play_until, tag, decide=_decide(names, tag), **names))
    begin_game = jit(bind(play.begin_game, tag, **names))
    return compiled(
        bind(play.play_stage, tag, begin_game=begin_game, play_until=play_until),
        types.void(*_at_table(engine, seats), *numbers),
    )


@cache
def fork_player(engine: Engine, seats: int):
    """The compiled `play_forks` of a game."""
    records = types.Array(numba.from_dtype(engine.record_dtype), 1, "C")
    numbers = (types.int64, types.int64, records, types.int32[:, ::1], types.int32[:, :, ::1], types.int64)
    names, tag = _fork_rules(engine), fork_tag(engine)
    loop = _loop(names, tag, is_due=jit(play.is_due))
    outcome = jit(bind(play.outcome, tag, **names, **loop))
    play_turn = jit(bind(play.play_turn, tag, decide=_decide(names, tag), **names))
    return compiled(
        bind(play.play_forks, tag, outcome=outcome, play_turn=play_turn, **names, **loop),
        types.int64(*_at_table(engine, seats), *numbers),
    )


@cache
def way_player(engine: Engine, seats: int, crossroads: Callable):
    """The compiled `play_ways` of a game, for the decisions that `crossroads` (jitted) picks out."""
    records = types.Array(numba.from_dtype(engine.record_dtype), 4, "C")
    numbers = types.int64[:, ::1], types.int64[::1], types.int64[:, :, ::1], types.int32[:, ::1]
    names, tag = _way_rules(crossroads)(engine), way_tag(engine, crossroads)
    loop = _loop(names, tag, is_due=jit(play.is_due))
    both_ways = jit(bind(play.both_ways, tag, **names, **loop))
    bound = bind(play.play_ways, tag, both_ways=both_ways, decide=_decide(names, tag), **names, **loop)
    return compiled(bound, types.int64(*_at_table(engine, seats), *numbers, records, types.int64))


@cache
def luck_player(engine: Engine, seats: int, numbers: int):
    """The compiled `play_adjusted` of one game, for guesses from so many numbers."""
    model, scratch = (
        types.Array(numba.from_dtype(make(seats, numbers)), 1, "C") for make in (model_dtype, scratch_dtype)
    )
    names, tag = _luck_rules(engine), luck_tag(engine)
    names |= {"lateness": jit(play.lateness), "luck_sum": jit(play.luck_sum), "decide": _decide(names, tag)}
    for part in (
        play.begin_game,
        play.guess,
        play.begin_otherwise,
        play.expect_begin,
        play.expect_action,
        play.play_adjusted_game,
    ):
        names[part.__name__] = jit(bind(part, tag, **names))
    records = types.Array(numba.from_dtype(engine.record_dtype), 1, "C")
    signature = types.int64(
        *_at_table(engine, seats),
        types.int64,
        model,
        scratch,
        records,
        types.int8[::1],
        types.float64[:, ::1],
        types.int64,
    )
    return compiled(bind(play.play_adjusted, tag, **names), signature)


@cache
def pilot_player(engine: Engine, seats: int):
    """The compiled `play_pilot` of one game."""
    names, tag = _luck_rules(engine), luck_tag(engine)
    begin_game = jit(bind(play.begin_game, tag, **names))
    records = types.Array(numba.from_dtype(engine.record_dtype), 1, "C")
    signature = types.int64(
        *_at_table(engine, seats),
        records,
        types.float32[:, :, ::1],
        types.int32[::1],
        types.int8[::1],
        types.int64,
    )
    return compiled(
        bind(
            play.play_pilot,
            tag,
            begin_game=begin_game,
            decide=_decide(names, tag),
            luck_sum=jit(play.luck_sum),
            **names,
        ),
        signature,
    )


@cache
def model_dtype(seats: int, numbers: int) -> np.dtype:
    """A guess at the winner, ready to be worked out: see `simcore.play.guess`."""
    return np.dtype(
        [
            ("centre", "f8", (numbers,)),
            ("scale", "f8", (numbers,)),
            ("weight", "f8", (seats, 3, numbers)),
            ("constant", "f8", (seats,)),
        ],
        align=True,
    )


@cache
def scratch_dtype(seats: int, numbers: int) -> np.dtype:
    """Room to work one out."""
    return np.dtype(
        [("seen", "f8", (numbers,)), ("values", "f8", (seats,)), ("expected", "f8", (seats,))], align=True
    )


def _luck_rules(engine: Engine) -> dict:
    write = engine.outlook.write if engine.outlook else jit(play.write_outlook)
    return {**_rules(engine), "redeal": engine.redeal or jit(play.redeal), "write_outlook": write}


def luck_tag(engine: Engine) -> str:
    """The same as `loop_tag` for the loops that take luck out of a game."""
    return _tag(engine, _luck_rules)


def _loop(names: dict, tag: str, **more) -> dict:
    """The two halves of a game, bound: `begin_game` and `play_on`."""
    play_on = bind(play.play_on, tag, decide=_decide(names, tag), **names, **more)
    return {"begin_game": jit(bind(play.begin_game, tag, **names)), "play_on": jit(play_on)}


def _decide(names: dict, tag: str):
    """Asking the player who is to move, bound: what every loop does."""
    return jit(bind(play.decide, tag, is_listed=jit(play.is_listed), legal_actions=names["legal_actions"]))


def _rules(engine: Engine) -> dict:
    return {
        "reset": engine.reset,
        "legal_actions": engine.legal_actions,
        "apply": engine.apply,
        "write_record": engine.write_record,
    }


def _card_rules(engine: Engine) -> dict:
    return {**_rules(engine), "is_due": engine.cards.due, "swap": engine.cards.swap}


def _use_rules(engine: Engine) -> dict:
    return {**_rules(engine), "note": engine.cards.note}


@cache
def _rare_rules(event: str) -> Callable:
    return lambda engine: {**_rules(engine), "progress": engine.rare[event].progress}


def _fork_rules(engine: Engine) -> dict:
    return {
        **_rules(engine),
        "turn_of": engine.turn_of or jit(play.turn_of),
        "redeal": engine.redeal or jit(play.redeal),
    }


@cache
def _way_rules(crossroads: Callable) -> Callable:
    return lambda engine: {**_fork_rules(engine), "crossroads": crossroads}


def loop_tag(engine: Engine) -> str:
    """12 hex digits for the rules a play loop is bound to: which functions of which sources, and what they
    enclose.
    """
    return _tag(engine, _rules)


def card_tag(engine: Engine) -> str:
    """The same for the loop that changes cards."""
    return _tag(engine, _card_rules)


def use_tag(engine: Engine) -> str:
    """The same for the loop that counts how cards are used."""
    return _tag(engine, _use_rules)


def rare_tag(engine: Engine, event: str) -> str:
    """The same for the loop that plays up to a level of a rare event."""
    return _tag(engine, _rare_rules(event))


def fork_tag(engine: Engine) -> str:
    """The same for the loop that plays games on from every turn."""
    return _tag(engine, _fork_rules)


def way_tag(engine: Engine, crossroads: Callable) -> str:
    """The same for the loop that plays a choice on both ways."""
    return _tag(engine, _way_rules(crossroads))


@cache
def _tag(engine: Engine, rules: Callable) -> str:
    return code_tag(rules(engine).values())


def code_tag(functions: Iterable[Callable]) -> str:
    """12 hex digits for functions: which ones of which sources, and what they enclose."""
    digest = hashlib.sha256()
    for one in functions:
        function = getattr(one, "py_func", one)
        code = function.__code__
        digest.update(
            f"{function.__qualname__}:{code.co_firstlineno}:{source_tag(Path(code.co_filename))}".encode()
        )
        digest.update(serialize.dumps([cell.cell_contents for cell in function.__closure__ or ()]))
    return digest.hexdigest()[:12]


MAX_WEIGHTS = 64


@cache
def desk_dtype(engine: Engine, seats: int) -> np.dtype:
    """Scratch of one table: the list of legal actions, and each seat's weights."""
    return np.dtype(
        [("weights", "f8", (seats, MAX_WEIGHTS)), ("legal", "i4", (engine.max_legal,))], align=True
    )


def new_desk(engine: Engine, weights: list[list[float]]) -> np.ndarray:
    """A desk (record array of length 1) with the weights of each seat."""
    desks = np.zeros(1, desk_dtype(engine, len(weights)))
    for seat, values in enumerate(weights):
        desks["weights"][0, seat, : len(values)] = values
    return desks


def new_states(engine: Engine, n: int = 1) -> np.ndarray:
    return np.zeros(n, engine.state_dtype)
