"""What must hold in simcore/colditz/board/*.csv: words that are known, as many of each part as parts.csv says, gates that cannot be walked round."""

import csv
from collections import Counter
from typing import get_args

import pytest

from bartizan.simcore.colditz.board import APPEL, FOLDER, FREE, TUNNELS, both_ways, graph_of, read_board
from bartizan.simcore.colditz.schema import SYMBOLS
from bartizan.simcore.scenario.model import Confidence

BOARD = read_board()
CIRCLES, EDGES, ROOMS = BOARD.circles, BOARD.edges, BOARD.room_table
FILES = {
    name: list(csv.DictReader((FOLDER / f"{name}.csv").open(encoding="utf-8")))
    for name in ("nodes", "edges", "rooms", "parts")
}
PARTS = {row["part"]: int(row["count"]) for row in FILES["parts"]}
NO_SPACE = ("cell", "barracks")  # nobody walks there: pawns are put in and taken out
DROPS = ("rope30", "rope60")
TYPES = {"walk", "door", "key", "pass", *DROPS, "wire", "tunnel", "car"}
COLUMNS = {
    "nodes": ["id", "x", "y", "zone", "room", "kind", "marking", "confidence"],
    "edges": ["a", "b", "type", "confidence"],
    "rooms": ["room", "name", "symbol", "search_card", "move_fast_card", "source", "confidence"],
    "parts": ["part", "count", "source", "confidence"],
}  # fmt: skip
ZONES = {
    "appel", "courtyard", "room", "outer_tan", "outer_field", "outer_brown", "outer_roof", "outside_green",
    "cells", "barracks", "tunnel",
}  # fmt: skip
KINDS = {
    "normal",
    "safe",
    "searchlight",
    "guard_post",
    "guard_post?",
    "tunnel",
    "cell",
    "cell_door",
    "barracks",
    "target",
    "staff_car",
}
MARKINGS = {
    "key", "pass", "free_into_courtyard", *DROPS, "landing", "rope_number_hidden", *(f"tunnel:{name}" for name in TUNNELS), "tunnel_entrance", "tunnel_exit",
    "staff_car", "staff_car_adjacent", "under_guard_pawn", "searchlight_surface",
}  # fmt: skip


def connected(*types):
    """Number of the connected part that each space lies in, by links of these types."""
    from scipy.sparse.csgraph import connected_components

    return connected_components(graph_of(*both_ways(BOARD, *types), BOARD.spaces), directed=False)[1]


# ---------------------------------------------------------------- line by line


@pytest.mark.parametrize("name", FILES)
def test_columns_and_evidence(name):
    known = {"nodes": {"seen", "occluded"}, "edges": {"seen", "inferred"}}.get(name, set(get_args(Confidence)))
    for row in FILES[name]:
        assert list(row) == COLUMNS[name] and None not in row.values(), row
        assert row["confidence"] in known, row


def test_circles():
    assert len(CIRCLES) == len(FILES["nodes"]) and min(CIRCLES) > APPEL
    for circle in CIRCLES.values():
        assert circle.zone in ZONES and circle.kind in KINDS and set(circle.marking) <= MARKINGS, circle
        assert 0 < circle.x < 1066 and 0 < circle.y < 800, circle
        assert circle.zone != "room" or circle.area in ROOMS, circle


def test_links():
    for edge in EDGES:
        assert edge.type in TYPES and edge.a in CIRCLES and edge.b in CIRCLES and edge.a != edge.b, edge
    several = Counter((min(edge.a, edge.b), max(edge.a, edge.b), edge.type) for edge in EDGES)
    assert several.most_common(1)[0][1] == 1


def test_rooms():
    assert len(ROOMS) == len(FILES["rooms"])
    assert all({row["search_card"], row["move_fast_card"]} <= {"true", "false"} for row in FILES["rooms"])
    symbols = Counter(room.symbol for room in ROOMS.values() if room.symbol)
    assert symbols == dict.fromkeys(SYMBOLS, PARTS["room of a symbol"]) and len(symbols) == 8


# ---------------------------------------------------------------- the board as a whole


def test_as_many_of_each_part_as_there_must_be():
    counts = {
        "appel circle": BOARD.appel,
        "key circle": BOARD.marked("key"),
        "pass circle": BOARD.marked("pass"),
        "way into the courtyard": BOARD.marked("free_into_courtyard"),
        "target": BOARD.targets,
        "target beyond the moat": BOARD.far_targets,
        "safe circle": BOARD.of_kind("safe"),
        "staff car": BOARD.of_kind("staff_car"),
        "circle beside the car": BOARD.marked("staff_car_adjacent"),
        "cell": BOARD.of_kind("cell"),
        "cell door": BOARD.of_kind("cell_door"),
        "barracks circle": BOARD.of_kind("barracks"),
    }
    assert {part: len(circles) for part, circles in counts.items()} | {"room of a symbol": 2} == PARTS
    assert [BOARD.target_name(target) for target in BOARD.targets] == [f"T{n}" for n in range(1, 8)]


@pytest.mark.parametrize("gate", ["key", "pass"])
def test_a_gate_cannot_be_walked_round(gate):
    """All links of a key or pass circle are of its type, and no others are."""
    gates = BOARD.marked(gate)
    assert {gate} == {edge.type for edge in EDGES if edge.a in gates or edge.b in gates}
    linked = {circle for edge in BOARD.links(gate) for circle in (edge.a, edge.b)}
    assert set(gates) <= linked
    assert all(edge.a in gates or edge.b in gates for edge in BOARD.links(gate))


def test_drops_lead_from_a_numbered_circle_to_a_landing():
    drops = BOARD.links(*DROPS)
    assert all(edge.type in CIRCLES[edge.a].marking for edge in drops)
    assert {edge.a for edge in drops} == set(BOARD.marked(*DROPS))
    assert {edge.b for edge in drops} == set(BOARD.marked("landing"))


def test_links_of_the_staff_car():
    (car,) = BOARD.of_kind("staff_car")
    assert {frozenset((edge.a, edge.b)) for edge in BOARD.links("car")} == {
        frozenset((car, circle)) for circle in BOARD.marked("staff_car_adjacent")
    }


def test_each_tunnel_is_one_path_from_the_room_of_its_name():
    inside = {name: set(BOARD.marked(f"tunnel:{name}")) for name in TUNNELS}
    assert all(any({edge.a, edge.b} <= circles for circles in inside.values()) for edge in BOARD.links("tunnel"))
    for name, path in BOARD.tunnels.items():
        ends = {
            mark: [c for c in inside[name] if mark in CIRCLES[c].marking] for mark in ("tunnel_entrance", "tunnel_exit")
        }
        assert ends == {"tunnel_entrance": [path[0]], "tunnel_exit": [path[-1]]}
        assert set(path) == inside[name] and CIRCLES[path[0]].area == name
        assert sum(edge.a in inside[name] for edge in BOARD.links("tunnel")) == len(path) - 1


def test_every_room_can_be_reached_on_foot():
    part = connected(*FREE)
    for key, circles in BOARD.rooms.items():
        assert any(part[c] == part[APPEL] for c in circles), key


def test_every_circle_is_connected_some_way():
    part = connected(*TYPES)
    assert [c.id for c in CIRCLES.values() if c.kind not in NO_SPACE and part[BOARD.space(c.id)] != part[APPEL]] == []
