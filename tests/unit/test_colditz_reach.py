"""What guards can walk to, as the officers judge it: many circles have no way on foot from where guards are posted."""

import numpy as np
import pytest

from bartizan.policies.colditz import aids, escape_officer, security_officer
from bartizan.policies.colditz.security_officer import VIEW
from bartizan.simcore.colditz.components import NONE, Reaction, Zone
from tests.colditz_table import Table


def circles(table: Table, zone: Zone, reached: bool) -> list[int]:
    """Where pawns may stop, that guards can or cannot walk to from a post."""
    board = table.tables.board
    there = (
        (board.zone == zone)
        & board.stops.astype(bool)
        & ~board.safe.astype(bool)
        & ((board.post_steps >= 0) == reached)
    )
    return np.flatnonzero(there).tolist()


@pytest.mark.parametrize("zone", [Zone.OUTER, Zone.OUTSIDE])
def test_a_guard_in_the_barracks_threatens_what_he_can_walk_to(zone):
    """5.1: he is posted, and walks on from there."""
    table = Table(1).guards()
    state, tables = table.state, table.tables
    near = min(circles(table, zone, reached=True), key=lambda c: tables.board.post_steps[c])
    assert aids.danger(state, tables, near) == tables.reach[tables.board.post_steps[near] + 1]
    for c in circles(table, zone, reached=False):
        assert aids.danger(state, tables, c) < 1e-6


def appel(places: dict[int, int], *guards: int, **sets) -> Table:
    """An Appel is called and the Allied player answers."""
    table = Table(1, **sets).pows(places).guards(*guards)
    table.state.reaction = Reaction.APPEL
    return table


def test_an_appel_takes_those_whom_a_posted_guard_is_near_to():
    """9.1: nobody from the barracks, nobody Outside, nobody who stands there already."""
    table = Table(1)
    board, reach = table.tables.board, table.tables.reach
    post = min(circles(table, Zone.OUTER, reached=True), key=lambda c: board.post_steps[c])
    outer = [c for c in circles(table, Zone.OUTER, reached=True) if c != post and board.steps[post, c] > 0]
    near = min(outer, key=lambda c: board.steps[post, c])
    table = appel({0: near}, post)
    assert escape_officer.appel_danger(table.state, table.tables, 0) == reach[board.steps[post, near]]
    assert escape_officer.appel_danger(table.state, table.tables, 1) < 0  # at the Appel
    table = appel({0: near})
    assert escape_officer.appel_danger(table.state, table.tables, 0) < 1e-6
    outside = circles(table, Zone.OUTSIDE, reached=True)[0]
    table = appel({0: outside}, post)
    assert escape_officer.appel_danger(table.state, table.tables, 0) < 0


def test_an_appel_measured_straight_counts_straight_steps():
    """Q19b."""
    table = Table(1)
    board = table.tables.board
    post = min(circles(table, Zone.OUTER, reached=True), key=lambda c: board.post_steps[c])
    apart = [c for c in circles(table, Zone.OUTER, reached=True) if 0 <= board.straight[post, c] < board.steps[post, c]]
    far = max(apart, key=lambda c: board.steps[post, c] - board.straight[post, c])
    for reading, distances in {"steps": board.steps, "straight": board.straight}.items():
        table = appel({0: far}, post, appel_range=reading)
        danger = escape_officer.appel_danger(table.state, table.tables, 0)
        assert danger == pytest.approx(table.tables.reach[min(distances[post, far], 127)])


def test_a_guard_who_cannot_come_is_not_worth_a_diversion():
    """9.7: the nearer the guard, the more; nothing for one with no way to the POW."""
    table = Table(1)
    board = table.tables.board
    post = min(circles(table, Zone.OUTER, reached=True), key=lambda c: board.post_steps[c])
    beside = next(c for c in circles(table, Zone.OUTER, reached=True) if board.steps[post, c] == 1)
    cut_off = next(c for c in circles(table, Zone.OUTSIDE, reached=False) if board.steps[post, c] < 0)
    table.pows({0: beside, 1: cut_off}).guards(post)
    assert escape_officer.nearness(table.state, table.tables, 0, 0) == 9
    assert escape_officer.nearness(table.state, table.tables, 0, 1) == 0


def test_a_place_without_a_way_to_the_post_is_worth_less_than_any_other():
    table = Table(1).german()
    board = table.tables.board
    post = min(circles(table, Zone.OUTER, reached=True), key=lambda c: board.post_steps[c])
    view = np.zeros(1, VIEW)[0]
    worth = {
        c: security_officer.worth_of_place(table.state, table.tables, c, post, view)
        for c in range(len(board.zone))
        if board.zone[c] in (Zone.OUTER, Zone.OUTSIDE)
    }
    without = [w for c, w in worth.items() if board.steps[c, post] < 0]
    assert without and max(without) < min(w for c, w in worth.items() if board.steps[c, post] >= 0)
    assert worth[post] == max(worth.values()) and post != NONE
