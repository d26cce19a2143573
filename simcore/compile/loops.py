"""Compilation of a plain play loop for one game. Only this module contains numba signatures.

A kernel is plain Python that names rules (`simcore.compile.rules`) and calls other plain functions. For each
game, the kernel and these functions are bound to the game's own rules and compiled for its records.
"""

from __future__ import annotations

import dis
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import FunctionType
from typing import TYPE_CHECKING

import numba
import numpy as np
from numba import config, types

from bartizan.simcore.arrays import as_records
from bartizan.simcore.compile import mistakes
from bartizan.simcore.compile import rules as contract
from bartizan.simcore.compile.apart import apart
from bartizan.simcore.compile.cuts import check_integers
from bartizan.simcore.compile.habits import GAMES_LUCK, PLAYERS_LUCK, bad_habit, called
from bartizan.simcore.compile.identity import content_hash
from bartizan.simcore.compile.jit import PLAIN, bind, compiled, inline, is_cached, jit, jit_part
from bartizan.simcore.compile.memory import MEMORY
from bartizan.simcore.errors import BartizanError, EngineError, PolicyError
from bartizan.simcore.files import held

if TYPE_CHECKING:
    from bartizan.simcore.game import Engine

MAX_WEIGHTS = 64
LARGE = 1024  # bytes of a state, above which the cost of a call is negligible


def pointers(engine: Engine, seats: int):
    """Return the numba type of the policies of all seats, which are called through pointers."""
    return types.UniTuple(types.FunctionType(policy_signature(engine)), seats)


@dataclass(frozen=True, eq=False)
class Loop:
    """The kernel of an experiment, with its additional arguments and rules.

    The signature is kernel(states, tables, policies, workspaces, first_game, *arguments). states: record
    array, used as working space. policies: tuple of first-class functions by seat; () if they are compiled
    into the kernel (`simcore.play.tiers`). workspaces: record array of length 1.
    """

    kernel: Callable
    arguments: Callable[[Engine, int], tuple]  # (engine, seats) -> numba types of the arguments
    # rules that depend on more than the engine, by name
    rules: Callable[[Engine], dict] = lambda engine: {}
    policies: Callable[[Engine, int], types.Type] = pointers

    def compiled_for(self, engine: Engine, seats: int):
        """Return the compiled kernel of one game for a number of seats; compiled once per process."""
        return _compiled(self, engine, seats)

    def is_compiled(self, engine: Engine, seats: int) -> bool:
        """Return whether the cache on disk already contains the kernel."""
        return is_cached(_kernel_of(self, engine), self._signature(engine, seats))

    def _signature(self, engine: Engine, seats: int) -> tuple:
        return (
            array(engine.state_dtype),
            numba.from_dtype(engine.tables_dtype),
            self.policies(engine, seats),
            array(workspace_dtype(engine, seats)),
            types.int64,
            *self.arguments(engine, seats),
        )


@cache
def _kernel_of(loop: Loop, engine: Engine) -> Callable:
    return bound(loop.kernel, compiled_rules(engine) | loop.rules(engine))


@cache
def _compiled(loop: Loop, engine: Engine, seats: int):
    with naming_mistakes(engine):
        if not PLAIN and not loop.is_compiled(engine, seats):
            check_integers(rule_arguments(engine))
        return compiled(_kernel_of(loop, engine), loop._signature(engine, seats))


# ---------------------------------------------------------------- errors in a game's rules


@contextmanager
def naming_mistakes(engine: Engine) -> Iterator[None]:
    """Context manager that turns a compilation error in a game's rules into a one-line EngineError.

    The line contains the file and line number.

    numba compiles the loop as a whole and reports on all of it, so each rule is compiled once more by itself
    to find the faulty rule.
    """
    try:
        yield
    except BartizanError:
        raise
    except Exception as error:
        if not PLAIN:
            compile_rules(engine)
        if mistakes.place_of(error):
            raise EngineError(mistakes.sentence(error)) from error
        raise


@contextmanager
def naming_policy(choose: Callable) -> Iterator[None]:
    """Context manager that turns a compilation error in a policy into a one-line PolicyError.

    The line contains the file and line number.
    """
    try:
        yield
    except Exception as error:
        where, _, why = mistakes.sentence(error, choose).partition(": ")
        why = bad_habit(choose, PLAYERS_LUCK) or why
        raise PolicyError(f"{where}: policy function {choose.__name__} does not compile: {why}") from error


def never_returns(choose: Callable) -> PolicyError:
    """Return the error for a policy function that never returns an action."""
    return PolicyError(
        f"{mistakes.head_of(choose)}: policy function {choose.__name__} never returns an action; "
        "return one of the legal actions"
    )


def compile_rules(engine: Engine) -> None:
    """Compile each rule for the game's records.

    Raises EngineError for the first rule that fails, and if `legal_actions` does not return an integer.
    """
    rules = rule_arguments(engine)
    for rule, arguments in rules:
        function = getattr(rule, "py_func", rule)
        try:
            _compile_rule(rule, arguments)
        except Exception as error:
            where, _, why = mistakes.sentence(error, function).partition(": ")
            why = bad_habit(function, GAMES_LUCK) or why
            raise EngineError(f"{where}: rule {_name_of(function)} does not compile: {why}") from error
    _, (lists, arguments), *_ = rules
    returned = lists.overloads[arguments].signature.return_type
    if not isinstance(returned, types.Integer):
        where = mistakes.head_of(lists.py_func)
        raise EngineError(
            f"{where}: legal_actions returns {returned}: it must return the number of legal actions"
        )


def compile_later_rules(engine: Engine) -> None:
    """Compile the rules that `compile_rules` compiles last, while another process runs `compile_rules`.

    They include `apply` and the plain listing. The other process reports errors.
    """
    _, (_, listing), *later = rule_arguments(engine)
    with suppress(Exception):
        for rule, arguments in [*later, *([(engine.every_action, listing)] if engine.every_action else [])]:
            _compile_rule(rule, arguments)


def are_compiled(engine: Engine) -> bool:
    """Return whether the cache on disk already contains the rules, judged by `apply`, the longest of them."""
    return is_cached(engine.apply.py_func, dict(rule_arguments(engine))[engine.apply])


def _compile_rule(rule: Callable, arguments: tuple) -> None:
    """Compile a rule. If another process is compiling it, wait, and read the result from the cache."""
    code = rule.py_func.__code__  # type: ignore[attr-defined]
    lock = Path(config.CACHE_DIR) / f"{Path(code.co_filename).stem}-{code.co_name}.lock"
    with suppress(OSError):
        lock.touch()
    with held(lock):
        rule.compile(arguments)  # type: ignore[attr-defined]


def rule_arguments(engine: Engine) -> list[tuple]:
    """Return (rule, numba types of its arguments) for each rule of a game."""
    state, tables, record = (
        numba.from_dtype(one) for one in (engine.state_dtype, engine.tables_dtype, engine.record_dtype)
    )
    looks = engine.features
    features = [(looks.write, (state, tables, numba.from_dtype(looks.dtype)))] if looks else []
    return [
        (engine.reset, (state, tables)),
        (engine.legal_actions, (state, tables, types.int32[::1])),
        (engine.apply, (state, tables, types.int32)),
        (engine.write_record, (state, tables, record)),
        *features,
    ]


def _name_of(function: Callable) -> str:
    """Return the name of a function in its source."""
    return function.__code__.co_name


def functions_of(engine: Engine, policies: Iterable[Callable]) -> int:
    """Return an upper bound on the number of functions in the loop of a game with these policies."""
    return sum(1 for _ in called(*rules_of(engine).values(), *policies))


def policy_signature(engine: Engine):
    """Return the numba signature of every compiled policy of this game.

    It is int32 choose(state, tables, legal_actions, n_legal, weights). Raises UsageError for an engine
    without rules.
    """
    if engine.live:
        engine.live.refuse_steps()
    return types.int32(
        numba.from_dtype(engine.state_dtype),
        numba.from_dtype(engine.tables_dtype),
        types.int32[::1],
        types.int64,
        types.float64[::1],
    )


def array(dtype, dimensions: int = 1):
    """Return the numba type of a contiguous array of a numpy dtype."""
    return types.Array(numba.from_dtype(np.dtype(dtype)), dimensions, "C")


# ---------------------------------------------------------------- values of names in a loop


@cache
def rules_of(engine: Engine) -> dict[str, Callable]:
    """Map the names of the rules that a loop may use to the functions of the game.

    Omits rules that the game does not have. Raises UsageError for a live engine.
    """
    if engine.live:
        engine.live.refuse_steps()
    cards, features = engine.cards, engine.features
    own = {
        "reset": engine.reset,
        "legal_actions": engine.legal_actions,
        "apply": engine.apply,
        "write_record": engine.write_record,
        "is_due": cards and cards.due,
        "swap": cards and cards.swap,
        "note": cards and cards.note,
        "holdings": cards and cards.holdings,
        "named_cards": cards and cards.named_cards,
        "take_away": cards and cards.take_away,
        "turn_number": engine.turn_number or jit(contract.turn_number),
        "asked": contract.asked,
        "shuffle_unseen": engine.shuffle_unseen or jit(contract.shuffle_unseen),
        "determinize": engine.determinize,
        "write_features": features.write if features else jit(contract.write_features),
        "as_features": _viewed_as(features.dtype) if features else jit(contract.as_features),
    }
    return {name: function for name, function in own.items() if function is not None}


@cache
def compiled_rules(engine: Engine) -> dict[str, Callable]:
    """Return a game's rules as in `rules_of`, compiled. The rules of a large game are called by symbol."""
    arguments = dict(rule_arguments(engine))
    rules = rules_of(engine).items()
    return {
        name: _called(rule, arguments[rule], engine) if rule in arguments else rule for name, rule in rules
    } | {"asked": inline(contract.asked)}


def called_policy(function: Callable, engine: Engine) -> Callable:
    """Return a compiled policy for use in other compiled code.

    The policy of a large game is called by symbol.
    """
    return _called(function, policy_signature(engine).args, engine)


def _called(function: Callable, arguments: tuple, engine: Engine) -> Callable:
    if PLAIN or engine.state_dtype.itemsize < LARGE:
        return function
    return apart(function, arguments, code_tag((function,)))


def _viewed_as(dtype: np.dtype) -> Callable:
    if PLAIN:
        return jit(lambda numbers: as_records(numbers.view(dtype), hides_numpy=True)[0])

    def as_record(numbers):
        return numbers.view(dtype)[0]

    return jit(as_record)


def bound(function: Callable, rules: dict[str, Callable], in_python: bool = False) -> Callable:
    """Return a copy of an uncompiled function in which each rule that it names is the rule in `rules`.

    The functions that it calls are copied in the same way. They are compiled unless `in_python` is set, in
    which case the copy runs uncompiled.
    """
    done = {}

    def part(one: Callable) -> Callable:
        if one not in done:
            done[one] = copy(one) if in_python else jit_part(copy(one), one)
        return done[one]

    def copy(one: Callable) -> Callable:
        named = _plain_names(one).items()
        names = {name: rules[name] if _is_rule(meaning) else part(meaning) for name, meaning in named}
        return bind(one, code_tag(rules[name] for name in needs(one)), **names) if names else one

    return copy(function)


@cache
def needs(function: Callable) -> tuple[str, ...]:
    """Return the names of the rules that a plain function uses, in alphabetical order.

    Rules used by functions that it calls are included.
    """
    found = set()
    for name, meaning in _plain_names(function).items():
        found |= {name} if _is_rule(meaning) else set(needs(meaning))
    return tuple(sorted(found))


def _is_rule(function: Callable) -> bool:
    return function.__module__ == contract.__name__


def _plain_names(function: Callable) -> dict[str, Callable]:
    """Map the global names in a function that refer to plain functions to these functions.

    They must be bound.
    """
    names = {one.argval for one in dis.get_instructions(function) if one.opname == "LOAD_GLOBAL"}
    meanings = {name: function.__globals__.get(name) for name in sorted(names)}
    return {name: it for name, it in meanings.items() if isinstance(it, FunctionType)}


def code_tag(functions: Iterable[Callable]) -> str:
    """Return a hash (12 hex digits) of functions: their contents, enclosed values and symbols."""
    return content_hash(*functions)[:12]


@cache
def engine_tag(engine: Engine) -> str:
    """Return a hash (12 hex digits) of the rules that every game has."""
    return code_tag((engine.reset, engine.legal_actions, engine.apply, engine.write_record))


# ---------------------------------------------------------------- data of a loop


@cache
def workspace_dtype(engine: Engine, seats: int) -> np.dtype:
    """Return the dtype of a thread's workspace.

    It contains settings of the match, working space, and details of an illegal action.
    """
    return np.dtype(
        [
            # row of each seat's policy: weights, learnt values (`policies.lookahead`), memory
            ("weights", "f8", (seats, row_size(engine))),
            ("legal", "i4", (engine.max_legal,)),  # scratch: the legal actions, which a policy cannot reach
            ("n_legal", "i4"),  # number of legal actions
            ("record", engine.record_dtype),  # scratch
            ("blank", engine.state_dtype),  # all 0: a state before the set-up of a game
            ("seed", "u8"),
            ("ply_cap", "i8"),
            ("game", "i8"),  # the current game
            ("ply", "i8"),  # of the illegal action, as are the following fields
            ("seat", "i4"),
            ("action", "i4"),
            ("is_illegal", "i1"),  # 1: a policy has chosen an illegal action
            ("is_guarded", "i1"),  # 1: a policy from outside plays, with a copy of the legal actions
            # scratch: the copy for a policy; protects against writes beyond its end
            ("shown", "i4", (engine.max_legal,)),
        ],
        align=True,
    )


def row_size(engine: Engine) -> int:
    """Return the number of values that a seat's policy receives: weights, learnt values, memory."""
    shown = len(engine.features.names) if engine.features else 0
    return MAX_WEIGHTS + 5 * shown + 2 + MEMORY


def new_row(engine: Engine, weights: Iterable[float]) -> np.ndarray:
    """Return the `weights` argument of a policy, with a blank memory: float64."""
    row, given = np.zeros(row_size(engine)), list(weights)
    row[: len(given)] = given
    return row


def new_workspace(engine: Engine, weights: list[list[float]], seed: int, ply_cap: int) -> np.ndarray:
    """Return a workspace (record array of length 1) with the weights of each seat."""
    workspaces = np.zeros(1, workspace_dtype(engine, len(weights)))
    workspaces["seed"], workspaces["ply_cap"] = seed, ply_cap
    for seat, values in enumerate(weights):
        workspaces["weights"][0, seat] = new_row(engine, values)
    return workspaces


def new_states(engine: Engine, n: int = 1) -> np.ndarray:
    return np.zeros(n, engine.state_dtype)
