"""How plain Python becomes compiled code: the flags, the cache on disk, the loops of each game."""
