"""The board as a graph: circles, the links between them, rooms, and all distances.

The data is in board/*.csv, digitised from a photograph (board/README.md). Tests check the files against their
description, so this module does not validate them. The module does not need numba. The Appel counts as one
space, number 0 (rule 4.3). Distances are between spaces, and a circle is the space with its own number.
"""

import csv
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

import numpy as np

from bartizan.simcore.errors import UsageError, did_you_mean

FOLDER = Path(__file__).parent / "board"
APPEL = 0  # the space of all Appel circles
TUNNELS = ("chapel", "canteen", "theatre")
FREE = ("walk", "door", "key", "pass")  # links that can be walked if gates need no card
GREY = ("courtyard", "room")  # the grey zone, with the Appel
UNREACHABLE = -1


@dataclass(frozen=True)
class Circle:
    """A circle of the board.

    x, y: centre in pixels of the photograph (1066 x 800, y downwards). area: name of the room or of the part
    of the outside; "" in the courtyard.
    """

    id: int
    x: float
    y: float
    zone: str
    area: str
    kind: str
    marking: tuple[str, ...]
    confidence: str  # seen, or occluded: under a pawn in the photograph


@dataclass(frozen=True)
class Edge:
    """A link between two touching circles.

    For a drop (rope30, rope60), `a` is the numbered circle and `b` the landing. All other edges may be used
    in both directions.
    """

    a: int
    b: int
    type: str
    confidence: str  # seen or inferred


@dataclass(frozen=True)
class Room:
    """A room of the castle and its printed contents."""

    key: str  # the room's name in circles
    name: str
    symbol: str  # one of schema.SYMBOLS, "" in the room without one
    search_card: bool  # whether a Security card names it
    move_fast_card: bool  # whether an Opportunity card names it
    source: str
    confidence: str


@dataclass(frozen=True, eq=False)
class Board:
    """The board as read from its files. Groups of circles are tuples of ids in file order."""

    circles: dict[int, Circle]
    edges: tuple[Edge, ...]
    room_table: dict[str, Room]

    def space(self, circle: int) -> int:
        return APPEL if self.circles[circle].zone == "appel" else circle

    @property
    def spaces(self) -> int:
        """Length of arrays that are indexed by space: the highest id plus 1."""
        return max(self.circles) + 1

    def of_kind(self, *kinds: str) -> tuple[int, ...]:
        return tuple(c.id for c in self.circles.values() if c.kind in kinds)

    def marked(self, *markings: str) -> tuple[int, ...]:
        return tuple(c.id for c in self.circles.values() if not set(markings).isdisjoint(c.marking))

    def links(self, *types: str) -> tuple[Edge, ...]:
        return tuple(edge for edge in self.edges if edge.type in types)

    @cached_property
    def rooms(self) -> dict[str, tuple[int, ...]]:
        """Circles of each room. The rooms are in the order of rooms.csv."""
        return {
            key: tuple(c.id for c in self.circles.values() if c.zone == "room" and c.area == key)
            for key in self.room_table
        }

    @cached_property
    def symbols(self) -> dict[str, str]:
        return {key: room.symbol for key, room in self.room_table.items()}

    @cached_property
    def appel(self) -> tuple[int, ...]:
        return tuple(c.id for c in self.circles.values() if c.zone == "appel")

    @cached_property
    def posts(self) -> tuple[int, ...]:
        """Black circles, including circles covered by a pawn in the photograph."""
        return self.of_kind("guard_post", "guard_post?")

    @cached_property
    def covered_posts(self) -> tuple[int, ...]:
        """Posts hidden in the photograph by the guard pawns on them."""
        return self.of_kind("guard_post?")

    @cached_property
    def targets(self) -> tuple[int, ...]:
        """Targets T1 to T7."""
        return tuple(sorted(self.of_kind("target"), key=self.target_name))

    @cached_property
    def far_targets(self) -> tuple[int, ...]:
        """The three targets beyond the moat, T4, T5 and T7: the only targets for a Do or Die."""
        return tuple(t for t in self.targets if self.circles[t].area.endswith("beyond_moat"))

    def target_name(self, circle: int) -> str:
        return self.circles[circle].area.partition("_")[0]

    @cached_property
    def gates(self) -> tuple[int, ...]:
        """Circles that cost a card to enter."""
        return self.marked("key", "pass")

    @cached_property
    def car(self) -> int:
        """Id of the staff car, which is not a circle."""
        return self.of_kind("staff_car")[0]

    @cached_property
    def drops(self) -> tuple[tuple[int, int, int], ...]:
        """Drops as (circle at the top, circle at the foot, height in feet: 30 or 60)."""
        return tuple(
            (edge.a, edge.b, int(edge.type.removeprefix("rope"))) for edge in self.links("rope30", "rope60")
        )

    @cached_property
    def tunnels(self) -> dict[str, tuple[int, ...]]:
        """The circles of each tunnel, by the name of the tunnel.

        They lead from the entrance, which is in the room of the same name, to the exit.
        """
        return {name: self._dig(name) for name in TUNNELS}

    def _dig(self, name: str) -> tuple[int, ...]:
        inside = self.marked(f"tunnel:{name}")
        beside: dict[int, list[int]] = {c: [] for c in inside}
        for edge in self.links("tunnel"):
            if edge.a in beside and edge.b in beside:
                beside[edge.a].append(edge.b)
                beside[edge.b].append(edge.a)
        path = [c for c in inside if "tunnel_entrance" in self.circles[c].marking][:1]
        while onward := [c for c in beside[path[-1]] if c not in path]:
            path.append(onward[0])
        return tuple(path)


@cache
def read_board() -> Board:
    """Return the board, read from its files."""
    circles = [
        Circle(int(id), float(x), float(y), *words, tuple(filter(None, marking.split(";"))), confidence)
        for id, x, y, *words, marking, confidence in rows_of("nodes.csv")
    ]
    edges = tuple(Edge(int(a), int(b), *words) for a, b, *words in rows_of("edges.csv"))
    rooms = [
        Room(room, name, symbol, search == "true", move_fast == "true", *evidence)
        for room, name, symbol, search, move_fast, *evidence in rows_of("rooms.csv")
    ]
    return Board({circle.id: circle for circle in circles}, edges, {room.key: room for room in rooms})


def rows_of(file: str) -> list[list[str]]:
    """Return the rows of a file in the board folder as lists of text, without the header."""
    with (FOLDER / file).open(encoding="utf-8", newline="") as lines:
        return list(csv.reader(lines))[1:]


# ---------------------------------------------------------------- distances


@cache
def steps(board: Board, wire: bool = False) -> np.ndarray:
    """Return the smallest number of steps between spaces if gates are free: int16 [spaces, spaces].

    An element is UNREACHABLE if there is no way.

    Drops and tunnels are not used; fences may be crossed if `wire` is set. The array is symmetric, cached and
    read-only.
    """
    from scipy.sparse.csgraph import shortest_path

    start, end = both_ways(board, *FREE, *(["wire"] if wire else []))
    return _whole(shortest_path(graph_of(start, end, board.spaces), unweighted=True))


@cache
def far_distance(
    board: Board, max_ropes: int = 12, max_cutters: int = 4, feet_per_rope: int = 30
) -> np.ndarray:
    """Return the shortest Do or Die distance (5.4b) to a target beyond the moat.

    Shape: int16 [max_ropes + 1, max_cutters + 1, spaces]. An element is UNREACHABLE if there is no way.

    Element [r, k, s] is the distance from space s with at most r Rope cards (one for every `feet_per_rope` of
    a drop, downwards only) and k Wire Cutters (one per crossing). Gates are free, guards are ignored, tunnels
    are not used. The search runs backwards from the targets through copies of the board, one for each set of
    cards held. A drop leads to the copy with fewer ropes. The array is cached and read-only.
    """
    from scipy.sparse.csgraph import dijkstra

    start, end, ropes, cutters = _cost_links(board, feet_per_rope)
    holdings = (max_ropes + 1, max_cutters + 1)
    starts, ends = [], []
    for r, k in np.ndindex(holdings):
        can = (ropes <= r) & (cutters <= k)
        starts.append(np.ravel_multi_index((r, k), holdings) * board.spaces + start[can])
        ends.append(
            np.ravel_multi_index((r - ropes[can], k - cutters[can]), holdings) * board.spaces + end[can]
        )
    copies = int(np.prod(holdings))
    backwards = graph_of(np.concatenate(ends), np.concatenate(starts), copies * board.spaces)
    targets = [copy * board.spaces + target for copy in range(copies) for target in board.far_targets]
    return _whole(
        dijkstra(backwards, indices=targets, unweighted=True, min_only=True).reshape(*holdings, board.spaces)
    )


@dataclass(frozen=True)
class Stake:
    """The start and the distance of a Do or Die."""

    space: int
    distance: int  # steps
    ropes: int  # Rope cards that may be used
    cutters: int
    place: str  # in words


def least_stake(board: Board, feet_per_rope: int = 30) -> Stake:
    """Return the shortest possible Do or Die (5.4b).

    It starts in the grey zone without Wire Cutters, with the fewest Rope cards for that distance.
    """
    far = far_distance(board, feet_per_rope=feet_per_rope)
    grey = [APPEL, *(c.id for c in board.circles.values() if c.zone in GREY)]
    stakes = [_nearest_stake(board, far, grey, ropes, 0) for ropes in range(far.shape[0])]
    return min(stakes, key=lambda stake: stake.distance)


def _zone_text(place: str, zone: str) -> str:
    """Return text such as `circle 40 lies in the courtyard`.

    For a plain number, it adds that the user may have meant a distance.
    """
    where = {"": "in the courtyard", "outside_green": "outside, beyond the Outer Area"}
    text = f"{place} lies {where.get(zone) or 'in the ' + zone.replace('_', ' ')}"
    return f"circle {text} (a distance in steps: --distance {place})" if place.isdecimal() else text


def stake_from(board: Board, place: str, ropes: int, cutters: int, feet_per_rope: int = 30) -> Stake:
    """Return the shortest Do or Die from a place with the cards held. A room counts from its best circle.

    Raises UsageError if there is no such place, if a Do or Die cannot start there, or if no target can be
    reached.
    """
    far = far_distance(board, feet_per_rope=feet_per_rope)
    spaces = spaces_of(board, place)
    zone = "appel" if spaces == [APPEL] else board.circles[spaces[0]].zone
    if zone not in ("appel", *GREY) and not zone.startswith("outer"):
        raise UsageError(
            f"from {place}: a Do or Die starts in the grey zone, or in the Outer Area on the way back from "
            f"the cells; {_zone_text(place, zone)}"
        )
    most = [size - 1 for size in far.shape[:2]]
    held = min(ropes, most[0]), min(cutters, most[1])  # more cards than the game has do not help
    if far[*held, spaces].max() == UNREACHABLE:
        equipment = f"{ropes} Rope cards and {cutters} Wire Cutters"
        more = (
            "; give more of them, or choose another place"
            if far[*most, spaces].max() > UNREACHABLE
            else ", or with more; choose another place"
        )
        raise UsageError(f"from {place}: no target beyond the moat can be reached with {equipment}{more}")
    return _nearest_stake(board, far, spaces, *held)


def spaces_of(board: Board, place: str) -> list[int]:
    """Return the spaces of `appel`, of a room, or of one circle by its id.

    Raises UsageError if there is no such place.
    """
    if place == "appel" or (place.isdecimal() and int(place) in board.appel):
        return [APPEL]
    if place in board.rooms:
        return list(board.rooms[place])
    if place.isdecimal() and int(place) in board.circles:
        return [int(place)]
    if place.isdecimal():
        raise UsageError(
            f"from {place}: no such circle; write a number from 1 to {max(board.circles)} (bartizan describe "
            "colditz --board board.svg draws them)"
        )
    raise UsageError(
        f'from {place}: no such place; write the number of a circle, "appel" or the name of a '
        f"room{did_you_mean(place, ['appel', *board.rooms])}"
    )


def _nearest_stake(board: Board, far: np.ndarray, spaces: list[int], ropes: int, cutters: int) -> Stake:
    reached = [space for space in spaces if far[ropes, cutters, space] != UNREACHABLE]
    space = min(reached, key=lambda space: far[ropes, cutters, space])
    return Stake(space, int(far[ropes, cutters, space]), ropes, cutters, in_words(board, space))


def in_words(board: Board, space: int) -> str:
    if space == APPEL:
        return "the Appel"
    circle = board.circles[space]
    where = circle.area.replace("_", " ") or circle.zone
    if circle.zone == "room":
        where = board.room_table[circle.area].name
    return f"circle {space} ({where})"


def both_ways(board: Board, *types: str) -> tuple[np.ndarray, np.ndarray]:
    """Return the start and end spaces of all links of these types, in both directions.

    Steps within the Appel are left out.
    """
    pairs = np.array([(board.space(e.a), board.space(e.b)) for e in board.links(*types)], int).reshape(-1, 2)
    pairs = pairs[pairs[:, 0] != pairs[:, 1]]
    return np.concatenate([pairs[:, 0], pairs[:, 1]]), np.concatenate([pairs[:, 1], pairs[:, 0]])


def _cost_links(board: Board, feet_per_rope: int) -> tuple[np.ndarray, ...]:
    """Return starts, ends, Rope cards and Wire Cutters of every directed link for a Do or Die."""
    free, wire = both_ways(board, *FREE), both_ways(board, "wire")
    top, foot, feet = (np.array(part, int) for part in zip(*board.drops, strict=True))
    start, end = (np.concatenate(parts) for parts in zip(free, wire, (top, foot), strict=True))
    ropes, cutters = np.zeros(len(start), int), np.zeros(len(start), int)
    ropes[len(start) - len(top) :] = -(-feet // feet_per_rope)
    cutters[len(free[0]) : len(free[0]) + len(wire[0])] = 1
    return start, end, ropes, cutters


def graph_of(start: np.ndarray, end: np.ndarray, size: int):
    """Return a directed graph of `size` nodes as a scipy CSR array; every edge has weight 1."""
    from scipy.sparse import csr_array

    return csr_array((np.ones(len(start), np.int8), (start, end)), shape=(size, size))


def _whole(distances: np.ndarray) -> np.ndarray:
    """Convert distances to read-only int16, with UNREACHABLE for infinity."""
    whole = np.where(np.isinf(distances), UNREACHABLE, distances).astype(np.int16)
    whole.setflags(write=False)
    return whole
