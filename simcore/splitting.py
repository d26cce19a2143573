"""Fixed-effort multilevel splitting: a rare event reached level by level (Garvels 2000).

A stage plays the same number of trajectories, whatever the stage before has brought: each goes on from a game
that has just reached the level below, under luck of its own,
until it reaches the next level or can no more. The share that reach it estimates the chance of that step; the
product of the shares is an unbiased estimate of the chance
of the event. A state holds all that a game's future hangs on but its luck, so a game may be continued from it
as often as one likes; piles stay as they lie.
A replicate is one such run on luck that no other has.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from bartizan.simcore.batch import Match, in_order
from bartizan.simcore.engine import new_states, stage_player
from bartizan.simcore.errors import PolicyError, UsageError, did_you_mean

CHUNK_GAMES = 2048  # games of plain play
ENTRANCES = 1  # sets the choice of entrances apart from any other use of the seed


@dataclass(frozen=True)
class Stage:
    """What came of the trajectories of one stage."""

    level: int
    trajectories: int
    reached: int
    plies: int
    capped: int  # trajectories cut off


@dataclass(frozen=True)
class Replicate:
    """One run through the levels; it is over with the first stage in which none reaches the next."""

    stages: tuple[Stage, ...]
    levels: int

    @property
    def estimate(self) -> float:
        if len(self.stages) < self.levels:
            return 0.0
        return float(np.prod([stage.reached / stage.trajectories for stage in self.stages]))


@dataclass
class Games:
    """Games that have just reached a level, with the decisions they took; none yet: the start."""

    states: np.ndarray
    plies: np.ndarray

    @property
    def n(self) -> int:
        return len(self.plies)


@dataclass(frozen=True, eq=False)
class Splitting:
    """Which event of which match."""

    match: Match
    name: str
    top: int  # progress at which it has happened

    def replicates(
        self, levels: Sequence[int], trajectories: int, replicates: int, jobs: int = 1
    ) -> Iterator[Replicate]:
        """In their order; replicate r begins with the games r * trajectories and on of the seed."""
        self.at_table  # noqa: B018 once, before threads ask for it
        yield from in_order(
            lambda number: self._replicate(levels, trajectories, number),
            ((number,) for number in range(replicates)),
            jobs,
        )

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

    def plain(self, games: int, jobs: int = 1, first_game: int = 0) -> Iterator[Stage]:
        """The same event in games played from their start to their end, or until it has happened: plain Monte
        Carlo, in chunks.
        """
        self.at_table  # noqa: B018
        chunks = ((min(CHUNK_GAMES, games - i), first_game + i) for i in range(0, games, CHUNK_GAMES))
        yield from in_order(
            lambda n, first: self.stage(self.start(), pick(0, n, None), self.top, first)[0], chunks, jobs
        )

    def start(self) -> Games:
        return Games(new_states(self.match.engine, 0), np.zeros(0, np.int64))

    def stage(
        self, games: Games, picks: np.ndarray, level: int, first_game: int
    ) -> tuple[Stage, Games, np.ndarray]:
        """Play one trajectory for each of `picks` up to `level`: what came of them, the games at that level,
        and the most progress of each.
        """
        match, n = self.match, len(picks)
        states, plies = new_states(match.engine, n), np.zeros(n, np.int64)
        best, counts = np.zeros(n, np.int64), np.zeros(4, np.int64)
        play_stage, tables, functions = self.at_table
        table = (new_states(match.engine), tables, functions, match.desk(), np.uint64(match.seed), first_game)
        play_stage(
            *table, games.states, games.plies, picks, level, states, plies, best, counts, match.ply_cap
        )
        reached, made, capped, broken = counts.tolist()
        if broken:
            raise PolicyError(
                f"a policy chose an action that is not legal (seed {match.seed}, from game {first_game} on, "
                f"on the way to level {level} of {self.name})"
            )
        return (
            Stage(level, n, reached, made, capped),
            Games(states[:reached].copy(), plies[:reached].copy()),
            best,
        )

    @cached_property
    def at_table(self) -> tuple:
        """What all stages share: the compiled loop, the tables, the policies."""
        match = self.match
        return (
            stage_player(match.engine, len(match.game.roles), self.name),
            match.tables(),
            tuple(player.function for player in match.at_all_seats()),
        )


def pick(there: int, wanted: int, choice: np.random.Generator | None) -> np.ndarray:
    """Which of the games that are there each trajectory goes on from: all as often as each other, and who is
    taken once more is drawn by lot.
    """
    if there == 0:
        return np.zeros(wanted, np.int64)
    again, rest = divmod(wanted, there)
    return np.concatenate(
        [np.repeat(np.arange(there), again), np.sort(choice.choice(there, rest, replace=False))]
    ).astype(np.int64)


def splitting_of(match: Match, name: str) -> Splitting:
    """Raises UsageError for an event the game does not declare."""
    events = match.engine.rare
    if not events:
        raise UsageError(
            f"{match.game.name}: declares no rare events (docs/adding-a-game.md says how a game does)"
        )
    if name not in events:
        raise UsageError(f"--event {name}: no such event of {match.game.name}{did_you_mean(name, events)}")
    return Splitting(match, name, int(events[name].top(match.scenario)))
