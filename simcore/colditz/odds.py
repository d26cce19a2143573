"""Simulations for `bartizan chance` in Escape from Colditz.

They are throws with the engine's own dice, to verify the exact odds, and the decision whether to stake a POW.
"""

import numpy as np

from bartizan.simcore.arrays import Record, as_records
from bartizan.simcore.colditz import components as cz
from bartizan.simcore.colditz.actions import action as code
from bartizan.simcore.colditz.actions import kind_of
from bartizan.simcore.colditz.rules.decks import must_discard_first, over_limit
from bartizan.simcore.colditz.rules.escaping import may_stake_now, next_stake, stake_distance, throw, throws
from bartizan.simcore.colditz.state import STATE
from bartizan.simcore.compile.jit import jit
from bartizan.simcore.compile.rules import NO_ROW
from bartizan.simcore.rng import below, seed_luck

ANY_CARD = 0  # in place of a number of throws: draw a Do or Die card


def simulate_totals(
    tables: np.ndarray, n_throws: int, attempts: int, seed: int, first: int = 0
) -> np.ndarray:
    """Return the total of `n_throws` throws in each attempt: int64 [attempts].

    n_throws: ANY_CARD to draw a Do or Die card for each attempt. Attempt i uses the random numbers of game
    `first` + i of the seed.
    """
    totals = np.empty(attempts, np.int64)
    throw_totals(*_records(tables), n_throws, seed, first, totals)
    return totals


def simulate_ranges(
    tables: np.ndarray, attempts: int, seed: int, first: int = 0
) -> tuple[np.ndarray, np.ndarray]:
    """Return the totals and the first rolls of single throws: two arrays int64 [attempts].

    The range of an Appel is the total; the range of a Shoot to Kill is the total plus the first roll (9.1,
    9.4).
    """
    totals, first_rolls = np.empty(attempts, np.int64), np.empty(attempts, np.int64)
    throw_ranges(*_records(tables), seed, first, totals, first_rolls)
    return totals, first_rolls


def _records(tables: np.ndarray) -> tuple[Record, Record]:
    """Return a blank state and the tables, as records for compiled rules."""
    return as_records(np.zeros(1, STATE))[0], as_records(tables)[0]


@jit
def throw_totals(state, tables, n_throws, seed, first, totals):
    """Fill `totals` with the totals of `n_throws` throws, one per game from `first` on (5.4, 9.11).

    n_throws: ANY_CARD to draw a Do or Die card for each game. `state` is working space, which is modified.
    """
    for i in range(totals.shape[0]):
        seed_luck(state, seed, first + i)
        n = n_throws
        if n == ANY_CARD:
            n = np.int64(tables.stake_cards[below(state, cz.Luck.STAKE_CARD, tables.n_stakes)])
        totals[i] = throws(state, tables, cz.Luck.STAKE, n)


@jit
def throw_ranges(state, tables, seed, first, totals, first_rolls):
    """Fill `totals` with ranges, and `first_rolls` with their first rolls (9.1, 9.4).

    There is one per game, from `first` on. `state` is working space, which is modified.
    """
    for i in range(totals.shape[0]):
        seed_luck(state, seed, first + i)
        totals[i] = throw(state, tables, cz.Luck.RANGE)
        first_rolls[i] = state.first_roll


# ---------------------------------------------------------------- whether to stake a POW


LEAST_LEFT, MOST_LEFT, LEAST_STEPS, MOST_STEPS, ROPES, CUTTERS = range(6)  # numbers in a row
ANY = -1  # Ropes, Wire Cutters: any number of them
STAKE, NOT_NOW, PLAYER, LEFT, STEPS, ROPES_HELD, CUTTERS_HELD = range(7)  # two actions, then facts
NUMBERS = 7  # numbers of a moment


@jit
def crossroads(state, tables, rows, action, moment):
    """Return the index of the row of `rows` that matches the current decision whether to stake a POW (5.4).

    Returns NO_ROW if no row matches, at any other decision, and after the first escape. The alternatives are
    to stake the player's best POW, and to stake no POW for now. They are written to `moment`, followed by the
    facts of the decision. Before the throw (Q12 `replaces`) and after the last round (Q24), the player is
    asked only for a stake. If a stake may follow the moves (Q12 `after`), the decision is at the end of the
    turn.
    """
    if state.to_move != cz.ALLIED:
        return NO_ROW
    if state.stage == cz.Stage.START:
        p, alternative = state.player, cz.Act.END if state.last_stakes else cz.Act.THROW
        if must_discard_first(state, tables, p):
            return NO_ROW
    elif state.stage == cz.Stage.TURN and tables.stake_and_throw == cz.StakeAndThrow.after:
        p, alternative = state.on_turn, cz.Act.END
        act = kind_of(action)
        if (
            (act != cz.Act.END and act != cz.Act.STAKE)
            or over_limit(state, tables)
            or not may_stake_now(state, tables, p)
        ):
            return NO_ROW
    else:
        return NO_ROW
    w = nearest_stake(state, tables, p)
    if w == cz.NONE or state.escaped.any() or state.staked_out.any():
        return NO_ROW
    moment[STAKE] = code(cz.Act.STAKE, w - p * cz.TEAM)
    moment[NOT_NOW] = code(alternative, 0)
    moment[PLAYER] = p
    moment[LEFT] = tables.rounds - state.round
    moment[STEPS] = stake_distance(state, tables, w)
    moment[ROPES_HELD] = state.equipment[p, cz.Equipment.rope]
    moment[CUTTERS_HELD] = state.equipment[p, cz.Equipment.wire_cutters]
    return row_of(rows, moment)


@jit
def nearest_stake(state, tables, p):
    """Return the POW of player p that can be staked with the shortest distance; NONE if there is none."""
    w = next_stake(state, tables, p, p * cz.TEAM)
    best = w
    while w != cz.NONE:
        if stake_distance(state, tables, w) < stake_distance(state, tables, best):
            best = w
        w = next_stake(state, tables, p, w + 1)
    return best


@jit
def row_of(rows, moment):
    """Return the index of the first row that matches a decision; NO_ROW if there is none."""
    for i in range(rows.shape[0]):
        row = rows[i]
        if (
            row[LEAST_LEFT] <= moment[LEFT] <= row[MOST_LEFT]
            and row[LEAST_STEPS] <= moment[STEPS] <= row[MOST_STEPS]
            and (row[ROPES] == ANY or row[ROPES] == moment[ROPES_HELD])
            and (row[CUTTERS] == ANY or row[CUTTERS] == moment[CUTTERS_HELD])
        ):
            return np.int64(i)
    return np.int64(NO_ROW)
