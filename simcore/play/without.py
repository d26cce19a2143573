"""Games played without a kind of card: as dealt, then once for each kind, on the luck of the same games.

One seat plays without it: whenever a card of the kind comes to that seat, it changes places with any other
card of the pile before somebody decides. All others play with the whole deck. Two kinds can be taken away
together: then neither comes back in the place of the other.
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
NO_KIND = -1
TRIES = 16  # exchanges in a row, while one kind comes in the place of the other
MARKS = 1 << 20  # between the exchanges of one moment: more than a game has plies


class TakenAway(NamedTuple):
    """From whom, and which kinds: a row for each way to play, with NO_KIND where it leaves out one kind."""

    seat: int
    kinds: np.ndarray  # int32 [way, 2]


def play_without(states, tables, policies, workspaces, first_game, taken, out):
    """Play games as dealt, then once in each way.

    out: int8 [game, 1 + way], who won. Returns the column that was played when a policy broke the rules.
    """
    state, workspace = states[0], workspaces[0]
    for i in range(out.shape[0]):
        plies = begin_game(states, tables, workspace, first_game + i)
        out[i, 0] = outcome(state, tables, policies, workspace, plies)
        if workspace.is_illegal:
            return 0
        for k in range(taken.kinds.shape[0]):
            one, other = taken.kinds[k]
            plies = begin_game(states, tables, workspace, first_game + i)
            out[i, 1 + k] = outcome_without(state, tables, policies, workspace, plies, taken.seat, one, other)
            if workspace.is_illegal:
                return 1 + k
    return 0


def outcome_without(state, tables, policies, workspace, plies, seat, one, other):
    """Who wins if `seat` never has a card of the kinds `one` and `other` (NO_KIND: of `one` only).

    Modifies `state` and `workspace`.
    """
    while state.end_reason == PLAYING:
        take_away(state, tables, seat, one, plies)
        if other != NO_KIND:
            take_both_away(state, tables, seat, one, other, plies)
        plies = step(state, tables, policies, workspace, plies)
    return winner_of(state, tables, workspace)


def take_both_away(state, tables, seat, one, other, plies):
    """Exchange cards until `seat` has neither kind, or the pile has nothing else. Modifies `state`.

    Where one kind came in the place of the other, the next exchange is a new draw: each other card of the
    pile is as likely.
    """
    for again in range(1, TRIES):
        if take_away(state, tables, seat, other, plies + again * MARKS) == 0:
            return
        if take_away(state, tables, seat, one, plies + again * MARKS) == 0:
            return


TAKEN = types.NamedTuple([types.int64, array("i4", 2)], TakenAway)
WITHOUT = Loop(play_without, lambda engine, seats: (TAKEN, array("i1", 2)))


@dataclass(frozen=True, eq=False)
class Without(Experiment):
    """Whose cards are taken away, and which together. ways: one or two kinds each; none: each kind alone."""

    seat: int
    kinds: dict[int, str]
    ways: tuple[tuple[int, ...], ...] = ()
    loop = WITHOUT

    def play(self, games: range, jobs: Jobs = 1) -> Iterator[np.ndarray]:
        """Chunks of int8 [game, 1 + way] in game order: the winner as dealt, then in each way."""
        yield from self.pieces(self._piece, games, CHUNK, jobs)

    def _piece(self, games: range) -> np.ndarray:
        ways = self.ways or [(kind,) for kind in self.kinds]
        out = np.zeros((len(games), 1 + len(ways)), np.int8)
        taken = TakenAway(self.seat, np.array([(*way, NO_KIND)[:2] for way in ways], np.int32))
        names = [" and ".join(self.kinds[kind] for kind in way) for way in ways]
        where = ["as dealt", *(f"without {name}" for name in names)]
        self.compiled.run(games.start, taken, out, where=where.__getitem__)
        return out
