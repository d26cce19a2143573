"""Games of one deal: the piles lie as the set-up left them, all other luck is drawn anew.

What a table can stack is what lies ready after the set-up: the order of decks and the cards dealt. Dice, and
shuffles during the game, stay each play's own.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from bartizan.simcore.compile.loops import Loop, array
from bartizan.simcore.play.match import CompiledMatch, Match, chunks_of, in_order
from bartizan.simcore.play.replay import OneGame
from bartizan.simcore.play.rollouts import BRANCHES, Branches
from bartizan.simcore.play.rules import TRUNCATED
from bartizan.simcore.play.step import begin_game, outcome
from bartizan.simcore.rng import fresh_luck

CHUNK_DEALS = 4  # each is played a hundred times


def play_deals(states, tables, policies, workspaces, first_game, branches, wins):
    """Play the deal of each game once for each of `branches`, each under luck of its own.

    states: of length 2: the deal, and what becomes of it. wins: int32 [deal, seat + 2], zeros: plays that
    each seat won, that ended otherwise, that were truncated.
    """
    workspace, seats = workspaces[0], wins.shape[1] - 2
    for i in range(wins.shape[0]):
        plies = begin_game(states, tables, workspace, first_game + i)
        for branch in range(branches.first, branches.first + branches.n):
            states[1] = states[0]
            fresh_luck(states[1], branch)
            who = outcome(states[1], tables, policies, workspace, plies)
            if workspace.is_illegal:
                return
            wins[i, who if who >= 0 else seats + 1 if who == TRUNCATED else seats] += 1


DEALS = Loop(play_deals, lambda engine, seats: (BRANCHES, array("i4", 2)))


@dataclass(frozen=True, eq=False)
class Deals:
    """Whose plays, and how many of each deal."""

    match: Match
    plays: int

    def play(self, deals: int, jobs: int = 1, first_game: int = 0) -> Iterator[np.ndarray]:
        """Chunks in order of the deals: int32 [deal, seat + 2], see `play_deals`."""
        compiled = CompiledMatch(self.match, DEALS)
        yield from in_order(
            lambda n, first: self._play(compiled, n, first), chunks_of(deals, first_game, CHUNK_DEALS), jobs
        )

    def _play(self, compiled: CompiledMatch, deals: int, first_game: int) -> np.ndarray:
        wins = np.zeros((deals, self.match.seats + 2), np.int32)
        compiled.run(
            first_game, Branches(0, self.plays), wins, states=2, where=lambda _: "played under other luck"
        )
        return wins


def deal_of(match: Match, game: int) -> list[dict]:
    """The piles of one game, top card first: [{pile, cards}]."""
    one = OneGame(match)
    one.begin(match.seed, game)
    return match.engine.scene.deal(one.state, one.tables, match.scenario)
