"""A bracket: players of increasing skill at one level and in one role, on common random numbers.

Each rung is a policy whose wins are counted; the other players at the table stay the same. If all seats are
identical, the rung's policy sits in each seat for an equal part of the games, among copies of one opponent.
Each game is stored as one letter: its result for the rung. Therefore a bracket can be extended without
repeating games, and two rungs can be compared game by game.
"""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from bartizan.analyses.records.rung_ends import ends_of
from bartizan.simcore.play.batch import CHUNK_GAMES, Source, Stretch
from bartizan.simcore.play.match import Match

BLOCK = 4  # consecutive games per seating, so that even a few games are spread over all seats


@dataclass(frozen=True, eq=False)
class Rung:
    """One policy of a bracket, with its seatings and its number of games."""

    kind: str
    policy: str  # as named in the command
    seatings: tuple[tuple[Match, int], ...]  # (table, seat of the rung); several if seats are identical
    games: int
    plays: int = 0  # simulations per decision; 0: no lookahead
    base: "Rung | None" = None  # rung of the base policy, for a lookahead policy

    @property
    def is_slow(self) -> bool:
        return self.plays > 0

    @cached_property
    def player(self) -> str:
        """Hash (16 hex digits) of the code and weights of all players at the table."""
        players = [player for match, _ in self.seatings for player in match.players]
        words = "".join(f"{player.name} {player.source_hash} {player.weights}" for player in players)
        return hashlib.sha256(words.encode()).hexdigest()[:16]


def play(rung: Rung, source: Source, games: range) -> Iterator[str]:
    """Yield the results of the games in order, as one string of letters per batch (see `ends_of`)."""
    return (ends_of(rows, stretch.seat) for stretch, rows in source.play(stretches(rung, source, games)))


def stretches(rung: Rung, source: Source, games: range) -> Iterator[Stretch]:
    """Yield the batches of games. Each batch has one seating. With lookahead, a batch is one game."""
    tables = [(source.ready(match), seat) for match, seat in rung.seatings]
    most = 1 if rung.is_slow else BLOCK if len(tables) > 1 else CHUNK_GAMES
    while games:
        size = most - games.start % most
        batch, seat = tables[games.start // BLOCK % len(tables)]
        yield Stretch(batch, games[:size], rung.policy, seat)
        games = games[size:]
