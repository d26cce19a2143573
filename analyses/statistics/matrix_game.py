"""Matrix games between two sides with opposite interests: their value and optimal mixtures.

Von Neumann (1928): each side has a mixture of its rows, or columns, that guarantees the value. One linear
programme finds the first side's mixture; its dual prices are the second side's mixture.

The value of a table of noisy results must not be quoted: the greatest of several rows, or the least of
several columns, has selection bias. Quote the results of the mixtures in held-out games.
"""

from dataclasses import dataclass

import numpy as np

from bartizan.simcore.arrays import Floats


@dataclass(frozen=True, eq=False)
class Solution:
    """Solution of a matrix game.

    The mixtures are float64 arrays with one share per row, and one per column. Each sums to 1.
    """

    value: float
    first: Floats
    second: Floats


def solve(payoffs: Floats) -> Solution:
    """Solve a game. payoffs: float64 [row, column], paid to the first side by the second.

    If several mixtures are equally good, returns the one that HiGHS finds. Raises ValueError for a payoff
    that is not finite.
    """
    from scipy.optimize import linprog  # half a second to import, and every report imports this module

    rows, columns = payoffs.shape
    programme = linprog(  # variables: the first side's mixture, then the value, which is maximised
        np.append(np.zeros(rows), -1.0),
        A_ub=np.column_stack([-payoffs.T, np.ones(columns)]),  # the value is secured against every column
        b_ub=np.zeros(columns),
        A_eq=np.append(np.ones(rows), 0.0)[None],
        b_eq=[1.0],
        bounds=[(0, None)] * rows + [(None, None)],
        method="highs",
    )
    return Solution(float(programme.x[-1]), programme.x[:-1], -programme.ineqlin.marginals)
