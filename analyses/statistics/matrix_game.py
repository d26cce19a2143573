"""Two sides that want the opposite: what a matrix game is worth, and how each side should mix.

Von Neumann (1928): each side has a mixture of its rows, or columns, with which it is sure of the value. One
linear programme finds the first side's; its dual prices are the second side's.
"""

from dataclasses import dataclass

import numpy as np

from bartizan.analyses.statistics.intervals import Interval, proportion
from bartizan.analyses.statistics.rasch import BLOCKS, REPLICATES, percentile, resampling

METHOD = "bootstrap over blocks of games, percentile, mixtures found anew"


@dataclass(frozen=True, eq=False)
class Solution:
    """Of a matrix game. Mixtures: float64, one share a row, and one a column; each adds up to 1."""

    value: float
    first: np.ndarray
    second: np.ndarray


def solve(payoffs: np.ndarray) -> Solution:
    """payoffs: float64 [row, column], what the first side gets and the second one pays.

    Where several mixtures are as good, the one that HiGHS ends at. Raises ValueError for a payoff that is not
    finite.
    """
    programme = _programme(payoffs[None])
    return Solution(float(programme.x[-1]), programme.x[:-1], -programme.ineqlin.marginals)


def _programme(payoffs: np.ndarray):
    """Many matrices [matrix, row, column] as one linear programme, which falls into one for each: far quicker
    than one by one. Its variables: of each matrix the mixture, then the value, which is to be greatest.
    """
    from scipy import sparse
    from scipy.optimize import linprog  # half a second to import, and every report imports this module

    many, rows, columns = payoffs.shape
    surely = [np.column_stack([-one.T, np.ones(columns)]) for one in payoffs]  # against every column
    return linprog(
        np.tile(np.append(np.zeros(rows), -1.0), many),
        A_ub=sparse.block_diag(surely, format="csc"),
        b_ub=np.zeros(many * columns),
        A_eq=sparse.kron(sparse.eye(many), np.append(np.ones(rows), 0.0)[None], format="csc"),
        b_eq=np.ones(many),
        bounds=([(0, None)] * rows + [(None, None)]) * many,
        method="highs",
    )


def value(won: np.ndarray, seed: int) -> Interval:
    """The value with its interval. won: float64 [row, column, game], between 0 and 1; game number g has the
    same luck in every cell, so blocks of game numbers are drawn for all cells at once.
    """
    games, rows = won.shape[-1], len(won)
    blocks = min(games, BLOCKS)
    starts = np.arange(blocks) * games // blocks
    sums, sizes = np.add.reduceat(won, starts, axis=-1), np.diff(starts, append=games)
    drawn = resampling(blocks, REPLICATES, seed)
    means = np.tensordot(drawn, sums, (1, 2)) / (drawn @ sizes)[:, None, None]
    values_found = _programme(np.vstack([won.mean(axis=-1)[None], means])).x.reshape(-1, rows + 1)[:, rows]
    estimate, *values = np.clip(values_found, 0.0, 1.0) + 0.0  # no -0.0
    interval = percentile(float(estimate), np.array(values))
    if interval.low == interval.high:  # nothing differs from block to block, as where nobody ever wins
        return proportion(estimate * games, games)
    return Interval(interval.estimate, interval.low, interval.high, interval.level, METHOD)
