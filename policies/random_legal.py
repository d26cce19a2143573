"""`random`: every legal action alike. The floor every other policy is measured against, for every game."""

from bartizan.policies.protocol import Policy
from bartizan.simcore.rng import policy_below


def choose(state, tables, legal, n_legal, weights):
    return legal[policy_below(state, 0, n_legal)]


RANDOM = Policy("random", choose, "each legal action with equal chance")
