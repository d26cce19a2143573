"""Players of Castle Itter, weakest first; then the reference policies of docs/reference-policies.md."""

from policies.itter.reference import DRILL, FIGHT, IDLE

POLICIES = [IDLE, DRILL, FIGHT]
