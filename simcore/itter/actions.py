"""How actions are written as numbers: PROTOCOL.md, section 1."""

from bartizan.simcore.compile.jit import inline
from bartizan.simcore.itter.components import ARGUMENTS, GIVE_STRIDE, GUN_TARGET, SHIFT_STRIDE


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
def target_of(circle, gun):
    """ATTACK: the advancing counter of a circle (gun 0), or its Machine Gunner (1) or Mortar (2)."""
    return circle + GUN_TARGET * gun


@inline
def circle_and_gun(argument):
    """What `target_of` packs."""
    return argument % GUN_TARGET, argument // GUN_TARGET


@inline
def shift_to(d, p):
    """SHIFT: defender d to position p."""
    return d * SHIFT_STRIDE + p


@inline
def defender_and_position(argument):
    """What `shift_to` packs."""
    return argument // SHIFT_STRIDE, argument % SHIFT_STRIDE


@inline
def gift(d, what):
    """GIVE: a free Recover for defender d: EXHAUSTION, DISRUPTION or TOKEN_ONLY."""
    return d * GIVE_STRIDE + what


@inline
def defender_and_gift(argument):
    """What `gift` packs."""
    return argument // GIVE_STRIDE, argument % GIVE_STRIDE
