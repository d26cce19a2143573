"""Mathematics: intervals, tests, adjustments, models of skill and of variance.

Independent of games.
"""
