"""Ways to set up one game, each played as far as was asked so far: the same game numbers on common luck, and
the next ones when more are wanted.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

import numpy as np
import polars as pl

from bartizan.analyses.experiments.sensitivity import Question
from bartizan.analyses.experiments.targets import SCORE, TIER, Asked, Target, tier_column
from bartizan.analyses.records.line_ups import Held, LineUp, seated
from bartizan.analyses.records.tally import TRUNCATED
from bartizan.analyses.statistics.intervals import Interval, with_cut_off
from bartizan.analyses.statistics.paired import Estimate, Measure, estimates
from bartizan.simcore.errors import ScenarioError, UsageError
from bartizan.simcore.play.batch import Batch, Pieces
from bartizan.simcore.play.match import Match, in_order
from bartizan.simcore.scenario.loading import Scenario
from bartizan.simcore.sweep.run import Progress

KEPT = ("game", "winner", "turn", "score")


@dataclass(frozen=True)
class Candidate:
    """One way to set up the game, and its first `games` game numbers in every seating."""

    target: Target
    line_up: LineUp
    games: int
    # level -> interval, once asked for
    known: dict[float, Interval] = field(default_factory=dict, compare=False, repr=False)

    def interval(self, level: float) -> Interval:
        """Of what the target is about.

        A share of single games: Wilson; else Student's t over the game numbers.
        """
        if level not in self.known:
            self.known[level] = self._interval(level)
        return self.known[level]

    def _interval(self, level: float) -> Interval:
        measure = self.target.measure(self.line_up)
        if len(self.line_up.cells) == 1 and measure.span == (0.0, 1.0):
            return self._share(measure, level)
        return self._estimate(measure, level).interval

    def turns(self, level: float) -> Estimate:
        return self._estimate(self.line_up.column("turn"), level)

    def _share(self, measure: Measure, level: float) -> Interval:
        least, most = (
            self._scan().select(measure.low.sum(), measure.high.sum().alias("most")).collect().row(0)
        )
        return with_cut_off(round(least), round(most - least), self.games, level)

    def _estimate(self, measure: Measure, level: float) -> Estimate:
        capped = sum(int((cell.frame["winner"] == TRUNCATED).sum()) for cell in self.line_up.cells)
        frame = self._scan()
        if not frame.select(measure.low.count()).collect().item():
            raise UsageError(f"--target {self.target.kind}: no game of {self.games:,} has one")
        (found,) = estimates(frame, [measure], capped, level)
        return found

    def _scan(self) -> pl.LazyFrame:
        return self.line_up.scan(
            ["turn", *([SCORE] if self.target.kind == SCORE else [TIER] if self.target.kind == TIER else [])]
        )


class Candidates:
    """Plays, and keeps what it has played. The answer does not depend on `jobs`."""

    def __init__(
        self,
        question: Question,
        target: Target,
        jobs: int = 1,
        watch: Callable[[Progress], None] = lambda progress: None,
    ):
        self.question, self.target, self.jobs, self.watch = question, target, jobs, watch
        self.progress = Progress(games_total=0)
        self.played: dict[str, list[list[np.ndarray]]] = {}  # changes as text -> one list of chunks a seating

    def play(self, changes: Mapping[str, Any], games: int) -> Candidate:
        """The first `games` games under these changes; what was played before is not played again.

        Raises ScenarioError where they cannot be played.
        """
        question, scenario = self.question, self.question.load(changes)
        seatings = question.seatings()
        if len(question.game.roles_in(scenario)) != len(question.players):
            raise UsageError(f"{', '.join(changes)}: changes how many play; that is for --players")
        rows = self.played.setdefault(json.dumps(changes, sort_keys=True), [[] for _ in seatings])
        have = sum(map(len, rows[0]))
        if have < games:
            self._play_on(
                scenario,
                rows,
                have,
                games,
                " ".join(f"{path}={value}" for path, value in changes.items()) or "as it is",
            )
        cells = [
            Held(seated(question.game.roles, seats), self._frame(scenario, np.concatenate(chunks)[:games]))
            for seats, chunks in zip(seatings, rows, strict=True)
        ]
        return Candidate(self.target, LineUp(tuple(cells)), games)

    def _play_on(
        self, scenario: Scenario, rows: list[list[np.ndarray]], have: int, games: int, name: str
    ) -> None:
        """Modifies `rows`, and `self.progress`."""
        progress, since, before = self.progress, perf_counter(), self.progress.seconds
        progress.cell, progress.wins, progress.games_of_cell = name[:40], 0, 0
        progress.games_total = max(progress.games_total, progress.games_done + (games - have) * len(rows))
        for seats, chunks in zip(self.question.seatings(), rows, strict=True):
            table = Batch(Match(self.question.game, scenario, seats, self.question.seed))
            dtype = self.question.game.compiled.record_dtype
            pieces = Pieces(table)
            wanted = pieces.of(np.zeros(games - have, dtype), have)
            for played in in_order(pieces.play, wanted, self.jobs):
                chunks.append(played[list(KEPT)].copy())
                progress.games_done += len(played)
                progress.played += len(played)
                progress.games_of_cell += len(played)
                progress.wins += int((played["winner"] == 0).sum())
                progress.seconds = before + perf_counter() - since
                self.watch(progress)

    def _frame(self, scenario: Scenario, rows: np.ndarray) -> pl.DataFrame:
        engine, target = self.question.game.compiled, self.target
        frame = pl.DataFrame({name: rows[name].astype(np.int64) for name in KEPT})
        score = (
            pl.when(pl.col("score") != engine.nulls[SCORE]).then(pl.col("score"))
            if SCORE in engine.nulls
            else pl.col("score")
        )
        frame = frame.with_columns(score=score)
        if target.kind != TIER:
            return frame
        return frame.with_columns(
            tier_column(pl.col("score"), engine.tiers(scenario), target.name).alias(TIER)
            & (pl.col("winner") != TRUNCATED)
        )


def tiers_of(question: Question) -> list[str]:
    return list(question.game.compiled.tiers(question.load({})))


def playable(question: Question, asked: Asked) -> tuple[tuple, list[tuple[Any, str]]]:
    """The values of a knob that the scenario takes, and the others with the reason.

    Refused when fewer than two are left.
    """
    values, refused = [], []
    base = question.load({})
    for value in asked.values:
        try:
            question.load({asked.knob.path: value})
            values.append(value)
        except ScenarioError as error:
            refused.append((value, str(error).removeprefix(f"{base.path}: ")))
    if len(values) < 2:
        raise UsageError(
            f"--knob {asked.knob.path}: {len(values)} of its {len(asked.values)} values can be played: "
            f"{refused[0][1] if refused else 'give more'}"
        )
    return tuple(values), refused
