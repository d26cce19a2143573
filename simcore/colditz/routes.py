"""Ways out of the castle, one after the other: what a player may plan for, and what guards may shut.

A route begins in a room, leaves the grey zone by one drop or gate, and ends on a target or beside the Staff
Car. Of all that lead out by the same drop or gate, and to the same end, it is the cheapest: a card counts as
some steps.
"""

import numpy as np

from bartizan.simcore.colditz.components import APPEL, NONE, ROUTE, ROUTES, SPACES, Arc

CARD = 8.0  # steps that a card of Equipment counts as
TARGETS_EACH = 2  # that a drop or gate leads to, the nearest


def arcs_of(t) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Start, end and kind (Arc) of every arc. t: the board's record."""
    n = t.arc_first[SPACES]
    return np.repeat(np.arange(SPACES), np.diff(t.arc_first)), t.arc_to[:n].astype(int), t.arc_kind[:n]


def routes(t) -> list[list[int]]:
    """Arc numbers of each route, the cheapest route first. t: the board's record with its arcs."""
    start, end, kind = arcs_of(t)
    cost = 1.0 + CARD * np.where(kind == Arc.DOWN, t.arc_ropes[: len(kind)], kind != Arc.WALK)
    usable = kind != Arc.UP
    grey = t.grey.astype(bool)
    within = _search(start, end, cost, usable & grey[start] & grey[end])
    beyond = _search(start, end, cost, usable & ~grey[end])
    rooms = [c for c in range(SPACES) if t.room[c] != NONE and t.stops[c]]
    ways = []
    for arc in np.flatnonzero(usable & grey[start] & ~grey[end] & (start != APPEL)):
        way_in = min((within(c, start[arc]) for c in rooms), key=_first)
        ways_out = sorted((beyond(end[arc], c) for c in np.flatnonzero(t.target)), key=_first)
        to_car = min((beyond(end[arc], c) for c in np.flatnonzero(t.beside_car)), key=_first)
        for length, out in [*ways_out[:TARGETS_EACH], to_car]:
            ways.append((way_in[0] + cost[arc] + length, [*way_in[1], int(arc), *out]))
    ways = [(c, arcs) for c, arcs in sorted(ways) if np.isfinite(c) and len(arcs) < ROUTE]
    return [arcs for _, arcs in ways[:ROUTES]]


def _first(way):
    return way[0]


def _search(start, end, cost, allowed):
    """(cost, arcs) of the cheapest way between two spaces over the allowed arcs."""
    from functools import cache

    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import dijkstra

    arcs = np.flatnonzero(allowed)
    order = arcs[np.argsort(-cost[arcs], kind="stable")]  # of two arcs between the same spaces the cheaper
    arc_of = {(int(start[a]), int(end[a])): int(a) for a in order}
    pairs = np.array(list(arc_of))
    weights = cost[list(arc_of.values())]
    graph = csr_array((weights, (pairs[:, 0], pairs[:, 1])), shape=(SPACES, SPACES))

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
