"""Policies for Escape from Colditz, weakest first."""

from bartizan.policies.colditz.escape_officer import ESCAPE_OFFICER
from bartizan.policies.colditz.greedy import GREEDY
from bartizan.policies.colditz.newcomer import NEWCOMER
from bartizan.policies.colditz.security_officer import SECURITY_OFFICER

POLICIES = [NEWCOMER, GREEDY, ESCAPE_OFFICER, SECURITY_OFFICER]
