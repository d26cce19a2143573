"""Durations measured by groups of people: a log-linear mixed model.

log(minutes) = intercept + slopes x predictors + group + residual, with normal groups and residuals. Slopes
have normal priors. The two standard deviations have half-normal priors (Gelman 2006, Bayesian Analysis 1) and
are evaluated on a grid. Given these two, all other parameters are normal, so the posterior is exact up to the
grid. With few groups, the interval is wide; a cluster-robust standard error would be too small (Cameron and
Miller 2015). One group gives no information about others, so the estimate is then that group's duration.

Durations from a clock that was not stopped are invalid. Therefore a value is left out, and marked as unused,
if it differs from the model's median by more than a factor of `FACTOR` and by more than `ROBUST` robust
standard deviations.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from bartizan.analyses.statistics import special
from bartizan.analyses.statistics.intervals import Interval
from bartizan.simcore.arrays import Bools, Floats, Ints
from bartizan.simcore.reporting import CONFIDENCE

FACTOR, ROBUST = 3.0, 2.5
BETWEEN, WITHIN = 0.4, 0.5  # scales of the half-normal priors: groups, plays of one group; of log(minutes)
POINTS, WIDEST = 32, 1.5  # of each standard deviation on the grid, log-spaced up to WIDEST
NARROWEST = 0.01
FLAT = 10.0  # prior standard deviation of the intercept, of log(minutes)
DRAWS = 4000
METHOD = "log-linear mixed model"
PREDICTION = "prediction by a log-linear mixed model"
ONE_MORE = 0.9  # level of the interval of one more play


@dataclass(frozen=True)
class Slope:
    """Normal prior of a slope (the elasticity of a duration)."""

    mean: float
    sd: float


@dataclass(frozen=True, eq=False)
class Durations:
    """Posterior draws of the parameters. Predictors are centred on `centre`."""

    slopes: Floats  # [draw, 1 + predictor]: intercept first
    between: Floats  # [draw]: standard deviation of groups
    within: Floats  # [draw]: of plays of one group
    centre: Floats  # [predictor]
    used: Bools  # [value]: False if it was omitted as an invalid duration

    def middle(self, predictors: Sequence[float] | Floats) -> Floats:
        """Return an array [draw]: log(minutes) of a typical group's typical play at these predictors."""
        at = np.asarray(predictors, float) - self.centre
        return self.slopes[:, 0] + self.slopes[:, 1:] @ at

    def mean(self, predictors: Sequence[float] | Floats) -> Floats:
        """Return an array [draw]: mean minutes over plays of groups like these."""
        return self.mean_over(self.middle(predictors))

    def mean_over(self, middle: Floats) -> Floats:
        """Return an array [draw, ...] of mean minutes. middle: array [draw, ...], median of log(minutes)."""
        spread = (self.between**2 + self.within**2) / 2
        return np.exp(middle + spread.reshape(-1, *[1] * (middle.ndim - 1)))

    def one_more(self, middle: Floats, seed: int = 1) -> Floats:
        """Return an array [draw]: minutes of one play by another group.

        middle: array [draw], median of log(minutes).
        """
        noise = np.random.default_rng([seed, len(self.within)]).standard_normal(len(self.within))
        return np.exp(middle + noise * np.hypot(self.between, self.within))


def fit(
    minutes: Floats,
    predictors: Floats,
    groups: Sequence[str],
    priors: Sequence[Slope] = (),
    seed: int = 1,
    draws: int = DRAWS,
    slack: tuple[float, float] = (0.0, 0.0),
) -> Durations:
    """Fit the model, and return draws from its posterior.

    minutes: array [value] > 0. predictors: array [value, predictor] of logarithms. groups: group of each
    value. priors: one per predictor. slack: extra distance below and above the median, in log(minutes), at
    which a value still counts as plausible.
    """
    y, x = (
        np.log(np.asarray(minutes, float)),
        np.asarray(predictors, float).reshape(len(minutes), len(priors)),
    )
    means = np.array([slope.mean for slope in priors])
    used = _plausible(y - x @ means, *slack)
    y, x = y[used], x[used]
    where = np.unique(np.asarray(groups)[used], return_inverse=True)[1]
    centre = x.mean(axis=0)
    design = np.column_stack([np.ones(len(y)), x - centre])
    prior = np.concatenate([[y.mean()], means])
    precision = np.concatenate([[FLAT**-2], [slope.sd**-2 for slope in priors]])
    grid = np.geomspace(NARROWEST, WIDEST, POINTS)
    between, within = (axis.ravel() for axis in np.meshgrid(grid, grid, indexing="ij"))
    log_density, place, spread = _given(design, y, where, prior, precision, between, within)
    log_density += np.log(between) + np.log(within)  # the grid is even in logarithms
    log_density -= (between / BETWEEN) ** 2 / 2 + (within / WITHIN) ** 2 / 2
    if where.max() == 0:  # one group gives no information about others, so its own durations are estimated
        log_density[between > grid[0]] = -np.inf
    random = np.random.default_rng([seed, draws])
    at = random.choice(len(between), draws, p=special.softmax(log_density))
    noise = random.standard_normal((draws, design.shape[1]))
    slopes = place[at] + np.einsum("dij,dj->di", spread[at], noise)
    return Durations(slopes, between[at], within[at], centre, used)


def _plausible(residual: Floats, below: float, above: float) -> Bools:
    """Return an array [value]: True for plausible durations. residual: residual of log(minutes)."""
    off = residual - np.median(residual)
    limit = max(np.log(FACTOR), ROBUST * 1.4826 * float(np.median(np.abs(off))))
    plausible: Bools = (off >= -limit - below) & (off <= limit + above)
    return plausible


def _given(
    design: Floats, y: Floats, where: Ints, prior: Floats, precision: Floats, between: Floats, within: Floats
) -> tuple[Floats, Floats, Floats]:
    """Return the conditional quantities at each point of the grid.

    They are the marginal log likelihood, the mean of the slopes, and a Cholesky root of their covariance.
    """
    sizes = np.bincount(where)
    sums = np.array([np.bincount(where, column) for column in design.T]).T  # [group, slope]
    totals = np.bincount(where, y)
    inner = within[:, None] ** 2 + sizes * between[:, None] ** 2  # [point, group]
    shrink = between[:, None] ** 2 / inner
    scale = within**-2.0
    xx = design.T @ design - np.einsum("pg,gi,gj->pij", shrink, sums, sums)
    xy = design.T @ y - np.einsum("pg,gi,g->pi", shrink, sums, totals)
    yy = y @ y - shrink @ totals**2
    curvature = scale[:, None, None] * xx + np.diag(precision)
    slope = scale[:, None] * xy + precision * prior
    covariance = np.linalg.inv(curvature)
    place = np.einsum("pij,pj->pi", covariance, slope)
    log_det = (len(y) - len(sizes)) * np.log(within**2) + np.log(inner).sum(axis=1)
    left = scale * yy + precision @ prior**2 - (place * slope).sum(axis=1)
    log_density = -(log_det + left + np.linalg.slogdet(curvature)[1]) / 2
    return log_density, place, np.linalg.cholesky(covariance)


def interval(values: Floats, method: str = METHOD, level: float = CONFIDENCE) -> Interval:
    """Return the median and equal-tailed interval of draws."""
    middle, low, high = np.quantile(values, [0.5, (1 - level) / 2, (1 + level) / 2])
    return Interval(float(middle), float(low), float(high), level, method)
