"""Values of `--set` at both ends of their ranges, and rules with 64-bit integers.

The wide integers detect fields that are too narrow.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

from bartizan.simcore.compile.cuts import wide
from bartizan.simcore.compile.jit import compiled
from bartizan.simcore.compile.loops import policy_signature
from bartizan.simcore.game import Engine
from bartizan.simcore.play.match import Match, Player
from bartizan.simcore.scenario.loading import Scenario

End = tuple[str, Any]  # path, value


def ends_of(scenario: Scenario) -> list[End]:
    """List both ends of each range and every choice as (path, value), in file order. Omits current values."""
    return [
        (parameter.path, value)
        for parameter in scenario.parameters()
        if parameter.path != "difficulty"
        for value in dict.fromkeys(parameter.choices or (parameter.low, parameter.high))
        if value is not None and value != parameter.value
    ]


def spread(ends: list[End], n: int) -> list[End]:
    """Return at most n of the ends, evenly spaced."""
    step = max(1.0, len(ends) / n)
    return [ends[int(i * step)] for i in range(min(n, len(ends)))]


def pairs_of(ends: list[End], n: int) -> list[tuple[End, End]]:
    """Return at most n random pairs of ends, each pair of two different parameters.

    The pairs are the same at every call.
    """
    if len(ends) < 2:
        return []
    luck = np.random.default_rng(len(ends))
    drawn = (sorted(map(int, luck.choice(len(ends), 2, replace=False))) for _ in range(n))
    pairs = dict.fromkeys((ends[one], ends[other]) for one, other in drawn)
    return [(one, other) for one, other in pairs if one[0] != other[0]]


@cache
def with_room(engine: Engine, is_state_too: bool) -> Engine:
    """Return the engine with 64-bit integers in its record and, if `is_state_too`, in its state.

    Cached, because loops are compiled per engine.
    """
    state = wide(engine.state_dtype) if is_state_too else engine.state_dtype
    return replace(engine, state_dtype=state, record_dtype=wide(engine.record_dtype))


def match_with_room(match: Match, roomy: Engine) -> Match:
    """Return the match with the engine `roomy`, which has 64-bit integers."""
    players = match.players
    if roomy.state_dtype != match.engine.state_dtype:
        players = tuple(replace(one, function=_function_for(one, roomy)) for one in players)
    return replace(match, game=replace(match.game, engine=lambda: roomy), players=players, deals=False)


@cache
def _function_for(player: Player, roomy: Engine) -> Callable:
    """Return the player's policy function, compiled for the engine `roomy`."""
    if player.compiled_for is not None:
        return player.compiled_for(roomy)
    return compiled(player.function.py_func, policy_signature(roomy))


def too_narrow(rows: np.ndarray, roomy: np.ndarray) -> Iterator[str]:
    """Yield one line for each column that differs between rows of the same games.

    The line contains the first game that differs.
    """
    for column in rows.dtype.names or ():
        differs = (rows[column] != roomy[column]).reshape(len(rows), -1).any(axis=1)
        for game in np.flatnonzero(differs)[:1]:
            narrow, number = rows[column][game], rows["game"][game]
            yield (
                f"game {number}: `{column}` is {narrow}, but {roomy[column][game]} with 64-bit "
                "counters: declare a wider type for a field of the state or record, such as i4"
            )
