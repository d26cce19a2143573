"""Detect values that do not fit their target: numba silently truncates fractions and wraps counters."""

import dis
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import SimpleNamespace

import numpy as np
from numba import types
from numba.core import compiler, ir, rewrites, typed_passes
from numba.core.registry import cpu_target

from bartizan.simcore.compile.cache import is_ours
from bartizan.simcore.compile.habits import called, codes_of
from bartizan.simcore.compile.identity import is_by_content
from bartizan.simcore.errors import EngineError

# in rules of a short game, whose numbers are integers: operators, and names of functions and methods
DIVIDING, OF_FRACTIONS = ("/", "/=", "**", "**="), ("float", "mean", "std", "var")


def hold_whole(rules: Iterable[tuple[Callable, tuple]]) -> None:
    """Raise EngineError for the first fraction that a user's rules would truncate. rules: (compiled rule,
    numba types of its arguments) pairs.
    """
    for rule, arguments in rules:
        function: Callable = rule.py_func  # type: ignore[attr-defined]
        if is_ours(Path(function.__code__.co_filename)) or not may_compute_fractions(function):
            continue
        for cut in fractions_cut(function, arguments):
            raise EngineError(cut)


def may_compute_fractions(function: Callable) -> bool:
    """Return whether a rule of a short game, or a function that it calls, can compute a fraction. Returns
    True for any other rule.
    """
    steps = (
        step
        for one in called(function)
        if is_by_content(one)
        for code in codes_of(one)
        for step in dis.get_instructions(code)
    )
    return not is_by_content(function) or any(
        isinstance(step.argval, float) or step.argval in OF_FRACTIONS or step.argrepr in DIVIDING
        for step in steps
    )


def fractions_cut(function: Callable, arguments: tuple, seen: frozenset = frozenset()) -> Iterator[str]:
    """Yield `FILE:LINE: message` for each truncation in a plain function and in the functions of users' files
    that it calls. arguments: numba types, for which the function must compile.
    """
    code = compiler.run_frontend(function)
    contexts = cpu_target.typing_context, cpu_target.target_context
    for context in contexts:  # numba lists its own functions only when something compiles
        context.refresh()
    # without it, `raise` and `assert` have no types
    rewrites.rewrite_registry.apply(
        "before-inference", SimpleNamespace(func_ir=code, typemap=None, calltypes=None)
    )
    typed = typed_passes.type_inference_stage(*contexts, code, arguments, None)
    seen |= {(function, arguments)}
    for step in (step for block in code.blocks.values() for step in block.body):
        place, inner = f"{function.__code__.co_filename}:{step.loc.line}", _called(step, typed)
        if why := _cut(step, typed):
            yield f"{place}: {why}"
        if not inner or inner in seen:
            continue
        if not is_ours(Path(inner[0].__code__.co_filename)):
            yield from fractions_cut(*inner, seen)
        elif is_by_content(function) and any(isinstance(one, types.Float) for one in inner[1]):
            word = inner[0].__code__.co_name
            yield f"{place}: {word} needs whole numbers, not this fraction: write // or int(...)"


def _cut(step: ir.Stmt, typed) -> str:
    """Describe the truncation in one step; "" if there is none."""
    if isinstance(step, ir.SetAttr):
        place, name = typed.calltypes[step].args[1], step.attr
    elif isinstance(step, (ir.SetItem, ir.StaticSetItem)):
        place, name = getattr(typed.calltypes[step].args[0], "dtype", None), "this array"
    else:
        return ""
    value = typed.typemap[step.value.name]
    if not (isinstance(place, types.Integer) and isinstance(value, types.Float)):
        return ""
    return f"{name} has whole numbers ({place}), so this fraction would be truncated: write // or int(...)"


def _called(step: ir.Stmt, typed) -> tuple:
    """Return (plain function, numba types of its arguments) if a step calls a compiled function, otherwise
    ().
    """
    call = getattr(step, "value", None)
    if not (isinstance(call, ir.Expr) and call.op == "call"):
        return ()
    function = typed.typemap[call.func.name]
    if not isinstance(function, types.Dispatcher):
        return ()
    return function.dispatcher.py_func, typed.calltypes[call].args


def wide(dtype: np.dtype) -> np.dtype:
    """Return a record's dtype with all integers widened to 64 bits."""

    def widened(one: np.dtype) -> np.dtype:
        return np.dtype("i8") if one.kind in "iu" and one.itemsize < 8 else one

    fields = [(name, widened(dtype[name].base), dtype[name].shape) for name in dtype.names or ()]
    return np.dtype(fields, align=True)
