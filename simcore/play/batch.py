"""Simulation of many games, in ranges of consecutive game numbers. Each game gives one row of the record.

The row of a game depends only on the seed and the game number, so it is the same for any number of threads,
in any order, and on any machine.
"""

from collections import Counter, deque
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from copy import copy
from dataclasses import dataclass, field, replace
from functools import cached_property
from time import perf_counter
from typing import Any

import numpy as np

from bartizan.simcore.compile.loops import Loop, array
from bartizan.simcore.compile.rules import TRUNCATED
from bartizan.simcore.errors import BartizanError, EngineError
from bartizan.simcore.game import Engine
from bartizan.simcore.play.match import (
    CompiledMatch,
    Elsewhere,
    Jobs,
    Match,
    Player,
    as_dealt,
    chunks_of,
    in_order,
    threads_of,
)
from bartizan.simcore.play.step import begin_game, play_on, write_row


@dataclass
class Progress:
    """Progress of a computation, passed to a callback after every chunk of games."""

    cell: str = ""  # name of the current cell
    cells_done: int = 0
    games_done: int = 0  # in all cells, including games that existed already
    games_total: int = 0
    played: int = 0  # games simulated in this run
    seconds: float = 0.0  # simulation time
    seconds_left: float | None = None  # None: not known yet
    wins: int = 0  # in this cell, by the seat of interest
    truncated: int = 0  # in this cell, by the ply cap: neither won nor lost
    games_of_cell: int = 0
    mean_score: float | None = None  # in this cell, if it is shown instead of the wins
    unit: str = "games"  # of `games_done` and `games_total`
    is_latest: bool = False  # whether later games of this cell replace these, as another policy plays them
    notes: list[str] = field(default_factory=list)  # lines that the user should see

    def begin(self, cell: str) -> None:
        self.cell, self.wins, self.truncated, self.games_of_cell = cell, 0, 0, 0

    def add(self, rows: np.ndarray, seconds: float | None, cell: str = "", seat: int | None = 0) -> None:
        """Add games to the progress.

        seconds: time to simulate them; None: they existed already. cell: name of a new cell; "": the current
        cell. seat: the seat whose wins are counted; None: no seat.
        """
        if cell and cell != self.cell:
            self.begin(cell)
        self.games_done += len(rows)
        if seat is not None:
            self.games_of_cell += len(rows)
            self.wins += int((rows["winner"] == seat).sum())
            self.truncated += int((rows["winner"] == TRUNCATED).sum())
        if seconds is not None:
            self.seconds += seconds
            self.played += len(rows)


# at least 50 ms of a real game: long enough to hide the overhead, short enough to stop quickly
CHUNK_GAMES = 2048
# games per chunk, initial and maximum; a chunk that takes fewer seconds may be enlarged. Elsewhere each chunk
# is a message, which takes some milliseconds
FIRST_HERE, MOST_HERE, SHORT_HERE = 4, CHUNK_GAMES, 0.1
FIRST_ELSEWHERE, MOST_ELSEWHERE, SHORT_ELSEWHERE = 16, 16 * CHUNK_GAMES, 0.5
# one game in TASTED is simulated in advance for each match, from 2 to MOST_TASTED, to estimate the total time
TASTED, MOST_TASTED = 16, 64


def play_batch(states, tables, policies, workspaces, first_game, out):
    """Simulate `len(out)` games numbered from `first_game`. Row i of `out` records game first_game + i.

    Stops early after the row of a game with an illegal action.
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


class LiveLoop(Loop):
    """A loop that is not compiled for a live engine, which simulates the games itself."""

    def compiled_for(self, engine: Engine, seats: int) -> Any:
        return None if engine.live else super().compiled_for(engine, seats)

    def is_compiled(self, engine: Engine, seats: int) -> bool:
        return engine.live is not None or super().is_compiled(engine, seats)


BATCH = LiveLoop(play_batch, lambda engine, seats: (array(engine.record_dtype),))


@dataclass
class Pace:
    """Number of games per chunk, adapted to the speed of the games.

    A chunk takes a fraction of a second, so that progress is shown often.
    """

    games: int = FIRST_HERE
    most: int = MOST_HERE
    short: float = SHORT_HERE
    played: int = 0
    seconds: float = 0.0  # per thread

    def took(self, games: int, seconds: float) -> None:
        """Enlarge later chunks if a chunk took little time. games: its size. seconds: its duration."""
        self.played += games
        self.seconds += seconds
        if seconds < self.short:
            self.games = min(max(self.games, 2 * games), self.most)


class Batch(CompiledMatch):
    """A compiled match, for simulating and recording complete games.

    If workers (`elsewhere`) or a live engine simulate the games, this process compiles nothing.
    """

    def __init__(self, match: Match, elsewhere: Elsewhere | None = None):
        self.elsewhere = elsewhere
        self.pace = Pace(FIRST_ELSEWHERE, MOST_ELSEWHERE, SHORT_ELSEWHERE) if elsewhere else Pace()
        self.live = match.engine.live
        if elsewhere or self.live:
            self.match = as_dealt(match, BATCH)
        else:
            super().__init__(match, BATCH)

    def play(self, games: range) -> np.ndarray:
        """Return the rows of consecutive games as a structured array of the game's record dtype."""
        return self.play_into(np.zeros(len(games), self.match.engine.record_dtype), games)

    def play_into(self, rows: np.ndarray, games: range) -> np.ndarray:
        """Fill and return `rows`, one row per game.

        Raises PolicyError for an illegal action, and EngineError for any other error in a rule or a policy.
        """
        begun = perf_counter()
        if self.elsewhere:
            rows[:] = _those_of(self.elsewhere.play(self.play, games), rows, games)
        elif self.live:
            self.live.play(self.match, games, rows)
        else:
            self.run(games.start, rows)
        self.pace.took(len(rows), perf_counter() - begun)
        return rows

    def with_weights(self, seat: int, weights: Mapping[str, float], seed: int) -> "Batch":
        """Return a batch with some changed weights of one seat's policy and the random numbers of `seed`.

        Both batches share the compiled code.
        """
        players = list(self.match.players)
        players[seat] = replace(players[seat], weights={**players[seat].weights, **weights})
        return self.with_players(players, seed)

    def with_players(self, players: Sequence[Player], seed: int) -> "Batch":
        """Return a batch with the weights of `players` and the random numbers of `seed`.

        The policies must be the same. Both batches share the compiled code.
        """
        other = copy(self)
        other.match = replace(self.match, players=tuple(players), seed=seed)
        return other


def _those_of(played: np.ndarray, wanted: np.ndarray, games: range) -> np.ndarray:
    """Check and return the rows from a worker. Raises EngineError if they belong to other games."""
    if played.dtype != wanted.dtype or not np.array_equal(played["game"], games):
        raise EngineError(
            f"games {games.start} to {games.stop - 1}: a worker returned games that were not "
            "requested; run the same command again"
        )
    return played


@dataclass(frozen=True, eq=False)
class Stretch:
    """One or more consecutive games of a match."""

    batch: Batch
    games: range
    name: str = ""  # for the progress display
    seat: int | None = 0  # seat whose wins the progress display counts; None: no seat
    key: Any = None  # purpose of the games; only its owner reads it


class Source:
    """The source of games for a question: threads of this process, or workers elsewhere.

    Rows come in the requested order and are counted once, wherever they are simulated. Workers are contacted
    when the first game is requested.
    """

    # finished games of the current stretch, in order
    unfinished: np.ndarray | None = None

    def __init__(self, jobs: Jobs = 1, watch: Callable[[Progress], None] = lambda progress: None):
        self.jobs, self.watch = jobs, watch
        self.keep: Callable[[], None] = lambda: None  # called after each piece; its owner saves `unfinished`
        self.elsewhere = None if isinstance(jobs, int) else jobs
        self.expect(0)

    @cached_property
    def threads(self) -> int:
        """Number of chunks that are requested at the same time."""
        return threads_of(self.jobs)

    def expect(self, games: int, plan: Sequence[Stretch] = ()) -> None:
        """Reset the progress to a new total number of games.

        plan: the planned stretches. If they belong to several matches, which differ in speed, some games of
        each match are simulated in advance to estimate the total time, and are reused.
        """
        self.progress = Progress(games_total=games)
        self._ahead: Counter[Batch] = Counter()
        self._tasted: dict[tuple[Batch, int], np.ndarray] = {}
        by_batch: dict[Batch, list[Stretch]] = {}
        for stretch in plan:
            by_batch.setdefault(stretch.batch, []).append(stretch)
            self._ahead[stretch.batch] += len(stretch.games)
        if len(by_batch) > 1:
            pieces = (piece for stretches in by_batch.values() for piece in _first_games(stretches))
            played = in_order(lambda batch, games: (batch, games, batch.play(games)), pieces, self.threads)
            self._tasted = {(batch, games.start): rows for batch, games, rows in played}
            self._tell()

    def ready(self, match: Match) -> Batch:
        """Return the planned `Batch` of a match, or a new one if the match is not planned."""
        return next((one for one in self._ahead if one.match is match), None) or Batch(match, self.elsewhere)

    def rows(self, match: Match, games: range, name: str = "") -> np.ndarray:
        """Return the rows of consecutive games of a match. name: for the progress display."""
        ((_, rows),) = self.play([Stretch(self.ready(match), games, name)])
        return rows

    def chunks(self, match: Match, games: range) -> Generator[np.ndarray, None, None]:
        """Yield rows in game order, up to CHUNK_GAMES at a time.

        Callers apply stopping rules after each chunk.
        """
        batch = self.ready(match)
        with closing(self.play(Stretch(batch, *chunk) for chunk in chunks_of(games, CHUNK_GAMES))) as played:
            for _, rows in played:
                yield rows

    def play(self, stretches: Iterable[Stretch]) -> Generator[tuple[Stretch, np.ndarray], None, None]:
        """Yield each stretch with its rows, in order.

        Later stretches are requested while earlier ones are simulated.

        When a stretch is yielded, `progress` already counts it and all stretches before it.
        """
        begun: deque[tuple[Stretch, np.ndarray]] = deque()
        played = in_order(self._piece, self._pieces(stretches, begun), self.threads)
        ready, since = 0, perf_counter()
        try:
            for stretch, piece in played:
                self.progress.add(piece, perf_counter() - since, stretch.name, stretch.seat)
                if stretch.batch in self._ahead:
                    self._ahead[stretch.batch] -= len(piece)
                self._tell()
                self._consider(stretch.batch, piece)
                ready += len(piece)
                self.unfinished = begun[0][1][:ready]
                if ready == len(stretch.games):
                    ready, self.unfinished = 0, None
                    yield begun.popleft()
                else:
                    self.keep()
                since = perf_counter()
        except (BartizanError, KeyboardInterrupt) as error:
            self.unfinished = begun[0][1][: ready + getattr(error, "played", 0)] if begun else None
            raise
        finally:
            played.close()

    def _piece(self, stretch: Stretch, rows: np.ndarray, games: range) -> tuple[Stretch, np.ndarray]:
        tasted = self._tasted.pop((stretch.batch, games.start), None)
        if tasted is None:
            try:
                return stretch, stretch.batch.play_into(rows, games)
            except BartizanError as error:
                error.match = stretch.batch.match
                raise
        rows[:] = tasted[: len(rows)]
        return stretch, rows

    def _consider(self, batch: Batch, piece: np.ndarray) -> None:
        """Start to compile the next tier if the remaining decisions justify it.

        Their number is estimated from this chunk.
        """
        if batch.elsewhere or batch.live or batch.tiers.is_last:
            return
        left = self.progress.games_total - self.progress.games_done
        batch.tiers.consider(self._ahead.get(batch, left) * float(piece["plies"].mean()))

    def _pieces(
        self, stretches: Iterable[Stretch], begun: deque
    ) -> Iterator[tuple[Stretch, np.ndarray, range]]:
        """Yield (stretch, rows to fill, games) for each chunk.

        A chunk consists of the games simulated in advance, or of as many games as suit the match. Appends
        each stretch, with all its rows, to `begun`.
        """
        for stretch in stretches:
            rows = np.zeros(len(stretch.games), stretch.batch.match.engine.record_dtype)
            begun.append((stretch, rows))
            ahead = stretch.games
            while ahead:
                size = len(self._tasted.get((stretch.batch, ahead.start), ())) or stretch.batch.pace.games
                start = ahead.start - stretch.games.start
                yield stretch, rows[start : start + size], ahead[:size]
                ahead = ahead[size:]

    def _tell(self) -> None:
        """Report the progress and the remaining time, estimated from the speed of each match."""
        now = self.progress
        if any(batch.pace.played for batch in self._ahead):
            paces = [(games, batch.pace) for batch, games in self._ahead.items() if batch.pace.played]
            now.seconds_left = sum(n * pace.seconds / pace.played for n, pace in paces) / self.threads
        elif now.played:
            now.seconds_left = (now.games_total - now.games_done) * now.seconds / now.played
        self.watch(now)


def _first_games(stretches: Sequence[Stretch]) -> Iterator[tuple[Batch, range]]:
    """Yield (batch, games) for the games of one match to simulate in advance."""
    wanted = min(max(sum(len(stretch.games) for stretch in stretches) // TASTED, 2), MOST_TASTED)
    for stretch in stretches:
        if wanted > 0:
            yield stretch.batch, stretch.games[:wanted]
            wanted -= len(stretch.games)


def play_games(match: Match, games: range, jobs: Jobs = 1) -> Iterator[np.ndarray]:
    """Return an iterator over rows in game order, up to CHUNK_GAMES at a time."""
    return Source(jobs).chunks(match, games)
