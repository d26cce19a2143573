"""Rollouts: many simulated futures from the first decision of every turn, to estimate win probabilities.

Each rollout has new dice and, if the game defines how they are shuffled
(`simcore.game.Engine.shuffle_unseen`), new unseen piles. Rollouts use the policies of the match. The game
itself continues as dealt, so `bartizan trace` can show it by its seed and number.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import NamedTuple

import numpy as np
from numba import types

from bartizan.simcore.compile.copies import copy_state
from bartizan.simcore.compile.loops import Loop, array
from bartizan.simcore.compile.rules import PLAYING, TRUNCATED, shuffle_unseen, turn_number
from bartizan.simcore.errors import EngineError
from bartizan.simcore.play.batch import Batch, LiveLoop
from bartizan.simcore.play.match import Experiment, Jobs, Match, as_dealt
from bartizan.simcore.play.replay import OneGame
from bartizan.simcore.play.step import begin_game, outcome, step
from bartizan.simcore.rng import fresh_luck

CHUNK_GAMES = 4  # each is continued hundreds of times
NO_TURN = -1  # the game was already over
LEFT_OUT = -2  # a turn of a truncated game, which has thousands


class Branches(NamedTuple):
    """The futures of each decision point: `n` futures, numbered from `first`."""

    first: int
    n: int


def column_of(who, seats):
    """Return the column of `wins` for a winner's code.

    It is the winning seat, `seats` for any other end, or `seats` + 1 for a truncated game.
    """
    return who if who >= 0 else seats + 1 if who == TRUNCATED else seats


def play_turn(state, tables, policies, workspace, plies):
    """Continue a game until the first decision of another turn, or until it ends.

    Returns the new number of plies.

    plies: number of decisions so far.
    """
    turn = turn_number(state)
    while state.end_reason == PLAYING and turn_number(state) == turn:
        plies = step(state, tables, policies, workspace, plies)
    return plies


def play_rollouts(states, tables, policies, workspaces, first_game, branches, turns, wins):
    """Simulate games, and from the first decision of each turn the futures of the game.

    The rest of the game is simulated once for each of `branches` (`Branches`), each with its own random
    numbers.

    states: array of length 2 for the decision point and the continuation. turns: int32 [game, decision
    point], filled with turn numbers; initially NO_TURN, or LEFT_OUT for points at the end of a row that get
    no rollouts. wins: int32 [game, decision point, seat + 2], initially 0; the columns count the rollouts won
    by each seat, rollouts with any other end, and truncated rollouts.
    """
    moment, workspace = states[0], workspaces[0]
    for i in range(turns.shape[0]):
        plies = begin_game(states, tables, workspace, first_game + i)
        m = 0
        while moment.end_reason == PLAYING and m < turns.shape[1] and turns[i, m] == NO_TURN:
            turns[i, m] = turn_number(moment)
            roll_out(states, tables, policies, workspace, plies, branches, wins[i, m])
            if workspace.is_illegal:
                return
            plies = play_turn(moment, tables, policies, workspace, plies)
            m += 1
        if workspace.is_illegal:
            return


def roll_out(states, tables, policies, workspace, plies, branches, wins):
    """Simulate the game in states[0] to its end once per branch. Modifies states[1] and `wins` [seat + 2].

    Stops early if a policy chooses an illegal action.
    """
    trial, seats = states[1], wins.shape[0] - 2
    for branch in range(branches.first, branches.first + branches.n):
        copy_state(states[1], states[0])
        fresh_luck(trial, branch)
        shuffle_unseen(trial, tables)
        who = outcome(trial, tables, policies, workspace, plies)
        if workspace.is_illegal:
            return
        wins[column_of(who, seats)] += 1


BRANCHES = types.NamedUniTuple(types.int64, 2, Branches)
ROLLOUTS = LiveLoop(play_rollouts, lambda engine, seats: (BRANCHES, array("i4", 2), array("i4", 3)))


def continued(match: Match) -> Match:
    """Return the match, prepared for rollouts from each turn.

    A live engine then simulates its games step by step.

    Raises UsageError if a live engine cannot continue the match's games from any decision.
    """
    return as_dealt(match, ROLLOUTS) if match.engine.live else match


@dataclass(frozen=True, eq=False)
class RolledOut:
    """Records of consecutive games, one row each, and the results of their rollouts."""

    first_game: int
    rows: np.ndarray  # their records
    # int32 [game, moment]: the turn of each moment, NO_TURN after the last; a truncated game has only one
    turns: np.ndarray
    wins: np.ndarray  # int32 [game, moment, seat + 2]: rollouts won by each seat, ended otherwise, truncated


@dataclass(frozen=True, eq=False)
class Rollouts(Experiment):
    """Rollouts from the first decision of each turn of a match's games.

    A truncated game has rollouts from only its first turn. rollouts: number per turn.
    """

    rollouts: int
    loop = ROLLOUTS

    @cached_property
    def batch(self) -> Batch:
        return Batch(self.match)

    def prepare(self, jobs: Jobs) -> None:
        if isinstance(jobs, int):
            self.batch  # noqa: B018
        if not self.match.engine.live:
            super().prepare(jobs)

    def play(self, games: range, jobs: Jobs = 1, first_branch: int = 0) -> Iterator[RolledOut]:
        """Yield chunks in game order. Another `first_branch` gives other random numbers."""
        piece = partial(self._piece, first_branch)
        yield from self.pieces(piece, games, CHUNK_GAMES, jobs)

    def _piece(self, first_branch: int, games: range) -> RolledOut:
        rows = self.batch.play(games)
        if live := self.match.engine.live:
            branches = range(first_branch, first_branch + self.rollouts)
            return RolledOut(
                games.start, rows, *_counted(live.roll_out(self.match, rows, branches), self.match.seats)
            )
        truncated = rows["winner"] == TRUNCATED
        # a game may begin with turn 0, and its last turn counts
        moments = int(rows["turn"].max(where=~truncated, initial=0)) + 2
        turns = np.full((len(rows), moments), NO_TURN, np.int32)
        turns[truncated, 1:] = LEFT_OUT
        wins = np.zeros((len(rows), moments, self.match.seats + 2), np.int32)
        self.compiled.run(
            games.start,
            Branches(first_branch, self.rollouts),
            turns,
            wins,
            states=2,
            where=lambda _: "simulated with new random numbers",
        )
        turns[turns == LEFT_OUT] = NO_TURN
        if (turns[:, -1] != NO_TURN).any():
            raise EngineError(
                f"{self.match.game.name}: turn numbers must run from 0 or 1 to the record's `turn` (seed "
                f"{self.match.seed}, from game {games.start})"
            )
        return RolledOut(games.start, rows, turns, wins)


def _counted(
    played: Sequence[Sequence[tuple[int, Sequence[int]]]], seats: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return the turns and wins of `RolledOut`.

    played: for each game and turn, (turn, winners of its rollouts).
    """
    shape = len(played), max(map(len, played)) + 1
    turns, wins = np.full(shape, NO_TURN, np.int32), np.zeros((*shape, seats + 2), np.int32)
    for i, moments in enumerate(played):
        for m, (turn, winners) in enumerate(moments):
            turns[i, m] = turn
            wins[i, m] = np.bincount([column_of(who, seats) for who in winners], minlength=seats + 2)
    return turns, wins


# ---------------------------------------------------------------- deals

# Games of one deal: the piles stay as after the set-up, all other random numbers are new.
#
# A table can be stacked like the set-up of a game: with its order of decks and its dealt cards. Dice,
# and shuffles during the game, differ in each play.


CHUNK_DEALS = 4  # each is simulated a hundred times


def play_deals(states, tables, policies, workspaces, first_game, branches, wins):
    """Simulate the deal of each game once for each of `branches`, each with its own random numbers.

    states: array of length 2 for the deal and the continuation. wins: int32 [deal, seat + 2], initially 0;
    the columns count the games won by each seat, games with any other end, and truncated games.
    """
    workspace, seats = workspaces[0], wins.shape[1] - 2
    for i in range(wins.shape[0]):
        plies = begin_game(states, tables, workspace, first_game + i)
        for branch in range(branches.first, branches.first + branches.n):
            copy_state(states[1], states[0])
            fresh_luck(states[1], branch)
            who = outcome(states[1], tables, policies, workspace, plies)
            if workspace.is_illegal:
                return
            wins[i, column_of(who, seats)] += 1


DEALS = Loop(play_deals, lambda engine, seats: (BRANCHES, array("i4", 2)))


@dataclass(frozen=True, eq=False)
class Deals(Experiment):
    """Simulation of the deals of a match, `plays` games for each deal."""

    plays: int
    loop = DEALS

    def play(self, deals: range, jobs: Jobs = 1) -> Iterator[np.ndarray]:
        """Yield chunks of int32 [deal, seat + 2] in the order of the deals.

        `play_deals` describes the columns.
        """
        yield from self.pieces(self._piece, deals, CHUNK_DEALS, jobs)

    def _piece(self, deals: range) -> np.ndarray:
        wins = np.zeros((len(deals), self.match.seats + 2), np.int32)
        self.compiled.run(
            deals.start,
            Branches(0, self.plays),
            wins,
            states=2,
            where=lambda _: "simulated with new random numbers",
        )
        return wins


def deal_of(match: Match, game: int) -> list[dict]:
    """Return the piles of one game after the set-up, top card first: [{pile, cards}]."""
    replayed = OneGame(match)
    replayed.begin(match.seed, game)
    return match.engine.scene.deal(replayed.state, replayed.tables, match.scenario)
