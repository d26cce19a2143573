"""How cards are used: a bar for each kind of card, a piece for each use."""

from dataclasses import dataclass

from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from bartizan.reports.figures import theme
from bartizan.reports.figures.dots import shorten

ROW, BAR, AXIS = 0.5, 0.2, 0.5  # inches
NAMED_FROM = 0.085  # a piece at least this wide carries its share


@dataclass(frozen=True)
class UseBar:
    label: str
    value: str
    shares: tuple[float, ...]  # one a use, together 1


def draw(rows: list[UseBar], colours: list[str]) -> Figure:
    """`colours`: one a use."""
    with theme.applied():
        figure = theme.figure(ROW * len(rows) + AXIS)
        axes = figure.add_subplot()
        for index, row in enumerate(rows):
            _draw_row(axes, row, (index + 1) * ROW - 0.04, colours)
        axes.set(
            xlim=(0, 1),
            ylim=(ROW * len(rows) + 0.04, 0),
            yticks=[],
            xlabel="of the copies that came into a hand",
        )
        axes.spines["left"].set_visible(False)
        axes.xaxis.set_major_formatter(lambda value, _: f"{value * 100:g}\u00a0%")
    return figure


def _draw_row(axes, row: UseBar, bottom: float, colours: list[str]) -> None:
    """`bottom`: in inches from the top."""
    axes.text(0, bottom - BAR - 0.03, shorten(row.label), ha="left", va="bottom")
    axes.text(1, bottom - BAR - 0.03, row.value, ha="right", va="bottom", color=theme.FAINT)
    left = 0.0
    for share, colour in zip(row.shares, colours, strict=True):
        axes.add_patch(
            Rectangle((left, bottom - BAR), share, BAR, facecolor=colour, edgecolor="none", clip_on=False)
        )
        if share >= NAMED_FROM:
            ink = "white" if theme.is_dark(colour) else theme.INK
            axes.text(
                left + share / 2,
                bottom - BAR / 2,
                f"{share * 100:.0f}\u00a0%",
                ha="center",
                va="center",
                color=ink,
                fontsize=theme.SMALL,
            )
        left += share
