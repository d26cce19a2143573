"""The policies' scale that people are laid against: a policy and copies of it that act at random with some
chance (the dial), at each level, their games kept to be drawn from.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product

import numpy as np

from bartizan.analyses.document import Document
from bartizan.analyses.experiments import ladder
from bartizan.analyses.experiments.ladder import LEVEL, POLICY, LadderQuestion, LevelPlace
from bartizan.analyses.statistics.intervals import Interval
from bartizan.analyses.statistics.rasch import Fit, fit
from bartizan.simcore.compile.rules import TRUNCATED
from bartizan.simcore.game import Game
from bartizan.simcore.play.batch import Source
from bartizan.simcore.play.match import Player
from bartizan.simcore.scenario.loading import Scenario

REPLICATES = 20  # of the scale's bootstrap, that people are laid against one by one
FEWEST = 2  # rungs on the scale: with fewer there is nothing to lay between


@dataclass(frozen=True, eq=False)
class Finished:
    """Games of one cell that reached an end."""

    won: np.ndarray  # bool
    score: np.ndarray  # nan: none
    turn: np.ndarray
    ended: np.ndarray  # names [game, 2] of how a game was lost: end reason and cause; "" for a win


class NoisePlace(Document):
    """Where a rung is on the scale."""

    noise: float
    logits: Interval


@dataclass(frozen=True, eq=False)
class Yardstick:
    """Rungs from the strongest to the weakest, and levels, those on the scale only."""

    question: LadderQuestion
    fit: Fit
    noises: tuple[float, ...]  # of the rungs on the scale, rising
    levels: tuple[str, ...]
    cells: Mapping[tuple[float, str], Finished]

    @property
    def policy(self) -> str:
        return self.question.sides[0][_name(0.0)].name

    @property
    def eases(self) -> np.ndarray:
        """[replicate, level]: what each level gives, in logits."""
        return np.column_stack([-self._of((LEVEL, level)) for level in self.levels])

    @property
    def skills(self) -> np.ndarray:
        """[replicate, rung]: made to fall where noise rises."""
        skills = [self._of((POLICY, _name(noise))) for noise in self.noises]
        return np.minimum.accumulate(np.column_stack(skills), axis=1)

    @property
    def places(self) -> list[NoisePlace]:
        return [
            NoisePlace(noise=noise, logits=self.fit.interval((POLICY, _name(noise)))) for noise in self.noises
        ]

    @property
    def difficulties(self) -> list[LevelPlace]:
        return [
            LevelPlace(level=level, logits=self.fit.interval((LEVEL, level)))
            for level in self.levels
            if (LEVEL, level) in self.fit.entities
        ]

    def noise_of(self, skill: np.ndarray) -> np.ndarray:
        """[draw]: where on the dial a skill stands, piecewise linear; 0 or the most beyond the ends. Draw
        i is laid against replicate i modulo their number.
        """
        skills, where = self.skills, np.arange(len(skill)) % REPLICATES
        noises = np.empty(len(skill))
        for row in range(min(REPLICATES, len(skill))):
            mine = where == row
            noises[mine] = np.interp(-skill[mine], -skills[row], self.noises)
        return noises

    def _of(self, entity) -> np.ndarray:
        """[replicate]: evenly chosen of all; zeros for the one level of a game without levels."""
        if entity not in self.fit.entities:
            return np.zeros(REPLICATES)
        values = self.fit.resampled(entity)
        return values[np.linspace(0, len(values) - 1, REPLICATES).astype(int)]


def _name(noise: float) -> str:
    """What a rung is called on the ladder; `float` makes its noise of it again."""
    return repr(noise)


def question_of(
    game: Game,
    scenarios: Mapping[str, Scenario],
    dial: Mapping[float, Player],
    games: int,
    seed: int,
    zero: str,
) -> LadderQuestion:
    """A ladder of one policy at every noise.

    dial: chance of a random action -> the player, 0 first; zero: the level that is 0 on the scale.
    """
    anchors = ((LEVEL, zero), *((LEVEL, level) for level in scenarios))
    rungs = {_name(noise): player for noise, player in dial.items()}
    return LadderQuestion(game, scenarios, (rungs,), anchors, games, seed)


def play(question: LadderQuestion, source: Source) -> Yardstick:
    """Every rung at every level, on common luck."""
    (rungs,) = question.sides
    contests, cells = [], {}
    conditions = product(rungs, question.scenarios)
    for (rung, level), (pairing, rows) in zip(conditions, ladder.play(question, source), strict=True):
        contests.append(pairing.contest(rows))
        cells[float(rung), level] = finished(question.game, question.scenarios[level], rows)
    scale = fit(contests, question.anchors, question.seed)
    several = len(question.scenarios) > 1
    noises = tuple(float(rung) for rung in rungs if (POLICY, rung) in scale.entities)
    levels = tuple(level for level in question.scenarios if not several or (LEVEL, level) in scale.entities)
    return Yardstick(question, scale, noises, levels, cells)


def finished(game: Game, scenario: Scenario, rows: np.ndarray) -> Finished:
    """Games that reached an end, with the words for how they were lost."""
    rows, engine = rows[rows["winner"] != TRUNCATED], game.compiled
    score = rows["score"].astype(float)
    if "score" in engine.nulls:
        score = np.where(rows["score"] == engine.nulls["score"], np.nan, score)
    reasons = _named(rows["end_reason"], engine.reason_names())
    cause = engine.cause_column
    causes = _named(rows[cause], engine.labels[cause](scenario)) if cause in engine.labels else reasons
    won = rows["winner"] == 0
    ended = np.where(won[:, None], "", np.column_stack([reasons, causes]))
    return Finished(won, score, rows["turn"].astype(float), ended)


def _named(codes: np.ndarray, names: Mapping) -> np.ndarray:
    known = {int(code): str(name) for code, name in names.items()}
    values, where = np.unique(codes, return_inverse=True)
    return np.array([known.get(int(value), "") for value in values])[where]
