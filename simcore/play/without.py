"""Games without a kind of card: as dealt, then once for each kind, with the same random numbers.

One seat has no cards of the kind: a card of this kind is exchanged for any other card of the pile before the
next decision. All other seats play with the whole deck. Two kinds can be removed together; then neither
replaces the other, unless the pile contains only these two.
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
TRIES = 16  # exchanges in a row while one kind replaces the other
MARKS = 1 << 20  # distance between the exchanges of two moments: more than the plies of a game


class TakenAway(NamedTuple):
    """The seat and the kinds that it lacks: one row of two kinds per variant.

    The second kind is NO_KIND if the variant removes only one.
    """

    seat: int
    kinds: np.ndarray  # int32 [way, 2]


def play_without(states, tables, policies, workspaces, first_game, taken, out):
    """Simulate each game as dealt, then once in each variant.

    out: int8 [game, 1 + variant], filled with the winner as dealt, then in each variant. Returns the column
    in which a policy chose an illegal action (only if `workspace.is_illegal`), otherwise 0.
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
    """Return the winner if `seat` has no card of the kinds `one` and `other` at any decision.

    other: NO_KIND to remove only `one`.
    """
    while state.end_reason == PLAYING:
        take_away(state, tables, seat, one, plies)
        if other != NO_KIND:
            take_both_away(state, tables, seat, one, other, plies)
        plies = step(state, tables, policies, workspace, plies)
    return winner_of(state, tables, workspace)


def take_both_away(state, tables, seat, one, other, plies):
    """Exchange cards until `seat` has neither kind, or the pile has nothing else.

    If one kind is replaced by the other, the next exchange is a new uniform draw from the other cards of the
    pile. Gives up after TRIES exchanges.
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
    """Games in which one seat lacks one or two kinds of card, once per variant.

    ways: the kinds that each variant removes; if empty, each variant removes one of `kinds`.
    """

    seat: int
    kinds: dict[int, str]
    ways: tuple[tuple[int, ...], ...] = ()
    loop = WITHOUT

    def play(self, games: range, jobs: Jobs = 1) -> Iterator[np.ndarray]:
        """Yield chunks of int8 [game, 1 + variant] in game order: the winner as dealt and in each variant."""
        yield from self.pieces(self._piece, games, CHUNK, jobs)

    def _piece(self, games: range) -> np.ndarray:
        ways = self.ways or [(kind,) for kind in self.kinds]
        out = np.zeros((len(games), 1 + len(ways)), np.int8)
        taken = TakenAway(self.seat, np.array([(*way, NO_KIND)[:2] for way in ways], np.int32))
        names = [" and ".join(self.kinds[kind] for kind in way) for way in ways]
        where = ["as dealt", *(f"without {name}" for name in names)]
        self.compiled.run(games.start, taken, out, where=where.__getitem__)
        return out
