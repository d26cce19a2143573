"""Players of Castle, weakest first."""

from policies.castle.greedy import GREEDY
from policies.castle.plain import PLAIN
from policies.castle.steward import BUILDER, RAIDER, STEWARD

POLICIES = [PLAIN, GREEDY, BUILDER, RAIDER, STEWARD]
