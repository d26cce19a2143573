"""Choices: a decision played on one way and the other, on the same luck. Which is the better choice?

The future is drawn anew at each moment, as for rollouts (`simcore.play.rollouts`).
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np

from bartizan.simcore.compile.loops import Loop, array
from bartizan.simcore.play.match import CompiledMatch, Match, chunks_of, in_order
from bartizan.simcore.play.rules import NO_ROW, PLAYING, apply, crossroads, redeal
from bartizan.simcore.play.step import begin_game, decide, play_on, write_row
from bartizan.simcore.rng import aside, fresh_luck

CHUNK_GAMES = 4  # each is played on hundreds of times
WAYS = 2  # one way and the other


def play_choices(states, tables, policies, workspaces, first_game, rows, moment, moments, met, records):
    """Play games; of the decisions that belong to a row one a game is kept, and played on both ways.

    states: of length 2 + rows: the game, what becomes of it, the moment of each row;
    moment: int64, scratch (see `crossroads`); moments: int64 [game, row, number], those that were kept;
    met: int32 [game, row], zeros: how many decisions belonged there; records: [game, row, future, way].
    Returns 1 when a policy broke the rules on one of the ways, not in the game itself.
    """
    state, workspace = states[0], workspaces[0]
    for i in range(met.shape[0]):
        plies = begin_game(state, tables, workspace, first_game + i)
        keep_moments(states, tables, policies, workspace, plies, rows, moment, moments[i], met[i])
        if workspace.is_illegal:
            return 0
        for row in range(met.shape[1]):
            if met[i, row] > 0:
                both_ways(states, tables, policies, workspace, row, moments[i, row], records[i, row])
            if workspace.is_illegal:
                return 1
    return 0


def keep_moments(states, tables, policies, workspace, plies, rows, moment, moments, met):
    """Play the game in states[0] to its end; keep one moment for each row, in states[2 + row] and `moments`.

    Which one is kept is drawn by lot. A decision in a game with few of them is likelier to be drawn, and how
    many there are depends on how the game went on; but both ways get luck drawn anew: the lot favours
    neither.
    """
    state = states[0]
    while state.end_reason == PLAYING:
        action = decide(state, tables, policies, workspace, plies)
        if state.end_reason != PLAYING:
            return
        row = crossroads(state, tables, rows, action, moment)
        if row != NO_ROW:
            met[row] += 1
            if aside(state, row << 32 | met[row], met[row]) == 0:  # Vitter's reservoir, of one
                states[2 + row] = states[0]
                moments[row] = moment
        apply(state, tables, action)
        plies += 1


def both_ways(states, tables, policies, workspace, row, moment, records):
    """Play on from the moment kept for `row`, each way. Modifies states[1] and `records` [future, way].

    The two differ in nothing but the action: luck to come and what lies face down are the same for both.
    Stops early when a policy breaks the rules.
    """
    trial = states[1]
    for k in range(records.shape[0]):
        for way in range(WAYS):
            states[1] = states[2 + row]
            fresh_luck(trial, k)
            redeal(trial, tables)
            apply(trial, tables, np.int32(moment[way]))
            plies = play_on(trial, tables, policies, workspace, np.int64(1))
            if workspace.is_illegal:
                return
            write_row(trial, tables, plies, records[k, way])


@cache
def choices_loop(choice: Callable) -> Loop:
    """The loop for the decisions that `choice` (jitted, see `simcore.play.rules.crossroads`) picks out."""
    return Loop(
        play_choices,
        lambda engine, seats: (
            array("i8", 2),
            array("i8"),
            array("i8", 3),
            array("i4", 2),
            array(engine.record_dtype, 4),
        ),
        lambda engine: {"crossroads": choice},
    )


@dataclass(frozen=True, eq=False)
class BothWays:
    """Some consecutive games, one row each; where `met` is 0 the rest says nothing."""

    first_game: int
    met: np.ndarray  # int32 [game, row]: decisions that belonged to the row
    moments: np.ndarray  # int64 [game, row, number]: of the one that was kept, see `crossroads`
    records: np.ndarray  # [game, row, future, way]: how it ended, the game's own records


@dataclass(frozen=True, eq=False)
class Choices:
    """A choice, played on both ways from the same states: which decisions, in which rows, how often."""

    match: Match
    choice: Callable  # jitted, see `simcore.play.rules.crossroads`
    numbers: int  # how many it writes
    rows: np.ndarray  # int64 [row, number]
    futures: int

    @property
    def loop(self) -> Loop:
        return choices_loop(self.choice)

    def play(self, games: int, jobs: int = 1, first_game: int = 0) -> Iterator[BothWays]:
        """Chunks in game order."""
        compiled = CompiledMatch(self.match, self.loop)
        chunks = chunks_of(games, first_game, CHUNK_GAMES)
        yield from in_order(lambda n, first: self._play(compiled, n, first), chunks, jobs)

    def _play(self, compiled: CompiledMatch, games: int, first_game: int) -> BothWays:
        rows = len(self.rows)
        found = BothWays(
            first_game,
            np.zeros((games, rows), np.int32),
            np.zeros((games, rows, self.numbers), np.int64),
            np.zeros((games, rows, self.futures, WAYS), self.match.engine.record_dtype),
        )
        moment = np.zeros(self.numbers, np.int64)
        compiled.run(
            first_game,
            self.rows,
            moment,
            found.moments,
            found.met,
            found.records,
            states=2 + rows,
            where=lambda on_a_way: "played on from a choice" if on_a_way else "",
        )
        return found
