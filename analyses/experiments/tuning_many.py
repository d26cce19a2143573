"""Which few changes hit a target, at what cost, and what do they do to the length of the game?

Three things are wanted at once: to be near the target, to leave the length as it is (or bring it to a wished
one), and to change little, each change weighed by what it costs to print. No single setting is best at all
three; the Pareto front holds those that no other beats at everything (Deb et al. 2002). Few combinations are
all played; among many the next one to try is proposed by a multi-objective tree-structured Parzen estimator
(Ozaki et al. 2020), as Optuna has it (Akiba et al. 2019), with a fixed seed. All are played on common luck.
The front is chosen among noisy results, so its members are played again on fresh seeds. What is named best is
chosen once more, among these, so it is played a third time, on seeds that chose nothing: that interval is the
one to quote. The intervals of all that were checked hold together (Bonferroni).

Without knobs every value in question is varied once (`screen`), as `sensitivity` varies it. The nearest are
played again, the cheaper first where two are as near: the best of hundreds looks better than it is. Values
between or beyond the variations are for `tuning`.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Any

from pydantic import Field

from bartizan.analyses.document import Document, optional
from bartizan.analyses.experiments.trials import variations
from bartizan.analyses.experiments.tuning import (
    ABOVE,
    BELOW,
    HIT,
    INCONCLUSIVE,
    NONE_OF_THEM,
    UNCLEAR,
    Candidate,
    Knob,
    Sample,
    Target,
    Verified,
    numbers_of,
)
from bartizan.analyses.statistics.intervals import Interval
from bartizan.analyses.statistics.testing import joint_level
from bartizan.simcore.errors import ScenarioError
from bartizan.simcore.reporting import CONFIDENCE
from bartizan.simcore.scenario.model import ChangeCost
from bartizan.simcore.scenario.parameters import Parameter

if TYPE_CHECKING:
    import optuna

CHECKS = 16  # combinations that may be played again
ASKS = 5  # proposals for one that is new: in small spaces the sampler repeats itself
METHOD = (
    "Pareto front of distance to the target, length and cost of change, distances within the 95 % interval "
    "of a combination counted as none; {how}; members again on fresh seeds, 95 % for all checked together "
    "(Bonferroni), and the front drawn anew by these games until every member was checked; the best of them "
    "a third time, on seeds that chose nothing, 95 % by itself; a hit is an interval inside the band, a miss "
    "one outside (two one-sided tests, Schuirmann 1987)"
)
ALL = "every combination played"
SAMPLED = (
    "combinations proposed by a multi-objective tree-structured Parzen estimator (Optuna {version}, Ozaki et "
    "al. 2020), every third at random"
)
AGAIN, LEAST = 8, 3  # that are played again: the nearest that may hit, and the nearest at all
SCREEN_METHOD = (
    "every value varied by itself (numbers down and up by the range, choices and readings to each other "
    "one), all on common luck; ranked by the "
    "distance of the estimate to the target, then by cost; the {again} nearest that their 95 % intervals "
    "leave open (the {least} nearest in any case) "
    "again on fresh seeds, 95 % for all of them together (Bonferroni); the best of them a third time, on "
    "seeds that chose nothing, 95 % by itself; a hit is an interval inside the band, a miss one outside (two "
    "one-sided tests, Schuirmann 1987)"
)


Play = Callable[[Mapping[str, Any], int], Candidate]  # (changes, games) -> the games played under them


class ValueCombination(Document):
    """Values changed together."""

    changes: dict[str, Any]  # path -> value of those that differ from what is there now
    miss: float  # distance to the target; 0 where its interval does not rule a hit out
    stretch: float  # distance to the wished length, in turns; the same
    cost: float
    off: float = Field(default=0.0, exclude=True)  # of the estimate from the middle of the target

    @property
    def marks(self) -> tuple[float, float, float]:
        return self.miss, self.stretch, self.cost

    def beats(self, other: "ValueCombination") -> bool:
        """At everything at least as good, at something better."""
        return self.marks != other.marks and all(
            mine <= theirs for mine, theirs in zip(self.marks, other.marks, strict=True)
        )


class PlayedCombination(ValueCombination, Sample):
    """A combination as the search had it."""


class VerifiedCombination(ValueCombination, Verified):
    """A combination that was played again, judged by the fresh games."""

    hits: bool
    open: bool  # more fresh games would decide: the interval holds an edge of the band
    # of the best of several: the games that chose it among those checked. `fresh` are then others, on seeds
    # that chose nothing; without it the interval of `fresh` holds together with those of all checked
    check: Sample | None = optional()
    # it hits by its interval by itself, which is enough to be played a third time
    promises: bool = Field(default=False, exclude=True)

    @property
    def preference(self) -> tuple[bool, float]:
        """The least is chosen: the cheapest that promises a hit, else the nearest to the target's middle."""
        return not self.promises, self.cost if self.promises else self.off


def verdict(best: VerifiedCombination, winners: Sequence[VerifiedCombination], is_open: bool) -> str:
    """hit: the best does; open: more games would decide; none of them. is_open: does one that was not played
    again leave it open?
    """
    if best.hits:
        return HIT
    return INCONCLUSIVE if is_open or any(winner.hits or winner.open for winner in winners) else NONE_OF_THEM


class LengthAim(Document):
    wished: float  # turns
    present: Interval


class Front(Document):
    """Combinations that none beats, and what is there now."""

    verdict: str
    length: LengthAim
    present: PlayedCombination
    best: VerifiedCombination  # of the front: the cheapest that hits; without one, the nearest
    front: list[VerifiedCombination]  # nearest first, then cheapest, by their fresh games
    front_left_out: int  # members that were not played again
    tried: list[PlayedCombination]  # in the order they were played, the present one first
    refused: int  # that cannot be played
    reasons: list[str] = Field(default_factory=list)  # why, each once
    combinations: int  # that there are
    method: str


def tune_many(
    play: Play,
    again: Play,
    last: Play,
    knobs: Sequence[Knob],
    target: Target,
    costs: Mapping[str, ChangeCost],
    length: float | None = None,
    trials: int = 100,
    games: int = 4000,
    fresh: int = 20_000,
    seed: int = 1,
    confidence: float = CONFIDENCE,
) -> Front:
    """play, again, last: on three seeds: of the search, of those that are checked, of the best of these.
    length: wished turns; None: as many as now. trials: combinations, of so many games each; fresh: games
    of each that is checked, on other seeds. seed: of the choice of combinations. confidence: of all that
    the fresh games decide.

    What a knob is now is always one of its values.
    """
    knobs = [_with_present(choice) for choice in knobs]
    tried = Tried(play, target, costs, length, games)
    combinations = prod(len(choice.values) for choice in knobs)
    if combinations <= trials:
        for values in product(*(choice.values for choice in knobs)):
            tried.attempt(changes_to(knobs, values))
        how = ALL
    else:
        how = _sampled(tried, knobs, trials, seed)
    winners, left_out = _checked(tried, again, fresh, confidence)
    chosen = min(winners, key=lambda row: (*row.preference, *tried.of(row.changes).marks))
    best = tried.again(tried.of(chosen.changes), last, fresh, confidence, check=chosen.fresh)
    winners[winners.index(chosen)] = best
    present = tried.played[0]
    return Front(
        verdict=verdict(best, winners, any(combination.miss == 0 for combination in left_out)),
        length=LengthAim(wished=tried.length, present=present.turns),
        present=present,
        best=best,
        front=winners,
        front_left_out=len(left_out),
        tried=tried.played,
        refused=len(tried.refused),
        reasons=list(dict.fromkeys(tried.refused.values())),
        combinations=combinations,
        method=METHOD.format(how=how),
    )


def _with_present(choice: Knob) -> Knob:
    if choice.knob.value in choice.values:
        return choice
    values = (*choice.values, choice.knob.value)
    return replace(choice, values=tuple(sorted(values)) if choice.is_ordered else values)


def changes_to(knobs: Sequence[Knob], values: Sequence[Any]) -> dict[str, Any]:
    """Values of all knobs as changes: path -> value of those that differ from what is there now."""
    return {
        choice.knob.path: value
        for choice, value in zip(knobs, values, strict=True)
        if value != choice.knob.value
    }


def _checked(
    tried: "Tried", again: Play, fresh: int, confidence: float
) -> tuple[list[VerifiedCombination], list[PlayedCombination]]:
    """Members of the front are played on fresh seeds and judged by these games, which may bring others to the
    front, until all on it were; and those that were not.
    """
    winners: dict[int, VerifiedCombination] = {}  # place among those tried -> what its fresh games say
    # how many are checked follows from their games: the price is that of all that may be
    level = joint_level(min(CHECKS, len(tried.played)), confidence)
    while True:
        now: list[ValueCombination] = [
            winners.get(place, combination) for place, combination in enumerate(tried.played)
        ]
        places = {id(combination): place for place, combination in enumerate(now)}
        ranked = sorted(front_of(now), key=lambda row: (row.miss, row.cost, row.stretch, row.off))
        front = [places[id(combination)] for combination in ranked]
        waiting = [place for place in front if place not in winners]
        if not waiting or len(winners) >= CHECKS:
            left_out = [tried.played[place] for place in waiting]
            return [winners[place] for place in front if place in winners], left_out
        winners[waiting[0]] = tried.again(tried.played[waiting[0]], again, fresh, level)


class Tried:
    """What was played so far; the first is what is there now."""

    def __init__(
        self, play: Play, target: Target, costs: Mapping[str, ChangeCost], length: float | None, games: int
    ):
        self.play, self.target, self.costs, self.games = play, target, costs, games
        present = Sample(**numbers_of(play({}, games)))
        self.length = present.turns.estimate if length is None else length  # wished turns
        # by what differs, as text
        self.known: dict[tuple[str, ...], PlayedCombination] = {(): self._judged({}, present)}
        self.refused: dict[tuple[str, ...], str] = {}  # with the reason

    @property
    def played(self) -> list[PlayedCombination]:
        return list(self.known.values())

    def of(self, changes: Mapping[str, Any]) -> PlayedCombination:
        """What the search had of some changes."""
        return self.known[_key(changes)]

    def attempt(self, changes: Mapping[str, Any]) -> PlayedCombination | None:
        """Play some changes, unless that was done before; None where they cannot be played."""
        key = _key(changes)
        if key not in self.known and key not in self.refused:
            try:
                self.known[key] = self._judged(changes, Sample(**numbers_of(self.play(changes, self.games))))
            except ScenarioError as error:
                self.refused[key] = str(error)
        return self.known.get(key)

    def reason(self, changes: Mapping[str, Any]) -> str:
        """Why changes cannot be played."""
        return self.refused[_key(changes)]

    def again(
        self,
        combination: PlayedCombination,
        play: Play,
        games: int,
        confidence: float = CONFIDENCE,
        check: Sample | None = None,
    ) -> VerifiedCombination:
        """A combination on fresh seeds. check: the games that chose it among others, if any did."""
        candidate = play(combination.changes, games)
        by_itself, fresh = (Sample(**numbers_of(candidate, level)) for level in (CONFIDENCE, confidence))
        return VerifiedCombination(
            **self._marks(combination.changes, by_itself),
            search=combination,
            fresh=fresh,
            hits=self.target.is_hit_by(fresh.estimate),
            open=self.target.result(fresh.estimate) is UNCLEAR,
            check=check,
            promises=self.target.is_hit_by(by_itself.estimate),
        )

    def _judged(self, changes: Mapping[str, Any], sample: Sample) -> PlayedCombination:
        return PlayedCombination(**self._marks(changes, sample), **dict(sample))

    def _marks(self, changes: Mapping[str, Any], sample: Sample) -> dict[str, Any]:
        """How far the games of some changes are from what is wanted."""
        interval, turns = sample.estimate, sample.turns
        return {
            "changes": dict(changes),
            "miss": self.target.distance(interval.estimate)
            if self.target.result(interval) in (BELOW, ABOVE)
            else 0.0,
            "stretch": 0.0 if turns.low <= self.length <= turns.high else abs(turns.estimate - self.length),
            "cost": cost_of(changes, self.costs),
            "off": abs(interval.estimate - self.target.middle),
        }


def _key(changes: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(f"{path}={value}" for path, value in changes.items())


def front_of(combinations: Sequence[ValueCombination]) -> list[ValueCombination]:
    """Combinations that none beats; of several with the same marks the one whose estimate lies nearest."""
    nearest: dict[tuple[Any, ...], ValueCombination] = {}
    for row in combinations:
        if row.marks not in nearest or row.off < nearest[row.marks].off:
            nearest[row.marks] = row
    return [row for row in nearest.values() if not any(other.beats(row) for other in nearest.values())]


# ---------------------------------------------------------------- every value once


class Screen(Document):
    """What single changes do, nearest first."""

    verdict: str
    present: PlayedCombination
    best: VerifiedCombination  # the first of `ranked`
    # played again: those that hit by themselves, cheapest first; then the nearest by their fresh games
    ranked: list[VerifiedCombination]
    others: list[PlayedCombination]  # not played again, nearest first by the search
    not_ruled_out: int  # of the others, by their games
    values: int  # changes that were played
    refused: list[dict[str, Any]]  # changes that cannot be played, with the reason
    unvaried: list[str]  # paths that no rule varies
    method: str


def changes_of(knobs: Sequence[Parameter], spread: float) -> tuple[list[dict[str, Any]], list[Parameter]]:
    """One change a variation, and the knobs that have none."""
    values = {knob.path: variations(knob, spread) for knob in knobs}
    changes = [{path: value} for path, others in values.items() for value in others]
    return changes, [knob for knob in knobs if not values[knob.path]]


def screen(
    play: Play,
    again: Play,
    last: Play,
    changes: Sequence[Mapping[str, Any]],
    target: Target,
    costs: Mapping[str, ChangeCost],
    games: int = 1000,
    fresh: int = 20_000,
    unvaried: Sequence[Parameter] = (),
    confidence: float = CONFIDENCE,
) -> Screen | None:
    """Play every change, the nearest again, and the best of these on the seeds of `last`; None where none can
    be played. confidence: of all that the fresh games decide.
    """

    def nearness(row: ValueCombination, sample: Sample) -> tuple[float, float, float]:
        """Distance of the estimate to the target, then cost, then distance to its middle."""
        return target.distance(sample.estimate.estimate), row.cost, row.off

    tried = Tried(play, target, costs, None, games)
    attempts = [(change, tried.attempt(change)) for change in changes]
    ranked = sorted((row for _, row in attempts if row is not None), key=lambda row: nearness(row, row))
    if not ranked:
        return None
    chosen = [row for place, row in enumerate(ranked) if place < LEAST or row.miss == 0][:AGAIN]
    winners = [tried.again(row, again, fresh, joint_level(len(chosen), confidence)) for row in chosen]
    winners.sort(key=lambda row: (*row.preference, *nearness(row, row.fresh)))
    if len(winners) > 1:
        again_alone = tried.of(winners[0].changes)
        winners[0] = tried.again(again_alone, last, fresh, confidence, check=winners[0].fresh)
    others = [row for row in ranked if row not in chosen]
    not_ruled_out = sum(row.miss == 0 for row in others)
    return Screen(
        verdict=verdict(winners[0], winners, not_ruled_out > 0),
        present=tried.played[0],
        best=winners[0],
        ranked=winners,
        others=others,
        not_ruled_out=not_ruled_out,
        values=len(ranked),
        refused=[
            {"changes": dict(change), "reason": tried.reason(change)}
            for change, row in attempts
            if row is None
        ],
        unvaried=[knob.path for knob in unvaried],
        method=SCREEN_METHOD.format(again=AGAIN, least=LEAST),
    )


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


def _sampled(tried: Tried, knobs: Sequence[Knob], trials: int, seed: int) -> str:
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
        if len(tried.known) > trials:
            break
        # by itself the sampler comes back to what it knows
        study.sampler = by_chance if number % 3 == 2 else sampler
        trial = study.ask()
        combination = tried.attempt(changes_to(knobs, [_proposed(trial, choice) for choice in knobs]))
        if combination is None:
            study.tell(trial, state=optuna.trial.TrialState.FAIL)
        else:
            distance = tried.target.distance(combination.estimate.estimate)
            stretch = abs(combination.turns.estimate - tried.length)
            study.tell(trial, [distance, stretch, combination.cost])
    return SAMPLED.format(version=optuna.__version__)


def _proposed(trial: "optuna.Trial", choice: Knob) -> Any:
    """First whether a knob changes at all, then to what: numbers in their order, choices as choices."""
    path, last = choice.knob.path, len(choice.values) - 1
    if not trial.suggest_categorical(f"change {path}", [False, True]):
        return choice.knob.value
    index = (
        trial.suggest_int(path, 0, last)
        if choice.is_ordered
        else trial.suggest_categorical(path, list(range(last + 1)))
    )
    return choice.values[index]


def _one_by_one(knobs: Sequence[Knob], most: int) -> Iterator[dict[str, Any]]:
    """Each knob by itself at as many of its values, from end to end, as there are games for."""
    for choice in knobs:
        last = len(choice.values) - 1
        places = min(len(choice.values), max(most // len(knobs), 2))
        for index in sorted({round(last * place / (places - 1)) for place in range(places)}):
            yield {
                **{f"change {other.knob.path}": other is choice for other in knobs},
                choice.knob.path: index,
            }
