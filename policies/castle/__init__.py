"""Players of Castle, weakest first."""

from policies.castle.plain import PLAIN

POLICIES = [PLAIN]
