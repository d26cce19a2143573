"""How actions are written as numbers: PROTOCOL.md, section 1."""

from bartizan.simcore.castle.components import ARGUMENTS, CASTLE, ENDS, SEATS, SIDES
from bartizan.simcore.compile.jit import inline
from bartizan.simcore.kit.actions import coded, packed

action, kind_of, argument_of = coded(ARGUMENTS)

# What an argument names.
# LAY: whose castle, the square, and at which side of it (Side)
laying, laid_at = packed(castle=SEATS, square=CASTLE, side=SIDES)
# RAM: whose Court, and from which end: 0 left, 1 right
ram, castle_and_end = packed(castle=SEATS, end=ENDS)


@inline
def square_target(castle, square):
    """A square of a castle, as a target."""
    return castle * CASTLE + square


@inline
def castle_of(target):
    """Whose castle a square target lies in."""
    return target // CASTLE


@inline
def square_of(target):
    return target % CASTLE
