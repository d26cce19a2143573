"""Detect forbidden constructs in code from users.

These are random numbers that ignore the seed, and constructs that hide errors from a check.
"""

import dis
from collections.abc import Callable, Iterator
from functools import cache
from inspect import isfunction, ismodule
from types import CodeType
from typing import Any

GAMES_LUCK = "die(state, stream, sides) or below(state, stream, n)"
PLAYERS_LUCK = "policy_below(state, i, n)"
ELSEWHERE = ("random", "numpy.random")  # modules of random generators that ignore the seed


def bad_habit(function: Callable, draw: str) -> str:
    """Describe a forbidden construct in a function or in a function that it calls; "" if there is none.

    draw: advice on how to draw random numbers instead.
    """
    for one in called(function):
        steps = [step.opname for code in codes_of(one) for step in dis.get_instructions(code)]
        if any(map(is_generator, meanings_of(one))):
            return f"{one.__name__} uses a random generator that ignores the seed: draw with {draw}"
        if "PUSH_EXC_INFO" in steps:
            return f"{one.__name__} contains a `try` or a `with`, which hides errors from a check: remove it"
    return ""


def called(*functions: Callable) -> Iterator[Callable]:
    """Yield the given functions and all Python functions that they call, directly or indirectly, each once.

    A compiled function is replaced by its Python function.
    """
    seen, ahead = set(), list(functions)[::-1]
    while ahead:
        one = ahead.pop()
        function = getattr(one, "py_func", one)
        if isfunction(function) and function not in seen:
            seen.add(function)
            yield function
            ahead += list(meanings_of(function))[::-1]


def codes_of(function: Callable) -> Iterator[CodeType]:
    """Yield the code objects of a function and of all code defined inside it, at any depth."""
    ahead = [function.__code__]
    while ahead:
        yield (code := ahead.pop())
        ahead += [one for one in code.co_consts if isinstance(one, CodeType)][::-1]


def meanings_of(function: Callable) -> Iterator[Any]:
    return (meaning for _, meaning in named_meanings(function))


def named_meanings(function: Callable) -> Iterator[tuple[str, Any]]:
    """Yield (name, value) for each global or enclosed name that a function uses.

    Each attribute of a module is included as `module.name`.
    """
    cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
    enclosed = {name: cell.cell_contents for name, cell in cells}
    for code in codes_of(function):
        name, now = "", None
        for kind, argument in _names_in(code):
            if kind == "LOAD_GLOBAL":
                name, now = argument, function.__globals__.get(argument)
            elif kind == "LOAD_DEREF":
                name, now = argument, enclosed.get(argument)
            elif ismodule(now):
                name, now = f"{name}.{argument}", getattr(now, argument, None)
            else:
                now = None
                continue
            yield name, now


@cache
def _names_in(code: CodeType) -> list[tuple[str, str]]:
    """Return (operation, name) for each step; the name is "" if the step has none or loads a constant."""
    return [
        (step.opname, step.argval if isinstance(step.argval, str) and step.opname != "LOAD_CONST" else "")
        for step in dis.get_instructions(code)
    ]


def is_generator(meaning: Any) -> bool:
    """Return whether a value gives random numbers.

    It is a module of random generators, a function of such a module, a generator, or a method of a generator.
    """
    owner = getattr(meaning, "__self__", meaning)
    rooms = (getattr(meaning, "__name__", ""), getattr(meaning, "__module__", ""), type(owner).__module__)
    return any(room in ELSEWHERE or str(room).startswith("numpy.random.") for room in rooms)
