"""Playing many games: chunks of consecutive game numbers on a pool of threads, handed back in game order.

A chunk is a range of game numbers, so its rows depend on nothing but the seed: the same for any number of
threads, in any order.
"""

import hashlib
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from bartizan.simcore.engine import batch_player, new_desk, new_states
from bartizan.simcore.errors import PolicyError
from bartizan.simcore.game import Engine, Game
from bartizan.simcore.play import ILLEGAL_ACTION
from bartizan.simcore.scenario import Scenario

# 50 ms or more of a real game: long enough to hide the hand-over, short enough to stop quickly
CHUNK_GAMES = 2048
PLY_CAP = 100_000


@dataclass(frozen=True, eq=False)
class Player:
    """One seat's policy, ready to play: its compiled function and its weights."""

    name: str
    function: Any  # compiled for the game's records
    weights: dict[str, float]
    about: str
    source: Path  # the file it was written in
    roles: tuple[str, ...] = ()  # the roles it can play; () = all

    @property
    def source_hash(self) -> str:
        """16 hex digits over the file the policy stands in, and over the package around it: it may lean on
        its neighbours.
        """
        package = (self.source.parent / "__init__.py").exists()
        files = sorted(self.source.parent.glob("*.py")) if package else [self.source]
        return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:16]


@dataclass(frozen=True, eq=False)
class Match:
    """What is played: a game under one scenario, with one player a seat."""

    game: Game
    scenario: Scenario
    players: tuple[Player, ...]
    seed: int
    ply_cap: int = PLY_CAP

    @property
    def engine(self) -> Engine:
        return self.game.compiled

    def tables(self) -> np.record:
        return self.engine.build_tables(self.scenario).view(np.recarray)[0]

    def desk(self) -> np.ndarray:
        """Scratch for one thread: the weights of each seat, and room for the legal actions."""
        return new_desk(self.engine, [list(player.weights.values()) for player in self.at_all_seats()])

    def at_all_seats(self) -> tuple[Player, ...]:
        """One player for every role of the game: one compiled batch serves any number of players, and seats
        not taken are never asked.
        """
        return self.players + self.players[-1:] * (len(self.game.roles) - len(self.players))


class Table:
    """A match with everything compiled and allocated once."""

    def __init__(self, match: Match):
        self.match = match
        self.tables = match.tables()
        self.functions = tuple(player.function for player in match.at_all_seats())
        self.player = batch_player(match.engine, len(match.game.roles))

    def play(self, first_game: int, games: int) -> np.ndarray:
        """Rows of `games` consecutive games, as a structured array of the game's record dtype."""
        return self.play_into(np.zeros(games, self.match.engine.record_dtype), first_game)

    def play_into(self, rows: np.ndarray, first_game: int) -> np.ndarray:
        """Fill `rows` (modified in place) with the games from `first_game` on.

        Raises PolicyError at an illegal action.
        """
        match = self.match
        self.player(
            new_states(match.engine),
            self.tables,
            self.functions,
            match.desk(),
            np.uint64(match.seed),
            first_game,
            rows,
            match.ply_cap,
        )
        broken = np.flatnonzero(rows["end_reason"] == ILLEGAL_ACTION)
        if broken.size:
            raise illegal_action(match, first_game + int(broken[0]))
        return rows


def play_games(match: Match, first_game: int, games: int, jobs: int = 1) -> Iterator[np.ndarray]:
    """Chunks of rows in game order, each a slice of one array of `games` rows."""
    table = Table(match)
    rows = np.zeros(games, match.engine.record_dtype)
    chunks = ((rows[i : i + CHUNK_GAMES], first_game + i) for i in range(0, games, CHUNK_GAMES))
    yield from in_order(table.play_into, chunks, jobs)


def in_order(play: Callable, chunks: Iterator[tuple], jobs: int) -> Iterator[Any]:
    """What `play` makes of each chunk, on a pool of threads, in the order of the chunks.

    Only a few are in flight at a time.
    """
    if jobs == 1:
        for chunk in chunks:
            yield play(*chunk)
        return
    pool = ThreadPoolExecutor(jobs)
    try:
        waiting = deque(pool.submit(play, *chunk) for chunk in islice(chunks, 2 * jobs))
        while waiting:
            played = waiting.popleft().result()
            waiting.extend(pool.submit(play, *chunk) for chunk in islice(chunks, 1))
            yield played
    finally:
        pool.shutdown(cancel_futures=True)


def illegal_action(match: Match, game: int) -> PolicyError:
    """Play the game again step by step to say who did what when."""
    from bartizan.simcore.replay import replay

    *_, last = replay(match, game)
    legal = ", ".join(str(a) for a in last.legal[:8].tolist()) + (", ..." if len(last.legal) > 8 else "")
    player = match.players[last.seat]
    return PolicyError(
        f"{player.source}: policy {player.name} chose action {last.action}, which is not legal (seed "
        f"{match.seed}, game {game}, ply {last.number}; legal: {legal})"
    )
