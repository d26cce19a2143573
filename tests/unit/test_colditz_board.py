"""The board: counts, distances against values worked out elsewhere and against a naive search. (What must hold in its files: test_colditz_board_files.)"""

import csv
from collections import deque
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from scipy.sparse.csgraph import shortest_path

from bartizan.simcore.colditz.board import (
    APPEL,
    FREE,
    UNREACHABLE,
    both_ways,
    far_distance,
    graph_of,
    read_board,
    steps,
)
from bartizan.simcore.colditz.board_tables import board_tables
from bartizan.simcore.colditz.components import GREY, SPACES, Arc

BOARD = read_board()
PATHS = list(csv.DictReader((Path(__file__).parent.parent / "colditz_data/paths.csv").open()))
(CAR,), CELLS, BESIDE_CAR = BOARD.of_kind("staff_car"), BOARD.of_kind("cell"), BOARD.marked("staff_car_adjacent")
TARGETS = {BOARD.target_name(t): t for t in BOARD.targets}
STEPS_TO_ROOMS = {
    "canteen": 9, "chapel": 8, "dentist": 7, "guardhouse": 13, "interview": 10, "kitchen": 8, "laundry": 9, "nw_room": 8, "office": 17, "officers": 11, "orderlies": 11,
    "parcels": 8, "showers": 8, "sickbay": 12, "store": 10, "theatre": 11, "wc": 7,
}  # fmt: skip
ALL_ROPES = 12


# ---------------------------------------------------------------- what there is


def test_counts():
    assert (len(BOARD.circles), len(BOARD.edges)) == (1156, 2156)
    assert len(BOARD.appel) == 37 and len(BOARD.of_kind("safe")) == 15
    assert len(BOARD.of_kind("barracks")) == 16 and len(BESIDE_CAR) == 6
    outer = [BOARD.circles[cell].area == "cells_outer" for cell in CELLS]
    assert (outer.count(False), outer.count(True), BOARD.of_kind("cell_door")) == (12, 7, (884, 1020))
    assert (len(BOARD.posts), len(BOARD.covered_posts)) == (18, 12)
    assert BOARD.marked("key") == (156, 972, 1002) and BOARD.marked("pass") == (160, 863, 927)
    assert BOARD.marked("free_into_courtyard") == (927,)
    assert [BOARD.target_name(t) for t in BOARD.far_targets] == ["T4", "T5", "T7"]
    assert (len(BOARD.drops), len(BOARD.links("wire")), len(BOARD.links("door"))) == (31, 10, 19)


def test_rooms_and_symbols():
    assert {key: len(circles) for key, circles in BOARD.rooms.items() if key in ("officers", "chapel", "wc")} == {
        "officers": 15,
        "chapel": 12,
        "wc": 2,
    }
    assert sum(map(len, BOARD.rooms.values())) == 101
    by_symbol = {}
    for room, symbol in BOARD.symbols.items():
        by_symbol.setdefault(symbol, []).append(room)
    assert by_symbol.pop("") == ["nw_room"]
    assert by_symbol == {
        "Rope": ["chapel", "store"], "Key": ["dentist", "showers"], "Pass": ["guardhouse", "orderlies"], "Wire Cutters": ["kitchen", "sickbay"],
        "Disguise": ["laundry", "theatre"], "Food": ["canteen", "parcels"], "Compass": ["wc", "officers"], "Documents": ["office", "interview"],
    }  # fmt: skip


def test_tunnels_lead_from_their_room_out():
    assert {name: len(path) for name, path in BOARD.tunnels.items()} == {"chapel": 13, "canteen": 7, "theatre": 9}
    assert [(path[0], path[-1]) for path in BOARD.tunnels.values()] == [(511, 210), (250, 167), (940, 1085)]
    for name, path in BOARD.tunnels.items():
        assert path[0] in BOARD.rooms[name]
        assert all(any({a, b} == {e.a, e.b} for e in BOARD.links("tunnel")) for a, b in pairwise(path))


def test_the_appel_is_one_space():
    assert {BOARD.space(c) for c in BOARD.appel} == {APPEL}
    assert BOARD.space(927) == 927


# ---------------------------------------------------------------- how far


def test_steps_from_the_appel_to_each_room():
    known = steps(BOARD)
    assert {room: known[APPEL, list(circles)].min() for room, circles in BOARD.rooms.items()} == STEPS_TO_ROOMS


def test_steps_are_a_metric():
    for wire in (False, True):
        known = steps(BOARD, wire).astype(int)
        assert (known == known.T).all() and (np.diag(known) == 0).all()
        far = np.where(known == UNREACHABLE, 9999, known)
        through = far[:, [APPEL, 927, 686, 1084]]
        assert (far[:, :, None] <= through[:, None, :] + through[None, :, :]).all()
        assert known[APPEL, CELLS[0]] == UNREACHABLE == known[APPEL, CAR]


def test_targets_on_foot():
    """Gates free: only those beyond the moat are reached without a drop or the wire."""
    on_foot, across_wire = (
        {name: known[APPEL, t] for name, t in TARGETS.items() if known[APPEL, t] != UNREACHABLE}
        for known in (steps(BOARD), steps(BOARD, wire=True))
    )
    assert on_foot == {"T4": 86, "T5": 87, "T7": 72}
    assert across_wire == on_foot | {"T1": 114, "T3": 95}


def test_do_or_die_from_grey_zones():
    """Ropes and gates free, no wire: 36 from the Canteen window, the least the rules name."""
    far = far_distance(BOARD)[ALL_ROPES, 0]
    courtyard = [c.id for c in BOARD.circles.values() if c.zone == "courtyard"]
    rooms = [c for circles in BOARD.rooms.values() for c in circles]
    assert (far[APPEL], far[courtyard].min(), far[rooms].min()) == (47, 39, 36)
    assert rooms[int(np.argmin(far[rooms]))] == 295


def test_do_or_die_by_holding():
    """From the Canteen window two drops of 30 feet lead to the north bridge; more ropes or cutters never lengthen a way."""
    far = far_distance(BOARD).astype(int)
    assert far[:4, 0, 295].tolist() == [83, 75, 36, 36]
    far[far == UNREACHABLE] = 9999
    assert (np.diff(far, axis=0) <= 0).all() and (np.diff(far, axis=1) <= 0).all()
    assert (far[:, :, BOARD.far_targets] == 0).all() and (far[:, :, CELLS] == 9999).all()


def test_feet_per_rope_are_taken_into_account():
    """With ropes of 60 feet every drop takes one; with ropes of 20 feet a drop of 30 takes two."""
    assert far_distance(BOARD, feet_per_rope=60)[2, 0, 295] == 36 == far_distance(BOARD, feet_per_rope=20)[4, 0, 295]
    assert far_distance(BOARD, feet_per_rope=20)[3, 0, 295] > 36


def test_staff_car():
    """9.11: steps over the main bridge to T7, gates free; the car's own place counts as a step."""
    graph = graph_of(*both_ways(BOARD, *FREE, "car"), BOARD.spaces)
    known = shortest_path(graph, unweighted=True, indices=TARGETS["T7"])
    assert known[CAR] == 45
    assert {c: known[c] for c in BESIDE_CAR} == {539: 46, 568: 46, 583: 46, 596: 45, 597: 44, 617: 44}


# ---------------------------------------------------------------- a naive search


def arcs(board):
    """Space -> [(space, what it costs)], from the rules' own words."""
    out = {}

    def add(a, b, cost):
        if board.space(a) != board.space(b):
            out.setdefault(board.space(a), []).append((board.space(b), cost))

    for edge in board.edges:
        for a, b in ((edge.a, edge.b), (edge.b, edge.a)):
            into_grey = "free_into_courtyard" in board.circles[b].marking and board.circles[a].zone not in (
                "courtyard",
                "room",
            )
            if edge.type in ("walk", "door"):
                add(a, b, None)
            elif edge.type in ("key", "pass"):
                add(
                    a,
                    b,
                    {"key": "keys", "pass": "passes"}[edge.type]
                    if edge.type in board.circles[b].marking and not into_grey
                    else None,
                )
            elif edge.type == "wire":
                add(a, b, "cutters")
            elif edge.type.startswith("rope") and a == edge.a:
                add(a, b, edge.type)
    for (
        name,
        path,
    ) in board.tunnels.items():  # in and out at the ends only (8.2): circles in between are places of their own
        below = [path[0], *((name, c) for c in path[1:-1]), path[-1]]
        for a, b in pairwise(below):
            out.setdefault(a, []).append((b, name))
    return out


ARCS = arcs(BOARD)


def shortest(start, goals, held, free=(), blocked=()):
    """Breadth first over (space, what is left). `held`: {kind: cards}; `free`: kinds that cost nothing; None: no way."""
    kinds = tuple(held)
    begin = (start, tuple(held.values()))
    seen, queue = {begin: 0}, deque([begin])
    while queue:
        state = queue.popleft()
        space, left = state
        if space in goals:
            return seen[state]
        for there, kind in ARCS.get(space, ()):
            price = {"rope30": ("ropes", 1), "rope60": ("ropes", 2)}.get(kind, (kind, 1))
            if there in blocked:
                continue
            if kind is None or price[0] in free:
                after = left
            elif price[0] in kinds and left[kinds.index(price[0])] >= price[1]:
                after = tuple(n - price[1] * (k == price[0]) for k, n in zip(kinds, left))
            else:
                continue
            if (there, after) not in seen:
                seen[there, after] = seen[state] + 1
                queue.append((there, after))
    return None


@pytest.mark.parametrize("posts", ["empty", "blocked"])
def test_shortest_ways_from_the_appel(posts):
    outer = [p for p in BOARD.posts if BOARD.circles[p].zone != "courtyard"] if posts == "blocked" else ()
    rows = [row for row in PATHS if row["posts"] == posts]
    assert len(rows) > 25
    for row in rows:
        held = {kind: int(row[kind]) for kind in ("ropes", "cutters", "keys", "passes")}
        tunnels = BOARD.tunnels if int(row["tunnels"]) else [None]
        ways = [shortest(APPEL, {TARGETS[row["target"]]}, held, free=(name,), blocked=outer) for name in tunnels]
        assert min(way for way in ways if way is not None) == int(row["steps"]), row


@pytest.mark.parametrize(("ropes", "cutters"), [(0, 0), (1, 0), (2, 0), (3, 1), (0, 2), (12, 4)])
def test_far_distance_against_the_naive_search(ropes, cutters):
    far = far_distance(BOARD)
    for start in (APPEL, 295, 686, 940, 884, 1020, 210, 69, 1131, 428):
        way = shortest(start, set(BOARD.far_targets), {"ropes": ropes, "cutters": cutters}, free=("keys", "passes"))
        assert far[ropes, cutters, start] == (UNREACHABLE if way is None else way), start


def test_steps_against_the_naive_search():
    for wire in (False, True):
        known = steps(BOARD, wire)
        for a, b in ((APPEL, 927), (295, 686), (69, 1131), (1084, 1020), (837, 193), (APPEL, 22), (51, 900)):
            way = shortest(a, {b}, {}, free=("keys", "passes", *(["cutters"] if wire else [])))
            assert known[a, b] == (UNREACHABLE if way is None else way)


# ---------------------------------------------------------------- what searches lean on


def test_bounds_of_searches_against_the_naive_search():
    """With cards in plenty no way is shorter than the tables say, in which drops may be climbed too."""
    tables, plenty = board_tables(30)[0], ("keys", "passes", "cutters", "ropes")
    rooms = list(BOARD.rooms.values())
    for start in (APPEL, 295, 686, 940, 884, 1020, 210, 69, 1131, 428):
        for room, circles in enumerate(rooms):
            way = shortest(start, set(circles), {}, free=plenty)
            assert way is None or tables["steps_into"][room, start] <= way
        for tunnel, chain in enumerate(BOARD.tunnels.values()):
            way = shortest(start, {chain[0]}, {}, free=plenty)
            assert way is None or tables["steps_in"][tunnel, start] <= way


def test_plain_circles():
    """Whence every step is on foot, to no target and into no tunnel."""
    tables = board_tables(30)[0]
    mouths = {chain[0] for chain in BOARD.tunnels.values()}
    for c in range(SPACES):
        arcs = range(tables["arc_first"][c], tables["arc_first"][c + 1])
        ends = [int(tables["arc_to"][arc]) for arc in arcs]
        on_foot = all(tables["arc_kind"][arc] == Arc.WALK for arc in arcs)
        assert tables["is_plain"][c] == (on_foot and not mouths & {*ends} and not tables["target"][ends].any())


def test_steps_within_the_grey_zone_lead_both_ways():
    """What blocks a passage (Q14) is found by a walk that relies on it, with room for so many circles."""
    tables = board_tables(30)[0]
    first, to = tables["grey_first"], tables["grey_to"]
    steps = {(c, int(y)) for c in range(SPACES) for y in to[first[c] : first[c + 1]]}
    assert steps == {(y, c) for c, y in steps}
    assert tables["grey"].sum() <= GREY
