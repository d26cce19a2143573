"""What a first-time player of Castle Itter counts: the points of the score sheet, tracks that fill up before
the castle, tokens against what comes, people who can act.
"""

from bartizan.policies.newcomer import newcomer
from bartizan.simcore.itter.components import DEFENDER
from bartizan.simcore.itter.features import free_circles
from bartizan.simcore.itter.rules.board import is_fit, on_board
from bartizan.simcore.itter.scoring import final_score

FULL = 10.0  # a track without a free circle, where the next counter breaks in; half of it with one free
TOKEN, FIT = 0.75, 0.5  # a Suppression token, a defender who can act


def goal(state, tables, seat):
    points = float(final_score(state, tables))
    worth = -points if tables.counts_casualties else points
    for i in range(len(tables.areas)):
        worth -= FULL / (1.0 + free_circles(state, tables, tables.areas[i]))
    for colour in range(tables.n_colours):
        worth += TOKEN * state.tokens[colour]
    for d in range(tables.n_defenders):
        worth += FIT * (on_board(state, d) and is_fit(state, d))
    return worth if seat == DEFENDER else -worth


NEWCOMER = newcomer(goal, "points, full tracks, tokens and people who can act")
