"""Players of Castle, weakest first."""

POLICIES: list = []
