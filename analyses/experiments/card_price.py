"""Is a card worth its price? The value of each kind (`card_value`) against the cards it costs: a line by
weighted least squares, and how far each kind lies from it.

value = a + b cost, weights 1 / se^2. All values share their games, the luck in them and the card they are
compared with, so they are not independent: residual and line are linear in the values, and their standard
errors come from what each game adds to them (linearisation; Cochran 1977, Sampling Techniques). What all
kinds share cancels. The kinds are those of the deck, not a sample of kinds: the intervals speak of the luck
of the games only. The claims of one table are adjusted by Holm (1979).
"""

from collections import Counter

import numpy as np
from scipy import special

from bartizan.analyses.document import Document
from bartizan.analyses.experiments.card_value import reaching
from bartizan.analyses.statistics.intervals import CONFIDENCE, Interval
from bartizan.analyses.statistics.multiple_testing import holm
from bartizan.analyses.statistics.paired import ALL_ALIKE, Estimate
from bartizan.simcore.compile.rules import NOT_THERE, TRUNCATED

METHOD = (
    "weighted least squares, value = a + b cost, weights 1 / se^2; standard errors from what each game adds "
    "(linearised), Student's t; "
    "p adjusted for all cards (Holm 1979); a game cut off counts as half a win"
)
CLEAR = 0.05  # of the adjusted p
ROUNDING = 1e-9  # of the largest error of a value: less is rounding


class PricedCard(Document):
    """One kind of card beside the line."""

    card: str
    cost: int
    value: float
    residual: Interval  # value less what the line gives for its cost
    se: float | None
    p: float
    p_adjusted: float  # Holm
    verdict: str  # `cheap`: worth more than its price; `dear`; "" where it cannot be told


class Prices(Document):
    """Cheapest for its price first."""

    at_cost_0: Interval  # of the line
    each_card_of_cost: Interval  # its slope
    p: float  # of the slope
    cards: list[PricedCard]
    why_not: str = ""
    method: str = METHOD


class NoPrices(Document):
    why_not: str  # no line can be drawn


def card_prices(
    outcomes: np.ndarray, seat: int, kinds: dict[int, str], costs: dict[int, int], against: int | None = None
) -> Prices | NoPrices:
    """outcomes, against: as for `card_values`; costs: kind -> cards, for the kinds that have a cost."""
    reached = reaching(outcomes)
    wins = np.where(reached == TRUNCATED, 0.5, reached == seat)
    had = reached != NOT_THERE
    columns = dict(zip(kinds, range(1, len(kinds) + 1), strict=True))
    base = 0 if against is None else columns[against]
    both = {kind: had[:, base] & had[:, columns[kind]] for kind in kinds if kind in costs}
    priced = [kind for kind, games in both.items() if games.any()]
    why_not = _too_alike({kinds[kind]: costs[kind] for kind in priced})
    if why_not:
        return NoPrices(why_not=why_not)
    gains = np.column_stack(
        [np.where(both[kind], wins[:, columns[kind]] - wins[:, base], 0.0) for kind in priced]
    )
    values, added = means_and_errors(gains, np.column_stack([both[kind] for kind in priced]))
    cost = np.array([costs[kind] for kind in priced], np.float64)
    to_line = line_weights(cost, (added**2).sum(axis=0))
    to_rest = np.eye(len(priced)) - np.column_stack([np.ones_like(cost), cost]) @ to_line
    start, slope = _estimates(to_line, values, added)
    rest = _estimates(to_rest, values, added)
    adjusted = holm([residual.p for residual in rest])
    cards = [
        PricedCard(
            card=kinds[kind],
            cost=costs[kind],
            value=float(value),
            residual=residual.interval,
            se=residual.se,
            p=residual.p,
            p_adjusted=p,
            verdict=_verdict(residual, p),
        )
        for kind, value, residual, p in zip(priced, values, rest, adjusted, strict=True)
    ]
    return Prices(
        at_cost_0=start.interval,
        each_card_of_cost=slope.interval,
        p=slope.p,
        cards=sorted(cards, key=lambda card: -card.residual.estimate),
    )


def _verdict(residual: Estimate, adjusted: float) -> str:
    if adjusted >= CLEAR:
        return ""
    return "cheap" if residual.interval.estimate > 0 else "dear"


def _too_alike(costs: dict[str, int]) -> str:
    """Why no line can be drawn through these costs, or ""."""
    if not costs:
        return "no card with a cost could be had"
    ((commonest, _), *_) = Counter(costs.values()).most_common(1)
    others = [name for name, cost in costs.items() if cost != commonest]
    if not others:
        return f"the costs do not vary: every card costs {commonest}"
    if len(others) == 1:
        return f"the costs do not vary enough: every card but {others[0]} costs {commonest}"
    return ""


def means_and_errors(gains: np.ndarray, had: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Mean of each column over the games that have it, and what each game adds to its error.

    gains, and what is added: float64 [game, kind], 0 where not `had`. A game adds (gain - mean) / n, so all
    games together, those without a value too, give the error of every linear function of the means
    (linearisation): the root of the sum of squares. No covariance matrix: in its squares what all kinds share
    cancels to half the digits only, to 1e-10 or to 0 as the processor rounds.
    """
    n = had.sum(axis=0)
    means = gains.sum(axis=0) / n
    games = len(gains)
    return means, np.where(had, gains - means, 0.0) / n * np.sqrt(games / max(games - 1, 1))


def line_weights(cost: np.ndarray, variance: np.ndarray) -> np.ndarray:
    """Float64 [2, kind] that makes (a, b) of the line out of the values.

    A value without variance weighs as much as the surest of the others.
    """
    least = variance[variance > 0].min(initial=np.inf)
    weights = np.ones_like(cost) if least == np.inf else least / np.maximum(variance, least)
    design = np.column_stack([np.ones_like(cost), cost])
    return np.linalg.solve(design.T @ (design * weights[:, None]), design.T * weights)


def _estimates(weights: np.ndarray, values: np.ndarray, added: np.ndarray) -> list[Estimate]:
    """Linear functions of the values: a row of `weights` each."""
    games, tiny = len(added), ROUNDING * float(np.linalg.norm(added, axis=0).max())
    estimates, errors = weights @ values, np.linalg.norm(added @ weights.T, axis=0)
    both = zip(estimates.tolist(), errors.tolist(), strict=True)
    return [_estimate(estimate, error, tiny, games) for estimate, error in both]


def _estimate(value: float, se: float, tiny: float, games: int) -> Estimate:
    """tiny: an error or a value so small is rounding."""
    if games < 2 or se <= tiny:
        p = float(abs(value) <= max(tiny, ROUNDING))
        return Estimate(Interval(value, value, value, CONFIDENCE, ALL_ALIKE), None, games, p)
    reach = float(special.stdtrit(games - 1, (1 + CONFIDENCE) / 2)) * se
    p = 2 * float(special.stdtr(games - 1, -abs(value) / se))
    return Estimate(Interval(value, value - reach, value + reach, CONFIDENCE, "Student t"), se, games, p)
