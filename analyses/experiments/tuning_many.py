"""Which few changes hit a target, at what cost, and what do they do to the length of the game?

Three things are wanted at once: to be near the target, to leave the length as it is (or bring it to a wished
one), and to change little, each change weighed by what it costs to print. No single setting is best at all
three; the Pareto front holds those that no other beats at everything (Deb et al. 2002). Few combinations are
all played; among many the next one to try is proposed by a multi-objective tree-structured Parzen estimator
(Ozaki et al. 2020), as Optuna has it (Akiba et al. 2019), with a fixed seed. All are played on common luck.
The front is chosen among noisy results, so its members are played again on fresh seeds.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import prod
from typing import Any

import polars as pl

from bartizan.analyses.experiments.candidates import Candidate
from bartizan.analyses.experiments.targets import UNCLEAR, Asked, Target
from bartizan.analyses.experiments.tuning import HIT, NONE_OF_THEM, OPEN
from bartizan.simcore.errors import ScenarioError
from bartizan.simcore.scenario.model import ChangeCost

LEVEL = 0.95
CHECKS = 16  # combinations that may be played again
ASKS = 5  # proposals for one that is new: in small spaces the sampler repeats itself
METHOD = (
    "Pareto front of distance to the target, length and cost of change, distances within the 95 % interval "
    "of a combination counted as none; {how}; "
    "members again on fresh seeds, 95 % by itself, and the front drawn anew by these games until every "
    "member was checked"
)
ALL = "every combination played"
SAMPLED = (
    "combinations proposed by a multi-objective tree-structured Parzen estimator (Optuna {version}, Ozaki et "
    "al. 2020), every third at random"
)


Play = Callable[[Mapping[str, Any], int], Candidate]  # (changes, games) -> the games played under them


@dataclass(frozen=True)
class ParameterSet:
    """One setting of all knobs."""

    changes: Mapping[str, Any]  # those that differ from what is there now
    sample: Candidate
    miss: float  # distance to the target; 0 where its interval leaves that open
    stretch: float  # distance to the wished length, in turns; the same
    cost: float
    off: float  # of the estimate from the middle of the target

    @property
    def marks(self) -> tuple[float, float, float]:
        return self.miss, self.stretch, self.cost

    def beats(self, other: "ParameterSet") -> bool:
        """At everything at least as good, at something better."""
        return self.marks != other.marks and all(
            mine <= theirs for mine, theirs in zip(self.marks, other.marks, strict=True)
        )


@dataclass(frozen=True)
class Winner:
    """A member of the front with both of its results."""

    combination: ParameterSet  # as the search had it
    judged: ParameterSet  # by the fresh games
    fresh: Candidate
    hits: bool  # by the fresh games

    def is_open(self, target: Target) -> bool:
        """Do the fresh games leave it open?

        A number is hit by every interval that holds it, so only a range can be.
        """
        return not self.hits and target.side(self.fresh.interval(LEVEL)) is UNCLEAR


def verdict(target: Target, winners: Sequence[Winner], left_out: Sequence[ParameterSet]) -> str:
    """Of what was played again, and of what was not though its interval left it open."""
    if any(winner.hits for winner in winners):
        return HIT
    return (
        OPEN
        if any(winner.is_open(target) for winner in winners) or any(one.miss == 0 for one in left_out)
        else NONE_OF_THEM
    )


@dataclass(frozen=True)
class Front:
    """Combinations that none beats, and what is there now."""

    target: Target
    length: float  # wished turns
    present: ParameterSet
    winners: tuple[Winner, ...]  # nearest first, then cheapest, by their fresh games
    left_out: tuple[ParameterSet, ...]  # members of the front that were not played again
    tried: tuple[ParameterSet, ...]  # in the order they were played, the present one first
    refused: int  # that cannot be played
    combinations: int  # that there are
    how: str

    @property
    def best(self) -> Winner:
        """The cheapest that hits, by its fresh games; without one, the nearest by them."""
        return min(
            self.winners,
            key=lambda one: (
                not one.hits,
                one.combination.cost
                if one.hits
                else self.target.distance(one.fresh.interval(LEVEL).estimate),
                *one.combination.marks,
            ),
        )

    @property
    def is_reached(self) -> bool:
        return any(winner.hits for winner in self.winners)

    @property
    def verdict(self) -> str:
        """hit; open: more games would tell, for an interval holds an edge of the target; none of them."""
        return verdict(self.target, self.winners, self.left_out)

    def to_frame(self) -> pl.DataFrame:
        """One row a combination played: changes (as text), games, interval as a struct, turns, miss, stretch,
        cost.
        """
        rows = [
            (one, one.sample.interval(LEVEL).to_dict(), one.sample.turns(LEVEL).interval.estimate)
            for one in self.tried
        ]
        told = [
            {
                "changes": str(dict(one.changes)),
                "games": one.sample.games,
                "interval": interval,
                "turns": turns,
            }
            for one, interval, turns in rows
        ]
        return pl.DataFrame(
            [
                {**row, "miss": one.miss, "stretch": one.stretch, "cost": one.cost}
                for row, one in zip(told, self.tried, strict=True)
            ]
        )


@dataclass(frozen=True)
class SearchVolume:
    """How much is played."""

    trials: int = 100  # combinations
    games: int = 4000  # of each
    fresh: int = 20_000  # of each that is checked, on other seeds


def tune_many(
    play: Play,
    again: Play,
    knobs: Sequence[Asked],
    target: Target,
    costs: Mapping[str, ChangeCost],
    length: float | None = None,
    volume: SearchVolume = SearchVolume(),
    seed: int = 1,
) -> Front:
    """length: wished turns; None: as many as now. seed: of the choice of combinations.

    What a knob is now is always one of its values.
    """
    knobs = [_with_present(asked) for asked in knobs]
    tried = Tried(play, target, costs, length, volume.games)
    combinations = prod(len(asked.values) for asked in knobs)
    if combinations <= volume.trials:
        for chosen in product(*(asked.values for asked in knobs)):
            tried.attempt(knobs, chosen)
        how = ALL
    else:
        how = _sampled(tried, knobs, volume.trials, seed)
    winners, left_out = _checked(tried, again, volume.fresh)
    return Front(
        target,
        tried.wished,
        tried.found[0],
        tuple(winners),
        left_out,
        tuple(tried.found),
        tried.refused,
        combinations,
        how,
    )


def _with_present(asked: Asked) -> Asked:
    if asked.knob.value in asked.values:
        return asked
    values = (*asked.values, asked.knob.value)
    return replace(asked, values=tuple(sorted(values)) if asked.is_ordered else values)


def _checked(tried: "Tried", again: Play, fresh: int) -> tuple[list[Winner], tuple[ParameterSet, ...]]:
    """Members of the front are played on fresh seeds and judged by these games, which may bring others to the
    front, until all on it were; and those that were not.
    """
    judged: dict[int, tuple[ParameterSet, Winner]] = {}  # place among those tried -> by its fresh games
    while True:
        now = [judged[place][0] if place in judged else one for place, one in enumerate(tried.found)]
        front = sorted(front_of(now), key=lambda one: (one.miss, one.cost, one.stretch, one.off))
        waiting = [
            place for one in front for place, other in enumerate(now) if other is one and place not in judged
        ]
        if not waiting or len(judged) >= CHECKS:
            break
        winner = tried.again(tried.found[waiting[0]], again, fresh)
        judged[waiting[0]] = winner.judged, winner
    places = [place for one in front for place, other in enumerate(now) if other is one and place in judged]
    return [judged[place][1] for place in places], tuple(tried.found[place] for place in waiting)


class Tried:
    """What was played so far; the first is what is there now."""

    def __init__(
        self, play: Play, target: Target, costs: Mapping[str, ChangeCost], length: float | None, games: int
    ):
        self.play, self.target, self.costs, self.games = play, target, costs, games
        as_it_is = play({}, games)
        self.wished = as_it_is.turns(LEVEL).interval.estimate if length is None else length
        # values that differ, as text; text: why it cannot be played
        self.known: dict[tuple, ParameterSet | str] = {(): self.of({}, as_it_is)}

    @property
    def found(self) -> list[ParameterSet]:
        return [one for one in self.known.values() if not isinstance(one, str)]

    @property
    def refused(self) -> int:
        return len(self.known) - len(self.found)

    def attempt(self, knobs: Sequence[Asked], chosen: Sequence[Any]) -> ParameterSet | None:
        """Play a combination, unless that was done before."""
        found = self.change(
            {
                asked.knob.path: value
                for asked, value in zip(knobs, chosen, strict=True)
                if value != asked.knob.value
            }
        )
        return None if isinstance(found, str) else found

    def change(self, changes: Mapping[str, Any]) -> ParameterSet | str:
        """The same of changes by themselves; why they cannot be played."""
        key = tuple(f"{path}={value}" for path, value in changes.items())
        if key not in self.known:
            try:
                self.known[key] = self.of(changes, self.play(changes, self.games))
            except ScenarioError as error:
                self.known[key] = str(error)
        return self.known[key]

    def again(self, one: ParameterSet, play: Play, games: int) -> Winner:
        """The same on fresh seeds."""
        sample = play(one.changes, games)
        return Winner(
            one, self.of(one.changes, sample), sample, self.target.is_hit_by(sample.interval(LEVEL))
        )

    def of(self, changes: Mapping[str, Any], sample: Candidate) -> ParameterSet:
        interval, turns = sample.interval(LEVEL), sample.turns(LEVEL).interval
        miss = 0.0 if self.target.side(interval) is UNCLEAR else self.target.distance(interval.estimate)
        stretch = 0.0 if turns.low <= self.wished <= turns.high else abs(turns.estimate - self.wished)
        return ParameterSet(
            changes,
            sample,
            miss,
            stretch,
            cost_of(changes, self.costs),
            abs(interval.estimate - self.target.middle),
        )


def front_of(found: Sequence[ParameterSet]) -> list[ParameterSet]:
    """Those that none beats; of several with the same marks the one whose estimate lies nearest."""
    nearest: dict[tuple, ParameterSet] = {}
    for one in found:
        if one.marks not in nearest or one.off < nearest[one.marks].off:
            nearest[one.marks] = one
    return [one for one in nearest.values() if not any(other.beats(one) for other in nearest.values())]


# ---------------------------------------------------------------- cost of change


def cost_of(paths: Iterable[str], costs: Mapping[str, ChangeCost]) -> float:
    """What changing these values costs: each by the longest entry that its path starts with, else 1; a sheet
    is paid once, by the dearest of its entries.
    """
    total = 0.0
    sheets: dict[str, float] = {}
    for path in paths:
        entry = entry_of(path, costs)
        cost, sheet = (costs[entry].cost, costs[entry].sheet) if entry else (1.0, "")
        if sheet:
            sheets[sheet] = max(cost, sheets.get(sheet, 0.0))
        else:
            total += cost
    return total + sum(sheets.values())


def entry_of(path: str, costs: Iterable[str]) -> str | None:
    """The longest entry that a path starts with, whole names only."""
    fitting = [entry for entry in costs if f"{path}.".startswith(f"{entry}.")]
    return max(fitting, key=len, default=None)


# ---------------------------------------------------------------- what to try next


def _sampled(tried: Tried, knobs: Sequence[Asked], trials: int, seed: int) -> str:
    """Play as many combinations as there are trials: first each knob by itself, since one change is cheaper
    than several, then what the sampler proposes.
    """
    import optuna  # a second to import

    optuna.logging.set_verbosity(optuna.logging.ERROR)
    sampler = optuna.samplers.TPESampler(seed=seed % 2**32, n_startup_trials=max(10, trials // 4))
    study = optuna.create_study(directions=["minimize"] * 3, sampler=sampler)
    for start in _one_by_one(knobs, trials // 2):
        study.enqueue_trial(start)
    by_chance = optuna.samplers.RandomSampler(seed=seed % 2**32)
    for number in range(ASKS * trials):
        if len(tried.found) > trials:
            break
        # by itself the sampler comes back to what it knows
        study.sampler = by_chance if number % 3 == 2 else sampler
        trial = study.ask()
        one = tried.attempt(knobs, [_proposed(trial, asked) for asked in knobs])
        if one is None:
            study.tell(trial, state=optuna.trial.TrialState.FAIL)
        else:
            turns = one.sample.turns(LEVEL).interval.estimate
            study.tell(
                trial,
                [
                    tried.target.distance(one.sample.interval(LEVEL).estimate),
                    abs(turns - tried.wished),
                    one.cost,
                ],
            )
    return SAMPLED.format(version=optuna.__version__)


def _proposed(trial, asked: Asked) -> Any:
    """First whether a knob changes at all, then to what: numbers in their order, choices as choices."""
    path, last = asked.knob.path, len(asked.values) - 1
    if not trial.suggest_categorical(f"change {path}", [False, True]):
        return asked.knob.value
    index = (
        trial.suggest_int(path, 0, last)
        if asked.is_ordered
        else trial.suggest_categorical(path, list(range(last + 1)))
    )
    return asked.values[index]


def _one_by_one(knobs: Sequence[Asked], most: int) -> Iterator[dict[str, Any]]:
    """Each knob by itself at as many of its values, from end to end, as there are games for."""
    for asked in knobs:
        last = len(asked.values) - 1
        places = min(len(asked.values), max(most // len(knobs), 2))
        for index in sorted({round(last * place / (places - 1)) for place in range(places)}):
            yield {**{f"change {other.knob.path}": other is asked for other in knobs}, asked.knob.path: index}
