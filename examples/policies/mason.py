"""A policy of your own for Rampage, in one file: docs/adding-a-policy.md.

    bartizan run rampage --policy first=examples/policies/mason.py --policy second=greedy --games 2000

It puts a card under its Gate if possible, while the Gate has fewer cards than a weight. Otherwise, it plays
as `greedy` does.
"""

from bartizan import Policy, jit
from bartizan.policies.rampage.greedy import GREEDY
from bartizan.simcore.rampage.actions import kind_of
from bartizan.simcore.rampage.components import Act, Structure

greedy = jit(GREEDY.choose)
GATE_OF = len(GREEDY.weights)  # index of the weight added below


def choose(state, tables, legal, n_legal, weights):
    if state.size[state.to_move, Structure.GATE] < weights[GATE_OF]:
        for i in range(n_legal):
            if kind_of(legal[i]) == Act.GATE:
                return legal[i]
    return greedy(state, tables, legal, n_legal, weights)


MASON = Policy(
    "mason",
    choose,
    "fills the Gate up to `gate_of` cards first, else as greedy",
    weights={**GREEDY.weights, "gate_of": 6.0},
)
