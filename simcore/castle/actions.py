"""How actions are written as numbers: PROTOCOL.md, section 1."""

from bartizan.simcore.castle.components import ARGUMENTS, CASTLE, ENDS, SIDES
from bartizan.simcore.compile.jit import inline


@inline
def action(kind, argument):
    return kind * ARGUMENTS + argument


@inline
def kind_of(action):
    return action // ARGUMENTS


@inline
def argument_of(action):
    return action % ARGUMENTS


# ---------------------------------------------------------------- what an argument names


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


@inline
def laying(castle, square, side):
    """LAY: a barricade at one side (Side) of a square."""
    return square_target(castle, square) * SIDES + side


@inline
def laid_at(argument):
    """LAY: the square, as a target."""
    return argument // SIDES


@inline
def laid_side(argument):
    return argument % SIDES


@inline
def ram(castle, side):
    """RAM: whose Court, and from which end: 0 left, 1 right."""
    return castle * ENDS + side


@inline
def ram_castle(argument):
    return argument // ENDS


@inline
def ram_side(argument):
    return argument % ENDS
