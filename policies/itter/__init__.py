"""Players of Castle Itter, weakest first; then the reference policies of docs/reference-policies.md."""

from policies.itter.commander import COMMANDER
from policies.itter.garrison import GARRISON
from policies.itter.greedy import GREEDY
from policies.itter.reference import DRILL, FIGHT, IDLE

POLICIES = [GREEDY, GARRISON, COMMANDER, IDLE, DRILL, FIGHT]
