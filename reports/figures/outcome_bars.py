"""How games end, a bar a cell: one piece for each side and for the draws, and at every change of colour the
interval of the share up to there.
"""

from dataclasses import dataclass

from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from bartizan.analyses.records.outcomes import Outcomes
from bartizan.analyses.records.tally import HOUSE, NOBODY
from bartizan.reports.figures import theme
from bartizan.reports.figures.dots import shorten
from bartizan.reports.text import words

ROW, BAR, AXIS = 0.62, 0.3, 0.5  # inches
NAMED_FROM = 0.085  # a piece at least this wide carries its share
CUT_OFF = "cut off"


@dataclass(frozen=True)
class OutcomeBar:
    label: str
    outcomes: Outcomes


def colours(outcomes: Outcomes) -> dict[str, str]:
    """Piece -> colour, in the order of the bar."""
    seats = theme.side_colours(len(outcomes.sides))
    others = {NOBODY: theme.NONE_COLOUR, HOUSE: theme.LOST_COLOUR}
    found = {part.name: others.get(part.seat) or seats[part.seat] for part in outcomes.parts}
    return found | ({CUT_OFF: theme.CUT_OFF_COLOUR} if outcomes.capped else {})


def draw(rows: list[OutcomeBar]) -> Figure:
    with theme.applied():
        figure = theme.figure(ROW * len(rows) + AXIS)
        axes = figure.add_subplot()
        for index, row in enumerate(rows):
            _draw_row(axes, row, (index + 1) * ROW)
        axes.set(xlim=(0, 1), ylim=(ROW * len(rows) + 0.08, 0), yticks=[], xlabel="of all games")
        axes.spines["left"].set_visible(False)
        axes.xaxis.set_major_formatter(lambda value, _: f"{value * 100:g}\u00a0%")
    return figure


def _draw_row(axes, row: OutcomeBar, bottom: float) -> None:
    """`bottom`: in inches from the top."""
    axes.text(0, bottom - BAR - 0.06, shorten(row.label), ha="left", va="bottom")
    axes.text(
        1,
        bottom - BAR - 0.06,
        f"{words.count(row.outcomes.games)} games",
        ha="right",
        va="bottom",
        color=theme.FAINT,
    )
    shares = {part.name: part.games / row.outcomes.games for part in row.outcomes.parts} | {
        CUT_OFF: row.outcomes.capped / row.outcomes.games
    }
    left = 0.0
    for name, colour in colours(row.outcomes).items():
        _draw_piece(axes, left, shares[name], colour, bottom)
        left += shares[name]
    if not row.outcomes.capped:  # else no colour changes at a known place
        for edge in row.outcomes.edges:
            _draw_whisker(axes, edge, bottom - BAR / 2)


def _draw_piece(axes, left: float, width: float, colour: str, bottom: float) -> None:
    axes.add_patch(
        Rectangle((left, bottom - BAR), width, BAR, facecolor=colour, edgecolor="none", clip_on=False)
    )
    if width >= NAMED_FROM:
        ink = "white" if theme.is_dark(colour) else theme.INK
        axes.text(
            left + width / 2,
            bottom - BAR / 2,
            f"{width * 100:.0f}\u00a0%",
            ha="center",
            va="center",
            color=ink,
            fontsize=theme.SMALL,
        )


def _draw_whisker(axes, edge, place: float) -> None:
    axes.plot(
        [edge.low, edge.high],
        [place + 0.1, place + 0.1],
        color="white",
        linewidth=3,
        solid_capstyle="butt",
        zorder=3,
        clip_on=False,
    )
    axes.plot(
        [edge.low, edge.high],
        [place + 0.1, place + 0.1],
        color=theme.INK,
        linewidth=1.4,
        solid_capstyle="butt",
        zorder=4,
        clip_on=False,
    )


def describe(rows: list[OutcomeBar]) -> str:
    """The picture in words."""
    return "How games end: " + "; ".join(
        f"{row.label}: "
        f"{', '.join(f'{part.name} {words.share_with_limits(part.share)}' for part in row.outcomes.parts)}"
        for row in rows
    )
