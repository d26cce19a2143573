"""Tunnels as both officers play them: when the card is worth playing, who digs, where guards wait."""

import numpy as np
import pytest

from bartizan.policies.colditz import plans, security_officer
from bartizan.policies.colditz.security_officer import SECURITY_OFFICER
from bartizan.simcore.colditz.components import GUARDS, NONE, TEAM, Act, Place, Zone
from bartizan.simcore.colditz.rules.allied_cards import two_may_get_in
from tests.colditz_table import Table

NAMES = ("chapel", "canteen", "theatre")
INSIDE = {"chapel": {0: 246, 1: 266}, "canteen": {0: 223, 1: 222}, "theatre": {0: 1016, 1: 1004}}


def watched(table: Table, watch: float = SECURITY_OFFICER.weights["watch"]) -> list[int]:
    """The circles that guards are to stand on, those that matter most first."""
    weights = np.array(list((SECURITY_OFFICER.weights | {"watch": watch}).values()))
    view, memory = np.zeros(1, security_officer.VIEW)[0], np.zeros(1, security_officer.MEMORY)[0]
    security_officer.look(table.state, table.tables, weights, view, memory)
    return view["circle"][: view["n"]].tolist()


@pytest.mark.parametrize("name", NAMES)
def test_guards_wait_at_the_far_end_of_an_open_tunnel(name):
    """8.4, 8.5: two on its circles catch who is inside; they may not stay Outside while nobody is on the run (5.3)."""
    board = (table := Table(2).kit(0).german()).tables.board
    t = table.t(name)
    chain = board.chain[t, : board.chain_length[t]].tolist()
    last = [c for c in reversed(chain) if board.zone[c] == Zone.OUTER and board.post_steps[c] >= 0][:2]
    n = len(last)
    assert watched(table)[:n] != last
    table.below(name, INSIDE[name])
    assert watched(table)[:n] == last
    assert not set(watched(table, watch=0.0)[:n]) & set(last)
    most = table.tables.guards - int(SECURITY_OFFICER.weights["reserve"])
    assert len(watched(table)) == len(watched(table, watch=0.0)) == most


def test_all_tunnels_are_watched_and_no_more_guards_than_there_are():
    table = Table(5).kit(0).german()
    for i, name in enumerate(NAMES):
        table.below(name, {w + i * TEAM: c for w, c in INSIDE[name].items()})
    assert len(watched(table, watch=13.0)) <= GUARDS


def mouth(table: Table, name: str, *steps: int) -> Table:
    """The first POWs that many steps from the first circle of a tunnel, the others of the team in the cells."""
    board, t = table.tables.board, table.t(name)
    table.pows(dict.fromkeys(range(len(steps), TEAM), int(Place.CELL_INNER)))
    for w, away in enumerate(steps):
        is_free = board.stops.astype(bool) & (table.state.on == 0)
        there = (board.steps_in[t] == away) & board.grey.astype(bool) & is_free & (board.tunnel_of == NONE)
        table.pows({w: int(np.flatnonzero(there)[0])})
    return table


# (steps of each waiting POW to the mouth, points, may two get in)
GETTING_IN = [((2, 3), 6, True), ((2, 3), 5, False), ((2, 2), 5, True), ((2, 9), 6, False), ((1,), 30, False)]


@pytest.mark.parametrize("reading", ["two_own", "any_two"])
@pytest.mark.parametrize(("steps", "points", "comes"), GETTING_IN)
def test_the_card_of_a_tunnel_is_for_two_who_get_in(reading, steps, points, comes):
    """One goes a circle further in; with fewer than two it is closed at the German's turn (8.3).

    The engine offers the card only then, or always.
    """
    table = mouth(Table(1, tunnel_start=reading).kit(0), "canteen", *steps).turn(0, points=points)
    assert two_may_get_in(table.state, table.tables, 0, table.t("canteen")) == comes
    offered = table.t("canteen") in table.hand(0, "tunnel_canteen").args(Act.TUNNEL)
    assert offered == (comes or reading == "any_two")


def test_the_two_nearest_dig():
    table = mouth(Table(1).kit(0), "canteen", 5, 2, 9, 3).turn(0)
    t = table.t("canteen")
    assert plans.diggers_for(table.state, table.tables, 0, t) == 0b1010
    table.below("canteen", {2: 223})
    assert plans.diggers_for(table.state, table.tables, 0, t) == 0b0110, "who is in digs, and the nearest"
