"""Games played without a kind of card: as dealt, then once for each kind, on the luck of the same games.

One seat plays without it: whenever a card of the kind comes to that seat, it changes places with any other
card of the pile before somebody decides. All others play with the whole deck.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numba import types

from bartizan.simcore.compile.loops import Loop, array
from bartizan.simcore.compile.rules import PLAYING, take_away
from bartizan.simcore.play.match import Experiment, Jobs
from bartizan.simcore.play.step import begin_game, outcome, step, winner_of

CHUNK = 16  # each is played once for every kind


class TakenAway(NamedTuple):
    """From whom, and which kinds, one after another."""

    seat: int
    kinds: np.ndarray  # int32


def play_without(states, tables, policies, workspaces, first_game, taken, out):
    """Play games as dealt, then once without each kind.

    out: int8 [game, 1 + kind], who won. Returns the column that was played when a policy broke the rules.
    """
    state, workspace = states[0], workspaces[0]
    for i in range(out.shape[0]):
        plies = begin_game(states, tables, workspace, first_game + i)
        out[i, 0] = outcome(state, tables, policies, workspace, plies)
        if workspace.is_illegal:
            return 0
        for k, kind in enumerate(taken.kinds):
            plies = begin_game(states, tables, workspace, first_game + i)
            out[i, 1 + k] = outcome_without(state, tables, policies, workspace, plies, taken.seat, kind)
            if workspace.is_illegal:
                return 1 + k
    return 0


def outcome_without(state, tables, policies, workspace, plies, seat, kind):
    """Who wins if `seat` never has a card of `kind`. Modifies `state` and `workspace`."""
    while state.end_reason == PLAYING:
        take_away(state, tables, seat, kind, plies)
        plies = step(state, tables, policies, workspace, plies)
    return winner_of(state, tables, workspace)


TAKEN = types.NamedTuple([types.int64, array("i4")], TakenAway)
WITHOUT = Loop(play_without, lambda engine, seats: (TAKEN, array("i1", 2)))


@dataclass(frozen=True, eq=False)
class Without(Experiment):
    """Whose cards are taken away."""

    seat: int
    kinds: dict[int, str]
    loop = WITHOUT

    def play(self, games: range, jobs: Jobs = 1) -> Iterator[np.ndarray]:
        """Chunks of int8 [game, 1 + kind] in game order: the winner as dealt, then without each kind."""
        yield from self.pieces(self._piece, games, CHUNK, jobs)

    def _piece(self, games: range) -> np.ndarray:
        out = np.zeros((len(games), 1 + len(self.kinds)), np.int8)
        taken = TakenAway(self.seat, np.array(list(self.kinds), np.int32))
        where = ["as dealt", *(f"without {kind}" for kind in self.kinds.values())]
        self.compiled.run(games.start, taken, out, where=where.__getitem__)
        return out
