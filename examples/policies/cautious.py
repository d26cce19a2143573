"""A policy of your own for Castle Itter, in one file: docs/adding-a-policy.md.

    bartizan run itter --policy examples/policies/cautious.py --games 2000

It plays as `fight` does, but a weight limits the number of Suppression tokens that it spends on one counter.
"""

from bartizan import Policy, jit
from bartizan.policies.itter.reference import FIGHT, choose_fight
from bartizan.simcore.itter.components import Stage

fight = jit(choose_fight)
MOST = len(FIGHT.weights)  # index of the weight added below


def choose(state, tables, legal, n_legal, weights):
    if state.stage == Stage.SPEND:
        return legal[min(n_legal - 1, int(weights[MOST]))]  # legal lists SPEND 0, 1, 2, ...
    return fight(state, tables, legal, n_legal, weights)


CAUTIOUS = Policy(
    "cautious",
    choose,
    "as fight, but spends at most `most_tokens` a counter",
    weights={**FIGHT.weights, "most_tokens": 2.0},
)
