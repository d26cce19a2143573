"""Players of Castle Rampage, weakest first."""

from bartizan.policies.rampage.greedy import GREEDY
from bartizan.policies.rampage.tactician import DEFENDER, RUSHER, TACTICIAN

POLICIES = [GREEDY, DEFENDER, RUSHER, TACTICIAN]
