"""A policy that breaks the rules."""

from bartizan import Policy


def choose(state, tables, legal, n_legal, weights):
    return 7


OUTLAW = Policy("outlaw", choose, "plays an action that is none")
