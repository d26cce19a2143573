"""Which numbers move the result, and which conclusions stand whatever they are?

Every value in question is varied by the rules of `analyses.experiments.variations`: one at a time, each
variation against the baseline on common luck, game by game, and then all of them at once in random draws,
since one at a time misses what several do together (Saltelli et al. 2008, Global Sensitivity Analysis). The
most influential may be looked at once more, in `analyses.experiments.interactions`: what each does on average
over the others, and which act together. Conclusions are statements about a sign. They are looked at under
every variation and in every draw with simultaneous intervals (Bonferroni).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, groupby, pairwise
from typing import Any

import numpy as np
import polars as pl

from bartizan.analyses.experiments import interactions, trials
from bartizan.analyses.experiments.interactions import Factor, Interactions, TooFewSettings
from bartizan.analyses.experiments.trials import RANGE, Condition, Refused, Trial, play, variations
from bartizan.analyses.records.comparison import LENGTH, ChangedGames, changed_games, headline, is_by_player
from bartizan.analyses.records.seating import LineUp
from bartizan.analyses.statistics.intervals import CONFIDENCE
from bartizan.analyses.statistics.paired import Effect, Estimate, Measure, adjust, compare, estimates
from bartizan.simcore.errors import ScenarioError
from bartizan.simcore.game import Game
from bartizan.simcore.play.batch import Source
from bartizan.simcore.scenario.loading import Scenario
from bartizan.simcore.scenario.parameters import Parameter

CLEAR = 0.05  # p adjusted for all variations, below which an influence is called one
QUANTILES = (5, 50, 95)  # percent
METHOD = (
    "each variation against the baseline on common luck, game by game: Student's t, with fewer than 100 "
    "games that differ exact tails (Blaker 2000); p adjusted for all variations, for the headline and for "
    "the turns separately (Benjamini & Hochberg 1995); a conclusion stands, is open or is reversed by "
    "intervals that all hold together with 95 % (Bonferroni over variations and draws)"
)
HALF, SIDES, DUEL, FIRST_SEAT, LEVELS = "half", "sides", "duel", "first seat", "levels"


# ---------------------------------------------------------------- what is played


@dataclass(frozen=True)
class Case:
    """Values that differ from the baseline: one, or those of a joint draw; none in the baseline itself."""

    changes: Mapping[str, Any] = field(default_factory=dict)
    draw: int = 0  # number of the joint draw, from 1
    # paths of a joint draw that stay as they are: what was drawn did not go with the others
    left_out: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        return f"draw {self.draw}" if self.draw else next(iter(self.changes), "baseline")


@dataclass(frozen=True)
class PlayedCase:
    """All games of one case."""

    case: Case
    main: LineUp  # at the level in question
    levels: Mapping[str, LineUp]  # every level that was asked for and can be played

    @property
    def capped(self) -> int:
        return trials.capped(self.main)

    def scan(self) -> pl.LazyFrame:
        return self.main.scan((LENGTH,))


class Cases:
    """The baseline, every variation and the joint draws: checked one by one while others are played."""

    def __init__(
        self,
        condition: Condition,
        values: Mapping[str, list],
        draws: int,
        levels: Sequence[str],
        source: Source,
    ):
        self.condition, self.values, self.draws, self.levels = condition, values, draws, levels
        self.source = source
        self.refused: list[Refused] = []
        # cases besides the baseline, should none be refused
        self.most = sum(map(len, values.values())) + draws
        self.games = len(condition.seatings()) * condition.games  # of one case at one level

    def played(self) -> Iterator[PlayedCase]:
        """One case after another, the baseline first."""
        condition, source, level = self.condition, self.source, self.condition.load({}).difficulty
        source.expect(self.games * (1 + self.most) * max(len(self.levels), 1))
        trials = (
            Trial(
                (case, scenario.difficulty),
                [[source.ready(match) for match in condition.matches(scenario)]],
                condition.games,
                name=case.name,
            )
            for case, scenario in self._scenarios()
        )
        for case, group in groupby(play(condition, trials, source), key=lambda played: played[0].what[0]):
            levels = {trial.what[1]: line_up for trial, line_up in group}
            yield PlayedCase(case, levels[level], levels)

    def _scenarios(self) -> Iterator[tuple[Case, Scenario]]:
        """Each case at the level in question first, then at the others."""
        for case, scenario in self._checked():
            yield case, scenario
            for level in self.levels:
                if level != scenario.difficulty:
                    try:
                        yield case, self.condition.load(case.changes, level)
                    except ScenarioError:
                        self.source.progress.games_total -= self.games

    def _checked(self) -> Iterator[tuple[Case, Scenario]]:
        yield Case(), self.condition.load({})
        playable: dict[str, list] = {}
        for path, values in self.values.items():
            for value in values:
                try:
                    scenario = self.condition.load({path: value})
                except ScenarioError as error:
                    self.refused.append(self.condition.refusal(path, value, error))
                    self.source.progress.games_total -= self.games * max(len(self.levels), 1)
                    continue
                playable.setdefault(path, []).append(value)
                yield Case({path: value}), scenario
        for draw in range(1, self.draws + 1):
            case = self._drawn(draw, playable)
            yield case, self.condition.load(case.changes)

    def _drawn(self, draw: int, playable: Mapping[str, list]) -> Case:
        """Each value drawn by itself among its variations and what it is now, all as likely.

        Draw n of a seed is the same however many there are.
        """
        luck = np.random.default_rng((self.condition.seed, draw))
        picked = {path: int(luck.integers(len(values) + 1)) for path, values in playable.items()}
        drawn = [(path, playable[path][index - 1]) for path, index in picked.items() if index]
        order = luck.permutation(len(drawn))
        changes = self._together({}, [drawn[index] for index in order])
        return Case(changes, draw, tuple(path for path, _ in drawn if path not in changes))

    def _together(self, kept: dict, more: list[tuple[str, Any]]) -> dict:
        """`kept` and as many of the others as can be played with it: all, or (halved until one is left)
        without those that are refused.
        """
        try:
            self.condition.load(kept | dict(more))
            return kept | dict(more)
        except ScenarioError:
            if len(more) < 2:
                return kept
            half = len(more) // 2
            return self._together(self._together(kept, more[:half]), more[half:])


# ---------------------------------------------------------------- conclusions: statements about a sign


@dataclass(frozen=True)
class Statement:
    """A number whose sign is a conclusion.

    kind: `half` share of wins less 1/2; `sides` wins of the first side less the second's; `duel` the same of
    two players, a seat; `first seat` its wins less its equal part of the games won by anybody; `levels` wins
    at the first level less those at the second.
    """

    kind: str
    names: tuple[str, ...] = ()  # of sides, players or levels, in that order


@dataclass(frozen=True)
class Robustness:
    """How a conclusion fares under several cases."""

    stands: int
    open: tuple[Case, ...]  # the interval holds the line
    reversed: tuple[Case, ...]  # the whole interval lies on the other side

    @property
    def looks(self) -> int:
        return self.stands + len(self.open) + len(self.reversed)


@dataclass(frozen=True)
class Conclusion:
    """A claim with the sign it has at the baseline."""

    claim: Statement
    baseline: Estimate  # by itself
    strict: Estimate  # the same as one of all looks
    single: Robustness
    joint: Robustness

    @property
    def is_positive(self) -> bool:
        return self.baseline.interval.estimate >= 0

    @property
    def is_open(self) -> bool:
        """Even the baseline does not settle it."""
        return not self.baseline.is_clear

    @property
    def is_weak(self) -> bool:
        """The baseline settles it, but with too few games to do so once more under every look."""
        return self.baseline.is_clear and not self.strict.is_clear

    @property
    def always_stands(self) -> bool:
        """At the baseline, under every variation and in every draw."""
        looks = self.single.open, self.single.reversed, self.joint.open, self.joint.reversed
        return not (self.is_open or any(looks))


def claims(game: Game, line_up: LineUp, levels: Sequence[str]) -> list[Statement]:
    """What can be concluded from games like these."""
    between = [Statement(LEVELS, pair) for pair in pairwise(levels)]
    if game.alike:
        duels = [Statement(DUEL, pair) for pair in combinations(line_up.names, 2)]  # none in a mirror
        return [*duels, Statement(FIRST_SEAT), *between]
    sides = {1: [Statement(HALF)], 2: [Statement(SIDES, tuple(game.roles))]}
    return sides.get(line_up.seats, []) + between


def claimed(claims: list[Statement], played: PlayedCase, confidence: float) -> dict[Statement, Estimate]:
    """The number whose sign each claim is about; claims about levels that cannot be played are left out."""
    within = [claim for claim in claims if claim.kind != LEVELS]
    measures = [_measure(claim, played.main) for claim in within]
    numbers = dict(zip(within, estimates(played.scan(), measures, played.capped, confidence), strict=True))
    for claim in claims:
        if claim.kind == LEVELS and all(name in played.levels for name in claim.names):
            easier, harder = (played.levels[name] for name in claim.names)
            capped = trials.capped(harder) + trials.capped(easier)
            (effect,) = compare(harder.scan(), easier.scan(), [headline(easier, False)], capped, confidence)
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
) -> Conclusion:
    sign = 1 if baseline.interval.estimate >= 0 else -1
    seen = [(case, estimate[claim]) for case, estimate in looks if claim in estimate]
    single, joint = (
        [(case, estimate) for case, estimate in seen if bool(case.draw) == is_joint]
        for is_joint in (False, True)
    )
    return Conclusion(claim, baseline, strict, _standing(single, sign), _standing(joint, sign))


def _standing(seen: list[tuple[Case, Estimate]], sign: int) -> Robustness:
    is_open = tuple(case for case, estimate in seen if not estimate.is_clear)
    is_reversed = tuple(
        case for case, estimate in seen if estimate.is_clear and estimate.interval.estimate * sign < 0
    )
    return Robustness(len(seen) - len(is_open) - len(is_reversed), is_open, is_reversed)


# ---------------------------------------------------------------- the answer


@dataclass(frozen=True)
class Influence:
    """What one variation of one value does."""

    knob: Parameter
    value: Any
    headline: Effect  # p adjusted over all variations; so is that of the turns, over theirs
    turns: Effect
    touched: ChangedGames | None = None  # games whose record is another

    @property
    def is_clear(self) -> bool:
        """Is it distinguishable from zero after adjusting for all the variations looked at?

        Then its interval leaves out 0 too.
        """
        return self.headline.is_significant(CLEAR)


@dataclass(frozen=True)
class Draw:
    """One joint variation."""

    case: Case
    headline: Estimate


@dataclass(frozen=True)
class Sensitivity:
    """Influences, largest first; draws and conclusions."""

    line_up: LineUp  # the baseline's
    # the headline is the share of the first player over all seats; else that of the first seat
    by_player: bool
    headline: Estimate
    turns: Estimate
    knobs: tuple[Parameter, ...]  # that were varied
    unvaried: tuple[Parameter, ...]  # asked for, but text or empty: no rule varies them
    influences: tuple[Influence, ...]
    draws: tuple[Draw, ...]
    conclusions: tuple[Conclusion, ...]
    refused: tuple[Refused, ...]
    look: float  # confidence of the intervals that conclusions are judged by
    # of the most influential values; the second stage
    interactions: Interactions | TooFewSettings | None = None

    @property
    def unclear(self) -> tuple[Parameter, ...]:
        """Values of which no variation is distinguishable from zero."""
        clear = {influence.knob.path for influence in self.influences if influence.is_clear}
        return tuple(knob for knob in self.knobs if knob.path not in clear)

    @property
    def never(self) -> tuple[Parameter, ...]:
        """Values of which no variation changed a game: they never came up."""
        idle: dict[str, bool] = {}
        for influence in self.influences:
            is_none = influence.touched is not None and influence.touched.is_none
            idle[influence.knob.path] = idle.get(influence.knob.path, True) and is_none
        return tuple(knob for knob in self.knobs if idle.get(knob.path))

    @property
    def spread(self) -> dict[str, float]:
        """Least, quantiles and greatest headline of the joint draws; `se`: the median standard error of a
        draw, whose games are luck too.

        Empty without draws.
        """
        if not self.draws:
            return {}
        values = [draw.headline.interval.estimate for draw in self.draws]
        quantiles = {f"q{q}": float(np.quantile(values, q / 100)) for q in QUANTILES}
        return {
            "min": min(values),
            **quantiles,
            "max": max(values),
            "se": float(np.median([draw.headline.se or 0.0 for draw in self.draws])),
        }


# ---------------------------------------------------------------- asking


def knobs_of(
    scenario: Scenario, game: Game, assumed: bool = False, prefixes: Sequence[str] = ()
) -> list[Parameter]:
    """The values in question: all, only guesses, only those below some paths.

    Who plays, and at which level, belongs to the question.
    """
    fixed = {"difficulty", game.players_path}
    return [
        knob
        for knob in scenario.parameters()
        if knob.path not in fixed
        and (not assumed or knob.is_guess)
        and (not prefixes or any(f"{knob.path}.".startswith(f"{prefix}.") for prefix in prefixes))
    ]


@dataclass(frozen=True)
class Extent:
    """How far the values are varied, and how often."""

    spread: float = RANGE  # share of a number, up and down
    draws: int = 32  # random draws of all values at once
    effects: int = 0  # so many of the most influential values are looked at together in a second stage
    settings: int = interactions.SETTINGS  # random settings of these


def analyze(
    condition: Condition,
    knobs: Sequence[Parameter],
    source: Source,
    extent: Extent = Extent(),
    levels: Sequence[str] = (),
) -> Sensitivity:
    """Play every variation and every draw, and compare. The answer does not depend on who plays.

    levels: easiest first; with two or more every case is played at each of them, and that harder levels win
    less often is a conclusion too.
    """
    screened = _screened(condition, knobs, source, extent, levels)
    factors = _factors(screened.influences)[: extent.effects]
    if not factors:
        return screened
    together = interactions.analyze(condition, factors, extent.settings, screened.by_player, source)
    return replace(screened, interactions=together)


def _screened(
    condition: Condition, knobs: Sequence[Parameter], source: Source, extent: Extent, levels: Sequence[str]
) -> Sensitivity:
    values = {knob.path: variations(knob, extent.spread) for knob in knobs}
    varied = {knob.path: knob for knob in knobs if values[knob.path]}
    cases = Cases(condition, {path: values[path] for path in varied}, extent.draws, levels, source)
    all_played = cases.played()
    base = next(all_played)
    statements = claims(condition.game, base.main, levels)
    look = 1 - (1 - CONFIDENCE) / max(len(statements) * cases.most, 1)
    by_player = is_by_player(base.main)
    measures = [headline(base.main, by_player), base.main.column(LENGTH)]
    singles, joint, looks = [], [], []
    for played in all_played:
        looks.append((played.case, claimed(statements, played, look)))
        if played.case.draw:
            joint.append(Draw(played.case, estimates(played.scan(), measures[:1], played.capped)[0]))
        else:
            capped = base.capped + played.capped
            share_moved, turns_moved = compare(base.scan(), played.scan(), measures, capped)
            singles.append((played.case, share_moved, turns_moved, changed_games(base.main, played.main)))
    share, turns = estimates(base.scan(), measures, base.capped)
    at_base, strict = (claimed(statements, base, confidence) for confidence in (CONFIDENCE, look))
    return Sensitivity(
        base.main,
        by_player,
        share,
        turns,
        tuple(varied.values()),
        tuple(knob for knob in knobs if not values[knob.path]),
        tuple(_influences(varied, singles)),
        tuple(joint),
        # at_base: claims about levels that cannot be played are left out
        tuple(conclusion(claim, at_base[claim], strict[claim], looks) for claim in at_base),
        tuple(cases.refused),
        look,
    )


def _influences(
    varied: Mapping[str, Parameter], singles: list[tuple[Case, Effect, Effect, ChangedGames | None]]
) -> list[Influence]:
    shares, lengths = adjust([share for _, share, *_ in singles]), adjust([turns for *_, turns, _ in singles])
    influences = []
    for (case, _, _, touched), share, turns in zip(singles, shares, lengths, strict=True):
        ((path, value),) = case.changes.items()
        influences.append(Influence(varied[path], value, share, turns, touched))
    return sorted(influences, key=lambda influence: -abs(influence.headline.difference.interval.estimate))


def _factors(influences: Sequence[Influence]) -> list[Factor]:
    """Values that changed a game, most influential first, with all variations that can be played."""
    moved = dict.fromkeys(
        influence.knob.path for influence in influences if influence.headline.differing.estimate
    )
    groups = ([influence for influence in influences if influence.knob.path == path] for path in moved)
    return [
        Factor(group[0].knob, (group[0].knob.value, *(influence.value for influence in group)))
        for group in groups
    ]
