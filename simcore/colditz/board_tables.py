"""The board as a record for compiled rules: spaces, arcs, rooms, tunnels, distances."""

from functools import cache

import numpy as np

from bartizan.simcore.arrays import as_records
from bartizan.simcore.colditz import components as cz
from bartizan.simcore.colditz.board import Board, far_distance, graph_of, read_board, steps
from bartizan.simcore.colditz.schema import SYMBOLS

MAX_ROPES, MAX_CUTTERS = 12, 4  # all cards in the published game; more do not help a stake
LOADOUT = (2, 3, 3, 5)  # Wire Cutters, Passes, Keys, Ropes: limits, exclusive
SPACING = 17.3  # pixels between circle centres: the unit of straight distances

ZONES = {
    "appel": cz.Zone.APPEL,
    "courtyard": cz.Zone.COURTYARD,
    "room": cz.Zone.ROOM,
    "outside_green": cz.Zone.OUTSIDE,
    "tunnel": cz.Zone.UNDERGROUND,
}

BOARD_FIELDS = [
    ("zone", "i1", (cz.SPACES,)),  # Zone, NONE: no space
    ("room", "i1", (cz.SPACES,)),  # index of a room, or NONE
    ("grey", "u1", (cz.SPACES,)),  # Inner Courtyard, a room, or the Appel
    ("stops", "u1", (cz.SPACES,)),  # a POW may stop here on the surface
    ("safe", "u1", (cz.SPACES,)),
    ("light", "u1", (cz.SPACES,)),  # searchlight
    ("target", "i1", (cz.SPACES,)),  # number of the target, 0 none
    ("beside_car", "u1", (cz.SPACES,)),
    ("ground", "u4", (cz.SPACES,)),  # 9.4: bit mask of the stretches of open ground Outside visible from here
    ("car_target", "i4"),  # space of the target over the main bridge
    ("pass_circle", "i4"),  # the PASS circle into the courtyard
    ("door", "i4", (2,)),  # cell doors, inner and outer
    # arcs out of a space: arc_first[c] .. arc_first[c + 1]
    ("arc_first", "i4", (cz.SPACES + 1,)),
    ("arc_to", "i2", (cz.ARCS,)),
    ("arc_kind", "i1", (cz.ARCS,)),  # Arc
    ("arc_way", "i1", (cz.ARCS,)),  # bit number of the way, NONE
    ("arc_ropes", "i1", (cz.ARCS,)),  # Rope cards a drop takes
    # every step from here is on foot, not to a target and not into a tunnel
    ("is_plain", "u1", (cz.SPACES,)),
    # the arcs within the grey zone: grey_first[c] .. grey_first[c + 1]
    ("grey_first", "i4", (cz.SPACES + 1,)),
    ("grey_to", "i2", (cz.ARCS,)),
    ("n_ways", "i4"),
    ("way_from", "i2", (cz.WAYS,)),
    ("way_to", "i2", (cz.WAYS,)),
    ("drop_ways", "u8"),  # bit mask
    # rooms
    ("n_rooms", "i4"),
    ("symbol", "i1", (cz.ROOMS,)),  # Symbol, or NONE
    ("room_first", "i4", (cz.ROOMS + 1,)),
    ("room_circle", "i2", (cz.SPACES,)),  # circles of rooms, room after room
    # tunnels
    ("chain", "i2", (cz.TUNNELS, cz.CHAIN)),
    ("chain_length", "i1", (cz.TUNNELS,)),
    ("tunnel_of", "i1", (cz.SPACES,)),
    ("chain_index", "i1", (cz.SPACES,)),
    ("steps_in", "i2", (cz.TUNNELS, cz.SPACES)),  # to its first circle, with every way open and no pawns
    ("steps_into", "i2", (cz.ROOMS, cz.SPACES)),  # to the nearest circle of a room, likewise
    # circles near a place, nearest first, where a POW may stop; NONE after the last
    ("near_door", "i2", (2, cz.NEAR)),
    ("near_back", "i2", (cz.NEAR,)),  # nearest to the outer door among those nearer to the PASS circle
    ("near_tunnel", "i2", (cz.TUNNELS, cz.NEAR)),
    ("n_safe", "i4"),
    ("safe_circle", "i2", (32,)),
    # distances, -1: no way
    ("steps", "i2", (cz.SPACES, cz.SPACES)),
    ("straight", "i2", (cz.SPACES, cz.SPACES)),
    ("stake_distance", "i2", (MAX_ROPES + 1, MAX_CUTTERS + 1, cz.SPACES)),
    # for policies
    ("room_steps", "i2", (cz.ROOMS, cz.SPACES)),  # to the nearest circle of a room
    ("symbol_steps", "i2", (len(cz.Symbol), cz.SPACES)),  # to the nearest room with a symbol
    ("post_steps", "i2", (cz.SPACES,)),  # to the nearest black circle
    ("exposed", "i2", (8,)),  # targets, those with the shortest way from the Appel (whatever is held) first
    # steps to the nearest target with at most this many Wire Cutters, Passes, Keys and Ropes; guards ignored,
    # no tunnels
    ("way_out", "i2", (*LOADOUT, cz.SPACES)),
    ("n_routes", "i4"),
    ("route", "i2", (cz.ROUTES, cz.ROUTE)),  # its circles, from a room to a target
    ("route_arc", "i2", (cz.ROUTES, cz.ROUTE)),  # the arc that continues from each of them
    ("route_length", "i2", (cz.ROUTES,)),  # steps
    ("route_car", "u1", (cz.ROUTES,)),  # it ends beside the Staff Car
    ("route_need", "i1", (cz.ROUTES, 4)),  # Wire Cutters, Passes, Keys, Ropes
    ("route_number", "i1", (cz.SPACES, cz.ROUTES)),  # index of a space on a route, or NONE
    ("n_doors", "i4"),
    ("door_circle", "i2", (cz.DOORS,)),  # circles of the Outer Area where guards can block a route
    ("n_doors_of", "i2", (cz.ROUTES,)),
    ("door_of", "i2", (cz.ROUTES, cz.SHUT)),  # of a route, numbers of door_circle
    ("route_exit", "i2", (cz.ROUTES,)),  # index of the first circle out of the grey zone
]
BOARD = np.dtype(BOARD_FIELDS, align=True)


@cache
def board_tables(feet_per_rope: int) -> np.ndarray:
    """Return the board as a structured array (BOARD) of length 1.

    The array is cached, so callers must copy it.
    """
    array = np.zeros(1, BOARD)
    t = as_records(array)[0]
    board = read_board()
    _spaces(t, board)
    _arcs(t, board, feet_per_rope)
    _grey_arcs(t)
    _ground(t)
    _rooms(t, board)
    _tunnels(t, board)
    _plain(t)
    _distances(t, board, feet_per_rope)
    _near(t)
    _for_policies(t, board)
    return array


def _spaces(t, board: Board) -> None:
    t.zone[:] = t.room[:] = t.tunnel_of[:] = t.chain_index[:] = cz.NONE
    t.zone[cz.APPEL], t.grey[cz.APPEL], t.stops[cz.APPEL] = cz.Zone.APPEL, True, True
    rooms = list(board.rooms)
    for c in board.circles.values():
        if board.space(c.id) == cz.APPEL or c.kind in ("cell", "barracks", "staff_car"):
            continue
        t.zone[c.id] = ZONES.get(c.zone, cz.Zone.OUTER)
        t.grey[c.id] = c.zone in ("courtyard", "room")
        t.room[c.id] = rooms.index(c.area) if c.zone == "room" else cz.NONE
        t.light[c.id] = c.kind == "searchlight"
        t.safe[c.id] = c.kind == "safe"
        t.stops[c.id] = c.kind not in ("searchlight", "tunnel")
        t.target[c.id] = int(c.area[1]) if c.kind == "target" else 0
        t.beside_car[c.id] = "staff_car_adjacent" in c.marking
        if "free_into_courtyard" in c.marking:
            t.pass_circle = c.id
        if c.kind == "cell_door":
            t.door[0 if t.grey[c.id] else 1] = c.id
        if c.kind == "target" and c.area.startswith("T7"):
            t.car_target = c.id
    safe = np.flatnonzero(t.safe)
    t.n_safe = len(safe)
    t.safe_circle[: len(safe)] = safe


def _arcs(t, board: Board, feet_per_rope: int) -> None:
    """Write every step from one space to another, sorted by space.

    Ways are numbered with gates first, then drops and wires in the order of the file.
    """
    arcs: dict[tuple[int, int, int], tuple[int, int]] = {}  # (from, to, kind) -> (way, ropes)
    ways: list[tuple[int, int]] = []

    def way(a: int, b: int) -> int:
        if (a, b) not in ways:
            ways.append((a, b))
        return ways.index((a, b))

    def add(a: int, b: int, kind: int, number: int = cz.NONE, ropes: int = 0) -> None:
        a, b = board.space(a), board.space(b)
        if a != b:
            arcs[a, b, kind] = (number, ropes)

    for gate in board.gates:
        way(gate, gate)
    for edge in board.edges:
        a, b = edge.a, edge.b
        if edge.type in ("walk", "door"):
            add(a, b, cz.Arc.WALK)
            add(b, a, cz.Arc.WALK)
        elif edge.type in ("key", "pass"):
            for x, y in ((a, b), (b, a)):
                free = y not in board.gates or (
                    "free_into_courtyard" in board.circles[y].marking and not t.grey[x]
                )
                add(x, y, cz.Arc.WALK if free else cz.Arc[edge.type.upper()], cz.NONE if free else way(y, y))
        elif edge.type == "wire":
            add(a, b, cz.Arc.WIRE, way(min(a, b), max(a, b)))
            add(b, a, cz.Arc.WIRE, way(min(a, b), max(a, b)))
        elif edge.type.startswith("rope"):
            ropes = -(-int(edge.type[4:]) // feet_per_rope)
            add(a, b, cz.Arc.DOWN, way(a, b), ropes)
            add(b, a, cz.Arc.UP, way(a, b), ropes)
    t.n_ways = len(ways)
    t.drop_ways = sum(1 << ways.index((top, foot)) for top, foot, _ in board.drops)
    for i, (a, b) in enumerate(ways):
        t.way_from[i], t.way_to[i] = a, b
    for i, ((a, b, kind), (number, ropes)) in enumerate(sorted(arcs.items())):
        t.arc_to[i], t.arc_kind[i], t.arc_way[i], t.arc_ropes[i] = b, kind, number, ropes
        t.arc_first[a + 1 :] = i + 1


def _grey_arcs(t) -> None:
    """Write the steps from one grey space to another on foot, including steps through a gate (Q14)."""
    start, end, kind = arcs_of(t)
    grey = (t.grey[start] == 1) & (t.grey[end] == 1) & (kind <= cz.Arc.PASS)
    steps = np.unique(np.column_stack([start, end])[grey], axis=0)
    t.grey_first[1:] = np.cumsum(np.bincount(steps[:, 0], minlength=cz.SPACES))
    t.grey_to[: len(steps)] = steps[:, 1]


def _ground(t) -> None:
    """Write the stretches of open ground (9.4, Q21 `straight`).

    They are spaces connected by steps and wire, without gates and drops.

    A guard in a gate sees both sides.
    """
    from scipy.sparse.csgraph import connected_components

    start, end, kind = arcs_of(t)
    gate = np.zeros(cz.SPACES, bool)
    gate[end[(kind == cz.Arc.KEY) | (kind == cz.Arc.PASS)]] = True
    level = (kind == cz.Arc.WALK) | (kind == cz.Arc.WIRE)
    open_air = level & ~gate[start] & ~gate[end]
    graph = graph_of(start[open_air], end[open_air], cz.SPACES)
    part = connected_components(graph, directed=False)[1]
    for bit, stretch in enumerate(np.unique(part[t.zone == cz.Zone.OUTSIDE])):
        t.ground[part == stretch] |= 1 << bit
    beside = level & gate[start]
    np.bitwise_or.at(t.ground, start[beside], t.ground[end[beside]])


def _rooms(t, board: Board) -> None:
    t.n_rooms = len(board.rooms)
    t.symbol = cz.NONE
    n = 0
    for i, (name, circles) in enumerate(board.rooms.items()):
        t.symbol[i] = SYMBOLS.get(board.symbols.get(name, ""), cz.NONE)
        t.room_first[i] = n
        t.room_circle[n : n + len(circles)] = sorted(circles)
        n += len(circles)
    t.room_first[t.n_rooms :] = n
    for i in range(t.n_rooms):
        circles = t.room_circle[t.room_first[i] : t.room_first[i + 1]]
        t.steps_into[i] = _steps_in(t, circles, nearest=True)


def _tunnels(t, board: Board) -> None:
    for i, circles in enumerate(board.tunnels.values()):
        t.chain_length[i] = len(circles)
        t.chain[i, : len(circles)] = circles
        for j, c in enumerate(circles):
            t.tunnel_of[c], t.chain_index[c] = i, j
    t.steps_in[:] = _steps_in(t, t.chain[: cz.TUNNELS, 0])


def _plain(t) -> None:
    """Mark spaces from which every step is on foot, not to a target and not into a tunnel."""
    start, end, kind = arcs_of(t)
    is_mouth = np.isin(end, t.chain[: cz.TUNNELS, 0])
    special = (kind != cz.Arc.WALK) | (t.target[end] > 0) | is_mouth
    t.is_plain = 1
    t.is_plain[start[special]] = 0


def _steps_in(t, targets: np.ndarray, nearest: bool = False) -> np.ndarray:
    """Return the smallest number of steps to each target if all arcs are open: int16 [targets, spaces].

    SPACES means that there is no way. With `nearest`, return the steps to the nearest target: int16 [spaces].
    """
    from scipy.sparse.csgraph import dijkstra

    start, end, _ = arcs_of(t)
    graph = graph_of(end, start, cz.SPACES)
    known = dijkstra(graph, indices=targets, unweighted=True, min_only=nearest)
    return np.minimum(known, cz.SPACES).astype(np.int16)


def _distances(t, board: Board, feet_per_rope: int) -> None:
    known = steps(board, wire=True)
    n = known.shape[0]
    t.steps = t.straight = t.stake_distance = -1
    t.steps[:n, :n] = known
    far = far_distance(board, MAX_ROPES, MAX_CUTTERS, feet_per_rope)
    t.stake_distance[:, :, : far.shape[2]] = far
    t.straight[:n, :n] = _straight(board, n)


def _near(t) -> None:
    """Set, for each door and tunnel, the board circles near it where a POW may stop, nearest first."""
    stops = t.stops.astype(bool) & (t.zone != cz.Zone.UNDERGROUND) & (t.zone != cz.NONE)
    stops[cz.APPEL] = False
    for block in (0, 1):
        t.near_door[block] = _nearest(t.steps[t.door[block]], stops)
    for i in range(cz.TUNNELS):
        t.near_tunnel[i] = _nearest(t.steps[t.chain[i, 0]], stops)
    back = t.steps[:, t.pass_circle]
    t.near_back = _nearest(t.steps[t.door[1]], stops & (back >= 0) & (back < back[t.door[1]]))


def _for_policies(t, board: Board) -> None:
    """Write data that only policies use, such as steps to rooms, symbols, guard posts and targets."""
    for i in range(t.n_rooms):
        circles = t.room_circle[t.room_first[i] : t.room_first[i + 1]]
        t.room_steps[i] = t.steps[circles].min(axis=0)
    for symbol in cz.Symbol:
        t.symbol_steps[symbol] = t.room_steps[t.symbol == symbol].min(axis=0)
    black = [c.id for c in board.circles.values() if c.kind.startswith("guard_post")]
    t.post_steps[:] = t.steps[black].min(axis=0)
    t.way_out[...] = way_out(t, np.flatnonzero(t.target))
    # by the shortest way from the Appel with all cards
    targets = map(int, np.flatnonzero(t.target))
    t.exposed[:7] = sorted(targets, key=lambda c: int(way_out(t, [c])[-1, -1, -1, -1, cz.APPEL]))
    _routes(t)


def _routes(t) -> None:
    t.route = t.route_arc = t.route_number = cz.NONE
    start, end, _ = arcs_of(t)
    known: dict[int, int] = {}  # circle -> its index in door_circle
    for r, arcs in enumerate(routes(t)):
        t.n_routes = r + 1
        circles = [start[arcs[0]], *end[arcs]]
        t.route_length[r] = len(arcs)
        t.route[r, : len(circles)] = circles
        t.route_arc[r, : len(arcs)] = arcs
        t.route_car[r] = t.beside_car[circles[-1]]
        t.route_number[circles, r] = range(len(circles))
        kind = t.arc_kind[arcs]
        t.route_need[r, :3] = [(kind == k).sum() for k in (cz.Arc.WIRE, cz.Arc.PASS, cz.Arc.KEY)]
        t.route_need[r, 3] = t.arc_ropes[arcs][kind == cz.Arc.DOWN].sum()
        t.route_exit[r] = np.flatnonzero(~t.grey[circles].astype(bool))[0]
        doors = [c for c in circles if t.zone[c] == cz.Zone.OUTER and t.post_steps[c] >= 0][: cz.SHUT]
        for i, c in enumerate(doors):
            k = known.setdefault(int(c), len(known))
            t.door_circle[k] = c
            t.door_of[r, i] = k
        t.n_doors_of[r], t.n_doors = len(doors), len(known)


def way_out(t, targets) -> np.ndarray:
    """Return the length of the shortest way to the nearest target, by cards held.

    Shape: int16 [cutters, passes, keys, ropes, space], -1 if there is no way.

    The search runs backwards from the targets through copies of the board, one for each set of cards held. A
    step that costs cards leads to the copy without these cards.
    """
    from scipy.sparse.csgraph import dijkstra

    start, end, kind = arcs_of(t)
    usable = kind != cz.Arc.UP
    ropes = np.where(kind == cz.Arc.DOWN, t.arc_ropes[: len(kind)], 0)
    need = np.array([kind == cz.Arc.WIRE, kind == cz.Arc.PASS, kind == cz.Arc.KEY, ropes], int)
    size = int(np.prod(LOADOUT))
    links = []
    for holding in np.ndindex(*LOADOUT):
        rest = np.array(holding)[:, None] - need
        fits = usable & (rest >= 0).all(axis=0)
        here = np.ravel_multi_index(holding, LOADOUT)
        there = np.ravel_multi_index(rest[:, fits], LOADOUT)
        links.append((there * cz.SPACES + end[fits], here * cz.SPACES + start[fits]))
    rows, columns = (np.concatenate(side) for side in zip(*links, strict=True))
    graph = graph_of(rows, columns, size * cz.SPACES)
    ends = [copy * cz.SPACES + c for copy in range(size) for c in targets]
    known = dijkstra(graph, indices=ends, unweighted=True, min_only=True)
    return np.where(np.isinf(known), -1, known).astype(np.int16).reshape(*LOADOUT, cz.SPACES)


def _straight(board: Board, n: int) -> np.ndarray:
    """Return straight-line distances in circle spacings, rounded up: int16 [n, n], -1 for unused ids.

    The distance to the Appel is to its nearest circle (Q19b, Q21).
    """
    xy = np.full((n, 2), np.nan)
    appel = []
    for c in board.circles.values():
        if board.space(c.id) == cz.APPEL:
            appel.append((c.x, c.y))
        elif c.id < n:
            xy[c.id] = c.x, c.y
    apart = np.hypot(*(xy[:, None, :] - xy[None, :, :]).transpose(2, 0, 1))
    to_appel = np.hypot(*(xy[:, None, :] - np.array(appel)[None, :, :]).transpose(2, 0, 1)).min(axis=1)
    apart[cz.APPEL, :] = apart[:, cz.APPEL] = to_appel
    apart[cz.APPEL, cz.APPEL] = 0.0
    return np.where(np.isnan(apart), -1, np.ceil(apart / SPACING)).astype(np.int16)


def _nearest(distance: np.ndarray, allowed: np.ndarray) -> list[int]:
    """Return the NEAR nearest allowed spaces, in order of distance, then of number; padded with NONE."""
    nearest = sorted((int(distance[c]), int(c)) for c in np.flatnonzero(allowed & (distance >= 0)))[: cz.NEAR]
    return [c for _, c in nearest] + [cz.NONE] * (cz.NEAR - len(nearest))


def narrow_circles(board: np.void) -> np.ndarray:
    """Return the narrow circles of the grey zone (Q14 `corridors`): uint8 [SPACES].

    Element i is 1 for circles at doors, and for circles whose removal splits the empty grey zone.
    """
    from scipy.sparse.csgraph import connected_components

    grey = np.flatnonzero(board["grey"])
    place = np.cumsum(board["grey"]) - 1  # index in `grey`
    start = np.repeat(np.arange(cz.SPACES), np.diff(board["grey_first"]))
    graph = graph_of(place[start], place[board["grey_to"][: len(start)]], len(grey))
    narrow = np.zeros(cz.SPACES, np.uint8)
    for i, c in enumerate(grey):
        rest = np.delete(np.arange(len(grey)), i)
        narrow[c] = connected_components(graph[rest][:, rest], directed=False)[0] > 1
    for edge in read_board().edges:
        if edge.type == "door":
            narrow[[edge.a, edge.b]] = 1
    narrow[cz.APPEL] = 0
    return narrow


# ---------------------------------------------------------------- routes: exits from the castle
# Routes that a player may plan and that guards may block. A route begins in a room, leaves the grey zone by
# one drop or gate, and ends on a target or beside the Staff Car. It is the cheapest route with this drop or
# gate and this end. A card counts as a number of steps.


CARD = 8.0  # cost of an Equipment card in steps
TARGETS_EACH = 2  # per drop or gate, the nearest


def arcs_of(t) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the start, the end and the kind (Arc) of every arc. t: the board's record."""
    n = t.arc_first[cz.SPACES]
    return np.repeat(np.arange(cz.SPACES), np.diff(t.arc_first)), t.arc_to[:n].astype(int), t.arc_kind[:n]


def routes(t) -> list[list[int]]:
    """Return the arc numbers of each route, cheapest route first. t: the board's record with its arcs."""
    start, end, kind = arcs_of(t)
    cost = 1.0 + CARD * np.where(kind == cz.Arc.DOWN, t.arc_ropes[: len(kind)], kind != cz.Arc.WALK)
    usable = kind != cz.Arc.UP
    grey = t.grey.astype(bool)
    within = _search(start, end, cost, usable & grey[start] & grey[end])
    beyond = _search(start, end, cost, usable & ~grey[end])
    rooms = [c for c in range(cz.SPACES) if t.room[c] != cz.NONE and t.stops[c]]
    ways = []
    for arc in np.flatnonzero(usable & grey[start] & ~grey[end] & (start != cz.APPEL)):
        way_in = min((within(c, start[arc]) for c in rooms), key=_first)
        ways_out = sorted((beyond(end[arc], c) for c in np.flatnonzero(t.target)), key=_first)
        to_car = min((beyond(end[arc], c) for c in np.flatnonzero(t.beside_car)), key=_first)
        for length, out in [*ways_out[:TARGETS_EACH], to_car]:
            ways.append((way_in[0] + cost[arc] + length, [*way_in[1], int(arc), *out]))
    ways = [(c, arcs) for c, arcs in sorted(ways) if np.isfinite(c) and len(arcs) < cz.ROUTE]
    return [arcs for _, arcs in ways[: cz.ROUTES]]


def _first(way):
    return way[0]


def _search(start, end, cost, allowed):
    """Return a function (source, goal) -> (cost, arcs) that finds the cheapest way over the allowed arcs."""
    from functools import cache

    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import dijkstra

    arcs = np.flatnonzero(allowed)
    order = arcs[np.argsort(-cost[arcs], kind="stable")]  # the cheaper of two arcs between the same spaces
    arc_of = {(int(start[a]), int(end[a])): int(a) for a in order}
    pairs = np.array(list(arc_of))
    weights = cost[list(arc_of.values())]
    graph = csr_array((weights, (pairs[:, 0], pairs[:, 1])), shape=(cz.SPACES, cz.SPACES))

    @cache
    def tree(source):
        return dijkstra(graph, indices=source, return_predecessors=True)

    def way(source, goal):
        distance, before = tree(int(source))
        arcs, c = [], int(goal)
        while np.isfinite(distance[goal]) and c != source:
            arcs.append(arc_of[int(before[c]), c])
            c = int(before[c])
        return float(distance[goal]), arcs[::-1]

    return way
