"""One game in one state: what the tables of all games share, on which tests put one position into one rule, and the random games that look at every state."""

from typing import ClassVar

import numpy as np

from bartizan.simcore.arrays import as_records
from bartizan.simcore.compile.loops import new_states
from bartizan.simcore.game import Engine
from bartizan.simcore.play.replay import set_up


class Position:
    """A state with its tables. A game says which engine it has and how its actions are written."""

    engine: ClassVar[Engine]
    arguments: ClassVar[int]  # an action code is act * arguments + argument

    def __init__(self, tables, seed: int, game: int):
        self.tables = tables
        self.states = new_states(self.engine)
        self.state = set_up(self.engine, self.states, self.tables, seed, game)
        self.buffer = np.zeros(self.engine.max_legal, np.int32)

    def copy(self):
        """The same position; all but the state is shared."""
        other = object.__new__(type(self))
        other.__dict__ = dict(self.__dict__)
        other.states = self.states.copy()
        other.state = as_records(other.states)[0]
        other.buffer = self.buffer.copy()
        return other

    def codes(self) -> list[int]:
        """The legal actions, in the engine's order."""
        n = self.engine.legal_actions(self.state, self.tables, self.buffer)
        assert 0 < n <= self.engine.max_legal
        return self.buffer[:n].tolist()

    def apply(self, action: int) -> None:
        self.engine.apply(self.state, self.tables, np.int32(action))

    def events(self) -> list[tuple[int, int, int, int]]:
        """What the last action set in motion."""
        assert self.state.n_events < len(self.state.events), "the log of one apply overflows"
        return [tuple(map(int, event)) for event in self.state.events[: self.state.n_events]]

    def record(self):
        row = np.zeros(1, self.engine.record_dtype)
        self.engine.write_record(self.state, self.tables, as_records(row)[0])
        return row[0]


class BaseTable(Position):
    """Actions as (kind, argument)."""

    acts: ClassVar[type]
    stages: ClassVar[type]

    def legal(self) -> list[tuple]:
        """The legal actions as (kind, argument), in the engine's order."""
        codes = self.codes()
        assert len(set(codes)) == len(codes), "the same action twice"
        return [(self.acts(code // self.arguments), code % self.arguments) for code in codes]

    def kinds(self) -> set:
        return {act for act, _ in self.legal()}

    def args(self, kind) -> list[int]:
        """Arguments of the legal actions of one kind, in order."""
        return [argument for act, argument in self.legal() if act == kind]

    def can(self, kind, argument: int = 0) -> bool:
        return (kind, argument) in self.legal()

    def play(self, kind, argument: int = 0):
        assert self.can(kind, argument), f"{kind.name} {argument} is not legal at {self.stage.name}"
        self.apply(kind * self.arguments + argument)
        assert self.engine.check(self.state, self.tables) == ""
        return self

    @property
    def stage(self):
        return self.stages(int(self.state.stage))

    @property
    def asked(self) -> tuple:
        """Which decision, and whose."""
        return self.stage, int(self.state.to_move)


class RandomGame(Position):
    """One game, played at random: a kind of action first, then one of that kind."""

    def __init__(self, tables, seed: int):
        super().__init__(tables, seed, seed)
        self.choose = np.random.default_rng(seed)  # copies share it

    def legal(self) -> list[int]:
        return self.codes()

    def random_action(self, legal: list[int]) -> int:
        kinds = sorted({code // self.arguments for code in legal})
        kind = kinds[self.choose.integers(len(kinds))]
        ours = [code for code in legal if code // self.arguments == kind]
        return ours[self.choose.integers(len(ours))]

    def play(self, watch=None):
        """To the end. `watch` is called at every decision in the place of `apply`, with the game, the legal actions and the one chosen."""
        for _ in range(20_000):
            if self.state.end_reason:
                return self
            legal = self.legal()
            action = self.random_action(legal)
            if watch is None:
                self.apply(action)
            else:
                watch(self, legal, action)
        raise AssertionError("no end")
