"""The board: counts, distances against values worked out elsewhere and against a naive search, and a line number for every fault in its files."""

import csv
import shutil
from collections import deque
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from bartizan.simcore.colditz.board import (
    APPEL,
    FOLDER,
    UNREACHABLE,
    car_distances,
    far_distance,
    read_board,
    steps,
)
from bartizan.simcore.colditz.board_tables import board_tables
from bartizan.simcore.colditz.components import GREY, SPACES, Arc
from bartizan.simcore.errors import ScenarioError

BOARD = read_board()
PATHS = list(csv.DictReader((Path(__file__).parent.parent / "colditz_data/paths.csv").open()))
TARGETS = {BOARD.target_name(t): t for t in BOARD.targets}
STEPS_TO_ROOMS = {
    "canteen": 9, "chapel": 8, "dentist": 7, "guardhouse": 13, "interview": 10, "kitchen": 8, "laundry": 9, "nw_room": 8, "office": 17, "officers": 11, "orderlies": 11,
    "parcels": 8, "showers": 8, "sickbay": 12, "store": 10, "theatre": 11, "wc": 7,
}  # fmt: skip
ALL_ROPES = 12


# ---------------------------------------------------------------- what there is


def test_counts():
    assert (len(BOARD.circles), len(BOARD.edges)) == (1156, 2156)
    assert (len(BOARD.appel), len(BOARD.safe), len(BOARD.barracks), len(BOARD.beside_car)) == (37, 15, 16, 6)
    assert [len(cells) for cells in BOARD.cells] == [12, 7] and BOARD.cell_doors == (884, 1020)
    assert (len(BOARD.posts), len(BOARD.covered_posts)) == (18, 12)
    assert (BOARD.key_gates, BOARD.pass_gates, BOARD.way_in) == ((156, 972, 1002), (160, 863, 927), 927)
    assert [BOARD.target_name(t) for t in BOARD.far_targets] == ["T4", "T5", "T7"]
    assert (len(BOARD.drops), len(BOARD.wires), len(BOARD.doors)) == (31, 10, 19)


def test_rooms_and_symbols():
    assert {key: len(circles) for key, circles in BOARD.rooms.items() if key in ("officers", "chapel", "wc")} == {"officers": 15, "chapel": 12, "wc": 2}
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
        assert known[APPEL, BOARD.cells[0][0]] == UNREACHABLE == known[APPEL, BOARD.car]


def test_targets_on_foot():
    """Gates free: only those beyond the moat are reached without a drop or the wire."""
    on_foot, across_wire = ({name: known[APPEL, t] for name, t in TARGETS.items() if known[APPEL, t] != UNREACHABLE} for known in (steps(BOARD), steps(BOARD, wire=True)))
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
    assert (far[:, :, BOARD.far_targets] == 0).all() and (far[:, :, BOARD.cells[1]] == 9999).all()


def test_feet_per_rope_are_taken_into_account():
    """With ropes of 60 feet every drop takes one; with ropes of 20 feet a drop of 30 takes two."""
    assert far_distance(BOARD, feet_per_rope=60)[2, 0, 295] == 36 == far_distance(BOARD, feet_per_rope=20)[4, 0, 295]
    assert far_distance(BOARD, feet_per_rope=20)[3, 0, 295] > 36


def test_staff_car():
    known = car_distances(BOARD)
    assert known.pop(BOARD.car) == 45
    assert known == {539: 46, 568: 46, 583: 46, 596: 45, 597: 44, 617: 44}


# ---------------------------------------------------------------- a naive search


def arcs(board):
    """Space -> [(space, what it costs)], from the rules' own words."""
    out = {}

    def add(a, b, cost):
        if board.space(a) != board.space(b):
            out.setdefault(board.space(a), []).append((board.space(b), cost))

    for edge in board.edges:
        for a, b in ((edge.a, edge.b), (edge.b, edge.a)):
            into_grey = "free_into_courtyard" in board.circles[b].marking and board.circles[a].zone not in ("courtyard", "room")
            if edge.type in ("walk", "door"):
                add(a, b, None)
            elif edge.type in ("key", "pass"):
                add(a, b, {"key": "keys", "pass": "passes"}[edge.type] if edge.type in board.circles[b].marking and not into_grey else None)
            elif edge.type == "wire":
                add(a, b, "cutters")
            elif edge.type.startswith("rope") and a == edge.a:
                add(a, b, edge.type)
    for name, path in board.tunnels.items():  # in and out at the ends only (8.2): circles in between are places of their own
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


# ---------------------------------------------------------------- faults


@pytest.fixture
def folder(tmp_path):
    return shutil.copytree(FOLDER, tmp_path / "board")


def change(path, line, old, new):
    """Replace text on one line (counted from 1); `new` None: drop the line."""
    lines = path.read_text(encoding="utf-8").splitlines()
    assert old in lines[line - 1], lines[line - 1]
    if new is None:
        del lines[line - 1]
    else:
        lines[line - 1] = lines[line - 1].replace(old, new)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def append(path, text):
    with path.open("a", encoding="utf-8") as file:
        file.write(text + "\n")
    return len(path.read_text(encoding="utf-8").splitlines())


def line_of(path, start):
    return next(n for n, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1) if line.startswith(start))


def refusal(folder):
    with pytest.raises(ScenarioError) as caught:
        read_board(folder)
    assert "\n" not in str(caught.value)
    return str(caught.value)


CHANGES = {  # file, start of the line, old, new, what is said after the line number
    "bad number": ("nodes.csv", "9,", "9,", "nine,", 'id = "nine": must be a whole number'),
    "bad coordinate": ("nodes.csv", "22,940.2", "940.2", "nan", 'x = "nan": must be a number'),
    "id of the Appel": ("nodes.csv", "22,", "22,", "0,", "id 0: must be above 0"),
    "duplicate id": ("nodes.csv", "23,", "23,", "22,", "id 22 stands on line 23 already"),
    "unknown zone": ("nodes.csv", "22,", "outside_green", "outside_grean", 'zone = "outside_grean"; did you mean "outside_green"?'),
    "unknown kind": ("nodes.csv", "22,", ",target,", ",targit,", 'kind = "targit"; did you mean "target"?'),
    "unknown marking": ("nodes.csv", "156,", ",key,", ",kay,", 'marking = "kay"; did you mean "key"?'),
    "unknown room": ("nodes.csv", "295,", ",canteen,", ",cantine,", 'room = "cantine"; did you mean "canteen"?'),
    "unknown confidence": ("nodes.csv", "22,", ",seen", ",sean", 'confidence = "sean"; did you mean "seen"?'),
    "missing value": ("nodes.csv", "22,", ",seen", "", "7 values, must be 8"),
    "columns": ("edges.csv", "a,b", "type", "kind", "columns must be a,b,type,confidence"),
    "unknown type": ("edges.csv", "1,19,", "walk", "wolk", 'type = "wolk"; did you mean "walk"?'),
    "dangling edge": ("edges.csv", "1,19,", "19", "1900", "leads to circle 1900, which nodes.csv does not have"),
    "self edge": ("edges.csv", "1,19,", "19", "1", "leads from circle 1 to itself"),
    "edge end no number": ("edges.csv", "1,19,", "19", "x", 'b = "x": must be a whole number'),
    "drop not to a landing": ("edges.csv", "227,191,", "191", "192", "rope30 to circle 192, which is not marked landing"),
    "drop from a plain circle": ("edges.csv", "227,191,", "227", "226", "rope30 from circle 226, which is not marked rope30"),
    "drop of other feet": ("edges.csv", "227,191,", "rope30", "rope60", "rope60 from circle 227, which is not marked rope60"),
    "key link elsewhere": ("edges.csv", "1,19,", "walk", "key", "key between 1 and 19, but neither is marked key"),
    "gate walked round": ("edges.csv", "122,156,", "key", "walk", "walk between 122 and 156 goes round the card of a key circle"),
    "car elsewhere": ("edges.csv", "1,19,", "walk", "car", "car between 1 and 19: must join the staff car"),
    "tunnel elsewhere": ("edges.csv", "1,19,", "walk", "tunnel", "tunnel between 1 and 19, which are not of one tunnel"),
    "tunnel without entrance": ("nodes.csv", "250,", ";tunnel_entrance", "", "tunnel canteen has 0 circles marked tunnel_entrance, must have 1"),
    "symbol once": ("rooms.csv", "store", "Rope", "", 'symbol "Rope" is in 1 of the rooms, must be in 2'),
    "symbol three times": ("rooms.csv", "nw_room,", "room,,", "room,Rope,", 'symbol "Rope" is in 3 of the rooms, must be in 2'),
    "unknown symbol": ("rooms.csv", "store", "Rope", "Rape", 'symbol = "Rape"; did you mean "Rope"?'),
    "card flag": ("rooms.csv", "store", "true", "yes", 'search_card = "yes"; there is: false, true'),
    "room twice": ("rooms.csv", "store", "store", "chapel", 'room "chapel" stands on line 2 already'),
    "unknown part": ("parts.csv", "target,", "target", "targets", 'part = "targets"; did you mean "target"?'),
}  # fmt: skip


@pytest.mark.parametrize("fault", CHANGES)
def test_a_fault_names_its_line(folder, fault):
    file, start, old, new, says = CHANGES[fault]
    line = line_of(folder / file, start)
    change(folder / file, line, old, new)
    message = refusal(folder)
    assert f"{file}, line" in message and says in message
    if fault not in ("symbol once", "symbol three times", "tunnel without entrance"):  # these name the lines that are left
        assert f"{folder / file}, line {line}: " in message


def test_duplicate_edge(folder):
    line = append(folder / "edges.csv", "19,1,walk,seen")
    assert f"edges.csv, line {line}: walk between 19 and 1 stands on line 2 already" in refusal(folder)


@pytest.mark.parametrize(("circle", "mark", "part"), [(156, "key", "key circle"), (160, "pass", "pass circle"), (927, "free_into_courtyard", "way into the courtyard")])
def test_missing_gate(folder, circle, mark, part):
    path = folder / "nodes.csv"
    change(path, line_of(path, f"{circle},"), f";{mark}" if part.startswith("way") else f",{mark}", "" if part.startswith("way") else ",")
    message = refusal(folder)
    assert f'"{part}": ' in message and "found, must be" in message and "nodes.csv, line" in message


def test_missing_target(folder):
    path = folder / "nodes.csv"
    change(path, line_of(path, "43,"), ",target,", ",normal,")
    assert 'nodes.csv, lines 23, 70, 429, 1111, 1115, 1132: "target": 6 found (T1, T2, T4, T5, T6, T7), must be 7 (parts.csv, line 6)' in refusal(folder)


def test_target_twice(folder):
    path = folder / "nodes.csv"
    change(path, line_of(path, "43,"), "T3_N", "T1_N")
    assert "target T1 stands twice" in refusal(folder)


def test_gate_without_neighbours(folder):
    path = folder / "edges.csv"
    kept = [line for line in path.read_text().splitlines() if "863" not in line.split(",")[:2]]
    path.write_text("\n".join(kept) + "\n")
    assert f"nodes.csv, line {line_of(folder / 'nodes.csv', '863,')}: pass circle 863 has no neighbours" in refusal(folder)


def test_landing_without_drop(folder):
    path = folder / "edges.csv"
    change(path, line_of(path, "227,191,"), "", None)
    assert f"nodes.csv, line {line_of(folder / 'nodes.csv', '227,')}: circle 227 is marked as the top of a drop, but no drop starts there" in refusal(folder)


def test_room_without_circles(folder):
    line = append(folder / "rooms.csv", "library,Library,,false,false,nowhere,assumed")
    assert f'rooms.csv, line {line}: room "library" has no circle in nodes.csv' in refusal(folder)


def test_room_out_of_reach(folder):
    path = folder / "edges.csv"
    change(path, line_of(path, "527,512,door"), "", None)
    assert f'rooms.csv, line {line_of(folder / "rooms.csv", "chapel,")}: room "chapel" cannot be reached from the Appel' in refusal(folder)


def test_broken_tunnel(folder):
    path = folder / "edges.csv"
    change(path, next(n for n, line in enumerate(path.read_text().splitlines(), 1) if line.startswith("221,222,tunnel")), "", None)
    assert "tunnel canteen is not one path from entrance to exit: from 250 it leads over 3 of 7 circles to 221" in refusal(folder)


def test_forked_tunnel(folder):
    append(folder / "edges.csv", "250,222,tunnel,seen")
    assert "tunnel canteen is not one path" in refusal(folder)


def test_lost_circle(folder):
    line = append(folder / "nodes.csv", "2000,1.0,1.0,outside_green,outside,normal,,seen")
    assert f"nodes.csv, line {line}: circle 2000 is not connected with the rest of the board" in refusal(folder)


def test_missing_file(folder):
    (folder / "rooms.csv").unlink()
    assert "rooms.csv: cannot be read" in refusal(folder)


def test_missing_part(folder):
    path = folder / "parts.csv"
    change(path, line_of(path, "safe circle"), "", None)
    assert 'part "safe circle" is missing' in refusal(folder)
