"""Trials of verdicts at the most difficult truth, and of intervals after a sequential test or a selection.

Coverage of a verdict is the share of runs without a wrong verdict.
"""

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import polars as pl

from bartizan.analyses.experiments.sequential import NO, YES, Hypothesis, after_the_test, log_likelihood_ratio
from bartizan.analyses.experiments.tuning import ABOVE, BELOW, ON, SHARE_MARGIN, WIN_RATE, Target
from bartizan.analyses.records.claims import INCONCLUSIVE, judge
from bartizan.analyses.statistics.intervals import Interval, mean_of, proportion
from bartizan.analyses.statistics.latent_skill import mid_p
from bartizan.analyses.statistics.paired import Effect, Estimate, Measure, Values, adjust, with_traces
from bartizan.analyses.statistics.testing import binomial, equivalent_to_known, holm
from bartizan.analyses.validation.models import SCALE_GRID, scales
from bartizan.analyses.validation.shares import likely
from bartizan.analyses.validation.trial import CoverageTrial, GridPoint, MeasuredCoverage, counted, covers

ALPHA = 0.05

# ---------------------------------------------------------------- a target of tune


def target_verdict(point: GridPoint, *_: object) -> MeasuredCoverage:
    """Exact trial of the verdict on a target. A hit is wrong at the edge of the margin and beyond.

    Inside the margin, a miss is wrong. case: distance of the truth from the target number, in percentage
    points.
    """
    away = float(point.case.split()[0]) / 100
    truth, target = point.truth + away, Target(WIN_RATE, point.truth, point.truth, margin=SHARE_MARGIN)
    wrong = (ON,) if abs(away) >= SHARE_MARGIN else (BELOW, ABOVE)
    wins, chance = likely(point.n, truth)
    held = [target.result(proportion(int(count), point.n)) not in wrong for count in wins]
    return MeasuredCoverage(float(chance @ np.array(held)), 0.0, 0)


HITS = tuple(
    GridPoint(n, p, case=f"{away} pp from the number")
    for n in (100, 1000, 20_000, 40_000)
    for p in (0.05, 0.3, 0.5)
    for away in (-1, 0, 0.5, 1, 5)
)

# ---------------------------------------------------------------- claims of a plan

BAND = (0.35, 0.45)


def sweep_of(cells: list[np.ndarray], claims: list[dict[str, Any]]) -> SimpleNamespace:
    """Return a sweep in memory, with one cell per array of winners."""
    return SimpleNamespace(
        folder=Path("made up"),
        manifest={"claims": claims, "precision": None, "level": 0.95, "seed": 1},
        cells=[_cell(number, winners) for number, winners in enumerate(cells)],
    )


def _cell(number: int, winners: np.ndarray) -> SimpleNamespace:
    frame = pl.LazyFrame({"game": np.arange(len(winners)), "winner": winners.astype(np.int8)})
    return SimpleNamespace(
        id=f"cell{number}",
        difficulty=f"level{number}",
        scenario="s",
        set={},
        policies=[{"role": "player", "name": "p"}],
        labels={},
        cause_column=None,
        tiers={},
        end_reasons={},
        columns={},
        assumed=0,
        scan=lambda: frame,
    )


def claimed(point: GridPoint, replicates: int, random: np.random.Generator) -> MeasuredCoverage:
    """Trial of claims whose truth is the edge of their band, where neither PASS nor FAIL is right."""
    tables = [{"band": list(BAND), "difficulty": f"level{number}"} for number in range(point.of)]

    def one() -> tuple[bool, float]:
        cells = [np.where(random.random(point.n) < point.truth, 0, -3) for _ in range(point.of)]
        return all(one.verdict == INCONCLUSIVE for one in judge(sweep_of(cells, tables))), 0.0

    return counted(one() for _ in range(replicates))


# ---------------------------------------------------------------- the sequential test

VALUES, START = with_traces([], [], (-1.0, 1.0))
LIMIT, EVERY = 40, 512  # number of looks, pairs between two looks


def played_out(
    claim: Hypothesis, point: GridPoint, replicates: int, random: np.random.Generator
) -> Iterator[tuple[str, np.ndarray]]:
    """Yield (verdict, counts of pairs by value) for each run at its stop."""
    differ = point.clusters
    shares = [(differ - point.truth) / 2, 1 - differ, (differ + point.truth) / 2]
    counts = random.multinomial(EVERY, shares, (replicates, LIMIT)).cumsum(axis=1)
    seen = np.maximum(counts, START)
    ratios = log_likelihood_ratio(VALUES, seen, *claim.means)
    no, yes = claim.bounds
    done = (ratios <= no) | (ratios >= yes)
    last = np.where(done.any(axis=1), done.argmax(axis=1), LIMIT - 1)
    for run, look in enumerate(last):
        ratio = ratios[run, look]
        yield YES if ratio >= yes else NO if ratio <= no else "", seen[run, look]


CLAIM = Hypothesis("B - A > 2pp", 1, 0.02, 0.01, ALPHA, ALPHA)


def answered(point: GridPoint, replicates: int, random: np.random.Generator) -> MeasuredCoverage:
    """Trial of a verdict one margin away from the threshold, where errors are most frequent."""
    wrong = YES if point.truth < CLAIM.threshold else NO
    return counted((answer != wrong, 0.0) for answer, _ in played_out(CLAIM, point, replicates, random))


def after_stopping(point: GridPoint, replicates: int, random: np.random.Generator) -> MeasuredCoverage:
    """Trial of the interval of the difference after a test has stopped."""

    def one(answer: str, counts: np.ndarray) -> tuple[bool, float]:
        found: Interval = after_the_test(VALUES, counts, CLAIM, EVERY, answer)
        return covers(found, point.truth), found.high - found.low

    return counted(one(*end) for end in played_out(CLAIM, point, replicates, random))


STOPPED = tuple(
    GridPoint(LIMIT * EVERY, truth, clusters=differ, looks=LIMIT)
    for truth in (0.01, 0.02, 0.03)
    for differ in (0.05, 0.2, 0.6)
)

# ------------------------------------------------------------ many comparisons

WINS = Measure("seat", "wins", pl.col("won"), pl.col("won"), (0.0, 1.0))


def differences(point: GridPoint, random: np.random.Generator) -> list[Estimate]:
    """Return paired differences of games without an effect. clusters: share of pairs with equal results."""
    half = (1 - point.clusters) / 2
    counts = random.multinomial(point.n, [half, point.clusters, half], point.of)
    found = []
    for row in counts:
        kept = row > 0
        values = np.array([-1.0, 0.0, 1.0])[kept]
        found.append(Values(values, values, row[kept].astype(float), (-1.0, 1.0)).estimate(0.95))
    return found


def shown_as_clear(point: GridPoint, replicates: int, random: np.random.Generator) -> MeasuredCoverage:
    """Trial of comparisons without any effect. A run is right if no result is shown as significant."""

    def one() -> tuple[bool, float]:
        estimates = differences(point, random)
        same = proportion(point.n // 2, point.n)
        effects = [Effect(WINS, one, one, one, None, same) for one in estimates]
        return not any(effect.is_significant for effect in adjust(effects)), 0.0

    return counted(one() for _ in range(replicates))


def shown_as_different(point: GridPoint, replicates: int, random: np.random.Generator) -> MeasuredCoverage:
    """Trial of comparisons without any effect.

    A run is right if no p-value adjusted by Holm is significant.
    """

    def one() -> tuple[bool, float]:
        return min(holm([one.p for one in differences(point, random)])) >= ALPHA, 0.0

    return counted(one() for _ in range(replicates))


FAMILIES = tuple(
    GridPoint(n, clusters=alike, of=of) for n in (400, 4000) for alike in (0.6, 0.99) for of in (1, 5, 20)
)

# ---------------------------------------------------------------- people


def equal(point: GridPoint, *_: object) -> MeasuredCoverage:
    """Exact trial of people whose win rate differs from the policies' by the margin.

    The verdict "equal" is wrong.
    """
    margin = 0.1
    rates = [rate for rate in (point.truth - margin, point.truth + margin) if 0 < rate < 1]
    called = np.array(
        [max(equivalent_to_known(wins, point.n, point.truth, margin)) < ALPHA for wins in range(point.n + 1)]
    )
    wrong = max(float(shares @ called) for shares in binomial(point.n, np.array(rates)))
    return MeasuredCoverage(1 - wrong, 0.0, 0)


def explained(point: GridPoint, replicates: int, random: np.random.Generator) -> MeasuredCoverage:
    """Trial of plays from the same source as the groups with which they are compared.

    A run is right if no adjusted check finds a difference.
    """

    def one() -> tuple[bool, float]:
        p = []
        for _ in range(point.of):
            drawn = random.binomial(point.n, point.truth, 501)
            p.append(mid_p(drawn[1:], drawn[0]))
        return min(holm(p)) >= ALPHA, 0.0

    return counted(one() for _ in range(replicates))


def fits(point: GridPoint, replicates: int, random: np.random.Generator) -> MeasuredCoverage:
    """Trial of data that fit the scale. A run is right if the overall test does not reject the fit."""
    return counted((scale.p is None or scale.p >= ALPHA, 0.0) for scale in scales(point, replicates, random))


# --------------------------------------------------------------- the best of several candidates


def best_again(point: GridPoint, replicates: int, random: np.random.Generator) -> MeasuredCoverage:
    """Trial of the best candidate of a search, measured again in held-out games."""

    def one() -> tuple[bool, float]:
        true = point.truth + random.normal(0, 0.02, point.of)
        found = random.binomial(point.n, true)
        chosen = float(true[found.argmax()])
        again = mean_of((random.random(point.n) < chosen).astype(float)).interval()
        return covers(again, chosen), again.high - again.low if again else 0.0

    return counted(one() for _ in range(replicates))


# ---------------------------------------------------------------- the trials

TRIALS = (
    CoverageTrial(
        "claims",
        claimed,
        tuple(
            GridPoint(n, edge, of=of, case="on the edge of the band")
            for n in (200, 2000)
            for edge in BAND
            for of in (1, 5, 20)
        ),
        (GridPoint(2000, 0.35, of=1, case="on the edge of the band"),),
        400,
        100,
    ),
    CoverageTrial(
        "sequential test",
        answered,
        tuple(point for point in STOPPED if point.truth != CLAIM.threshold),
        (STOPPED[1], STOPPED[7]),
        2000,
        300,
    ),
    CoverageTrial("median-unbiased, stage-wise order", after_stopping, STOPPED, (STOPPED[4],), 100, 40),
    CoverageTrial("Benjamini-Hochberg", shown_as_clear, FAMILIES, (FAMILIES[1], FAMILIES[7]), 1000, 150),
    CoverageTrial("Holm", shown_as_different, FAMILIES, (FAMILIES[1], FAMILIES[7]), 1000, 150),
    CoverageTrial(
        "exact binomial TOST",
        equal,
        tuple(GridPoint(n, p) for n in (20, 100, 400, 2000) for p in (0.05, 0.2, 0.5, 0.9)),
        tuple(GridPoint(n, p) for n in (100, 400) for p in (0.2, 0.5)),
    ),
    CoverageTrial(
        "mid-p of draws",
        explained,
        tuple(GridPoint(n, p, of=of) for n in (5, 50) for p in (0.05, 0.4) for of in (1, 4, 10)),
        (GridPoint(50, 0.4, of=1), GridPoint(50, 0.4, of=4)),
        1000,
        200,
    ),
    CoverageTrial("hit of a target", target_verdict, HITS, HITS[15:30]),
    CoverageTrial("Hotelling test", fits, SCALE_GRID, (GridPoint(200, clusters=0.9),), 120, 40),
    CoverageTrial(
        "Student t",
        best_again,
        tuple(GridPoint(1000, p, of=of) for p in (0.1, 0.5) for of in (2, 5, 20)),
        (GridPoint(1000, 0.5, of=20),),
        about="the best of several, measured again",
    ),
)
