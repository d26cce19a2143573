"""Games of a live engine: requested in batches, checked, and written as rows of a record.

Another process plays a sample of the games again: a seed must always give the same game.
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
from bartizan.simcore.documentation import page
from bartizan.simcore.errors import BartizanError, EngineError, UsageError, did_you_mean
from bartizan.simcore.live.declaration import RESULT, Declaration, identity, read_declaration, record_of
from bartizan.simcore.live.engine_file import EngineFile
from bartizan.simcore.live.process import GRACE, EngineProcess
from bartizan.simcore.live.seeds import seed_of
from bartizan.simcore.live.steps import Look, asked_of, futures, looks_ahead, play_game

if TYPE_CHECKING:
    from bartizan.simcore.play.match import Match, Player

CHECKED = 64  # one game in this many is played twice
WINNERS = {"draw": NOBODY, "truncated": TRUNCATED, "game": HOUSE}


@dataclass
class LiveEngine:
    """A started engine with its processes.

    file: the user's engine file; declared: the engine's declaration.
    """

    file: EngineFile
    declared: Declaration
    idle: deque[EngineProcess] = field(default_factory=deque, repr=False)
    busy: set[EngineProcess] = field(default_factory=set, repr=False)
    lock: Any = field(default_factory=Lock, repr=False)

    @cached_property
    def identity(self) -> str:
        """Hash (16 hex digits) that identifies the version of the engine."""
        return identity(self.declared, self.file.digest)

    @cached_property
    def record(self) -> np.dtype[Any]:
        return record_of(self.declared)

    @property
    def no_steps(self) -> str:
        """The reason why a question about single decisions is not supported, and what to use instead."""
        names = ", ".join(policy.name for policy in self.declared.policies)
        return (
            f"{self.file.path.name} is a live engine, which plays games with its own policies "
            f"({names}), but this command needs the rules of the game: write them as a short game "
            f"(see {page('short-games')}), or use run, compare, tune, sensitivity or ladder"
        )

    def refuse_steps(self) -> NoReturn:
        """Raise UsageError for a question about single decisions."""
        raise UsageError(self.no_steps)

    def play(self, match: "Match", games: range, rows: np.ndarray) -> None:
        """Fill `rows` with consecutive games.

        Raises EngineError, whose `played` is the number of valid games.
        """
        with self._process() as process:
            self._fill(process, match, games, rows)
        self.repeat(match, rows[rows["game"] % CHECKED == 0], process)

    def repeat(self, match: "Match", rows: np.ndarray, player: EngineProcess | None = None) -> None:
        """Repeat games in the opposite order, in a process other than `player`.

        Raises EngineError if a game differs.
        """
        if not len(rows):
            return
        again, before = np.zeros(len(rows), self.record), rows[::-1]
        with self._process(player) as another:
            self._fill(another, match, before["game"].tolist(), again)
        self._check_equal(match, before, again)

    def _check_equal(self, match: "Match", before: np.ndarray, again: np.ndarray) -> None:
        if differing := np.flatnonzero(before != again).tolist():
            raise EngineError(
                f"{self.file.path}: {_otherwise(match, before[differing[0]], again[differing[0]])}"
            )

    def check_steps(self, players: Sequence["Player"]) -> None:
        """Raise UsageError unless the engine can continue a game of these players from any decision."""
        if not self.declared.steps:
            raise UsageError(
                f"{self.file.path.name} plays whole games only; games continued from every turn need an "
                f'engine that declares "steps": true (see {page("engines")})'
            )
        if looks_ahead(players):
            raise UsageError(
                f"{self.file.path.name}: games are continued by the engine, which cannot look ahead; use its "
                f"own policies ({', '.join(policy.name for policy in self.declared.policies)})"
            )

    def roll_out(
        self, match: "Match", rows: np.ndarray, branches: range
    ) -> list[list[tuple[int, list[int]]]]:
        """Play games again, and continue each game from every turn to the end, once per branch.

        Raises EngineError if a game differs.

        rows: the rows of games of the match. Returns (turn, winners of its futures) for each turn of each
        game.
        """
        policies, weights = zip(*map(asked_of, match.players), strict=True)
        asked, again, found = {"policies": policies, "weights": weights}, np.zeros_like(rows), []
        again["game"] = rows["game"]
        with self._process() as process:
            winner_of = self._winner_in(process, len(match.players))
            for row in again:
                turns: list[tuple[int, list[int]]] = []

                def at_turn(position: Mapping[str, Any], luck: int, turns=turns) -> None:
                    seeds = [seed_of(luck, branch) for branch in branches]
                    turns.append((position["turn"], futures(process, position, asked, seeds, winner_of)))

                self._step(process, match, row, at_turn)
                found.append(turns)
            process.rest()
        self._check_equal(match, rows, again)
        return found

    def _fill(self, process: EngineProcess, match: "Match", games: Sequence[int], rows: np.ndarray) -> None:
        seeds, seats = [seed_of(match.seed, game) for game in games], len(match.players)
        steps, done = match.deals or looks_ahead(match.players), 0
        rows["game"] = games
        if not steps:
            process.ask({"message": "play", **_asked(match, self.declared), "seeds": seeds})
        try:
            for seed, row in zip(seeds, rows, strict=True):
                if steps:
                    self._step(process, match, row, _look_away if match.deals else None)
                else:
                    self._keep(process, process.answer(f"the game with seed {seed}"), seats, seed, row)
                done += 1
            if not steps:
                process.check_done(len(seeds))
        except BartizanError as error:
            error.played = done
            raise
        process.rest()

    def _step(self, process: EngineProcess, match: "Match", row: Any, at_turn: Look | None) -> None:
        """Play the game of a row decision by decision, and write its row. Raises EngineError."""
        seed, seats = seed_of(match.seed, int(row["game"])), len(match.players)
        begin, winner_of = _set_up(match, self.declared), self._winner_in(process, seats)
        self._keep(
            process, play_game(process, begin, match.players, seed, winner_of, at_turn), seats, seed, row
        )

    def _keep(self, process: EngineProcess, said: Mapping[str, Any], seats: int, seed: int, row: Any) -> None:
        if wrong := _write(self.declared, seats, seed, said, row):
            process.fail(wrong)

    def _winner_in(self, process: EngineProcess, seats: int) -> Callable[[Mapping[str, Any], int], int]:
        """Return a function that maps the result and the seed of a simulated future to its winner.

        Results are checked as for a whole game; an invalid result raises EngineError.
        """
        row = np.zeros(1, self.record)[0]

        def winner(said: Mapping[str, Any], seed: int) -> int:
            self._keep(process, said, seats, seed, row)
            return int(row["winner"])

        return winner

    # ------------------------------------------------------------ processes

    @contextmanager
    def _process(self, other_than: EngineProcess | None = None) -> Iterator[EngineProcess]:
        """Yield a free process, or a new one; a failed process is not used again."""
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
            process.fail(
                "a second process declares something different from the first; all processes must declare "
                "the same"
            )
        return process

    def close(self) -> None:
        """End all processes: idle processes by closing their stdin, busy processes by force."""
        for process in self.idle:
            process.hang_up()
        for process in [*self.idle, *self.busy]:
            process.close(0 if process in self.busy else GRACE)
        self.idle.clear()


def started(file: EngineFile) -> tuple[EngineProcess, Declaration]:
    """Start a process and read its declaration.

    Raises UsageError for an invalid declaration, and EngineError if the process fails.
    """
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
    """Start the engine of a file, and return it. The engine's processes end with this process."""
    process, declared = started(file)
    engine = LiveEngine(file, declared, deque([process]))
    atexit.register(engine.close)
    return engine


def _asked(match: "Match", declared: Declaration) -> dict[str, Any]:
    """Return the part of a request that is the same for all games of a match."""
    asked = [asked_of(player) for player in match.players]
    has_weights = any(policy.weights for policy in declared.policies)
    return {
        **_set_up(match, declared),
        "policies": [policy for policy, _ in asked],
        **({"weights": [own for _, own in asked]} if has_weights else {}),
    }


def _look_away(position: Mapping[str, Any], luck: int) -> None:
    """Do nothing.

    Passed as `at_turn`, this function makes `play_game` check the turns of a game without rollouts.
    """


def _set_up(match: "Match", declared: Declaration) -> dict[str, Any]:
    """Return the set-up of a game (level, number of players, settings) without the policies."""
    scenario = match.scenario
    return {
        "level": scenario.difficulty,
        "players": scenario.data.get("players", declared.counts[0]),
        "settings": {setting.name: scenario.data[setting.name] for setting in declared.settings},
    }


# ---------------------------------------------------------------- a result


def _write(declared: Declaration, seats: int, seed: int, said: Mapping[str, Any], row: Any) -> str:
    """Write a result into a row of the record. Return the fault in the result; "" if there is none."""
    where = f"the game with seed {seed}"
    if "done" in said and "winner" not in said:
        return f"{where}: no result, because the answer ends before it; answer every seed in the given order"
    if said.get("seed") != seed or type(said.get("seed")) is not int:
        return (
            f"{where}: the result has seed {_short(said.get('seed'))}; answer every seed in the given order"
        )
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
            return f"{where}: {name} {_short(value)}: write an integer of at least 0"
        row["turn" if name == "turns" else "plies"] = value
    row["end_reason"] = PLY_CAP if winner == "truncated" else FIRST_GAME_REASON
    if declared.endings and winner != "truncated":
        if said.get("ending") not in declared.endings:
            return f"{where}: ending {_short(said.get('ending'))}: write one of {', '.join(declared.endings)}"
        row["end_reason"] += declared.endings.index(said["ending"])
    scores = said.get("scores", [])
    due = seats if declared.score else 0
    if not isinstance(scores, list) or len(scores) != due:
        return f"{where}: scores {_short(scores)}: write a list of {due} numbers, as declared"
    for name, value in [*((f"score_{seat}", one) for seat, one in enumerate(scores)), *own_of(own, said)]:
        if not _is_number(value):
            return f"{where}: {name} = {_short(value)}: write a number in every result"
        if _is_rounded(value):
            return f"{where}: {name} = {value}: integers beyond 2^53 would be rounded; write a smaller number"
        row[name] = value
    if scores:
        row["score"] = scores[0]
    return ""


def own_of(columns: Mapping[str, str], said: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    return ((name, said.get(name)) for name in columns)


def _is_number(value: Any) -> bool:
    return type(value) in (int, float) and abs(value) < 1e300 and math.isfinite(value)


def _is_rounded(value: float) -> bool:
    """Return whether an integer is too large to be stored exactly."""
    return type(value) is int and abs(value) > 2**53


def _short(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= 60 else f"{text[:60]}..."


def _otherwise(match: "Match", before: Any, now: Any) -> str:
    differing = [name for name in before.dtype.names if before[name] != now[name]]
    name = "winner" if "winner" in differing else differing[0]
    one, other = before[name].item(), now[name].item()
    return (
        f"seed {seed_of(match.seed, int(before['game']))} gives another game the second time ({name} "
        f"{one}, then {other}); draw all random numbers from the seed of the game, and keep nothing "
        "from one game to the next"
    )
