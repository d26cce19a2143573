"""Positions: a game at one decision, written as one line, and the simulation of futures from there.

A line contains the game and its version, the scenario and its level, the number of players and of decisions
so far, and each field of the state that is not 0: `itter/17 published elite players=1 ply=42 turn=5
place=0,3,-1*4`. A list ends with its last number that is not 0; `-1*4` is four times -1. The version of a
user's game includes a hash of its rules: `pig/1-0f3a5c7e`. The line contains no working space, no log of the
last action, and no random numbers, because each future gets new random numbers.
"""

import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import numpy as np
from numba import types

from bartizan.simcore.arrays import Ints, Record, as_records
from bartizan.simcore.compile.copies import SCRATCH, copy_state
from bartizan.simcore.compile.loops import Loop, array, naming_mistakes
from bartizan.simcore.compile.rules import NO_ACTION, PLAYING, apply, determinize
from bartizan.simcore.errors import UsageError, did_you_mean
from bartizan.simcore.game import Engine
from bartizan.simcore.numerals import numeral
from bartizan.simcore.play.match import Experiment, Jobs, Match
from bartizan.simcore.play.replay import OneGame, say
from bartizan.simcore.play.step import decide, outcome
from bartizan.simcore.rng import LUCK_FIELDS, fresh_luck, next_policy_luck, seed_luck

LUCK = {name for name, *_ in LUCK_FIELDS}
LOG = {"n_events", "events"}
HEAD = re.compile(
    r"(?P<game>\S+)/(?P<behaviour>\d+)(-(?P<rules>[0-9a-f]{8}))? (?P<scenario>\S+) (?P<level>\S+) "
    r"players=(?P<players>\d+) ply=(?P<ply>\d+)"
)
NO_LEVEL = "-"
EDITED = "the rules or cards of the game have changed since; print the position again"
CHUNK_FUTURES = 50


@dataclass(frozen=True, eq=False)
class GamePosition:
    """A game at one decision. moment: the state, an array of length 1. plies: number of earlier decisions."""

    match: Match
    moment: np.ndarray
    plies: int

    @property
    def state(self) -> Record:
        state: Record = as_records(self.moment)[0]
        return state

    @property
    def seat(self) -> int:
        """Seat to move."""
        return int(self.state.to_move)

    @property
    def turn(self) -> int:
        return _turn(self.match.engine, self.state)

    def line(self) -> str:
        """Return the position as one line, which `read` reads."""
        return " ".join([_head(self.match, self.plies), *self._fields()])

    def _fields(self) -> Iterator[str]:
        for name in written(self.match.engine):
            numbers = np.trim_zeros(flat(self.moment[name]), "b")
            if len(numbers):
                runs = ((_text(value), len(list(same))) for value, same in groupby(numbers))
                yield f"{name}=" + ",".join(text if n == 1 else f"{text}*{n}" for text, n in runs)

    def begun(self) -> OneGame:
        """Return a game that starts from this position, to be played decision by decision."""
        game = OneGame(self.match)
        game.go_on_from(self.moment, self.plies)
        return game


# ---------------------------------------------------------------- sources of positions


def reached(match: Match, game: int, decision: int | None = None, turn: int | None = None) -> GamePosition:
    """Return a position of a game. Raises UsageError if the game ends earlier.

    It is the position before decision number `decision` (from 0), or before the first decision of `turn`.
    """
    played = OneGame(match)
    for _ in _decisions(played, game):
        if played.plies == decision or (turn is not None and _turn(match.engine, played.state) == turn):
            return GamePosition(match, _lucky(played.moment(), match), played.plies)
    wanted = f"decision {decision}" if turn is None else f"{match.game.turn_name} {turn}"
    raise UsageError(
        f"{wanted}: game {game} of seed {match.seed} ends earlier, after {played.plies:,} decisions, in "
        f"{match.game.turn_name} {_turn(match.engine, played.state)}; choose an earlier position or "
        "another game"
    )


def turn_lines(match: Match, game: int) -> dict[int, str]:
    """Map the number of the first decision of each turn to the line of the position before it."""
    played, lines, turn = OneGame(match), dict[int, str](), None
    for _ in _decisions(played, game):
        if turn != (turn := _turn(match.engine, played.state)):
            lines[played.plies] = GamePosition(match, played.moment(), played.plies).line()
    return lines


def _decisions(played: OneGame, game: int) -> Iterator[None]:
    """Simulate one game with the seed of the match, and yield before each decision."""
    with naming_mistakes(played.engine):
        played.begin(played.match.seed, game)
        while not played.is_over:
            yield
            action = played.decide()
            if not played.is_over:
                played.apply(action)


def read(match: Match, line: str) -> GamePosition:
    """Read a position from its line. Raises UsageError with the reason if it does not fit the match."""
    parts = " ".join(line.split())
    head = HEAD.match(parts)
    if not head:
        raise UsageError(
            f"a position begins with GAME/VERSION SCENARIO LEVEL players=N ply=N, not {parts[:40]!r}; "
            "print one with: bartizan trace GAME --position 12"
        )
    _check_head(match, head)
    moment, fields = np.zeros(1, match.engine.state_dtype), written(match.engine)
    for part in parts[head.end() :].split():
        name, _, values = part.partition("=")
        _fill(moment, fields, name, values)
    return held(GamePosition(match, _lucky(moment, match), int(head["ply"])))


def _lucky(moment: np.ndarray, match: Match) -> np.ndarray:
    """Seed the random numbers of the state, so that the futures of a position are always the same.

    Sets the fields that a line omits to 0. Returns the state.
    """
    seed_luck(as_records(moment)[0], match.seed, 0)
    for name in set(moment.dtype.names or ()) - LUCK - set(written(match.engine)):
        moment[name] = 0
    return moment


def _turn(engine: Engine, state: Record) -> int:
    return int(engine.turn_number(state) if engine.turn_number else state.turn)


def held(position: GamePosition) -> GamePosition:
    """Check and return a position. Raises UsageError if the game is over or the position is impossible."""
    engine, state = position.match.engine, position.state
    if int(state.end_reason) != PLAYING:
        raise UsageError("end_reason: the game is over in this position; choose an earlier one")
    seats = len(position.match.game.roles_in(position.match.scenario))
    if not 0 <= position.seat < seats:
        raise UsageError(f"to_move={position.seat}: no such seat; write a number from 0 to {seats - 1}")
    if engine.check and (wrong := say(engine.check, str, state, position.match.tables())):
        raise UsageError(f"the position is impossible: {wrong}; correct it")
    return position


# ---------------------------------------------------------------- the line


def _head(match: Match, plies: int) -> str:
    s, game = match.scenario, match.game
    players = len(game.roles_in(s))
    name, level = "_".join(s.name.split()), s.difficulty or NO_LEVEL
    return f"{game.name}/{game.behaviour}{_rules(match)} {name} {level} players={players} ply={plies}"


def _rules(match: Match) -> str:
    """Return `-` and a hash (8 hex digits) of the rules of a user's game; "" for a built-in game.

    The hash includes text values, such as names of cards, which a line stores as numbers. Numeric values do
    not change it.
    """
    game, s = match.game, match.scenario
    if not game.source_hash:
        return ""
    words = [
        (one.path, one.value if isinstance(one.value, str) and one.path not in s.overrides else "")
        for one in s.parameters()
    ]
    return f"-{hashlib.sha256(repr((game.source_hash, words)).encode()).hexdigest()[:8]}"


def _check_head(match: Match, head: re.Match[str]) -> None:
    """Raise UsageError unless the head of a line fits the match.

    The head contains the game, version, scenario, level and number of players.
    """
    own = HEAD.match(_head(match, int(head["ply"])))
    assert own
    remedies = {
        "game": f"write {head['game']} as the game",
        "behaviour": EDITED,
        "rules": EDITED,
        "scenario": f"add --scenario {head['scenario']}",
        "level": f"add --difficulty {head['level']}",
        "players": f"add --players {head['players']}",
    }
    for part, remedy in remedies.items():
        if part == "rules" and not head[part]:  # written by hand
            continue
        if head[part] != own[part]:
            what = "version" if part in ("behaviour", "rules") else part
            raise UsageError(f"the position is for {what} {head[part]}, not {own[part]}: {remedy}")


def written(engine: Engine) -> list[str]:
    """Return the names of the state fields that the line of a position can contain."""
    names = engine.state_dtype.names
    of_the_game = names[: names.index(SCRATCH[0])] if SCRATCH[0] in names else names
    return [name for name in of_the_game if name not in LUCK | LOG]


def _text(value: Any) -> str:
    return repr(float(value)) if value.dtype.kind == "f" else str(int(value))


def flat(field: np.ndarray) -> np.ndarray:
    """Return the numbers of a field as a one-dimensional array; for a nested field, its bytes (uint8)."""
    if field.dtype.names:
        return np.ascontiguousarray(field).view("u1").reshape(-1)
    return field.reshape(-1)


def _fill(moment: np.ndarray, fields: Sequence[str], name: str, values: str) -> None:
    """Write numbers in the form `0,3,-1*4` into a field.

    Raises UsageError for an unknown field or invalid numbers.
    """
    check_field(fields, name)
    texts: list[str] = []
    for part in values.split(","):
        value, _, times = part.partition("*")
        if times and not times.isdecimal():
            raise UsageError(f"{name}={part}: write VALUE or VALUE*TIMES")
        texts += [value] * min(int(times or 1), moment[name].size + 1)
    row = flat(moment[name])
    if len(texts) > len(row):
        raise UsageError(f"{name}: has {len(row)} numbers, not {len(texts)}; write one value for each")
    for i, text in enumerate(texts):
        row[i] = number_in(name, text, row.dtype)
    # a nested field is written through its bytes, which share its memory
    if moment[name].dtype.names is None:
        moment[name] = row.reshape(moment[name].shape)


def check_field(fields: Sequence[str], name: str) -> None:
    if name not in fields:
        raise UsageError(f"{name}: the position has no such field{did_you_mean(name, fields)}")


def number_in(name: str, text: str, dtype: np.dtype) -> int | float:
    """Convert text to a number for the field `name`.

    Raises UsageError if the text is not a valid number of type `dtype`.
    """
    try:
        if dtype.kind == "f":
            return float(numeral(text))
        number = int(numeral(text))
    except ValueError:
        raise UsageError(
            f"{name}={text}: write {'a number' if dtype.kind == 'f' else 'an integer'}"
        ) from None
    least, most = (0, 1) if dtype.kind == "b" else (np.iinfo(dtype).min, np.iinfo(dtype).max)
    if not least <= number <= most:
        raise UsageError(f"{name}={text}: write a number from {least} to {most}")
    return number


# ---------------------------------------------------------------- futures


def play_position(
    states, tables, policies, workspaces, first, moment, plies, seat, numbers, moves, winners, chosen
):
    """Simulate futures of a position: once with the policy's own action, and once with each of `moves`.

    In each future, the cards that `seat` cannot know are redealt, identically for all moves. moment: the
    position, an array of length 1. plies: number of decisions so far. states: array of length 2. numbers:
    int64, one per future; `first` is the index of the first future to simulate. winners: int8 [future, 1 +
    move], filled with `winner_of`; chosen: int32 [future], filled with the policy's own action.
    """
    workspace = workspaces[0]
    workspace.game = 0
    for i in range(winners.shape[0]):
        copy_state(states[0], moment[0])
        fresh_luck(states[0], numbers[first + i])
        determinize(states[0], tables, seat)
        for j in range(winners.shape[1]):
            copy_state(states[1], states[0])
            trial = states[1]
            if j == 0:
                action = decide(trial, tables, policies, workspace, plies)
                chosen[i] = action
            else:
                next_policy_luck(trial)
                action = moves[j - 1]
            if trial.end_reason == PLAYING:
                apply(trial, tables, action)
            if workspace.is_illegal:
                return
            winners[i, j] = outcome(trial, tables, policies, workspace, plies + 1)
            if workspace.is_illegal:
                return


FUTURES = Loop(
    play_position,
    lambda engine, seats: (
        array(engine.state_dtype),
        types.int64,
        types.int64,
        array("i8"),
        array("i4"),
        array("i1", 2),
        array("i4"),
    ),
)


@dataclass(frozen=True, eq=False)
class Futures(Experiment):
    """Simulated futures of a position. numbers: int64, one per future; moves: int32 actions."""

    moment: np.ndarray
    plies: int
    seat: int
    numbers: Ints
    moves: Ints
    loop = FUTURES

    def play(self, jobs: Jobs = 1) -> tuple[np.ndarray, np.ndarray]:
        """Return (winners, chosen), see `play_position`, of all futures in order."""
        found = list(self.pieces(self._piece, range(len(self.numbers)), CHUNK_FUTURES, jobs))
        return np.concatenate([one for one, _ in found]), np.concatenate([one for _, one in found])

    def _piece(self, futures: range) -> tuple[np.ndarray, np.ndarray]:
        winners = np.zeros((len(futures), 1 + len(self.moves)), np.int8)
        chosen = np.full(len(futures), NO_ACTION, np.int32)
        self.compiled.run(
            futures.start,
            self.moment,
            self.plies,
            self.seat,
            self.numbers,
            self.moves,
            winners,
            chosen,
            states=2,
            where=lambda _: "simulated from the position",
        )
        return winners, chosen


def told(position: GamePosition, numbers: Iterable[int], chosen: int | None = None) -> Iterator[str]:
    """Yield a description of the effects of the next decision for each future; "" if the game describes none.

    chosen: the legal action to take; None: the policy's own choice.
    """
    match, game = position.match, position.begun()
    with naming_mistakes(match.engine):
        for number in numbers:
            game.go_on_from(position.moment, position.plies)
            game.redeal(number, position.seat)
            action = game.decide(chosen)
            if game.is_over:
                yield ""
                continue
            game.apply(action)
            describe = match.engine.describe_events
            yield "\n".join(say(describe, list, game.state, game.tables, match.scenario)) if describe else ""
