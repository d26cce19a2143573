"""What the mathematics needs: intervals, tests, adjustments, models of skill and of variance.

Knows no game.
"""
