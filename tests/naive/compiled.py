"""A compiled engine behind the interface of its naive twin: what the four comparisons share."""

import os
from collections.abc import Callable
from typing import Any

import numpy as np

from bartizan.policies.protocol import Policy, compiled_policy
from bartizan.simcore.arrays import as_records
from bartizan.simcore.game import Engine
from tests.table import Position

ALL = os.environ.get("BARTIZAN_TWINS") == "all"

_last: list = []  # the engine, scenario and tables of the last game: a comparison plays many under one scenario


def first(few: int, of: int) -> range:
    """The numbers of the games to compare: the first few, or all of them under `make slow`."""
    return range(of if ALL else few)


def tables_of(engine: Engine, scenario):
    if not _last or _last[0] is not engine or _last[1] is not scenario:
        _last[:] = engine, scenario, as_records(engine.build_tables(scenario))[0]
    return _last[2]


class Live:
    """`live.field` is what stands in the one record of `states` now; to be read only.

    A record looks the field up anew each time, which took a third of the time of a comparison with `np.record`.
    """

    def __init__(self, states: np.ndarray):
        self._numbers = {name: states[name] for name in states.dtype.names if states[name].ndim == 1}
        self.__dict__.update({name: states[name][0] for name in states.dtype.names if name not in self._numbers})

    def __getattr__(self, name: str):
        if name == "_numbers" or name not in self._numbers:
            raise AttributeError(name)
        return self._numbers[name][0]


class Compiled(Position):
    """One game of a compiled engine. A subclass says what its `snapshot` is, and whether an action may do more than its
    log of events holds.
    """

    log_may_overflow = False

    def __init__(self, engine: Engine, scenario, seed: int, game: int):
        self.engine = engine
        super().__init__(tables_of(engine, scenario), seed, game)
        self.live = Live(self.states)

    @property
    def over(self) -> bool:
        return bool(self.live.end_reason)

    @property
    def seat(self) -> int:
        return int(self.live.to_move)

    def legal(self) -> list[int]:
        return self.codes()

    def apply(self, action: int) -> None:
        super().apply(action)
        assert self.log_may_overflow or self.live.n_events < len(self.live.events), "the log of one apply overflows"

    def record(self):
        """With the engine's own check of the last state: what was lost on the way is still missing there."""
        assert self.engine.check(self.state, self.tables) == ""
        return super().record()


def play_by(policy: Policy, naive: Callable[[Any], int], fast: Compiled, twin: Any) -> dict:
    """One game by a compiled policy, on both; the naive one decides the same every time. Returns the twin's record."""
    choose, weights = compiled_policy(policy.choose, fast.engine), np.array(list(policy.weights.values()), float)
    while not fast.over:
        action = choose(fast.state, fast.tables, fast.buffer, len(fast.legal()), weights)
        assert action == naive(twin), f"{policy.name} turn {fast.state.turn} stage {fast.state.stage}"
        fast.apply(action)
        twin.apply(action)
    assert twin.over
    record, written = twin.record(), fast.record()
    assert {name: written[name] for name in record if name in written} == record
    return record
