"""The core: scenarios, luck, the play loop, records and their storage; one folder per game."""

MOST_GAMES = 2**32  # a record holds a game's number in 32 bits
