"""Trials of means: one number per game, differences on common random numbers, luck adjustment."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial

import numpy as np

from bartizan.analyses.experiments import luck_adjustment
from bartizan.analyses.statistics.intervals import Interval, mean, mean_of, mean_sequence, quantile_interval
from bartizan.analyses.statistics.paired import Values
from bartizan.analyses.statistics.pairs import Pairs, watched_difference
from bartizan.analyses.validation.trial import (
    CoverageTrial,
    GridPoint,
    MeasuredCoverage,
    counted,
    covers,
    each_once,
    of_intervals,
)
from bartizan.simcore.compile.rules import TRUNCATED

Draw = Callable[[np.random.Generator, tuple[int, ...]], np.ndarray]

# distributions of a number per game, with their true means
SHAPES: dict[str, tuple[Draw, float]] = {
    "normal": (lambda random, size: random.normal(3, 2, size), 3.0),
    "ties (0 to 4)": (lambda random, size: random.integers(0, 5, size).astype(float), 2.0),
    "scores (right-skewed)": (lambda random, size: random.gamma(4, 5, size).round(), 20.0),
    "turns (geometric)": (lambda random, size: random.geometric(0.1, size).astype(float), 10.0),
    "rare count": (lambda random, size: random.poisson(0.05, size).astype(float), 0.05),
}


def of_a_mean(
    is_rough: bool, point: GridPoint, replicates: int, random: np.random.Generator
) -> MeasuredCoverage:
    """Trial of the mean of one number per game.

    is_rough: count only intervals marked as rough, which have no nominal coverage.
    """
    draw, true = SHAPES[point.case]
    found = (mean_of(draw(random, (point.n,))).interval() for _ in range(replicates))
    return unless_rough(is_rough, (interval for interval in found if interval), true)


def unless_rough(is_rough: bool, found: Iterable[Interval], true: float) -> MeasuredCoverage:
    """Return the coverage of all intervals or, if `is_rough`, only of those marked as rough.

    In the coverage of all intervals, those marked as rough count as right.
    """
    return counted(
        (covers(one, true) or ("rough" in one.method and not is_rough), one.high - one.low)
        for one in found
        if "rough" in one.method or not is_rough
    )


def watched_mean(
    is_rough: bool, point: GridPoint, replicates: int, random: np.random.Generator
) -> MeasuredCoverage:
    """Trial of the confidence sequence of a mean, at all looks.

    is_rough: count only intervals marked as rough; otherwise only the others.
    """
    draw, true = SHAPES[point.case]
    games = np.arange(1, point.looks + 1) * (point.n // point.looks)

    def one() -> tuple[bool, float]:
        values = draw(random, (int(games[-1]),))
        sums, squares = values.cumsum()[games - 1], (values**2).cumsum()[games - 1]
        ends = [mean(int(n), float(s), float(q), 0) for n, s, q in zip(games, sums, squares, strict=True)]
        ends = [replace(end, differing=_differing(values[: end.n])) for end in ends]
        found = [one for end in ends if (one := mean_sequence(end))]
        kept = [one for one in found if is_rough == ("rough" in one.method)]
        return all(covers(one, true) for one in kept), kept[-1].high - kept[-1].low if kept else 0.0

    return counted(one() for _ in range(replicates))


def _differing(values: np.ndarray) -> int:
    return len(values) - int(np.unique(values, return_counts=True)[1].max())


# ---------------------------------------------------------------- paired differences of wins


def paired(point: GridPoint, replicates: int, random: np.random.Generator) -> MeasuredCoverage:
    """Trial of pairs of games on common random numbers.

    truth: the difference; clusters: the share of equal results.
    """
    differ = 1 - point.clusters
    more = (differ + point.truth) / 2
    cells = [differ - more, point.clusters, more]
    rows = random.multinomial(point.n, cells, replicates)

    def answer(*counts: int) -> tuple[bool, float]:
        kept = [(value, count) for value, count in zip((-1.0, 0.0, 1.0), counts, strict=True) if count]
        values, numbers = map(np.array, zip(*kept, strict=True))
        found = Values(values, values, numbers.astype(float), (-1.0, 1.0)).estimate(0.95)
        return covers(found.interval, point.truth), found.interval.high - found.interval.low

    return each_once(rows, answer)


def watched_pairs(point: GridPoint, replicates: int, random: np.random.Generator) -> MeasuredCoverage:
    """Trial of the confidence sequence of paired differences, at all looks."""
    differ = 1 - point.clusters
    more = (differ + point.truth) / 2
    step = point.n // point.looks
    steps = random.multinomial(step, [more, differ - more, point.clusters], (replicates, point.looks))

    def answer(*counts: int) -> tuple[bool, float]:
        ends = np.reshape(counts, (point.looks, 3))
        found = [watched_difference(Pairs(*map(int, end))) for end in ends]
        return all(covers(one, point.truth) for one in found), found[-1].high - found[-1].low

    return each_once(steps.cumsum(axis=1).reshape(replicates, -1), answer)


def watched_halves(point: GridPoint, replicates: int, random: np.random.Generator) -> MeasuredCoverage:
    """Trial of the sequences of a bounded number that is 0.5 in a few games and 0 in all others.

    Intervals marked as rough are ignored. There are none while all values are equal.
    """
    step = point.n // point.looks
    games = np.arange(1, point.looks + 1) * step

    def answer(*counts: int) -> tuple[bool, float]:
        found = []
        for n, half in zip(games, counts, strict=True):
            of = np.array([0.0, 0.5]), np.array([float(n - half), float(half)])
            values, numbers = (part[of[1] > 0] for part in of)
            found.append(Values(values, values, numbers, (-1.0, 1.0)).sequence(0.95))
        kept = [one for one in found if "rough" not in one.method]
        return all(covers(one, point.truth) for one in kept), found[-1].high - found[-1].low

    steps = random.binomial(step, 2 * point.truth, (replicates, point.looks))
    return each_once(steps.cumsum(axis=1), answer)


FEW_DIFFER = tuple(
    GridPoint(n, d, clusters=1 - (d + extra))
    for n in (20, 100, 400, 4000)
    for d, extra in ((0.0, 0.01), (0.0, 0.1), (0.005, 0.0), (0.02, 0.0), (0.02, 0.02), (0.1, 0.1))
    if n * (d + extra) < 90
)
MANY_DIFFER = tuple(
    GridPoint(n, d, clusters=1 - differ)
    for n in (1000, 10_000, 100_000)
    for d, differ in ((0.0, 0.2), (0.05, 0.3), (0.15, 0.16))
    if n * differ >= 150
)

# ---------------------------------------------------------------- quantiles


def of_a_quantile(point: GridPoint, replicates: int, random: np.random.Generator) -> MeasuredCoverage:
    """Trial of a quantile, with and without ties. truth: the order of the quantile, in percent."""
    q, has_ties = point.truth / 100, point.case == "ties"
    true = int(np.ceil(q * 8 - 1e-9)) - 1 if has_ties else q

    def one() -> Interval:
        sample = random.integers(0, 8, point.n) if has_ties else random.random(point.n)
        values, counts = np.unique(sample, return_counts=True)
        return quantile_interval(values.tolist(), counts.tolist(), q)

    return of_intervals((one() for _ in range(replicates)), true)


# --------------------------------------------------------------- luck adjustment


def luck_off(point: GridPoint, replicates: int, random: np.random.Generator) -> MeasuredCoverage:
    """Trial of luck adjustment. A seat's wins depend on chance events; the adjustment has mean 0.

    Intervals marked as rough count as right.
    """
    return _luck_off(False, point, replicates, random)


def luck_off_rough(point: GridPoint, replicates: int, random: np.random.Generator) -> MeasuredCoverage:
    """Trial of luck adjustment. Only intervals marked as rough are counted."""
    return _luck_off(True, point, replicates, random)


def _luck_off(
    is_rough: bool, point: GridPoint, replicates: int, random: np.random.Generator
) -> MeasuredCoverage:
    def one() -> Interval:
        luck = random.uniform(-1, 1, point.n) * min(point.truth, 1 - point.truth)
        winners = np.where(random.random(point.n) < point.truth + luck, 0, 1)
        winners[random.random(point.n) < point.truncated] = TRUNCATED
        return luck_adjustment.adjusted(winners, luck, 0).adjusted

    return unless_rough(is_rough, (one() for _ in range(replicates)), point.truth)


def luck_off_pairs(point: GridPoint, replicates: int, random: np.random.Generator) -> MeasuredCoverage:
    """Trial of the luck-adjusted difference of two equally strong sides."""

    def side() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        luck = random.uniform(-1, 1, point.n) * min(point.truth, 1 - point.truth)
        won = (random.random(point.n) < point.truth + luck).astype(float)
        cut = random.random(point.n) < point.truncated
        return np.where(cut, 0.0, won), np.where(cut, 1.0, won), luck

    def one() -> Interval:
        least, most, luck = side()
        low, high, other = side()
        label = "Student t, paired on common luck, luck-adjusted"
        return luck_adjustment.bounds(low - other - (most - luck), high - other - (least - luck), label)

    return of_intervals((one() for _ in range(replicates)), 0.0)


def worth(is_rough: bool, point: GridPoint, replicates: int, random: np.random.Generator) -> MeasuredCoverage:
    """Trial of the effective number of games, a ratio of variances.

    Luck is uniform, so both variances are known.
    """
    p, reach = point.truth, min(point.truth, 1 - point.truth) * point.clusters
    true = p * (1 - p) / (p * (1 - p) - reach**2 / 3)

    def one() -> Interval:
        luck = random.uniform(-reach, reach, point.n)
        won = (random.random(point.n) < p + luck).astype(float)
        return luck_adjustment.multiplier(won, won - luck)

    return unless_rough(is_rough, (one() for _ in range(replicates)), true)


def of_deals(
    is_rough: bool, point: GridPoint, replicates: int, random: np.random.Generator
) -> MeasuredCoverage:
    """Return the coverage of intervals for the share of the variance that is between deals.

    `point.truth` is the mean win rate, and `point.clusters` is the true share. is_rough: count only intervals
    marked as rough. Otherwise all intervals are counted, those marked as rough as right.
    """
    plays, spread = int(point.case.split()[0]), (1 - point.clusters) / point.clusters

    def one() -> tuple[bool, bool, float]:
        rates = random.beta(point.truth * spread, (1 - point.truth) * spread, point.n)
        found = luck_adjustment.shares(random.binomial(plays, rates), plays)
        right = found.low <= point.clusters <= found.high
        return right, found.method == luck_adjustment.FEW_WON, found.high - found.low

    found = [one() for _ in range(replicates)]
    kept = [
        (right or (rough and not is_rough), width) for right, rough, width in found if rough or not is_rough
    ]
    return counted(kept)


# ---------------------------------------------------------------- the trials

LUCK_GRID = tuple(
    GridPoint(n, p, truncated)
    for n in (30, 100, 1000, 10_000)
    for p in (0.05, 0.3, 0.5)
    for truncated in (0.0, 0.05)
    if n * p >= 9
)
MEAN_GRID = tuple(GridPoint(n, case=shape) for n in (40, 100, 200, 1000, 10_000, 100_000) for shape in SHAPES)
TRIALS = (
    CoverageTrial(
        "Student t",
        partial(of_a_mean, False),
        MEAN_GRID,
        tuple(point for point in MEAN_GRID if point.n in (40, 200)),
        about="one number per game",
    ),
    CoverageTrial(
        "Student t, rough since the games are few",
        partial(of_a_mean, True),
        tuple(GridPoint(n, case=shape) for n in (5, 10, 20) for shape in SHAPES),
        (GridPoint(10, case="turns (geometric)"),),
    ),
    CoverageTrial(
        "Student t, rough since few values differ",
        partial(of_a_mean, True),
        tuple(GridPoint(n, case="rare count") for n in (40, 100, 200)),
        (GridPoint(100, case="rare count"),),
    ),
    CoverageTrial("Student t", paired, MANY_DIFFER, MANY_DIFFER[:2], about="paired wins, 100 or more differ"),
    CoverageTrial("exact tails (Blaker)", paired, FEW_DIFFER, FEW_DIFFER[6:12], 2000, 300),
    CoverageTrial(
        "confidence sequence of a mean",
        partial(watched_mean, False),
        tuple(GridPoint(n, looks=8, case=shape) for n in (80, 800, 8000) for shape in SHAPES),
        (GridPoint(800, looks=8, case="ties (0 to 4)"), GridPoint(800, looks=8, case="turns (geometric)")),
        2000,
        200,
    ),
    CoverageTrial(
        "confidence sequence of pairs",
        watched_pairs,
        tuple(
            GridPoint(n, d, clusters=1 - (d + extra), looks=8)
            for n in (80, 800, 8000)
            for d, extra in ((0.0, 0.01), (0.0, 0.2), (0.02, 0.0), (0.1, 0.1))
        ),
        (GridPoint(80, 0.1, clusters=0.8, looks=8), GridPoint(800, 0.02, clusters=0.98, looks=8)),
        400,
        60,
    ),
    CoverageTrial(
        "confidence sequence",
        watched_halves,
        tuple(GridPoint(n, d, looks=8) for n in (80, 800, 8000) for d in (0.0002, 0.001, 0.01, 0.05)),
        (GridPoint(800, 0.001, looks=8), GridPoint(8000, 0.001, looks=8)),
        2000,
        200,
        about="bounded mean, at first of equal values",
    ),
    CoverageTrial(
        "order statistics",
        of_a_quantile,
        tuple(
            GridPoint(n, q, case=case)
            for n in (80, 200, 1000, 10_000, 100_000)
            for q in (5.0, 25.0, 50.0, 95.0)
            for case in ("ties", "no ties")
            if n < 100_000 or q in (5.0, 50.0)
        ),
        tuple(GridPoint(200, q, case=case) for q in (5.0, 50.0) for case in ("ties", "no ties")),
    ),
    CoverageTrial(
        "Student t, luck-adjusted", luck_off, LUCK_GRID, (GridPoint(100, 0.3), GridPoint(100, 0.5, 0.05))
    ),
    CoverageTrial(
        "Student t, luck-adjusted, rough since few games are won, or lost",
        luck_off_rough,
        tuple(GridPoint(n, 0.05) for n in (30, 100)),
        (GridPoint(100, 0.05),),
    ),
    CoverageTrial(
        "Student t, paired on common luck, luck-adjusted",
        luck_off_pairs,
        LUCK_GRID,
        (GridPoint(100, 0.3), GridPoint(100, 0.5, 0.05)),
    ),
    *(
        CoverageTrial(
            f"confidence sequence of a mean, rough since {why}",
            partial(watched_mean, True),
            (GridPoint(n, looks=8, case=shape),),
            (GridPoint(n, looks=8, case=shape),),
            2000,
            200,
        )
        for why, n, shape in (
            ("the games are few", 80, "turns (geometric)"),
            ("few values differ", 800, "rare count"),
        )
    ),
    CoverageTrial(
        "jackknife of the logarithm",
        partial(worth, False),
        tuple(
            GridPoint(n, p, clusters=luck)
            for n in (50, 200, 1000)
            for p in (0.1, 0.3, 0.5)
            for luck in (0.5, 1.0)
        ),
        (GridPoint(200, 0.3, clusters=1.0), GridPoint(200, 0.5, clusters=1.0)),
        2000,
        300,
    ),
    CoverageTrial(
        "one-way ANOVA",
        partial(of_deals, False),
        tuple(
            GridPoint(deals, p, clusters=share, case=f"{plays} plays each")
            for deals in (20, 50, 200)
            for p in (0.1, 0.3, 0.5)
            if deals * p >= 15
            for share in (0.02, 0.1, 0.4)
            for plays in (10, 50)
        ),
        (
            GridPoint(200, 0.3, clusters=0.1, case="10 plays each"),
            GridPoint(200, 0.1, clusters=0.1, case="50 plays each"),
        ),
    ),
    CoverageTrial(
        "one-way ANOVA, rough since few deals are won, or lost",
        partial(of_deals, True),
        tuple(
            GridPoint(deals, 0.1, clusters=share, case="10 plays each")
            for deals in (5, 20, 100)
            for share in (0.02, 0.1, 0.4)
        ),
        (GridPoint(20, 0.1, clusters=0.1, case="10 plays each"),),
    ),
    CoverageTrial(
        "jackknife of the logarithm, rough since few games are won, or lost",
        partial(worth, True),
        tuple(GridPoint(n, 0.1, clusters=luck) for n in (20, 50, 100) for luck in (0.5, 1.0)),
        (GridPoint(50, 0.1, clusters=1.0),),
    ),
)
