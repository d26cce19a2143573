"""Games of a live engine: asked for in batches, checked, and written as rows of a record.

A sample of the games is played a second time by another process: a seed must always give the same game.
"""

import atexit
import json
import math
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from threading import Lock
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from bartizan.simcore.compile.rules import FIRST_GAME_REASON, HOUSE, NOBODY, PLY_CAP, TRUNCATED
from bartizan.simcore.errors import BartizanError, EngineError, UsageError, did_you_mean
from bartizan.simcore.live.declaration import RESULT, Declaration, identity, read_declaration, record_of
from bartizan.simcore.live.engine_file import EngineFile
from bartizan.simcore.live.process import GRACE, EngineProcess
from bartizan.simcore.live.seeds import seed_of
from bartizan.simcore.live.steps import asked_of, looks_ahead, play_game

if TYPE_CHECKING:
    from bartizan.simcore.play.match import Match

CHECKED = 64  # one game in so many is played twice
WINNERS = {"draw": NOBODY, "truncated": TRUNCATED, "game": HOUSE}


@dataclass
class LiveEngine:
    """An engine that was started, with its processes. file: what the user wrote; declared: its answer."""

    file: EngineFile
    declared: Declaration
    idle: deque[EngineProcess] = field(default_factory=deque, repr=False)
    busy: set[EngineProcess] = field(default_factory=set, repr=False)
    lock: Any = field(default_factory=Lock, repr=False)

    @cached_property
    def identity(self) -> str:
        """16 hex digits: the version of the engine."""
        return identity(self.declared, self.file.digest)

    @cached_property
    def record(self) -> np.dtype[Any]:
        return record_of(self.declared)

    @property
    def no_steps(self) -> str:
        """Why nothing that looks into a game can be asked, and what can."""
        names = ", ".join(policy.name for policy in self.declared.policies)
        return (
            f"{self.file.path.name} is a live engine, which plays games with its own policies ({names}); "
            "this needs the rules of the game: write it as a short game (short-games.md), or ask run, "
            "compare, tune, sensitivity or ladder"
        )

    def refuse_steps(self) -> NoReturn:
        """Raises UsageError."""
        raise UsageError(self.no_steps)

    def play(self, match: "Match", games: range, rows: np.ndarray) -> None:
        """Fill `rows` with consecutive games. Raises EngineError, whose `played` says how many are good."""
        with self._process() as process:
            self._fill(process, match, games, rows)
        self.repeat(match, rows[rows["game"] % CHECKED == 0], process)

    def repeat(self, match: "Match", rows: np.ndarray, player: EngineProcess | None = None) -> None:
        """Play games again, in the opposite order, by another process than `player`.

        Raises EngineError where a game differs.
        """
        if not len(rows):
            return
        again, before = np.zeros(len(rows), self.record), rows[::-1]
        with self._process(player) as another:
            self._fill(another, match, before["game"].tolist(), again)
        if differing := np.flatnonzero(before != again).tolist():
            raise EngineError(
                f"{self.file.path}: {_otherwise(match, before[differing[0]], again[differing[0]])}"
            )

    def _fill(self, process: EngineProcess, match: "Match", games: Sequence[int], rows: np.ndarray) -> None:
        seeds, seats = [seed_of(match.seed, game) for game in games], len(match.players)
        steps, done = looks_ahead(match.players), 0
        if not steps:
            process.ask({"message": "play", **_asked(match, self.declared), "seeds": seeds})
        try:
            for number, (game, seed) in enumerate(zip(games, seeds, strict=True)):
                if steps:
                    begin = _set_up(match, self.declared)
                    said = play_game(process, begin, match.players, seed, self._winner_in(process, seats))
                else:
                    said = process.answer(f"the game of seed {seed}")
                wrong = _write(self.declared, seats, seed, said, rows[number])
                if wrong:
                    process.fail(wrong)
                rows[number]["game"] = game
                done += 1
            if not steps:
                process.hold_done(len(seeds))
        except BartizanError as error:
            error.played = done
            raise
        process.rest()

    def _winner_in(self, process: EngineProcess, seats: int) -> Callable[[Mapping[str, Any], int], int]:
        """The winner of a result of a future, which is checked as that of a game is."""
        row = np.zeros(1, self.record)[0]

        def winner(said: Mapping[str, Any], seed: int) -> int:
            if wrong := _write(self.declared, seats, seed, said, row):
                process.fail(wrong)
            return int(row["winner"])

        return winner

    # ------------------------------------------------------------ processes

    @contextmanager
    def _process(self, other_than: EngineProcess | None = None) -> Iterator[EngineProcess]:
        """A process that is free, or a new one; one that failed is not used again."""
        with self.lock:
            free = next((one for one in self.idle if one is not other_than), None)
            if free:
                self.idle.remove(free)
            self.busy.update([free] if free else [])
        process = free or self._started()
        try:
            yield process
            with self.lock:
                self.idle.append(process)
        except BaseException:
            process.close(0)
            raise
        finally:
            self.busy.discard(process)

    def _started(self) -> EngineProcess:
        process, declared = started(self.file)
        self.busy.add(process)
        if declared != self.declared:
            process.fail("a second process declares something else than the first; declare the same in each")
        return process

    def close(self) -> None:
        """End all processes: those that are free by closing their stdin, others by force."""
        for process in self.idle:
            process.hang_up()
        for process in [*self.idle, *self.busy]:
            process.close(0 if process in self.busy else GRACE)
        self.idle.clear()


def started(file: EngineFile) -> tuple[EngineProcess, Declaration]:
    """A process that has said what it is. Raises UsageError for a declaration that is none, EngineError."""
    process = EngineProcess(file)
    process.ask({"message": "hello", "bartizan": 1})
    answer = process.answer("hello")
    process.rest()
    try:
        return process, read_declaration(answer, file.path)
    except BartizanError:
        process.close(0)
        raise


def live_engine(file: EngineFile) -> LiveEngine:
    """The engine of a file, started; its processes end with this one."""
    process, declared = started(file)
    engine = LiveEngine(file, declared, deque([process]))
    atexit.register(engine.close)
    return engine


def _asked(match: "Match", declared: Declaration) -> dict[str, Any]:
    """What is the same for all games of a match."""
    asked = [asked_of(player) for player in match.players]
    has_weights = any(policy.weights for policy in declared.policies)
    return {
        **_set_up(match, declared),
        "policies": [policy for policy, _ in asked],
        **({"weights": [own for _, own in asked]} if has_weights else {}),
    }


def _set_up(match: "Match", declared: Declaration) -> dict[str, Any]:
    """What a game is played with, beside its players."""
    scenario = match.scenario
    return {
        "level": scenario.difficulty,
        "players": scenario.data.get("players", declared.counts[0]),
        "settings": {setting.name: scenario.data[setting.name] for setting in declared.settings},
    }


# ---------------------------------------------------------------- a result


def _write(declared: Declaration, seats: int, seed: int, said: Mapping[str, Any], row: Any) -> str:
    """Write a result into a row of the record; "" or what is wrong with it."""
    where = f"the game of seed {seed}"
    if "done" in said and "winner" not in said:
        return f"{where}: no result, because the answer ends before it; answer every seed in its order"
    if said.get("seed") != seed or type(said.get("seed")) is not int:
        return f"{where}: the result has seed {_short(said.get('seed'))}; answer every seed in its order"
    own = declared.columns
    if said.keys() - {*RESULT, *own}:
        odd = min(said.keys() - {*RESULT, *own})
        return f"{where}: column {odd!r} is not declared{did_you_mean(odd, [*RESULT, *own])}"
    winner = said.get("winner")
    if type(winner) is int and 1 <= winner <= seats:
        row["winner"] = winner - 1
    elif isinstance(winner, str) and winner in WINNERS:
        row["winner"] = WINNERS[winner]
    else:
        seat = f"1 to {seats}" if seats > 1 else "1"
        return f"{where}: winner {_short(winner)}: write {seat}, or {', '.join(map(_short, WINNERS))}"
    for name in ("turns", "decisions"):
        value = said.get(name, said.get("turns"))
        if type(value) is not int or not 0 <= value < 1 << 32:
            return f"{where}: {name} {_short(value)}: write a whole number from 0"
        row["turn" if name == "turns" else "plies"] = value
    row["end_reason"] = PLY_CAP if winner == "truncated" else FIRST_GAME_REASON
    if declared.endings and winner != "truncated":
        if said.get("ending") not in declared.endings:
            return f"{where}: ending {_short(said.get('ending'))} is none of {', '.join(declared.endings)}"
        row["end_reason"] += declared.endings.index(said["ending"])
    scores = said.get("scores", [])
    due = seats if declared.score else 0
    if not isinstance(scores, list) or len(scores) != due:
        return f"{where}: scores {_short(scores)}: write a list of {due} numbers, as declared"
    for name, value in [*((f"score_{seat}", one) for seat, one in enumerate(scores)), *own_of(own, said)]:
        if not _is_number(value):
            return f"{where}: {name} = {_short(value)}: write a number in each result"
        row[name] = value
    if scores:
        row["score"] = scores[0]
    return ""


def own_of(columns: Mapping[str, str], said: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    return ((name, said.get(name)) for name in columns)


def _is_number(value: Any) -> bool:
    return type(value) in (int, float) and abs(value) < 1e300 and math.isfinite(value)


def _short(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= 60 else f"{text[:60]}..."


def _otherwise(match: "Match", before: Any, now: Any) -> str:
    """Two games of one seed that differ, in words."""
    differing = [name for name in before.dtype.names if before[name] != now[name]]
    name = "winner" if "winner" in differing else differing[0]
    one, other = before[name].item(), now[name].item()
    return (
        f"seed {seed_of(match.seed, int(before['game']))} gives another game the second time ({name} {one}, "
        f"then {other}); draw all luck from the seed of the game, and keep nothing from one game to the next"
    )
