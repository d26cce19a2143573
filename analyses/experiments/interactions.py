"""Main and interaction effects of a few values: the second stage of `sensitivity`.

The values are the most influential ones of the first stage.

Random settings of these values are drawn; each value is drawn independently and uniformly from its current
value and its variations, as in the joint draws. Around each setting, every value is set to each of its
options in turn, and every pair is changed together (`analyses.statistics.sobol`). All points of a setting
share game numbers, so they have common random numbers. Other settings, and the first stage, have different
random numbers.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from bartizan.analyses.document import Document, keyed
from bartizan.analyses.experiments import trials
from bartizan.analyses.experiments.trials import Condition, Trial, play
from bartizan.analyses.records.comparison import headline
from bartizan.analyses.records.seating import LineUp
from bartizan.analyses.statistics import sobol as indices
from bartizan.analyses.statistics.intervals import Interval
from bartizan.analyses.statistics.sobol import Design, Indices, InputEffect, LevelDraw, SettingMeans
from bartizan.simcore.errors import ScenarioError
from bartizan.simcore.play.batch import Batch, Source
from bartizan.simcore.scenario.parameters import Parameter

# many settings with few games each: more settings are better than more games, whose noise is subtracted
SETTINGS, GAMES = (200, 100)
SPAN = (0.0, 1.0)  # limits of a headline, which is a share of wins
TRIES = 100  # maximum number of draws for a setting that can be simulated at all its points
SECOND = 2  # number of this stage; its random numbers differ from those of the joint draws
KEPT = 1024  # scenarios in memory, half a megabyte each: six values of three levels make 729
METHOD = (
    "random settings on common random numbers: variance-based indices over equally likely levels of each "
    "value (Saltelli et al. 2010; Jansen 1999; pairs: Liu & Owen 2006), corrected for sampling noise; "
    "indices with bootstrap intervals over settings (first-order: ball of "
    "the level means; else BCa, Efron 1987), "
    "changes and lines of pairs with Student's t; all intervals of a kind simultaneous at 95 % (Bonferroni), "
    "except those of means (Student's t, 95 % each)"
)


@dataclass(frozen=True)
class Factor:
    """A value with all its options. The first option is the current value."""

    knob: Parameter
    values: tuple[Any, ...]


# ---------------------------------------------------------------------- results


@dataclass(frozen=True)
class Index(Interval):
    """A share of the variance, with its interval."""

    is_noise: bool  # whether it is within sampling error

    @classmethod
    def of(cls, share: Interval) -> "Index":
        return cls(**share.to_dict(), is_noise=indices.is_noise(share))


class ValueEffect(Document):
    """A varied value and its options."""

    path: str
    what: str
    confidence: str
    source: str
    values: list[Any]  # the first is the current value

    @staticmethod
    def named(factor: Factor) -> dict[str, Any]:
        names = ("path", "what", "confidence", "source")
        return {**{name: getattr(factor.knob, name) for name in names}, "values": list(factor.values)}


class LevelMean(Document):
    value: Any
    headline: Interval  # average over the settings of the other values


class Change(Document):
    """Effect of changing a value from its current option, averaged over the settings of all other values."""

    from_: Any = keyed("from")
    to: Any
    difference: Interval
    is_clear: bool
    nine_in_ten: tuple[float, float]  # central 90 % of the settings, with the noise subtracted


class ValueEffects(ValueEffect):
    """Effects of one value. `alone` and `total` are None if the result does not vary significantly."""

    alone: Index | None
    total: Index | None  # including interactions with all others
    levels: list[LevelMean]
    changes: list[Change]


class AtValue(Document):
    value: Any
    difference: Interval | None


class Given(Document):
    """Effect of the largest change of one value at each option of another value."""

    path: str
    from_: Any = keyed("from")
    to: Any
    by: str  # path of the other value
    at: list[AtValue]


class EffectPair(Document):
    """Interaction effect of two values."""

    paths: list[str]
    share: Index
    given: list[Given]  # in both directions


class PlayedSettings(Document):
    """Numbers of simulated settings, points and games.

    sentence: description of these numbers for a report.
    """

    sentence: str = ""
    settings: int  # simulated
    games: int  # games per seating and point
    points: int  # simulated
    first_game: int
    redrawn: int  # settings that were drawn again because some of their points could not be simulated
    capped: int  # truncated games; each counts as the middle of its possible values
    method: str = METHOD


class TooFewSettings(PlayedSettings):
    knobs: list[ValueEffect]
    pairs: list[EffectPair] = []


class Interactions(PlayedSettings):
    variance: Interval  # of the headline over the settings, without noise
    varies: bool  # whether it varies significantly
    noise_variance: float
    sum_alone: Interval | None  # sum of all first-order indices; 1 if nothing interacts
    knobs: list[ValueEffects]
    pairs: list[EffectPair]

    @property
    def clear_pairs(self) -> list[EffectPair]:
        """Significant pairs, largest first."""
        clear = [pair for pair in self.pairs if not pair.share.is_noise]
        return sorted(clear, key=lambda pair: -pair.share.estimate)


def analyze(
    condition: Condition,
    factors: Sequence[Factor],
    settings: int,
    by_player: bool,
    source: Source,
    families: int = indices.FAMILIES,
) -> Interactions | TooFewSettings:
    """Simulate every setting at all its points, and return the effects.

    families: see `testing.holm`. Setting n of a seed is the same for any number of settings; the result does
    not depend on the workers. Returns TooFewSettings if too few settings can be simulated.
    """
    drawn, rows, truncated = _Settings(condition, factors, source), [], 0
    source.expect(settings * drawn.design.most_points * GAMES * len(condition.seatings()))
    for trial, line_up in play(condition, drawn.trials(settings), source):
        rows.append(indices.row(drawn.design, trial.what, _headlines(line_up, by_player).reshape(-1, GAMES)))
        truncated += trials.truncated(line_up)
    played: dict[str, Any] = {
        "settings": len(rows),
        "games": GAMES,
        "points": len(rows) * drawn.design.most_points,
        "first_game": condition.games,
        "redrawn": drawn.redrawn,
        "capped": truncated,
    }
    if len(rows) < indices.FEWEST:
        return TooFewSettings(
            **played, knobs=[ValueEffect(**ValueEffect.named(factor)) for factor in factors]
        )
    sobol = indices.analyze(drawn.design, rows, SPAN, families)
    return Interactions(
        **played,
        variance=sobol.variance,
        varies=not indices.is_noise(sobol.variance),
        noise_variance=sobol.noise,
        sum_alone=sobol.sum_alone,
        knobs=[_effects(*both) for both in zip(factors, sobol.effects, strict=True)],
        pairs=list(_pairs(drawn.design, rows, factors, sobol)),
    )


def _effects(factor: Factor, effect: InputEffect) -> ValueEffects:
    now, *others = factor.values
    return ValueEffects(
        **ValueEffect.named(factor),
        alone=Index.of(effect.alone) if effect.alone else None,
        total=Index.of(effect.total) if effect.total else None,
        levels=[
            LevelMean(value=value, headline=mean)
            for value, mean in zip(factor.values, effect.means, strict=True)
        ],
        changes=[
            Change(
                from_=now,
                to=to,
                difference=change.mean,
                is_clear=not change.mean.low <= 0 <= change.mean.high,
                nine_in_ten=(change.low, change.high),
            )
            for to, change in zip(others, effect.changes, strict=True)
        ],
    )


def _pairs(
    design: Design, rows: Sequence[SettingMeans], factors: Sequence[Factor], sobol: Indices
) -> Iterator[EffectPair]:
    largest = [
        1 + int(np.argmax([abs(change.mean.estimate) for change in effect.changes]))
        for effect in sobol.effects
    ]

    def given(of: int, by: int) -> Given:
        mine, theirs = factors[of], factors[by]
        differences = indices.given(design, rows, SPAN, of, largest[of], by)
        at = [
            AtValue(value=value, difference=difference)
            for value, difference in zip(theirs.values, differences, strict=True)
        ]
        now, to = mine.values[0], mine.values[largest[of]]
        return Given(path=mine.knob.path, from_=now, to=to, by=theirs.knob.path, at=at)

    for (one, other), share in sobol.pairs.items():
        paths = [factors[one].knob.path, factors[other].knob.path]
        yield EffectPair(paths=paths, share=Index.of(share), given=[given(one, other), given(other, one)])


def _headlines(line_up: LineUp, by_player: bool) -> np.ndarray:
    """Return the headline of each game number; for a truncated game, the midpoint of its possible values."""
    measure = headline(line_up, by_player)
    middles = line_up.scan().select("game", value=(measure.low + measure.high) / 2)
    return middles.sort("game").collect()["value"].to_numpy()


class _Settings:
    """Random settings, which are drawn and validated one after another while earlier ones are simulated."""

    def __init__(self, condition: Condition, factors: Sequence[Factor], source: Source):
        self.condition, self.factors, self.source = condition, factors, source
        self.design = Design(tuple(len(factor.values) for factor in factors))
        self.redrawn = 0
        self.at = lru_cache(KEPT)(self._at)

    def trials(self, settings: int) -> Iterator[Trial]:
        for number in range(1, settings + 1):
            if drawn := self._drawn(number):
                setting, tables = drawn
                first = self.condition.games + (number - 1) * GAMES
                yield Trial(setting, tables, range(first, first + GAMES), f"setting {number}")

    def _drawn(self, number: int) -> tuple[LevelDraw, list[list[Batch]]] | None:
        """Return a setting and the batches of its points.

        Returns None if each of TRIES drawn settings has a rejected point.
        """
        luck = np.random.default_rng((self.condition.seed, SECOND, number))
        for _ in range(TRIES):
            setting = self.design.draw(luck)
            try:
                return setting, [self.at(levels) for levels in self.design.points(setting)]
            except ScenarioError:
                self.redrawn += 1
        return None

    def _at(self, levels: tuple[int, ...]) -> list[Batch]:
        """Return the batches with these values, one per seating.

        Raises ScenarioError for values that are not valid together.
        """
        changes = {
            factor.knob.path: factor.values[level]
            for factor, level in zip(self.factors, levels, strict=True)
            if level
        }
        scenario = self.condition.load(changes)
        return [self.source.ready(match) for match in self.condition.matches(scenario)]
