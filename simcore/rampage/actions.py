"""Encoding of actions as integers (PROTOCOL.md, section 1)."""

from bartizan.simcore.kit.actions import coded, packed
from bartizan.simcore.rampage import components as c

action, kind_of, argument_of = coded(c.ARGUMENTS)

# PLAY: a card, from in front (1) or from the hand (0), with boosts
play, play_of = packed(in_front=2, boosts=c.BOOSTS + 1, card=64)
