"""Random games of Castle, step by step: for tests of what holds in every state."""

import numpy as np

from bartizan.simcore.castle.components import ARGUMENTS
from bartizan.simcore.castle.engine import ENGINE
from bartizan.simcore.castle.schema import Advanced
from bartizan.simcore.scenario.model import Datum
from tests.castle_table import scenario_of, tables_of
from tests.table import RandomGame

SWITCHES = [name for name in Advanced.model_fields if name not in Datum.model_fields and name != "jokers"]
GRIDS = [(4, 9), (2, 5), (3, 6), (4, 7), (1, 9)]


def variant(k: int, n: int) -> frozenset:
    """The scenario with k players. 0: as published; 1, 2: other grids, few cards in the deck; from 3 on also readings and advanced rules drawn at random."""
    draw = np.random.default_rng([k, n])
    sets = {"players.count": k, "limit.turns": int(draw.integers(60, 140))}
    if n:
        rows, columns = GRIDS[n % len(GRIDS)]
        most = min(rows * columns - 3, 39 // k, 10)
        sets |= {
            "grid.rows": rows,
            "grid.columns": columns,
            "deal.cards": int(draw.integers(0, most + 1)) if n % 2 else most,
        }
    if n > 2:
        for key, ruling in scenario_of(frozenset()).model.ruling.items():
            sets[f"rulings.{key}"] = str(draw.choice(ruling.readings))
        if n % 3:
            sets["rulings.random_source"] = "dice"
        sets |= {f"advanced.{switch}": bool(draw.random() < 0.6) for switch in SWITCHES}
        sets["advanced.jokers"] = int(draw.integers(0, 3))
    return frozenset(sets.items())


class Game(RandomGame):
    engine, arguments = ENGINE, ARGUMENTS


def play(key: frozenset, seed: int, watch=None) -> Game:
    return Game(tables_of(key), seed).play(watch)
