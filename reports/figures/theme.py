"""How every picture looks: seaborn's quiet axes, a colour-blind-safe palette, and sizes that
read on a phone.

seaborn and matplotlib take a second to import, so they are imported where something is drawn: most commands
draw nothing.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING

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


@contextmanager
def applied():
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


def in_percent(axis) -> None:
    """Its ticks are fractions of 1."""
    axis.set_major_formatter(lambda value, _: f"{value * 100:g}\u00a0%")


def player_colours(players: list[str]) -> dict[str, str]:
    """One colour a player, the same in every picture (seaborn's colorblind palette, without
    its pale yellow).
    """
    import seaborn as sns

    palette = [colour for index, colour in enumerate(sns.color_palette("colorblind").as_hex()) if index != 8]
    return {player: palette[index % len(palette)] for index, player in enumerate(players)}


def tier_colours(tiers: Mapping[str, int]) -> dict[str, str]:
    """Tier -> colour: the better, the darker blue; the last tier grey, lost games brick red: apart for every
    kind of colour sight.
    """
    import seaborn as sns

    names = list(best_first(tiers))
    medals = sns.color_palette("blend:#12355b,#62a3c9", max(len(names) - 1, 1)).as_hex()
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
        import seaborn as sns

        return sns.color_palette("blend:#b79fd6,#2e1248", cells).as_hex()
    return list(player_colours([str(cell) for cell in range(cells + 2)]).values())[2:]


def is_dark(colour: str) -> bool:
    """Does white type stand out on this colour?"""
    from matplotlib.colors import to_rgb

    red, green, blue = to_rgb(colour)
    return 0.299 * red + 0.587 * green + 0.114 * blue < 0.6
