"""Find a small number of changes that meet a target, with their cost and their effect on the game's length.

There are three objectives: nearness to the target, a small change of the length (or nearness to a target
length), and a low total cost of the changes. No single setting is best on all three; the Pareto front
contains the settings that no other setting dominates (Deb et al. 2002). If there are few combinations, all
are simulated. Otherwise, Optuna's (Akiba et al. 2019) multi-objective tree-structured Parzen estimator (Ozaki
et al. 2020) proposes the next one, with a fixed seed. All combinations use common random numbers. The front
is selected among noisy results, so its members are simulated again on held-out seeds. Choosing the best of
them is another selection, so the best is simulated a third time on new seeds. Quote the interval of this
third run. The intervals of all verified combinations are simultaneous (Bonferroni).

Without named parameters, every value is varied once (`screen`), as in `sensitivity`. Because of selection
bias, the changes nearest to the target are simulated again. Of two equally near changes, the cheaper has
precedence. For values between or beyond the variations, see `tuning`.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from math import isnan, prod
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

CHECKS = 16  # maximum number of combinations to verify
ASKS = 5  # proposals per new combination, because the sampler repeats itself in small spaces
METHOD = (
    "Pareto front of distance to the target, length and cost of change, distances within the 95 % interval "
    "of a combination count as 0; {how}; members again on held-out seeds, 95 % for all checked together "
    "(Bonferroni), and the front recomputed from these games until every member was checked; the best of "
    "them a third time, on new seeds, 95 % by itself; a hit is an interval inside the band, a miss "
    "one outside (two one-sided tests, Schuirmann 1987)"
)
ALL = "every combination simulated"
SAMPLED = (
    "combinations proposed by a multi-objective tree-structured Parzen estimator (Optuna {version}, Ozaki et "
    "al. 2020), every third at random"
)
AGAIN, LEAST = 8, 3  # changes to verify: the nearest that may hit, and at least the nearest
SCREEN_METHOD = (
    "every value varied by itself (numbers down and up by the range, choices and readings to each other "
    "one), all on common random numbers; ranked by the distance of the estimate to the target, then by cost; "
    "the {again} nearest that their 95 % intervals leave open (the {least} nearest in any case) again on "
    "held-out seeds, 95 % for all of them together (Bonferroni); the best of them a third time, on new "
    "seeds, 95 % by itself; a hit is an interval inside the band, a miss one outside (two "
    "one-sided tests, Schuirmann 1987)"
)


Play = Callable[[Mapping[str, Any], int], Candidate]  # (changes, games) -> games simulated under the changes


class ValueCombination(Document):
    """A combination of changed values, with its distance from the target, effect on the length, and cost."""

    changes: dict[str, Any]  # path -> value, for values that differ from the current ones
    miss: float  # distance to the target; 0 if the interval does not exclude a hit
    stretch: float  # distance to the target length in turns; 0 if the interval does not exclude it
    cost: float
    off: float = Field(default=0.0, exclude=True)  # distance of the estimate from the middle of the target

    @property
    def marks(self) -> tuple[float, float, float]:
        return self.miss, self.stretch, self.cost

    def beats(self, other: "ValueCombination") -> bool:
        """Return whether this combination dominates the other.

        It must be at least as good in every objective, and better in at least one.
        """
        return self.marks != other.marks and all(
            mine <= theirs for mine, theirs in zip(self.marks, other.marks, strict=True)
        )


class PlayedCombination(ValueCombination, Sample):
    """A combination with the results of its games in the search."""


class VerifiedCombination(ValueCombination, Verified):
    """A combination that was simulated again, with its held-out verdict."""

    hits: bool
    open: bool  # whether more held-out games would decide: the interval contains an edge of the band
    # for the best of several: the games that selected it. `fresh` are then other games, on seeds that
    # selected nothing. Otherwise, the interval of `fresh` is simultaneous over all checked combinations
    check: Sample | None = optional()
    # whether its own interval is a hit, which is enough to simulate it a third time
    promises: bool = Field(default=False, exclude=True)

    @property
    def preference(self) -> tuple[bool, float]:
        """Sort key whose minimum is the preferred combination.

        This is the cheapest likely hit or, without one, the combination nearest to the middle of the target.
        """
        return not self.promises, self.cost if self.promises else self.off


def verdict(best: VerifiedCombination, winners: Sequence[VerifiedCombination], is_open: bool) -> str:
    """Return HIT, INCONCLUSIVE or NONE_OF_THEM.

    The result is HIT if the best combination meets the target, and INCONCLUSIVE if any combination may.

    is_open: whether a combination that was not simulated again is inconclusive.
    """
    if best.hits:
        return HIT
    return INCONCLUSIVE if is_open or any(winner.hits or winner.open for winner in winners) else NONE_OF_THEM


class LengthAim(Document):
    wished: float  # target length in turns
    present: Interval


class Front(Document):
    """Combinations that no other dominates, and the current setting."""

    verdict: str
    length: LengthAim
    present: PlayedCombination
    best: VerifiedCombination  # of the front: the cheapest hit or, without a hit, the nearest
    front: list[VerifiedCombination]  # nearest first, then cheapest, by held-out games
    front_left_out: int  # members that were not verified
    tried: list[PlayedCombination]  # in order of simulation, the current setting first
    refused: int  # combinations that cannot be simulated
    reasons: list[str] = Field(default_factory=list)  # distinct reasons
    combinations: int  # possible combinations
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
    """Find the Pareto front of changes.

    play, again, last: functions that return candidates with the seeds of the search, of the checked
    combinations, and of the best checked combination. length: target length in turns (None: the current
    length). trials: number of combinations. games: number of games for each. fresh: number of held-out games
    for each checked combination. seed: seed for choosing combinations. confidence: joint confidence of all
    held-out verdicts. The current value of a parameter is always one of its values.
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
    if choice.parameter.value in choice.values:
        return choice
    values = (*choice.values, choice.parameter.value)
    return replace(choice, values=tuple(sorted(values)) if choice.is_ordered else values)


def changes_to(knobs: Sequence[Knob], values: Sequence[Any]) -> dict[str, Any]:
    """Map paths to values, without values that equal the current value."""
    return {
        choice.parameter.path: value
        for choice, value in zip(knobs, values, strict=True)
        if value != choice.parameter.value
    }


def _checked(
    tried: "Tried", again: Play, fresh: int, confidence: float
) -> tuple[list[VerifiedCombination], list[PlayedCombination]]:
    """Check the members of the front on held-out seeds, and recompute the front from the results.

    Stops if all members of the front, or CHECKS combinations, are checked.

    Returns the checked and the unchecked members.
    """
    winners: dict[int, VerifiedCombination] = {}  # position in `tried` -> result of the held-out games
    # the number to verify depends on the results, so confidence is adjusted for the maximum number
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
    """Simulated combinations so far; the first is the current setting."""

    def __init__(
        self, play: Play, target: Target, costs: Mapping[str, ChangeCost], length: float | None, games: int
    ):
        self.play, self.target, self.costs, self.games = play, target, costs, games
        present = Sample(**numbers_of(play({}, games)))
        self.length = present.turns.estimate if length is None else length  # target length in turns
        # keyed by the differences as text
        self.known: dict[tuple[str, ...], PlayedCombination] = {(): self._judged({}, present)}
        self.refused: dict[tuple[str, ...], str] = {}  # changes -> reason

    @property
    def played(self) -> list[PlayedCombination]:
        return list(self.known.values())

    def of(self, changes: Mapping[str, Any]) -> PlayedCombination:
        """Return the search result of some changes."""
        return self.known[_key(changes)]

    def attempt(self, changes: Mapping[str, Any]) -> PlayedCombination | None:
        """Simulate some changes unless they are known. Returns None if they cannot be simulated."""
        key = _key(changes)
        if key not in self.known and key not in self.refused:
            try:
                self.known[key] = self._judged(changes, Sample(**numbers_of(self.play(changes, self.games))))
            except ScenarioError as error:
                self.refused[key] = str(error)
        return self.known.get(key)

    def reason(self, changes: Mapping[str, Any]) -> str:
        """Return the reason why some changes cannot be simulated."""
        return self.refused[_key(changes)]

    def again(
        self,
        combination: PlayedCombination,
        play: Play,
        games: int,
        confidence: float = CONFIDENCE,
        check: Sample | None = None,
    ) -> VerifiedCombination:
        """Simulate a combination on held-out seeds.

        check: the games that selected the combination among several, if any.
        """
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

    def stretch(self, turns: Interval) -> float:
        """Return the distance to the target length; 0 if a length is unknown, because no game ended."""
        distance = abs(turns.estimate - self.length)
        return 0.0 if isnan(distance) else distance

    def _judged(self, changes: Mapping[str, Any], sample: Sample) -> PlayedCombination:
        return PlayedCombination(**self._marks(changes, sample), **dict(sample))

    def _marks(self, changes: Mapping[str, Any], sample: Sample) -> dict[str, Any]:
        """Return the fields of a combination: its changes, their cost, and its distances from the targets."""
        interval, turns = sample.estimate, sample.turns
        return {
            "changes": dict(changes),
            "miss": self.target.distance(interval.estimate)
            if self.target.result(interval) in (BELOW, ABOVE)
            else 0.0,
            "stretch": 0.0 if turns.low <= self.length <= turns.high else self.stretch(turns),
            "cost": cost_of(changes, self.costs),
            "off": abs(interval.estimate - self.target.middle),
        }


def _key(changes: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(f"{path}={value}" for path, value in changes.items())


def front_of(combinations: Sequence[ValueCombination]) -> list[ValueCombination]:
    """Return the combinations that no other combination dominates.

    Of combinations with equal objectives, only the one whose estimate is closest to the
    middle of the target is returned.
    """
    nearest: dict[tuple[Any, ...], ValueCombination] = {}
    for row in combinations:
        if row.marks not in nearest or row.off < nearest[row.marks].off:
            nearest[row.marks] = row
    return [row for row in nearest.values() if not any(other.beats(row) for other in nearest.values())]


# ---------------------------------------------------------------- every value once


class Screen(Document):
    """Effects of single changes, nearest to the target first."""

    verdict: str
    present: PlayedCombination
    best: VerifiedCombination  # the first of `ranked`
    # verified: hits by their own interval, cheapest first; then the nearest by held-out games
    ranked: list[VerifiedCombination]
    others: list[PlayedCombination]  # not verified, nearest first by the search
    not_ruled_out: int  # number of `others` that may be hits, by their games
    values: int  # number of simulated changes
    refused: list[dict[str, Any]]  # changes that cannot be simulated, with the reason
    unvaried: list[str]  # paths that no rule varies
    method: str


def changes_of(knobs: Sequence[Parameter], spread: float) -> tuple[list[dict[str, Any]], list[Parameter]]:
    """Return one change per variation, and the parameters without variations."""
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
    """Simulate every change, and then the changes nearest to the target again.

    The best of several is simulated once more with the seeds of `last`.

    Returns None if no change can be simulated. confidence: joint confidence of all held-out verdicts.
    """

    def nearness(row: ValueCombination, sample: Sample) -> tuple[float, float, float]:
        """Return a sort key: distance from the target, cost, distance from the middle of the target."""
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
    """Return the total cost of changing these values.

    Each value costs as much as the longest entry of `costs` with which its path begins (default: 1). A
    printed sheet counts once, at the cost of its most expensive entry.
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
    """Return the longest entry of `costs` with which the path begins; None if there is none."""
    fitting = [entry for entry in costs if f"{path}.".startswith(f"{entry}.")]
    return max(fitting, key=len, default=None)


# -------------------------------------------------- choice of the next combination


def _sampled(tried: Tried, knobs: Sequence[Knob], trials: int, seed: int) -> str:
    """Simulate up to `trials` combinations, and return the name of the method.

    First each parameter is varied by itself; then the sampler proposes combinations.
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
        # the sampler by itself repeats known combinations
        study.sampler = by_chance if number % 3 == 2 else sampler
        trial = study.ask()
        combination = tried.attempt(changes_to(knobs, [_proposed(trial, choice) for choice in knobs]))
        if combination is None:
            study.tell(trial, state=optuna.trial.TrialState.FAIL)
        else:
            distance = tried.target.distance(combination.estimate.estimate)
            study.tell(trial, [distance, tried.stretch(combination.turns), combination.cost])
    return SAMPLED.format(version=optuna.__version__)


def _proposed(trial: "optuna.Trial", choice: Knob) -> Any:
    """Return a proposed value of one parameter.

    The sampler proposes whether the parameter changes, and then its value: as an integer for numbers, as a
    category for choices.
    """
    path, last = choice.parameter.path, len(choice.values) - 1
    if not trial.suggest_categorical(f"change {path}", [False, True]):
        return choice.parameter.value
    index = (
        trial.suggest_int(path, 0, last)
        if choice.is_ordered
        else trial.suggest_categorical(path, list(range(last + 1)))
    )
    return choice.values[index]


def _one_by_one(knobs: Sequence[Knob], most: int) -> Iterator[dict[str, Any]]:
    """Yield up to about `most` trials that vary each parameter by itself over evenly spaced values."""
    for choice in knobs:
        last = len(choice.values) - 1
        places = min(len(choice.values), max(most // len(knobs), 2))
        for index in sorted({round(last * place / (places - 1)) for place in range(places)}):
            yield {
                **{f"change {other.parameter.path}": other is choice for other in knobs},
                choice.parameter.path: index,
            }
