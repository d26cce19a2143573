"""Random games of Castle Rampage, step by step: for tests of what holds in every state."""

import numpy as np

from bartizan.simcore.rampage.components import ARGUMENTS
from bartizan.simcore.rampage.engine import ENGINE
from tests.rampage_table import scenario_of, tables_of
from tests.table import RandomGame

SETUPS = [(2, 5, 2, 2), (1, 4, 0, 1), (3, 3, 1, 2), (1, 6, 3, 3), (2, 7, 2, 4)]


class Game(RandomGame):
    engine, arguments = ENGINE, ARGUMENTS


def variant(n: int) -> frozenset:
    """0: the deck as it is, by the published readings; then other numbers; from 2 on also readings drawn at random."""
    draw = np.random.default_rng(n)
    sets = {"limit.turns": int(draw.integers(30, 90))}
    if n:
        sets |= dict(
            zip(
                ("setup.batches", "setup.batch_size", "setup.gate_per_batch", "setup.castle_per_batch"),
                SETUPS[n % len(SETUPS)],
            )
        )
        sets |= {
            "turn.hand_limit": int(draw.integers(0, 6)),
            "turn.strengthen": int(draw.integers(0, 3)),
            "limit.plays": int(draw.integers(2, 30)),
        }
    if n > 1:
        sets |= {
            f"rulings.{key}": str(draw.choice(ruling.readings))
            for key, ruling in scenario_of(frozenset()).model.ruling.items()
        }
    return frozenset(sets.items())


def game_of(n: int, seed: int) -> Game:
    return Game(tables_of(variant(n)), seed)
