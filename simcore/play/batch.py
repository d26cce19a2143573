"""Playing many games: chunks of consecutive game numbers on a pool of threads, handed back in game order.

A chunk is a range of game numbers, so its rows depend on nothing but the seed: the same for any number of
threads, in any order.
"""

from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from dataclasses import replace
from time import perf_counter

import numpy as np

from bartizan.simcore.compile.loops import Loop, array
from bartizan.simcore.play.elsewhere import elsewhere
from bartizan.simcore.play.match import CompiledMatch, Match, Player, in_order
from bartizan.simcore.play.step import begin_game, play_on, write_row

# 50 ms or more of a real game: long enough to hide the hand-over, short enough to stop quickly
CHUNK_GAMES = 2048
FEW_GAMES, SHORT = 64, 0.1  # a piece at first; seconds: a piece that takes less may be larger


def play_batch(states, tables, policies, workspaces, first_game, out):
    """Play `len(out)` games numbered from `first_game`; row i of `out` records game first_game + i.

    Stops early, after the row of the game in which a policy breaks the rules.
    """
    state, workspace = states[0], workspaces[0]
    for i in range(out.shape[0]):
        plies = begin_game(states, tables, workspace, first_game + i)
        plies = play_on(state, tables, policies, workspace, plies)
        record = out[i]
        write_row(state, tables, plies, record)
        record.game = first_game + i
        if workspace.is_illegal:
            return


BATCH = Loop(play_batch, lambda engine, seats: (array(engine.record_dtype),))


class Batch(CompiledMatch):
    """A match, compiled, whose games are played from start to end and recorded; by workers elsewhere, where
    there are some when it is made. Then nothing is compiled here.
    """

    def __init__(self, match: Match):
        self.table, self.elsewhere = match, elsewhere.get()
        if self.elsewhere:
            self.match = match
        else:
            super().__init__(match, BATCH)

    def play(self, first_game: int, games: int) -> np.ndarray:
        """Rows of `games` consecutive games, as a structured array of the game's record dtype."""
        return self.play_into(np.zeros(games, self.match.engine.record_dtype), first_game)

    def play_into(self, rows: np.ndarray, first_game: int) -> np.ndarray:
        """Fill `rows` (modified in place) with the games from `first_game` on.

        Raises PolicyError at an illegal action.
        """
        if self.elsewhere:
            rows[:] = self.elsewhere.play(self.table, self.match, first_game, len(rows))
        else:
            self.run(first_game, rows)
        return rows

    def with_weights(self, seat: int, weights: Mapping[str, float], seed: int) -> "Batch":
        """The same tables and code, some weights of one seat's policy changed, on the luck of a seed."""
        players = list(self.match.players)
        players[seat] = replace(players[seat], weights={**players[seat].weights, **weights})
        return self.with_players(players, seed)

    def with_players(self, players: Sequence[Player], seed: int) -> "Batch":
        """The same policies with other weights, on the luck of a seed."""
        other = copy(self)
        other.match = replace(self.match, players=tuple(players), seed=seed)
        return other


def play_games(match: Match, first_game: int, games: int, jobs: int = 1) -> Iterator[np.ndarray]:
    """Chunks of rows in game order, each a slice of one array of `games` rows."""
    rows = np.zeros(games, match.engine.record_dtype)
    pieces = Pieces(Batch(match))
    yield from in_order(pieces.play, pieces.of(rows, first_game), jobs)


class Pieces:
    """Chunks of a fraction of a second each: who waits sees something move. Of slow games they are small.

    None reaches over a multiple of CHUNK_GAMES, where rules that stop a run look at it.
    """

    def __init__(self, batch: Batch):
        self.batch, self.size = batch, FEW_GAMES

    def of(self, rows: np.ndarray, first_game: int) -> Iterator[tuple[np.ndarray, int]]:
        """`rows` in pieces, each with the number of its first game."""
        start = 0
        while start < len(rows):
            size = min(self.size, CHUNK_GAMES - start % CHUNK_GAMES)
            yield rows[start : start + size], first_game + start
            start += size

    def play(self, rows: np.ndarray, first_game: int) -> np.ndarray:
        """As `Batch.play_into`; what follows is larger when this took no time."""
        since = perf_counter()
        played = self.batch.play_into(rows, first_game)
        if perf_counter() - since < SHORT:
            self.size = min(max(self.size, 2 * len(rows)), CHUNK_GAMES)
        return played
