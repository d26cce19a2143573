"""One condition and many variations of it, each with its games: what `sensitivity` and `tune` look at."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np
import polars as pl

from bartizan.analyses.document import Document
from bartizan.analyses.records.effects import LENGTH
from bartizan.analyses.records.line_ups import Held, LineUp, seated
from bartizan.analyses.records.tally import TRUNCATED
from bartizan.simcore.errors import ScenarioError
from bartizan.simcore.game import Game, rotations
from bartizan.simcore.play.batch import Batch, Source, Stretch
from bartizan.simcore.play.coverage import fingerprints
from bartizan.simcore.play.match import Match, Player
from bartizan.simcore.scenario.loading import Scenario, load_scenario

RECORD = "record"  # column of a frame: the whole record in one word


class Refused(Document):
    """A variation that cannot be played."""

    path: str
    to: Any
    reason: str


@dataclass(frozen=True)
class Condition:
    """One line-up under one scenario, some of whose values are in question."""

    game: Game
    scenario: str | None  # as the user named it
    sets: Mapping[str, Any]  # the baseline's, `difficulty` among them
    players: tuple[Player, ...]  # one a seat; who sits in several seats is the same object
    games: int  # of each seating, under each variation
    seed: int

    def load(self, changes: Mapping[str, Any], level: str | None = None) -> Scenario:
        """The scenario with some values changed. Raises ScenarioError where it cannot be played."""
        return load_scenario(self.game, self.scenario, level, {**self.sets, **changes})

    def refusal(self, path: str, value: Any, error: ScenarioError) -> Refused:
        """A value that the scenario does not take, with the reason."""
        return Refused(path=path, to=value, reason=str(error).removeprefix(f"{self.load({}).path}: "))

    def seatings(self) -> list[tuple[Player, ...]]:
        """Every rotation where seats are alike, so that players can be told from places."""
        return rotations(self.players) if self.game.alike else [self.players]

    def matches(self, scenario: Scenario) -> list[Match]:
        """One a seating."""
        return [Match(self.game, scenario, seats, self.seed) for seats in self.seatings()]

    def described(self) -> list[list[dict]]:
        """The seatings as a manifest has them."""
        return [seated(self.game.roles, seats) for seats in self.seatings()]


@dataclass(frozen=True, eq=False)
class Trial:
    """Games that are looked at together: the same game numbers under each of some scenarios."""

    what: Any
    tables: Sequence[Sequence[Batch]]  # of each scenario, one a seating
    games: int
    first_game: int = 0
    name: str = ""  # for a watcher


def play(condition: Condition, trials: Iterable[Trial], source: Source) -> Iterator[tuple[Trial, LineUp]]:
    """Each trial with its games, numbered from 0 on, scenario after scenario.

    Later trials are asked for while earlier ones are played.
    """
    seatings = condition.described()
    played = source.play(
        Stretch(batch, trial.games, trial.first_game, trial.name, key=trial)
        for trial in trials
        for tables in trial.tables
        for batch in tables
    )
    for stretch, rows in played:
        trial = stretch.key
        others = islice(played, len(trial.tables) * len(seatings) - 1)
        games = [rows, *(rows for _, rows in others)]
        yield (
            trial,
            LineUp(
                tuple(
                    Held(policies, _frame(games[i :: len(seatings)], [tables[i] for tables in trial.tables]))
                    for i, policies in enumerate(seatings)
                )
            ),
        )


def capped(line_up: LineUp) -> int:
    """Games cut off."""
    return sum(int((cell.frame["winner"] == TRUNCATED).sum()) for cell in line_up.cells)


def _frame(rows: Sequence[np.ndarray], tables: Sequence[Batch]) -> pl.DataFrame:
    """rows, tables: of each scenario, in one seating. RECORD: which games are the same."""
    matches = [table.match for table in tables]
    words = [
        fingerprints(games, match.engine, match.scenario) for games, match in zip(rows, matches, strict=True)
    ]
    every = np.concatenate(rows)
    columns = {name: every[name].astype(np.int64) for name in ("winner", LENGTH)}
    return pl.DataFrame({"game": np.arange(len(every)), **columns, RECORD: np.concatenate(words)})
