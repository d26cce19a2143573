"""Win rates over skill: a line a level, with its interval at every rung that was measured."""

from dataclasses import dataclass

from matplotlib.figure import Figure

from bartizan.analyses.statistics.intervals import Interval
from bartizan.reports.figures import curves as lines
from bartizan.reports.figures import theme
from bartizan.reports.text import words

HEIGHT = 3.4  # inches
DODGE = 0.09  # rungs, between lines, so that no interval hides another
MOST_NAMES = 3  # side by side in the legend
SLANT = 40  # degrees, of the rungs' names


@dataclass(frozen=True)
class SkillCurve:
    label: str
    colour: str
    rungs: tuple[int, ...]  # places along the axis
    intervals: tuple[Interval, ...]  # one a rung
    beyond: Interval | None = None  # of a player that nobody can be, at the last place


def draw(names: list[str], curves: list[SkillCurve]) -> Figure:
    """names: of the rungs, along the axis."""
    with theme.applied():
        figure = theme.figure(HEIGHT)
        axes = figure.add_subplot()
        for index, curve in enumerate(curves):
            shift = (index - (len(curves) - 1) / 2) * DODGE
            lines.draw_dots(axes, lines.Curve(curve.label, curve.colour, curve.rungs, curve.intervals), shift)
            if curve.beyond:
                _draw_beyond(axes, curve.beyond, curve.colour, len(names) - 1 + shift)
        _dress(axes, names, curves)
    return figure


def _draw_beyond(axes, share: Interval, colour: str, place: float) -> None:
    """A hollow dot that no line leads to."""
    axes.vlines([place], [share.low], [share.high], color=colour, linewidth=1.2)
    axes.plot([place], [share.estimate], "o", markersize=5, color=colour, markerfacecolor="white")


def _dress(axes, names: list[str], curves: list[SkillCurve]) -> None:
    shown = [*(one for curve in curves for one in curve.intervals), *(curve.beyond for curve in curves)]
    end = lines.axis_end([interval for interval in shown if interval])
    axes.set(xlim=(-0.4, len(names) - 0.6), ylim=(0, end))
    axes.set_xticks(range(len(names)), names, rotation=SLANT, ha="right", rotation_mode="anchor")
    axes.set(ylabel="games won")
    theme.in_percent(axes.yaxis)
    axes.grid(axis="y")
    if len(curves) > 1:
        above = {"loc": "lower left", "bbox_to_anchor": (0, 1), "borderaxespad": 0}  # where no line can be
        axes.legend(frameon=False, handlelength=2.2, ncols=min(len(curves), MOST_NAMES), **above)


def describe(names: list[str], curves: list[SkillCurve]) -> str:
    """The picture in words."""
    ends = (
        f"{curve.label} {words.share(curve.intervals[0])} for {names[curve.rungs[0]]}, "
        f"{words.share(curve.intervals[-1])} for {names[curve.rungs[-1]]}"
        for curve in curves
    )
    return "Games won over skill: " + "; ".join(ends)
