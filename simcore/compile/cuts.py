"""Detect values that do not fit their target: numba silently truncates fractions and wraps counters."""

import dis
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import numpy as np
from numba import types
from numba.core import bytecode, compiler, ir, typed_passes, untyped_passes
from numba.core.compiler_lock import global_compiler_lock
from numba.core.errors import NumbaError
from numba.core.registry import cpu_target

from bartizan.simcore.compile.cache import is_ours
from bartizan.simcore.compile.habits import called, codes_of
from bartizan.simcore.compile.identity import is_by_content
from bartizan.simcore.errors import EngineError

# in rules of a short game, whose numbers are integers: operators, and names of functions and methods
DIVIDING, OF_FRACTIONS = ("/", "/=", "**", "**="), ("float", "mean", "std", "var")

WRITING = (ir.SetAttr, ir.SetItem, ir.StaticSetItem)  # steps that write to a field or an array


@global_compiler_lock  # type inference and compilation lock in different orders
def check_integers(rules: Iterable[tuple[Callable, tuple]]) -> None:
    """Raise EngineError for the first fraction that a user's rules would truncate.

    rules: (compiled rule, numba types of its arguments) pairs.
    """
    for rule, arguments in rules:
        function: Callable = rule.py_func  # type: ignore[attr-defined]
        if is_ours(Path(function.__code__.co_filename)) or not may_compute_fractions(function):
            continue
        for cut in fractions_cut(function, arguments):
            raise EngineError(cut)


def may_compute_fractions(function: Callable) -> bool:
    """Return whether a rule of a short game, or a function that it calls, can compute a fraction.

    Returns True for any other rule.
    """
    steps = (
        (step, one.__globals__.get(step.argval) if step.opname == "LOAD_GLOBAL" else step.argval)
        for one in called(function)
        if is_by_content(one)
        for code in codes_of(one)
        for step in dis.get_instructions(code)
    )
    return not is_by_content(function) or any(
        _has_fractions(value) or step.argval in OF_FRACTIONS or step.argrepr in DIVIDING
        for step, value in steps
    )


def _has_fractions(value: object) -> bool:
    return any(map(_has_fractions, value)) if isinstance(value, tuple) else isinstance(value, float)


def fractions_cut(
    function: Callable, arguments: tuple, seen: set[tuple[Callable, tuple]] | None = None
) -> Iterator[str]:
    """Yield `FILE:LINE: message` for each place where a function would truncate a fraction to an integer.

    A fraction that is passed to a function for short games that needs integers is reported too.

    Functions of users' files that the function calls are included. function: the uncompiled Python function.
    arguments: numba types. seen: functions already searched. A function that numba cannot type is omitted,
    because its compilation reports the error.
    """
    seen = set() if seen is None else seen
    if (function, arguments) in seen:
        return
    seen.add((function, arguments))
    try:
        typed = _typed(function, arguments)
    except NumbaError:
        return
    for step in (step for block in typed.func_ir.blocks.values() for step in block.body):
        place, inner = f"{function.__code__.co_filename}:{step.loc.line}", _called(step, typed)
        if why := _cut(step, typed):
            yield f"{place}: {why}"
        if not inner:
            continue
        if not is_ours(Path(inner[0].__code__.co_filename)):
            yield from fractions_cut(*inner, seen)
        elif is_by_content(function) and any(isinstance(one, types.Float) for one in inner[1]):
            word = inner[0].__code__.co_name
            yield f"{place}: {word} needs whole numbers, not this fraction: write // or int(...)"


class _Typing(compiler.CompilerBase):
    """A numba compiler without passes, which only sets up the state of a compilation."""

    def define_pipelines(self):
        return []


def _typed(function: Callable, arguments: tuple):
    """Return numba's state after type inference, with comprehensions inlined and dead branches removed."""
    flags = compiler.Flags()
    flags.nrt = True
    contexts = cpu_target.typing_context, cpu_target.target_context
    for context in contexts:  # numba lists its own functions only when something compiles
        context.refresh()
    state = _Typing(*contexts, None, arguments, None, flags, {}).state
    state.func_id = bytecode.FunctionIdentity.from_function(function)
    untyped_passes.ExtractByteCode().run_pass(state)
    passes = compiler.DefaultPassBuilder.define_untyped_pipeline(state)
    passes.add_pass(typed_passes.NopythonTypeInference, "type inference")
    passes.finalize()
    passes.run(state)
    return state


def written_to(step: ir.Stmt, target: types.Type) -> tuple[types.Type | None, str]:
    """Return the type and the name of the place to which a step writes.

    target: type of the record or array that contains the place.
    """
    if isinstance(target, types.Record):
        name = step.attr if isinstance(step, ir.SetAttr) else step.index  # type: ignore[attr-defined]
        name = name if isinstance(name, str) else list(target.fields)[name]
        return target.typeof(name), name
    return getattr(target, "dtype", None), "this array"


def filled_by(step: ir.Stmt, type_of: Callable[[ir.Var], types.Type]) -> types.Array | None:
    """Return the type of the array that a step fills (`array.fill(value)`), otherwise None."""
    call = getattr(step, "value", None)
    if not (isinstance(call, ir.Expr) and call.op == "call" and call.args):
        return None
    function = type_of(call.func)
    is_fill = isinstance(function, types.BoundFunction) and function.typing_key == (types.Array, "fill")
    return function.this if is_fill else None


def _cut(step: ir.Stmt, typed) -> str:
    """Describe the truncation in one step; "" if there is none."""
    if isinstance(step, WRITING):
        place, name = written_to(step, typed.calltypes[step].args[0])
        value = typed.typemap[step.value.name]
    elif filled := filled_by(step, lambda variable: typed.typemap[variable.name]):
        place, name, value = filled.dtype, "this array", typed.typemap[step.value.args[0].name]
    else:
        return ""
    place, value = (getattr(one, "dtype", one) for one in (place, value))
    if not (isinstance(place, types.Integer) and isinstance(value, types.Float)):
        return ""
    return f"{name} has whole numbers ({place}), so this fraction would be truncated: write // or int(...)"


def _called(step: ir.Stmt, typed) -> tuple:
    """Return the function that a step calls and its argument types; () for any other step.

    The result is (plain function, numba types of its arguments), for calls of compiled functions only.
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
