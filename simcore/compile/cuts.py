"""Detect values that do not fit their target: numba silently truncates fractions and wraps counters."""

import dis
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
from numba import types
from numba.core import compiler, ir, typed_passes
from numba.core.errors import UnsupportedError
from numba.core.registry import cpu_target

from bartizan.simcore.compile.cache import is_ours
from bartizan.simcore.compile.habits import called, codes_of
from bartizan.simcore.compile.identity import is_by_content

# in rules of a short game, whose numbers are integers: operators, and names of functions and methods
DIVIDING, OF_FRACTIONS = ("/", "/=", "**", "**="), ("float", "mean", "std", "var")


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
    try:
        typed = typed_passes.type_inference_stage(*contexts, code, arguments, None)
    except UnsupportedError:  # `raise` and `assert` get types only after passes that are not run here
        return
    seen |= {(function, arguments)}
    for step in (step for block in code.blocks.values() for step in block.body):
        if why := _cut(step, typed):
            yield f"{function.__code__.co_filename}:{step.loc.line}: {function.__code__.co_name} {why}"
        inner = _called(step, typed)
        if inner and inner not in seen and not is_ours(Path(inner[0].__code__.co_filename)):
            yield from fractions_cut(*inner, seen)


def _cut(step: ir.Stmt, typed) -> str:
    """Describe the truncation in one step; "" if there is none."""
    if isinstance(step, ir.SetAttr):
        place, name = typed.calltypes[step].args[1], f"`{step.attr}`"
    elif isinstance(step, (ir.SetItem, ir.StaticSetItem)):
        place, name = getattr(typed.calltypes[step].args[0], "dtype", None), "an array"
    else:
        return ""
    value = typed.typemap[step.value.name]
    if not (isinstance(place, types.Integer) and isinstance(value, types.Float)):
        return ""
    return f"assigns a {value} to {name} of {place}, which truncates it: write // or int(...)"


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
