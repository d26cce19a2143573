"""Make users' code raise an error for a number that does not fit its field or array, and every policy for an
action that does not fit an int32. Otherwise, numba wraps integers, so that 70,000 in an `i2` becomes 4,464,
and truncates fractions. The functions that rules call (`short.words`) are checked in the same way.
"""

from functools import cache
from pathlib import Path

import numba
from numba.core import cgutils, ir, types
from numba.core.errors import TypingError
from numba.core.lowering import Lower

from bartizan.simcore.compile.cache import is_ours
from bartizan.simcore.compile.cuts import WRITING, written_to

NUMBA = Path(numba.__file__).parent
WORDS = Path(__file__).parents[1] / "short" / "words.py"

_lower = Lower.lower_inst


def _lower_held(self, inst):
    if isinstance(inst, WRITING):
        if _is_held(self.func_ir.loc.filename):
            _hold(self, inst.value, *written_to(inst, self.fndesc.calltypes[inst].args[0]))
    elif _returns_action(self, inst):
        given = self.typeof(inst.value.value.name)
        if isinstance(given, types.Float) or (
            isinstance(given, types.Boolean) and _is_held(self.func_ir.loc.filename)
        ):
            raise TypingError(f"it returns {given}, but an action is an integer", loc=inst.loc)
        _hold(self, inst.value.value, types.int32, "an action")
    return _lower(self, inst)


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
    """Add a test of a number that is about to be written, which raises OverflowError in compiled code."""
    given = lower.typeof(written.name)
    if not (isinstance(kind, types.Integer) and isinstance(given, types.Integer)):
        return
    context, builder, value = lower.context, lower.builder, lower.loadvar(written.name)
    if kind.bitwidth < given.bitwidth:
        kept = context.cast(builder, context.cast(builder, value, given, kind), kind, given)
        differs = builder.icmp_unsigned("!=", kept, value)
    elif kind.signed == given.signed or (kind.signed and kind.bitwidth > given.bitwidth):
        return
    else:
        differs = builder.icmp_signed("<", value, value.type(0))
    with cgutils.if_unlikely(builder, differs):
        advice = "more bits" if kind.signed else "more bits or a signed type"
        why = f"the value does not fit {place} ({kind}); give it {advice}, or write a smaller value"
        context.call_conv.return_user_exc(builder, OverflowError, (why,), loc=lower.loc)


Lower.lower_inst = _lower_held
