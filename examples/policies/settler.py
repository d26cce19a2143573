"""A policy of your own for Castle, in one file: docs/adding-a-policy.md.

    bartizan run castle --policy examples/policies/settler.py --games 2000

It plays as `greedy` does, but does not attack before the turn that a weight sets.
"""

from bartizan import Policy, jit
from bartizan.policies.castle.greedy import GREEDY
from bartizan.simcore.castle.actions import kind_of
from bartizan.simcore.castle.components import Act

greedy = jit(GREEDY.choose)
FROM_TURN = len(GREEDY.weights)  # index of the weight added below


def choose(state, tables, legal, n_legal, weights):
    action = greedy(state, tables, legal, n_legal, weights)
    if kind_of(action) == Act.ATTACK and state.turn < weights[FROM_TURN]:
        for i in range(n_legal):
            if kind_of(legal[i]) == Act.PLACE:
                return legal[i]  # the first place that is free
    return action


SETTLER = Policy(
    "settler",
    choose,
    "as greedy, but attacks nobody before turn `from_turn`",
    weights={**GREEDY.weights, "from_turn": 12.0},
)
