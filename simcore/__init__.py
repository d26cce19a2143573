"""The core: scenarios, luck, the play loop, records and their storage; one folder per game."""
