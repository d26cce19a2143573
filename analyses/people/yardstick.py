"""The policies' scale that people are laid against: a policy and copies of it that act at random with some
chance (the dial), at each level, their games kept to be drawn from.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from time import perf_counter

import numpy as np

from bartizan.analyses.statistics.rasch import Contest, Fit, fit
from bartizan.simcore.game import Game
from bartizan.simcore.play.batch import play_games
from bartizan.simcore.play.match import Match, Player
from bartizan.simcore.play.rules import TRUNCATED
from bartizan.simcore.scenario.loading import Scenario
from bartizan.simcore.sweep.run import Progress

POLICY, LEVEL = "policy", "level"
REPLICATES = 20  # of the scale's bootstrap, that people are laid against one by one
FEWEST = 2  # rungs on the scale: with fewer there is nothing to lay between


@dataclass(frozen=True, eq=False)
class YardstickQuestion:
    """What is to be played. `dial`: chance of a random action -> the player, 0 first."""

    game: Game
    scenarios: Mapping[str, Scenario]  # level -> scenario, easiest first
    dial: Mapping[float, Player]
    games: int  # a cell
    seed: int
    zero: str  # the level that is 0 on the scale


@dataclass(frozen=True, eq=False)
class Finished:
    """Games of one cell that reached an end."""

    won: np.ndarray  # bool
    score: np.ndarray  # nan: none
    turn: np.ndarray
    ended: np.ndarray  # names [game, 2] of how a game was lost: end reason and cause; "" for a win


@dataclass(frozen=True, eq=False)
class Yardstick:
    """Rungs from the strongest to the weakest, and levels, those on the scale only."""

    question: YardstickQuestion
    fit: Fit
    noises: tuple[float, ...]  # of the rungs on the scale, rising
    levels: tuple[str, ...]
    cells: Mapping[tuple[float, str], Finished]

    @property
    def policy(self) -> str:
        return self.question.dial[0.0].name

    @property
    def eases(self) -> np.ndarray:
        """[replicate, level]: what each level gives, in logits."""
        return np.column_stack([-self._of((LEVEL, level)) for level in self.levels])

    @property
    def skills(self) -> np.ndarray:
        """[replicate, rung]: made to fall where noise rises."""
        found = np.column_stack([self._of((POLICY, _name(noise))) for noise in self.noises])
        return np.minimum.accumulate(found, axis=1)

    @property
    def places(self) -> list[dict]:
        """Each rung with its place and interval."""
        return [
            {"noise": noise, "logits": self.fit.interval((POLICY, _name(noise))).to_dict()}
            for noise in self.noises
        ]

    def difficulties(self) -> list[dict]:
        return [
            {"level": level, "logits": self.fit.interval((LEVEL, level)).to_dict()}
            for level in self.levels
            if (LEVEL, level) in self.fit.entities
        ]

    def noise_of(self, skill: np.ndarray) -> np.ndarray:
        """[draw]: where on the dial a skill stands, piecewise linear; 0 or the most beyond the ends. Draw
        i is laid against replicate i modulo their number.
        """
        skills, where = self.skills, np.arange(len(skill)) % REPLICATES
        found = np.empty(len(skill))
        for row in range(min(REPLICATES, len(skill))):
            mine = where == row
            found[mine] = np.interp(-skill[mine], -skills[row], self.noises)
        return found

    def _of(self, entity) -> np.ndarray:
        """[replicate]: evenly chosen of all; zeros for the one level of a game without levels."""
        if entity not in self.fit.entities:
            return np.zeros(REPLICATES)
        found = self.fit.resampled(entity)
        return found[np.linspace(0, len(found) - 1, REPLICATES).astype(int)]


def _name(noise: float) -> str:
    return f"{noise:g}"


def play(
    question: YardstickQuestion, jobs: int, watch: Callable[[Progress], None] = lambda progress: None
) -> Yardstick:
    """Every rung at every level, on common luck."""
    progress = Progress(games_total=question.games * len(question.dial) * len(question.scenarios))
    contests, cells, since = [], {}, perf_counter()
    for noise, player in question.dial.items():
        for level, scenario in question.scenarios.items():
            rows = []
            for chunk in play_games(
                Match(question.game, scenario, (player,), question.seed), 0, question.games, jobs
            ):
                rows.append(chunk)
                progress.games_done += len(chunk)
                progress.played += len(chunk)
                progress.seconds = perf_counter() - since
                watch(progress)
            played = np.concatenate(rows)
            contests.append(_contest(question, noise, level, played))
            cells[noise, level] = finished(question.game, scenario, played)
    return _read(question, contests, cells)


def _read(question: YardstickQuestion, contests: Sequence[Contest], cells: Mapping) -> Yardstick:
    anchors = [(LEVEL, question.zero), *((LEVEL, level) for level in question.scenarios)]
    found = fit(contests, anchors, question.seed)
    several = len(question.scenarios) > 1
    noises = tuple(noise for noise in question.dial if (POLICY, _name(noise)) in found.entities)
    levels = tuple(one for one in question.scenarios if not several or (LEVEL, one) in found.entities)
    return Yardstick(question, found, noises, levels, cells)


def _contest(question: YardstickQuestion, noise: float, level: str, rows: np.ndarray) -> Contest:
    """As `ladder` counts: a draw is no win, a game cut off is not told."""
    won = np.where(rows["winner"] == TRUNCATED, np.nan, np.where(rows["winner"] == 0, 1.0, 0.0))
    terms = {(POLICY, _name(noise)): 1.0}
    return Contest(terms | ({(LEVEL, level): -1.0} if len(question.scenarios) > 1 else {}), won)


def finished(game: Game, scenario: Scenario, rows: np.ndarray) -> Finished:
    """Those that reached an end, with the words for how they were lost."""
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
