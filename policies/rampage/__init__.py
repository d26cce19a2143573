"""Policies for Castle Rampage, weakest first."""

from bartizan.policies.rampage.greedy import GREEDY
from bartizan.policies.rampage.newcomer import NEWCOMER
from bartizan.policies.rampage.tactician import DEFENDER, RUSHER, TACTICIAN

POLICIES = [NEWCOMER, GREEDY, DEFENDER, RUSHER, TACTICIAN]
