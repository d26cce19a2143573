"""What `sensitivity` looks at first: the baseline, every value varied by itself, and random draws of all
values at once.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

import numpy as np
import polars as pl

from bartizan.analyses.document import Document
from bartizan.analyses.experiments import trials
from bartizan.analyses.experiments.trials import Question, Trial, Watch, play
from bartizan.analyses.records.effects import LENGTH
from bartizan.analyses.records.line_ups import LineUp
from bartizan.simcore.errors import ScenarioError
from bartizan.simcore.scenario.loading import Scenario
from bartizan.simcore.sweep.run import Progress


@dataclass(frozen=True)
class Case:
    """Values that differ from the baseline: one, or those of a joint draw; none in the baseline itself."""

    changes: Mapping[str, Any] = field(default_factory=dict)
    draw: int = 0  # number of the joint draw, from 1
    # paths of a joint draw that stay as they are: what was drawn did not go with the others
    left_out: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        return f"draw {self.draw}" if self.draw else next(iter(self.changes), "baseline")


class Refused(Document):
    """A variation that cannot be played."""

    path: str
    to: Any
    reason: str


@dataclass(frozen=True)
class PlayedCase:
    """All games of one case."""

    case: Case
    main: LineUp  # at the level in question
    levels: Mapping[str, LineUp]  # every level that was asked for and can be played

    @property
    def capped(self) -> int:
        return trials.capped(self.main)

    def scan(self) -> pl.LazyFrame:
        return self.main.scan((LENGTH,))


class Cases:
    """The baseline, every single variation and the joint draws: checked one after another while others are
    played.
    """

    def __init__(self, question: Question, values: Mapping[str, list], draws: int, levels: Sequence[str]):
        self.question, self.values, self.draws, self.levels = question, values, draws, levels
        self.refused: list[Refused] = []
        # cases besides the baseline, should none be refused
        self.most = sum(map(len, values.values())) + draws
        self.games = len(question.seatings()) * question.games  # of one case at one level

    def played(self, jobs: int, watch: Watch) -> Iterator[PlayedCase]:
        """One case after another, the baseline first."""
        question, level = self.question, self.question.load({}).difficulty
        progress = Progress(games_total=self.games * (1 + self.most) * max(len(self.levels), 1))
        wanted = (
            Trial((case, s.difficulty), (question.tables(s),), question.games, name=case.name)
            for case, s in self._scenarios(progress)
        )
        for case, group in groupby(
            play(question, wanted, jobs, progress, watch), key=lambda found: found[0].what[0]
        ):
            at = {trial.what[1]: line_up for trial, line_up in group}
            yield PlayedCase(case, at[level], at)

    def _scenarios(self, progress: Progress) -> Iterator[tuple[Case, Scenario]]:
        """Each case at the level in question first, then at the others."""
        for case, scenario in self._checked(progress):
            yield case, scenario
            for level in self.levels:
                if level != scenario.difficulty:
                    try:
                        yield case, self.question.load(case.changes, level)
                    except ScenarioError:
                        progress.games_total -= self.games

    def _checked(self, progress: Progress) -> Iterator[tuple[Case, Scenario]]:
        base = self.question.load({})
        yield Case(), base
        playable: dict[str, list] = {}
        for path, values in self.values.items():
            for value in values:
                try:
                    scenario = self.question.load({path: value})
                except ScenarioError as error:
                    reason = str(error).removeprefix(f"{base.path}: ")
                    self.refused.append(Refused(path=path, to=value, reason=reason))
                    progress.games_total -= self.games * max(len(self.levels), 1)
                    continue
                playable.setdefault(path, []).append(value)
                yield Case({path: value}), scenario
        for draw in range(1, self.draws + 1):
            case = self._drawn(draw, playable)
            yield case, self.question.load(case.changes)

    def _drawn(self, draw: int, playable: Mapping[str, list]) -> Case:
        """Each value drawn by itself among its variations and what it is now, all as likely.

        Draw n of a seed is the same however many there are.
        """
        luck = np.random.default_rng((self.question.seed, draw))
        picked = {path: int(luck.integers(len(values) + 1)) for path, values in playable.items()}
        wanted = [(path, playable[path][index - 1]) for path, index in picked.items() if index]
        order = luck.permutation(len(wanted))
        changes = self._together({}, [wanted[index] for index in order])
        return Case(changes, draw, tuple(path for path, _ in wanted if path not in changes))

    def _together(self, kept: dict, more: list[tuple[str, Any]]) -> dict:
        """`kept` and as many of the others as can be played with it: all, or (halved until one is left)
        without those that are refused.
        """
        try:
            self.question.load(kept | dict(more))
            return kept | dict(more)
        except ScenarioError:
            if len(more) < 2:
                return kept
            half = len(more) // 2
            return self._together(self._together(kept, more[:half]), more[half:])
