"""What do a few values do on average over each other, and which of them only together? The second stage of
`sensitivity`, for the most influential of the first.

Random settings of these values are drawn, each value by itself among what it is now and its variations, all
as likely, as in the joint draws. Around each setting every value is put to all it may be, and every pair is
changed together (`analyses.statistics.sobol`). All points of a setting have the same game numbers, so the
same luck; another setting has others, and none has those of the first stage, which chose the values.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from bartizan.analyses.experiments import trials
from bartizan.analyses.experiments.trials import Condition, Trial, play
from bartizan.analyses.records.comparison import headline
from bartizan.analyses.records.line_ups import LineUp
from bartizan.analyses.statistics import sobol as indices
from bartizan.analyses.statistics.intervals import Interval
from bartizan.analyses.statistics.sobol import Design, Indices, LevelDraw, SettingMeans
from bartizan.simcore.errors import ScenarioError
from bartizan.simcore.play.batch import Batch, Source
from bartizan.simcore.scenario.parameters import Parameter

# many settings and few games: a setting is worth more than its games, whose noise is taken off
SETTINGS, GAMES = (200, 100)
TRIES = 100  # settings drawn for one that can be played at all its points
SECOND = 2  # of the stages: its random numbers are not those of the joint draws
KEPT = 1024  # scenarios in memory, half a megabyte each: six values of three levels make 729
METHOD = (
    "random settings on common luck: variance-based indices over the levels of each value, all as likely "
    "(Saltelli et al. 2010; Jansen 1999; pairs: Liu & Owen 2006), "
    "the noise of few games taken off; indices with bootstrap intervals over settings (first-order: ball of "
    "the level means; else BCa, Efron 1987), "
    "changes with Student's t, and all intervals of a kind hold together with 95 % (Bonferroni); each mean, "
    "and each line of a pair, with Student's t and 95 % by itself"
)


@dataclass(frozen=True)
class Factor:
    """A value with all it may be; the first is what it is now."""

    knob: Parameter
    values: tuple[Any, ...]


@dataclass(frozen=True)
class Interactions:
    """Answers are None where too few settings could be played. Pairs of factors by their numbers."""

    factors: tuple[Factor, ...]
    games: int  # of each seating at each point
    points: int  # that were played
    first_game: int
    settings: int  # that were played
    redrawn: int  # settings drawn that could not be played at all their points, and were drawn again
    capped: int  # games cut off; each counts as half of what it might have been
    found: Indices | None
    # (of, by) -> the level that moves most on average, and what it does at each level of the other
    given: Mapping[tuple[int, int], tuple[int, list[Interval | None]]]

    def clear_pairs(self) -> list[tuple[int, int]]:
        """Pairs that noise does not explain, largest first."""
        clear = (
            [
                (pair, share.estimate)
                for pair, share in self.found.pairs.items()
                if not indices.is_noise(share)
            ]
            if self.found
            else []
        )
        return [pair for pair, _ in sorted(clear, key=lambda pair: -pair[1])]


def analyze(
    condition: Condition, factors: Sequence[Factor], settings: int, by_player: bool, source: Source
) -> Interactions:
    """Play every setting at all its points.

    Setting n of a seed is the same however many there are; the answer does not depend on who plays.
    """
    drawn, rows, capped = _Settings(condition, factors, source), [], 0
    source.expect(settings * drawn.design.most_points * GAMES * len(condition.seatings()))
    for trial, line_up in play(condition, drawn.trials(settings), source):
        rows.append(indices.row(drawn.design, trial.what, _headlines(line_up, by_player).reshape(-1, GAMES)))
        capped += trials.capped(line_up)
    sobol = indices.analyze(drawn.design, rows) if len(rows) >= indices.FEWEST else None
    points = len(rows) * drawn.design.most_points
    return Interactions(
        tuple(factors),
        GAMES,
        points,
        condition.games,
        len(rows),
        drawn.redrawn,
        capped,
        sobol,
        _given(drawn.design, rows, sobol),
    )


def _headlines(line_up: LineUp, by_player: bool) -> np.ndarray:
    """Of each game number; a game cut off: the middle of what it might have been."""
    measure = headline(line_up, by_player)
    return (
        line_up.scan()
        .select("game", value=(measure.low + measure.high) / 2)
        .sort("game")
        .collect()["value"]
        .to_numpy()
    )


def _given(
    design: Design, rows: Sequence[SettingMeans], sobol: Indices | None
) -> dict[tuple[int, int], tuple[int, list]]:
    if not sobol:
        return {}
    largest = [
        1 + int(np.argmax([abs(change.mean.estimate) for change in effect.changes]))
        for effect in sobol.effects
    ]
    both_ways = [way for pair in sobol.pairs for way in (pair, pair[::-1])]
    return {(of, by): (largest[of], indices.given(design, rows, of, largest[of], by)) for of, by in both_ways}


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
                first_game = self.condition.games + (number - 1) * GAMES
                yield Trial(setting, tables, GAMES, first_game, f"setting {number}")

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
