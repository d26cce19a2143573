"""A policy that breaks the rules now and then, in any game."""

from bartizan.policies.protocol import Policy
from bartizan.simcore.rng import policy_below


def choose(state, tables, legal, n_legal, weights):
    if policy_below(state, 0, int(weights[0])) == 0:
        return 77
    return legal[policy_below(state, 1, n_legal)]


RECKLESS = Policy("reckless", choose, "an action that is none, once in so many", {"one_in": 2000.0})
