"""Skill against difficulty on one scale.

The models are logit P(win) = skill - difficulty (Rasch 1960), and logit P(i beats j) = skill i - skill j
(Bradley & Terry 1952).

Both are logistic regressions of wins on the two opponents, fitted by maximum likelihood with Firth's penalty
(Firth 1993, Biometrika 80; Heinze & Schemper 2002). The penalty removes the first-order bias and keeps every
estimate finite if a cell has no wins, or only wins; with thousands of games its effect is negligible. A
player who won no game, or every game, has no place on the scale. As in Rasch practice (Wright & Stone 1979,
Best Test Design), such a player is omitted and listed below or above it. The search for such players is
repeated until none is left.

Cells share their random numbers game by game. Therefore intervals, residuals' errors and tests come from a
bootstrap over blocks of game numbers, the same blocks in every cell (Efron & Tibshirani 1993); a chi-square
over cells treated as independent would be too lenient. Cells with fewer than 10 expected wins or losses are
left out of the test of the whole fit.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import inf

import numpy as np

from bartizan.analyses.statistics import special
from bartizan.analyses.statistics.intervals import FEW, NO_LIMITS, Interval
from bartizan.simcore.arrays import Floats, Ints
from bartizan.simcore.errors import UsageError
from bartizan.simcore.reporting import CONFIDENCE

BLOCKS = 500
REPLICATES = 1000
STEPS, LONGEST, NEAR = 60, 2.0, 1e-8  # Newton's method: maximum number of steps, longest step, tolerance
METHOD = "bootstrap over blocks of games, percentile"

Entity = tuple[str, str]  # kind ("policy", "opponent", "level", "seat") and name


@dataclass(frozen=True, eq=False)
class Contest:
    """One pairing simulated many times.

    `won` has one value per game number: 1 won, 0 not, a fraction for a draw if draws are shared, nan for a
    truncated game.
    """

    terms: Mapping[Entity, float]  # +1 for entities that help to win, -1 for their opponents
    won: Floats
    offset: float = 0.0  # logit of a win when all are equal
    # block of each game, below BLOCKS, in all contests or in none; None: by the positions of the games
    block: Ints | None = None

    @cached_property
    def games(self) -> int:
        return int((~np.isnan(self.won)).sum())

    @cached_property
    def wins(self) -> float:
        return float(np.nansum(self.won))


class UndeterminedScaleError(UsageError):
    """Games that do not determine the places of all players and levels."""

    def __init__(self) -> None:
        super().__init__(
            "these games do not determine the places of all policies, seats and levels on one scale: a "
            "policy plays in only one seat, or too few games of a pairing end; add games, or leave out "
            "policies and levels whose games are truncated"
        )


@dataclass(frozen=True)
class Off:
    """A player or level without a place on the scale."""

    entity: Entity
    above: bool  # True: won everything; False: won nothing


@dataclass(frozen=True, eq=False)
class Fit:
    """Places on the scale, in logits. `replicates` are the places in resampled games."""

    entities: tuple[Entity, ...]  # on the scale, anchors included
    anchors: tuple[Entity, ...]  # at 0 by definition
    values: Floats
    replicates: Floats  # [replicate, entity]
    cells: tuple[Contest, ...]  # fitted cells
    off: tuple[Off, ...]
    expected: Floats  # share of wins predicted by the model, by cell
    residuals: Floats  # wins - expected wins, by cell
    errors: Floats  # standard error of each residual; nan if the residual is 0 by construction
    # test that the model fits, over all cells with enough wins and losses: Hotelling's F
    statistic: float | None
    freedom: tuple[int, int]
    p: float | None
    deviance: float  # likelihood ratio against a model with a separate probability for every cell

    def value(self, entity: Entity) -> float:
        return float(self.values[self.entities.index(entity)])

    def resampled(self, entity: Entity) -> Floats:
        return self.replicates[:, self.entities.index(entity)]

    def interval(self, entity: Entity, other: Entity | None = None) -> Interval:
        """Return the interval of a place, or of a difference of places. For an anchor, it has zero width."""
        value, values = self.value(entity), self.resampled(entity)
        if other:
            value, values = value - self.value(other), values - self.resampled(other)
        if {entity, other} <= {*self.anchors, None}:
            return Interval(value, value, value, CONFIDENCE, METHOD)
        return percentile(value, values)

    @property
    def scores(self) -> Floats:
        """Residuals in units of their standard errors."""
        return self.residuals / self.errors


def percentile(value: float, replicates: Floats) -> Interval:
    """Return a percentile interval, without limits if all replicates are equal.

    For example, if A always beats B, the games give no information about the precision.
    """
    if np.ptp(replicates) <= NEAR:
        return Interval(value, -inf, inf, CONFIDENCE, f"{NO_LIMITS}: no resample differs")
    low, high = np.quantile(replicates, [(1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2])
    return Interval(value, min(float(low), value), max(float(high), value), CONFIDENCE, METHOD)


def fit(
    cells: Sequence[Contest], anchors: Iterable[Entity], seed: int = 1, replicates: int = REPLICATES
) -> Fit:
    """Return the places of all entities in `cells`, and the entities without a place.

    anchors: entities at 0 by definition. For each kind, the first anchor that is on the scale is used. Raises
    UndeterminedScaleError if the cells, or a resample of their games, do not determine all places.
    """
    kept, off = on_the_scale(cells)
    entities = tuple(dict.fromkeys(entity for cell in kept for entity in cell.terms))
    first = {kind: (kind, name) for kind, name in reversed([a for a in anchors if a in entities])}
    fixed = tuple(first.values())
    free = [entity for entity in entities if entity not in fixed]
    design = np.array([[cell.terms.get(entity, 0.0) for entity in free] for cell in kept])
    design = design.reshape(len(kept), len(free))
    if free and np.linalg.matrix_rank(design) < len(free):
        raise UndeterminedScaleError
    offset = np.array([cell.offset for cell in kept])
    wins, games = blocked(kept)
    weights = resampling(wins.shape[1], replicates, seed)
    all_wins, all_games = (np.vstack([of.sum(axis=1), weights @ of.T]) for of in (wins, games))
    try:
        coefficients = penalised(design, offset, all_wins, all_games)
    except np.linalg.LinAlgError as error:  # a resample without games of a cell
        raise UndeterminedScaleError from error
    shares = special.expit(coefficients @ design.T + offset)
    residuals = all_wins - all_games * shares
    places = np.zeros((len(coefficients), len(entities)))
    places[:, [entities.index(entity) for entity in free]] = coefficients
    spread = np.sqrt(all_games[0] * shares[0] * (1 - shares[0]))
    # the bootstrap cannot produce unobserved wins, so the binomial variance is used there
    few = all_games[0] * np.minimum(shares[0], 1 - shares[0]) < FEW
    errors = np.where(few, spread, residuals[1:].std(axis=0, ddof=1))
    errors = np.where(errors > 0.02 * spread, errors, np.nan)
    freedom = _freedom(((all_wins - all_games * shares[0])[1:] / spread)[:, ~few], design[~few])
    test = hotelling_t2(
        (residuals[0] / spread)[~few], (residuals[1:] / spread)[:, ~few], freedom, wins.shape[1]
    )
    deviance = _deviance(all_wins[0], all_games[0], shares[0])
    scale = entities, fixed, places[0], places[1:], tuple(kept), tuple(off)
    return Fit(*scale, shares[0], residuals[0], errors, *test, deviance)


def _freedom(draws: Floats, design: Floats) -> int:
    """Return the degrees of freedom of the test of fit: cells minus fitted parameters.

    Cells count once if their games are identical, as those of two policies that always act alike.

    draws: array [replicate, cell], resampled wins minus their expected number.
    """
    if not design.size:
        return int(draws.shape[1])
    values, vectors = np.linalg.eigh(np.cov(draws, rowvar=False).reshape(2 * draws.shape[1:]))
    varying = vectors[:, values > NEAR * values[-1]]
    return int(varying.shape[1] - np.linalg.matrix_rank(varying.T @ design)) if varying.size else 0


def on_the_scale(cells: Sequence[Contest]) -> tuple[list[Contest], list[Off]]:
    """Return the cells without the players and levels that won nothing or everything, and a list of these.

    Cells without games are also left out. Removal is repeated until no such player or level is left.
    """
    kept, off = [cell for cell in cells if cell.games], []
    while extremes := list(_extremes(kept)):
        off += extremes
        gone = {one.entity for one in extremes}
        kept = [cell for cell in kept if not gone & set(cell.terms)]
    return kept, off


def _extremes(cells: Sequence[Contest]) -> Iterable[Off]:
    for entity in dict.fromkeys(entity for cell in cells for entity in cell.terms if entity[0] != "seat"):
        mine = [
            (cell.wins if cell.terms[entity] > 0 else cell.games - cell.wins, cell.games)
            for cell in cells
            if entity in cell.terms
        ]
        wins, games = (sum(column) for column in zip(*mine, strict=True))
        if wins in (0, games):
            yield Off(entity, wins > 0)


def blocked(cells: Sequence[Contest]) -> tuple[Floats, Floats]:
    """Return wins and games, arrays [cell, block]. A block has the same game numbers in every cell."""
    length = max((len(cell.won) for cell in cells), default=1)
    blocks = min(length, BLOCKS)
    place = [np.arange(length) * blocks // length for _ in cells]
    if given := [cell.block for cell in cells if cell.block is not None]:
        used = np.unique(np.concatenate([np.unique(block) for block in given]))
        place, blocks = [np.searchsorted(used, block) for block in given], len(used)
    wins = [np.bincount(of, np.nan_to_num(cell.won), blocks) for of, cell in zip(place, cells, strict=True)]
    games = [np.bincount(of, ~np.isnan(cell.won), blocks) for of, cell in zip(place, cells, strict=True)]
    shape = (len(cells), blocks)
    return np.array(wins, float).reshape(shape), np.array(games, float).reshape(shape)


def resampling(blocks: int, replicates: int, seed: int) -> Floats:
    """Return the number of draws of each block, one row per replicate."""
    luck = np.random.default_rng([seed, blocks])
    return luck.multinomial(blocks, np.full(blocks, 1 / blocks), replicates).astype(float)


def penalised(design: Floats, offset: Floats, wins: Floats, games: Floats) -> Floats:
    """Return the coefficients that maximise the likelihood times Jeffreys' prior: float64 [set, column].

    wins, games: arrays [set, cell]. All sets are solved at once by Newton's method.
    """
    coefficients = np.zeros((len(wins), design.shape[1]))
    if not design.shape[1]:
        return coefficients
    for _ in range(STEPS):
        share = special.expit(coefficients @ design.T + offset)
        weight = games * share * (1 - share)
        spread = np.linalg.inv(np.einsum("rc,cp,cq->rpq", weight, design, design, optimize=True))
        leverage = weight * np.einsum("cp,rpq,cq->rc", design, spread, design, optimize=True)
        score = (wins - games * share + leverage * (0.5 - share)) @ design
        step = np.einsum("rpq,rq->rp", spread, score)
        step *= np.minimum(LONGEST / np.maximum(np.abs(step).max(axis=1, keepdims=True), 1e-300), 1.0)
        coefficients += step
        if np.abs(step).max() < NEAR:
            break
    return coefficients


def hotelling_t2(
    values_at_zero: Floats, replicates: Floats, freedom: int, blocks: int
) -> tuple[float | None, tuple[int, int], float | None]:
    """Test whether a vector of statistics has mean zero, by Hotelling's T-squared.

    The test uses the `freedom` principal directions of the replicates with the largest variance, without
    directions that do not vary.

    values_at_zero: the observed vector. replicates: array [replicate, statistic], for the covariance. blocks:
    number of independent blocks of games. Returns F, its degrees of freedom, and p. F and p are None if
    `freedom` is below 1, if `blocks` is below 2 * freedom + 10, or if no direction varies.
    """
    if freedom < 1 or blocks < 2 * freedom + 10:
        return None, (max(freedom, 0), max(blocks - freedom, 0)), None
    values, vectors = np.linalg.eigh(np.cov(replicates, rowvar=False).reshape(len(values_at_zero), -1))
    freedom = min(freedom, int((values > NEAR * values[-1]).sum()))
    if freedom == 0:
        return None, (0, blocks), None
    across = vectors[:, -freedom:].T @ values_at_zero
    squared = float((across**2 / values[-freedom:]).sum())
    statistic = squared * (blocks - freedom) / (freedom * (blocks - 1))
    return statistic, (freedom, blocks - freedom), float(special.fdtrc(freedom, blocks - freedom, statistic))


def _deviance(wins: Floats, games: Floats, share: Floats) -> float:
    lost = games - wins
    gained = (
        special.xlogy(wins, wins / games)
        + special.xlogy(lost, lost / games)
        - special.xlogy(wins, share)
        - special.xlog1py(lost, -share)
    )
    return float(2 * gained.sum())
