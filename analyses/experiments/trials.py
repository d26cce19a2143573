"""Simulation of one condition and of many variations of it, as used by `sensitivity` and `tune`."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import polars as pl

from bartizan.analyses.document import Document
from bartizan.analyses.records.comparison import LENGTH
from bartizan.analyses.records.seating import InMemoryCell, LineUp, seated
from bartizan.analyses.records.tally import TRUNCATED
from bartizan.simcore.compile import mistakes
from bartizan.simcore.errors import EngineError, PolicyError, ScenarioError
from bartizan.simcore.game import Engine, Game, rotations
from bartizan.simcore.play.batch import Batch, Source, Stretch
from bartizan.simcore.play.coverage import fingerprints
from bartizan.simcore.play.match import Jobs, Match, Player
from bartizan.simcore.scenario.loading import Scenario, load_scenario
from bartizan.simcore.scenario.parameters import Parameter
from bartizan.simcore.sweep.store import with_points
from bartizan.simcore.watch import current

PROBE_GAMES = 200  # test games under values that a user's game was not simulated with before
RECORD = "record"  # column of a frame: a fingerprint of the whole record
Fails = EngineError, PolicyError  # errors of games after their start
Answered = TypeVar("Answered")


class AskAgain(Exception):
    """Raised if games fail under some changes, to repeat the analysis without these changes."""


def asked(ask: Callable[[], Answered]) -> Answered:
    """Run an analysis that varies values, and repeat it without values under which games fail.

    Such a value is rejected like a value out of bounds, even if failures are rare. The result does not depend
    on when the failures are found.
    """
    while True:
        try:
            return ask()
        except AskAgain as again:
            if watch := current.get():
                watch.note_once(f"a value is left out, and the others are simulated again: {again}")


class Refused(Document):
    """A variation that cannot be simulated."""

    path: str
    to: Any
    reason: str


@dataclass(frozen=True)
class Condition:
    """One line-up under one scenario with varied values."""

    game: Game
    scenario: str | None  # as named by the user
    sets: Mapping[str, Any]  # values of the baseline, including `difficulty`
    players: tuple[Player, ...]  # one per seat; a player in several seats is the same object
    games: int  # games per seating and variation
    seed: int
    failed: dict[str, str] = field(default_factory=dict)  # changes under which games failed -> reason
    jobs: Jobs = 1  # threads or workers that run the test games of a value

    def load(self, changes: Mapping[str, Any], level: str | None = None) -> Scenario:
        """Return the scenario with some values changed.

        Raises ScenarioError if the scenario is invalid, or if games under it failed.
        """
        scenario = load_scenario(self.game, self.scenario, level, {**self.sets, **changes})
        if self.failed and (why := self.failed.get(_as_text(scenario))):
            raise ScenarioError(why)
        return scenario

    def load_playable(self, changes: Mapping[str, Any], level: str | None = None) -> Scenario:
        """Return the scenario as `load` does, after test games with the rules and policies of a user's game.

        Raises ScenarioError if these fail, because one value that overfills a pile or makes a policy's choice
        illegal must not end a command that varies many values.
        """
        scenario = self.load(changes, level)
        if changes and not self.game.is_builtin:
            match = self.matches(scenario)[0]
            if len(self.game.roles_in(scenario)) == len(self.players):
                try:
                    Source(self.jobs).rows(match, range(min(self.games, PROBE_GAMES)))
                except Fails as error:
                    raise ScenarioError(str(error)) from error
        return scenario

    @contextmanager
    def noting_failures(self) -> Iterator[None]:
        """Context manager that records the failures of games under some changes, and then raises AskAgain.

        Failures without a change, or of a built-in game, are not caught.
        """
        try:
            yield
        except Fails as error:
            scenario = error.match.scenario if error.match else None
            is_ours = self.game.is_builtin and isinstance(error, EngineError)
            if scenario is None or is_ours or _as_text(scenario) in {*self.failed, _as_text(self.load({}))}:
                raise
            self.failed[_as_text(scenario)] = str(error)
            raise AskAgain(str(error)) from error

    def refusal(self, path: str, value: Any, error: ScenarioError) -> Refused:
        """Return the description of a rejected value, with the reason."""
        written = Path(mistakes.WRITTEN.get(str(file := self.load({}).path), file))
        return Refused(
            path=path, to=value, reason=str(error).removeprefix(f"{file}: ").removeprefix(f"{written}: ")
        )

    def seatings(self) -> list[tuple[Player, ...]]:
        """Return every rotation of the players if seats are identical; otherwise the one seating.

        Rotations separate the effects of players and seats.
        """
        return rotations(self.players) if self.game.alike else [self.players]

    def matches(self, scenario: Scenario) -> list[Match]:
        """Return one match for each of `seatings`, under this scenario."""
        return [Match(self.game, scenario, seats, self.seed) for seats in self.seatings()]

    def described(self) -> list[list[dict[str, Any]]]:
        """Return the seatings in the form of a manifest."""
        return [seated(self.game.roles, seats) for seats in self.seatings()]


def _as_text(scenario: Scenario) -> str:
    return json.dumps([scenario.difficulty, scenario.overrides], sort_keys=True)


@dataclass(frozen=True, eq=False)
class Trial:
    """Games that are analysed together: the same game numbers under each of several scenarios."""

    what: Any
    tables: Sequence[Sequence[Batch]]  # per scenario: one table per seating
    games: range
    name: str = ""  # name for progress messages


# bytes per game while a trial is analysed; analyses of many trials keep only counts
COLUMNS = ("game", "winner", LENGTH, "score")
Frame = Callable[[Sequence[np.ndarray], Sequence[Batch]], pl.DataFrame]


def bytes_of(engine: Engine) -> int:
    """Return the bytes of memory per game, for its columns and their table."""
    return 2 * sum(int(engine.record_dtype[name].itemsize) for name in COLUMNS)


def play(
    condition: Condition, trials: Iterable[Trial], source: Source, frame: Frame | None = None
) -> Iterator[tuple[Trial, LineUp]]:
    """Yield each trial with its games, numbered from 0, scenario after scenario.

    Later trials are requested while earlier ones are simulated. frame: function that makes one row per game
    from the (rows, tables) of a scenario in one seating (default: `with_records`). Raises AskAgain (see
    `asked`).
    """
    frame = frame or with_records
    seatings = condition.described()
    played = source.play(
        Stretch(batch, trial.games, trial.name, key=trial)
        for trial in trials
        for tables in trial.tables
        for batch in tables
    )
    with condition.noting_failures():
        for stretch, rows in played:
            trial = stretch.key
            others = islice(played, len(trial.tables) * len(seatings) - 1)
            games = [rows, *(rows for _, rows in others)]
            cells = (
                InMemoryCell(
                    policies, frame(games[i :: len(seatings)], [tables[i] for tables in trial.tables])
                )
                for i, policies in enumerate(seatings)
            )
            yield trial, LineUp(tuple(cells))


def truncated(line_up: LineUp) -> int:
    """Return the number of truncated games, over all cells of a line-up."""
    return sum(int((cell.frame["winner"] == TRUNCATED).sum()) for cell in line_up.cells)


def with_records(rows: Sequence[np.ndarray], tables: Sequence[Batch]) -> pl.DataFrame:
    """Return one row per game with its record, and the column RECORD, which identifies identical games."""
    matches = [table.match for table in tables]
    words = [
        fingerprints(games, match.engine, match.scenario) for games, match in zip(rows, matches, strict=True)
    ]
    frame = columns_of(np.concatenate(rows), matches[0].engine)
    return frame.with_columns(pl.int_range(pl.len()).alias("game"), pl.Series(RECORD, np.concatenate(words)))


def columns_of(rows: np.ndarray, engine: Engine) -> pl.DataFrame:
    """Return the columns COLUMNS of the records, with scores in points.

    The score is null for a game without one.
    """
    frame = pl.DataFrame({name: _whole(rows[name]) for name in COLUMNS})
    if "score" in engine.nulls:
        has_one = pl.col("score") != engine.nulls["score"]
        frame = frame.with_columns(score=pl.when(has_one).then(pl.col("score")))
    return with_points(frame, engine.reporting)


def _whole(numbers: np.ndarray) -> np.ndarray:
    """Return integers with 64 bits. Decimals, which scores of live engines may have, are kept."""
    return numbers.astype(np.float64 if numbers.dtype.kind == "f" else np.int64)


# -------------------------- rules for variations: one for each kind of value (number, choice, text of a card)

RANGE = 0.25


def variations(knob: Parameter, spread: float = RANGE) -> list[Any]:
    """Return the distinct other values of a parameter. spread: relative change of numbers.

    Names, free text and empty lists have no variations. `simcore.scenario.loading.load_scenario` checks
    whether the scenario is valid with a variation.
    """
    by_text = {json.dumps(value): value for value in _others(knob.value, knob, spread)}
    by_text.pop(json.dumps(knob.value), None)  # compared as text, so that 1 is not true
    return list(by_text.values())


def _others(value: Any, knob: Parameter, spread: float) -> Iterator[Any]:
    if knob.choices:
        yield from knob.choices
    elif isinstance(value, int | float):
        yield from (_within(other, knob) for other in _numbers(value, spread))
    elif isinstance(value, list):
        yield from _lists(value, spread)


def _numbers(value: float, spread: float) -> tuple[float, float]:
    """Return the value one step lower and one step higher.

    The step is the share `spread` of the value; for an integer, it is rounded, and at least 1.
    """
    if isinstance(value, float):
        return value * (1 - spread), value * (1 + spread)
    step = max(1, round(spread * abs(value)))
    return value - step, value + step


def _within(value: Any, knob: Parameter) -> Any:
    """Return the nearest value within the parameter's bounds."""
    low, high = (None if end is None else type(value)(end) for end in (knob.low, knob.high))
    value = value if low is None else max(value, low)
    return value if high is None else min(value, high)


def _lists(entries: list[Any], spread: float) -> Iterator[list[Any]]:
    """Yield variations of a list.

    Numbers vary one by one, by the rule of numbers. Other entries are left out one by one; in tables, each
    `n` is also decreased (not below 1) and increased by 1.
    """
    for index, entry in enumerate(entries):
        before, after = entries[:index], entries[index + 1 :]
        if isinstance(entry, int | float) and not isinstance(entry, bool):
            yield from ([*before, other, *after] for other in _numbers(entry, spread))
        else:
            yield before + after
            if isinstance(entry, dict) and isinstance(n := entry.get("n"), int):
                yield from ([*before, entry | {"n": other}, *after] for other in (n - 1, n + 1) if other >= 1)
