"""Games without a component.

A component is one of these:

- numbers of the state, which are fixed at 0
- a kind of action, which is forbidden
- a kind of card, which no player gets
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numba import types

from bartizan.simcore.compile.loops import Loop, array
from bartizan.simcore.compile.rules import (
    PLAYING,
    PLY_CAP,
    TRUNCATED,
    apply,
    asked,
    take_away,
    turn_number,
    write_record,
)
from bartizan.simcore.play.match import Experiment, Jobs
from bartizan.simcore.play.step import begin_game, decide, is_listed, step
from bartizan.simcore.play.without import NO_KIND
from bartizan.simcore.rng import aside

CHUNK = 64
ALL_SEATS = -1
WINNER, TURNS, SCORE = range(3)  # columns of the outcome


class Missing(NamedTuple):
    """The component that is removed.

    places: int64, indices of numbers in the state, in 64-bit words. first, end: range of actions that `seat`
    (ALL_SEATS: any seat) must not take.
    """

    seat: int
    places: np.ndarray
    first: int
    end: int


def play_knocked_out(states, tables, policies, workspaces, first_game, missing, out):
    """Simulate games without a component.

    out: int64 [game, 3], filled with the columns WINNER, TURNS and SCORE.
    """
    state, workspace = states[0], workspaces[0]
    numbers = states.view(np.int64)
    for i in range(out.shape[0]):
        plies = begin_game(states, tables, workspace, first_game + i)
        while state.end_reason == PLAYING:
            for place in missing.places:
                numbers[place] = 0
            action = decide(state, tables, policies, workspace, plies)
            if state.end_reason != PLAYING:
                break
            is_concerned = missing.seat == ALL_SEATS or missing.seat == state.to_move
            if is_concerned and missing.first <= action < missing.end:
                action = other_choice(state, tables, policies, workspace, missing, action, plies)
            apply(state, tables, action)
            plies += 1
        if workspace.is_illegal:
            return
        write_outcome(state, tables, workspace, out[i])


def write_outcome(state, tables, workspace, outcome):
    """Write the outcome of a finished game.

    outcome: int64 [3], filled at the indices WINNER, TURNS and SCORE.
    """
    write_record(state, tables, workspace.record)
    outcome[WINNER] = TRUNCATED if state.end_reason == PLY_CAP else workspace.record.winner
    outcome[TURNS] = turn_number(state)
    outcome[SCORE] = workspace.record.score


def other_choice(state, tables, policies, workspace, missing, action, plies):
    """Return a player's choice without the forbidden actions.

    Calls the policy with the other legal actions only; if it still chooses a forbidden action, returns a
    random other action. If no other action is legal, returns `action`. Overwrites the legal actions in
    `workspace`.
    """
    legal, n = workspace.legal[:], 0
    for i in range(workspace.n_legal):
        if not missing.first <= legal[i] < missing.end:
            legal[n] = legal[i]
            n += 1
    if n == 0:
        return action
    shown = workspace.shown[:] if workspace.is_guarded else legal
    for i in range(n):
        shown[i] = legal[i]
    chosen = asked(policies, state.to_move, state, tables, shown, n, workspace.weights[state.to_move])
    return chosen if is_listed(legal, n, chosen) else legal[aside(state, plies, n)]


def play_without_card(states, tables, policies, workspaces, first_game, seats, kind, out):
    """Simulate games in which no seat has a card of `kind` at a decision.

    Another card of the pile replaces it. kind: NO_KIND for games as dealt. out: see `play_knocked_out`.
    """
    state, workspace = states[0], workspaces[0]
    for i in range(out.shape[0]):
        plies = begin_game(states, tables, workspace, first_game + i)
        while state.end_reason == PLAYING:
            if kind != NO_KIND:
                for seat in range(seats):
                    take_away(state, tables, seat, kind, plies * seats + seat)
            plies = step(state, tables, policies, workspace, plies)
        if workspace.is_illegal:
            return
        write_outcome(state, tables, workspace, out[i])


MISSING = types.NamedTuple([types.int64, array("i8", 1), types.int64, types.int64], Missing)
KNOCKED_OUT = Loop(play_knocked_out, lambda engine, seats: (MISSING, array("i8", 2)))
WITHOUT_CARD = Loop(play_without_card, lambda engine, seats: (types.int64, types.int64, array("i8", 2)))


@dataclass(frozen=True, eq=False)
class KnockedOut(Experiment):
    """Games without a component.

    places: indices of numbers fixed at 0, as in `Missing`. acts: (first, end) of the range of forbidden
    actions; () for none.
    """

    seat: int
    places: tuple[int, ...] = ()
    acts: tuple[int, ...] = ()
    loop = KNOCKED_OUT

    def play(self, games: range, jobs: Jobs = 1) -> Iterator[np.ndarray]:
        """Yield chunks of int64 [game, 3] in game order, with the columns WINNER, TURNS and SCORE."""
        yield from self.pieces(self._piece, games, CHUNK, jobs)

    def _piece(self, games: range) -> np.ndarray:
        out = np.zeros((len(games), 3), np.int64)
        first, end = self.acts or (0, 0)
        missing = Missing(self.seat, np.array(self.places, np.int64), first, end)
        self.compiled.run(games.start, missing, out)
        return out


@dataclass(frozen=True, eq=False)
class WithoutCard(Experiment):
    """Games in which no player gets a kind of card. kind: the kind; NO_KIND for games as dealt."""

    kind: int = NO_KIND
    loop = WITHOUT_CARD

    def play(self, games: range, jobs: Jobs = 1) -> Iterator[np.ndarray]:
        """Yield chunks in the form of `KnockedOut.play`."""
        yield from self.pieces(self._piece, games, CHUNK, jobs)

    def _piece(self, games: range) -> np.ndarray:
        out = np.zeros((len(games), 3), np.int64)
        seats = len(self.match.game.roles_in(self.match.scenario))
        self.compiled.run(games.start, seats, self.kind, out)
        return out
