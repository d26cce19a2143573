"""Messages about faults that stop a game.

They are an illegal action, a position without legal actions, and an error in a rule.
"""

import importlib
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from bartizan.simcore.arrays import Record, as_records
from bartizan.simcore.compile import mistakes
from bartizan.simcore.compile.cache import is_ours
from bartizan.simcore.compile.loops import bound, new_states, rules_of
from bartizan.simcore.compile.rules import ILLEGAL_ACTION, PLAYING
from bartizan.simcore.errors import EngineError, PolicyError
from bartizan.simcore.play.step import begin_game, step, write_row

if TYPE_CHECKING:
    from bartizan.simcore.play.match import Match, Player

LONGEST_POSITION = 400  # maximum characters of a state in words
SHOWN_WORDS = ("next_player", "pass_to", "win", "lose", "tie")
LONGEST_SEARCH = 5.0  # seconds of uncompiled play in search of a line
LONGEST_GAME = 2000  # decisions after which `after_the_end` gives up a random game
AS_COMPILED: Any = {"all": "ignore", "divide": "raise"}  # `np.errstate` of uncompiled rules
# in a string, so that an edit there does not recompile other games (`compile.trees`)
WORDS = "bartizan.simcore.short.words"


def illegal_action(match: "Match", workspace: np.void, where: str = "") -> PolicyError:
    """Return the error for an illegal action, with the policy, the action and the position."""
    n = int(workspace["n_legal"])
    legal = ", ".join(map(str, workspace["legal"][: min(n, 8)].tolist())) + (", ..." if n > 8 else "")
    player = match.players[workspace["seat"]]
    when = _when(match, workspace)
    function = getattr(player.function, "py_func", player.function)
    written = written_in(player) if is_ours(player.source) else mistakes.head_of(function)
    return PolicyError(
        f"{written}: policy {player.name} chose action {workspace['action']}, which is not legal "
        f"({when}{where and f', {where}'}; legal: {legal})"
        f"{in_words(match, int(workspace['action']), workspace['legal'][: min(n, 8)])}"
    )


def in_words(match: "Match", chosen: int, legal: Iterable[int]) -> str:
    """Return the chosen and the legal actions as text; "" if texts of actions need the state.

    For example: `. In words: it chose let go Four; legal: let go Two`.
    """
    describe = match.engine.describe_action
    try:
        assert describe
        listed = ", ".join(describe(None, None, int(action), match.scenario) for action in legal)
    except Exception:
        return ""
    try:
        named = describe(None, None, chosen, match.scenario)
    except Exception:
        named = "an action that this game does not have"
    return f". In words: it chose {named}; legal: {listed}"


def written_in(player: "Player") -> str:
    """Return the source file of a player; for a generated file, the user's file."""
    return mistakes.WRITTEN.get(str(player.source), str(player.source))


def no_legal_action(match: "Match", workspace: np.void, states: np.ndarray, tables: Record) -> EngineError:
    """Return the error for a position without legal actions before the end of the game.

    states: the states of the loop. One of them contains this position.
    """
    stopped = as_records(states[np.flatnonzero(states["end_reason"] == ILLEGAL_ACTION)[:1]])
    stopped["end_reason"] = PLAYING
    return EngineError(
        nothing_allowed(match, stopped[0] if len(stopped) else None, tables, _when(match, workspace))
    )


def nothing_allowed(match: "Match", state: Record | None, tables: Record, when: str) -> str:
    """Return `FILE:LINE: ...` for a position without legal actions.

    state: the position, or None if unknown. when: its place in the game, as text.
    """
    engine, shown = match.engine, ""
    if state is not None and engine.scene:
        shown = f": {position(engine.scene.snapshot(state, tables, match.scenario))}"
    lists = getattr(engine.legal_actions, "py_func", engine.legal_actions)
    return (
        f"{mistakes.head_of(lists)}: no legal action, but the game is not over ({when}){shown}: allow "
        "an action there, such as passing, or end the game earlier"
    )


def position(table: dict) -> str:
    """Return a state as one line of text. table: the state, as `simcore.scene.table` returns it."""
    counters = [f"{name} {value}" for name, value in table["counters"].items()]
    zones = [
        f"{zone['zone']}: {', '.join(thing['name'] for thing in zone['things']) or 'nothing'}"
        for zone in table["zones"]
    ]
    line = "; ".join([f"turn {table['turn']}, {table['deciding']} to move", *counters, *zones])
    return line if len(line) <= LONGEST_POSITION else f"{line[:LONGEST_POSITION]} ..."


def _when(match: "Match", workspace: np.void) -> str:
    """Return the place of a decision as text, such as `seed 1, game 0, ply 12, with goal=3`."""
    place = f"seed {match.seed}, game {workspace['game']}, ply {workspace['ply']}"
    changed = _values(match)
    return f"{place}, with {changed}" if changed else place


def with_values(match: "Match") -> str:
    """Return the values that differ from the file, such as ` (with goal=3)`; "" if none differ."""
    changed = _values(match)
    return f" (with {changed})" if changed else ""


def _values(match: "Match") -> str:
    return ", ".join(f"{path}={value}" for path, value in match.scenario.overrides.items())


def in_rules(match: "Match", game: int, error: Exception) -> str:
    """Return `FILE:LINE: why` for an error in compiled code, which has no line numbers.

    Repeats the game uncompiled to find the line. Returns "" if the error does not recur.
    """
    plies = 0
    try:
        for plies in uncompiled_game(match, game):  # noqa: B007  (the last one is named)
            pass
    except Exception as again:
        found = _found(error, again)
        return f"{found} (seed {match.seed}, game {game}, ply {plies})" if found else ""
    return ""


def uncompiled_game(match: "Match", game: int) -> Iterator[int]:
    """Simulate a game uncompiled, for a few seconds at most.

    Before each decision, yield the number of earlier decisions.
    """
    plain, rules = _uncompiled(), rules_of(match.engine)
    parts = begin_game, step, write_row
    begin, play_step, record = (plain.copy(bound(one, rules, in_python=True)) for one in parts)
    policies = tuple(plain.copy(function) for function in match.functions())
    states, tables = as_records(new_states(match.engine)), match.tables()
    workspace = as_records(match.workspace())[0]
    until, plies = time.monotonic() + LONGEST_SEARCH, 0
    with np.errstate(**AS_COMPILED):
        begin(states, tables, workspace, game)
        while states[0].end_reason == PLAYING and time.monotonic() < until:
            yield plies
            plies = play_step(states[0], tables, policies, workspace, plies)
        if states[0].end_reason != PLAYING:
            record(states[0], tables, plies, as_records(np.zeros(1, match.engine.record_dtype))[0])


def after_the_end(match: "Match", games: int) -> dict[str, str]:
    """Map each place where a function is called after the end of the game to the name of the function.

    The place is `FILE:LINE` in a short game. The call has no effect there. games: number of random games to
    play.
    """
    words = importlib.import_module(WORDS)
    found: dict[str, str] = {}

    def noting(function: Any) -> Callable:
        plain = getattr(function, "py_func", function)

        def noted(s: Any, *arguments: Any) -> Any:
            if s.end_reason != PLAYING:
                place, word = _caller(plain.__name__)
                if place:
                    found.setdefault(place, word)
            return None if s.end_reason != PLAYING else plain(s, *arguments)

        return noted

    instead = {getattr(one, "py_func", one): noting(one) for one in (words.pass_to, words._end)}
    apply = _uncompiled(instead).copy(match.engine.apply)
    with suppress(Exception):  # an error in a rule is reported elsewhere
        for game in range(games):
            if last := _last_decision(match, game):
                with np.errstate(all="ignore"):
                    apply(*last)
    return found


def _last_decision(match: "Match", game: int) -> tuple | None:
    """Play a random game, and return the arguments of `apply` at its last decision.

    Returns None if the game is longer than LONGEST_GAME.
    """
    from bartizan.simcore.play.replay import OneGame  # it imports this module

    played, choice = OneGame(match), np.random.default_rng(game)
    played.begin(match.seed, game)
    while played.plies < LONGEST_GAME:
        legal = played.legal()
        before, action = played.state.copy(), legal[choice.integers(len(legal))]
        played.play(action)
        if played.state.end_reason != PLAYING:
            return before, played.tables, action
    return None


def _caller(name: str) -> tuple[str, str]:
    """Return `FILE:LINE` of the innermost running line in a user's file, and the function that it calls."""
    frame = sys._getframe(1)
    while frame and is_ours(Path(frame.f_code.co_filename)):
        if frame.f_code.co_name == "pass_from_eliminated":  # called by generated code, not by a rule
            return "", ""
        name = frame.f_code.co_name if frame.f_code.co_name in SHOWN_WORDS else name
        frame = frame.f_back  # type: ignore[assignment]
    return (f"{frame.f_code.co_filename}:{frame.f_lineno}", name) if frame else ("", "")


def in_rule(rule: Any, arguments: Sequence[Any], error: Exception) -> str:
    """Return `FILE:LINE: why` for an error in one rule, as `in_rules` does for a game.

    arguments: copies of the arguments from before the failure (`snapshot`), modified in place. Policies among
    them are called uncompiled.
    """
    plain = _uncompiled()
    given = [tuple(map(plain.copy, one)) if isinstance(one, tuple) else one for one in arguments]
    try:
        with np.errstate(**AS_COMPILED):
            plain.copy(rule)(*given)
    except Exception as again:
        return _found(error, again)
    return ""


def follow(rule: Any, where: str, *arguments: Any) -> Any:
    """Call a rule and return its result.

    Raises EngineError for an error in the rule, such as an index out of bounds.

    where: the game and the decision, as text. The second argument must be the tables. They are not copied,
    because no rule changes them (`conformance` checks it) and the tables of Colditz take 6 MB.
    """
    kept = [(lambda one=one: one) if place == 1 else snapshot(one) for place, one in enumerate(arguments)]
    try:
        with np.errstate(**AS_COMPILED):
            return rule(*arguments)
    except (IndexError, ValueError, ArithmeticError, AssertionError) as error:
        function = getattr(rule, "py_func", rule)
        found = "" if mistakes.place_of(error) else in_rule(rule, [again() for again in kept], error)
        raise EngineError(f"{found or mistakes.sentence(error, function)} ({where})") from error


def snapshot(argument: Any) -> Callable[[], Any]:
    """Return a function that returns the argument as it is now.

    Only its bytes are kept, because numpy copies a record field by field.
    """
    if not isinstance(argument, (np.ndarray, np.generic)):
        return lambda: argument
    content, kind, shape = argument.tobytes(), argument.dtype, argument.shape

    def restored() -> Any:
        array = np.frombuffer(bytearray(content), kind).reshape(shape)
        return as_records(array)[()] if kind.names else array[()]

    return restored


def _uncompiled(instead: Mapping[Callable, Callable] = MappingProxyType({})) -> Any:
    from bartizan.simcore.play.state_space import Uncompiled  # it imports this module

    return Uncompiled(dict(instead))


def _found(error: Exception, again: Exception) -> str:
    """Return `FILE:LINE: why` if an error in compiled code recurred uncompiled, as `again`; otherwise ""."""
    place = mistakes.place_of(again)
    is_same = type(again) is type(error) or (mistakes.is_division(again) and mistakes.is_division(error))
    return f"{place}: {mistakes.reason_of(again)}" if place and is_same else ""
