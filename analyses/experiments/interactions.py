"""What do a few values do on average over each other, and which of them only together? The second stage of
`sensitivity`, for the most influential of the first.

Random settings of these values are drawn, each value by itself among what it is now and its variations, all
as likely, as in the joint draws. Around each setting every value is put to all it may be, and every pair is
changed together (`analyses.statistics.sobol`). All points of a setting have the same game numbers, so the
same luck; another setting has others, and none has those of the first stage, which chose the values.
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

# many settings and few games: a setting is worth more than its games, whose noise is taken off
SETTINGS, GAMES = (200, 100)
SPAN = (0.0, 1.0)  # of a headline, which is a share of wins
TRIES = 100  # settings drawn for one that can be played at all its points
SECOND = 2  # of the stages: its random numbers are not those of the joint draws
KEPT = 1024  # scenarios in memory, half a megabyte each: six values of three levels make 729
METHOD = (
    "random settings on common luck: variance-based indices over the levels of each value, all as likely "
    "(Saltelli et al. 2010; Jansen 1999; pairs: Liu & Owen 2006), "
    "the noise of few games taken off; indices with bootstrap intervals over settings (first-order: ball of "
    "the level means; else BCa, Efron 1987), "
    "changes and lines of pairs with Student's t, and all intervals of a kind hold together with 95 % "
    "(Bonferroni); each mean with Student's t and 95 % by itself"
)


@dataclass(frozen=True)
class Factor:
    """A value with all it may be; the first is what it is now."""

    knob: Parameter
    values: tuple[Any, ...]


# ---------------------------------------------------------------- what is found


@dataclass(frozen=True)
class Index(Interval):
    """A share of the variance."""

    is_noise: bool  # does noise explain it?

    @classmethod
    def of(cls, share: Interval) -> "Index":
        return cls(**share.to_dict(), is_noise=indices.is_noise(share))


class ValueEffect(Document):
    """A value that is put to all it may be."""

    path: str
    what: str
    confidence: str
    source: str
    values: list[Any]  # the first is what it is now

    @staticmethod
    def named(factor: Factor) -> dict[str, Any]:
        names = ("path", "what", "confidence", "source")
        return {**{name: getattr(factor.knob, name) for name in names}, "values": list(factor.values)}


class LevelMean(Document):
    value: Any
    headline: Interval  # over the settings of the others


class Change(Document):
    """From what a value is now to another one, over the settings of the others."""

    from_: Any = keyed("from")
    to: Any
    difference: Interval
    is_clear: bool
    nine_in_ten: tuple[float, float]  # settings lie between these two, the noise taken off


class ValueEffects(ValueEffect):
    """Indices are None where the result does not vary beyond noise."""

    alone: Index | None
    total: Index | None  # with all others
    levels: list[LevelMean]
    changes: list[Change]


class AtValue(Document):
    value: Any
    difference: Interval | None


class Given(Document):
    """What the largest change of one value does at each value of another."""

    path: str
    from_: Any = keyed("from")
    to: Any
    by: str  # path of the other
    at: list[AtValue]


class EffectPair(Document):
    """What two values do only together."""

    paths: list[str]
    share: Index
    given: list[Given]  # both ways


class PlayedSettings(Document):
    """How much was played. sentence: what a report says of it."""

    sentence: str = ""
    settings: int  # that were played
    games: int  # of each seating at each point
    points: int  # that were played
    first_game: int
    redrawn: int  # settings drawn that could not be played at all their points, and were drawn again
    capped: int  # games cut off; each counts as half of what it might have been
    method: str = METHOD


class TooFewSettings(PlayedSettings):
    knobs: list[ValueEffect]
    pairs: list[EffectPair] = []


class Interactions(PlayedSettings):
    variance: Interval  # of the headline over the settings, without noise
    varies: bool  # beyond noise
    noise_variance: float
    sum_alone: Interval | None  # of all shares by themselves: 1 where nothing interacts
    knobs: list[ValueEffects]
    pairs: list[EffectPair]

    @property
    def clear_pairs(self) -> list[EffectPair]:
        """Pairs that noise does not explain, largest first."""
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
    """Play every setting at all its points. families: of the answer, those of these effects included.

    Setting n of a seed is the same however many there are; the answer does not depend on who plays.
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
    """Of each game number; a game cut off: the middle of what it might have been."""
    measure = headline(line_up, by_player)
    middles = line_up.scan().select("game", value=(measure.low + measure.high) / 2)
    return middles.sort("game").collect()["value"].to_numpy()


class _Settings:
    """Settings that can be played, one after another, while others are played."""

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
        """Drawn anew while some of its points are refused; None after so many tries."""
        luck = np.random.default_rng((self.condition.seed, SECOND, number))
        for _ in range(TRIES):
            setting = self.design.draw(luck)
            try:
                return setting, [self.at(levels) for levels in self.design.points(setting)]
            except ScenarioError:
                self.redrawn += 1
        return None

    def _at(self, levels: tuple[int, ...]) -> list[Batch]:
        """Raises ScenarioError where the scenario refuses these values together."""
        changes = {
            factor.knob.path: factor.values[level]
            for factor, level in zip(self.factors, levels, strict=True)
            if level
        }
        scenario = self.condition.load(changes)
        return [self.source.ready(match) for match in self.condition.matches(scenario)]
