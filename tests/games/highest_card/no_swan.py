"""A policy that breaks the rules with a swan in the first player's hand."""

from bartizan.policies.protocol import Policy

SWAN = 2


def choose(state, tables, legal, n_legal, weights):
    return 7 if state.to_move == 0 and state.hand == SWAN else legal[0]


NO_SWAN = Policy("no_swan", choose, "plays an action that is none with a swan in hand")
