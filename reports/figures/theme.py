"""Appearance of all charts: seaborn's plain axes, a colour-blind-safe palette, and sizes readable on a phone.

seaborn and matplotlib take a second to import, so they are imported only to draw a chart for paper or for a
file. `svg` writes the charts of a page.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any

from bartizan.analyses.records.quantities import best_first
from bartizan.simcore.reporting import CUT_OFF, LOST

if TYPE_CHECKING:
    from matplotlib.figure import Figure

INK, FAINT, GRID = "#1f2328", "#5b636b", "#d8dce0"
WIDTH = 5.0  # inches: 360 points, so that a picture on a 390-pixel phone keeps its type size
TEXT, SMALL = 11.5, 10.5  # points
FONT = "DejaVu Sans"  # part of matplotlib, so that label sizes are the same on every machine
FALLBACKS = (  # for letters that FONT lacks, the first installed one is used
    "Noto Sans CJK SC",
    "Noto Sans CJK JP",
    "Source Han Sans SC",
    "WenQuanYi Zen Hei",
    "Hiragino Sans",
    "PingFang SC",
    "Microsoft YaHei",
    "Yu Gothic",
    "Malgun Gothic",
    "Noto Sans Devanagari",
    "Noto Sans Thai",
    "Noto Emoji",
    "Segoe UI Emoji",
    "Arial Unicode MS",
)
CLEAR, UNCLEAR = "#0173b2", "#949494"  # significant and not significant effects
LOST_COLOUR, NONE_COLOUR, CUT_OFF_COLOUR = "#c8553d", "#c9ced3", "#1f2328"
SHAPES = {
    "first": FAINT,
    "other": CLEAR,
    "own": CLEAR,
    "best": "#12355b",
    "beside": "#b3412a",
}  # colours of marks
# seaborn's "colorblind", without its pale yellow
PLAYERS = (
    *("#0173b2", "#de8f05", "#029e73", "#d55e00", "#cc78bc", "#ca9161", "#fbafe4", "#949494", "#56b4e9"),
)
MEDALS, ALONG = ("#12355b", "#62a3c9"), ("#b79fd6", "#2e1248")  # ends of colour gradients


@contextmanager
def applied() -> Iterator[None]:
    """Context manager that applies the theme's settings, and then restores matplotlib's own settings."""
    import matplotlib as mpl
    import seaborn as sns

    settings = sns.axes_style("ticks") | sns.plotting_context("paper")
    settings |= dict.fromkeys(("text.color", "axes.labelcolor", "axes.edgecolor"), INK)
    settings |= dict.fromkeys(("xtick.color", "ytick.color"), FAINT)
    settings |= dict.fromkeys(("font.size", "axes.titlesize"), TEXT)
    settings |= dict.fromkeys(
        ("axes.labelsize", "xtick.labelsize", "ytick.labelsize", "legend.fontsize"), SMALL
    )
    settings |= dict.fromkeys(("axes.linewidth", "xtick.major.width", "ytick.major.width"), 0.8)
    settings |= {
        "font.family": "sans-serif",
        "font.sans-serif": [FONT, *_fallbacks()],
        "text.parse_math": False,  # `$` in a name is literal
        "svg.fonttype": "none",
        "svg.hashsalt": "bartizan",
        "axes.unicode_minus": True,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "grid.color": GRID,
        "grid.linewidth": 0.7,
        "figure.facecolor": "none",
        "axes.facecolor": "none",
    }
    with mpl.rc_context(settings), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing from")  # the browser draws it in an SVG
        yield


@cache
def _fallbacks() -> tuple[str, ...]:
    """Return the fallback fonts that are installed, because matplotlib warns about each missing one."""
    from matplotlib.font_manager import fontManager

    installed = set(fontManager.get_font_names())
    return tuple(name for name in FALLBACKS if name in installed)


def figure(height: float) -> Figure:
    """Return an empty figure of the standard width. height: in inches."""
    from matplotlib.figure import Figure

    return Figure(figsize=(WIDTH, height), layout="constrained")


def in_percent(axis: Any) -> None:
    """Format the ticks of an axis of fractions as percentages."""
    axis.set_major_formatter(lambda value, _: f"{value * 100:g}\u00a0%")


def player_colours(players: Sequence[str]) -> dict[str, str]:
    """Map each player to a colour: PLAYERS for the first nine, darker shades for the next nine, and so on.

    No two of the first 100 players have the same colour, because a mark has the name of its colour
    (`Figure.names`). A player's colour depends only on its place.
    """
    return {player: _shade(*divmod(index, len(PLAYERS))) for index, player in enumerate(players)}


def _shade(darker: int, place: int) -> str:
    return blend((PLAYERS[place], INK), darker + 2)[darker]


def blend(ends: tuple[str, str], colours: int) -> list[str]:
    """Return `colours` evenly spaced colours from one end of a gradient to the other, including both."""
    first, last = map(_parts, ends)
    steps = [index / (colours - 1) if colours > 1 else 0.0 for index in range(colours)]
    mixed = ([a + (b - a) * step for a, b in zip(first, last, strict=True)] for step in steps)
    return ["#" + "".join(f"{round(part):02x}" for part in parts) for parts in mixed]


def _parts(colour: str) -> list[int]:
    """Return red, green and blue of `#rrggbb`, 0 to 255."""
    return [int(colour[place : place + 2], 16) for place in (1, 3, 5)]


def tier_colours(tiers: Mapping[str, int]) -> dict[str, str]:
    """Map tiers to colours that are distinguishable for every kind of colour vision.

    Better tiers are darker blue, the last tier is grey, lost games are brick red, and truncated games are
    almost black.
    """
    names = list(best_first(tiers))
    medals = blend(MEDALS, max(len(names) - 1, 1))
    colours = dict(zip(names[:-1], medals, strict=False)) | {name: NONE_COLOUR for name in names[-1:]}
    return colours | {LOST: LOST_COLOUR, CUT_OFF: CUT_OFF_COLOUR}


def side_colours(seats: int) -> list[str]:
    """Return one colour per seat.

    Draws, games that all seats lose, and truncated games have NONE_COLOUR, LOST_COLOUR and CUT_OFF_COLOUR
    instead.
    """
    return list(player_colours([str(seat) for seat in range(seats)]).values())


def cell_colours(cells: int, in_order: bool) -> list[str]:
    """Return one colour per cell, different from each other and from the colours of the first two sides.

    in_order: whether the cells are the values of one setting. The colours then go from pale to dark;
    otherwise, they are as different as possible.
    """
    if in_order:
        return blend(ALONG, cells)
    return list(player_colours([str(cell) for cell in range(cells + 2)]).values())[2:]


def is_dark(colour: str) -> bool:
    """Return whether white text is readable on this colour."""
    red, green, blue = _parts(colour)
    return 0.299 * red + 0.587 * green + 0.114 * blue < 0.6 * 255
