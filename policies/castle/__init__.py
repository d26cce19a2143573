"""Policies for Castle, weakest first."""

from bartizan.policies.castle.greedy import GREEDY
from bartizan.policies.castle.newcomer import NEWCOMER
from bartizan.policies.castle.plain import PLAIN
from bartizan.policies.castle.steward import BUILDER, RAIDER, STEWARD

POLICIES = [NEWCOMER, PLAIN, GREEDY, BUILDER, RAIDER, STEWARD]
