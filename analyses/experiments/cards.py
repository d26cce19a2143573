"""Value, price and use of cards.

The value of a card is the effect of an intervention, not the win rate of its owners, because owners who win
may also have been lucky in other ways (restricted play: Jaffe et al. 2012). Each game is simulated once up to
the decision point, and from there with every kind of card on common random numbers, so the results are
paired. Truncated games give bounds. The p-values of one table are adjusted (Holm 1979).

Price: value = a + b cost, by least squares with weights 1 / se^2. All values share their games, the random
numbers and the card they are compared with, so they are not independent. The residuals and the line are
linear in the values, and their standard errors follow from the contribution of each game (linearisation;
Cochran 1977, Sampling Techniques). Terms shared by all kinds cancel. The kinds are the whole deck, not a
sample of kinds, so the intervals include only the sampling error of the games.

Use: copies in one game are not independent. The share is a ratio of two sums over games (copies used, copies
received), with the linearised standard error of a ratio (Cochran 1977, Sampling Techniques, 6.4). It gives
the effective number of independent copies, p (1 - p) / se^2. The interval is Wilson's for this number. If the
use occurs in few games, or fails to occur in few, the interval is Clopper-Pearson's for at most the actual
number of copies (Korn & Graubard 1998, Survey Methodology 24). If no copy, or every copy, is used in this
way, the correlation of copies in a game is unknown, so each game counts as one copy.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from math import sqrt
from typing import Self

import numpy as np
import polars as pl

from bartizan.analyses.document import Document, optional
from bartizan.analyses.statistics import special
from bartizan.analyses.statistics.intervals import (
    FEW,
    Interval,
    clopper_pearson,
    equal_values,
    student_t,
    wilson,
    with_truncated,
)
from bartizan.analyses.statistics.paired import Effect, Estimate, Measure, compare
from bartizan.analyses.statistics.testing import ALPHA, holm, jointly
from bartizan.simcore.arrays import Bools, Ints
from bartizan.simcore.compile.rules import NO_CARD, NOBODY, NOT_THERE, TRUNCATED
from bartizan.simcore.reporting import CONFIDENCE

# ------------------------------------ value: result with the card in hand minus result with the card as dealt

AS_DEALT = "as dealt"
VALUE_METHOD = (
    "intervention on common random numbers, not a conditional win rate (Jaffe et al. 2012); game by game, "
    "Student's t, or exact tails (Blaker 2000) if fewer than 100 games differ; p adjusted for all cards "
    "(Holm 1979)"
)
VALUE_RESTS_ON = (
    "A card's value is that of one exchange: the card just drawn changes places with a random card of that "
    "kind in the draw pile; all other cards stay in place. The value depends on these policies; better "
    "players may gain more from the card"
)


class CardValue(Document):
    """Comparison of one kind of card with the base, over the games in which both are possible."""

    card: str
    pairs: int  # games
    wins: Interval  # of the seat with this card
    base_wins: Interval
    value: Interval  # wins with this card minus wins with the base
    # the same, with an interval that is simultaneous over all cards; absent from earlier documents
    joint: Interval | None = optional()
    se: float | None
    p: float
    p_adjusted: float  # Holm
    pairing_factor: float | None
    differing: Interval  # share of games that end differently
    capped: int  # truncated games with this card, plus those with the base


class CardValues(Document):
    """Values of all kinds, best first."""

    against: str  # AS_DEALT, or the card that all others are compared with
    games: int
    reached: int  # games in which the seat drew a card of the requested number
    capped: int  # of these, truncated with the card as dealt
    as_dealt: Interval | None  # wins of the seat in the games reached; None: no game reached
    cards: list[CardValue]
    never_there: list[str]  # kinds that were never available
    by: str = "wins"  # compared number; `score` if nobody or everybody wins as dealt
    method: str = VALUE_METHOD


def card_values(
    outcomes: np.ndarray,
    seat: int,
    kinds: dict[int, str],
    against: int | None = None,
    families: int = 1,
    scores: np.ndarray | None = None,
) -> CardValues:
    """Return the values of all kinds.

    outcomes: int8 [game, 1 + kind], the joined chunks of `simcore.play.cards.Interventions.play`. against:
    the kind to compare with, instead of the card as dealt. families: see `testing.holm`. scores: array of the
    same shape as `outcomes`; if given, scores are compared instead of wins.
    """
    reached = reaching(outcomes)
    points = outcomes if scores is None else scores[is_reaching(outcomes)]
    columns = dict(zip(kinds, range(1, len(kinds) + 1), strict=True))
    base = 0 if against is None else columns[against]
    compared = [kind for kind in kinds if kind != against]
    pairs = {kind: _playable(reached[:, base], reached[:, columns[kind]]) for kind in compared}
    had = [kind for kind in compared if len(pairs[kind][0])]
    effects = [
        effect_on_wins(*pairs[kind], seat, kinds[kind])
        if scores is None
        else effect_on_number(
            *_both(reached[:, base], reached[:, columns[kind]], points[:, base], points[:, columns[kind]])
        )
        for kind in had
    ]
    adjusted = holm([effect.difference.p for effect in effects], families)
    cards = [
        _card_value(
            kinds[kind],
            effect,
            p,
            jointly(effect.at, len(had), families) if effect.at else None,
            *pairs[kind],
            seat,
        )
        for kind, effect, p in zip(had, effects, adjusted, strict=True)
    ]
    dealt = reached[:, 0]
    return CardValues(
        against=AS_DEALT if against is None else kinds[against],
        games=len(outcomes),
        reached=len(reached),
        capped=_truncated(dealt),
        as_dealt=_win_share(dealt, seat) if len(dealt) else None,
        cards=sorted(cards, key=lambda card: -card.value.estimate),
        never_there=[kinds[kind] for kind in compared if kind not in had],
        by="wins" if scores is None else "score",
    )


def reaching(outcomes: Ints) -> Ints:
    """Return the rows of the games that reach the decision point.

    In these games, the seat draws its card of the requested number.
    """
    return outcomes[is_reaching(outcomes)]


def is_reaching(outcomes: Ints) -> Bools:
    reaches: Bools = (outcomes[:, 1:] != NO_CARD).all(axis=1)
    return reaches


def _playable(base: np.ndarray, changed: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return _both(base, changed, base, changed)


def _both(
    base: np.ndarray, changed: np.ndarray, of_base: np.ndarray, of_changed: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return `of_base` and `of_changed` for the games in which both cards were available."""
    both = (base != NOT_THERE) & (changed != NOT_THERE)
    return of_base[both], of_changed[both]


def effect_on_number(base: np.ndarray, changed: np.ndarray, name: str = "score", cut: int = 0) -> Effect:
    """Return the effect on an unbounded number.

    base, changed: values of the number in paired games. cut: number of truncated games.
    """
    number = pl.col(name)
    before, after = (pl.LazyFrame({"game": np.arange(len(one)), name: one}) for one in (base, changed))
    (effect,) = compare(before, after, [Measure("column", name, number, number)], cut)
    return effect


def effect_on_wins(
    base: np.ndarray, changed: np.ndarray, seat: int, name: str, of: str = "card", draw: float = 0.0
) -> Effect:
    """Return the effect of a change on the wins of `seat`.

    base, changed: winners of paired games, without and with the change. of, name: kind and name of the
    measure. draw: value of a draw, as a fraction of a win. A truncated game may count as a loss or as a win.
    """
    winner = pl.col("winner")
    low = (winner == seat).cast(pl.Float64) + draw * (winner == NOBODY).cast(pl.Float64)
    high = pl.when(winner == TRUNCATED).then(1.0).otherwise(low)
    measure = Measure(of, name, low, high, (0.0, 1.0))
    (effect,) = compare(_winners(base), _winners(changed), [measure], _truncated(base) + _truncated(changed))
    return effect


def _card_value(
    name: str,
    effect: Effect,
    adjusted: float,
    joint: Interval | None,
    base: np.ndarray,
    changed: np.ndarray,
    seat: int,
) -> CardValue:
    difference = effect.difference
    return CardValue(
        card=name,
        pairs=effect.n,
        wins=_win_share(changed, seat),
        base_wins=_win_share(base, seat),
        value=difference.interval,
        joint=joint,
        se=difference.se,
        p=difference.p,
        p_adjusted=adjusted,
        pairing_factor=effect.factor,
        differing=effect.differing,
        capped=_truncated(base) + _truncated(changed),
    )


def _truncated(winners: np.ndarray) -> int:
    return int((winners == TRUNCATED).sum())


def _winners(winners: np.ndarray) -> pl.LazyFrame:
    return pl.LazyFrame({"game": np.arange(len(winners)), "winner": winners.astype(np.int64)})


def _win_share(winners: np.ndarray, seat: int) -> Interval:
    return with_truncated(int((winners == seat).sum()), _truncated(winners), len(winners))


def not_told_from_best(outcomes: np.ndarray, seat: int, kinds: dict[int, str], best: str) -> list[str]:
    """Return the kinds that are not significantly worse than the best kind.

    The best kind was selected on these data, so the limit accounts for all pairwise comparisons (Bonferroni).
    """
    (kind,) = (kind for kind, name in kinds.items() if name == best)
    pairs = len(kinds) * (len(kinds) - 1) / 2
    others = card_values(outcomes, seat, kinds, kind).cards
    return [card.card for card in others if card.p * pairs >= 1 - CONFIDENCE]


# ---------------------------------------------------------------- price: value against cost

PRICE_METHOD = (
    "weighted least squares, value = a + b cost, weights 1 / se^2; linearised standard errors, Student's t; "
    "p adjusted for all cards (Holm 1979); a truncated game counts as half a win"
)
ROUNDING = 1e-9  # fraction of the largest error of a value, below which a number is rounding error


class PricedCard(Document):
    """One kind of card and its distance from the fitted line."""

    card: str
    cost: int | float
    value: float
    residual: Interval  # value minus the value of the line at its cost
    se: float | None
    p: float
    p_adjusted: float  # Holm
    verdict: str  # `cheap`: value above its price; `dear`: below; "" if not significant


class Prices(Document):
    """Prices of all kinds, the most underpriced first."""

    at_cost_0: Interval  # of the line
    each_card_of_cost: Interval  # its slope
    p: float  # of the slope
    p_adjusted: float | None = None  # Holm, with the cards; None in documents of earlier versions
    cards: list[PricedCard]
    unit: str = ""  # name of the column of costs; "": cards of the hand
    why_not: str = ""
    method: str = PRICE_METHOD


class NoPrices(Document):
    why_not: str  # reason why no line can be fitted


def card_prices(
    outcomes: np.ndarray,
    seat: int,
    kinds: dict[int, str],
    costs: dict[int, float],
    against: int | None = None,
    families: int = 1,
) -> Prices | NoPrices:
    """Fit the line of value against cost. Returns NoPrices if the costs determine no line.

    outcomes, against, families: see `card_values`. costs: maps each kind that has a cost to its cost.
    """
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
    fewest = min(int(games.sum()) for games in both.values() if games.any())
    start, slope = _estimates(to_line, values, added, fewest)
    rest = _estimates(to_rest, values, added, fewest)
    of_slope, *adjusted = holm([slope.p, *(residual.p for residual in rest)], families)
    cards = [
        PricedCard(
            card=kinds[kind],
            cost=costs[kind],
            value=float(value),
            residual=residual.interval,
            se=residual.se,
            p=residual.p,
            p_adjusted=p,
            verdict="" if p >= ALPHA else "cheap" if residual.interval.estimate > 0 else "dear",
        )
        for kind, value, residual, p in zip(priced, values, rest, adjusted, strict=True)
    ]
    return Prices(
        at_cost_0=start.interval,
        each_card_of_cost=slope.interval,
        p=slope.p,
        p_adjusted=of_slope,
        cards=sorted(cards, key=lambda card: -card.residual.estimate),
    )


def _too_alike(costs: dict[str, float]) -> str:
    """Return the reason why no line can be fitted to these costs, or ""."""
    if not costs:
        return "no card with a cost was available"
    ((commonest, _), *_) = Counter(costs.values()).most_common(1)
    others = [name for name, cost in costs.items() if cost != commonest]
    if not others:
        return f"the costs do not vary: every card costs {commonest}"
    if len(others) == 1:
        return f"the costs do not vary enough: every card but {others[0]} costs {commonest}"
    return ""


def means_and_errors(gains: np.ndarray, had: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the mean of each column, and the contribution of each game to the error of the mean.

    Both cover only the games that have a value.

    gains, and the contributions: float64 [game, kind], 0 where not `had`. The contribution of a game is (gain
    - mean) / n times sqrt(G / (G - 1)) for G games in all, or 0 without a value. For every linear function of
    the means, the standard error is the root of the sum of squared contributions over all games
    (linearisation). A covariance matrix is not used, because terms shared by all kinds would cancel only to
    half of the digits.
    """
    n = had.sum(axis=0)
    means = gains.sum(axis=0) / n
    games = len(gains)
    return means, np.where(had, gains - means, 0.0) / n * np.sqrt(games / max(games - 1, 1))


def line_weights(cost: np.ndarray, variance: np.ndarray) -> np.ndarray:
    """Return the least-squares matrix, float64 [2, kind].

    Its product with the values is the intercept a and the slope b of the fitted line.

    In the fit, a value without variance has the weight of the most precise other value.
    """
    least = variance[variance > 0].min(initial=np.inf)
    weights = np.ones_like(cost) if least == np.inf else least / np.maximum(variance, least)
    design = np.column_stack([np.ones_like(cost), cost])
    return np.linalg.solve(design.T @ (design * weights[:, None]), design.T * weights)


def _estimates(weights: np.ndarray, values: np.ndarray, added: np.ndarray, fewest: int) -> list[Estimate]:
    """Return the estimate of each linear function of the values; each row of `weights` is one function.

    fewest: number of games in which the rarest card was available. If no two games differ, the interval comes
    from `equal_values`, because a gain is between -1 and 1, and each unseen difference changes the function
    by a limited amount. p is then the smallest alpha whose interval excludes 0.
    """
    # an error or a value as small as `tiny` is rounding
    games, tiny = len(added), ROUNDING * float(np.linalg.norm(added, axis=0).max())
    results, errors = weights @ values, np.linalg.norm(added @ weights.T, axis=0)
    estimates = []
    reaches = np.abs(weights) @ (1 + np.abs(values))
    for value, se, reach in zip(results.tolist(), errors.tolist(), reaches.tolist(), strict=True):
        if games < 2 or se <= tiny:
            p = max(1 - abs(value) / reach, 0.0) ** fewest if reach else 1.0
            same = equal_values(value, fewest, reach, reach)
            estimates.append(Estimate(same, None, games, p))
        else:
            p = 2 * float(special.stdtr(games - 1, -abs(value) / se))
            estimates.append(Estimate(student_t(value, se, games), se, games, p))
    return estimates


# ------------------------------------------------ use: share of the copies in hand that were used in each way

DEAD_BELOW = 0.05
USE_METHOD = (
    "shares of the copies that were in a hand, over all seats; ratio estimator, linearised standard error "
    "over games (Cochran 1977); Wilson's interval of the effective number of copies, or Clopper-Pearson's if "
    "few games show the use or lack it (Korn & Graubard 1998); intervals are not simultaneous"
)
USE_RESTS_ON = "Card use depends on these policies: a card that they rarely use may be good for other players"


class UseShare(Document):
    """Number of copies that were used in one way, and their share of the copies that were in a hand."""

    use: str | None = optional()  # None: all uses that the card is printed for, combined
    copies: int
    share: Interval
    se: float | None  # linearised; None for a single game


class KindUsage(Document):
    """Usage of one kind of card over all games."""

    card: str
    copies: int  # that came into a hand
    games: int  # games in which a copy came into a hand
    uses: list[UseShare]
    printed_for: list[str]
    as_printed: UseShare
    dead: bool


class CardUsageResult(Document):
    """Usage of all kinds, in deck order."""

    games: int
    uses: list[str]
    method: str = USE_METHOD
    dead_below: float = DEAD_BELOW
    dead: list[str]
    cards: list[KindUsage]
    never_there: list[str]  # kinds that never came into a hand

    def without_idle_uses(self) -> Self:
        """Return the result without uses that never occurred."""
        ended = {use.use for card in self.cards for use in card.uses if use.copies}
        uses = [use for use in self.uses if use in ended]
        kept = [
            card.model_copy(
                update={
                    "uses": [use for use in card.uses if use.use in ended],
                    "printed_for": [use for use in card.printed_for if use in ended] or card.printed_for[:1],
                }
            )
            for card in self.cards
        ]
        return self.model_copy(update={"uses": uses, "cards": kept})


class Sums:
    """Sums over games. They are exact, and do not depend on the order of the chunks.

    Arrays are int64 [kind, column]. For `card_usage`, there is one column per use, and the last column is for
    the printed use of the card.
    """

    def __init__(self, kinds: int, columns: int):
        self.games = 0
        # [kind, 1]: copies, their squares, games with a copy in a hand
        self.came, self.came_squared, self.with_it = np.zeros((3, kinds, 1), np.int64)
        self.used, self.used_squared, self.product = np.zeros((3, kinds, columns), np.int64)
        # games with a copy used in this way, and with a copy used otherwise
        self.showing, self.lacking = np.zeros((2, kinds, columns), np.int64)

    def add(self, came: np.ndarray, used: np.ndarray) -> None:
        """Add games. came: int64 [game, kind, 1]; used: int64 [game, kind, column]."""
        self.games += len(came)
        self.came += came.sum(axis=0)
        self.came_squared += (came**2).sum(axis=0)
        self.with_it += (came > 0).sum(axis=0)
        self.used += used.sum(axis=0)
        self.used_squared += (used**2).sum(axis=0)
        self.product += (used * came).sum(axis=0)
        self.showing += (used > 0).sum(axis=0)
        self.lacking += (used < came).sum(axis=0)


def card_usage(
    chunks: Iterable[np.ndarray],
    kinds: dict[int, str],
    uses: tuple[str, ...],
    printed_for: dict[int, tuple[str, ...]],
) -> CardUsageResult:
    """Return the usage of each kind of card.

    chunks: the chunks of `simcore.play.cards.CardUsage.play`.
    """
    meant = np.array([[use in printed_for[kind] for use in uses] for kind in kinds], np.int64)
    meant = meant.reshape(len(kinds), len(uses))  # also without kinds
    sums = Sums(len(kinds), len(uses) + 1)
    for chunk in chunks:
        counts = chunk.astype(np.int64)
        used = counts[:, :, 1:]
        sums.add(counts[:, :, :1], np.concatenate([used, (used * meant).sum(axis=2, keepdims=True)], axis=2))
    return usage_of_sums(sums, kinds, uses, printed_for)


def usage_of_sums(
    sums: Sums, kinds: dict[int, str], uses: tuple[str, ...], printed_for: dict[int, tuple[str, ...]]
) -> CardUsageResult:
    """Return the usage of each kind of card. sums: one column for each use, and one for the printed use."""
    cards, never = [], []
    for row, (kind, name) in enumerate(kinds.items()):
        if not sums.came[row, 0]:
            never.append(name)
            continue
        *shares, as_printed = (_use_share(sums, row, column, use) for column, use in enumerate((*uses, None)))
        card = KindUsage(
            card=name,
            copies=int(sums.came[row, 0]),
            games=int(sums.with_it[row, 0]),
            uses=shares,
            printed_for=list(printed_for[kind]),
            as_printed=as_printed,
            dead=as_printed.share.high < DEAD_BELOW,
        )
        cards.append(card)
    dead = [card.card for card in cards if card.dead]
    return CardUsageResult(games=sums.games, uses=list(uses), dead=dead, cards=cards, never_there=never)


def _use_share(sums: Sums, row: int, column: int, use: str | None) -> UseShare:
    share = share_of_sums(sums, row, column)
    return UseShare(use=use, copies=int(sums.used[row, column]), share=share, se=_error_of(sums, row, column))


def share_of_sums(sums: Sums, row: int, column: int) -> Interval:
    """Return the share of the copies of a kind (`row`) that were used in one way (`column`)."""
    used, came = int(sums.used[row, column]), int(sums.came[row, 0])
    few = min(int(sums.showing[row, column]), int(sums.lacking[row, column])) < FEW
    return _interval(used / came, came, int(sums.with_it[row, 0]), _error_of(sums, row, column), few)


def _error_of(sums: Sums, row: int, column: int) -> float | None:
    used, came = int(sums.used[row, column]), int(sums.came[row, 0])
    squares = (sums.came_squared[row, 0], sums.product[row, column], sums.used_squared[row, column])
    return standard_error(sums.games, came, used, *map(int, squares))


def standard_error(
    games: int, came: int, used: int, came_squared: int, product: int, used_squared: int
) -> float | None:
    """Return the standard error of used / came (Cochran 1977, 6.4); None for fewer than two games.

    The formula is sqrt(G / (G - 1) * sum (used_g - p came_g)^2) / came for G games. All arguments except
    `games` are sums over games.
    """
    if games < 2:
        return None
    p = used / came
    squares = used_squared - 2 * p * product + p * p * came_squared
    return sqrt(max(squares, 0.0) * games / (games - 1)) / came


def _interval(p: float, came: int, with_it: int, se: float | None, few: bool) -> Interval:
    """Return the interval of a share of copies.

    with_it: number of games with a copy. few: whether few games show the use, or few lack it.
    """
    if p in (0, 1) or not se:
        exact = clopper_pearson(p * with_it, with_it)
        return replace(exact, estimate=p, method=f"Clopper-Pearson, {with_it:,} games")
    n = max(p * (1 - p) / se**2, 1.0)
    interval = clopper_pearson(p * min(n, came), min(n, came)) if few else wilson(p * n, n)
    return replace(interval, estimate=p, method=f"{interval.method}, linearised")
