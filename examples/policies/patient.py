"""A policy of your own for Escape from Colditz, in one file: docs/adding-a-policy.md.

    bartizan run colditz --policy allied=examples/policies/patient.py --games 500

It plays the Allies as `greedy` does, but stakes no POW before the round that a weight sets.
"""

from bartizan import Policy, jit
from bartizan.policies.colditz.greedy import GREEDY
from bartizan.simcore.colditz.actions import kind_of
from bartizan.simcore.colditz.components import Act

greedy = jit(GREEDY.choose)
FROM_ROUND = len(GREEDY.weights)  # index of the weight added below


def choose(state, tables, legal, n_legal, weights):
    action = greedy(state, tables, legal, n_legal, weights)
    if kind_of(action) != Act.STAKE or state.round >= weights[FROM_ROUND]:
        return action
    for i in range(n_legal):
        if kind_of(legal[i]) != Act.STAKE:
            return legal[i]
    return action


PATIENT = Policy(
    "patient",
    choose,
    "Allies: as greedy, but stakes no POW before round `from_round`",
    weights={**GREEDY.weights, "from_round": 20.0},
    roles=("allied",),
)
