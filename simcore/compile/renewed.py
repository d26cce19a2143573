"""numba intrinsics for the memory of policies: the record at the end of a row, and detection of changes.

Both would be slower in Python, because a slice of an array counts references, and numba widens a loop over
small integers to 64 bits.
"""

from collections.abc import Callable

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.errors import TypingError
from numba.extending import intrinsic

WORD = ir.IntType(64)
BYTES = ir.IntType(8).as_pointer()


def record_at_end(record: types.Record) -> Callable:
    """Return an intrinsic that views the end of an array as a record of this type.

    The record shares the memory of the array but does not keep it alive.
    """

    def typed(context, row):
        return record(row), lambda *lowering: _end_of(record, *lowering)

    return intrinsic(typed)


def _end_of(record, context, builder, signature, values):
    kind = signature.args[0]
    row = context.make_array(kind)(context, builder, values[0])
    bytes_in = builder.mul(row.nitems, row.itemsize)
    begin = builder.sub(bytes_in, WORD(record.size))
    end = builder.gep(builder.bitcast(row.data, BYTES), [begin])
    return builder.bitcast(end, context.get_value_type(record))


@intrinsic
def renewed(context, kept, now):
    """Copy the array `now` of one record to `kept` of another, and return whether they differed.

    Both are fields of one type and shape, or `now` is a contiguous array of that type with at least as many
    elements. Bytes are compared.
    """
    is_head = isinstance(now, types.Array) and (now.ndim, now.layout) == (1, "C") and now.dtype == kept.dtype
    if not isinstance(kept, types.NestedArray) or (kept != now and not is_head):
        raise TypingError(f"renewed compares fields of one type, not {kept} and {now}")
    return types.boolean(kept, now), _renew


def _renew(context, builder, signature, values):
    kept, now = (
        builder.bitcast(context.make_array(kind)(context, builder, value).data, BYTES)
        for kind, value in zip(signature.args, values, strict=True)
    )
    size = WORD(signature.args[0].nitems * signature.args[0].size)
    kind = ir.FunctionType(ir.IntType(32), [BYTES, BYTES, WORD])
    memcmp = cgutils.get_or_insert_function(builder.module, kind, "memcmp")
    differs = builder.icmp_signed("!=", builder.call(memcmp, [kept, now, size]), ir.IntType(32)(0))
    with builder.if_then(differs):
        cgutils.raw_memcpy(builder, kept, now, size, 1)
    return differs
