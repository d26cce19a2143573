"""Limit of a win rate that grows with effort: an extrapolation from doublings, not a bound.

After k doublings a player wins c - a r^k: each doubling gains r times the previous gain. The estimate is c.
Its interval contains every c for which some a >= 0 and r up to STEADIEST fit the rates nearly as well as the
best fit (profile likelihood). The upper limit of a curve that has not begun to flatten can therefore be as
high as 1.
"""

import numpy as np

from bartizan.analyses.statistics import special
from bartizan.analyses.statistics.intervals import Interval
from bartizan.simcore.arrays import Floats, Ints
from bartizan.simcore.reporting import CONFIDENCE

LEAST_POINTS = 3
UNLIKELY = 0.05  # a curve whose misfit has a lower probability than this has another shape
STEADIEST = 0.95
RATIOS = np.linspace(0.0, STEADIEST, 96)
LIMITS = np.linspace(0.0, 1.0, 1001)
METHOD = "extrapolated: c - a r^k, profile likelihood"


def extrapolated(
    doublings: Floats | Ints, wins: list[Floats], confidence: float = CONFIDENCE
) -> Interval | None:
    """Return the limit c of win rates that follow c - a r^k (see the module).

    Returns None for fewer than three points, or if the last three do not fit such a curve.

    doublings: k of each point. wins: values of the games of each point; all points begin with the same games.
    The fit uses the longest final part of the curve that has this shape, because with little effort a
    doubling may gain more than the previous one. Win rates may stop rising at any time, so the lower limit is
    at most that of the last point's own interval.
    """
    shares, table = np.array([games.mean() for games in wins]), covariance(wins) if wins else np.zeros((0, 0))
    z = special.ndtri((1 + confidence) / 2)
    for first in range(len(wins) - LEAST_POINTS + 1):
        weights: Floats = np.linalg.inv(table[first:, first:])
        profile = misfit(doublings[first:] - doublings[first], shares[first:], weights)
        if profile.min() <= special.chdtri(max(len(weights) - LEAST_POINTS, 1), UNLIKELY):
            kept = LIMITS[profile <= profile.min() + z**2]
            low = min(kept[0], max(shares[-1] - z * np.sqrt(table[-1, -1]), 0))
            return Interval(float(LIMITS[profile.argmin()]), float(low), float(kept[-1]), confidence, METHOD)
    return None


def misfit(doublings: Floats | Ints, shares: Floats, weights: Floats) -> Floats:
    """Return, for each limit in LIMITS, the misfit of the best-fitting curve: float64 [limit].

    The misfit is the chi-squared statistic of the shares; `weights` is their inverse covariance matrix.
    """
    falls = RATIOS[:, None] ** doublings  # [ratio, point]
    ahead = LIMITS[:, None] - shares  # [limit, point]: the remaining gain, a r^k if the curve fits
    steep = ((falls @ weights) * falls).sum(axis=1)
    along = ahead @ weights @ falls.T
    # the best a >= 0 is along / steep, or 0
    squares = ((ahead @ weights) * ahead).sum(axis=1)[:, None] - np.maximum(along, 0) ** 2 / steep
    nearest: Floats = squares.min(axis=1)
    return nearest


def covariance(wins: list[Floats]) -> Floats:
    """Return the covariance matrix of the mean win rates.

    The same correlation is used for all pairs, because pairwise correlations from few games would be too
    noisy.
    """
    n = np.array([len(games) for games in wins], float)
    # add half a won and half a lost game, so that no rate is certain
    shares = np.array([(games.sum() + 0.5) / (len(games) + 1) for games in wins])
    spread = np.sqrt(shares * (1 - shares))
    alike = [
        np.corrcoef(one[: len(other)], other[: len(one)])[0, 1]
        for i, one in enumerate(wins)
        for other in wins[i + 1 :]
        if one[: len(other)].std() > 0 < other[: len(one)].std()
    ]
    shared = min(max(float(np.mean(alike)), 0.0), 0.95) if alike else 0.0
    table: Floats = shared * np.outer(spread, spread) / np.maximum(n[:, None], n)
    np.fill_diagonal(table, spread**2 / n)
    return table
