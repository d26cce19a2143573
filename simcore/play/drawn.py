"""Proof that a match uses no random numbers, from the code of its rules and policies.

There are two ways to prove it:

1. No function that the rules and the policies can reach draws a random number (by traversal of their code).
2. In a user's game, the only draws in this code are calls of `simcore.rng`, and one game that is played
   uncompiled makes none of them. A game depends on random numbers only through its draws, so a game without
   any draw is the same for all random numbers.

Without a proof, the match counts as random, as it does if the traversal cannot follow a name.
"""

import builtins
import dis
import enum
import math
import sys
from collections.abc import Callable, Iterator
from functools import cache
from types import FrameType, FunctionType, ModuleType
from typing import Any

import numpy as np

from bartizan.simcore import rng
from bartizan.simcore.arrays import as_records
from bartizan.simcore.compile import rules as contract
from bartizan.simcore.compile.habits import codes_of, is_generator, meanings_of
from bartizan.simcore.game import Engine
from bartizan.simcore.play.match import Match
from bartizan.simcore.play.state_space import Numbers, Uncompiled

# functions that change streams but draw nothing
MOVES_STREAMS = (rng.mix, rng.seed_luck, rng.start_streams, rng.rekey, rng.next_policy_luck)
DRAWS = tuple(
    getattr(rng, name)
    for name in ("below", "die", "policy_below", "named_word", "aside", "fresh_luck", "_word_at")
)
LUCK = {name for name, *_ in rng.LUCK_FIELDS}
ATTRIBUTE = ("LOAD_ATTR", "LOAD_METHOD", "STORE_ATTR")
# attributes that read a whole record, including its random numbers
WHOLE_RECORD = {"tobytes", "tolist", "item", "view", "getfield"}
SAFE_MODULES = ("builtins", "math", "numpy", "numba", contract.__name__)
UNSAFE_NAMES = {"getattr", "vars", "eval", "exec", "open", "input", "id", "hash", "objmode", "carray"}
NUMBA_COMPILES = "_compile_for_args"  # the function that numba calls to compile
MOST_PLIES, MOST_LINES = 2_000, 500_000  # limits of the uncompiled game: a longer one counts as random


class _Drawn(Exception):
    """Raised if the uncompiled game draws a random number, plays an illegal action, or is too long."""


def draws_luck(match: Match) -> bool:
    """Return False only if all games of `match` are proven to be identical for any random numbers."""
    rules, policies = _rules_draw(match.engine), [_first_draw(one) for one in match.functions()]
    found = {rules, *policies} - {""}
    if not found:
        return False
    return found != {FOLLOWED} or match.game.is_builtin or _draws_in_a_game(match)


# ---------------------------------------------------------------- reachable functions

FOLLOWED, UNCLEAR = "a draw of simcore.rng", "another source of randomness"


@cache
def _rules_draw(engine: Engine) -> str:
    return _first_draw(engine.reset, engine.legal_actions, engine.apply, engine.write_record)


def _first_draw(*functions: Callable) -> str:
    """Return the most severe finding in the code that the functions can reach.

    It is "" if nothing draws a random number, otherwise FOLLOWED or UNCLEAR.
    """
    found, seen, ahead = "", set[FunctionType](), [_plain(one) for one in functions]
    while ahead:
        one = ahead.pop()
        if not isinstance(one, FunctionType):
            return UNCLEAR
        if one in seen:
            continue
        seen.add(one)
        if _reads_luck(one):
            return UNCLEAR
        values = [*(one.__defaults__ or ()), *(one.__kwdefaults__ or {}).values()]
        for meaning in (*meanings_of(one), *values):
            if any(map(callable, _within(meaning))):
                return UNCLEAR
            meaning = _plain(meaning)
            if _is_safe(meaning):
                continue
            if not isinstance(meaning, FunctionType):
                return UNCLEAR
            if meaning in _PLAIN_DRAWS:
                found = FOLLOWED
            else:
                ahead.append(meaning)
    return found


def _plain(meaning: Any) -> Any:
    return getattr(meaning, "py_func", meaning)


_PLAIN_DRAWS = {_plain(one) for one in DRAWS}
_PLAIN_MOVES = {_plain(one) for one in MOVES_STREAMS}


def _within(meaning: Any) -> Iterator[Any]:
    """Yield the contents of a tuple, a list or a dict, at any depth.

    The traversal cannot follow functions in it.
    """
    if isinstance(meaning, (tuple, list, dict)):
        for one in meaning.values() if isinstance(meaning, dict) else meaning:
            yield one
            yield from _within(one)


def _reads_luck(function: FunctionType) -> bool:
    """Return whether a function's own code may read random numbers.

    It names a field with random numbers, reads a whole record, or does something that cannot be followed.
    """
    for code in codes_of(function):
        if LUCK & {one for one in code.co_consts if isinstance(one, str)}:
            return True
        is_module = False
        for step in dis.get_instructions(code):
            is_attribute = step.opname in ATTRIBUTE
            if is_module and not is_attribute:  # a module under another name: its functions cannot be seen
                return True
            if step.opname == "IMPORT_NAME" or step.argval in UNSAFE_NAMES:
                return True
            if is_attribute and step.argval in LUCK | WHOLE_RECORD:
                return True
            is_module = isinstance(_named(function, step), ModuleType)
    return False


def _named(function: FunctionType, step: dis.Instruction) -> Any:
    """Return the value of a loaded global or closure name; None for a local name."""
    if step.opname == "LOAD_GLOBAL":
        return function.__globals__.get(step.argval)
    if step.opname == "LOAD_DEREF" and step.argval in function.__code__.co_freevars:
        return (function.__closure__ or ())[function.__code__.co_freevars.index(step.argval)].cell_contents
    return None


def _is_safe(meaning: Any) -> bool:
    """Return whether a value cannot draw random numbers, so that it need not be followed."""
    if isinstance(meaning, FunctionType) and meaning in _PLAIN_MOVES:
        return True
    if is_generator(meaning):
        return False
    if isinstance(meaning, ModuleType) or not callable(meaning):
        return True  # a module counts only by the names taken from it, which have their own values
    if isinstance(meaning, type):
        return issubclass(meaning, (enum.Enum, tuple, np.generic)) or meaning.__module__ == builtins.__name__
    if isinstance(meaning, np.ufunc) or meaning in vars(math).values():
        return True
    room = getattr(meaning, "__module__", None) or ""
    return room.partition(".")[0] in SAFE_MODULES or room in SAFE_MODULES


# ---------------------------------------------------------------- one game without a draw


def _draws_in_a_game(match: Match) -> bool:
    """Return whether a game, simulated uncompiled, draws random numbers.

    Also True if it fails or takes too long.
    """
    before, lines = sys.gettrace(), 0
    _ = match.learnt  # it may play compiled games

    def count(frame: FrameType, event: str, argument: Any) -> Callable:
        nonlocal lines
        # raised before compilation, because a compiler interrupted later compiles nothing more. Only for this
        # function of numba: the garbage collector may call others at any moment, and prints exceptions raised
        # there
        if event == "call" and frame.f_code.co_name == NUMBA_COMPILES:
            raise _Drawn
        lines += 1
        if lines > MOST_LINES:  # a rule may never end
            raise _Drawn
        return count

    sys.settrace(count)
    try:
        with np.errstate(all="ignore"):
            _play_without_luck(match)
    except Exception:  # with any exception, nothing is proven
        return True
    finally:
        sys.settrace(before)
    return False


def _play_without_luck(match: Match) -> None:
    """Simulate a game to its end with a state that has no random numbers.

    Raises _Drawn if a random number is drawn, for an illegal action, and after MOST_PLIES plies.
    """
    engine = match.engine
    plain = Uncompiled(dict.fromkeys(DRAWS, _refused) | dict.fromkeys(MOVES_STREAMS, _nothing))
    rules = (engine.reset, engine.legal_actions, engine.apply, engine.write_record)
    reset, legal_actions, apply, write_record = map(plain.copy, rules)
    policies = [plain.copy(function) for function in match.functions()]
    weights, tables = match.workspace()["weights"][0], Numbers(engine.tables_dtype, match.tables())
    state, legal = Numbers(engine.state_dtype), np.zeros(engine.max_legal, np.int32)
    for field in LUCK:
        del state.__dict__[field]
    reset(state, tables)
    for _ in range(MOST_PLIES):
        if state.end_reason != contract.PLAYING:
            write_record(state, tables, as_records(np.zeros(1, engine.record_dtype))[0])
            return
        n_legal, mover = legal_actions(state, tables, legal), state.to_move
        action = policies[mover](state, tables, legal.copy(), n_legal, weights[mover].copy())
        if action not in legal[:n_legal]:
            raise _Drawn
        apply(state, tables, action)
    raise _Drawn


def _refused(*_: Any) -> None:
    raise _Drawn


def _nothing(*_: Any) -> None:
    pass
