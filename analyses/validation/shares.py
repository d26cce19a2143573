"""Trials of single shares, several shares, differences and a distribution.

A trial is exact if all counts can be enumerated.
"""

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from bartizan.analyses.experiments.cards import card_usage
from bartizan.analyses.experiments.coverage import FIRST_LOOK, share_after_looks
from bartizan.analyses.records import rung_ends
from bartizan.analyses.statistics import special
from bartizan.analyses.statistics.intervals import (
    EXACT_BELOW,
    Interval,
    clopper_pearson,
    confidence_sequence,
    dkw_band,
    equal_values,
    goodman,
    limit_of_none,
    newcombe,
    proportion,
    with_truncated,
)
from bartizan.analyses.statistics.testing import jointly
from bartizan.analyses.validation.trial import (
    ROUNDING,
    CoverageTrial,
    GridPoint,
    MeasuredCoverage,
    counted,
    covers,
    each_once,
)
from bartizan.simcore.arrays import Floats, Ints

SMALL = (5, 10, 20, 50, 100, 200, 500, 1000)
LARGE = (10_000, 100_000)
SHARES = (0.001, 0.01, 0.05, 0.1, 0.3, 0.5, 0.7, 0.9, 0.95, 0.99, 0.999)
LEAST, MOST = special.logit([0.001, 0.999])
FINE = special.expit(np.linspace(LEAST, MOST, 1201))  # truths that are searched for small n
UNLIKELY = 1e-13  # counts with a lower probability are omitted


def chances(n: int, p: float | Floats, counts: Ints | Floats) -> Floats:
    """Return an array [p, count]: the probabilities of the counts under Binomial(n, p)."""
    p = np.atleast_1d(p)[:, None]
    ways = -special.betaln(counts + 1, n - counts + 1) - np.log(n + 1)
    log_chances: Floats = ways + special.xlogy(counts, p) + special.xlog1py(n - counts, -p)
    return np.exp(log_chances)


def likely(n: int, p: float) -> tuple[Ints, Floats]:
    """Return the counts with non-negligible probability, and their probabilities."""
    reach = 9 * np.sqrt(n * p * (1 - p)) + 9
    counts = np.arange(max(int(n * p - reach), 0), min(int(n * p + reach) + 1, n) + 1)
    shares = chances(n, p, counts)[0]
    kept = shares > UNLIKELY
    return counts[kept], shares[kept]


def exact_share(method: Callable[[int, int], Interval], point: GridPoint, *_: object) -> MeasuredCoverage:
    """Trial of a share, with the exact coverage over all counts.

    If the point has no truth, the coverage is the minimum over `FINE`.
    """
    if point.truth == point.truth:
        counts, shares = likely(point.n, point.truth)
        found = [method(int(count), point.n) for count in counts]
        right = np.array([covers(interval, point.truth) for interval in found])
        width = shares @ np.array([interval.high - interval.low for interval in found])
        return MeasuredCoverage(float(shares @ right), float(width), 0)
    counts = np.arange(point.n + 1)
    found = [method(int(count), point.n) for count in counts]
    low, high = (np.array([getattr(interval, end) for interval in found]) for end in ("low", "high"))
    right = (low - ROUNDING <= FINE[:, None]) & (FINE[:, None] <= high + ROUNDING)
    held = (chances(point.n, FINE, counts) * right).sum(axis=1)
    least = int(held.argmin())
    shares = chances(point.n, FINE[least], counts)[0]
    return MeasuredCoverage(float(held[least]), float(shares @ (high - low)), 0, float(FINE[least]))


def equal_games(point: GridPoint, *_: object) -> MeasuredCoverage:
    """Exact trial of the mean of equal values: games are worth 1 with probability `truth`, otherwise 0."""
    held, width = 1.0, 0.0
    for value, chance in ((1.0, point.truth**point.n), (0.0, (1 - point.truth) ** point.n)):
        interval = equal_values(value, point.n, value, 1 - value)
        held -= chance * (not covers(interval, point.truth))
        width += chance * (interval.high - interval.low)
    return MeasuredCoverage(held, width, 0)


EQUAL_GRID = tuple(GridPoint(n, p) for n in (5, 20, 100, 1000, 100_000) for p in SHARES)
EXACT_GRID = tuple(GridPoint(n) for n in SMALL) + tuple(GridPoint(n, p) for n in LARGE for p in SHARES)
EXACT_SHORT = (*(GridPoint(n) for n in (5, 20, 100, 500)), GridPoint(10_000, 0.001))


def truncated_share(point: GridPoint, replicates: int, random: np.random.Generator) -> MeasuredCoverage:
    """Trial of a share of games, some of which are truncated. case: which games are truncated."""
    p, away = point.truth, point.truncated
    odds = {"lost": (0.0, 1.0), "won": (1.0, 0.0), "any": (1.0, 1.0)}[point.case.split()[0]]
    won, lost = (min(away * weight, 1.0) for weight in odds)
    kept = [p * (1 - won), p * won + (1 - p) * lost, (1 - p) * (1 - lost)]
    rows = random.multinomial(point.n, kept, replicates)[:, :2]

    def answer(successes: int, truncated: int) -> tuple[bool, float]:
        interval = with_truncated(successes, truncated, point.n)
        return covers(interval, p), interval.high - interval.low

    return each_once(rows, answer)


TRUNCATED_GRID = tuple(
    GridPoint(n, p, share, case=f"{which} games")
    for n in (20, 200, 10_000, 100_000)
    for p in (0.01, 0.3, 0.9)
    for share in (0.01, 0.2)
    for which in ("lost", "won", "any")
)


# -------------------------------------------------------------------------- repeated looks


def at_every_look(method: Callable[[int, int], Interval], point: GridPoint, *_: object) -> MeasuredCoverage:
    """Exact trial of the probability that the intervals at all looks contain the true share.

    The distribution of the count is computed from look to look, without the counts whose interval misses the
    share.
    """
    first, shares, seen = 0, np.ones(1), 0
    for look in range(1, point.looks + 1):
        games = point.n * look // point.looks
        more = np.arange(games - seen + 1)
        shares = np.convolve(shares, chances(games - seen, point.truth, more)[0])
        seen = games
        for at in np.flatnonzero(shares > UNLIKELY):
            if not covers(method(first + int(at), games), point.truth):
                shares[at] = 0.0
    middle = method(round(point.n * point.truth), point.n)
    return MeasuredCoverage(float(shares.sum()), middle.high - middle.low, 0)


def after_two_looks(point: GridPoint, *_: object) -> MeasuredCoverage:
    """Trial of `coverage`, which simulates all games only if the item did not occur in the first games."""
    first = min(FIRST_LOOK, point.n)
    counts, shares = likely(first, point.truth)
    parts = [(int(c), first, s) for c, s in zip(counts, shares, strict=True) if c or first == point.n]
    none = float(chances(first, point.truth, np.zeros(1))[0, 0])
    if first < point.n:
        counts, shares = likely(point.n - first, point.truth)
        parts += [(int(c), point.n, none * s) for c, s in zip(counts, shares, strict=True)]
    found = [(share_after_looks(count, games), chance) for count, games, chance in parts]
    held = sum(chance for interval, chance in found if covers(interval, point.truth))
    width = sum(chance * (one.high - one.low) for one, chance in found)
    return MeasuredCoverage(float(held), float(width), 0)


LOOKS_GRID = tuple(
    GridPoint(n, p, looks=looks) for n in (40, 400, 4000) for p in SHARES[:8] for looks in (1, 2, 4, 8)
)
TWO_GRID = tuple(GridPoint(n, p, looks=2) for n in (100, 1000, 10_000, 100_000) for p in SHARES)


def is_often(point: GridPoint) -> bool:
    """Return whether the item has Wilson's interval.

    This is the case if at least EXACT_BELOW games are expected with the item, and as many without it. For
    items that usually occur in the first games, only these games count, otherwise all games.
    """
    is_first = (1 - point.truth) ** FIRST_LOOK < 0.5
    games = min(FIRST_LOOK, point.n) if is_first else point.n
    return games * min(point.truth, 1 - point.truth) >= EXACT_BELOW


TWO_OFTEN, TWO_RARE = (
    tuple(point for point in TWO_GRID if is_often(point) == often) for often in (True, False)
)


def none_seen(point: GridPoint, *_: object) -> MeasuredCoverage:
    """Trial of the one-sided limit of a share without occurrences in n games."""
    limit = limit_of_none(point.n)
    missed = (limit < FINE) * (1 - FINE) ** point.n
    worst = int(missed.argmax())
    return MeasuredCoverage(1 - float(missed[worst]), limit, 0, float(FINE[worst]))


# ---------------------------------------------------------------- several shares, and differences

MIXES = {
    "three alike": (1, 1, 1),
    "one common": (90, 5, 3, 1, 1),
    "rare ones": (960, 10, 10, 10, 5, 5),
    "twenty": tuple(range(1, 21)),
}


def all_shares(point: GridPoint, replicates: int, random: np.random.Generator) -> MeasuredCoverage:
    """Trial of simultaneous intervals of all categories."""
    true = np.array(MIXES[point.case]) / sum(MIXES[point.case])

    def answer(*counts: int) -> tuple[bool, float]:
        found = goodman(list(counts))
        right = all(covers(interval, p) for interval, p in zip(found, true, strict=True))
        return right, max(interval.high - interval.low for interval in found)

    return each_once(random.multinomial(point.n, true, replicates), answer)


def two_shares(
    method: Callable[[int, int], Interval], point: GridPoint, replicates: int, random: np.random.Generator
) -> MeasuredCoverage:
    """Trial of Newcombe's interval of the difference of two shares, at all looks. case: the difference."""
    other = point.truth + float(point.case.split()[-1])
    seen = [
        np.cumsum(random.binomial(point.n // point.looks, p, (replicates, point.looks)), axis=1)
        for p in (point.truth, other)
    ]
    games = np.arange(1, point.looks + 1) * (point.n // point.looks)

    def answer(*counts: int) -> tuple[bool, float]:
        sides = zip(counts[: point.looks], counts[point.looks :], map(int, games), strict=True)
        found = [newcombe(method(b, n), method(a, n)) for a, b, n in sides]
        right = all(covers(one, other - point.truth) for one in found)
        return right, found[-1].high - found[-1].low

    return each_once(np.hstack(seen), answer)


PAIRS = ((0.01, 0.0), (0.01, 0.04), (0.3, 0.0), (0.3, 0.1), (0.5, 0.0), (0.95, 0.03))
DIFFERENCE_GRID = tuple(
    GridPoint(n, p, case=f"apart by {d:g}") for n in (10, 20, 50, 200, 1000, 100_000) for p, d in PAIRS
)


def whole_curve(
    point: GridPoint, replicates: int, random: np.random.Generator
) -> Iterator[tuple[bool, float]]:
    """Yield, for each replicate, whether the DKW band is right at every turn, and its last width.

    In each turn, some of the continuing games are truncated.
    """
    turns = np.arange(1, 13)
    happens = 0.12 if point.case == "early" else 0.04
    true = 1 - (1 - happens) ** turns
    away = point.truncated / len(turns)
    left = ((1 - happens) * (1 - away)) ** (turns - 1)
    per_turn = np.stack([left * happens, left * (1 - happens) * away])
    cells = np.append(per_turn.ravel(), 1 - per_turn.sum())
    counts = random.multinomial(point.n, cells, replicates)[:, :-1].reshape(replicates, 2, -1).cumsum(axis=2)
    for by, cut in counts:
        bands = [dkw_band(int(b), int(c), point.n) for b, c in zip(by, cut, strict=True)]
        yield all(map(covers, bands, true)), bands[-1].high - bands[-1].low


# ---------------------------------------------------------------------------- clustered counts


def clustered(point: GridPoint, replicates: int, random: np.random.Generator) -> MeasuredCoverage:
    """Trial of the share of copies of a card in a hand that are used.

    Copies in the same game are correlated.
    """
    alike = point.clusters

    def one() -> tuple[bool, float]:
        came = 1 + random.binomial(3, 0.5, point.n)
        chance = np.full(point.n, point.truth)
        if alike:
            spread = (1 - alike) / alike
            chance = random.beta(point.truth * spread, (1 - point.truth) * spread, point.n)
        used = random.binomial(came, chance)
        rows = np.stack([came, used, came - used], axis=1)[:, None, :]
        found = card_usage([rows], {0: "card"}, ("kept", "spent"), {0: ("kept",)}).cards[0].uses[0].share
        return covers(found, point.truth), found.high - found.low

    return counted(one() for _ in range(replicates))


CLUSTER_GRID = tuple(
    GridPoint(n, p, clusters=alike)
    for n in (10, 30, 100, 1000)
    for p in (0.02, 0.1, 0.3, 0.7)
    for alike in (0.0, 0.3, 0.8)
)

# ------------------------------------------------------------- selection among several


def chosen(point: GridPoint, replicates: int, random: np.random.Generator) -> MeasuredCoverage:
    """Trial of several equal shares, of which the largest, the smallest or both are selected.

    The cases are the best rung of a bracket, the rarest item, and both ends of a range over settings.
    """
    n, of, truth = point.n, point.of, point.truth
    counts = random.binomial(n, truth, (replicates, of))

    def quoted(wins: int) -> Interval:
        if point.case == "best rung":
            row = {"rung": "heuristic", "games": n, "wins": wins, "draws": 0, "capped": 0}
            row["win_rate"] = proportion(wins, n).to_dict()
            return Interval(**rung_ends.judged({"rungs": [row] * of})["rungs"][0]["joint"])
        return jointly(partial(proportion, wins, n), of)

    def answer(*ends: int) -> tuple[bool, float]:
        intervals = [quoted(end) for end in ends]
        return all(covers(one, truth) for one in intervals), intervals[0].high - intervals[0].low

    ends = {"best rung": [counts.max(axis=1)], "rarest": [counts.min(axis=1)]}
    both = [counts.min(axis=1), counts.max(axis=1)]
    return each_once(np.column_stack(ends.get(point.case, both)), answer)


CHOSEN_GRID = tuple(
    GridPoint(n, truth, of=of, case=case)
    for case in ("best rung", "rarest", "range")
    for n in (40, 400, 20_000)
    for truth in (0.05, 0.5, 0.9)
    for of in (3, 10, 30)
)

# ---------------------------------------------------------------- the trials

TRIALS = (
    CoverageTrial("Wilson", partial(exact_share, proportion), EXACT_GRID, EXACT_SHORT),
    CoverageTrial("Clopper-Pearson", partial(exact_share, clopper_pearson), EXACT_GRID, EXACT_SHORT),
    CoverageTrial(
        "Wilson",
        truncated_share,
        TRUNCATED_GRID,
        tuple(point for point in TRUNCATED_GRID if point.n == 200 and point.truncated == 0.2),
        about="truncated games",
    ),
    CoverageTrial(
        "confidence sequence",
        partial(at_every_look, confidence_sequence),
        LOOKS_GRID,
        (GridPoint(40, 0.3, looks=8), GridPoint(400, 0.05, looks=8), GridPoint(400, 0.5, looks=4)),
    ),
    CoverageTrial(
        "Wilson, N looks (Bonferroni)",
        after_two_looks,
        TWO_OFTEN,
        tuple(point for point in TWO_OFTEN if point.n in (100, 100_000)),
    ),
    CoverageTrial(
        "Clopper-Pearson, N looks (Bonferroni)",
        after_two_looks,
        TWO_RARE,
        tuple(point for point in TWO_RARE if point.n == 1000),
    ),
    CoverageTrial(
        "Wilson",
        chosen,
        tuple(point for point in CHOSEN_GRID if point.n * min(point.truth, 1 - point.truth) > 15),
        (GridPoint(400, 0.5, of=10, case="best rung"), GridPoint(400, 0.5, of=10, case="range")),
        about="chosen among several",
    ),
    CoverageTrial(
        "Clopper-Pearson",
        chosen,
        tuple(point for point in CHOSEN_GRID if point.n * min(point.truth, 1 - point.truth) <= 15),
        (GridPoint(40, 0.05, of=10, case="rarest"), GridPoint(40, 0.9, of=10, case="best rung")),
        about="chosen among several",
    ),
    CoverageTrial(
        "rule of three",
        none_seen,
        tuple(GridPoint(n) for n in SMALL + LARGE),
        (GridPoint(20), GridPoint(1000)),
    ),
    CoverageTrial(
        "Goodman",
        all_shares,
        tuple(GridPoint(n, case=mix) for n in (20, 100, 1000, 10_000) for mix in MIXES),
        tuple(
            GridPoint(n, case=mix) for n in (100, 1000) for mix in ("three alike", "one common", "rare ones")
        ),
    ),
    CoverageTrial("Clopper-Pearson limit", equal_games, EQUAL_GRID, EQUAL_GRID[:22]),
    CoverageTrial("Newcombe", partial(two_shares, proportion), DIFFERENCE_GRID, DIFFERENCE_GRID[6:18]),
    CoverageTrial(
        "Newcombe",
        partial(two_shares, confidence_sequence),
        tuple(GridPoint(n, p, looks=8, case=f"apart by {d:g}") for n in (80, 800) for p, d in PAIRS),
        (GridPoint(80, 0.3, looks=8, case="apart by 0.1"),),
        400,
        100,
        about="two confidence sequences",
    ),
    CoverageTrial(
        "DKW band",
        lambda *how: counted(whole_curve(*how)),
        tuple(
            GridPoint(n, truncated=share, case=when)
            for n in (20, 200, 10_000)
            for share in (0.0, 0.1)
            for when in ("early", "late")
        ),
        (GridPoint(200, case="early"), GridPoint(200, truncated=0.1, case="late")),
    ),
    CoverageTrial(
        "Wilson, linearised",
        clustered,
        tuple(point for point in CLUSTER_GRID if point.n * point.truth >= 10),
        (GridPoint(100, 0.3, clusters=0.3), GridPoint(100, 0.1, clusters=0.8)),
        2000,
        300,
    ),
    CoverageTrial(
        "Clopper-Pearson, linearised",
        clustered,
        tuple(point for point in CLUSTER_GRID if point.n * point.truth < 10),
        (GridPoint(30, 0.1, clusters=0.3), GridPoint(100, 0.02, clusters=0.3)),
        2000,
        300,
    ),
)
