"""A single game, decision by decision, with the same rules and random numbers as in a batch."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

import numpy as np

from bartizan.simcore.arrays import Record, as_records
from bartizan.simcore.compile import mistakes
from bartizan.simcore.compile.cuts import check_integers
from bartizan.simcore.compile.jit import PLAIN
from bartizan.simcore.compile.loops import (
    bound,
    naming_mistakes,
    new_states,
    new_workspace,
    rule_arguments,
    rules_of,
)
from bartizan.simcore.compile.rules import ILLEGAL_ACTION, PLAYING, PLY_CAP
from bartizan.simcore.errors import EngineError
from bartizan.simcore.game import Engine
from bartizan.simcore.play.batch import Batch
from bartizan.simcore.play.failures import follow, snapshot
from bartizan.simcore.play.match import Match
from bartizan.simcore.play.step import begin_game, decide, write_row
from bartizan.simcore.rng import fresh_luck
from bartizan.simcore.scene import Shown

HELD = "chooses"  # in place of a choice that is not yet revealed


@cache
def _begin_of(engine: Engine) -> Callable:
    if not PLAIN:
        check_integers(rule_arguments(engine))
    return bound(begin_game, rules_of(engine), in_python=True)


def set_up(engine: Engine, states: np.ndarray, tables: Record, seed: int, game: int) -> Record:
    """Set up a game in states[0] as the play loop does, without a match. Modifies and returns states[0]."""
    records, workspace = as_records(states), as_records(new_workspace(engine, [[]], seed, 0))[0]
    follow(_begin_of(engine), f"seed {seed}, game {game}", records, tables, workspace, game)
    return records[0]


class OneGame:
    """A game in progress. Call `begin`, then read `legal` and call `play` with an action, until `is_over`.

    Callers may choose any action. `choice` returns the choice of the policy of the seat to move. state: the
    game's state record, changed in place.
    """

    def __init__(self, match: Match):
        self.match, self.engine, self.tables = match, match.engine, match.tables()
        self._states = as_records(new_states(self.engine))
        self.state = self._states[0]
        self._functions = match.functions()
        self._workspace = as_records(match.workspace())[0]
        self._decide = bound(decide, rules_of(self.engine), in_python=True)

    def begin(self, seed: int, game: int) -> None:
        self.number, self.plies = game, 0
        self._workspace.seed = seed
        self._follow(_begin_of(self.engine), self._states, self.tables, self._workspace, game)

    def go_on_from(self, moment: np.ndarray, plies: int) -> None:
        """Continue from another state.

        moment: the state, an array of length 1. plies: number of decisions before it.
        """
        self.number, self.plies = 0, plies
        self._states[0] = moment[0]

    def redeal(self, number: int, seat: int) -> None:
        """Redeal all cards that `seat` cannot know, with the random numbers of future number `number`."""
        fresh_luck(self.state, number)
        self._follow(self.engine.determinize, self.state, self.tables, seat)

    def moment(self) -> np.ndarray:
        """Return a copy of the state: array of length 1."""
        return self._states.view(np.ndarray).copy()

    @property
    def seat(self) -> int:
        """Seat to move."""
        return int(self.state.to_move)

    @property
    def end_reason(self) -> int:
        """End reason; PLAYING until the end."""
        reason = int(self.state.end_reason)
        return PLY_CAP if reason == PLAYING and self.plies == self.match.ply_cap else reason

    @property
    def is_over(self) -> bool:
        return self.end_reason != PLAYING

    def legal(self) -> np.ndarray:
        """Return the legal actions (int32) of the seat to move, in the engine's order."""
        actions = self._workspace.legal
        return actions[: self._follow(self.engine.legal_actions, self.state, self.tables, actions)].copy()

    def choice(self) -> int:
        """Return the action that the policy of the seat to move would choose. Does not change the game."""
        return self._ask(snapshot(self.state)(), self._functions)

    def decide(self, action: int | None = None) -> int:
        """Take `action` (None: the choice of the policy of the seat to move), and return the action taken.

        An illegal action ends the game (ILLEGAL_ACTION). If the game is not over, call `apply` next.
        """
        policies = self._functions if action is None else (lambda *_: action,) * self.match.seats
        return self._ask(self.state, policies)

    def _ask(self, state: Record, policies: tuple) -> int:
        asked = state, self.tables, policies, self._workspace, self.plies
        return int(self._follow(self._decide, *asked))

    def _follow(self, rule: Callable, *arguments: Any) -> Any:
        where = f"seed {self._workspace.seed}, game {self.number}, ply {self.plies}"
        return follow(rule, where, *arguments)

    def apply(self, action: int) -> None:
        self._follow(self.engine.apply, self.state, self.tables, np.int32(action))
        self.plies += 1

    def play(self, action: int) -> None:
        """Take and apply one action. An illegal action ends the game."""
        self.decide(action)
        if not self.is_over:
            self.apply(action)

    def record(self) -> np.void:
        """Return the game's row of the record, as a batch writes it."""
        rows = np.zeros(1, self.engine.record_dtype)
        self.state.end_reason = self.end_reason
        write = bound(write_row, rules_of(self.engine), in_python=True)
        self._follow(write, self.state, self.tables, self.plies, as_records(rows)[0])
        rows["game"] = self.number
        return rows[0]


@dataclass(frozen=True)
class Ply:
    """One decision: the legal actions, the chosen action, and its effects."""

    number: int
    seat: int
    legal: np.ndarray  # int32
    action: int
    text: str  # the action in words
    events: list[str]  # its effects, in words
    state: Record  # the state after it; the next ply changes it in place
    rule: str = ""  # the section of the rules for it, "" if undeclared
    shows: tuple[tuple[str, str], ...] = ()  # for each of `events`: (section of the rules, what a page shows)
    changed: list[str] = field(default_factory=list)  # changed components, where the log names none (`Scene`)
    table: dict | None = None  # the state as `simcore.scene.table`, if requested


def replay(match: Match, game: int, watched: bool = False) -> Iterator[Ply]:
    """Yield the plies of one game.

    An illegal action is the last ply. watched: include the table after each ply.
    """
    played = OneGame(match)
    with naming_mistakes(match.engine):
        played.begin(match.seed, game)
        while not played.is_over:
            ply = _next_ply(played)
            yield replace(ply, table=_table(played)) if watched else ply


def action_words(game: OneGame, action: int) -> str:
    """Return the description of an action, or its number if the game does not describe actions."""
    engine = game.engine
    if not engine.describe_action:
        return str(action)
    return say(engine.describe_action, str, game.state, game.tables, action, game.match.scenario)


def _next_ply(game: OneGame) -> Ply:
    engine, number, seat, legal = game.engine, game.plies, game.seat, game.legal()
    action = game.decide()
    if game.end_reason == ILLEGAL_ACTION:
        return Ply(number, seat, legal, action, "an illegal action", [], game.state)
    scenario, text, events = game.match.scenario, action_words(game, action), []
    if engine.scene and engine.scene.is_held and engine.scene.is_held(game.state, action):
        text = HELD
    rule = engine.scene.act_rule(game.state, action) if engine.scene else ""
    tells = engine.scene.changed if engine.scene else None
    before = game.state.copy() if tells else None
    game.apply(action)
    changed = say(tells, list, before, game.state) if tells else []
    if engine.describe_events:
        events = say(engine.describe_events, list, game.state, game.tables, scenario)
    shows = _shows(game, len(events))
    return Ply(number, seat, legal, action, text, events, game.state, rule, shows, changed)


def _shows(game: OneGame, lines: int) -> tuple[tuple[str, str], ...]:
    """Return (section of the rules, value of `Shown`) for each line of `describe_events`."""
    scene, state = game.engine.scene, game.state
    if scene is None:
        return (("", ""),) * lines
    rows = [tuple(map(int, row)) for row in state.events[: state.n_events]]
    events = [row[0] for row in rows if scene.event_line(game.match.scenario, *row)]
    return tuple((scene.event_rules.get(e, ""), scene.marks.get(e, Shown.NONE).value) for e in events)


@dataclass(frozen=True)
class Opening:
    """A game before its first decision. table: `simcore.scene.table`, None in a game without a scene."""

    table: dict | None
    events: list[str]  # events of the set-up, in words


def opening(match: Match, game: int) -> Opening:
    """Set up a game, and return its table and the events of the set-up."""
    played = OneGame(match)
    with naming_mistakes(match.engine):
        played.begin(match.seed, game)
        events = []
        if match.engine.describe_events:
            events = say(match.engine.describe_events, list, played.state, played.tables, match.scenario)
    return Opening(_table(played), events)


def _table(game: OneGame) -> dict | None:
    scene = game.engine.scene
    return scene.snapshot(game.state, game.tables, game.match.scenario) if scene else None


def say(describe: Callable, kind: type, *arguments):
    """Call a plain Python function with which a game describes something, and return its text.

    kind: `str`, or `list` for a list of str. Raises EngineError if the function returns anything else or
    fails.
    """
    try:
        words = describe(*arguments)
    except Exception as error:
        raise EngineError(mistakes.sentence(error, describe)) from error
    if isinstance(words, kind) and all(isinstance(line, str) for line in words):
        return words
    right = "text" if kind is str else "a list of texts, [] where nothing happened"
    raise EngineError(
        f"{mistakes.head_of(describe)}: {describe.__name__} returns {words!r}: it must return {right}"
    )


def record_of(match: Match, game: int) -> dict[str, int]:
    """Simulate one game alone, and return its record as {column: value}."""
    row = Batch(match).play(range(game, game + 1))[0]
    return {name: row[name].item() for name in row.dtype.names}
