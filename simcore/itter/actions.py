"""Encoding of actions as integers (PROTOCOL.md, section 1)."""

from bartizan.simcore.itter import components as c
from bartizan.simcore.kit.actions import coded, packed

action, kind_of, argument_of = coded(c.ARGUMENTS)

# SHIFT: a defender to a position
shift_to, defender_and_position = packed(defender=c.DEFENDERS, position=64)
# GIVE: a free Recover for a defender: EXHAUSTION, DISRUPTION or TOKEN_ONLY
gift, defender_and_gift = packed(defender=c.DEFENDERS, gift=4)
# ATTACK: the advancing counter of a circle (gun 0), or its Machine Gunner (1) or Mortar (2)
target_of, gun_and_circle = packed(gun=3, circle=c.GUN_TARGET)
