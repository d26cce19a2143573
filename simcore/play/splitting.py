"""Fixed-effort multilevel splitting: a rare event is reached level by level (Garvels 2000).

Each stage simulates the same number of trajectories, regardless of the stage before. Each trajectory starts
from a game that has just reached the level below, with its own random numbers, and continues until it reaches
the next level or can no longer reach it. The fraction of trajectories that reach the next level estimates the
probability of this step; the product of the fractions is an unbiased estimate of the probability of the
event. A state contains everything on which the future of a game depends except its random numbers, so a game
may be continued from it any number of times; piles keep their order. A replicate is one run through all
stages with its own random numbers.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import NamedTuple

import numpy as np
from numba import types

from bartizan.simcore.compile.copies import copy_state
from bartizan.simcore.compile.loops import Loop, array, new_states
from bartizan.simcore.compile.rules import PLAYING, PLY_CAP, progress
from bartizan.simcore.documentation import page
from bartizan.simcore.errors import UsageError, as_spelled, did_you_mean
from bartizan.simcore.play.match import Experiment, Jobs, Match, in_order, played_by
from bartizan.simcore.play.step import begin_game, step
from bartizan.simcore.rng import fresh_luck

CHUNK_GAMES = 2048  # games of plain Monte Carlo per chunk
ENTRANCES = 1  # separates the choice of entrances from other uses of the seed

COUNTS = np.dtype([("reached", "i8"), ("plies", "i8"), ("truncated", "i8")])  # of a stage, see `SplitStage`


class Games(NamedTuple):
    """Games that have just reached a level, and their numbers of decisions. Empty before the first stage."""

    states: np.ndarray
    plies: np.ndarray  # int64

    @property
    def n(self) -> int:
        return len(self.plies)


class Starts(NamedTuple):
    """The games from which the trajectories of a stage start, and the game that each trajectory continues."""

    games: Games  # at the level before; none: trajectory i is game first_game + i of the seed
    picks: np.ndarray  # int64 [trajectory]: index of the game that it continues


class Arrivals(NamedTuple):
    """The games in which the trajectories of a stage end."""

    games: Games  # at the level, filled from the front
    best: np.ndarray  # int64 [trajectory]: its maximum progress
    counts: np.ndarray  # COUNTS of length 1, zeros


def play_until(state, tables, policies, workspace, plies, level):
    """Simulate a game until `progress` reaches `level` or falls below 0, or the game ends.

    plies: number of earlier decisions.

    Returns the plies of the game so far and the maximum progress.
    """
    now = progress(state, tables)
    best = now
    while state.end_reason == PLAYING and 0 <= now < level:
        plies = step(state, tables, policies, workspace, plies)
        now = progress(state, tables)
        best = max(best, now)
    return plies, best


def enter(states, tables, workspace, first_game, starts, i):
    """Start trajectory i in states[0], and return its number of earlier plies."""
    if starts.games.plies.shape[0] == 0:
        return begin_game(states, tables, workspace, first_game + i)
    workspace.game = first_game + i
    copy_state(states[0], starts.games.states[starts.picks[i]])
    fresh_luck(states[0], i)
    return starts.games.plies[starts.picks[i]]


def play_stage(states, tables, policies, workspaces, first_game, starts, level, arrivals):
    """Simulate one stage of multilevel splitting: trajectories from `starts` up to `level`.

    Each trajectory has its own random numbers. starts: `Starts`. arrivals: `Arrivals`, filled.
    """
    state, workspace, count = states[0], workspaces[0], arrivals.counts[0]
    for i in range(starts.picks.shape[0]):
        since = enter(states, tables, workspace, first_game, starts, i)
        plies, best = play_until(state, tables, policies, workspace, since, level)
        if workspace.is_illegal:
            return
        arrivals.best[i] = best
        count.plies += plies - since
        if best >= level:
            copy_state(arrivals.games.states[count.reached], states[0])
            arrivals.games.plies[count.reached] = plies
            count.reached += 1
        elif state.end_reason == PLY_CAP:
            count.truncated += 1


@cache
def splitting_loop(event: str) -> Loop:
    """Return the loop that simulates games up to a level of one rare event."""

    def arguments(engine, seats):
        games = types.NamedTuple([array(engine.state_dtype), array("i8")], Games)
        starts = types.NamedTuple([games, array("i8")], Starts)
        return starts, types.int64, types.NamedTuple([games, array("i8"), array(COUNTS)], Arrivals)

    return Loop(play_stage, arguments, lambda engine: {"progress": engine.rare[event].progress})


@dataclass(frozen=True)
class SplitStage:
    """Results of one stage."""

    level: int
    trajectories: int
    reached: int
    plies: int
    truncated: int  # trajectories truncated


@dataclass(frozen=True)
class Replicate:
    """One run through the levels. It ends early if no trajectory reaches the next level."""

    stages: tuple[SplitStage, ...]
    levels: int

    @property
    def estimate(self) -> float:
        if len(self.stages) < self.levels:
            return 0.0
        return float(np.prod([stage.reached / stage.trajectories for stage in self.stages]))


@dataclass(frozen=True, eq=False)
class Splitting(Experiment):
    """Multilevel splitting of one event in the games of one match."""

    name: str
    top: int  # progress at which the event has happened

    def replicates(
        self, levels: Sequence[int], trajectories: int, replicates: int, jobs: Jobs = 1
    ) -> Iterator[Replicate]:
        """Yield replicates in order. Replicate r begins with game number r * trajectories of the seed."""
        self.prepare(jobs)
        piece = partial(self._replicate, levels, trajectories)
        yield from in_order(piece, ((number,) for number in range(replicates)), jobs)

    def _replicate(self, levels: Sequence[int], trajectories: int, number: int) -> Replicate:
        choice = np.random.default_rng([self.match.seed, number, ENTRANCES])
        games, stages = self.start(), []
        for level in levels:
            picks = pick(games.n, trajectories, choice)
            stage, games, _ = self.stage(games, picks, level, number * trajectories)
            stages.append(stage)
            if not stage.reached:
                break
        return Replicate(tuple(stages), len(levels))

    def plain(self, games: range, jobs: Jobs = 1) -> Iterator[SplitStage]:
        """Yield the results of plain Monte Carlo in chunks.

        Each game runs from its start until the event or its end.
        """
        yield from self.pieces(self._piece, games, CHUNK_GAMES, jobs)

    def _piece(self, games: range) -> SplitStage:
        return self.stage(self.start(), pick(0, len(games), None), self.top, games.start)[0]

    def start(self) -> Games:
        return Games(new_states(self.match.engine, 0), np.zeros(0, np.int64))

    def stage(
        self, games: Games, picks: np.ndarray, level: int, first_game: int
    ) -> tuple[SplitStage, Games, np.ndarray]:
        """Simulate one trajectory for each of `picks` up to `level`.

        Returns the results, the games at that level, and the maximum progress of each trajectory.
        """
        n, counts = len(picks), np.zeros(1, COUNTS)
        arrived = Games(new_states(self.match.engine, n), np.zeros(n, np.int64))
        best = np.zeros(n, np.int64)
        where = f"on the way to level {level} of {self.name}"
        arrivals = Arrivals(arrived, best, counts)
        self.compiled.run(first_game, Starts(games, picks), level, arrivals, where=lambda _: where)
        reached, plies, truncated = counts[0].tolist()
        kept = Games(arrived.states[:reached].copy(), arrived.plies[:reached].copy())
        return SplitStage(level, n, reached, plies, truncated), kept, best

    def stage_by(
        self, jobs: Jobs, games: Games, picks: np.ndarray, level: int
    ) -> tuple[SplitStage, Games, np.ndarray]:
        """Simulate a single stage, numbered from game 0, in this process or by a worker (`stage`)."""
        self.prepare(jobs)
        return played_by(jobs, partial(self.stage, games, picks, level), 0)

    @property
    def loop(self) -> Loop:
        return splitting_loop(self.name)


def pick(games: int, n: int, choice: np.random.Generator | None) -> np.ndarray:
    """Return the index of the game from which each trajectory starts: int64 [trajectory].

    All games are used equally often, with the remainder drawn at random. If there are no games, all indices
    are 0.
    """
    if games == 0:
        return np.zeros(n, np.int64)
    again, rest = divmod(n, games)
    drawn = np.sort(choice.choice(games, rest, replace=False))
    return np.concatenate([np.repeat(np.arange(games), again), drawn]).astype(np.int64)


def splitting_of(match: Match, name: str) -> Splitting:
    """Return the multilevel splitting of an event.

    Raises UsageError if the game does not declare the event.
    """
    events = match.engine.rare
    if not events:
        raise UsageError(
            f"{match.game.name}: the game declares no rare events; declare one (see {page('adding-a-game')})"
        )
    name = as_spelled(name, events)
    if name not in events:
        raise UsageError(f"--event {name}: {match.game.name} has no such event{did_you_mean(name, events)}")
    return Splitting(match, name, int(events[name].top(match.scenario)))
