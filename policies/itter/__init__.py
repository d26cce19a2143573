"""Policies for Castle Itter, weakest first, followed by the reference policies of REFERENCE_POLICIES.md."""

from bartizan.policies.itter.commander import COMMANDER
from bartizan.policies.itter.garrison import GARRISON
from bartizan.policies.itter.greedy import GREEDY
from bartizan.policies.itter.newcomer import NEWCOMER
from bartizan.policies.itter.reference import DRILL, FIGHT, IDLE
from bartizan.policies.itter.sentinel import SENTINEL

POLICIES = [NEWCOMER, GREEDY, GARRISON, SENTINEL, COMMANDER, IDLE, DRILL, FIGHT]
