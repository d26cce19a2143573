"""Encoding of actions as integers (PROTOCOL.md, section 1)."""

from bartizan.simcore.castle.components import ARGUMENTS, CASTLE, ENDS, SEATS, SIDES
from bartizan.simcore.compile.jit import inline
from bartizan.simcore.kit.actions import coded, packed

action, kind_of, argument_of = coded(ARGUMENTS)

# Contents of an argument.
# LAY: the castle's owner, the square, and the side of it (Side)
laying, laid_at = packed(castle=SEATS, square=CASTLE, side=SIDES)
# RAM: the Court's owner, and the end: 0 left, 1 right
ram, castle_and_end = packed(castle=SEATS, end=ENDS)


@inline
def square_target(castle, square):
    """Encode a square of a castle as a target."""
    return castle * CASTLE + square


@inline
def castle_of(target):
    """Return the owner of the castle in a target of `square_target`."""
    return target // CASTLE


@inline
def square_of(target):
    return target % CASTLE
