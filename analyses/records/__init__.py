"""Analyses of recorded games: each counts distinct values in one pass and works on the counts."""
