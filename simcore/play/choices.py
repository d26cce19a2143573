"""Comparison of the two alternatives of a decision, simulated with the same random numbers.

Each future of a decision point gets new random numbers, as in rollouts (`simcore.play.rollouts`).
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import numpy as np
from numba import types

from bartizan.simcore.compile.copies import copy_state
from bartizan.simcore.compile.loops import Loop, array
from bartizan.simcore.compile.rules import NO_ROW, PLAYING, apply, crossroads, shuffle_unseen
from bartizan.simcore.play.match import Experiment, Jobs
from bartizan.simcore.play.step import begin_game, decide, play_on, write_row
from bartizan.simcore.rng import aside, fresh_luck

CHUNK_GAMES = 4  # each is continued hundreds of times
WAYS = 2  # the two alternatives


class Kept(NamedTuple):
    """A sample of decision points: at most one for each game and row of the result."""

    rows: np.ndarray  # int64 [row, number]: keys of the rows
    moment: np.ndarray  # int64 [number], scratch: see `crossroads`
    moments: np.ndarray  # int64 [game, row, number]: the decision points that are kept
    met: np.ndarray  # int32 [game, row], initially 0: number of matching decisions


def play_choices(states, tables, policies, workspaces, first_game, kept, records):
    """Simulate games. For each row, keep one decision per game and simulate both alternatives.

    states: array of length 2 + rows, for the game, the continuation, and the decision point of each row.
    kept: a `Kept`, filled in place. records: array [game, row, future, alternative], filled with the records
    of the finished games. Returns 1 if a policy chose an illegal action in a continuation, otherwise 0.
    """
    workspace = workspaces[0]
    for i in range(records.shape[0]):
        plies = begin_game(states, tables, workspace, first_game + i)
        keep_moments(states, tables, policies, workspace, plies, kept, i)
        if workspace.is_illegal:
            return 0
        for row in range(records.shape[1]):
            if kept.met[i, row] > 0:
                both_ways(states, tables, policies, workspace, row, kept.moments[i, row], records[i, row])
            if workspace.is_illegal:
                return 1
    return 0


def keep_moments(states, tables, policies, workspace, plies, kept, i):
    """Simulate the game in states[0] to its end, and keep one decision point for each row of the result.

    `crossroads` assigns decisions to rows. For each row, one of its decisions in this game is chosen
    uniformly at random and written to states[2 + row] and `kept.moments[i, row]`. A decision is therefore
    more likely to be chosen in a game with few decisions of its row, and their number depends on the course
    of the game. However, both actions compared at the decision point are simulated with new random numbers,
    so the choice of the decision point favours neither action.
    """
    state, met = states[0], kept.met[i]
    while state.end_reason == PLAYING:
        action = decide(state, tables, policies, workspace, plies)
        if state.end_reason != PLAYING:
            return
        row = crossroads(state, tables, kept.rows, action, kept.moment)
        if row != NO_ROW:
            met[row] += 1
            # Vitter's reservoir sampling, with size one
            if aside(state, row << 32 | met[row], met[row]) == 0:
                copy_state(states[2 + row], states[0])
                kept.moments[i, row] = kept.moment
        apply(state, tables, action)
        plies += 1


def both_ways(states, tables, policies, workspace, row, moment, records):
    """Continue from the decision point of `row` with each alternative.

    Modifies states[1] and `records` [future, alternative].

    The two continuations differ only in the action. Future random numbers and face-down cards are the same
    for both. Stops early if a policy chooses an illegal action.
    """
    trial = states[1]
    for k in range(records.shape[0]):
        for way in range(WAYS):
            copy_state(states[1], states[2 + row])
            fresh_luck(trial, k)
            shuffle_unseen(trial, tables)
            apply(trial, tables, np.int32(moment[way]))
            plies = play_on(trial, tables, policies, workspace, np.int64(1))
            if workspace.is_illegal:
                return
            write_row(trial, tables, plies, records[k, way])


@cache
def choices_loop(choice: Callable) -> Loop:
    """Return the loop for the decisions that `choice` selects.

    choice: jitted, see `simcore.compile.rules.crossroads`.
    """
    kept = types.NamedTuple([array("i8", 2), array("i8"), array("i8", 3), array("i4", 2)], Kept)
    return Loop(
        play_choices,
        lambda engine, seats: (kept, array(engine.record_dtype, 4)),
        lambda engine: {"crossroads": choice},
    )


@dataclass(frozen=True, eq=False)
class BothWays:
    """Results of consecutive games. If `met` is 0 for a game and row, its other values are meaningless."""

    first_game: int
    met: np.ndarray  # int32 [game, row]: decisions that belonged to the row
    moments: np.ndarray  # int64 [game, row, number]: of the kept moment, see `crossroads`
    records: np.ndarray  # [game, row, future, way]: outcomes, as the game's own records


@dataclass(frozen=True, eq=False)
class Choices(Experiment):
    """Simulation of both alternatives of a decision from the same state, each in `futures` futures."""

    choice: Callable  # jitted, see `simcore.compile.rules.crossroads`
    numbers: int  # count of numbers that it writes
    rows: np.ndarray  # int64 [row, number]
    futures: int

    @property
    def loop(self) -> Loop:
        return choices_loop(self.choice)

    def play(self, games: range, jobs: Jobs = 1) -> Iterator[BothWays]:
        """Yield the results of these games in chunks, in game order."""
        yield from self.pieces(self._piece, games, CHUNK_GAMES, jobs)

    def _piece(self, games: range) -> BothWays:
        n, rows = len(games), len(self.rows)
        ways = BothWays(
            games.start,
            np.zeros((n, rows), np.int32),
            np.zeros((n, rows, self.numbers), np.int64),
            np.zeros((n, rows, self.futures, WAYS), self.match.engine.record_dtype),
        )
        kept = Kept(self.rows, np.zeros(self.numbers, np.int64), ways.moments, ways.met)
        where = ["", "simulated from a choice"]
        self.compiled.run(games.start, kept, ways.records, states=2 + rows, where=where.__getitem__)
        return ways
