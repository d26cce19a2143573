"""Analyses of recorded games, from counts of distinct values."""
