"""Sets as bit masks: numba intrinsics that compare a whole field, and that iterate over a mask.

Bit i of a mask (int64) stands for element i of a record field with at most 63 elements. Comparing all of them
takes a few instructions, so a rule computes a set whenever it needs it, and stores nothing that could be out
of date.
"""

from collections.abc import Callable

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.errors import TypingError
from numba.extending import intrinsic

WORD, HALF, LANE = ir.IntType(64), ir.IntType(32), ir.IntType(8)
MOST = 63  # elements of a field: the sign bit of a mask stays 0


def _check_field(field: types.Type, rows: int) -> None:
    """Raise TypingError unless the field is an array of integers of the right shape.

    It must have `rows` + 1 dimensions, the last of them no longer than MOST.
    """
    if not isinstance(field, types.NestedArray) or not isinstance(field.dtype, types.Integer):
        raise TypingError(f"a mask is computed from a field of integers in a record, not from {field}")
    if len(field.shape) != 1 + rows or field.shape[-1] > MOST:
        raise TypingError(f"a mask is computed from at most {MOST} numbers, not from {field}")


def _compared(compare: Callable, context, builder, signature, values):
    """Emit the mask of the elements for which `compare(builder, is_signed, elements, number)` is true.

    values: the field, the row index if the field has two dimensions, and the number.
    """
    field, *at = values
    kind, number = signature.args[0], at.pop()
    lane, n = context.get_value_type(kind.dtype), kind.shape[-1]
    row = ir.VectorType(lane, n)
    data = builder.bitcast(context.make_array(kind)(context, builder, field).data, lane.as_pointer())
    if at:
        data = builder.gep(data, [builder.mul(at[0], WORD(n))])
    elements = builder.load(builder.bitcast(data, row.as_pointer()), align=kind.dtype.bitwidth // 8)
    one = builder.insert_element(ir.Constant(row, ir.Undefined), _fitted(builder, number, lane), HALF(0))
    every = ir.Constant(ir.VectorType(HALF, n), None)
    alike = builder.shuffle_vector(one, ir.Constant(row, ir.Undefined), every)
    found = compare(builder, kind.dtype.signed, elements, alike)
    return builder.zext(builder.bitcast(found, ir.IntType(n)), WORD)


def _fitted(builder, number, lane):
    return number if lane == WORD else builder.trunc(number, lane)


def _equal(builder, is_signed, elements, number):
    return builder.icmp_signed("==", elements, number)


def _above(builder, is_signed, elements, number):
    return (builder.icmp_signed if is_signed else builder.icmp_unsigned)(">", elements, number)


def _bits(builder, is_signed, elements, number):
    return builder.icmp_signed("!=", builder.and_(elements, number), ir.Constant(elements.type, None))


def _over(compare: Callable) -> Callable:
    """Return an intrinsic (field, number) -> mask, for fields of one dimension."""

    def typed(context, field, number):
        _check_field(field, 0)
        return types.int64(field, types.int64), lambda *lowering: _compared(compare, *lowering)

    return intrinsic(typed)


def _over_row(compare: Callable) -> Callable:
    """Return an intrinsic (field, row, number) -> mask of one row, for fields of two dimensions."""

    def typed(context, field, row, number):
        _check_field(field, 1)
        signature = types.int64(field, types.int64, types.int64)
        return signature, lambda *lowering: _compared(compare, *lowering)

    return intrinsic(typed)


where_equal, where_above, where_bits = _over(_equal), _over(_above), _over(_bits)
where_above_in = _over_row(_above)


@intrinsic
def lowest(context, mask):
    """Return the index of the lowest set bit of a mask, which must not be 0."""

    def lower(context, builder, signature, values):
        return builder.cttz(values[0], ir.IntType(1)(1))

    return types.int64(types.int64), lower


@intrinsic
def count_bits(context, mask):
    """Return the number of set bits of a mask."""
    return types.int64(types.int64), lambda _, builder, signature, values: builder.ctpop(values[0])


# for each byte, the numbers of its bits, ascending, in 8 bytes
_NUMBERS = [sorted(range(8), key=lambda bit, byte=byte: (not byte >> bit & 1, bit)) for byte in range(256)]


@intrinsic
def write_eight(context, into, n, first, byte):
    """Write `first` + i for each set bit i of `byte` to into[n:] (int32), and return the new n.

    byte: 0 to 255. The numbers are in ascending order. Overwrites into[n : n + 8]. Raises TypingError for
    another type of array.
    """
    if not isinstance(into, types.Array) or into.dtype != types.int32 or into.layout != "C":
        raise TypingError(f"write_eight writes to a contiguous array of int32, not to {into}")
    return types.int64(into, types.int64, types.int64, types.int64), _write_eight


def _write_eight(context, builder, signature, values):
    array, n, first, byte = values
    numbers = ir.ArrayType(ir.ArrayType(LANE, 8), 256)
    table = cgutils.global_constant(builder, "bits_of_bytes", ir.Constant(numbers, _NUMBERS))
    eight, lanes = ir.VectorType(LANE, 8), ir.VectorType(HALF, 8)
    at = builder.bitcast(builder.gep(table, [WORD(0), byte]), eight.as_pointer())
    offsets = builder.zext(builder.load(at, align=1), lanes)
    action = builder.insert_element(ir.Constant(lanes, ir.Undefined), builder.trunc(first, HALF), HALF(0))
    every = ir.Constant(lanes, None)
    actions = builder.add(offsets, builder.shuffle_vector(action, ir.Constant(lanes, ir.Undefined), every))
    data = context.make_array(signature.args[0])(context, builder, array).data
    builder.store(actions, builder.bitcast(builder.gep(data, [n]), lanes.as_pointer()), align=4)
    return builder.add(n, builder.ctpop(byte))
