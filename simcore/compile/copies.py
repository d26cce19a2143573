"""Copies of a state without its scratch space.

A large engine has scratch space in its state: rules write there, and read it again before they return.
Experiments and lookahead copy states millions of times, and copy only the part that defines the game.
"""

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.errors import TypingError
from numba.extending import intrinsic

from bartizan.simcore.compile.jit import PLAIN

# the field of a state after which nothing is copied
SCRATCH = ("scratch_from_here", "u1")


def copy_state(to, other):
    """Copy the game in `other` to `to`, except the scratch space. Both are records of the same type."""
    for name in to.dtype.names:
        to[name] = other[name]


def _typed(context, to, other):
    if not isinstance(to, types.Record) or to != other:
        raise TypingError(f"copy_state copies between states of the same game, not from {other} to {to}")
    return types.none(to, other), _copy


def _copy(context, builder, signature, values):
    state, (name, _) = signature.args[0], SCRATCH
    size = state.fields[name].offset if name in state.fields else state.size
    cgutils.raw_memcpy(builder, *values, ir.IntType(64)(size), 1)
    return context.get_dummy_value()


if not PLAIN:
    copy_state = intrinsic(_typed)
