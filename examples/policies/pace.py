"""A policy of your own for Pig, in one file: docs/adding-a-policy.md.

    bartizan run examples/pig/pig.py --policy first=examples/policies/pace.py --policy second=hold

A simple strategy close to optimal play (Neller & Presser 2010, "Practical Play of the Dice Game Pig").
Against an optimal player, it wins 49.5 % of games, and `hold` at 20 wins 46.0 %.
"""

from bartizan import Policy

ROLL, HOLD = 0, 1


def choose(state, tables, legal, n_legal, weights):
    """Adjust the stake to the difference in points; roll to win if either player is near the goal."""
    own, other = state.banked[state.to_move], state.banked[1 - state.to_move]
    if own + state.at_stake >= tables.goal:
        return HOLD
    if max(own, other) >= weights[0]:
        return ROLL
    return ROLL if state.at_stake < weights[1] + round((other - own) / weights[2]) else HOLD


PACE = Policy(
    "pace",
    choose,
    "keeps pace: holds near `hold_at`, sooner when ahead; from `race_from` points on rolls for the goal",
    weights={"race_from": 71.0, "hold_at": 21.0, "lag": 8.0},
)
