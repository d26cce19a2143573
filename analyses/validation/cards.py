"""Trials of card analyses: largest effect, largest interaction, win rates by drawn card."""

from functools import partial
from itertools import product
from math import comb, exp

import numpy as np

from bartizan.analyses.experiments.card_pairs import joint_interaction
from bartizan.analyses.experiments.drawn_cards import LINEARISED, difference_of_rates
from bartizan.analyses.statistics.paired import Values
from bartizan.analyses.statistics.testing import jointly
from bartizan.analyses.validation.trial import CoverageTrial, GridPoint, MeasuredCoverage, counted, covers

NOTHING, ONE, SPREAD = "no card matters", "one card matters", "cards differ"


def largest(method: str, point: GridPoint, replicates: int, random: np.random.Generator) -> MeasuredCoverage:
    """Trial of `cards --without`: the coverage for the kind with the largest effect of `point.of` kinds.

    The interval is simultaneous over all kinds. truth: win rate with the cards as dealt. clusters: share of
    games that a kind does not affect. All kinds share the games as dealt; the result of an affected game is
    independent of the game as dealt. Intervals of methods other than `method` count as right.
    """
    untouched, rate, kinds = point.clusters, point.truth, point.of
    chances = {
        NOTHING: np.full(kinds, rate),
        ONE: np.concatenate([[min(2 * rate, 0.9)], np.full(kinds - 1, rate)]),
        SPREAD: np.linspace(rate / 2, min(1.5 * rate, 0.95), kinds),
    }[point.case]
    truths = (1 - untouched) * (chances - rate)

    def one() -> tuple[bool, float]:
        won = random.binomial(point.n, rate)
        gained = random.binomial(point.n - won, (1 - untouched) * chances)
        lost = random.binomial(won, (1 - untouched) * (1 - chances))
        chosen = int(np.abs(gained - lost).argmax())
        counts = {-1.0: lost[chosen], 1.0: gained[chosen], 0.0: point.n - lost[chosen] - gained[chosen]}
        kept = {value: count for value, count in counts.items() if count}
        values, games = np.array(list(kept)), np.array(list(kept.values()), float)
        found = jointly(Values(values, values, games, (-1.0, 1.0)).interval, kinds)
        is_other = not found.method.startswith(method)
        return is_other or covers(found, float(truths[chosen])), found.high - found.low

    return counted(one() for _ in range(replicates))


OUTCOMES = np.array(list(product((0, 1), repeat=3)))  # wins without one kind, without the other, without both


def largest_interaction(
    method: str, point: GridPoint, replicates: int, random: np.random.Generator
) -> MeasuredCoverage:
    """Trial of `cards --pairs`: the coverage for the pair with the largest interaction of `point.of` pairs.

    The interval is simultaneous over all pairs. truth: win rate with the cards as dealt. clusters: share of
    games that removing cards does not affect, in each of the three ways. All pairs share the games as dealt.
    Cases: NOTHING, no kind matters; SPREAD, kinds matter but no pair interacts; ONE, one pair interacts.
    Intervals of methods other than `method` count as right.
    """
    untouched, rate, pairs = point.clusters, point.truth, point.of
    one = np.full(pairs, rate) if point.case == NOTHING else np.linspace(0.6 * rate, rate, pairs)
    chances = np.column_stack([one, np.full(pairs, rate), one])  # without one, the other, both
    if point.case == ONE:
        chances[0, 2] = min(one[0] + rate / 2, 0.95)
    truths = (1 - untouched) * (rate - chances[:, 0] - chances[:, 1] + chances[:, 2])
    values = np.arange(-2.0, 3.0)

    def combined(won: int) -> np.ndarray:
        """Return the probabilities of OUTCOMES in games won (1) or lost (0) as dealt: [pair, outcome]."""
        win = untouched * won + (1 - untouched) * chances
        chances_of: np.ndarray = np.where(OUTCOMES, win[:, None], 1 - win[:, None]).prod(axis=2)
        return chances_of

    of_won, of_lost = combined(1), combined(0)
    steps = OUTCOMES @ (-1, -1, 1)  # interaction, without the term of the win as dealt

    def replicate() -> tuple[bool, float]:
        won = random.binomial(point.n, rate)
        counts = np.zeros((pairs, len(values)), np.int64)
        for shift, games, chance in ((1, won, of_won), (0, point.n - won, of_lost)):
            drawn = random.multinomial(games, chance)
            for outcome, step in enumerate(steps):
                counts[:, step + shift + 2] += drawn[:, outcome]
        chosen = int(np.abs(counts @ values).argmax())
        kept = counts[chosen] > 0
        games = counts[chosen][kept].astype(float)
        found = joint_interaction(Values(values[kept], values[kept], games, (-2.0, 2.0)), pairs)
        is_other = not found.method.startswith(method)
        return is_other or covers(found, float(truths[chosen])), found.high - found.low

    return counted(replicate() for _ in range(replicates))


SEATS = 4


def rates(point: GridPoint, replicates: int, random: np.random.Generator) -> MeasuredCoverage:
    """Trial of `cards --usage`: the difference in win rate between players with and without a drawn card.

    truth: share of players who draw the card. clusters: advantage from the card, in logits.
    """
    share, strength = point.truth, exp(point.clusters)
    drawing = np.arange(SEATS + 1)
    weights = np.array([comb(SEATS, n) * share**n * (1 - share) ** (SEATS - n) for n in drawing])
    by_drawers = drawing * strength / (drawing * strength + SEATS - drawing)
    truth = float(weights @ by_drawers / (SEATS * share) - weights @ (1 - by_drawers) / (SEATS * (1 - share)))

    def one() -> tuple[bool, float]:
        drew = random.binomial(SEATS, share, point.n)
        won = random.random(point.n) < by_drawers[drew]
        found = difference_of_rates(won.astype(int), drew, 1 - won.astype(int), SEATS - drew)
        return covers(found, truth), found.high - found.low

    return counted(one() for _ in range(replicates))


MANY_TOUCHED = tuple(
    GridPoint(n, rate, clusters=untouched, of=kinds, case=case)
    for kinds in (2, 10, 60)
    for n, rate, untouched in ((400, 0.5, 0.3), (2000, 0.05, 0.2), (2000, 0.25, 0.6), (20_000, 0.5, 0.9))
    for case in (NOTHING, ONE, SPREAD)
)
FEW_TOUCHED = tuple(
    GridPoint(n, rate, clusters=untouched, of=kinds, case=case)
    for kinds in (2, 10, 60)
    for n, rate, untouched in ((100, 0.5, 0.7), (2000, 0.01, 0.5), (2000, 0.5, 0.96))
    for case in (NOTHING, ONE)
)
DRAWN = tuple(
    GridPoint(n, share, clusters=strength)
    for n in (200, 2000)
    for share in (0.1, 0.5, 0.9)
    for strength in (0.0, 1.0)
)
MANY_INTERACT = tuple(
    GridPoint(n, rate, clusters=untouched, of=pairs, case=case)
    for pairs in (3, 10, 30)
    for n, rate, untouched in ((400, 0.5, 0.3), (2000, 0.25, 0.6), (20_000, 0.5, 0.9))
    for case in (NOTHING, ONE, SPREAD)
)
FEW_INTERACT = tuple(
    GridPoint(n, rate, clusters=untouched, of=pairs, case=case)
    for pairs in (3, 10, 30)
    for n, rate, untouched in ((100, 0.5, 0.7), (2000, 0.02, 0.7), (2000, 0.5, 0.98))
    for case in (NOTHING, ONE)
)
MANY, FEW = "Student t", "exact tails (Blaker)"
LARGEST, INTERACTION = "the largest of many", "the largest interaction of two"
TRIALS = (
    *(
        CoverageTrial(
            f"{method}, for all N together (Bonferroni)",
            partial(trial, method),
            grid,
            (grid[0], grid[late]),
            replicates,
            quick,
            about=about,
        )
        for trial, method, grid, late, replicates, quick, about in (
            (largest, MANY, MANY_TOUCHED, -3, 2000, 300, LARGEST),
            (largest, FEW, FEW_TOUCHED, -2, 500, 100, LARGEST),
            (largest_interaction, MANY, MANY_INTERACT, -3, 2000, 300, INTERACTION),
            (largest_interaction, FEW, FEW_INTERACT, -2, 500, 50, INTERACTION),
        )
    ),
    CoverageTrial(LINEARISED, rates, DRAWN, DRAWN[6:8]),
)
