"""How every picture looks: seaborn's quiet axes, a colour-blind-safe palette, and sizes that read on a phone.

seaborn and matplotlib take a second to import, so they are imported where a picture is drawn for paper or as
a file: a page has pictures that `svg` writes.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any

from bartizan.analyses.records.quantities import CUT_OFF, LOST, best_first

if TYPE_CHECKING:
    from matplotlib.figure import Figure

INK, FAINT, GRID = "#1f2328", "#5b636b", "#d8dce0"
WIDTH = 5.0  # inches: 360 points, so that a picture on a 390-pixel phone keeps its type size
TEXT, SMALL = 11.5, 10.5  # points
FONT = "DejaVu Sans"  # matplotlib brings it: room for labels is the same on every machine
FALLBACKS = (  # the first of them that is installed has the letters that FONT lacks
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
CLEAR, UNCLEAR = "#0173b2", "#949494"  # an effect, and one that may be none
LOST_COLOUR, NONE_COLOUR, CUT_OFF_COLOUR = "#c8553d", "#c9ced3", "#1f2328"
SHAPES = {"first": FAINT, "other": CLEAR, "own": CLEAR, "best": "#12355b", "beside": "#b3412a"}  # of marks
# seaborn's "colorblind", without its pale yellow
PLAYERS = (
    *("#0173b2", "#de8f05", "#029e73", "#d55e00", "#cc78bc", "#ca9161", "#fbafe4", "#949494", "#56b4e9"),
)
MEDALS, ALONG = ("#12355b", "#62a3c9"), ("#b79fd6", "#2e1248")  # ends of blends


@contextmanager
def applied() -> Iterator[None]:
    """Draw and save inside this: matplotlib's settings are left as they were."""
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
        "text.parse_math": False,  # `$` in a name is a dollar
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
        warnings.filterwarnings("ignore", "Glyph .* missing from")  # in an SVG the browser has it
        yield


@cache
def _fallbacks() -> tuple[str, ...]:
    """Those that this machine has: matplotlib complains of each name that it does not find."""
    from matplotlib.font_manager import fontManager

    installed = set(fontManager.get_font_names())
    return tuple(name for name in FALLBACKS if name in installed)


def figure(height: float) -> Figure:
    """An empty figure of the common width; `height` in inches."""
    from matplotlib.figure import Figure

    return Figure(figsize=(WIDTH, height), layout="constrained")


def in_percent(axis: Any) -> None:
    """Its ticks are fractions of 1."""
    axis.set_major_formatter(lambda value, _: f"{value * 100:g}\u00a0%")


def player_colours(players: Sequence[str]) -> dict[str, str]:
    """One colour a player, the same in every picture."""
    return {player: PLAYERS[index % len(PLAYERS)] for index, player in enumerate(players)}


def blend(ends: tuple[str, str], colours: int) -> list[str]:
    """So many colours from one to the other, both included."""
    first, last = map(_parts, ends)
    steps = [index / (colours - 1) if colours > 1 else 0.0 for index in range(colours)]
    mixed = ([a + (b - a) * step for a, b in zip(first, last, strict=True)] for step in steps)
    return ["#" + "".join(f"{round(part):02x}" for part in parts) for parts in mixed]


def _parts(colour: str) -> list[int]:
    """Red, green and blue of `#rrggbb`, 0 to 255."""
    return [int(colour[place : place + 2], 16) for place in (1, 3, 5)]


def tier_colours(tiers: Mapping[str, int]) -> dict[str, str]:
    """Tier -> colour: the better, the darker blue; the last tier grey, lost games brick red: apart for every
    kind of colour sight.
    """
    names = list(best_first(tiers))
    medals = blend(MEDALS, max(len(names) - 1, 1))
    colours = dict(zip(names[:-1], medals, strict=False)) | {name: NONE_COLOUR for name in names[-1:]}
    return colours | {LOST: LOST_COLOUR, CUT_OFF: CUT_OFF_COLOUR}


def side_colours(seats: int) -> list[str]:
    """One colour a seat; a draw, a game lost by all and one cut off have NONE_COLOUR, LOST_COLOUR and
    CUT_OFF_COLOUR.
    """
    return list(player_colours([str(seat) for seat in range(seats)]).values())


def cell_colours(cells: int, in_order: bool) -> list[str]:
    """One colour a cell, none that of a side: from pale to dark where the cells lie along one setting, else
    as apart as can be.
    """
    if in_order:
        return blend(ALONG, cells)
    return list(player_colours([str(cell) for cell in range(cells + 2)]).values())[2:]


def is_dark(colour: str) -> bool:
    """Does white type stand out on this colour?"""
    red, green, blue = _parts(colour)
    return 0.299 * red + 0.587 * green + 0.114 * blue < 0.6 * 255
