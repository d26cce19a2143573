"""Training: find the best weights of a policy.

The optimizer is CMA-ES with an ask-and-tell interface (Hansen & Ostermeier 2001). A candidate's objective is
the mean value of its games' ends (`Policy.aim`), which also ranks candidates that lose nearly every game. All
candidates of a generation play the same games, and each generation has new games, to avoid overfitting.
Because of selection bias, the intermediate means of the search and the initial weights meet in a play-off on
held-out seeds; the winner is then compared on seeds that were not used for selection.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from math import log

import numpy as np
import polars as pl

from bartizan.analyses.document import Document
from bartizan.analyses.experiments.tuning import FRESH
from bartizan.analyses.statistics.intervals import Interval
from bartizan.analyses.statistics.paired import Effect, Measure, compare
from bartizan.simcore.compile import mistakes
from bartizan.simcore.errors import PolicyError, UsageError
from bartizan.simcore.game import Game, around
from bartizan.simcore.play.batch import Source, Stretch
from bartizan.simcore.play.match import Match, Player
from bartizan.simcore.play.worth import valuer
from bartizan.simcore.scenario.loading import Scenario

SPREAD = 0.3  # first generation: standard deviation of a weight, as a fraction of the weight
DIGITS = 4  # significant digits of a candidate's weights
VALUE_DIGITS = 6  # digits of a candidate's value, because a resumed search reads the values from its file
MARKS = 4  # number of intermediate means in the play-off
METHOD = (
    "CMA-ES (Hansen & Ostermeier 2001); common deals within a generation, new ones in the next; play-off and "
    "comparison on held-out seeds"
)

Weights = Mapping[str, float]


@dataclass(frozen=True, eq=False)
class Course:
    """Setup of a training run: policy, levels and opponents."""

    game: Game
    names: tuple[str, ...]  # trainable weights
    scenarios: Mapping[str, Scenario]  # level -> scenario; all levels have equal weight
    # policy of each seat; the trained policy is in `seat`; seats are rotated if they are identical
    players: tuple[Player, ...]
    seat: int
    seed: int
    # tables used instead, each with its parts of the games, against a mixed strategy
    tables: tuple[tuple[tuple[Player, ...], int], ...] = ()
    # (rows of records, seat) -> float64, value of each game; None: the `aim` of the trained policy
    worth: Callable[[np.ndarray, int], np.ndarray] | None = None

    @property
    def trainee(self) -> Player:
        return self.players[self.seat]

    def start(self) -> dict[str, float]:
        """Return the initial values of the trainable weights, by name."""
        return {name: self.trainee.weights[name] for name in self.names}

    def seatings(self) -> list[tuple[tuple[Player, ...], int, int]]:
        """Return (players by seat, seat of the trained policy, relative number of games) for each table."""
        if not self.game.alike:
            return [(players, self.seat, parts) for players, parts in self.tables or [(self.players, 1)]]
        return [(players, seat, 1) for players, seat in around(self.players, self.seat)]


@dataclass(frozen=True)
class TrainingVolume:
    """Number of generations, and of games per level."""

    generations: int
    games: int  # games per candidate and level
    fresh: int  # held-out games of the comparison per level


class BeforeAfter(Document):
    """The same held-out games with the initial and the final weights."""

    games: int
    before: Interval
    after: Interval
    difference: Interval


class Trained(Document):
    generations: int
    candidates: int  # candidates per generation
    progress: list[list[float]]  # values of the candidates of each generation
    weights: dict[str, float]
    before: dict[str, float]  # initial weights
    is_better: bool  # whether the final weights are significantly better than the initial weights
    value: BeforeAfter  # mean value of a game over all levels
    wins: dict[str, BeforeAfter]  # share of wins by level


class Evaluator:
    """Evaluator of weights for a course. The result does not depend on the workers."""

    def __init__(self, course: Course, source: Source):
        self.course, self.source = course, source
        self.values_of = course.worth or valuer(course.trainee.aim, course.game.compiled)
        seatings = course.seatings()
        self.parts = [parts for _, _, parts in seatings]
        self.tables = {
            level: [
                (source.ready(Match(course.game, scenario, players, course.seed)), seat)
                for players, seat, _ in seatings
            ]
            for level, scenario in course.scenarios.items()
        }

    def means(self, candidates: Sequence[Weights], seed: int, games: range) -> list[float]:
        """Return the mean value of each candidate over the same games. All levels have equal weight."""
        played = self.games(candidates, seed, games)
        worth = [
            float(np.mean([frame["value"].to_numpy().mean() for frame in levels.values()]))
            for levels in played
        ]
        return [round(value, VALUE_DIGITS) for value in worth]

    def games(self, candidates: Sequence[Weights], seed: int, games: range) -> list[dict[str, pl.DataFrame]]:
        """Return, for each candidate, a dict from levels to games: one row per game with game, value, win."""
        n = len(games)
        columns = [{level: (np.zeros(n), np.zeros(n)) for level in self.tables} for _ in candidates]
        for stretch, rows in self.source.play(self._stretches(candidates, seed, games)):
            who, level, seat = stretch.key
            begin = stretch.games.start - games.start
            values, wins = (column[begin : begin + len(rows)] for column in columns[who][level])
            values[:], wins[:] = self._values(rows, seat), rows["winner"] == seat
        return [
            {
                level: pl.DataFrame({"game": np.arange(n), "value": values, "win": wins})
                for level, (values, wins) in levels.items()
            }
            for levels in columns
        ]

    def _stretches(self, candidates: Sequence[Weights], seed: int, games: range) -> Iterator[Stretch]:
        """Yield the games of each candidate and level, divided among the tables.

        Identical seats get equal numbers of games.
        """
        for who, weights in enumerate(candidates):
            for level, tables in self.tables.items():
                for (table, seat), part in zip(tables, portions(games, self.parts), strict=True):
                    if part:
                        ready = table.with_weights(seat, weights, seed)
                        yield Stretch(ready, part, seat=None, key=(who, level, seat))

    def _values(self, rows: np.ndarray, seat: int) -> np.ndarray:
        """Return the value of each row. Raises PolicyError if the policy's `aim` fails or is not finite."""
        try:
            values = self.values_of(rows, seat)
        except Exception as error:
            raise self._odd(f"fails: {mistakes.reason_of(error)}") from error
        if not np.isfinite(values).all():
            raise self._odd(
                "is not finite at the end of at least one game; return a finite number for every record"
            )
        return values

    def _odd(self, what: str) -> PolicyError:
        trainee = self.course.trainee
        return PolicyError(f"{trainee.source}: policy {trainee.name}: its `aim` {what}")


def portions(games: range, parts: Sequence[int]) -> list[range]:
    """Split the games into consecutive parts with these integer proportions."""
    ends = [len(games) * so_far // sum(parts) for so_far in accumulate(parts)]
    return [games[begin:end] for begin, end in pairwise([0, *ends])]


class Optimizer:
    """CMA-ES optimizer of a course, whose candidates are weights."""

    def __init__(self, course: Course):
        from cmaes import CMA  # a second to import, scipy.stats with it, and every report imports this module

        self.names = course.names
        self.start = np.array(list(course.start().values()))
        self.scale = np.where(self.start == 0, 1.0, np.abs(self.start))
        self.cma = CMA(
            np.zeros(len(self.names)),
            SPREAD,
            seed=course.seed % 2**32,
            population_size=population(len(self.names)),
        )
        self.proposed: list[np.ndarray] = []

    @property
    def candidates(self) -> int:
        """Number of candidates per generation."""
        return int(self.cma.population_size)

    def ask(self) -> list[dict[str, float]]:
        """Return the candidates of the next generation: weights by name, one dict per candidate."""
        self.proposed = [self.cma.ask() for _ in range(self.candidates)]
        return [self._weights(x) for x in self.proposed]

    def tell(self, values: Sequence[float]) -> None:
        """Pass the candidates' values to the optimizer; larger is better."""
        self.cma.tell([(x, -value) for x, value in zip(self.proposed, values, strict=True)])

    def mean(self) -> dict[str, float]:
        """Return the current mean of the search distribution."""
        return self._weights(self.cma.mean)

    def _weights(self, x: np.ndarray) -> dict[str, float]:
        values = self.start + self.scale * x
        return {name: float(f"{value:.{DIGITS}g}") for name, value in zip(self.names, values, strict=True)}


def train(
    course: Course,
    volume: TrainingVolume,
    source: Source,
    known: Sequence[Sequence[float]] = (),
    keep: Callable[[list[list[float]]], None] = lambda values: None,
) -> Trained:
    """Train a policy, and compare it with its initial weights on held-out games.

    known, keep: see `search`.
    """
    evaluator = Evaluator(course, source)
    ahead = games_of_search(volume, len(course.names), len(known)) + 2 * volume.fresh
    source.expect(len(course.scenarios) * ahead)
    best, values = search(evaluator, volume, known, keep)
    wins, value = compared(evaluator, course.start(), best, course.seed + 2 * FRESH, volume.fresh)
    return Trained(
        generations=len(values),
        candidates=len(values[0]),
        progress=values,
        weights=best,
        before=course.start(),
        is_better=value.difference.is_clear and value.difference.interval.estimate > 0,
        value=before_after(value),
        wins={level: before_after(effect) for level, effect in wins.items()},
    )


def before_after(effect: Effect) -> BeforeAfter:
    """Return an effect as a document."""
    return BeforeAfter(
        games=effect.n,
        before=effect.base.interval,
        after=effect.changed.interval,
        difference=effect.difference.interval,
    )


def search(
    evaluator: Evaluator,
    volume: TrainingVolume,
    known: Sequence[Sequence[float]] = (),
    keep: Callable[[list[list[float]]], None] = lambda values: None,
    name: str = "",
) -> tuple[dict[str, float], list[list[float]]]:
    """Return the weights that win the play-off, and the values of the candidates of each generation.

    known: values of the first generations of an interrupted run, which are reused. keep: called with all
    values after each generation. name: for progress messages.
    """
    course, optimizer = evaluator.course, Optimizer(evaluator.course)
    evaluator.source.progress.begin(name)
    progress = _reused(known[: volume.generations], population(len(course.names)))
    marks = marks_of(volume.generations)
    finalists = [course.start()]
    for generation in range(volume.generations):
        candidates = optimizer.ask()
        if generation >= len(progress):
            first = generation * volume.games
            games = range(first, first + volume.games)
            progress.append(evaluator.means(candidates, course.seed, games))
            keep(progress)
        optimizer.tell(progress[generation])
        if generation + 1 in marks:
            finalists.append(optimizer.mean())
    fresh = range(4 * volume.games)  # deals that were not used for training
    worth = evaluator.means(finalists, course.seed + FRESH, fresh)
    return dict(finalists[int(np.argmax(worth))]), progress


GREATEST = 1e300  # a mean value in a file


def _reused(known: Sequence[Sequence[float]], candidates: int) -> list[list[float]]:
    """Return the saved values of the first generations. Raises UsageError if they are damaged."""
    for values in known:
        is_list = isinstance(values, Sequence) and len(values) == candidates
        if not is_list or not all(
            isinstance(value, int | float) and abs(value) < GREATEST for value in values
        ):
            raise UsageError(
                f"-o: the file contains {values} as the values of {candidates} candidates, so it is damaged; "
                "delete it, and run the command again"
            )
    return [list(values) for values in known]


def population(weights: int) -> int:
    """Return the number of candidates in a generation (Hansen 2016)."""
    return 4 + int(3 * log(weights))


def games_of_search(volume: TrainingVolume, weights: int, known: int = 0) -> int:
    """Return the number of games of a search at each level, play-off included.

    weights: number of trainable weights. known: generations already simulated.
    """
    to_search = max(volume.generations - known, 0) * population(weights) * volume.games
    return to_search + 4 * volume.games * (len(marks_of(volume.generations)) + 1)


def marks_of(generations: int) -> set[int]:
    """Return the generations whose mean is saved for the play-off."""
    return {generations * (i + 1) // MARKS for i in range(MARKS)} - {0}


WIN = Measure("share", "wins", pl.col("win"), pl.col("win"), (0.0, 1.0))
VALUE = Measure("value", "value", pl.col("value"), pl.col("value"))


def compared(
    evaluator: Evaluator, before: Weights, after: Weights, seed: int, games: int
) -> tuple[dict[str, Effect], Effect]:
    """Compare `after` with `before` on the same games.

    Returns the effect on the share of wins at each level, and on the mean value over all levels.
    """
    base, changed = evaluator.games([before, after], seed, range(games))
    effects = {level: compare(base[level].lazy(), changed[level].lazy(), [WIN])[0] for level in base}
    (value,) = compare(_all_levels(base), _all_levels(changed), [VALUE])
    return effects, value


def _all_levels(levels: Mapping[str, pl.DataFrame]) -> pl.LazyFrame:
    return pl.concat(list(levels.values())).lazy().group_by("game").agg(pl.col("value").mean()).sort("game")
