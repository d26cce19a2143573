"""The boards of a game for its page: the SVG of each board, and the positions of the places on it.

Colours are classes of the page's style sheet (`c-green`, `z-room`), so that a page can be light or dark.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from html import escape
from itertools import count
from typing import TYPE_CHECKING, Any

from bartizan.simcore.colditz.board import FREE, Board, read_board

if TYPE_CHECKING:
    from bartizan.simcore.itter.schema import ItterScenario

Point = tuple[float, float]
ACROSS, DOWN, EDGE = 66, 44, 34  # schematic board: distances between circles, and margin, in pixels
# box of a location: size, size of a position, positions per row
BOX_WIDE, BOX_HIGH, SLOT, SLOT_HIGH, ABREAST = 284, 34, 68, 50, 4


@dataclass(frozen=True)
class Drawn:
    """A drawing of one board.

    svg: content of the <svg>. places: centre of each named place. pawn: half the width and height of a pawn.
    apart: distance between pawns in one place, in pixels. least: minimum width in pixels; wider than a phone
    if there are many pieces.
    """

    name: str
    width: int
    height: int
    svg: str
    places: dict[str, Point]
    pawn: Point
    apart: int
    least: int


def boards(game: str, model: Any) -> tuple[Drawn, ...]:
    """Return the boards of a built-in game under a scenario's model; () for a game without a board."""
    if game == "itter":
        return _tracks(model), _castle(model)
    return (_colditz(read_board()),) if game == "colditz" else ()


def place_of(at: str, drawn: Iterable[Drawn]) -> tuple[int, float, float] | None:
    """Return (number of the board, x, y) of a piece; None if no board has the place.

    at: text that is, or begins with, the name of the place.
    """
    for number, board in enumerate(drawn):
        point = board.places.get(at) or board.places.get(at.partition(" ")[0])
        if point:
            return number, *point
    return None


def _text(x: float, y: float, words: str, look: str = "") -> str:
    named = f' class="{look}"' if look else ""
    return f'<text x="{x:.0f}" y="{y:.0f}"{named}>{escape(words)}</text>'


# ---------------------------------------------------------------- Castle Itter: a scheme of its data


def _tracks(model: "ItterScenario") -> Drawn:
    """Draw the paths of the SS counters as trees that lead to the castle on the right."""
    places = _track_places(model)
    lines = [
        (places[key], places[str(circle.next)])
        for key, circle in model.circle.items()
        if str(circle.next) in places
    ]
    width = max(x for x, _ in places.values()) + EDGE + 40
    ends = [
        (places[key], (width - 44.0, places[key][1]))
        for key, circle in model.circle.items()
        if not circle.next
    ]
    parts = [_path([*lines, *ends], "way")]
    for key, (x, y) in places.items():
        look = f"c-{model.circle[key].colour}" + (" area" if int(key) in model.areas else "")
        parts.append(f'<circle cx="{x:.0f}" cy="{y:.0f}" r="15" class="{look}"/>' + _text(x, y + 4, key))
    parts += [_text(width - 26, y + 4, "castle", "aside") for _, (_, y) in ends]
    height = max(y for _, y in places.values()) + EDGE
    return Drawn(
        "Paths to the castle", round(width), round(height), "".join(parts), places, (13, 13), 17, 340
    )


def _track_places(model: "ItterScenario") -> dict[str, Point]:
    """Return the position of each circle by its key.

    A circle without predecessors has its own row. Any other circle is centred on its predecessors.
    """
    before: dict[int, list[str]] = {}
    for key, circle in model.circle.items():
        before.setdefault(circle.next or 0, []).append(key)
    rows: dict[str, float] = {}
    steps, next_row = dict(_far_first(before, 0, 0)), count()
    for key in steps:
        behind = [rows[one] for one in before.get(int(key), ())]
        rows[key] = sum(behind) / len(behind) if behind else float(next(next_row))
    deepest = max(steps.values())
    return {key: (EDGE + (deepest - steps[key]) * ACROSS, EDGE + rows[key] * DOWN) for key in model.circle}


def _far_first(before: Mapping[int, list[str]], here: int, steps: int) -> Iterator[tuple[str, int]]:
    """Yield (circle, steps to the end of its path), the farthest circles of each branch first."""
    for key in before.get(here, ()):
        yield from _far_first(before, int(key), steps + 1)
        yield key, steps


def _castle(model: "ItterScenario") -> Drawn:
    """Draw a box for each location, with a slot for each position."""
    parts: list[str] = []
    places: dict[str, Point] = {}
    top = 8
    locations = list(model.location.items())
    for pair in (locations[i : i + 2] for i in range(0, len(locations), 2)):
        inside = [
            [n for n, position in model.position.items() if position.location == key] for key, _ in pair
        ]
        high = BOX_HIGH + SLOT_HIGH * max(-(-len(names) // ABREAST) for names in inside)
        for i, names in enumerate(inside):
            left = 8 + i * (BOX_WIDE + 8)
            parts.append(
                f'<rect x="{left}" y="{top}" width="{BOX_WIDE}" height="{high}" rx="6" class="box"/>'
            )
            parts.append(_text(left + 10, top + 19, pair[i][1].name, "name"))
            for j, name in enumerate(names):
                x, y = left + 40 + j % ABREAST * SLOT, top + BOX_HIGH + 6 + j // ABREAST * SLOT_HIGH
                parts.append(f'<rect x="{x - 32}" y="{y - 11}" width="64" height="22" rx="11" class="slot"/>')
                parts.append(_text(x, y + 25, name, "aside"))
                places[name] = (x, y)
        top += high + 8
    return Drawn("The castle", 2 * BOX_WIDE + 24, top, "".join(parts), places, (32, 11), 20, 340)


# ---------------------------------------------------------------- Escape from Colditz


AREAS = {"the inner cells": "cells_west", "the outer cells": "cells_outer", "the barracks": "barracks"}


def _colditz(board: Board) -> Drawn:
    """Draw circles, links and rooms in the positions that they have in the photograph of the board."""
    at = {key: (circle.x, circle.y) for key, circle in board.circles.items()}
    parts = [_path([(at[edge.a], at[edge.b]) for edge in board.edges if edge.type in FREE], "way")]
    looks: dict[str, list[Point]] = {}
    for circle in board.circles.values():
        kind = circle.kind if circle.kind in ("safe", "searchlight", "tunnel", "target") else ""
        post = "post" if circle.kind.startswith("guard_post") else ""
        looks.setdefault(f"z-{post or kind or circle.zone}", []).append(at[circle.id])
    for look, points in looks.items():  # a path with round ends needs only a few letters per circle
        steps = "".join(f"M{x:.0f} {y:.0f}h0" for x, y in points)
        parts.append(f'<path class="dot {look}" d="{steps}"/>')
    for key, room in board.room_table.items():
        points = [at[c] for c in board.rooms[key]]
        x, y = (sum(values) / len(points) for values in zip(*points, strict=True))
        parts.append(_text(x, y, room.name, "name"))
    # areas for pawns that have no circle of their own
    areas = {"the Appel": [at[c] for c in board.appel]} | {
        words: [at[c.id] for c in board.circles.values() if c.area == area] for words, area in AREAS.items()
    }
    places = {str(c): point for c, point in at.items()}
    places |= {words: min(points) for words, points in areas.items() if points}
    width, height = (round(max(values) + 30) for values in zip(*at.values(), strict=True))
    return Drawn("The board", width, height, "".join(parts), places, (10, 10), 21, 760)


def _path(lines: Iterable[tuple[Point, Point]], look: str) -> str:
    steps = "".join(f"M{ax:.0f} {ay:.0f}L{bx:.0f} {by:.0f}" for (ax, ay), (bx, by) in lines)
    return f'<path class="{look}" d="{steps}"/>'
