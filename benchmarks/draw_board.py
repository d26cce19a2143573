"""Draw the included board of Colditz (reports/figures/boards/colditz.svg).

The drawing shows every circle, link and mark of the data, so that a reader can compare it with the real
board. Run the script again if the data changes:

    python benchmarks/draw_board.py
"""

from collections.abc import Iterable, Sequence
from math import hypot
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Circle as Disc
from matplotlib.patches import FancyArrowPatch, Rectangle

from bartizan.reports.figures import files, theme
from bartizan.simcore.colditz.board import Board, Circle, Edge, read_board

SHIPPED = Path(files.__file__).parent / "boards" / "colditz.svg"
Look = dict[str, Any]  # how something is drawn, for matplotlib
Box = tuple[float, float, float, float]  # left, top, right, bottom in pixels, y downwards
REACH, GRID = 64, 4  # pixels: greatest distance by which a name may move to hide less, and the step
# inches: the picture, its title, its legend; one pixel of the photograph is about one point
WIDTH, HEAD, FOOT = (15.0, 0.8, 1.45)
MARGIN = 30  # pixels around the outermost circles
RADIUS = 6.6  # pixels; circles are drawn a little apart
ASIDE = 8  # pixels from an arrow to its number
LETTER, LINE_HEIGHT = 4.4, 8.4  # pixels: approximate width of a letter and height of a line in a name
NUMBER, SMALL, LABEL, NAME, TITLE = 3.6, 6, 7.5, 8.5, 15  # points
FAINT_LINK, LINK, INFERRED = "#b9bfc5", "#6d757d", "#c05a1c"
BEHIND = {"boxstyle": "round,pad=0.12", "facecolor": "white", "edgecolor": "none", "alpha": 0.8}
DASHED = (0, (1.6, 0.9))
CENTRED: Look = {"ha": "center", "va": "center"}

ZONES = {  # zone -> (colour, name)
    "appel": ("#aeb6bf", "Appel (one space)"),
    "courtyard": ("#dfe3e6", "Inner Courtyard"),
    "room": ("#f6d7a7", "room"),
    "outer_tan": ("#efe6d3", "Outer Area: paths"),
    "outer_field": ("#dbe8b9", "Outer Area: fields"),
    "outer_brown": ("#d3b797", "Outer Area: corridor, moat walk"),
    "outer_roof": ("#b5a9c9", "Outer Area: roofs, wall top"),
    "outside_green": ("#bfe3c6", "Outside"),
    "cells": ("#f3bccb", "Solitary"),
    "barracks": ("#5f676f", "barracks"),
}
SAFE, LIGHT, TUNNEL, POST, KEY, PASS, DROP, WIRE, CAR = (
    "#7cc4f0",
    "#ffe14a",
    "#9c6a35",
    "#000000",
    "#e0a800",
    "#c8352b",
    "#b0122b",
    "#2b5f9e",
    "#3d4852",
)
TARGET = ("#c8352b", "#ffffff", "#2b5f9e")  # from the rim inwards


def draw(board: Board) -> Figure:
    with theme.applied():
        figure = Figure()
        axes = _axes(figure, board)
        _draw_tunnels(axes, board)
        _draw_links(axes, board)
        _draw_wires(axes, board)
        _draw_circles(axes, board)
        _draw_numbers(axes, board)
        _draw_marks(axes, board)
        _draw_drops(axes, board)
        _draw_names(axes, board)
        _draw_head(figure, board)
        _draw_legend(figure)
    return figure


def _spans(board: Board) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return ((least x, greatest x), (least y, greatest y)) of the drawing, in pixels of the photograph."""
    xs, ys = ([getattr(c, part) for c in board.circles.values()] for part in "xy")
    return (min(xs) - MARGIN, max(xs) + MARGIN), (min(ys) - MARGIN, max(ys) + MARGIN)


def _axes(figure: Figure, board: Board):
    """Set the size of the figure, and return its axes."""
    (left, right), (top, bottom) = _spans(board)
    tall = WIDTH * (bottom - top) / (right - left)
    whole = HEAD + tall + FOOT
    figure.set_size_inches(WIDTH, whole)
    axes = figure.add_axes((0, FOOT / whole, 1, tall / whole))
    axes.set_axis_off()
    axes.set(xlim=(left, right), ylim=(bottom, top))  # y downwards, as in the photograph
    return axes


def _draw_head(figure: Figure, board: Board) -> None:
    whole = figure.get_size_inches()[1]
    title = "Escape from Colditz: the board as data"
    figure.text(0.02, 1 - 0.3 / whole, title, fontsize=TITLE, va="center", weight="bold")
    figure.text(0.02, 1 - 0.58 / whole, provenance(board), fontsize=NAME, va="center", color=theme.FAINT)


def provenance(board: Board) -> str:
    """Return a sentence about the source of the graph and the number of inferred parts."""
    hidden = sum(c.confidence != "seen" for c in board.circles.values())
    inferred = sum(edge.confidence != "seen" for edge in board.edges)
    return (
        f"Read from a photograph: {hidden} of {len(board.circles) - 1:,} circles lie under pawns or "
        f"lettering there and {inferred} of {len(board.edges):,} links are inferred "
        f"(both drawn dashed); {len(board.covered_posts)} of {len(board.posts)} guard posts are covered by a "
        "pawn. Numbers are those of `bartizan chance colditz --event do-or-die`."
    )


# ---------------------------------------------------------------- links


LINKS = (  # (types, colour, line width in points)
    (("walk",), FAINT_LINK, 0.7),
    (("key",), KEY, 1.6),
    (("pass",), PASS, 1.6),
    (("door",), theme.INK, 2.2),
    (("car",), CAR, 0.9),
)


def _draw_links(axes, board: Board) -> None:
    for types, colour, width in LINKS:
        for confidence, style in (("seen", "solid"), ("inferred", DASHED)):
            lines = [_line(board, edge) for edge in board.links(*types) if edge.confidence == confidence]
            ink = INFERRED if types == ("walk",) and confidence == "inferred" else colour
            axes.add_collection(
                LineCollection(lines, colors=ink, linewidths=width, linestyles=style, zorder=2)
            )


def _draw_wires(axes, board: Board) -> None:
    for edge in board.links("wire"):
        (ax, ay), (bx, by) = _line(board, edge)
        axes.plot([ax, bx], [ay, by], color=WIRE, linewidth=1.6, zorder=2, solid_capstyle="butt")
        cross: Look = {"color": WIRE, "markersize": 6, "markeredgewidth": 1.8, "zorder": 6}
        axes.plot([(ax + bx) / 2], [(ay + by) / 2], "x", **cross)


def _line(board: Board, edge: Edge) -> tuple[tuple[float, float], tuple[float, float]]:
    a, b = board.circles[edge.a], board.circles[edge.b]
    return (a.x, a.y), (b.x, b.y)


TUNNEL_LINE: Look = {
    "color": TUNNEL,
    "linewidth": 9,
    "alpha": 0.35,
    "zorder": 1,
    "solid_capstyle": "round",
    "solid_joinstyle": "round",
}


def _draw_tunnels(axes, board: Board) -> None:
    for path in board.tunnels.values():
        circles = [board.circles[c] for c in path]
        axes.plot([c.x for c in circles], [c.y for c in circles], **TUNNEL_LINE)


ARROW: Look = {
    "color": DROP,
    "zorder": 7,
    "arrowstyle": "-|>",
    "mutation_scale": 9,
    "shrinkA": 5.5,
    "shrinkB": 5.5,
    "linewidth": 1.5,
}


def _draw_drops(axes, board: Board) -> None:
    """Draw each drop as an arrow downwards, with its height in feet beside it."""
    for top, foot, feet in board.drops:
        a, b = board.circles[top], board.circles[foot]
        hidden = "rope_number_hidden" in a.marking
        style = DASHED if hidden else "-"
        axes.add_patch(FancyArrowPatch((a.x, a.y), (b.x, b.y), linestyle=style, **ARROW))
        text = f"{feet}{'?' if hidden else ''}"
        axes.text(*_beside(a, b), text, fontsize=SMALL, color=DROP, weight="bold", zorder=8, **CENTRED)


def _between(a: Circle, b: Circle, share: float) -> tuple[float, float]:
    return a.x + (b.x - a.x) * share, a.y + (b.y - a.y) * share


def _beside(a: Circle, b: Circle) -> tuple[float, float]:
    """Return a point next to the middle of an arrow from a to b."""
    dx, dy = b.x - a.x, b.y - a.y
    length = hypot(dx, dy)
    return (a.x + b.x) / 2 - dy / length * ASIDE, (a.y + b.y) / 2 + dx / length * ASIDE


# ---------------------------------------------------------------- circles


def _draw_circles(axes, board: Board) -> None:
    """Draw all circles.

    Circles with the same appearance are one set of markers, which keeps the file small.
    """
    looks: dict[tuple, list[Circle]] = {}
    for circle in board.circles.values():
        if circle.kind != "staff_car":
            looks.setdefault(_look(circle), []).append(circle)
    left, right = _spans(board)[0]
    points = WIDTH * 72 / (right - left)  # of a pixel
    for (face, rim, width, style), circles in looks.items():
        axes.scatter(
            [c.x for c in circles],
            [c.y for c in circles],
            (2 * RADIUS * points) ** 2,
            facecolors=face,
            edgecolors=rim,
            linewidths=width,
            linestyles=style,
            zorder=3,
        )


def _draw_numbers(axes, board: Board) -> None:
    for circle in board.circles.values():
        if circle.kind not in ("staff_car", "target") and circle.id not in board.gates:
            ink = "white" if theme.is_dark(_look(circle)[0]) else theme.INK
            axes.text(circle.x, circle.y, str(circle.id), fontsize=NUMBER, color=ink, zorder=4, **CENTRED)


def _look(circle: Circle) -> tuple:
    """Return the appearance of a circle: (face, rim, rim width, rim style)."""
    face = {"safe": SAFE, "searchlight": LIGHT, "tunnel": TUNNEL, "guard_post": POST}.get(
        circle.kind
    ) or ZONES.get(circle.zone, (TUNNEL, ""))[0]
    style = "solid" if circle.confidence == "seen" else DASHED
    if circle.kind == "guard_post?":
        return face, POST, 2.6, "solid"
    if "tunnel_exit" in circle.marking:
        return face, theme.INK, 2.0, style
    if circle.kind == "cell_door":
        return face, CAR, 3.0, "solid"
    if "landing" in circle.marking:
        return face, DROP, 1.3, style
    return face, LINK, 0.5 if circle.confidence == "seen" else 1.1, style


def _draw_marks(axes, board: Board) -> None:
    """Draw the gates, the targets and the car."""
    for gates, colour, letter in ((board.marked("key"), KEY, "K"), (board.marked("pass"), PASS, "P")):
        for gate in gates:
            _draw_gate(axes, board.circles[gate], colour, letter)
    for target in board.targets:
        _draw_target(axes, board.circles[target], is_far=target in board.far_targets)
    _draw_car(axes, board.circles[board.car])


def _draw_gate(axes, c: Circle, colour: str, letter: str) -> None:
    corner, side = (c.x - RADIUS, c.y - RADIUS), 2 * RADIUS
    look: Look = {"facecolor": colour, "edgecolor": theme.INK, "linewidth": 0.8}
    axes.add_patch(Rectangle(corner, side, side, zorder=5, **look))
    axes.text(c.x, c.y - 2, letter, fontsize=LABEL, weight="bold", color="white", zorder=6, **CENTRED)
    axes.text(c.x, c.y + 4.6, str(c.id), fontsize=NUMBER, color="white", zorder=6, **CENTRED)


def _draw_target(axes, c: Circle, is_far: bool) -> None:
    for scale, colour in zip((1.55, 1.1, 0.6), TARGET, strict=True):
        axes.add_patch(Disc((c.x, c.y), RADIUS * scale, facecolor=colour, edgecolor="none", zorder=5))
    if is_far:
        rim: Look = {"facecolor": "none", "edgecolor": TARGET[2], "linewidth": 2}
        axes.add_patch(Disc((c.x, c.y), RADIUS * 2.1, zorder=5, **rim))


def _draw_car(axes, c: Circle) -> None:
    look: Look = {"facecolor": CAR, "edgecolor": "white", "linewidth": 0.8}
    axes.add_patch(Rectangle((c.x - 17, c.y - 8), 34, 16, zorder=5, **look))
    place: Look = {"ha": "center", "va": "center_baseline"}
    axes.text(c.x, c.y, "car", fontsize=LABEL, weight="bold", color="white", zorder=6, **place)


# ---------------------------------------------------------------- words


NAME_TEXT: Look = {
    "fontsize": LABEL,
    "weight": "bold",
    "zorder": 8,
    "linespacing": 1.05,
    "bbox": BEHIND,
    **CENTRED,
}


def _draw_names(axes, board: Board) -> None:
    """Draw the names of rooms with their symbols, targets, tunnels, cells and barracks.

    Each name is near its place, at the position that hides least of the drawing.
    """
    taken = list(_taken(board))
    (left, right), (bottom, top) = axes.get_xlim(), axes.get_ylim()
    within = (left + 2, top + 2, right - 2, bottom - 2)
    for x, y, text, colour in _names(board):
        lines = text.split("\n")
        size = max(map(len, lines)) * LETTER, len(lines) * LINE_HEIGHT
        x, y = least_hiding(x, y, size, taken, within)
        taken.append(box(x, y, *size))
        axes.text(x, y, text, color=colour, **NAME_TEXT)


def _taken(board: Board) -> Iterable[Box]:
    """Yield boxes that a name should not hide: circles, arrows with their numbers, the car."""
    yield from (box(c.x, c.y, 2 * RADIUS, 2 * RADIUS) for c in board.circles.values())
    drops = [(board.circles[top], board.circles[foot]) for top, foot, _ in board.drops]
    yield from (box(*_beside(a, b), 10, 8) for a, b in drops)
    yield from (box(*_between(a, b, share), 6, 6) for a, b in drops for share in (0.3, 0.5, 0.7))
    yield box(board.circles[board.car].x, board.circles[board.car].y, 36, 18)


def least_hiding(
    x: float, y: float, size: tuple[float, float], taken: list[Box], within: Box
) -> tuple[float, float]:
    """Return the place in the picture with the smallest hidden area (px²) plus distance from (x, y) (px)."""
    dx, dy = (
        grid.ravel()
        for grid in np.meshgrid(np.arange(-REACH, REACH + 1, GRID), np.arange(-REACH, REACH + 1, GRID))
    )
    xs = np.clip(x + dx, within[0] + size[0] / 2, within[2] - size[0] / 2)
    ys = np.clip(y + dy, within[1] + size[1] / 2, within[3] - size[1] / 2)
    left, top, right, bottom = np.array(taken).T
    wide = np.minimum(xs[:, None] + size[0] / 2, right) - np.maximum(xs[:, None] - size[0] / 2, left)
    high = np.minimum(ys[:, None] + size[1] / 2, bottom) - np.maximum(ys[:, None] - size[1] / 2, top)
    hidden = (wide.clip(0) * high.clip(0)).sum(axis=1)  # square pixels
    best = np.argmin(hidden + np.hypot(dx, dy))
    return float(xs[best]), float(ys[best])


def box(x: float, y: float, wide: float, high: float) -> Box:
    return x - wide / 2, y - high / 2, x + wide / 2, y + high / 2


AREAS = (
    ("cells_west", "Solitary"),
    ("cells_mid", "Solitary"),
    ("cells_outer", "Solitary"),
    ("barracks", "barracks"),
)


def _names(board: Board) -> Iterable[tuple[float, float, str, str]]:
    """Yield (x, y, text, colour) for each name. x and y: the preferred place."""
    for target in board.targets:
        c, far = board.circles[target], " (far)" if target in board.far_targets else ""
        yield c.x, c.y + 20, f"{board.target_name(target)}{far}", TARGET[2]
    for name, path in board.tunnels.items():
        middle = board.circles[path[len(path) // 2]]
        yield middle.x, middle.y, f"{name.title()}\ntunnel", TUNNEL
    for key, room in board.room_table.items():
        name = f"{room.name}\n{room.symbol}" if room.symbol else room.name
        yield *_middle(board, board.rooms[key]), name, theme.INK
    for area, text in AREAS:
        yield *_middle(board, [c.id for c in board.circles.values() if c.area == area]), text, theme.FAINT


def _middle(board: Board, ids: Sequence[int]) -> tuple[float, float]:
    circles = [board.circles[c] for c in ids]
    return sum(c.x for c in circles) / len(circles), sum(c.y for c in circles) / len(circles)


# ---------------------------------------------------------------- legend


def _mark(face: str, label: str, rim: str = LINK, width: float = 0.6, marker: str = "o") -> Line2D:
    look: Look = {"markerfacecolor": face, "markeredgecolor": rim, "markeredgewidth": width}
    return Line2D([], [], linestyle="", marker=marker, markersize=9, label=label, **look)


def _stroke(colour: str, label: str, width: float = 1.8, marker: str = "", **more) -> Line2D:
    return Line2D([], [], color=colour, linewidth=width, label=label, marker=marker, markersize=7, **more)


def _draw_legend(figure: Figure) -> None:
    marks = (
        *(_mark(colour, name) for colour, name in ZONES.values()),
        _mark(SAFE, "safe: no arrest"),
        _mark(LIGHT, "searchlight: no stopping"),
        _mark(TUNNEL, "tunnel circle"),
        _mark(TUNNEL, "exit of a tunnel", theme.INK, 2.0),
        _mark(POST, "guard post, seen"),
        _mark("white", "guard post?, covered by a pawn", POST, 2.4),
        _mark("white", "cell door", CAR, 3.2),
        _mark("white", "landing of a drop", DROP, 1.4),
        _mark(KEY, "K: Key to enter", theme.INK, 1.0, "s"),
        _mark(PASS, "P: Pass to enter", theme.INK, 1.0, "s"),
        _stroke(DROP, "drop of 30 or 60 feet, downwards", 1.5, ">"),
        _stroke(WIRE, "wire crossing", 1.6, "x"),
        _stroke(theme.INK, "door of a room", 2.4),
        _stroke(TUNNEL, "tunnel", 8, alpha=0.4),
        _stroke(CAR, "beside the staff car", 1.0),
        _stroke(INFERRED, "inferred link", 1.2, linestyle=DASHED),
        _mark(TARGET[0], "target", TARGET[2], 2.0),
        _mark("white", "target beyond the moat (far)", TARGET[2], 1.8),
    )
    figure.legend(
        handles=marks,
        loc="lower center",
        ncols=6,
        frameon=False,
        fontsize=NAME,
        handlelength=2.2,
        columnspacing=1.6,
        labelspacing=0.55,
        bbox_to_anchor=(0.5, 0.008),
    )


if __name__ == "__main__":
    files.write(lambda: draw(read_board()), SHIPPED, "board")
