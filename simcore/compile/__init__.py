"""Compilation of plain Python: the flags, the cache on disk, the loops of each game."""
