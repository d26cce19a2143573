"""Attempts by the thousand with the engine's own dice: what exact odds are held against.

No game is played.
"""

import numpy as np

from bartizan.simcore.colditz.components import Luck
from bartizan.simcore.colditz.rules.throws import throw, throws
from bartizan.simcore.colditz.state import STATE
from bartizan.simcore.compile.jit import jit
from bartizan.simcore.rng import below, seed_luck

ANY_CARD = 0  # in place of a number of throws: a Do or Die card is drawn


def simulate_totals(
    tables: np.ndarray, n_throws: int, attempts: int, seed: int, first: int = 0
) -> np.ndarray:
    """Totals of `attempts` sums of n_throws throws: int64 [attempts].

    Attempt i has the luck of game `first` + i of the seed.
    """
    totals = np.empty(attempts, np.int64)
    throw_totals(_new_state(), _record(tables), n_throws, seed, first, totals)
    return totals


def simulate_ranges(
    tables: np.ndarray, attempts: int, seed: int, first: int = 0
) -> tuple[np.ndarray, np.ndarray]:
    """Totals and first rolls of single throws: int64 [attempts] each.

    An Appel reaches the total, a Shoot to Kill total + first roll (9.1, 9.4).
    """
    totals, first_rolls = np.empty(attempts, np.int64), np.empty(attempts, np.int64)
    throw_ranges(_new_state(), _record(tables), seed, first, totals, first_rolls)
    return totals, first_rolls


def _new_state():
    return np.zeros(1, STATE).view(np.recarray)[0]


def _record(tables: np.ndarray):
    return tables.view(np.recarray)[0]


@jit
def throw_totals(state, tables, n_throws, seed, first, totals):
    """5.4, 9.11: fill `totals`. Modifies `state`."""
    for i in range(totals.shape[0]):
        seed_luck(state, seed, first + i)
        n = n_throws
        if n == ANY_CARD:
            n = np.int64(tables.stake_cards[below(state, Luck.STAKE_CARD, tables.n_stakes)])
        totals[i] = throws(state, tables, Luck.STAKE, n)


@jit
def throw_ranges(state, tables, seed, first, totals, first_rolls):
    """9.1, 9.4: fill `totals` and `first_rolls`. Modifies `state`."""
    for i in range(totals.shape[0]):
        seed_luck(state, seed, first + i)
        totals[i] = throw(state, tables, Luck.RANGE)
        first_rolls[i] = state.first_roll
