"""A bracket: players of rising skill at one level, in one role, all on the same luck.

Each rung is somebody whose wins are counted; the others at the table stay the same. Where all seats are
alike the rung takes each seat for its share of the games, among copies of one opponent. A game is kept as one
letter, as the rung sees its end: a bracket that is measured further goes on where it ended, and two rungs are
compared game by game.
"""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from time import perf_counter

import numpy as np
import polars as pl

from bartizan.analyses.statistics.intervals import Interval, proportion, with_cut_off
from bartizan.analyses.statistics.paired import Effect, Measure, compare
from bartizan.simcore.play.batch import CHUNK_GAMES, Batch
from bartizan.simcore.play.match import Match, in_order
from bartizan.simcore.play.rules import NOBODY, TRUNCATED
from bartizan.simcore.sweep.run import Progress

WON, DRAWN, LOST, CUT_OFF = "wdlc"
BLOCK = 4  # consecutive games in one seating, then the next: few games are spread over the seats as well
WIN = Measure("share", "wins", pl.col("win"), pl.col("win"), (0.0, 1.0))


@dataclass(frozen=True, eq=False)
class Rung:
    """Somebody on a bracket."""

    kind: str
    policy: str  # as it was named
    seatings: tuple[tuple[Match, int], ...]  # (the table, where the rung sits); several where seats are alike
    games: int
    plays: int = 0  # a decision; 0: it does not look ahead
    base: "Rung | None" = None  # of one that looks ahead: its policy without

    @property
    def is_slow(self) -> bool:
        return self.plays > 0

    @cached_property
    def player(self) -> str:
        """16 hex digits over everybody at the table: other code or weights are another rung."""
        players = [player for match, _ in self.seatings for player in match.players]
        said = "".join(f"{one.name} {one.source_hash} {one.weights}" for one in players)
        return hashlib.sha256(said.encode()).hexdigest()[:16]


class Climb:
    """Plays rungs, telling somebody how far it is."""

    def __init__(self, games: int, jobs: int, watch: Callable[[Progress], None] = lambda progress: None):
        self.jobs, self.watch, self.progress = jobs, watch, Progress(games_total=games)
        self.since = perf_counter()

    def play(self, rung: Rung, first: int, games: int) -> Iterator[str]:
        """The ends of the games first .. games - 1, some at a time, in order. The answer does not depend on
        `jobs`.
        """
        tables = [(Batch(match), seat) for match, seat in rung.seatings]
        self.progress.begin(rung.policy)
        for ends in in_order(partial(ends_of, tables), pieces(rung, first, games), self.jobs):
            self.progress.games_done += len(ends)
            self.progress.played += len(ends)
            self.progress.games_of_cell += len(ends)
            self.progress.wins += ends.count(WON)
            self.progress.seconds = perf_counter() - self.since
            self.watch(self.progress)
            yield ends


def pieces(rung: Rung, first: int, games: int) -> Iterator[tuple[int, int]]:
    """(first game, how many): none reaches over a block where the seats are turned."""
    most = 1 if rung.is_slow else BLOCK if len(rung.seatings) > 1 else CHUNK_GAMES
    while first < games:
        size = min(most - first % most, games - first)
        yield first, size
        first += size


def ends_of(tables: Sequence[tuple[Batch, int]], first: int, games: int) -> str:
    """A letter a game."""
    batch, seat = tables[first // BLOCK % len(tables)]
    winner = batch.play(first, games)["winner"]
    ends = [winner == seat, winner == NOBODY, winner == TRUNCATED]
    return "".join(np.select(ends, [WON, DRAWN, CUT_OFF], LOST))


def win_rate(ends: str, draw: float) -> Interval:
    """draw: what a drawn game counts."""
    won = ends.count(WON) + draw * ends.count(DRAWN)
    return with_cut_off(won, ends.count(CUT_OFF), len(ends), method=proportion)


def gain(below: str, ends: str, draw: float) -> Effect | None:
    """What a rung wins more than another, game by game; None where nothing can be said."""
    found = compare(_wins(below, draw), _wins(ends, draw), [WIN])
    return found[0] if found and found[0].n > 1 else None


def _wins(ends: str, draw: float) -> pl.LazyFrame:
    worth = {WON: 1.0, DRAWN: draw, LOST: 0.0, CUT_OFF: None}
    values = [worth[end] for end in ends]
    return pl.LazyFrame(
        {"game": range(len(values)), "win": values}, schema={"game": pl.Int64, "win": pl.Float64}
    )
