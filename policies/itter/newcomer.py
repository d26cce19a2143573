"""The goal of a first-time player of Castle Itter.

It counts points of the score sheet, free circles on the tracks, tokens against approaching counters, and
defenders who can act.
"""

from bartizan.policies.newcomer import newcomer
from bartizan.policies.protocol import indices
from bartizan.simcore.itter.components import DEFENDER
from bartizan.simcore.itter.features import free_circles, miss
from bartizan.simcore.itter.rules.board import in_cellar, is_fit, on_board
from bartizan.simcore.itter.scoring import counters_left, final_score

WEIGHTS = {
    "sheet": 1.0,  # a point of the score sheet
    # a track without a free circle, where the next counter enters the castle; half for one with one free
    # circle
    "full": 10.0,
    "token": 0.75,  # a Suppression token
    "fit": 0.5,  # a defender who can act
    # default 0, unless a goal sets it
    "breach": 0.0,  # a full track, times the probability that its tokens do not stop the next counter
    "counter": 0.0,  # an SS counter on the board, beyond its point
    "alive": 0.0,  # a defender on the board
    "outside": 0.0,  # one outside the Cellar
}
AT = indices(WEIGHTS)


def goal(state, tables, seat, weights):
    points = float(final_score(state, tables))
    worth = weights[AT.sheet] * (-points if tables.counts_casualties else points)
    for i in range(len(tables.areas)):
        free = free_circles(state, tables, tables.areas[i])
        worth -= weights[AT.full] / (1.0 + free)
        if free == 0 and weights[AT.breach] > 0.0:
            worth -= weights[AT.breach] * miss(state, tables, tables.circle_colour[tables.areas[i]])
    worth -= weights[AT.counter] * counters_left(state, tables)
    for colour in range(tables.n_colours):
        worth += weights[AT.token] * state.tokens[colour]
    for d in range(tables.n_defenders):
        if on_board(state, d):
            worth += weights[AT.fit] * is_fit(state, d) + weights[AT.alive]
            worth += weights[AT.outside] * (1 - in_cellar(state, tables, d))
    return worth if seat == DEFENDER else -worth


NEWCOMER = newcomer(goal, "points, full tracks, tokens and defenders who can act", **WEIGHTS)
