"""The core: scenarios, random numbers, the play loop, records and their storage; one folder per game."""

MOST_GAMES = 2**32  # a record stores the number of a game in 32 bits
