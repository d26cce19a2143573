"""Players of Castle Rampage, weakest first."""

from policies.rampage.greedy import GREEDY
from policies.rampage.tactician import DEFENDER, RUSHER, TACTICIAN

POLICIES = [GREEDY, DEFENDER, RUSHER, TACTICIAN]
