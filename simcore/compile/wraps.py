"""Stop code from users if a number does not fit its field or array, and any policy whose action does not fit.
numba wraps integers, so that 70,000 in an `i2` becomes 4,464, and truncates fractions. The functions that
rules call (`short.words`) are held too.
"""

from functools import cache
from pathlib import Path

from numba.core import cgutils, ir, types
from numba.core.errors import TypingError
from numba.core.lowering import Lower

from bartizan.simcore.compile.cache import is_ours

PLACES = (ir.SetAttr, ir.SetItem, ir.StaticSetItem)
WORDS = Path(__file__).parents[1] / "short" / "words.py"

_lower = Lower.lower_inst


def _lower_held(self, inst):
    if isinstance(inst, PLACES):
        if _is_held(self.func_ir.loc.filename):
            target, *_, kind = self.fndesc.calltypes[inst].args
            kind = kind if isinstance(inst, ir.SetAttr) else getattr(target, "dtype", None)
            _hold(self, inst.value, kind, getattr(inst, "attr", "this array"))
    elif isinstance(inst, ir.Assign) and isinstance(inst.value, ir.Expr) and inst.value.op == "cast":
        kind, given = self.typeof(inst.target.name), self.typeof(inst.value.value.name)  # of a returned value
        # of users' functions, only policies return int32
        is_truth = kind == types.int32 and isinstance(given, types.Boolean) and _is_held(inst.loc.filename)
        if isinstance(kind, types.Integer) and (isinstance(given, types.Float) or is_truth):
            raise TypingError(f"it returns {given}, but an action is an integer", loc=inst.loc)
        _hold(self, inst.value.value, kind, "an action")
    return _lower(self, inst)


@cache
def _is_held(file: str) -> bool:
    return not is_ours(Path(file)) or Path(file) == WORDS


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
        why = f"the value does not fit {place} ({kind}); give it more bits or a smaller value"
        context.call_conv.return_user_exc(builder, OverflowError, (why,), loc=lower.loc)


Lower.lower_inst = _lower_held
