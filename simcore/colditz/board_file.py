"""Reading the board's files.

Every fault is one line: file, line number, what is wrong, what would be right.
"""

import csv
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import get_args

import numpy as np

from bartizan.simcore.colditz.board import (
    APPEL,
    FREE,
    NO_SPACE,
    SYMBOLS,
    TUNNELS,
    Board,
    Circle,
    Edge,
    Room,
    both_ways,
    graph_of,
)
from bartizan.simcore.errors import ScenarioError, did_you_mean
from bartizan.simcore.scenario.model import Confidence

NODES, EDGES, ROOMS, PARTS = "nodes.csv", "edges.csv", "rooms.csv", "parts.csv"
COLUMNS = {
    NODES: ("id", "x", "y", "zone", "room", "kind", "marking", "confidence"),
    EDGES: ("a", "b", "type", "confidence"),
    ROOMS: ("room", "name", "symbol", "search_card", "move_fast_card", "source", "confidence"),
    PARTS: ("part", "count", "source", "confidence"),
}
ZONES = (
    "appel",
    "courtyard",
    "room",
    "outer_tan",
    "outer_field",
    "outer_brown",
    "outer_roof",
    "outside_green",
    "cells",
    "barracks",
    "tunnel",
)
KINDS = (
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
)
DROPS = ("rope30", "rope60")
TYPES = ("walk", "door", "key", "pass", *DROPS, "wire", "tunnel", "car")
MARKINGS = (
    "key", "pass", "free_into_courtyard", *DROPS, "landing", "rope_number_hidden",
    *(f"tunnel:{name}" for name in TUNNELS), "tunnel_entrance", "tunnel_exit", "staff_car",
    "staff_car_adjacent", "under_guard_pawn", "searchlight_surface",
)  # fmt: skip
SEEN = {
    NODES: ("seen", "occluded"),
    EDGES: ("seen", "inferred"),
    ROOMS: get_args(Confidence),
    PARTS: get_args(Confidence),
}
COUNTED: dict[str, Callable[[Board], tuple[int, ...]]] = {
    "appel circle": lambda board: board.appel,
    "key circle": lambda board: board.key_gates,
    "pass circle": lambda board: board.pass_gates,
    "way into the courtyard": lambda board: board.marked("free_into_courtyard"),
    "target": lambda board: board.targets,
    "target beyond the moat": lambda board: board.far_targets,
    "safe circle": lambda board: board.safe,
    "staff car": lambda board: board.of_kind("staff_car"),
    "circle beside the car": lambda board: board.beside_car,
    "cell": lambda board: board.of_kind("cell"),
    "cell door": lambda board: board.of_kind("cell_door"),
    "barracks circle": lambda board: board.barracks,
}
ROOMS_OF_A_SYMBOL = "room of a symbol"
MOST_LINES = 8  # named in one message


@dataclass
class Source:
    """Where everything stood: what a fault found later points to."""

    folder: Path
    circles: dict[int, int]  # id -> line of nodes.csv
    edges: list[int]  # lines of edges.csv, in order
    rooms: dict[str, int]
    parts: dict[str, int]

    def circle(self, circles: int | Iterable[int], what: str) -> ScenarioError:
        """A fault of one circle or several; of none: of the end of the file."""
        ids = [circles] if isinstance(circles, int) else list(circles)
        return _fault(
            self.folder / NODES, [self.circles[c] for c in ids] or [max(self.circles.values())], what
        )

    def edge(self, index: int, what: str) -> ScenarioError:
        return _fault(self.folder / EDGES, [self.edges[index]], what)

    def room(self, keys: Iterable[str], what: str) -> ScenarioError:
        return _fault(
            self.folder / ROOMS, [self.rooms[key] for key in keys] or [max(self.rooms.values())], what
        )


def read_checked(folder: Path) -> Board:
    """The board of a folder. Raises ScenarioError for the first fault."""
    rooms, room_lines = _rooms(folder / ROOMS)
    parts, part_lines = _parts(folder / PARTS)
    circles, circle_lines = _circles(folder / NODES, rooms)
    edges, edge_lines = _edges(folder / EDGES, circles)
    board = Board(circles, tuple(edges), rooms)
    source = Source(folder, circle_lines, edge_lines, room_lines, part_lines)
    _check_parts(board, parts, source)
    _check_symbols(board, parts[ROOMS_OF_A_SYMBOL], source)
    _check_gates(board, source)
    _check_drops(board, source)
    _check_car(board, source)
    _check_tunnels(board, source)
    _check_rooms(board, source)
    _check_connected(board, source)
    return board


# ---------------------------------------------------------------- line by line


def _rows(path: Path) -> Iterable[tuple[int, dict[str, str]]]:
    """(line number, {column: text}) of a file whose columns must be the known ones."""
    columns = COLUMNS[path.name]
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ScenarioError(f"{path}: cannot be read: {error}") from error
    reader = csv.reader(text.splitlines())
    head = next(reader, [])
    if tuple(head) != columns:
        raise _fault(path, [1], f"columns must be {','.join(columns)}")
    rows = 0
    for row in reader:
        rows += 1
        if len(row) != len(columns):
            raise _fault(
                path, [reader.line_num], f"{len(row)} values, must be {len(columns)}: {','.join(columns)}"
            )
        record = dict(zip(columns, row, strict=True))
        _known(path, reader.line_num, "confidence", record["confidence"], SEEN[path.name])
        yield reader.line_num, record
    if not rows:
        raise _fault(path, [1], "nothing below the column names")


def _circles(path: Path, rooms: dict[str, Room]) -> tuple[dict[int, Circle], dict[int, int]]:
    circles, lines = {}, {}
    for line, row in _rows(path):
        number = _whole_number(path, line, "id", row["id"])
        if number <= APPEL:
            raise _fault(path, [line], f"id {number}: must be above {APPEL}, which is the Appel")
        if number in circles:
            raise _fault(path, [line], f"id {number} stands on line {lines[number]} already")
        _known(path, line, "zone", row["zone"], ZONES)
        _known(path, line, "kind", row["kind"], KINDS)
        if row["zone"] == "room":
            _known(path, line, "room", row["room"], rooms)
        marking = tuple(filter(None, row["marking"].split(";")))
        for mark in marking:
            _known(path, line, "marking", mark, MARKINGS)
        x, y = _number(path, line, "x", row["x"]), _number(path, line, "y", row["y"])
        circles[number] = Circle(
            number, x, y, row["zone"], row["room"], row["kind"], marking, row["confidence"]
        )
        lines[number] = line
    return circles, lines


def _edges(path: Path, circles: dict[int, Circle]) -> tuple[list[Edge], list[int]]:
    edges, lines = [], []
    seen: dict[tuple, int] = {}
    for line, row in _rows(path):
        a, b = (_whole_number(path, line, end, row[end]) for end in ("a", "b"))
        _known(path, line, "type", row["type"], TYPES)
        for end in (a, b):
            if end not in circles:
                raise _fault(path, [line], f"leads to circle {end}, which {NODES} does not have")
        if a == b:
            raise _fault(path, [line], f"leads from circle {a} to itself")
        what = (min(a, b), max(a, b), row["type"])
        if what in seen:
            raise _fault(
                path, [line], f"{row['type']} between {a} and {b} stands on line {seen[what]} already"
            )
        seen[what] = line
        edges.append(Edge(a, b, row["type"], row["confidence"]))
        lines.append(line)
    return edges, lines


def _rooms(path: Path) -> tuple[dict[str, Room], dict[str, int]]:
    rooms, lines = {}, {}
    for line, row in _rows(path):
        key = row["room"]
        if key in rooms:
            raise _fault(path, [line], f'room "{key}" stands on line {lines[key]} already')
        if row["symbol"]:
            _known(path, line, "symbol", row["symbol"], SYMBOLS)
        for column in ("search_card", "move_fast_card"):
            _known(path, line, column, row[column], ("true", "false"))
        cards = (row[column] == "true" for column in ("search_card", "move_fast_card"))
        rooms[key] = Room(key, row["name"], row["symbol"], *cards, row["source"], row["confidence"])
        lines[key] = line
    return rooms, lines


def _parts(path: Path) -> tuple[dict[str, int], dict[str, int]]:
    """How many of each there are: {part: count}."""
    parts, lines = {}, {}
    for line, row in _rows(path):
        _known(path, line, "part", row["part"], (*COUNTED, ROOMS_OF_A_SYMBOL))
        if row["part"] in parts:
            raise _fault(path, [line], f'part "{row["part"]}" stands on line {lines[row["part"]]} already')
        parts[row["part"]] = _whole_number(path, line, "count", row["count"])
        lines[row["part"]] = line
    missing = [part for part in (*COUNTED, ROOMS_OF_A_SYMBOL) if part not in parts]
    if missing:
        raise _fault(path, [max(lines.values())], f'part "{missing[0]}" is missing')
    return parts, lines


# ---------------------------------------------------------------- the board as a whole


def _check_parts(board: Board, parts: dict[str, int], source: Source) -> None:
    for part, counted in COUNTED.items():
        found = counted(board)
        if len(found) != parts[part]:
            names = f" ({', '.join(map(board.target_name, found))})" if part.startswith("target") else ""
            raise source.circle(
                found,
                f'"{part}": {len(found)} found{names}, must be {parts[part]} ({PARTS}, line '
                f"{source.parts[part]})",
            )
    names = Counter(map(board.target_name, board.targets))
    for target in board.targets:
        if names[board.target_name(target)] > 1:
            raise source.circle(target, f"target {board.target_name(target)} stands twice")


def _check_symbols(board: Board, wanted: int, source: Source) -> None:
    for symbol in SYMBOLS:
        rooms = [key for key, room in board.room_table.items() if room.symbol == symbol]
        if len(rooms) != wanted:
            raise source.room(
                rooms, f'symbol "{symbol}" is in {len(rooms)} of the rooms, must be in {wanted}'
            )


def _check_gates(board: Board, source: Source) -> None:
    """All links of a key or pass circle are of its type: otherwise the gate could be walked around."""
    gates = {c: mark for mark in ("key", "pass") for c in board.marked(mark)}
    for index, edge in enumerate(board.edges):
        types = {gates[end] for end in (edge.a, edge.b) if end in gates}
        if edge.type in ("key", "pass") and edge.type not in types:
            raise source.edge(
                index, f"{edge.type} between {edge.a} and {edge.b}, but neither is marked {edge.type}"
            )
        if types and edge.type not in types:
            raise source.edge(
                index,
                f"{edge.type} between {edge.a} and {edge.b} goes round the card of a {types.pop()} circle",
            )
    linked = {end for edge in board.links("key", "pass") for end in (edge.a, edge.b)}
    for gate, mark in gates.items():
        if gate not in linked:
            raise source.circle(gate, f"{mark} circle {gate} has no neighbours")


def _check_drops(board: Board, source: Source) -> None:
    tops, feet = set(), set()
    for index, edge in enumerate(board.edges):
        if edge.type not in DROPS:
            continue
        if edge.type not in board.circles[edge.a].marking:
            raise source.edge(index, f"{edge.type} from circle {edge.a}, which is not marked {edge.type}")
        if "landing" not in board.circles[edge.b].marking:
            raise source.edge(index, f"{edge.type} to circle {edge.b}, which is not marked landing")
        tops.add(edge.a)
        feet.add(edge.b)
    for circle in board.marked(*DROPS):
        if circle not in tops:
            raise source.circle(
                circle, f"circle {circle} is marked as the top of a drop, but no drop starts there"
            )
    for circle in board.marked("landing"):
        if circle not in feet:
            raise source.circle(circle, f"circle {circle} is marked landing, but no drop ends there")


def _check_car(board: Board, source: Source) -> None:
    for index, edge in enumerate(board.edges):
        if edge.type == "car" and {edge.a, edge.b} not in (
            {board.car, circle} for circle in board.beside_car
        ):
            raise source.edge(
                index,
                f"car between {edge.a} and {edge.b}: must join the staff car and a circle marked "
                "staff_car_adjacent",
            )
    linked = {end for edge in board.links("car") for end in (edge.a, edge.b)}
    for circle in board.beside_car:
        if circle not in linked:
            raise source.circle(
                circle, f"circle {circle} is marked staff_car_adjacent, but no car link says so"
            )


def _check_tunnels(board: Board, source: Source) -> None:
    """Each tunnel is one path from the entrance in its room to its exit."""
    for index, edge in enumerate(board.edges):
        if edge.type == "tunnel" and not any(
            {edge.a, edge.b} <= set(board.marked(f"tunnel:{name}")) for name in TUNNELS
        ):
            raise source.edge(index, f"tunnel between {edge.a} and {edge.b}, which are not of one tunnel")
    ends = {
        (name, mark): [c for c in board.marked(f"tunnel:{name}") if mark in board.circles[c].marking]
        for name in TUNNELS
        for mark in ("tunnel_entrance", "tunnel_exit")
    }
    for (name, mark), found in ends.items():
        if len(found) != 1:
            raise source.circle(
                found or board.marked(f"tunnel:{name}"),
                f"tunnel {name} has {len(found)} circles marked {mark}, must have 1",
            )
    for name, path in board.tunnels.items():
        inside = board.marked(f"tunnel:{name}")
        links = sum(edge.a in inside for edge in board.links("tunnel"))
        if len(path) != len(inside) or links != len(path) - 1 or path[-1] not in ends[name, "tunnel_exit"]:
            raise source.circle(
                path[-1],
                f"tunnel {name} is not one path from entrance to exit: from {path[0]} it leads over "
                f"{len(path)} of {len(inside)} circles to {path[-1]}",
            )
        if board.circles[path[0]].area != name:
            raise source.circle(
                path[0], f"tunnel {name} starts at circle {path[0]}, which is not in the room of that name"
            )


def _check_rooms(board: Board, source: Source) -> None:
    reached = _parts_of(board, *FREE)
    for key, circles in board.rooms.items():
        if not circles:
            raise source.room([key], f'room "{key}" has no circle in {NODES}')
        if all(reached[c] != reached[APPEL] for c in circles):
            raise source.room([key], f'room "{key}" cannot be reached from the Appel')


def _check_connected(board: Board, source: Source) -> None:
    """Every circle can be reached from the Appel some way, cells and barracks aside."""
    part = _parts_of(board, *TYPES)
    lost = [
        c.id
        for c in board.circles.values()
        if c.kind not in NO_SPACE and part[board.space(c.id)] != part[APPEL]
    ]
    if lost:
        raise source.circle(
            lost,
            f"circle {lost[0]} is not connected with the rest of the board"
            + (f", nor are {len(lost) - 1} others" if lost[1:] else ""),
        )


def _parts_of(board: Board, *types: str) -> np.ndarray:
    """Number of the connected part that each space lies in, by links of these types."""
    from scipy.sparse.csgraph import connected_components

    return connected_components(graph_of(*both_ways(board, *types), board.spaces), directed=False)[1]


# ---------------------------------------------------------------- words


def _fault(path: Path, lines: list[int], what: str) -> ScenarioError:
    named = ", ".join(map(str, sorted(lines)[:MOST_LINES])) + (", ..." if lines[MOST_LINES:] else "")
    return ScenarioError(f"{path}, line{'s' if lines[1:] else ''} {named}: {what}")


def _known(path: Path, line: int, column: str, word: str, known: Iterable[str]) -> None:
    if word not in known:
        raise _fault(path, [line], f'{column} = "{word}"{did_you_mean(word, known)}')


def _whole_number(path: Path, line: int, column: str, text: str) -> int:
    if not text.isdecimal():
        raise _fault(path, [line], f'{column} = "{text}": must be a whole number')
    return int(text)


def _number(path: Path, line: int, column: str, text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = float("nan")
    if not np.isfinite(value):
        raise _fault(path, [line], f'{column} = "{text}": must be a number')
    return value
