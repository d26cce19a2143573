"""A game's board as a picture: every circle, link and mark of the data, so that a reader can hold it against
the real board.
"""

import io
from collections.abc import Callable, Iterable, Sequence
from math import hypot
from pathlib import Path

import numpy as np
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Circle as Disc
from matplotlib.patches import FancyArrowPatch, Rectangle

from bartizan.reports.figures import svg, theme
from bartizan.simcore.colditz.board import Board, Circle, Edge, read_board
from bartizan.simcore.errors import UsageError, did_you_mean

BOARDS: dict[str, Callable[[], Board]] = {"colditz": read_board}  # games whose board can be drawn
Box = tuple[float, float, float, float]  # left, top, right, bottom in pixels
FORMATS = (".svg", ".pdf", ".png")
# inches: the picture, its title, its legend; one pixel of the photograph is about one point
WIDTH, HEAD, FOOT = (15.0, 0.8, 1.45)
MARGIN = 30  # pixels around the outermost circles
RADIUS = 6.6  # pixels; circles are drawn a little apart
ASIDE = 8  # pixels from an arrow to its number
LETTER, LINE_HEIGHT = 4.4, 8.4  # pixels: a name's letter is about so wide, its line so high
REACH, GRID = 64, 4  # pixels: how far, and in what steps, a name may move to hide less
NUMBER, SMALL, LABEL, NAME, TITLE = 3.6, 6, 7.5, 8.5, 15  # points
FAINT_LINK, LINK, INFERRED = "#b9bfc5", "#6d757d", "#c05a1c"
BEHIND = {"boxstyle": "round,pad=0.12", "facecolor": "white", "edgecolor": "none", "alpha": 0.8}
DASHED = (0, (1.6, 0.9))

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


def write_board(game: str, path: Path) -> Path:
    """Draw the board of a game into an .svg, .pdf or .png file.

    Raises UsageError for a game without one, or a name or place that will not do.
    """
    path = Path(path)
    if game not in BOARDS:
        raise UsageError(f"--board: {game} has no board to draw{did_you_mean(game, BOARDS)}")
    if path.suffix.lower() not in FORMATS:
        raise UsageError(f"--board {path}: the name must end in {', '.join(FORMATS)}")
    try:
        with theme.applied():
            _save(draw(BOARDS[game]()), path)
    except OSError as error:
        raise UsageError(f"--board {path}: cannot be written: {error.strerror or error}") from error
    return path


def _save(figure: Figure, path: Path) -> None:
    """An SVG without its date and its needless digits: the same board is the same file."""
    if path.suffix.lower() != ".svg":
        return figure.savefig(path, dpi=150, facecolor="white")
    buffer = io.StringIO()
    figure.savefig(buffer, format="svg", metadata={"Date": None}, facecolor="white")
    path.write_text(
        svg.NUMBER.sub(lambda number: f"{float(number.group()):.2f}", buffer.getvalue()), encoding="utf-8"
    )
    return None


def draw(board: Board) -> Figure:
    xs, ys = ([getattr(c, part) for c in board.circles.values()] for part in "xy")
    wide, high = max(xs) - min(xs) + 2 * MARGIN, max(ys) - min(ys) + 2 * MARGIN
    tall = WIDTH * high / wide
    with theme.applied():
        figure = Figure(figsize=(WIDTH, HEAD + tall + FOOT))
        axes = figure.add_axes((0, FOOT / (HEAD + tall + FOOT), 1, tall / (HEAD + tall + FOOT)))
        axes.set_axis_off()
        axes.set_xlim(min(xs) - MARGIN, max(xs) + MARGIN)
        axes.set_ylim(max(ys) + MARGIN, min(ys) - MARGIN)  # y downwards, as in the photograph
        _draw_tunnels(axes, board)
        _draw_links(axes, board)
        _draw_circles(axes, board, points=WIDTH * 72 / wide)
        _draw_marks(axes, board)
        _draw_drops(axes, board)
        _draw_names(axes, board)
        top = HEAD + tall + FOOT
        figure.text(
            0.02,
            1 - 0.3 / top,
            "Escape from Colditz: the board as data",
            fontsize=TITLE,
            va="center",
            weight="bold",
        )
        figure.text(0.02, 1 - 0.58 / top, provenance(board), fontsize=NAME, va="center", color=theme.FAINT)
        _draw_legend(figure)
    return figure


def provenance(board: Board) -> str:
    """One sentence: where the graph comes from and how much of it is a guess."""
    hidden = sum(c.confidence != "seen" for c in board.circles.values())
    inferred = sum(edge.confidence != "seen" for edge in board.edges)
    return (
        f"Read from a photograph: {hidden} of {len(board.circles) - 1:,} circles lie under pawns or "
        f"lettering there and {inferred} of {len(board.edges):,} links are inferred "
        f"(both drawn dashed); {len(board.covered_posts)} of {len(board.posts)} guard posts are covered by a "
        "pawn. Numbers are those of `bartizan odds do-or-die --from`."
    )


# ---------------------------------------------------------------- links


def _draw_links(axes, board: Board) -> None:
    for types, colour, width in (
        (("walk",), FAINT_LINK, 0.7),
        (("key",), KEY, 1.6),
        (("pass",), PASS, 1.6),
        (("door",), theme.INK, 2.2),
        (("car",), CAR, 0.9),
    ):
        for confidence, style in (("seen", "solid"), ("inferred", DASHED)):
            lines = [_line(board, edge) for edge in board.links(*types) if edge.confidence == confidence]
            ink = INFERRED if types == ("walk",) and confidence == "inferred" else colour
            axes.add_collection(
                LineCollection(lines, colors=ink, linewidths=width, linestyles=style, zorder=2)
            )
    for edge in board.links("wire"):
        (ax, ay), (bx, by) = _line(board, edge)
        axes.plot([ax, bx], [ay, by], color=WIRE, linewidth=1.6, zorder=2, solid_capstyle="butt")
        axes.plot(
            [(ax + bx) / 2], [(ay + by) / 2], "x", color=WIRE, markersize=6, markeredgewidth=1.8, zorder=6
        )


def _line(board: Board, edge: Edge) -> tuple[tuple[float, float], tuple[float, float]]:
    a, b = board.circles[edge.a], board.circles[edge.b]
    return (a.x, a.y), (b.x, b.y)


def _draw_tunnels(axes, board: Board) -> None:
    for path in board.tunnels.values():
        circles = [board.circles[c] for c in path]
        axes.plot(
            [c.x for c in circles],
            [c.y for c in circles],
            color=TUNNEL,
            linewidth=9,
            alpha=0.35,
            zorder=1,
            solid_capstyle="round",
            solid_joinstyle="round",
        )


def _draw_drops(axes, board: Board) -> None:
    """An arrow down, with its feet beside it."""
    for top, foot, feet in board.drops:
        a, b = board.circles[top], board.circles[foot]
        dashed = "rope_number_hidden" in a.marking
        arrow = FancyArrowPatch(
            (a.x, a.y),
            (b.x, b.y),
            color=DROP,
            zorder=7,
            arrowstyle="-|>",
            mutation_scale=9,
            shrinkA=5.5,
            shrinkB=5.5,
            linewidth=1.5,
            linestyle=DASHED if dashed else "-",
        )
        axes.add_patch(arrow)
        x, y = _beside(a, b)
        axes.text(
            x,
            y,
            f"{feet}{'?' if dashed else ''}",
            fontsize=SMALL,
            color=DROP,
            weight="bold",
            ha="center",
            va="center",
            zorder=8,
        )


def _between(a: Circle, b: Circle, share: float) -> tuple[float, float]:
    return a.x + (b.x - a.x) * share, a.y + (b.y - a.y) * share


def _beside(a: Circle, b: Circle) -> tuple[float, float]:
    """A point next to the middle of an arrow from a to b."""
    dx, dy = b.x - a.x, b.y - a.y
    length = hypot(dx, dy)
    return (a.x + b.x) / 2 - dy / length * ASIDE, (a.y + b.y) / 2 + dx / length * ASIDE


# ---------------------------------------------------------------- circles


def _draw_circles(axes, board: Board, points: float) -> None:
    """One set of markers a look keeps the file small. `points`: of a pixel."""
    looks: dict[tuple, list[Circle]] = {}
    for circle in board.circles.values():
        if circle.kind != "staff_car":
            looks.setdefault(_look(circle), []).append(circle)
    for (face, rim, width, style), circles in looks.items():
        size = (2 * RADIUS * points) ** 2
        axes.scatter(
            [c.x for c in circles],
            [c.y for c in circles],
            size,
            facecolors=face,
            edgecolors=rim,
            linewidths=width,
            linestyles=style,
            zorder=3,
        )
    for circle in board.circles.values():
        if circle.kind not in ("staff_car", "target") and circle.id not in board.gates:
            ink = "white" if theme.is_dark(_look(circle)[0]) else theme.INK
            axes.text(
                circle.x,
                circle.y,
                str(circle.id),
                fontsize=NUMBER,
                color=ink,
                ha="center",
                va="center",
                zorder=4,
            )


def _look(circle: Circle) -> tuple:
    """(face, rim, rim width, rim style)"""
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
    """Gates, tunnel ends, targets and the car."""
    for gates, colour, letter in ((board.key_gates, KEY, "K"), (board.pass_gates, PASS, "P")):
        for gate in gates:
            c = board.circles[gate]
            axes.add_patch(
                Rectangle(
                    (c.x - RADIUS, c.y - RADIUS),
                    2 * RADIUS,
                    2 * RADIUS,
                    facecolor=colour,
                    edgecolor=theme.INK,
                    linewidth=0.8,
                    zorder=5,
                )
            )
            axes.text(
                c.x,
                c.y - 2,
                letter,
                fontsize=LABEL,
                weight="bold",
                color="white",
                ha="center",
                va="center",
                zorder=6,
            )
            axes.text(
                c.x, c.y + 4.6, str(gate), fontsize=NUMBER, color="white", ha="center", va="center", zorder=6
            )
    for target in board.targets:
        c = board.circles[target]
        for scale, colour in zip((1.55, 1.1, 0.6), TARGET, strict=True):
            axes.add_patch(Disc((c.x, c.y), RADIUS * scale, facecolor=colour, edgecolor="none", zorder=5))
        if target in board.far_targets:
            axes.add_patch(
                Disc((c.x, c.y), RADIUS * 2.1, facecolor="none", edgecolor=TARGET[2], linewidth=2, zorder=5)
            )
    car = board.circles[board.car]
    axes.add_patch(
        Rectangle((car.x - 17, car.y - 8), 34, 16, facecolor=CAR, edgecolor="white", linewidth=0.8, zorder=5)
    )
    axes.text(
        car.x,
        car.y,
        "car",
        fontsize=LABEL,
        weight="bold",
        color="white",
        ha="center",
        va="center_baseline",
        zorder=6,
    )


# ---------------------------------------------------------------- words


def _draw_names(axes, board: Board) -> None:
    """Rooms with their symbols, targets, tunnels, cells and barracks: each name near its place, where it
    hides the least.
    """
    taken = [_box(c.x, c.y, 2 * RADIUS, 2 * RADIUS) for c in board.circles.values()]
    taken += [_box(*_beside(board.circles[top], board.circles[foot]), 10, 8) for top, foot, _ in board.drops]
    taken += [
        _box(*_between(board.circles[top], board.circles[foot], share), 6, 6)
        for top, foot, _ in board.drops
        for share in (0.3, 0.5, 0.7)
    ]
    taken.append(_box(board.circles[board.car].x, board.circles[board.car].y, 36, 18))
    (left, right), (bottom, top) = axes.get_xlim(), axes.get_ylim()
    within = (left + 2, top + 2, right - 2, bottom - 2)
    for x, y, text, colour in _names(board):
        lines = text.split("\n")
        size = max(map(len, lines)) * LETTER, len(lines) * LINE_HEIGHT
        x, y = _least_hiding(x, y, size, taken, within)
        taken.append(_box(x, y, *size))
        axes.text(
            x,
            y,
            text,
            fontsize=LABEL,
            color=colour,
            weight="bold",
            ha="center",
            va="center",
            zorder=8,
            linespacing=1.05,
            bbox=BEHIND,
        )


def _names(board: Board) -> Iterable[tuple[float, float, str, str]]:
    """(x, y, text, colour); x and y: where it should stand."""
    for target in board.targets:
        c = board.circles[target]
        yield (
            c.x,
            c.y + 20,
            board.target_name(target) + (" (far)" if target in board.far_targets else ""),
            TARGET[2],
        )
    for name, path in board.tunnels.items():
        middle = board.circles[path[len(path) // 2]]
        yield middle.x, middle.y, f"{name.title()}\ntunnel", TUNNEL
    for key, room in board.room_table.items():
        yield (
            *_middle(board, board.rooms[key]),
            f"{room.name}\n{room.symbol}" if room.symbol else room.name,
            theme.INK,
        )
    for area, text in (
        ("cells_west", "Solitary"),
        ("cells_mid", "Solitary"),
        ("cells_outer", "Solitary"),
        ("barracks", "barracks"),
    ):
        yield *_middle(board, [c.id for c in board.circles.values() if c.area == area]), text, theme.FAINT


def _middle(board: Board, circles: Sequence[int]) -> tuple[float, float]:
    return sum(board.circles[c].x for c in circles) / len(circles), sum(
        board.circles[c].y for c in circles
    ) / len(circles)


def _least_hiding(
    x: float, y: float, size: tuple[float, float], taken: list[Box], within: Box
) -> tuple[float, float]:
    """The place near (x, y) and within the picture that hides little of what is taken and lies near: a pixel
    away weighs as much as a square pixel hidden.
    """
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


def _box(x: float, y: float, wide: float, high: float) -> Box:
    return x - wide / 2, y - high / 2, x + wide / 2, y + high / 2


def _draw_legend(figure: Figure) -> None:
    def dot(face: str, label: str, rim: str = LINK, width: float = 0.6) -> Line2D:
        return Line2D(
            [],
            [],
            linestyle="",
            marker="o",
            markersize=9,
            markerfacecolor=face,
            markeredgecolor=rim,
            markeredgewidth=width,
            label=label,
        )

    def line(colour: str, label: str, width: float = 1.8, marker: str = "", **more) -> Line2D:
        return Line2D([], [], color=colour, linewidth=width, label=label, marker=marker, markersize=7, **more)

    entries = [
        *(dot(colour, name) for colour, name in ZONES.values()),
        dot(SAFE, "safe: no arrest"),
        dot(LIGHT, "searchlight: no stopping"),
        dot(TUNNEL, "tunnel circle"),
        dot(TUNNEL, "exit of a tunnel", theme.INK, 2.0),
        dot(POST, "guard post, seen"),
        dot("white", "guard post?, covered by a pawn", POST, 2.4),
        dot("white", "cell door", CAR, 3.2),
        dot("white", "landing of a drop", DROP, 1.4),
        Line2D(
            [],
            [],
            linestyle="",
            marker="s",
            markersize=9,
            markerfacecolor=KEY,
            markeredgecolor=theme.INK,
            label="K: Key to enter",
        ),
        Line2D(
            [],
            [],
            linestyle="",
            marker="s",
            markersize=9,
            markerfacecolor=PASS,
            markeredgecolor=theme.INK,
            label="P: Pass to enter",
        ),
        line(DROP, "drop of 30 or 60 feet, downwards", 1.5, ">"),
        line(WIRE, "wire crossing", 1.6, "x"),
        line(theme.INK, "door of a room", 2.4),
        line(TUNNEL, "tunnel", 8, alpha=0.4),
        line(CAR, "beside the staff car", 1.0),
        line(INFERRED, "inferred link", 1.2, linestyle=DASHED),
        dot(TARGET[0], "target", TARGET[2], 2.0),
        dot("white", "target beyond the moat (far)", TARGET[2], 1.8),
    ]
    figure.legend(
        handles=entries,
        loc="lower center",
        ncols=6,
        frameon=False,
        fontsize=NAME,
        handlelength=2.2,
        columnspacing=1.6,
        labelspacing=0.55,
        bbox_to_anchor=(0.5, 0.008),
    )
