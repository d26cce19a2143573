"""Policies from weakest to strongest, on one scale with the difficulty levels they play at: who stands where,
how far a level is from the next, for whom it is otherwise.

Three kinds of ladder, after the seats of a game. One seat: policies against levels (Rasch). Two roles:
policies of the first role against those of the second, and levels. Alike seats: every two policies against
each other, the seats turned round (Bradley & Terry 1952); at a table of more than two one policy sits among
copies of the other, which in Luce's model (1959) leaves the same difference of two skills. The scale itself:
`analyses.statistics.rasch`.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise, permutations, product
from math import log
from time import perf_counter

import numpy as np
import polars as pl
from scipy import special

from bartizan.analyses.statistics import paired
from bartizan.analyses.statistics.intervals import FEW, Interval, proportion, with_cut_off
from bartizan.analyses.statistics.multiple_testing import holm
from bartizan.analyses.statistics.paired import Effect, Measure
from bartizan.analyses.statistics.rasch import (
    BLOCKS,
    ODD,
    REPLICATES,
    Contest,
    Entity,
    Fit,
    blocked,
    fit,
    percentile,
    resampling,
    wald,
)
from bartizan.simcore.game import Game
from bartizan.simcore.play.batch import play_games
from bartizan.simcore.play.match import Match, Player
from bartizan.simcore.play.rules import TRUNCATED
from bartizan.simcore.scenario.loading import Scenario
from bartizan.simcore.sweep.run import Progress

POLICY, OPPONENT, LEVEL, SEAT = "policy", "opponent", "level", "seat"
ALPHA = 0.05


@dataclass(frozen=True, eq=False)
class LadderQuestion:
    """What is to be played.

    `sides`: the policies of the first role, and of the second where roles differ, each under the name it is
    to have on the ladder.
    """

    game: Game
    scenarios: Mapping[str, Scenario]  # level -> scenario, easiest first; one where the game has no levels
    sides: tuple[Mapping[str, Player], ...]
    anchors: tuple[Entity, ...]  # what is 0 on the scale, in order of preference
    games: int  # a cell
    seed: int


@dataclass(frozen=True)
class DifficultyStep:
    """From a level to the next, for one policy."""

    policy: str
    points: Effect  # of the share of wins, paired game by game
    logits: Interval | None  # lost on the way; None where a cell has fewer than 10 wins, or losses


@dataclass(frozen=True)
class Rise:
    """From a level to the next, for all."""

    easier: str
    harder: str
    logits: Interval | None  # on the common scale; None where a level is off it
    steps: tuple[DifficultyStep, ...]  # a policy each
    p: float | None  # that it is the same for everyone: Hotelling's T-squared of the steps in logits
    adjusted: float | None = None  # over all rises (Holm 1979)

    @property
    def is_even(self) -> bool | None:
        """Nothing against it being the same for everyone; None: too few policies to ask."""
        return None if self.adjusted is None else self.adjusted >= ALPHA


@dataclass(frozen=True)
class Neighbours:
    """Two policies next to each other on the ladder."""

    kind: str
    stronger: str
    weaker: str
    difference: Interval  # logits
    p: float
    adjusted: float = 1.0  # over all neighbours (Holm 1979)

    @property
    def told_apart(self) -> bool:
        return self.adjusted < ALPHA


@dataclass(frozen=True)
class Meeting:
    """A cell beside what the scale says of it."""

    names: tuple[Entity, ...]
    games: int
    capped: int
    share: Interval
    expected: float | None  # None: somebody in it is off the scale
    score: float | None  # residual in its standard errors

    @property
    def is_misfit(self) -> bool:
        return self.score is not None and abs(self.score) > ODD


@dataclass(frozen=True)
class Ladder:
    fit: Fit
    meetings: tuple[Meeting, ...]
    rises: tuple[Rise, ...]
    neighbours: tuple[Neighbours, ...]

    def places(self, kind: str) -> list[tuple[str, Interval]]:
        """Those of a kind that are on the scale, lowest first."""
        found = [(name, self.fit.interval((of, name))) for of, name in self.fit.entities if of == kind]
        return sorted(found, key=lambda place: place[1].estimate)

    def off(self, kind: str, above: bool) -> list[str]:
        return [one.entity[1] for one in self.fit.off if one.entity[0] == kind and one.above == above]

    @property
    def misfits(self) -> list[Meeting]:
        return [meeting for meeting in self.meetings if meeting.is_misfit]

    def to_frame(self) -> pl.DataFrame:
        """One row a place: kind, name, logits and limits."""
        rows = [
            {"kind": kind, "name": name, **place.to_dict()}
            for kind in (POLICY, OPPONENT, LEVEL, SEAT)
            for name, place in self.places(kind)
        ]
        return pl.DataFrame(rows)


def analyze(
    cells: Sequence[Contest], anchors: Sequence[Entity], levels: Sequence[str] = (), seed: int = 1
) -> Ladder:
    """The ladder of games already played; `levels` easiest first."""
    found = fit(cells, anchors, seed)
    return Ladder(
        found,
        tuple(_meetings(cells, found)),
        tuple(_rises(cells, found, levels, seed)),
        tuple(_neighbours(found)),
    )


# ---------------------------------------------------------------- what is told of a fit


def _meetings(cells: Sequence[Contest], found: Fit) -> Iterator[Meeting]:
    scores = found.scores
    for cell in cells:
        index = next((i for i, other in enumerate(found.cells) if other is cell), None)
        score = None if index is None or np.isnan(scores[index]) else float(scores[index])
        names = tuple(entity for entity in cell.terms if entity[0] != SEAT)
        expected = None if index is None else float(found.expected[index])
        yield Meeting(names, cell.games, len(cell.won) - cell.games, share_of(cell), expected, score)


def share_of(cell: Contest) -> Interval:
    """Of wins; where draws are shared, Wilson's interval of the sum (its variance is no larger)."""
    return with_cut_off(cell.wins, len(cell.won) - cell.games, len(cell.won), method=_proportion)


def _proportion(wins: float, games: int, level: float) -> Interval:
    return proportion(wins, games, level)


def _rises(cells: Sequence[Contest], found: Fit, levels: Sequence[str], seed: int) -> Iterator[Rise]:
    rises = [_rise(cells, found, *pair, seed) for pair in pairwise(levels)]
    asked = [rise.p for rise in rises if rise.p is not None]
    adjusted = iter(holm(asked))
    for rise in rises:
        yield (
            rise
            if rise.p is None
            else Rise(rise.easier, rise.harder, rise.logits, rise.steps, rise.p, next(adjusted))
        )


def _rise(cells: Sequence[Contest], found: Fit, easier: str, harder: str, seed: int) -> Rise:
    ends = [(LEVEL, easier), (LEVEL, harder)]
    policies = list(dict.fromkeys(name for cell in cells for kind, name in cell.terms if kind == POLICY))
    pairs = {
        policy: (_with(cells, (POLICY, policy), ends[0]), _with(cells, (POLICY, policy), ends[1]))
        for policy in policies
    }
    lost = {policy: step for policy, pair in pairs.items() if (step := _lost(*pair, seed)) is not None}
    steps = tuple(
        DifficultyStep(
            policy, _points(*pair), percentile(lost[policy][0], lost[policy][1:]) if policy in lost else None
        )
        for policy, pair in pairs.items()
    )
    common = found.interval(ends[1], ends[0]) if set(ends) <= set(found.entities) else None
    return Rise(easier, harder, common, steps, _p_of_even(list(lost.values()), len(cells[0].won)))


def _with(cells: Sequence[Contest], *entities: Entity) -> list[Contest]:
    return [cell for cell in cells if set(entities) <= set(cell.terms)]


def _points(easier: Sequence[Contest], harder: Sequence[Contest]) -> Effect:
    """What the step takes from the share of wins, over all opponents, game number by game number."""
    wins = Measure("policy", "wins", pl.col("won"), pl.col("won"), (0.0, 1.0))
    return paired.compare(_wins(easier), _wins(harder), [wins])[0]


def _wins(cells: Sequence[Contest]) -> pl.LazyFrame:
    """The share won of each game number; null: in none of them was it told."""
    won = np.mean([cell.won for cell in cells], axis=0)
    return pl.LazyFrame({"game": np.arange(len(won)), "won": won}).fill_nan(None)


def _lost(easier: Sequence[Contest], harder: Sequence[Contest], seed: int) -> np.ndarray | None:
    """The step in logits, a mean over opponents: as played, then in resampled games.

    Half a win is added on each side (Haldane 1956).
    """
    before, after = _logits(easier, seed), _logits(harder, seed)
    return None if before is None or after is None else before - after


def _logits(cells: Sequence[Contest], seed: int) -> np.ndarray | None:
    if any(min(cell.wins, cell.games - cell.wins) < FEW for cell in cells):
        return None
    wins, games = blocked(cells)
    weights = resampling(wins.shape[1], REPLICATES, seed)
    wins, games = (np.vstack([of.sum(axis=1), weights @ of.T]) for of in (wins, games))
    return np.log((wins + 0.5) / (games - wins + 0.5)).mean(axis=1)


def _p_of_even(steps: Sequence[np.ndarray], length: int) -> float | None:
    """Are the steps of all policies the same? Each against the mean of all."""
    if len(steps) < 2:
        return None
    apart = np.array(steps) - np.mean(steps, axis=0)
    return wald(apart[:, 0], apart[:, 1:].T, len(steps) - 1, min(length, BLOCKS))[2]


def _neighbours(found: Fit) -> list[Neighbours]:
    rows = []
    for kind in (POLICY, OPPONENT):
        mine = sorted((entity for entity in found.entities if entity[0] == kind), key=found.value)
        for weaker, stronger in pairwise(mine):
            difference = found.interval(stronger, weaker)
            spread = float((found.resampled(stronger) - found.resampled(weaker)).std(ddof=1))
            p = 2 * float(special.ndtr(-difference.estimate / spread)) if spread else 1.0
            rows.append(Neighbours(kind, stronger[1], weaker[1], difference, p))
    return [
        Neighbours(row.kind, row.stronger, row.weaker, row.difference, row.p, p)
        for row, p in zip(rows, holm([row.p for row in rows]), strict=True)
    ]


# ---------------------------------------------------------------- playing


@dataclass(frozen=True, eq=False)
class Pairing:
    """A cell before it is played."""

    terms: dict[Entity, float]
    match: Match
    seat: int = 0  # whose wins count
    draw: float = 0.0  # what a draw counts
    offset: float = 0.0


def play(
    question: LadderQuestion, jobs: int, watch: Callable[[Progress], None] = lambda progress: None
) -> list[Contest]:
    """Every cell on common luck: game number g has the same luck in all of them."""
    pairings = list(pairings_of(question))
    progress, since = Progress(games_total=question.games * len(pairings)), perf_counter()
    cells = []
    for pairing in pairings:
        progress.cell, progress.wins, progress.games_of_cell = (
            " ".join(name for _, name in pairing.terms),
            0,
            0,
        )
        chunks = []
        for rows in play_games(pairing.match, 0, question.games, jobs):
            chunks.append(_won(rows["winner"], pairing))
            progress.games_done += len(rows)
            progress.played += len(rows)
            progress.games_of_cell += len(rows)
            progress.wins += int((rows["winner"] == pairing.seat).sum())
            progress.seconds = perf_counter() - since
            watch(progress)
        cells.append(Contest(pairing.terms, np.concatenate(chunks), pairing.offset))
    return cells


def _won(winner: np.ndarray, pairing: Pairing) -> np.ndarray:
    won = np.where(winner == pairing.seat, 1.0, np.where(winner < 0, pairing.draw, 0.0))
    return np.where(winner == TRUNCATED, np.nan, won)


def pairings_of(question: LadderQuestion) -> Iterator[Pairing]:
    if question.game.alike:
        return _around_the_table(question)
    return _against_levels(question)


def _against_levels(question: LadderQuestion) -> Iterator[Pairing]:
    """Each line-up at each level. A draw is no win of the first role, as `compare` counts."""
    several = len(question.scenarios) > 1
    for names, (level, scenario) in product(product(*question.sides), question.scenarios.items()):
        players = tuple(side[name] for side, name in zip(question.sides, names, strict=True))
        signs = {
            (kind, name): sign
            for kind, name, sign in zip((POLICY, OPPONENT), names, (1.0, -1.0), strict=False)
        }
        yield Pairing(
            signs | ({(LEVEL, level): -1.0} if several else {}),
            Match(question.game, scenario, players, question.seed),
        )


def _around_the_table(question: LadderQuestion) -> Iterator[Pairing]:
    """Every two policies, in each seat once: at a table of two one game has both, at a larger one a policy
    sits among copies of another.

    A draw is shared by all seats.
    """
    (scenario,), (players,) = question.scenarios.values(), question.sides
    seats = len(question.game.roles_in(scenario))
    for mine, theirs in permutations(players, 2) if seats > 2 else _both_ways(players):
        for seat in range(seats if seats > 2 else 1):
            table = tuple(players[mine if place == seat else theirs] for place in range(seats))
            terms = {(POLICY, mine): 1.0, (POLICY, theirs): -1.0, (SEAT, question.game.roles[seat]): 1.0}
            yield Pairing(
                terms, Match(question.game, scenario, table, question.seed), seat, 1 / seats, -log(seats - 1)
            )


def _both_ways(names) -> Iterator[tuple[str, str]]:
    for one, other in combinations(names, 2):
        yield one, other
        yield other, one
