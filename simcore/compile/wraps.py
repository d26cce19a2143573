"""Make compiled code raise an error for numbers that do not fit their target.

In users' code, the target is a field or an array; in every policy, it is the action, an int32. Otherwise,
numba wraps integers, so that 70,000 in an `i2` becomes 4,464, and truncates fractions. The functions that
rules call (`short.words`) are checked in the same way.
"""

from collections.abc import Callable
from functools import cache
from pathlib import Path

import numba
import numpy as np
from numba.core import cgutils, ir, types
from numba.core.errors import TypingError
from numba.core.lowering import Lower
from numba.extending import register_jitable

from bartizan.simcore.compile.cache import is_ours
from bartizan.simcore.compile.cuts import WRITING, filled_by, written_to

NUMBA = Path(numba.__file__).parent
WORDS = Path(__file__).parents[1] / "short" / "words.py"

_lower = Lower.lower_inst


def _lower_held(self, inst):
    if isinstance(inst, WRITING):
        if _is_held(self.func_ir.loc.filename):
            _hold(self, inst.value, *written_to(inst, self.fndesc.calltypes[inst].args[0]))
    elif _is_in_place(inst) and _is_held(self.func_ir.loc.filename):
        _guard_in_place(self, inst.value)
    elif array := filled_by(inst, lambda variable: self.typeof(variable.name)):
        if _is_held(self.func_ir.loc.filename):
            _hold(self, inst.value.args[0], array.dtype, "this array")
    elif _returns_action(self, inst):
        given = self.typeof(inst.value.value.name)
        if isinstance(given, types.Float) or (
            isinstance(given, types.Boolean) and _is_held(self.func_ir.loc.filename)
        ):
            raise TypingError(f"it returns {given}, but an action is an integer", loc=inst.loc)
        _hold(self, inst.value.value, types.int32, "an action")
    return _lower(self, inst)


def _is_in_place(inst: ir.Stmt) -> bool:
    return (
        isinstance(inst, ir.Assign) and isinstance(inst.value, ir.Expr) and inst.value.op == "inplace_binop"
    )


def _returns_action(lower: Lower, inst: ir.Stmt) -> bool:
    """Return whether a step returns an int32. Of all functions outside numba, only policies do."""
    function = lower.func_ir.func_id
    return (
        isinstance(inst, ir.Assign)
        and isinstance(inst.value, ir.Expr)
        and inst.value.op == "cast"
        and lower.typeof(inst.target.name) == types.int32
        and not _is_numba(lower.func_ir.loc.filename)
        and not function.func_name.startswith("__numba_array_expr")
    )


@cache
def _is_numba(file: str) -> bool:
    return Path(file).is_relative_to(NUMBA)


@cache
def _is_held(file: str) -> bool:
    return Path(file) == WORDS or not (is_ours(Path(file)) or _is_numba(file))


def _hold(lower: Lower, written: ir.Var, kind: types.Type | None, place: str) -> None:
    """Add a test to compiled code that raises OverflowError for values that do not fit.

    written: a number or an array of numbers, before it is stored.
    """
    given, value = lower.typeof(written.name), lower.loadvar(written.name)
    kind = getattr(kind, "dtype", kind)
    if isinstance(given, types.BaseTuple):
        for at, one in enumerate(given):
            _test(lower, one, lower.builder.extract_value(value, at), kind, place)
    else:
        _test(lower, given, value, kind, place)


def _test(lower: Lower, given: types.Type, value, kind: types.Type | None, place: str) -> None:
    context, builder = lower.context, lower.builder
    several = isinstance(given, (types.Array, types.List))
    number = given.dtype if several else given
    if not (isinstance(kind, types.Integer) and isinstance(number, types.Integer)):
        return
    if kind.minval <= number.minval and number.maxval <= kind.maxval:
        return
    if several:
        differs = _called(lower, _are_outside, (given,), (value,), kind)
    elif kind.bitwidth < given.bitwidth:
        kept = context.cast(builder, context.cast(builder, value, given, kind), kind, given)
        differs = builder.icmp_unsigned("!=", kept, value)
    else:
        differs = builder.icmp_signed("<", value, value.type(0))
    _raise_if(lower, differs, kind, place)


def _guard_in_place(lower: Lower, step: ir.Expr) -> None:
    """Add a test of the results of `array += ...` and similar operations."""
    array, other = (lower.typeof(one.name) for one in (step.lhs, step.rhs))
    if not (isinstance(array, types.Array) and isinstance(array.dtype, types.Integer)):
        return
    if array.dtype.bitwidth < 64:
        computed = step.immutable_fn

        def are_outside(values, others, low, high):
            return _are_outside(computed(values.astype(np.int64), others), low, high)

        values = tuple(lower.loadvar(one.name) for one in (step.lhs, step.rhs))
        differs = _called(lower, are_outside, (array, other), values, array.dtype)
        _raise_if(lower, differs, array.dtype, "this array")


def _called(lower: Lower, test: Callable, given: tuple, values: tuple, kind: types.Integer):
    """Return the result of `test(*values, low, high)` with the limits of a type."""
    ends = max(kind.minval, types.int64.minval), min(kind.maxval, types.int64.maxval)
    limits = tuple(lower.context.get_constant(types.int64, end) for end in ends)
    signature = types.boolean(*given, types.int64, types.int64)
    return lower.context.compile_internal(lower.builder, test, signature, (*values, *limits))


def _raise_if(lower: Lower, differs, kind: types.Integer, place: str) -> None:
    with cgutils.if_unlikely(lower.builder, differs):
        advice = "more bits" if kind.signed else "more bits or a signed type"
        why = f"the value does not fit {place} ({kind}); give it {advice}, or write a smaller value"
        lower.context.call_conv.return_user_exc(lower.builder, OverflowError, (why,), loc=lower.loc)


@register_jitable
def _are_outside(values, low, high):
    for value in np.asarray(values).flat:
        if value < low or value > high:
            return True
    return False


Lower.lower_inst = _lower_held
