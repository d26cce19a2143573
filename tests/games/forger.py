"""A policy that writes an action that is none into the list of legal ones, and plays it."""

from bartizan import Policy


def choose(state, tables, legal, n_legal, weights):
    legal[0] = 77
    return 77


FORGER = Policy("forger", choose, "makes its own action legal")
