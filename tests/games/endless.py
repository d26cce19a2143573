"""A policy that never answers."""

from bartizan import Policy


def choose(state, tables, legal, n_legal, weights):
    action = 0
    while legal[0] == 0:
        action = 1 - action
    return action


ENDLESS = Policy("endless", choose, "loops for ever")
