"""Value against cost: a dot with its interval for every kind of card, side by side within a cost, and the
line through them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bartizan.analyses.statistics.intervals import Interval
from bartizan.reports.figures import theme

if TYPE_CHECKING:
    from matplotlib.figure import Figure

HEIGHT = 4.4  # inches
SPREAD = 0.86  # of the way from one cost to the next that the cards of a cost take
ROOM = 0.08  # of the intervals' span, beyond the longest of them
ROOM_FOR_NAME = 0.42  # the same, where a name stands beyond it
NAMED_BEYOND = 0.02  # the same, from the end of an interval to its name
NAME_SIZE = 8.5  # points: names stand side by side


@dataclass(frozen=True)
class Dot:
    name: str  # "" for a card that is not named in the picture
    above: bool  # where the name stands
    cost: int
    interval: Interval  # of the value, percentage points
    colour: str


def draw(
    dots: list[Dot], start: float, slope: float, axis_label: str, cost_label: str = "cards it costs"
) -> Figure:
    """`start`, `slope`: of the line, percentage points and points for each 1 of cost."""
    costs = sorted({dot.cost for dot in dots})
    low, high = min(dot.interval.low for dot in dots), max(dot.interval.high for dot in dots)
    span = high - low or 1.0
    under, over = (
        span * (ROOM_FOR_NAME if any(dot.name and dot.above == above for dot in dots) else ROOM)
        for above in (False, True)
    )
    ends = (costs[0] - 0.5, costs[-1] + 0.5)
    with theme.applied():
        figure = theme.figure(HEIGHT)
        axes = figure.add_subplot()
        line: dict[str, Any] = {"color": theme.INK, "linewidth": 1.2, "linestyle": (0, (4, 2))}
        axes.plot(ends, [start + slope * end for end in ends], **line)
        for cost in costs:
            own = sorted((dot for dot in dots if dot.cost == cost), key=lambda dot: dot.interval.estimate)
            _draw_cost(axes, cost, own, span * NAMED_BEYOND)
        axes.set(xlim=ends, ylim=(low - under, high + over), xticks=costs)
        axes.set(xlabel=cost_label, ylabel=axis_label)
        axes.grid(axis="y")
        axes.set_axisbelow(True)
    return figure


def _draw_cost(axes, cost: int, dots: list[Dot], beyond: float) -> None:
    """The cards of one cost, the least valuable at the left."""
    for index, dot in enumerate(dots):
        at, limits = cost + SPREAD * ((index + 0.5) / len(dots) - 0.5), [dot.interval.low, dot.interval.high]
        axes.plot([at, at], limits, color=dot.colour, linewidth=1.6, solid_capstyle="butt")
        axes.plot([at], [dot.interval.estimate], "o", markersize=4.5, color=dot.colour)
        place, side = (limits[1] + beyond, "bottom") if dot.above else (limits[0] - beyond, "top")
        axes.text(at, place, dot.name, ha="center", va=side, rotation=90, fontsize=NAME_SIZE, clip_on=False)
