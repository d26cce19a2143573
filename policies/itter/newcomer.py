"""What a first-time player of Castle Itter counts: SS counters, the near ones more, against tokens and people
who can act.
"""

from bartizan.policies.newcomer import newcomer
from bartizan.simcore.itter.components import CIRCLES, DEFENDER, NONE, Place
from bartizan.simcore.itter.rules.board import is_fit, on_board
from bartizan.simcore.itter.scoring import counters_left

NEAR = 3.0  # a counter that stands before the castle, beside the 1 that every counter counts
TOKEN, FIT, LOST = 0.25, 0.5, 3.0  # a Suppression token, a defender who can act, one who was killed


def goal(state, tables, seat):
    worth = -float(counters_left(state, tables))
    for circle in range(1, CIRCLES):
        if state.counter[circle] != NONE:
            worth -= NEAR / max(tables.steps[circle], 1)
    for colour in range(tables.n_colours):
        worth += TOKEN * state.tokens[colour]
    for d in range(tables.n_defenders):
        worth += FIT * (on_board(state, d) and is_fit(state, d)) - LOST * (state.place[d] == Place.KILLED)
    return worth if seat == DEFENDER else -worth


NEWCOMER = newcomer(goal, "SS counters, the near ones more, against tokens and people who can act")
