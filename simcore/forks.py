"""Games played on from the middle, under luck of their own.

From the first decision of every turn, many times over: who would win from here? (`Forks`)
From one decision, one way and the other, on the same luck: which is the better choice? (`Crossroads`)

The future is drawn anew at each moment: the dice, and the piles nobody has seen where the game says how they
are shuffled anew (`simcore.game.Engine.redeal`).
The players stay who they are. The game itself goes on as it was dealt: it is game so-and-so of the seed, and
`bartizan trace` shows it.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from bartizan.simcore.batch import Match, Table, in_order
from bartizan.simcore.engine import fork_player, new_states, way_player
from bartizan.simcore.errors import EngineError, PolicyError
from bartizan.simcore.play import NO_TURN, WAYS

CHUNK_GAMES = 4  # each is played on hundreds of times


@dataclass(frozen=True, eq=False)
class Forked:
    """Some consecutive games, one row each."""

    first_game: int
    rows: np.ndarray  # their records
    turns: np.ndarray  # int32 [game, moment]: the turn of each moment, NO_TURN behind the last
    wins: np.ndarray  # int32 [game, moment, seat + 2]: rollouts won by each seat, ended otherwise, cut off


@dataclass(frozen=True, eq=False)
class Forks:
    """Which games, and how many rollouts a moment."""

    match: Match
    rollouts: int

    def play(self, games: int, jobs: int = 1, first_game: int = 0, first_branch: int = 0) -> Iterator[Forked]:
        """Chunks in game order. Rollouts of other branches (first_branch on) share no luck with these."""
        table = Table(self.match)
        fork_player(self.match.engine, len(self.match.game.roles))
        chunks = ((min(CHUNK_GAMES, games - i), first_game + i) for i in range(0, games, CHUNK_GAMES))
        yield from in_order(lambda n, first: self._play(table, n, first, first_branch), chunks, jobs)

    def _play(self, table: Table, games: int, first_game: int, first_branch: int) -> Forked:
        match, engine, seats = self.match, self.match.engine, len(self.match.game.roles)
        rows = table.play(first_game, games)
        moments = int(rows["turn"].max()) + 2  # a game may begin with turn 0, and its last turn counts
        turns = np.full((games, moments), NO_TURN, np.int32)
        wins = np.zeros((games, moments, seats + 2), np.int32)
        at_table = (
            new_states(engine, 2),
            table.tables,
            table.functions,
            match.desk(),
            np.uint64(match.seed),
            first_game,
        )
        played = fork_player(engine, seats)(
            *at_table,
            self.rollouts,
            first_branch,
            np.zeros(1, engine.record_dtype),
            turns,
            wins,
            match.ply_cap,
        )
        if played < games:
            raise PolicyError(
                f"a policy chose an action that is not legal (seed {match.seed}, game {first_game + played}, "
                "played on under other luck)"
            )
        if (turns[:, -1] != NO_TURN).any():
            raise EngineError(
                f"{match.game.name}: turns do not run from 0 or 1 to the record's `turn` (seed {match.seed}, "
                f"from game {first_game} on)"
            )
        return Forked(first_game, rows, turns, wins)


@dataclass(frozen=True, eq=False)
class Crossed:
    """Some consecutive games, one row each; where `met` is 0 the rest says nothing."""

    first_game: int
    met: np.ndarray  # int32 [game, row]: decisions that belonged to the row
    moments: np.ndarray  # int64 [game, row, number]: of the one that was kept, see `simcore.play.crossroads`
    records: np.ndarray  # [game, row, future, way]: how it ended, the game's own records


@dataclass(frozen=True, eq=False)
class Crossroads:
    """A choice, played on both ways from the same states: which decisions, in which rows, how often."""

    match: Match
    choice: Callable  # jitted, see `simcore.play.crossroads`
    numbers: int  # how many it writes
    rows: np.ndarray  # int64 [row, number]
    futures: int

    def play(self, games: int, jobs: int = 1, first_game: int = 0) -> Iterator[Crossed]:
        """Chunks in game order."""
        self._player()  # compiled once, before any thread needs it
        chunks = ((min(CHUNK_GAMES, games - i), first_game + i) for i in range(0, games, CHUNK_GAMES))
        yield from in_order(self._play, chunks, jobs)

    def _play(self, games: int, first_game: int) -> Crossed:
        match, engine, rows = self.match, self.match.engine, len(self.rows)
        found = Crossed(
            first_game,
            np.zeros((games, rows), np.int32),
            np.zeros((games, rows, self.numbers), np.int64),
            np.zeros((games, rows, self.futures, WAYS), engine.record_dtype),
        )
        functions = tuple(player.function for player in match.at_all_seats())
        states, seed = new_states(engine, 2 + rows), np.uint64(match.seed)
        table = (states, match.tables(), functions, match.desk(), seed, first_game)
        asked = (self.rows, np.zeros(self.numbers, np.int64))
        played = self._player()(*table, *asked, found.moments, found.met, found.records, match.ply_cap)
        if played < games:
            where = f"seed {match.seed}, game {first_game + played} or a way on from it"
            raise PolicyError(f"a policy chose an action that is not legal ({where})")
        return found

    def _player(self):
        return way_player(self.match.engine, len(self.match.game.roles), self.choice)
