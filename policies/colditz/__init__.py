"""Players of Escape from Colditz, weakest first."""

from policies.colditz.escape_officer import ESCAPE_OFFICER
from policies.colditz.greedy import GREEDY
from policies.colditz.security_officer import SECURITY_OFFICER

POLICIES = [GREEDY, ESCAPE_OFFICER, SECURITY_OFFICER]
