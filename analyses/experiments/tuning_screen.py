"""Which single values of a game lie near a target? Every value in question is varied once, by the rules of
`analyses.experiments.variations`, as `sensitivity` varies it.

All are played on common luck, as many games each. The nearest, the cheaper first where two are as near, are
played again on fresh seeds: the best of hundreds looks better than it is. Values between or beyond the
variations, and values that only act together, are for `tuning` and `tuning_many`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bartizan.analyses.experiments.targets import Target
from bartizan.analyses.experiments.tuning_many import ParameterSet, Play, Tried, Winner, verdict
from bartizan.analyses.experiments.variations import variations
from bartizan.simcore.scenario.model import ChangeCost
from bartizan.simcore.scenario.parameters import Parameter

AGAIN, LEAST = 8, 3  # that are played again: the nearest that may hit, and the nearest at all
METHOD = (
    "every value varied by itself (numbers down and up by the range, choices and readings to each other "
    "one), all on common luck; ranked by the "
    "distance of the estimate to the target, then by cost; the {again} nearest that their 95 % intervals "
    "leave open (the {least} nearest in any case) "
    "again on fresh seeds, 95 % by itself"
)


@dataclass(frozen=True)
class Screen:
    """What single changes do, nearest first."""

    target: Target
    present: ParameterSet
    # played again: those that hit, cheapest first; then the nearest by their fresh games
    winners: tuple[Winner, ...]
    others: tuple[ParameterSet, ...]  # not played again, nearest first by the search
    refused: tuple[tuple[Mapping[str, Any], str], ...]  # changes that cannot be played, with the reason
    unvaried: tuple[Parameter, ...]  # that no rule varies

    @property
    def best(self) -> Winner:
        return self.winners[0]

    @property
    def values(self) -> int:
        """Changes that were played."""
        return len(self.winners) + len(self.others)

    @property
    def open(self) -> tuple[ParameterSet, ...]:
        """Not played again, though their games do not rule them out."""
        return tuple(one for one in self.others if one.miss == 0)

    @property
    def verdict(self) -> str:
        """hit; open: more games would tell; none of them."""
        return verdict(self.target, self.winners, self.open)


def changes_of(knobs: Sequence[Parameter], spread: float) -> tuple[list[dict[str, Any]], list[Parameter]]:
    """One change a variation, and the knobs that have none."""
    values = {knob.path: variations(knob, spread) for knob in knobs}
    changes = [{path: value} for path, others in values.items() for value in others]
    return changes, [knob for knob in knobs if not values[knob.path]]


def screen(
    play: Play,
    again: Play,
    changes: Sequence[Mapping[str, Any]],
    target: Target,
    costs: Mapping[str, ChangeCost],
    games: int = 1000,
    fresh: int = 20_000,
    unvaried: Sequence[Parameter] = (),
) -> Screen | None:
    """Play every change, and the nearest again; None where none can be played."""

    def nearness(combination: ParameterSet) -> tuple[float, float, float]:
        """Distance of the estimate to the target, then cost, then distance to its middle."""
        estimate = combination.sample.interval().estimate
        return target.distance(estimate), combination.cost, combination.off

    tried = Tried(play, target, costs, None, games)
    attempts = [(change, tried.attempt(change)) for change in changes]
    ranked = sorted((one for _, one in attempts if one is not None), key=nearness)
    if not ranked:
        return None
    chosen = [one for place, one in enumerate(ranked) if place < LEAST or one.miss == 0][:AGAIN]
    winners = [tried.again(one, again, fresh) for one in chosen]
    winners.sort(
        key=lambda one: (not one.hits, one.combination.cost if one.hits else 0.0, *nearness(one.judged))
    )
    refused = tuple((change, tried.reason(change)) for change, one in attempts if one is None)
    others = tuple(one for one in ranked if one not in chosen)
    return Screen(target, tried.played[0], tuple(winners), others, refused, tuple(unvaried))
