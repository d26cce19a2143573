"""The components of a short game, other than cards, that can be removed, determined from its declarations."""

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from math import prod
from pathlib import Path
from typing import Any

from bartizan.simcore.game import Engine, Game, load_module
from bartizan.simcore.short import components as c
from bartizan.simcore.short import writing
from bartizan.simcore.short.reading import POINTS, ShortGame, calls, name_called, read

MOST_CELLS = 24  # maximum cells of a row or grid whose cells count as components; longer ones have none
WORD = 8  # bytes of a number in the state of a short game


@dataclass(frozen=True)
class GamePart:
    """A part of the game that can be removed, for one player or for all players.

    Exactly one of `part`, `act`, `values` and `shorter` is set.
    """

    name: str  # its name in the rules
    replacement: str
    is_shared: bool = True  # it is missing for all players
    count: int = 1
    part: str = ""  # a number of the state that is held at 0, in place `cell`
    cell: int = 0
    act: int | None = None  # a kind of action that is not available
    values: Mapping[str, Any] = field(default_factory=dict)  # values set in the scenario
    shorter: str = ""  # a row of dice, with one die fewer


def components_of(path: Path) -> list[GamePart]:
    """Return the components of a short game, in the order of its file.

    Raises UsageError for a faulty file.
    """
    game = _read(path)
    return [*_numbers(game), *_on_the_table(game), *_acts(game)]


def with_one_die_less(path: Path, row: str) -> Game:
    """Return the game of a short file with one die fewer in a row of dice.

    Raises UsageError for a faulty file.
    """
    path = path.resolve()
    module = load_module(path, "game")
    die = getattr(module, row)
    game: Game = writing.load(path, module, {die: die.length - 1}).GAME
    return game


def places_of(engine: Engine, component: GamePart, seat: int, seats: int) -> tuple[int, ...]:
    """Return the indices of a component in the state, in 64-bit words.

    seat: the owner's seat; below 0: all owners. seats: number of seats, which are assigned to the players in
    turn.
    """
    dtype, offset, *_ = (engine.state_dtype.fields or {})[component.part]
    first = offset // WORD + component.cell
    if component.is_shared:
        return (first,)
    players = [player for player in range(dtype.shape[0]) if seat < 0 or player % seats == seat]
    return tuple(first + player * prod(dtype.shape[1:]) for player in players)


def _read(path: Path) -> ShortGame:
    path = path.resolve()
    return read(path, load_module(path, "game"))


def _numbers(game: ShortGame) -> Iterator[GamePart]:
    """Yield entries of lists, and numbers that switch a feature on.

    Their range must include 0, which replaces them.
    """
    for name, number in game.numbers.items():
        value, path = number.value, f"numbers.{name}"
        if number.low > 0 or number.levels:
            continue
        if isinstance(value, list):
            for i, entry in enumerate(value):
                if entry and len(value) <= MOST_CELLS:
                    values = {path: [*value[:i], 0, *value[i + 1 :]]}
                    yield GamePart(f"{name}[{i}]", f"0 instead of {entry}", values=values)
        elif value == number.high == 1:
            yield GamePart(name, "switched off", values={path: 0})


def _on_the_table(game: ShortGame) -> Iterator[GamePart]:
    """Yield the components on the table that can be removed.

    They are each player's tokens and rows, the components on the table at the start, counters of cooperating
    players, and dice.
    """
    dice, laid, is_one_side = _dice(game), _in_setup(game), game.teams == 1
    for name, part in game.components.items():
        length = part.length if isinstance(part, (c.Row, c.Grid)) else 0
        if name in dice:
            if length > 1:
                yield GamePart(name, "one die fewer", count=length, shorter=name)
        elif isinstance(part, c.Stack) or name == POINTS or length > MOST_CELLS:
            continue
        elif part.each or getattr(part, "start", 0) or (name in laid if length else is_one_side):
            for cell in range(length or 1):
                named = f"{name}[{cell}]" if length else name
                yield GamePart(named, "held at 0", not part.each, part=name, cell=cell)


def _acts(game: ShortGame) -> Iterator[GamePart]:
    """Yield the actions, if there are several: each can be forbidden, because players have another one."""
    actions = game.actions
    for action in actions if len(actions) > 1 else ():
        kind = next(iter(action.decisions.values()))  # of an action in stages, the first decision
        yield GamePart(action.name, "another legal action", False, act=kind)


def _dice(game: ShortGame) -> set[str]:
    """Return the names of the rows that the rules pass to `roll_all`."""
    thrown = (
        call.args[1]
        for function in game.functions.values()
        for call in calls(function)
        if name_called(call) == "roll_all" and len(call.args) > 1
    )
    return {
        node.attr
        for row in thrown
        for node in ast.walk(row)
        if isinstance(node, ast.Attribute) and isinstance(game.components.get(node.attr), c.Row)
    }


def _in_setup(game: ShortGame) -> set[str]:
    setup = game.functions.get("setup")
    return {node.attr for node in ast.walk(setup) if isinstance(node, ast.Attribute)} if setup else set()
