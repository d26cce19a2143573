"""From a plain play loop to the compiled loop of one game: the only place that spells numba signatures.

A kernel is plain Python that names rules (`simcore.compile.rules`) and calls other plain functions. For each
game all of them are bound to the game's own rules and compiled for its records.
"""

from __future__ import annotations

import dis
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from types import FunctionType
from typing import TYPE_CHECKING

import numba
import numpy as np
from numba import types

from bartizan.simcore.compile import mistakes
from bartizan.simcore.compile import rules as contract
from bartizan.simcore.compile.apart import apart
from bartizan.simcore.compile.habits import GAMES_LUCK, bad_habit, called
from bartizan.simcore.compile.identity import content_hash
from bartizan.simcore.compile.jit import PLAIN, bind, compiled, inline, is_cached, jit, jit_part
from bartizan.simcore.compile.memory import MEMORY
from bartizan.simcore.errors import BartizanError, EngineError

if TYPE_CHECKING:
    from bartizan.simcore.game import Engine

MAX_WEIGHTS = 64
LARGE = 1024  # bytes of a state: a game beside whose decisions a call is nothing


def pointers(engine: Engine, seats: int):
    """The numba type of policies by seat that are called through pointers."""
    return types.UniTuple(types.FunctionType(policy_signature(engine)), seats)


@dataclass(frozen=True, eq=False)
class Loop:
    """The kernel of an experiment, and what it needs beside what every kernel gets.

    kernel(states, tables, policies, workspaces, first_game, *arguments): states are a record array, scratch;
    policies a tuple of first-class functions by seat, () where they are compiled into it
    (`simcore.play.tiers`); workspaces a record array of length 1.
    """

    kernel: Callable
    arguments: Callable[[Engine, int], tuple]  # (engine, seats) -> numba types of the arguments
    # rules that hang on more than the engine, by name
    rules: Callable[[Engine], dict] = lambda engine: {}
    policies: Callable[[Engine, int], types.Type] = pointers

    def compiled_for(self, engine: Engine, seats: int):
        """The compiled kernel of one game for a number of seats; compiled once a process."""
        return _compiled(self, engine, seats)

    def is_compiled(self, engine: Engine, seats: int) -> bool:
        """Does the cache on disk have it already?"""
        return is_cached(self._bound(engine), self._signature(engine, seats))

    def _bound(self, engine: Engine) -> Callable:
        return bound(self.kernel, compiled_rules(engine) | self.rules(engine))

    def _signature(self, engine: Engine, seats: int) -> tuple:
        """Numba types of the kernel's parameters."""
        return (
            array(engine.state_dtype),
            numba.from_dtype(engine.tables_dtype),
            self.policies(engine, seats),
            array(workspace_dtype(engine, seats)),
            types.int64,
            *self.arguments(engine, seats),
        )


@cache
def _compiled(loop: Loop, engine: Engine, seats: int):
    with naming_mistakes(engine):
        return compiled(loop._bound(engine), loop._signature(engine, seats))


# ---------------------------------------------------------------- mistakes in a game's rules


@contextmanager
def naming_mistakes(engine: Engine) -> Iterator[None]:
    """What goes wrong within, as one line that names file and line of the game's own rules, if it is theirs.

    Raises EngineError. numba compiles the loop as a whole and reports on all of it: each rule is compiled by
    itself once more, to see which one it is.
    """
    try:
        yield
    except BartizanError:
        raise
    except Exception as error:
        if not PLAIN:
            hold_rules(engine)
        if mistakes.place_of(error):
            raise EngineError(mistakes.sentence(error)) from error
        raise


def hold_rules(engine: Engine) -> None:
    """Each rule compiles for the game's records; EngineError names the first that does not."""
    rules = rule_arguments(engine)
    for rule, arguments in rules:
        function = getattr(rule, "py_func", rule)
        try:
            rule.compile(arguments)
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


def rule_arguments(engine: Engine) -> list[tuple]:
    """(rule, numba types of its arguments) of the rules that a game has."""
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
    """As it is written: a function from outside the house carries a tag."""
    return function.__code__.co_name


def functions_of(engine: Engine, policies: Iterable[Callable]) -> int:
    """How many functions the loop of a game and some policies may be made of."""
    return sum(1 for _ in called(*rules_of(engine).values(), *policies))


def policy_signature(engine: Engine):
    """int32 choose(state, tables, legal_actions, n_legal, weights): what every policy of this game compiles
    to. Raises UsageError where its rules are not here.
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
    """The numba type of a contiguous array of a numpy dtype."""
    return types.Array(numba.from_dtype(np.dtype(dtype)), dimensions, "C")


# ---------------------------------------------------------------- what names in a loop mean


@cache
def rules_of(engine: Engine) -> dict[str, Callable]:
    """The rules that a loop may name, as far as the game has them. Raises UsageError for a live engine."""
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
    """As `rules_of`, for compiled code: those of a large game are called by symbol."""
    arguments = dict(rule_arguments(engine))
    rules = rules_of(engine).items()
    return {
        name: _called(rule, arguments[rule], engine) if rule in arguments else rule for name, rule in rules
    } | {"asked": inline(contract.asked)}


def called_policy(function: Callable, engine: Engine) -> Callable:
    """A compiled policy, for what is compiled around it: that of a large game is called by symbol."""
    return _called(function, policy_signature(engine).args, engine)


def _called(function: Callable, arguments: tuple, engine: Engine) -> Callable:
    if PLAIN or engine.state_dtype.itemsize < LARGE:
        return function
    return apart(function, arguments, code_tag((function,)))


def _viewed_as(dtype: np.dtype) -> Callable:
    """Compiled: an array of numbers as one record of a dtype."""

    def as_record(numbers):
        return numbers.view(dtype)[0]

    return jit(as_record)


def bound(function: Callable, rules: dict[str, Callable], in_python: bool = False) -> Callable:
    """A plain copy of a plain function in which the names of rules mean `rules`, in what it calls too.

    What it calls is compiled, or with `in_python` plain as well: the copy then runs as it stands.
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
    """The rules that a plain function, or one it calls, asks for: names in order."""
    found = set()
    for name, meaning in _plain_names(function).items():
        found |= {name} if _is_rule(meaning) else set(needs(meaning))
    return tuple(sorted(found))


def _is_rule(function: Callable) -> bool:
    return function.__module__ == contract.__name__


def _plain_names(function: Callable) -> dict[str, Callable]:
    """Global names in a function that stand for plain functions: what is to be bound."""
    names = {one.argval for one in dis.get_instructions(function) if one.opname == "LOAD_GLOBAL"}
    meanings = {name: function.__globals__.get(name) for name in sorted(names)}
    return {name: it for name, it in meanings.items() if isinstance(it, FunctionType)}


def code_tag(functions: Iterable[Callable]) -> str:
    """12 hex digits for functions: what they are made of, what they enclose, called by which symbol."""
    return content_hash(*functions)[:12]


@cache
def engine_tag(engine: Engine) -> str:
    """12 hex digits for the rules that every game has."""
    return code_tag((engine.reset, engine.legal_actions, engine.apply, engine.write_record))


# ---------------------------------------------------------------- what a loop works on


@cache
def workspace_dtype(engine: Engine, seats: int) -> np.dtype:
    """What one thread plays with: settings of the match, scratch, and who broke the rules."""
    return np.dtype(
        [
            # of each seat's policy; behind them what it has learnt (`policies.lookahead`), and its memory
            ("weights", "f8", (seats, row_size(engine))),
            ("legal", "i4", (engine.max_legal,)),  # scratch: the legal actions, out of a policy's reach
            ("n_legal", "i4"),  # how many they are
            ("record", engine.record_dtype),  # scratch
            ("blank", engine.state_dtype),  # all 0: what a state is before a game is set up in it
            ("seed", "u8"),
            ("ply_cap", "i8"),
            ("game", "i8"),  # the one that is played
            ("ply", "i8"),  # of the illegal action, and so on
            ("seat", "i4"),
            ("action", "i4"),
            ("is_illegal", "i1"),  # 1: a policy has broken the rules
            ("is_guarded", "i1"),  # 1: a policy from outside plays, which sees a copy of the legal actions
            ("shown", "i4", (engine.max_legal,)),  # scratch: the copy a policy sees; writes past it leave
        ],
        align=True,
    )


def row_size(engine: Engine) -> int:
    """Numbers that a seat's policy is handed: weights, what it has learnt, memory."""
    shown = len(engine.features.names) if engine.features else 0
    return MAX_WEIGHTS + 5 * shown + 2 + MEMORY


def new_row(engine: Engine, weights: Iterable[float]) -> np.ndarray:
    """What a policy is handed as `weights`, with a blank memory: float64."""
    row, given = np.zeros(row_size(engine)), list(weights)
    row[: len(given)] = given
    return row


def new_workspace(engine: Engine, weights: list[list[float]], seed: int, ply_cap: int) -> np.ndarray:
    """A workspace (record array of length 1) with the weights of each seat."""
    workspaces = np.zeros(1, workspace_dtype(engine, len(weights)))
    workspaces["seed"], workspaces["ply_cap"] = seed, ply_cap
    for seat, values in enumerate(weights):
        workspaces["weights"][0, seat] = new_row(engine, values)
    return workspaces


def new_states(engine: Engine, n: int = 1) -> np.ndarray:
    return np.zeros(n, engine.state_dtype)
