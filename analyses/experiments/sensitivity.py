"""Sensitivity of the result to numbers, and conclusions that do not depend on them.

The values are varied by the rules of `analyses.experiments.trials`. First, one value at a time is varied, and
each variation is compared with the baseline game by game on common random numbers. Then all values are varied
at once in random draws, because varying one at a time misses interactions (Saltelli et al. 2008, Global
Sensitivity Analysis). `analyses.experiments.interactions` computes main and interaction effects of the most
influential values. Conclusions are statements about a sign. They are tested under every variation and in
every draw with simultaneous intervals (Bonferroni).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, groupby, islice, pairwise
from typing import Any

import numpy as np
import polars as pl
from pydantic import Field

from bartizan.analyses.document import Document
from bartizan.analyses.experiments import interactions, trials
from bartizan.analyses.experiments.interactions import Factor, Interactions, TooFewSettings
from bartizan.analyses.experiments.trials import RANGE, Condition, Refused, Trial, asked, play, variations
from bartizan.analyses.records.comparison import (
    LENGTH,
    ChangedGames,
    EffectRow,
    changed_games,
    headline,
    is_by_player,
)
from bartizan.analyses.records.seating import LineUp
from bartizan.analyses.statistics import sobol as indices
from bartizan.analyses.statistics.intervals import Interval
from bartizan.analyses.statistics.paired import Effect, Estimate, Measure, adjust, compare, estimates
from bartizan.analyses.statistics.paired import values as values_of
from bartizan.analyses.statistics.testing import joint_level
from bartizan.simcore.errors import ScenarioError
from bartizan.simcore.game import NUMBER_OF_PLAYERS, Game
from bartizan.simcore.play.batch import Source
from bartizan.simcore.reporting import CONFIDENCE
from bartizan.simcore.scenario.loading import Scenario
from bartizan.simcore.scenario.parameters import Parameter, level_of

QUANTILES = (5, 50, 95)  # percent
METHOD = (
    "each variation against the baseline on common random numbers, game by game: Student's t, or exact tails "
    "(Blaker 2000) if fewer than 100 games differ; p adjusted for all variations, headline and turns "
    "together "
    "(Benjamini & Hochberg 1995), and times 3 if conclusions are drawn: influences, conclusions at the "
    "current values and conclusions under variations share the 5 %; the intervals of all influences are "
    "simultaneous, so that the largest may be quoted (Bonferroni); a conclusion stands, is open or is "
    "reversed by simultaneous intervals (Bonferroni over variations and draws)"
)
HALF, SIDES, DUEL, FIRST_SEAT, LEVELS = "half", "sides", "duel", "first seat", "levels"
STANDS, INCONCLUSIVE = "stands", "open"


# --------------------------------------------------------------- simulated cases


@dataclass(frozen=True)
class Case:
    """Values that differ from the baseline: one value, a joint draw, or none for the baseline itself."""

    changes: Mapping[str, Any] = field(default_factory=dict)
    draw: int = 0  # number of the joint draw, from 1
    # paths of a joint draw that are unchanged, because the drawn value was incompatible with the others
    left_out: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        return f"draw {self.draw}" if self.draw else next(iter(self.changes), "baseline")

    @property
    def row(self) -> dict[str, Any]:
        """Fields of a document: the number of a draw, or path and value of a variation."""
        if self.draw:
            return {"draw": self.draw}
        ((path, to),) = self.changes.items()
        return {"path": path, "to": to}


@dataclass(frozen=True)
class PlayedCase:
    """All games of one case, at the level of the question and at every requested level."""

    case: Case
    main: LineUp  # at the level in question
    levels: Mapping[str, LineUp]  # every requested level that can be simulated

    @property
    def capped(self) -> int:
        return trials.truncated(self.main)

    def scan(self) -> pl.LazyFrame:
        return self.main.scan((LENGTH,))


class Cases:
    """The baseline, every variation and the joint draws.

    Cases are validated while earlier ones are simulated.
    """

    def __init__(
        self,
        condition: Condition,
        values: Mapping[str, list[Any]],
        draws: int,
        levels: Sequence[str],
        source: Source,
    ):
        self.condition, self.values, self.draws, self.levels = condition, values, draws, levels
        self.source = source
        self.refused: list[Refused] = []
        # number of cases besides the baseline if none is rejected
        self.most = sum(map(len, values.values())) + draws
        self.games = len(condition.seatings()) * condition.games  # of one case at one level

    def played(self) -> Iterator[PlayedCase]:
        """Yield the cases one by one, the baseline first."""
        condition, source, level = self.condition, self.source, self.condition.load({}).difficulty
        source.expect(self.games * (1 + self.most) * max(len(self.levels), 1))
        trials = (
            Trial(
                (case, scenario.difficulty),
                [[source.ready(match) for match in condition.matches(scenario)]],
                range(condition.games),
                case.name,
            )
            for case, scenario in self._scenarios()
        )
        for case, group in groupby(play(condition, trials, source), key=lambda played: played[0].what[0]):
            levels = {trial.what[1]: line_up for trial, line_up in group}
            yield PlayedCase(case, levels[level], levels)

    def _scenarios(self) -> Iterator[tuple[Case, Scenario]]:
        """Yield each case at the level in question first, then at the others."""
        for case, scenario in self._checked():
            yield case, scenario
            for level in self.levels:
                if level != scenario.difficulty:
                    try:
                        yield case, self.condition.load_playable(case.changes, level)
                    except ScenarioError:
                        self.source.progress.games_total -= self.games

    def _checked(self) -> Iterator[tuple[Case, Scenario]]:
        yield Case(), self.condition.load({})
        playable: dict[str, list[Any]] = {}
        for path, values in self.values.items():
            for value in values:
                try:
                    scenario = self.condition.load_playable({path: value})
                except ScenarioError as error:
                    self.refused.append(self.condition.refusal(path, value, error))
                    self.source.progress.games_total -= self.games * max(len(self.levels), 1)
                    continue
                playable.setdefault(path, []).append(value)
                yield Case({path: value}), scenario
        for draw in range(1, self.draws + 1):
            case = self._drawn(draw, playable)
            yield case, self.condition.load(case.changes)

    def _drawn(self, draw: int, playable: Mapping[str, list[Any]]) -> Case:
        """Draw each value independently from its variations and its current value, all equally likely.

        Draw n of a seed is the same for any number of draws.
        """
        luck = np.random.default_rng((self.condition.seed, draw))
        picked = {path: int(luck.integers(len(values) + 1)) for path, values in playable.items()}
        drawn = [(path, playable[path][index - 1]) for path, index in picked.items() if index]
        order = luck.permutation(len(drawn))
        changes = self._together({}, [drawn[index] for index in order])
        return Case(changes, draw, tuple(path for path, _ in drawn if path not in changes))

    def _together(self, kept: dict[str, Any], more: list[tuple[str, Any]]) -> dict[str, Any]:
        """Return `kept` with as many values of `more` as are valid together.

        Tries all values first, and then halves the set until single values are rejected.
        """
        try:
            self.condition.load_playable(kept | dict(more))
            return kept | dict(more)
        except ScenarioError:
            if len(more) < 2:
                return kept
            half = len(more) // 2
            return self._together(self._together(kept, more[:half]), more[half:])


# ---------------------------------------------------------------- conclusions: statements about a sign


@dataclass(frozen=True)
class Statement:
    """A number whose sign decides a conclusion.

    kind: `half`, the share of wins minus 1/2; `sides`, wins of the first side minus wins of the second;
    `duel`, the same difference for two players, per seat; `first seat`, the first seat's wins minus an equal
    part of all wins; `levels`, wins at the first level minus wins at the second.
    """

    kind: str
    names: tuple[str, ...] = ()  # names of sides, players or levels, in that order


class Counts(Document):
    """Numbers of cases in which a conclusion holds, is inconclusive, or is reversed.

    It is inconclusive if the interval contains the threshold.
    """

    stands: int
    open: int
    reversed: int

    @property
    def looks(self) -> int:
        return self.stands + self.open + self.reversed


class Conclusion(Document):
    """A statement with its sign at the baseline. sentence, verdict: texts for a report."""

    sentence: str = ""
    verdict: str = ""
    kind: str
    names: list[str]
    stands: bool  # whether it holds at the baseline, under every variation and in every draw
    # `open`: inconclusive even at the baseline, adjusted for all conclusions; otherwise `stands`
    at_baseline: str
    # whether the baseline is conclusive, but not at the confidence level of the variations
    too_few_games: bool
    baseline: Interval  # not simultaneous
    single: Counts  # variations
    joint: Counts  # draws
    level: float  # confidence level of one look
    open_under: list[dict[str, Any]]  # path and value of a variation, or number of a draw
    overturned_by: list[dict[str, Any]]

    @property
    def is_positive(self) -> bool:
        return self.baseline.estimate >= 0

    @property
    def is_open(self) -> bool:
        return self.at_baseline == INCONCLUSIVE


def claims(game: Game, line_up: LineUp, levels: Sequence[str]) -> list[Statement]:
    """Return the statements that games with these policies and levels can decide."""
    between = [Statement(LEVELS, pair) for pair in pairwise(levels)]
    if game.alike:
        # none if all players are equal
        duels = [Statement(DUEL, pair) for pair in combinations(line_up.names, 2)]
        return [*duels, Statement(FIRST_SEAT), *between]
    sides = {1: [Statement(HALF)], 2: [Statement(SIDES, tuple(game.roles))]}
    return sides.get(line_up.seats, []) + between


def claimed(claims: list[Statement], played: PlayedCase, confidence: float) -> dict[Statement, Estimate]:
    """Map each statement to the estimate of its number.

    Statements about levels that cannot be simulated are omitted.
    """
    within = [claim for claim in claims if claim.kind != LEVELS]
    measures = [_measure(claim, played.main) for claim in within]
    numbers = dict(zip(within, estimates(played.scan(), measures, played.capped, confidence), strict=True))
    for claim in claims:
        if claim.kind == LEVELS and all(name in played.levels for name in claim.names):
            easier, harder = (played.levels[name] for name in claim.names)
            truncated = trials.truncated(harder) + trials.truncated(easier)
            (effect,) = compare(
                harder.scan(), easier.scan(), [headline(easier, False)], truncated, confidence
            )
            numbers[claim] = effect.difference
    return numbers


def _measure(claim: Statement, line_up: LineUp) -> Measure:
    if claim.kind == DUEL:
        return line_up.skill(*map(line_up.names.index, claim.names))
    if claim.kind == FIRST_SEAT:
        return line_up.seat_advantage(0)
    mine = line_up.seat_share(0)
    if claim.kind == HALF:
        return Measure(HALF, mine.name, mine.low - 0.5, mine.high - 0.5, (-0.5, 0.5))
    theirs = line_up.seat_share(1)
    return Measure(SIDES, mine.name, mine.low - theirs.high, mine.high - theirs.low, (-1.0, 1.0))


def conclusion(
    claim: Statement,
    baseline: Estimate,
    strict: Estimate,
    looks: list[tuple[Case, dict[Statement, Estimate]]],
    confidence: float,
    enough: float,
) -> Conclusion:
    """Return the conclusion about one claim.

    strict: the baseline estimate at the simultaneous confidence level of the estimates in `looks`. enough:
    significance level for the baseline's p-value, adjusted for all conclusions.
    """
    is_settled = baseline.is_clear and baseline.p < enough
    seen = [(case, estimates[claim]) for case, estimates in looks if claim in estimates]
    is_positive = baseline.interval.estimate >= 0
    is_open = [case for case, estimate in seen if not estimate.is_clear]
    is_reversed = [
        case
        for case, estimate in seen
        if estimate.is_clear and (estimate.interval.estimate >= 0) != is_positive
    ]

    def counts(is_joint: bool) -> Counts:
        looked, opened, overturned = (
            sum(bool(case.draw) == is_joint for case in cases)
            for cases in ([case for case, _ in seen], is_open, is_reversed)
        )
        return Counts(stands=looked - opened - overturned, open=opened, reversed=overturned)

    return Conclusion(
        kind=claim.kind,
        names=list(claim.names),
        stands=is_settled and not is_open and not is_reversed,
        at_baseline=STANDS if is_settled else INCONCLUSIVE,
        too_few_games=is_settled and not strict.is_clear,
        baseline=baseline.interval,
        single=counts(False),
        joint=counts(True),
        level=confidence,
        open_under=[case.row for case in is_open],
        overturned_by=[case.row for case in is_reversed],
    )


# ---------------------------------------------------------------- the answer


class Influence(Document):
    """Effect of one variation of one value on the headline and on the length of games."""

    path: str
    what: str = ""
    confidence: str
    source: str = ""
    from_: Any = Field(alias="from")
    to: Any
    headline: EffectRow  # p adjusted for all variations, together with the p of the turns
    turns: EffectRow | None = None
    p: float
    p_adjusted: float
    pairing_factor: float | None = None
    is_clear: bool  # significant after adjustment for all variations
    changed_games: ChangedGames | None = None  # games whose record differs

    @property
    def change(self) -> dict[str, Any]:
        return {"path": self.path, "what": self.what, "from": self.from_, "to": self.to}

    @property
    def is_idle(self) -> bool:
        """Whether the variation changed no game."""
        return self.changed_games is not None and not self.changed_games.games


@dataclass(frozen=True)
class Draw:
    """A joint draw: one variation of several values at once."""

    case: Case
    headline: Estimate
    least: float  # headline if every truncated game is lost; without truncated games, the estimate
    most: float  # headline if every truncated game is won


@dataclass(frozen=True)
class Sensitivity:
    """Result of a sensitivity analysis: influences (largest first), draws and conclusions."""

    line_up: LineUp  # the baseline's
    # True: the headline is the share of the first player over all seats; False: the share of the first seat
    by_player: bool
    headline: Estimate
    turns: Estimate
    knobs: tuple[Parameter, ...]  # parameters with a variation that the scenario accepts
    # requested parameters that no rule varies, because they are text or empty
    unvaried: tuple[Parameter, ...]
    influences: tuple[Influence, ...]
    draws: tuple[Draw, ...]
    conclusions: tuple[Conclusion, ...]
    refused: tuple[Refused, ...]
    look: float  # confidence of the intervals that decide the conclusions
    families: int = 1  # families of comparisons that share 5 %
    # effects of the most influential values: the second stage
    interactions: Interactions | TooFewSettings | None = None

    @property
    def unclear(self) -> tuple[Parameter, ...]:
        """Parameters without a variation that has a significant effect."""
        clear = {influence.path for influence in self.influences if influence.is_clear}
        return tuple(knob for knob in self.knobs if knob.path not in clear)

    @property
    def never(self) -> tuple[Parameter, ...]:
        """Parameters without a variation that changed a game."""
        moved = {influence.path for influence in self.influences if not influence.is_idle}
        return tuple(knob for knob in self.knobs if knob.path not in moved)

    @property
    def spread(self) -> dict[str, float | None]:
        """Minimum, quantiles and maximum of the headline over the joint draws; empty without draws.

        Truncated games count as lost in the minimum and the lower quantile, and as won in the upper quantile
        and the maximum; the median is then unknown. `se`: the median standard error of a draw, from the
        sampling error of its games.
        """
        if not self.draws:
            return {}
        least, most = ([getattr(draw, end) for draw in self.draws] for end in ("least", "most"))
        low, middle, high = QUANTILES
        return {
            "min": min(least),
            f"q{low}": float(np.quantile(least, low / 100)),
            f"q{middle}": float(np.quantile(least, middle / 100)) if least == most else None,
            f"q{high}": float(np.quantile(most, high / 100)),
            "max": max(most),
            "se": float(np.median([draw.headline.se or 0.0 for draw in self.draws])),
        }


# ---------------------------------------------------------- the question


def knobs_of(
    scenario: Scenario,
    game: Game,
    assumed: bool = False,
    prefixes: Sequence[str] = (),
    levels: Sequence[str] = (),
) -> list[Parameter]:
    """Return the parameters to vary.

    The level and the number of players belong to the question and are not varied.

    assumed: only assumed values. prefixes: only these paths and the paths below them; () for all. levels: the
    simulated levels; () for the scenario's. A value of another level affects no game, so it is not varied.
    """
    fixed = {"difficulty", game.players_path, NUMBER_OF_PLAYERS}
    simulated, known = {"", *(levels or [scenario.difficulty])}, scenario.model.difficulties()
    return [
        knob
        for knob in scenario.parameters()
        if knob.path not in fixed
        and level_of(knob.path, scenario.data, known) in simulated
        and (not assumed or knob.is_guess)
        and (not prefixes or any(f"{knob.path}.".startswith(f"{prefix}.") for prefix in prefixes))
    ]


def analyze(
    condition: Condition,
    knobs: Sequence[Parameter],
    source: Source,
    spread: float = RANGE,
    draws: int = 32,
    effects: int = 0,
    settings: int = interactions.SETTINGS,
    levels: Sequence[str] = (),
) -> Sensitivity:
    """Simulate every variation and every draw, and compare them with the baseline.

    spread: relative change of each number, up and down. draws: number of random settings of all values.
    effects: number of the most influential values for a second stage. settings: number of random settings in
    that stage. levels: easiest first. With two or more levels, every case is simulated at each, and the order
    of levels is an additional conclusion. The result does not depend on the workers.
    """
    more = indices.FAMILIES if effects else 0
    screened = asked(lambda: _screened(condition, knobs, source, spread, draws, levels, more))
    factors = _factors(screened)[:effects]
    if not factors:
        return screened
    together = asked(
        lambda: interactions.analyze(
            condition, factors, settings, screened.by_player, source, screened.families
        )
    )
    return replace(screened, interactions=together)


def _screened(
    condition: Condition,
    knobs: Sequence[Parameter],
    source: Source,
    spread: float,
    draws: int,
    levels: Sequence[str],
    more: int,
) -> Sensitivity:
    """Simulate the first stage and return its result.

    more: number of families of comparisons in the second stage; 0 if there is none.
    """
    values = {knob.path: variations(knob, spread) for knob in knobs}
    varied = {knob.path: knob for knob in knobs if values[knob.path]}
    cases = Cases(condition, {path: values[path] for path in varied}, draws, levels, source)
    all_played = cases.played()
    base = next(all_played)
    statements = claims(condition.game, base.main, levels)
    # influences; conclusions at the baseline; conclusions under variations
    families = (3 if statements else 1) + more
    look = joint_level(len(statements) * cases.most, families=families)
    by_player = is_by_player(base.main)
    measures = [headline(base.main, by_player), base.main.column(LENGTH)]
    singles, joint, looks = [], [], []
    for played in all_played:
        looks.append((played.case, claimed(statements, played, look)))
        if played.case.draw:
            found = values_of(played.scan(), measures[0])
            estimate = found.estimate(CONFIDENCE, played.capped)
            joint.append(Draw(played.case, estimate, found.least, found.most))
        else:
            truncated = base.capped + played.capped
            moved = compare(base.scan(), played.scan(), measures, truncated)
            singles.append((played.case, moved, changed_games(base.main, played.main)))
    share, turns = estimates(base.scan(), measures, base.capped)
    at_base, strict = (claimed(statements, base, confidence) for confidence in (CONFIDENCE, look))
    enough = 1 - joint_level(len(at_base), families=families)
    simulated = {path for case, _, _ in singles for path in case.changes}  # others are in `refused`
    return Sensitivity(
        base.main,
        by_player,
        share,
        turns,
        tuple(varied[path] for path in varied if path in simulated),
        tuple(knob for knob in knobs if not values[knob.path]),
        tuple(_influences(varied, singles, families)),
        tuple(joint),
        # at_base omits claims about levels that cannot be simulated
        tuple(conclusion(claim, at_base[claim], strict[claim], looks, look, enough) for claim in at_base),
        tuple(cases.refused),
        look,
        families,
    )


def _influences(
    varied: Mapping[str, Parameter],
    singles: list[tuple[Case, list[Effect], ChangedGames | None]],
    families: int,
) -> list[Influence]:
    adjusted = iter(adjust([effect for _, moved, _ in singles for effect in moved], families))
    influences = []
    for case, moved, touched in singles:
        share, *turns = islice(adjusted, len(moved))  # no length if every game is truncated on one side
        ((path, value),) = case.changes.items()
        knob, row = varied[path], EffectRow.of(share)
        influence = {
            **{name: getattr(knob, name) for name in ("path", "what", "confidence", "source")},
            **{name: getattr(row, name) for name in ("p", "p_adjusted", "pairing_factor")},
            "from": knob.value,
            "to": value,
            "headline": row,
            "turns": EffectRow.of(turns[0]) if turns else None,
            "is_clear": share.is_significant,
            "changed_games": touched,
        }
        influences.append(Influence.read(influence))
    return sorted(influences, key=lambda influence: -abs(influence.headline.difference.estimate))


def _factors(screened: Sensitivity) -> list[Factor]:
    """Return the values that changed a game's headline, most influential first, with all valid variations."""
    knobs = {knob.path: knob for knob in screened.knobs}
    values: dict[str, list[Any]] = {}
    for influence in screened.influences:
        if influence.headline.differing.estimate:
            values.setdefault(influence.path, [])
    for influence in screened.influences:
        if influence.path in values:
            values[influence.path].append(influence.to)
    return [Factor(knobs[path], (knobs[path].value, *others)) for path, others in values.items()]
