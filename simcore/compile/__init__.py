"""Compilation of plain Python: numba's flags, the cache on disk, and the loops of each game."""
