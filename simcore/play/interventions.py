"""The same games played on with another card in hand: up to one seat's n-th card, then once for each kind of
card, all on the luck that is left.

An intervention on common random numbers: between two ways to play on nothing differs but where two cards lie.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numba import types

from bartizan.simcore.compile.loops import Loop, array
from bartizan.simcore.errors import UsageError, did_you_mean
from bartizan.simcore.game import cards_of
from bartizan.simcore.play.match import CompiledMatch, Match, in_order
from bartizan.simcore.play.rules import NO_CARD, NOT_THERE, PLAYING, is_due, swap
from bartizan.simcore.play.step import begin_game, outcome, step

CHUNK_GAMES = 32  # each is played on a dozen times: short enough for a progress line


class Intervention(NamedTuple):
    """Which card of whom changes, and into what."""

    seat: int
    card: int  # 1: the first that this seat gets
    kinds: np.ndarray  # int32


def play_to_card(state, tables, policies, workspace, plies, seat, card):
    """Play a game that has begun up to the `card`-th card of `seat`, or to its end.

    Modifies `state`; returns the plies of the game so far.
    """
    while state.end_reason == PLAYING:
        if is_due(state, tables, seat):
            card -= 1
            if card == 0:
                break
        plies = step(state, tables, policies, workspace, plies)
    return plies


def play_interventions(states, tables, policies, workspaces, first_game, change, out):
    """Play games up to the card that changes, then to the end: with that card, and once more with each kind
    in its place.

    states: of length 2: the moment, and what becomes of it; change: a `Intervention`. out: int8 [game, 1 +
    kind], who won: first as dealt, then with each kind. All play on from one state, so they share the luck
    that is left. Returns the column of `out` that was played when a policy broke the rules.
    """
    moment, trial, workspace = states[0], states[1], workspaces[0]
    for i in range(out.shape[0]):
        plies = begin_game(states, tables, workspace, first_game + i)
        plies = play_to_card(moment, tables, policies, workspace, plies, change.seat, change.card)
        states[1] = states[0]
        out[i, 0] = outcome(trial, tables, policies, workspace, plies)
        if workspace.is_illegal:
            return 0
        for k, kind in enumerate(change.kinds):
            out[i, 1 + k] = with_kind(states, tables, policies, workspace, plies, change.seat, kind)
            if workspace.is_illegal:
                return 1 + k
    return 0


def with_kind(states, tables, policies, workspace, plies, seat, kind):
    """Who wins if the card that `seat` has just got in states[0] is one of `kind`; NO_CARD, NOT_THERE.

    Modifies states[1] and `workspace`.
    """
    if states[0].end_reason != PLAYING:
        return NO_CARD
    states[1] = states[0]
    if not swap(states[1], tables, seat, kind):
        return NOT_THERE
    return outcome(states[1], tables, policies, workspace, plies)


CHANGE = types.NamedTuple([types.int64, types.int64, array("i4")], Intervention)
INTERVENTIONS = Loop(play_interventions, lambda engine, seats: (CHANGE, array("i1", 2)))


@dataclass(frozen=True, eq=False)
class Interventions:
    """Whose card changes, and into what."""

    match: Match
    seat: int
    card: int  # 1: the first that this seat gets
    kinds: dict[int, str]

    def play(self, games: int, jobs: int = 1, first_game: int = 0) -> Iterator[np.ndarray]:
        """Chunks of int8 [game, 1 + kind] in game order: who won as dealt, then with each kind
        (`simcore.play.rules` names what is no seat).
        """
        compiled = CompiledMatch(self.match, INTERVENTIONS)
        out = np.zeros((games, 1 + len(self.kinds)), np.int8)
        chunks = ((out[i : i + CHUNK_GAMES], first_game + i) for i in range(0, games, CHUNK_GAMES))
        yield from in_order(lambda rows, first: self._play_into(compiled, rows, first), chunks, jobs)

    def _play_into(self, compiled: CompiledMatch, out: np.ndarray, first_game: int) -> np.ndarray:
        change = Intervention(self.seat, self.card, np.array(list(self.kinds), np.int32))
        compiled.run(first_game, change, out, states=2, where=self._held)
        return out

    def _held(self, column: int) -> str:
        return "as dealt" if column == 0 else f"with {list(self.kinds.values())[column - 1]} in hand"


def interventions_of(match: Match, seat: str, card: int) -> Interventions:
    """Raises UsageError for a seat nobody takes and for a game without cards that can change."""
    cards, roles = cards_of(match.game), match.game.roles_in(match.scenario)
    if seat not in roles:
        raise UsageError(
            f'no seat "{seat}"{did_you_mean(seat, roles)}: {match.game.name} has {", ".join(roles)}'
        )
    if card < 1:
        raise UsageError(f"card {card}: count the cards of a seat from 1")
    if cards.due is None or cards.swap is None:
        raise UsageError(f"{match.game.name}: its cards cannot change places (the game declares no swap)")
    return Interventions(match, roles.index(seat), card, cards.kinds(match.scenario))
