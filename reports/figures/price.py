"""Chart of value against cost: a dot with its interval for every kind of card, and the fitted line.

The dots of one cost are side by side.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from bartizan.reports.figures.rows import PlottedNumber, by_row

if TYPE_CHECKING:
    from bartizan.analyses.statistics.intervals import Interval

SPREAD = 0.86  # width of the cards of one cost, relative to the distance between costs, at most 1
# margin beyond the longest interval, relative to the span of intervals, without and with a name there
ROOM, ROOM_FOR_NAME = 0.08, 0.42


@dataclass(frozen=True)
class Dot:
    name: str
    named: str  # label in the figure; "" for none
    above: bool  # label above the dot instead of below
    cost: float
    interval: Interval  # value in percentage points
    colour: str


@dataclass(frozen=True)
class PriceLine:
    """The dots and the fitted line.

    start: value at cost 0, in percentage points. slope: percentage points per unit of cost.
    """

    dots: Sequence[Dot]
    start: float
    slope: float
    axis_label: str
    cost_label: str = "cost in cards"

    @property
    def axes(self) -> tuple[str, str]:
        return self.cost_label, self.axis_label

    @property
    def costs(self) -> list[float]:
        return sorted({dot.cost for dot in self.dots})

    @property
    def ends(self) -> tuple[float, float]:
        """Ends of the axis of costs."""
        return self.costs[0] - 0.5, self.costs[-1] + 0.5

    @property
    def limits(self) -> tuple[float, float]:
        """The lowest and the highest limit of all intervals."""
        return min(dot.interval.low for dot in self.dots), max(dot.interval.high for dot in self.dots)

    @property
    def span(self) -> float:
        low, high = self.limits
        return high - low or 1.0

    @property
    def extent(self) -> tuple[float, float]:
        """Ends of the axis of values."""
        (low, high), (below, above) = self.limits, (self._room(above) for above in (False, True))
        return low - below, high + above

    def _room(self, above: bool) -> float:
        is_named = any(dot.named and dot.above == above for dot in self.dots)
        return self.span * (ROOM_FOR_NAME if is_named else ROOM)

    @property
    def places(self) -> list[tuple[float, Dot]]:
        """Pairs of horizontal position and dot. Within a cost, the least valuable card is on the left."""
        found, costs = [], self.costs
        spread = SPREAD * min([1.0, *(high - low for low, high in pairwise(costs))])
        for cost in costs:
            own = sorted(
                (dot for dot in self.dots if dot.cost == cost), key=lambda dot: dot.interval.estimate
            )
            found += [(cost + spread * ((i + 0.5) / len(own) - 0.5), dot) for i, dot in enumerate(own)]
        return found

    def data(self, names: Mapping[str, str]) -> list[PlottedNumber]:
        from bartizan.reports.text import differences

        return [
            PlottedNumber(
                dot.name,
                f"{self.cost_label} {dot.cost}",
                differences.numbers(dot.interval, 1),
                dot.interval.estimate,
                dot.interval.low,
                dot.interval.high,
            )
            for _, dot in self.places
        ]

    def summary(self, names: Mapping[str, str]) -> str:
        return by_row(self.data(names))
