"""Many scenarios of one question, played in memory on a pool of threads: what `sensitivity` looks at.

The rows do not depend on the number of threads.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np
import polars as pl

from bartizan.analyses.records.effects import LENGTH
from bartizan.analyses.records.line_ups import Held, LineUp, rotations, seated
from bartizan.analyses.records.tally import TRUNCATED
from bartizan.simcore.game import Game
from bartizan.simcore.play.batch import Batch
from bartizan.simcore.play.fingerprints import fingerprints
from bartizan.simcore.play.match import Match, Player, in_order
from bartizan.simcore.scenario.loading import Scenario, load_scenario
from bartizan.simcore.sweep.run import Progress

RECORD = "record"  # column of a frame: the whole record in one word
CHUNK_GAMES = 256  # few enough to see a slow game move
Watch = Callable[[Progress], None]


@dataclass(frozen=True)
class Question:
    """What is played: one line-up under one scenario, some of whose values are in question."""

    game: Game
    scenario: str | None  # as the user named it
    sets: Mapping[str, Any]  # the baseline's, `difficulty` among them
    players: tuple[Player, ...]  # one a seat; who sits in several seats is the same object
    games: int  # of each seating, under each variation
    seed: int

    def load(self, changes: Mapping[str, Any], level: str | None = None) -> Scenario:
        """The scenario with some values changed. Raises ScenarioError where it cannot be played."""
        return load_scenario(self.game, self.scenario, level, {**self.sets, **changes})

    def seatings(self) -> list[tuple[Player, ...]]:
        """Every rotation where seats are alike, so that players can be told from places."""
        return rotations(self.players) if self.game.alike else [self.players]

    def tables(self, scenario: Scenario) -> tuple[Batch, ...]:
        """Ready to play, one a seating."""
        return tuple(Batch(Match(self.game, scenario, seats, self.seed)) for seats in self.seatings())


@dataclass(frozen=True)
class Trial:
    """Games that are looked at together: the same game numbers under each of some scenarios."""

    what: Any
    tables: tuple[tuple[Batch, ...], ...]  # of each scenario, one a seating
    games: int
    first_game: int = 0
    name: str = ""  # for whoever watches


def play(
    question: Question, trials: Iterable[Trial], jobs: int, progress: Progress, watch: Watch
) -> Iterator[tuple[Trial, LineUp]]:
    """Each trial with its games, numbered from 0 on, scenario after scenario.

    Later trials are asked for while earlier ones are played. Modifies `progress`.
    """
    begun: deque[tuple[Trial, np.ndarray, int]] = deque()
    since = perf_counter()
    described = [seated(question.game.roles, seats) for seats in question.seatings()]

    def chunks() -> Iterator[tuple[Batch, np.ndarray, int]]:
        for trial in trials:
            rows = np.zeros(
                (len(described), len(trial.tables), trial.games), question.game.compiled.record_dtype
            )
            parts = list(_chunks(trial, rows))
            begun.append((trial, rows, len(parts)))
            yield from parts

    done = 0
    for chunk in in_order(Batch.play_into, chunks(), jobs):
        trial, rows, parts = begun[0]
        _count(progress, trial.name, chunk, perf_counter() - since)
        watch(progress)
        done += 1
        if done == parts:
            begun.popleft()
            done = 0
            yield (
                trial,
                LineUp(
                    tuple(
                        Held(policies, _frame(games, [tables[seating] for tables in trial.tables]))
                        for seating, (policies, games) in enumerate(zip(described, rows, strict=True))
                    )
                ),
            )


def _chunks(trial: Trial, rows: np.ndarray) -> Iterator[tuple[Batch, np.ndarray, int]]:
    """rows: seatings x scenarios x games."""
    for number, tables in enumerate(trial.tables):
        for table, of_seating in zip(tables, rows, strict=True):
            for first in range(0, trial.games, CHUNK_GAMES):
                yield table, of_seating[number, first : first + CHUNK_GAMES], trial.first_game + first


def capped(line_up: LineUp) -> int:
    """Games cut off."""
    return sum(int((cell.frame["winner"] == TRUNCATED).sum()) for cell in line_up.cells)


def _count(progress: Progress, name: str, chunk: np.ndarray, seconds: float) -> None:
    """One more chunk is done. Modifies `progress`."""
    if name != progress.cell:
        progress.cell, progress.wins, progress.games_of_cell = name, 0, 0
    progress.games_done += len(chunk)
    progress.played += len(chunk)
    progress.seconds = seconds
    progress.games_of_cell += len(chunk)
    progress.wins += int((chunk["winner"] == 0).sum())


def _frame(rows: np.ndarray, tables: Sequence[Batch]) -> pl.DataFrame:
    """rows: scenarios x games, of one seating; tables: of each scenario. RECORD: which games are the same."""
    matches = [table.match for table in tables]
    words = [fingerprints(of, it.engine, it.scenario) for of, it in zip(rows, matches, strict=True)]
    every = rows.reshape(-1)
    columns = {name: every[name].astype(np.int64) for name in ("winner", LENGTH)}
    return pl.DataFrame({"game": np.arange(len(every)), **columns, RECORD: np.concatenate(words)})
