"""Random games of Castle, step by step: for tests of what holds in every state."""

import numpy as np

from simcore import rng
from simcore.castle.components import ARGUMENTS
from simcore.castle.engine import ENGINE
from simcore.castle.schema import Advanced
from simcore.engine import new_states
from simcore.scenario import Datum
from tests.castle_table import scenario_of, tables_of

SWITCHES = [name for name in Advanced.model_fields if name not in Datum.model_fields and name != "jokers"]
GRIDS = [(4, 9), (2, 5), (3, 6), (4, 7), (1, 9)]


def variant(k: int, n: int) -> frozenset:
    """The scenario with k players. 0: as published; 1, 2: other grids, few cards in the deck; from 3 on also readings and advanced rules drawn at random."""
    draw = np.random.default_rng([k, n])
    sets = {"players.count": k, "limit.turns": int(draw.integers(60, 140))}
    if n:
        rows, columns = GRIDS[n % len(GRIDS)]
        most = min(rows * columns - 3, 39 // k, 10)
        sets |= {"grid.rows": rows, "grid.columns": columns, "deal.cards": int(draw.integers(0, most + 1)) if n % 2 else most}
    if n > 2:
        for key, ruling in scenario_of(frozenset()).model.ruling.items():
            sets[f"rulings.{key}"] = str(draw.choice(ruling.readings))
        if n % 3:
            sets["rulings.random_source"] = "dice"
        sets |= {f"advanced.{switch}": bool(draw.random() < 0.6) for switch in SWITCHES}
        sets["advanced.jokers"] = int(draw.integers(0, 3))
    return frozenset(sets.items())


class Game:
    """One game, played at random: a kind of action first, then one of that kind."""

    def __init__(self, key: frozenset, seed: int):
        self.tables = tables_of(key)
        self.states = new_states(ENGINE)
        self.state = self.states.view(np.recarray)[0]
        self.buffer = np.zeros(ENGINE.max_legal, np.int32)
        self.choose = np.random.default_rng(seed)
        rng.seed_luck(self.state, np.uint64(seed), seed)
        ENGINE.reset(self.state, self.tables)

    def copy(self) -> "Game":
        """The same position; the list of choices is shared."""
        other = object.__new__(Game)
        other.__dict__ = dict(self.__dict__)
        other.states = self.states.copy()
        other.state = other.states.view(np.recarray)[0]
        other.buffer = self.buffer.copy()
        return other

    def legal(self) -> list[int]:
        n = ENGINE.legal_actions(self.state, self.tables, self.buffer)
        assert 0 < n < ENGINE.max_legal
        return self.buffer[:n].tolist()

    def random_action(self, legal: list[int]) -> int:
        kinds = sorted({code // ARGUMENTS for code in legal})
        kind = kinds[self.choose.integers(len(kinds))]
        ours = [code for code in legal if code // ARGUMENTS == kind]
        return ours[self.choose.integers(len(ours))]

    def apply(self, action: int) -> None:
        ENGINE.apply(self.state, self.tables, np.int32(action))

    def events(self) -> list[tuple[int, int, int, int]]:
        """What the last action set in motion."""
        assert self.state.n_events < len(self.state.events), "the log of one apply overflows"
        return [tuple(map(int, event)) for event in self.state.events[: self.state.n_events]]

    def record(self):
        row = np.zeros(1, ENGINE.record_dtype)
        ENGINE.write_record(self.state, self.tables, row.view(np.recarray)[0])
        return row[0]


def play(key: frozenset, seed: int, watch=None) -> Game:
    game = Game(key, seed)
    for _ in range(20_000):
        if game.state.end_reason:
            return game
        legal = game.legal()
        action = game.random_action(legal)
        if watch is None:
            game.apply(action)
        else:
            watch(game, legal, action)
    raise AssertionError("no end")
