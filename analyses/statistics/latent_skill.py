"""Skill of people from few plays: each tester has one skill, which gives the win probability of each play.

logit P(a group wins) = mean skill of its members + slope x ease of the level + first x share of newcomers;
skill of a tester ~ N(mu, tau^2), tau ~ half-normal (Gelman 2006, Bayesian Analysis 1). With slope 1 and ease
= -difficulty this is Rasch's scale (`rasch.py`); with ease = logit of a policy's win rate, mu and the slope
are the calibration a + b x logit(policy).

No Markov chains are used. Testers are integrated out by adaptive Gauss-Hermite quadrature (Liu & Pierce 1994,
Biometrika 81), with 20 nodes if nobody played in different groups, fewer nodes in two and three dimensions,
and Laplace's approximation in more dimensions (as in lme4 for crossed effects). mu, tau, slope and first are
evaluated on a grid. The same plays give the same posterior. Predictions are drawn from it, with a seed.

The scale itself has an error. Each of its replicates gives a posterior, and these are averaged with equal
weights: plays of people give no information about policies (a "cut"; Plummer 2015, Statistics and Computing
25).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import product

import numpy as np

from bartizan.analyses.statistics import special
from bartizan.analyses.statistics.intervals import Interval
from bartizan.analyses.statistics.paired import ROUNDING
from bartizan.simcore.arrays import Floats, Ints

NODES = {1: 20, 2: 9, 3: 5}  # nodes per dimension; one node is Laplace's approximation
PLACES, SPREADS, SLOPES, FIRSTS = 33, 12, 11, 9  # points of the grid per unknown
FINE = (17, 8, 13)  # points of mu, tau and first, if `first` is the quantity of interest
WIDEST, REACH = 3.0, 4.5  # greatest tau; half the grid of mu in its standard deviations
# Newton's method: maximum number of steps, longest step in logits, tolerance
STEPS, LONGEST, NEAR = 40, 1.5, 1e-6
DRAWS, CANDIDATES = 4000, 8
CREDIBLE = 0.9  # probability of a credible interval
METHOD = "posterior, Gauss-Hermite quadrature on a grid"


@dataclass(frozen=True)
class TableResult:
    """Number of plays and wins of the same people at the same level."""

    people: tuple[str, ...]  # people at the table, each once
    level: int  # index into the eases
    plays: int
    wins: int
    first: float = 0.0  # share of the people who play for the first time


@dataclass(frozen=True)
class Prior:
    """Prior distributions of the unknowns, in logits. A spread of 0 fixes `slope` at 1, or `first` at 0."""

    centre: float = 0.0  # of mu
    # of mu: 95 % from 1 to 74 wins in 75; with a wider prior, a few losses would imply an extreme skill
    spread: float = 2.2
    tau: float = 1.0  # scale of the half-normal
    slope: float = 0.0  # spread of the slope around 1
    first: float = 0.0  # spread of the first play's effect around 0
    is_fine: bool = False  # adapt the grid of `first` to its posterior, as for mu


SKILL = Prior()
CALIBRATION = Prior(spread=1.0, slope=0.5)  # prior: people play like policies


# ----------------------------------------------------------- people linked by shared plays


@dataclass(frozen=True, eq=False)
class Component:
    """People linked by shared plays.

    The skills of their groups are mu + tau x `loads` @ z, with z ~ N(0, 1).
    """

    people: tuple[str, ...]
    loads: Floats  # [session, dimension]
    rotation: Floats  # [person, person]: maps identified and unidentified latent coordinates to persons
    level: Ints  # [session]
    plays: Ints
    wins: Ints
    first: Ints

    @property
    def signature(self) -> tuple[tuple[int, ...], bytes | int]:
        """Key that components with the same likelihood share if they have one dimension; unique otherwise."""
        data = np.column_stack([np.abs(self.loads), self.level, self.plays, self.wins, self.first])
        return (self.loads.shape, np.round(data, 9).tobytes() if self.loads.shape[1] == 1 else id(self))

    def offset(self, point: "Points") -> Floats:
        """Return an array [point, session]: the logit of a win at z = 0."""
        ease = point.ease[:, self.level]
        return point.mu[:, None] + point.slope[:, None] * ease + point.first[:, None] * self.first

    def log_joint(self, z: Floats, offset: Floats, tau: Floats) -> Floats:
        """Return the log density of plays and z [..., point, dimension], up to a constant."""
        eta = offset + tau[:, None] * (z @ self.loads.T)
        of_plays: Floats = (self.wins * eta - self.plays * np.logaddexp(0, eta)).sum(axis=-1)
        of_z: Floats = -(z**2).sum(axis=-1) / 2
        return of_plays + of_z

    def mode(self, offset: Floats, tau: Floats) -> tuple[Floats, Floats]:
        """Return the mode z and a root of the inverse curvature there.

        Shapes: [point, dimension] and [point, dimension, dimension].
        """
        z = np.zeros((len(tau), self.loads.shape[1]))
        for _ in range(STEPS):
            share = special.expit(offset + tau[:, None] * (z @ self.loads.T))
            slope = tau[:, None] * ((self.wins - self.plays * share) @ self.loads) - z
            step = _solve(self._curvature(share, tau), slope)
            reach = tau * np.abs(step).max(axis=1)
            step *= np.minimum(LONGEST / np.maximum(reach, 1e-300), 1.0)[:, None]
            z += step
            if np.abs(step).max() < NEAR:
                break
        share = special.expit(offset + tau[:, None] * (z @ self.loads.T))
        return z, _root(self._curvature(share, tau))

    def _curvature(self, share: Floats, tau: Floats) -> Floats:
        weight = tau[:, None] ** 2 * self.plays * share * (1 - share)
        of_plays: Floats = np.einsum("gs,sd,se->gde", weight, self.loads, self.loads)
        return of_plays + np.eye(self.loads.shape[1])

    def log_likelihood(self, point: "Points", nodes: int | None = None) -> Floats:
        """Return the log likelihood of the plays at each point, with the skills of people integrated out."""
        offset, dimension = self.offset(point), self.loads.shape[1]
        z, root = self.mode(offset, point.tau)
        x, log_weight = _rule(nodes or NODES.get(dimension, 1), dimension)
        at = z + np.sqrt(2) * np.einsum("gde,ne->ngd", root, x)
        terms = self.log_joint(at, offset, point.tau) + log_weight[:, None]
        height: Floats = np.log(np.diagonal(root, axis1=1, axis2=2)).sum(axis=1)
        joint: Floats = special.logsumexp(terms, axis=0)
        return joint + height

    def draw(self, point: "Points", random: np.random.Generator) -> Floats:
        """Draw skills of the people: float64 [point, person].

        The draws come from Laplace's normal approximation, with importance resampling (Rubin 1988).
        """
        offset, dimension = self.offset(point), self.loads.shape[1]
        z, root = self.mode(offset, point.tau)
        noise = random.standard_normal((CANDIDATES, len(z), dimension))
        skills = z + np.einsum("gde,ngd->nge", root.transpose(0, 2, 1), noise)
        weight = self.log_joint(skills, offset, point.tau) + (noise**2).sum(axis=2) / 2
        chosen = (weight + random.gumbel(size=weight.shape)).argmax(axis=0)
        unseen = random.standard_normal((len(z), len(self.people) - dimension))
        both = np.hstack([skills[chosen, np.arange(len(z))], unseen])
        return point.mu[:, None] + point.tau[:, None] * (both @ self.rotation.T)


def _solve(curvature: Floats, slope: Floats) -> Floats:
    """Solve linear systems, those with one dimension by a division."""
    if slope.shape[1] == 1:
        return slope / curvature[:, 0]
    solution: Floats = np.linalg.solve(curvature, slope[..., None])[..., 0]
    return solution


def _root(curvature: Floats) -> Floats:
    """Return a matrix R for which R R^T is the inverse."""
    return curvature**-0.5 if curvature.shape[1] == 1 else np.linalg.cholesky(np.linalg.inv(curvature))


@cache
def _rule(nodes: int, dimension: int) -> tuple[Floats, Floats]:
    """Return the nodes of Gauss-Hermite quadrature, and the logarithms of their weights.

    Shapes: [node, dimension] and [node]. The weights are multiplied by e^(x^2), and normalised for a density.
    """
    x, weight = np.polynomial.hermite.hermgauss(nodes)
    grid = np.array(list(product(x, repeat=dimension)))
    logs = np.array(list(product(np.log(weight) - np.log(np.pi) / 2 + x**2, repeat=dimension)))
    return grid, logs.sum(axis=1)


def components_of(sessions: Sequence[TableResult]) -> list[Component]:
    """Return the groups of linked people, in order of their last session."""
    groups: list[tuple[set[str], list[TableResult]]] = []
    for session in sessions:
        present = set(session.people)
        linked = [group for group in groups if group[0] & present]
        groups = [group for group in groups if not group[0] & present]
        joined = [s for _, mine in linked for s in mine] + [session]
        groups.append((present.union(*(people for people, _ in linked)), joined))
    return [_component(sorted(people), mine) for people, mine in groups]


def _component(people: list[str], sessions: list[TableResult]) -> Component:
    """Return the component of linked people, in as few dimensions as possible.

    The dimensions must reproduce the skills of all tables. A table's skill is the mean skill of the people
    present.
    """
    present = np.array([[(name in s.people) / len(s.people) for name in people] for s in sessions])
    left, size, right = np.linalg.svd(present, full_matrices=True)
    rank = int((size > 1e-9).sum())
    columns = (np.array([getattr(s, name) for s in sessions]) for name in ("level", "plays", "wins", "first"))
    return Component(tuple(people), left[:, :rank] * size[:rank], right.T, *columns)


# ---------------------------------------------------------------- the posterior


@dataclass(frozen=True, eq=False)
class Points:
    """Values of the unknowns (mu, tau, slope, first), one row per point."""

    mu: Floats
    tau: Floats
    slope: Floats
    first: Floats
    ease: Floats  # [point, level]

    @classmethod
    def on_grid(cls, axes: Sequence[Floats], ease: Floats) -> "Points":
        """Return all combinations of the values on four axes.

        axes: values of mu, tau, slope and first. ease: ease of each level, in logits.
        """
        mu, tau, slope, first = (axis.ravel() for axis in np.meshgrid(*axes, indexing="ij"))
        return cls(mu, tau, slope, first, np.broadcast_to(ease, (len(mu), len(ease))))

    def log_prior(self, prior: Prior) -> Floats:
        log_density = -(((self.mu - prior.centre) / prior.spread) ** 2) / 2 - (self.tau / prior.tau) ** 2 / 2
        for value, spread in ((self.slope - 1, prior.slope), (self.first, prior.first)):
            log_density = log_density - (value / spread) ** 2 / 2 if spread else log_density
        return log_density


@dataclass(frozen=True, eq=False)
class Posterior:
    """Posterior of mu, tau, slope and first: weights on a grid, one row per replicate of the scale."""

    components: tuple[Component, ...]
    eases: Floats  # [replicate, level]
    points: Points
    weights: Floats  # [replicate, point]; each row adds up to 1

    @property
    def weight(self) -> Floats:
        """Array [point]: weights averaged over replicates."""
        mean: Floats = self.weights.mean(axis=0)
        return mean

    def interval(self, name: str, level: float = CREDIBLE) -> Interval:
        """Return the median and equal-tailed interval of `mu`, `tau`, `slope` or `first`."""
        values, where = np.unique(getattr(self.points, name), return_inverse=True)
        mass = np.bincount(where, weights=self.weight).astype(float)
        middle, low, high = _quantiles(values, mass, (0.5, (1 - level) / 2, (1 + level) / 2))
        return Interval(middle, low, high, level, METHOD)

    def mean(self, name: str) -> float:
        return float(getattr(self.points, name) @ self.weight)

    @cached_property
    def people(self) -> tuple[str, ...]:
        return tuple(name for component in self.components for name in component.people)

    def draw(self, seed: int = 1, draws: int = DRAWS) -> "Draws":
        """Return draws from the posterior; the same seed gives the same draws."""
        random = np.random.default_rng([seed, draws])
        replicate = np.arange(draws) % len(self.weights)
        below, shares = np.cumsum(self.weights, axis=1), random.random(draws)
        pairs = zip(replicate, shares, strict=True)
        at = np.array([np.searchsorted(below[row], u * below[row, -1]) for row, u in pairs])
        grid = self.points
        points = Points(grid.mu[at], grid.tau[at], grid.slope[at], grid.first[at], self.eases[replicate])
        skills = [component.draw(points, random) for component in self.components]
        known = np.hstack(skills) if skills else np.zeros((draws, 0))
        mu, tau = _between(points.mu, grid.mu, random), _between(points.tau, grid.tau, random)
        return Draws(self.people, replace(points, mu=mu, tau=np.abs(tau)), known)


def _between(values: Floats, axis: Floats, random: np.random.Generator) -> Floats:
    """Jitter points of a grid uniformly within their cells."""
    steps = np.diff(np.unique(axis))
    return values + (random.random(len(values)) - 0.5) * steps[0] if len(steps) else values


def _quantiles(values: Floats, mass: Floats, shares: Sequence[float]) -> list[float]:
    """Return quantiles of a density on an even grid, each value the middle of its cell."""
    if len(values) == 1:
        return [float(values[0])] * len(shares)
    step = values[1] - values[0]
    edges = np.append(values - step / 2, values[-1] + step / 2)
    below = np.append(0.0, np.cumsum(mass)) / mass.sum()
    return [float(np.interp(share, below, edges)) for share in shares]


def fit(sessions: Sequence[TableResult], eases: Floats, prior: Prior = SKILL) -> Posterior:
    """Fit the model and return its posterior.

    eases: array [replicate, level], ease of each level in logits.
    """
    eases = np.atleast_2d(np.asarray(eases, float))
    components = tuple(components_of(sessions))
    kinds: dict[tuple[tuple[int, ...], bytes | int], tuple[Component, int]] = {}
    for component in components:
        kinds[component.signature] = (component, kinds.get(component.signature, (component, 0))[1] + 1)
    likelihood = list(kinds.values())
    axes = _axes(likelihood, eases.mean(axis=0), prior)
    points = Points.on_grid(axes, eases[0])
    weights = [_weights(likelihood, Points.on_grid(axes, ease), prior) for ease in eases]
    return Posterior(components, eases, points, np.array(weights))


def _axes(kinds: list[tuple[Component, int]], ease: Floats, prior: Prior) -> list[Floats]:
    """Return the grid, placed around the posterior of mu from a coarse grid."""
    places, spreads, firsts = FINE if prior.is_fine else (PLACES, SPREADS, FIRSTS)
    tau = (np.arange(spreads) + 0.5) * WIDEST / spreads
    slope, first = (
        centre + spread * np.linspace(-2.5, 2.5, points) if spread else np.array([centre])
        for centre, spread, points in ((1.0, prior.slope, SLOPES), (0.0, prior.first, FIRSTS))
    )
    mu = prior.centre + prior.spread * np.linspace(-4, 4, 4 * PLACES)
    coarse = Points.on_grid([mu, tau[1::4], slope[::2], first[::2]], ease)
    weight = _weights(kinds, coarse, prior, nodes=1)
    middle, spread = _around(coarse.mu, weight, mu[1] - mu[0])
    if prior.is_fine:
        wide = middle + spread * np.linspace(-3, 3, places)
        coarse = Points.on_grid([wide, tau[1::4], slope[::2], first], ease)
        weight = _weights(kinds, coarse, prior, nodes=1)
        first = _laid(*_around(coarse.first, weight, first[1] - first[0]), firsts)
        middle, spread = _around(coarse.mu, weight, wide[1] - wide[0])
    return [_laid(middle, spread, places), tau, slope, first]


def _around(values: Floats, weight: Floats, step: float) -> tuple[float, float]:
    """Return the weighted mean and standard deviation.

    The standard deviation includes the width of a grid cell.
    """
    mean = float(values @ weight)
    return mean, float(np.sqrt(((values - mean) ** 2) @ weight + step**2 / 12))


def _laid(middle: float, spread: float, points: int) -> Floats:
    return middle + spread * np.linspace(-REACH, REACH, points)


def _weights(
    kinds: list[tuple[Component, int]], points: Points, prior: Prior, nodes: int | None = None
) -> Floats:
    log_density = points.log_prior(prior)
    for component, number in kinds:
        log_density = log_density + number * component.log_likelihood(points, nodes)
    weights: Floats = special.softmax(log_density)
    return weights


# ------------------------------------------------------------------------- predictions


@dataclass(frozen=True, eq=False)
class Draws:
    """Draws from the posterior: the unknowns, and each person's skill, an array [draw, person]."""

    people: tuple[str, ...]
    points: Points
    skills: Floats

    def skill(self) -> Floats:
        """Return an array [draw]: the mean skill of these people, each counted once."""
        mean: Floats = self.skills.mean(axis=1)
        return mean

    def tables(self, sessions: Sequence[TableResult]) -> Floats:
        """Return an array [draw, session]: the mean skill of the people who took part in each session."""
        where = {name: index for index, name in enumerate(self.people)}
        seats = ([where[name] for name in session.people] for session in sessions)
        return np.column_stack([self.skills[:, seated].mean(axis=1) for seated in seats])

    def chances(self, sessions: Sequence[TableResult]) -> Floats:
        """Return an array [draw, session]: the win probability."""
        at = [s.level for s in sessions]
        first = self.points.first[:, None] * np.array([s.first for s in sessions])
        chances: Floats = special.expit(self.tables(sessions) + self._ease(at) + first)
        return chances

    def of_these(self, level: int) -> Floats:
        """Return an array [draw]: win rate of these people, equally weighted, after their first play."""
        rates: Floats = special.expit(self.skills + self._ease([level])).mean(axis=1)
        return rates

    def of_a_new_tester(self, level: int) -> Floats:
        """Return an array [draw]: mean win rate of the population of testers."""
        x, weight = np.polynomial.hermite.hermgauss(20)
        skill = self.points.mu[:, None] + np.sqrt(2) * self.points.tau[:, None] * x
        rates: Floats = special.expit(skill + self._ease([level])) @ (weight / np.sqrt(np.pi))
        return rates

    def at_quantile(self, level: int, share: float) -> Floats:
        """Return an array [draw]: win rate of the tester at this quantile of skill."""
        skill = self.points.mu + float(special.ndtri(share)) * self.points.tau
        rates: Floats = special.expit(skill + self._ease([level])[:, 0])
        return rates

    def _ease(self, levels: Sequence[int]) -> Floats:
        return self.points.slope[:, None] * self.points.ease[:, list(levels)]


def interval_of(values: Floats) -> Interval:
    """Return the median and equal-tailed interval of draws."""
    middle, low, high = np.quantile(values, [0.5, (1 - CREDIBLE) / 2, (1 + CREDIBLE) / 2])
    return Interval(float(middle), float(low), float(high), CREDIBLE, f"posterior, {len(values):,} draws")


@dataclass(frozen=True)
class LeftOut:
    """Result at one level, with the prediction from the plays at all other levels."""

    level: int
    plays: int
    wins: int
    predicted: Interval  # predicted share of wins
    p: float  # two-sided mid-p of the observed wins

    @property
    def error(self) -> float:
        """Observed minus predicted share of wins."""
        return self.wins / self.plays - self.predicted.estimate


def leave_one_level_out(
    sessions: Sequence[TableResult], eases: Floats, prior: Prior = SKILL, seed: int = 1
) -> Iterator[LeftOut]:
    """Yield, for each level, the wins predicted from the plays at all other levels.

    Yields nothing with fewer than two levels.

    Omitted plays still count as earlier plays of their people.
    """
    levels = sorted({s.level for s in sessions if s.plays})
    for level in levels if len(levels) > 1 else []:
        hidden = [s for s in sessions if s.level == level]
        known = [TableResult(s.people, s.level, 0, 0, s.first) if s.level == level else s for s in sessions]
        chances = fit(known, eases, prior).draw(seed).chances(hidden)
        random = np.random.default_rng([seed, level])
        wins = random.binomial([s.plays for s in hidden], chances).sum(axis=1)
        plays, won = sum(s.plays for s in hidden), sum(s.wins for s in hidden)
        mean = float(wins.mean() / plays)
        yield LeftOut(level, plays, won, replace(interval_of(wins / plays), estimate=mean), mid_p(wins, won))


def mid_p(drawn: Floats | Ints, seen: float) -> float:
    """Return the two-sided mid-p of the observed value among the draws. The result is never 0."""
    size = max(float(np.abs(drawn).max(initial=0)), abs(seen))
    is_equal = np.abs(drawn - seen) <= ROUNDING * size  # also if fractions were added in another order
    below, equal = ((drawn < seen) & ~is_equal).sum(), is_equal.sum()
    tail = min(below, len(drawn) - below - equal) + equal / 2
    return float(min((2 * tail + 1) / (len(drawn) + 1), 1.0))
