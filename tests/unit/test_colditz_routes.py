"""The routes out of the castle that policies plan with, and the wall that guards make of them."""

import numpy as np
import pytest

from bartizan.policies.colditz import plans, security_officer
from bartizan.policies.colditz.security_officer import SECURITY_OFFICER
from bartizan.simcore.colditz.board_tables import LOADOUT
from bartizan.simcore.colditz.components import NONE, SHUT, Arc, Equipment, Zone
from bartizan.simcore.colditz.rules.decks import spend_card
from tests.colditz_table import Table

TABLE = Table(2)
BOARD = TABLE.tables.board
ROUTES = range(int(BOARD.n_routes))
NORTH_WEST = next(r for r in ROUTES if BOARD.route_length[r] == 24 and not BOARD.route_car[r])
WEIGHTS = np.array(list(SECURITY_OFFICER.weights.values()))


def circles(r: int) -> list[int]:
    return BOARD.route[r, : BOARD.route_length[r] + 1].tolist()


@pytest.mark.parametrize("r", ROUTES)
def test_a_route_leads_from_a_room_to_a_target_or_the_car(r):
    path, arcs = circles(r), BOARD.route_arc[r, : BOARD.route_length[r]]
    assert BOARD.room[path[0]] != NONE
    assert BOARD.stops[path[0]]
    assert BOARD.beside_car[path[-1]] if BOARD.route_car[r] else BOARD.target[path[-1]] > 0
    for here, arc, there in zip(path[:-1], arcs, path[1:], strict=True):
        assert BOARD.arc_first[here] <= arc < BOARD.arc_first[here + 1]
        assert BOARD.arc_to[arc] == there
    grey = [bool(BOARD.grey[c]) for c in path]
    assert grey == sorted(grey, reverse=True), "it leaves the grey zone once"
    assert BOARD.route_exit[r] == sum(grey)


@pytest.mark.parametrize("r", ROUTES)
def test_what_a_route_takes(r):
    kinds, arcs = Arc, BOARD.route_arc[r, : BOARD.route_length[r]]
    kind = BOARD.arc_kind[arcs]
    needs = [(kind == one).sum() for one in (kinds.WIRE, kinds.PASS, kinds.KEY)]
    assert BOARD.route_need[r].tolist() == [*needs, BOARD.arc_ropes[arcs][kind == kinds.DOWN].sum()]
    assert (kind != kinds.UP).all()


def test_the_shortest_way_with_two_ropes_and_wire_cutters_is_a_route():
    """Against the table of shortest ways, which another search makes: no route is shorter than it."""
    for r in ROUTES:
        need = BOARD.route_need[r]
        if not BOARD.route_car[r] and (need < LOADOUT).all():
            assert BOARD.route_length[r] >= BOARD.way_out[(*need, circles(r)[0])]
    best = BOARD.way_out[1, 0, 0, 2][[circles(r)[0] for r in ROUTES]]
    assert BOARD.route_length[NORTH_WEST] == best[best >= 0].min()
    assert BOARD.route_need[NORTH_WEST].tolist() == [1, 0, 0, 2]


def test_doors_are_circles_of_the_outer_area_that_guards_reach():
    for r in ROUTES:
        doors = BOARD.door_circle[BOARD.door_of[r, : BOARD.n_doors_of[r]]]
        assert len(doors) <= SHUT
        assert set(doors) <= set(circles(r))
        assert (BOARD.zone[doors] == Zone.OUTER).all()
        assert (BOARD.post_steps[doors] >= 0).all()


def test_where_a_space_stands_on_a_route():
    for c, numbers in enumerate(BOARD.route_number):
        assert numbers[ROUTES].tolist() == [circles(r).index(c) if c in circles(r) else NONE for r in ROUTES]


def best(table: Table, p: int = 0, block: float = 15.0) -> int:
    return plans.best_route(table.state, table.tables, p, 12.0, block, 5.0, 0.0)


def test_a_guard_on_the_way_sends_a_player_another_way():
    table = Table(2).equipment(0, wire_cutters=1, rope=2)
    assert best(table) == NORTH_WEST
    table.guards(circles(NORTH_WEST)[1])
    assert best(table) != NORTH_WEST
    assert best(table, block=0.0) == NORTH_WEST


def test_the_car_is_for_who_holds_its_card():
    table = Table(2).equipment(0, rope=2)
    assert not BOARD.route_car[best(table)]
    table.hand(0, "staff_car")
    assert BOARD.route_car[best(table)]
    assert not BOARD.route_car[best(table, p=1)]


def test_an_open_way_costs_no_card():
    table = Table(2)
    assert plans.missing(table.state, table.tables, 0, NORTH_WEST, Equipment.rope) == 2
    drop = next(a for a in BOARD.route_arc[NORTH_WEST] if BOARD.arc_kind[a] == Arc.DOWN)
    table.state.opened = np.uint64(1) << np.uint64(BOARD.arc_way[drop])
    assert plans.missing(table.state, table.tables, 0, NORTH_WEST, Equipment.rope) == 0
    assert plans.missing(table.state, table.tables, 0, NORTH_WEST, Equipment.wire_cutters) == 1


def test_guards_shut_the_way_that_somebody_is_ready_for():
    table = Table(2).kit(0).equipment(0, wire_cutters=1, rope=2).german()
    view, memory = np.zeros(1, security_officer.VIEW), np.zeros(1, security_officer.MEMORY)
    security_officer.look(table.state, table.tables, WEIGHTS, view[0], memory[0])
    assert view[0]["n"] == table.tables.guards - int(SECURITY_OFFICER.weights["reserve"])
    first = int(view[0]["circle"][0])
    ready = [r for r in ROUTES if (BOARD.route_need[r] <= [1, 0, 0, 2]).all()]
    assert any(first in circles(r) for r in ready)
    assert view[0]["gap"] == view[0]["circle"][0], "nobody is posted yet"
    table.guards(first)
    security_officer.look(table.state, table.tables, WEIGHTS, view[0], memory[0])
    assert view[0]["stays"][0]
    assert view[0]["gap"] == view[0]["circle"][1]


def looked_at(table: Table, memory: np.ndarray) -> tuple:
    """What the German sees of the wall, with this memory."""
    view = np.zeros(1, security_officer.VIEW)
    security_officer.look(table.state, table.tables, WEIGHTS, view[0], memory[0])
    return (
        view[0]["circle"][: view[0]["n"]].tolist(),
        int(view[0]["gap"]),
        view[0]["goal"].tolist(),
        view[0]["stays"].tolist(),
    )


CHANGES = {
    "a Kit": lambda table: table.kit(0),
    "Equipment": lambda table: table.equipment(1, rope=4, wire_cutters=1),
    "a supply that runs out": lambda table: table.state.supply.__setitem__(Equipment.rope, 0),
    "a card in a hand": lambda table: table.hand(0, "sabotage"),
    "cards of the deck": lambda table: setattr(table.state, "deck_next", table.state.deck_size - 1),
    "the card of the Staff Car on the discards": lambda table: table.state.discards.__setitem__(
        table.c("staff_car"), 1
    ),
    "a player who is out": lambda table: table.state.out.__setitem__(0, 1),
    "an open tunnel": lambda table: table.below("canteen", {4: 223, 5: 222}),
    "a guard elsewhere": lambda table: table.guards(circles(NORTH_WEST)[3]),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_wall_that_is_remembered_is_the_one_that_would_be_chosen(change):
    """Whatever the choice of circles hangs on: with a memory of the moment before, as with a blank one."""
    table = Table(2).kit(1).equipment(0, wire_cutters=1, rope=2).hand(1, "hideaway").german()
    memory = np.zeros(1, security_officer.MEMORY)
    looked_at(table, memory)
    CHANGES[change](table)
    assert looked_at(table, memory) == looked_at(table, np.zeros(1, security_officer.MEMORY))


def test_each_of_these_changes_may_change_the_wall():
    """The test above can fail: what is remembered is another wall after most of them."""
    table = Table(2).kit(1).equipment(0, wire_cutters=1, rope=2).hand(1, "hideaway").german()
    before, other = looked_at(table, np.zeros(1, security_officer.MEMORY)), 0
    for change in CHANGES.values():
        there = Table(2).kit(1).equipment(0, wire_cutters=1, rope=2).hand(1, "hideaway").german()
        change(there)
        other += looked_at(there, np.zeros(1, security_officer.MEMORY)) != before
    assert other >= 6


def car_chances(table: Table) -> list[float]:
    unseen = security_officer.cards_unseen(table.state, table.tables)
    return [security_officer.chance_of_car(table.state, table.tables, p, unseen) for p in range(table.tables.players)]


def test_the_german_reckons_with_the_staff_car_by_the_cards_he_has_not_seen():
    table = Table(2).hand(0, "hideaway", "sabotage").hand(1, "staff_car")
    unseen = int(table.state.deck_size - table.state.deck_next) + 3
    assert car_chances(table) == pytest.approx([2 / unseen, 1 / unseen]), "who holds it he does not know"
    spend_card(table.state, 1, table.c("staff_car"))
    assert car_chances(table) == [0.0, 0.0], "it lies face up on the discards"


def threat_of_car(table: Table) -> float:
    view = np.zeros(1, security_officer.VIEW)
    security_officer.find_threats(table.state, table.tables, WEIGHTS, view[0])
    return float(view[0]["threat"][[r for r in ROUTES if BOARD.route_car[r]]].sum())


def test_ways_to_the_staff_car_threaten_once_a_card_is_held_that_may_be_its():
    table = Table(1).kit(0).equipment(0, rope=2).german()
    assert threat_of_car(table) == 0.0
    one = threat_of_car(table.hand(0, "sabotage"))
    assert 0.0 < one < threat_of_car(table.hand(0, "hideaway"))
