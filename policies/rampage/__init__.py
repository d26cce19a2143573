"""Players of Castle Rampage, weakest first."""

POLICIES = []
