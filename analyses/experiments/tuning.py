"""Which value of one knob hits a target?

Stochastic root finding on a grid: games are played until the whole interval lies on one side of the target,
or the most games are played, and the bracket is closed from there. It is the Robbins & Monro (1951) problem
in the setting of Waeber, Frazier & Henderson (2013, SIAM J. Control Optim. 51): every answer of "above or
below?" is right with a chance that is known. All values play the same game numbers on common luck. A monotone
fit through all that was played (isotonic regression, weights = games; Barlow, Bartholomew, Bremner & Brunk
1972) chooses where to look next and which value is nearest. What was chosen is played again on fresh seeds:
the best of many looks better than it is.
"""

from collections.abc import Callable, Sequence
from itertools import combinations, pairwise
from math import ceil, log2
from typing import Any

from bartizan.analyses.document import Document
from bartizan.analyses.experiments.candidates import Candidate, Sample, Verified, numbers_of
from bartizan.analyses.experiments.targets import ABOVE, BELOW, ON, UNCLEAR, Target
from bartizan.analyses.statistics.intervals import CONFIDENCE, Interval

FIRST_GAMES = 1000  # of a value, before it is doubled
EVERY = 8  # so many values or fewer are all played
MANY = 64  # so many are all played where the result bends
BENT = 0.01  # chance to call a straight result bent
FRESH = 1_000_003  # added to the seed for the games that check the winner
HIT, BETWEEN, BEYOND, NONE_OF_THEM, OPEN = "hit", "between", "beyond", "none of them", "open"
METHOD = (
    "stochastic root finding on common luck: a value is played (games doubled) until its interval leaves the "
    "target to one side, all these looks together with 95 % (Bonferroni); "
    "isotonic regression over all values played (Barlow et al. 1972; Waeber, Frazier & Henderson 2013); the "
    "winner again on fresh seeds, 95 % by itself"
)


Play = Callable[[Any, int], Candidate]  # (value, games) -> the first so many games of it


class TriedValue(Sample):
    """One value that was played."""

    value: Any
    present: bool  # is it what the knob is now?
    fit: float | None  # of the monotone fit; None where values have no order or the result bends


class ChosenValue(Verified):
    value: Any


class Tuning(Document):
    """The value that hits the target, or the nearest one."""

    # hit; between (two neighbours), beyond (an end), none of them (choices): no value reaches it; open: too
    # few games to tell
    verdict: str
    points: list[TriedValue]  # in the order of the values
    winner: ChosenValue
    # of `between`: the value next to the winner, on the other side of the target
    neighbour: TriedValue | None
    present: TriedValue | None  # what the knob is now, whether or not it was among the values
    # values that were played on fresh seeds: the nearest, and its neighbour where that one was as likely
    checked: list[Any]
    played: int
    values: int  # that were asked for
    bends: bool  # the result rises and falls by more than noise
    look: float  # confidence of one look of the search


def tune(
    play: Play,
    again: Play,
    values: Sequence[Any],
    target: Target,
    is_ordered: bool = True,
    most: int = 20_000,
    fresh: int = 20_000,
    present: Any = None,
) -> Tuning:
    """values: ascending where they are ordered. play: on the seed of the search, again: on fresh seeds. most:
    games of a value. present: what the knob is now.
    """
    search = _Search(play, values, target, is_ordered, most)
    search.run(present)
    winner = search.nearest()
    checked = {winner: again(values[winner], fresh)}
    neighbour = search.across(winner, checked[winner].interval())
    if neighbour is not None and search.sides[neighbour] in (ON, UNCLEAR):
        # as likely as the winner: it is checked too
        checked[neighbour] = again(values[neighbour], fresh)
        if target.is_hit_by(checked[neighbour].interval()):
            winner, neighbour = neighbour, None

    def tried(value: Any, sample: Candidate, fit: float | None = None) -> TriedValue:
        return TriedValue(value=value, present=value == present, fit=fit, **numbers_of(sample))

    fits = search.fit()
    points = {
        index: tried(values[index], sample, fits.get(index))
        for index, sample in sorted(search.samples.items())
    }
    now = next((point for point in points.values() if point.present), None)
    if now is None and present is not None:  # it was no part of the search
        now = tried(present, play(present, min(4 * FIRST_GAMES, most)))
    intervals = {index: sample.interval() for index, sample in checked.items()}
    verdict = _verdict(search, intervals, winner, neighbour)
    fresh_games = Sample(**numbers_of(checked[winner]))
    return Tuning(
        verdict=verdict,
        points=list(points.values()),
        winner=ChosenValue(value=values[winner], search=points[winner], fresh=fresh_games),
        neighbour=points[neighbour] if verdict == BETWEEN and neighbour is not None else None,
        present=now,
        checked=[values[index] for index in checked],
        played=len(points),
        values=len(values),
        bends=search.bends(),
        look=search.confidence,
    )


def _verdict(search: "_Search", checked: dict[int, Interval], winner: int, neighbour: int | None) -> str:
    if search.target.is_hit_by(checked[winner]):
        return HIT
    sides = search.sides | {index: search.target.side(interval) for index, interval in checked.items()}
    if not set(sides.values()) <= {BELOW, ABOVE}:
        return OPEN
    if not search.is_ordered or (search.bends() and search.is_complete):
        return NONE_OF_THEM
    if search.bends():
        return OPEN
    if len(set(sides.values())) == 1:
        return BEYOND
    return BETWEEN if neighbour is not None and sides[neighbour] != sides[winner] else OPEN


class _Search:
    """What was played so far, by the number of the value."""

    def __init__(self, play: Play, values: Sequence[Any], target: Target, is_ordered: bool, most: int):
        self.play, self.values, self.target = play, values, target
        self.is_ordered, self.most = is_ordered, most
        self.samples: dict[int, Candidate] = {}
        self.sides: dict[int, int | None] = {}
        doublings = 1 + ceil(log2(max(most / FIRST_GAMES, 1)))
        # where the result bends all of up to MANY are played
        looked_at = len(values) if len(values) <= MANY else 7 + 2 * ceil(log2(len(values)))
        self.confidence = 1 - (1 - CONFIDENCE) / (doublings * looked_at)

    @property
    def is_complete(self) -> bool:
        return len(self.samples) == len(self.values)

    def run(self, present: Any = None) -> None:
        if not self.is_ordered or len(self.values) <= EVERY:
            return self.settle_all()
        last = len(self.values) - 1
        for index in dict.fromkeys(
            [0, last, *([self.values.index(present)] if present in self.values else [])]
        ):
            self.settle(index)
        if self._bracket() is None:  # a result that bends may reach the target between two ends that do not
            for quarter in (1, 2, 3):
                self.settle(round(last * quarter / 4))
        if bracket := self._bracket():
            self._close(*bracket)
        if self.bends() and len(self.values) <= MANY:
            self.settle_all()
        return None

    def _bracket(self) -> tuple[int, int] | None:
        """Two values played, none between them, with the target in the middle."""
        return next(
            (
                pair
                for pair in pairwise(sorted(self.samples))
                if {self.sides[index] for index in pair} == {BELOW, ABOVE}
            ),
            None,
        )

    def settle_all(self) -> None:
        for index in range(len(self.values)):
            self.settle(index)

    def settle(self, index: int) -> int | None:
        """Play a value until it lies on one side, or for as many games as there may be."""
        if index not in self.samples:
            games = min(FIRST_GAMES, self.most)
            while True:
                self.samples[index] = self.play(self.values[index], games)
                self.sides[index] = self.target.side(self.samples[index].interval(self.confidence))
                if self.sides[index] is not UNCLEAR or games >= self.most:
                    break
                games = min(2 * games, self.most)
        return self.sides[index]

    def _close(self, low: int, high: int) -> None:
        """Narrow the bracket until its ends are neighbours or a value cannot be told from the target: by
        turns where the fit crosses, and the middle.
        """
        by_fit, first = True, self.sides[low]
        while high - low > 1:
            middle = self._crossing(low, high) if by_fit else (low + high) // 2
            by_fit, side = not by_fit, self.settle(middle)
            if side is UNCLEAR:  # after all the games there may be: its own 95 % interval is enough to go by
                side = self.target.side(self.samples[middle].interval())
            if side not in (BELOW, ABOVE):
                return
            low, high = (middle, high) if side == first else (low, middle)

    def _crossing(self, low: int, high: int) -> int:
        a, b = (self.samples[index].interval().estimate for index in (low, high))
        crossing = low + (self.target.middle - a) / (b - a) * (high - low)
        return min(max(round(crossing), low + 1), high - 1)

    # ------------------------------------------------------------ the monotone fit

    def fit(self) -> dict[int, float]:
        """Isotonic regression over what was played, rising or falling, whichever lies nearer; empty where it
        would say nothing.
        """
        if not self.is_ordered or self.bends():
            return {}
        return self._fitted(self._rises())

    def _rises(self) -> bool:
        return self._misfit(True) <= self._misfit(False)

    def _misfit(self, rising: bool) -> float:
        fitted = self._fitted(rising)
        return sum(
            sample.games * (sample.interval().estimate - fitted[index]) ** 2
            for index, sample in self.samples.items()
        )

    def _fitted(self, rising: bool) -> dict[int, float]:
        from scipy.optimize import isotonic_regression  # half a second to import

        order = sorted(self.samples)
        estimates = [self.samples[index].interval().estimate for index in order]
        weights = [self.samples[index].games for index in order]
        fit = isotonic_regression(estimates, weights=weights, increasing=rising)
        return dict(zip(order, map(float, fit.x), strict=True))

    def bends(self) -> bool:
        """Do two values stand against the direction of the others by more than noise?

        As if the games were independent: common luck makes it surer still.
        """
        from scipy.special import ndtri

        if not self.is_ordered or len(self.samples) < 3:
            return False
        sign = 1 if self._rises() else -1
        pairs = list(combinations(sorted(self.samples), 2))
        far = float(ndtri(1 - BENT / len(pairs)))
        intervals = {index: sample.interval() for index, sample in self.samples.items()}
        ses = {
            index: interval.half_width / float(ndtri((1 + CONFIDENCE) / 2))
            for index, interval in intervals.items()
        }
        return any(
            sign * (intervals[a].estimate - intervals[b].estimate) > far * (ses[a] ** 2 + ses[b] ** 2) ** 0.5
            for a, b in pairs
        )

    # ------------------------------------------------------------ the nearest

    def nearest(self) -> int:
        """The value played whose fit lies nearest to the target, then whose own games do."""
        fit, target = self.fit(), self.target

        def off(index: int) -> tuple:
            own = self.samples[index].interval().estimate
            return target.distance(fit.get(index, own)), target.distance(own), abs(own - target.middle), index

        return min(self.samples, key=off)

    def across(self, winner: int, fresh: Interval) -> int | None:
        """The value next to the winner towards the target, played if it was not yet; None at an end, or where
        values have no order.
        """
        side = self.target.side(fresh)
        if (
            self.target.is_hit_by(fresh)
            or side not in (BELOW, ABOVE)
            or not self.is_ordered
            or len(self.samples) < 2
        ):
            return None
        step = 1 if self._rises() == (side == BELOW) else -1
        if not 0 <= winner + step < len(self.values):
            return None
        self.settle(winner + step)
        return winner + step
