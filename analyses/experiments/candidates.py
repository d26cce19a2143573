"""Ways to set up one game, each played as far as was asked so far: the same game numbers on common luck, and
the next ones when more are wanted.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import polars as pl

from bartizan.analyses.document import Document
from bartizan.analyses.experiments.targets import SCORE, TIER, Asked, Target, tier_column
from bartizan.analyses.experiments.trials import Condition, capped
from bartizan.analyses.records.line_ups import Held, LineUp
from bartizan.analyses.records.tally import TRUNCATED
from bartizan.analyses.statistics.intervals import CONFIDENCE, Interval, with_cut_off
from bartizan.analyses.statistics.paired import Estimate, Measure, estimates
from bartizan.simcore.errors import ScenarioError, UsageError
from bartizan.simcore.play.batch import Source, Stretch
from bartizan.simcore.scenario.loading import Scenario

KEPT = ("game", "winner", "turn", "score")


@dataclass(frozen=True)
class Candidate:
    """One way to set up the game, and its first `games` game numbers in every seating."""

    target: Target
    line_up: LineUp
    games: int
    # confidence -> interval, once it was asked for
    known: dict[float, Interval] = field(default_factory=dict, compare=False, repr=False)

    def interval(self, confidence: float = CONFIDENCE) -> Interval:
        """The number that the target is about.

        A share of single games: Wilson; else Student's t over the game numbers.
        """
        if confidence not in self.known:
            measure = self.target.measured(self.line_up)
            is_share = len(self.line_up.cells) == 1 and measure.span == (0.0, 1.0)
            self.known[confidence] = (
                self._share(measure, confidence) if is_share else self._estimate(measure, confidence).interval
            )
        return self.known[confidence]

    def turns(self, confidence: float = CONFIDENCE) -> Estimate:
        return self._estimate(self.line_up.column("turn"), confidence)

    def _share(self, measure: Measure, confidence: float) -> Interval:
        least, most = (
            self._scan().select(measure.low.sum(), measure.high.sum().alias("most")).collect().row(0)
        )
        return with_cut_off(round(least), round(most - least), self.games, confidence)

    def _estimate(self, measure: Measure, confidence: float) -> Estimate:
        frame = self._scan()
        if not frame.select(measure.low.count()).collect().item():
            raise UsageError(f"--target {self.target.measure}: no game of {self.games:,} has one")
        (estimate,) = estimates(frame, [measure], capped(self.line_up), confidence)
        return estimate

    def _scan(self) -> pl.LazyFrame:
        extra = [kind for kind in (SCORE, TIER) if kind == self.target.measure]
        return self.line_up.scan(["turn", *extra])


class Sample(Document):
    """Games played under one setting."""

    games: int
    estimate: Interval  # of what the target is about
    turns: Interval


def numbers_of(candidate: Candidate) -> dict[str, Any]:
    """The fields of a sample."""
    return {"games": candidate.games, "estimate": candidate.interval(), "turns": candidate.turns().interval}


class Verified(Document):
    """Both results of what was chosen."""

    search: Sample
    fresh: Sample  # on other seeds


class Candidates:
    """Plays, and keeps what it has played. The answer does not depend on who plays."""

    def __init__(self, condition: Condition, target: Target, source: Source):
        self.condition, self.target, self.source = condition, target, source
        self.played: dict[str, list[list[np.ndarray]]] = {}  # changes as text -> rows of each seating

    def play(self, changes: Mapping[str, Any], games: int) -> Candidate:
        """The first `games` games under these changes; what was played before is not played again.

        Raises ScenarioError where they cannot be played.
        """
        condition, scenario = self.condition, self.condition.load(changes)
        if len(condition.game.roles_in(scenario)) != len(condition.players):
            raise UsageError(f"{', '.join(changes)}: changes how many play; that is for --players")
        seatings = condition.described()
        rows = self.played.setdefault(json.dumps(changes, sort_keys=True), [[] for _ in seatings])
        have = sum(map(len, rows[0]))
        if have < games:
            name = " ".join(f"{path}={value}" for path, value in changes.items()) or "as it is"
            self._play_on(scenario, rows, have, games, name[:40])
        cells = [
            Held(policies, self._frame(scenario, np.concatenate(chunks)[:games]))
            for policies, chunks in zip(seatings, rows, strict=True)
        ]
        return Candidate(self.target, LineUp(tuple(cells)), games)

    def _play_on(
        self, scenario: Scenario, rows: list[list[np.ndarray]], have: int, games: int, name: str
    ) -> None:
        """Modifies `rows`."""
        progress, ready = self.source.progress, self.source.ready
        progress.games_total = max(progress.games_total, progress.games_done + (games - have) * len(rows))
        stretches = (
            Stretch(ready(match), games - have, have, name, key=chunks)
            for match, chunks in zip(self.condition.matches(scenario), rows, strict=True)
        )
        for stretch, played in self.source.play(stretches):
            stretch.key.append(played[list(KEPT)].copy())

    def _frame(self, scenario: Scenario, rows: np.ndarray) -> pl.DataFrame:
        engine, target = self.condition.game.compiled, self.target
        frame = pl.DataFrame({name: rows[name].astype(np.int64) for name in KEPT})
        score = (
            pl.when(pl.col("score") != engine.nulls[SCORE]).then(pl.col("score"))
            if SCORE in engine.nulls
            else pl.col("score")
        )
        frame = frame.with_columns(score=score)
        if target.measure != TIER:
            return frame
        return frame.with_columns(
            tier_column(pl.col("score"), engine.tiers(scenario), target.name).alias(TIER)
            & (pl.col("winner") != TRUNCATED)
        )


def tiers_of(condition: Condition) -> list[str]:
    return list(condition.game.compiled.tiers(condition.load({})))


def playable(condition: Condition, choice: Asked) -> tuple[tuple, list[tuple[Any, str]]]:
    """The values of a knob that the scenario takes, and the others with the reason.

    Refused when fewer than two are left.
    """
    values, refused = [], []
    for value in choice.values:
        try:
            condition.load({choice.knob.path: value})
            values.append(value)
        except ScenarioError as error:
            refused.append((value, condition.refusal(choice.knob.path, value, error).reason))
    if len(values) < 2:
        raise UsageError(
            f"--knob {choice.knob.path}: {len(values)} of its {len(choice.values)} values can be played: "
            f"{refused[0][1] if refused else 'give more'}"
        )
    return tuple(values), refused
