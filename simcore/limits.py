"""What no file or command may exceed."""

MOST_GAMES = 2**32  # a record holds a game's number in 32 bits
