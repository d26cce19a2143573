"""Trials of models and experiments: skill, effort, sensitivity, values of games, and rare events.

Synthetic data follow the model that the method assumes, unless the case specifies another one.
"""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import numpy as np

from bartizan.analyses.experiments.rare import PlainCount, chance_of, summarize
from bartizan.analyses.people.checks import predicted
from bartizan.analyses.statistics import latent_skill, rasch, sobol, special
from bartizan.analyses.statistics.effort import extrapolated
from bartizan.analyses.statistics.intervals import Interval, clopper_pearson
from bartizan.analyses.statistics.latent_skill import TableResult, interval_of
from bartizan.analyses.statistics.rasch import Contest, Fit
from bartizan.analyses.validation.trial import (
    CoverageTrial,
    GridPoint,
    MeasuredCoverage,
    counted,
    covers,
    of_intervals,
)
from bartizan.simcore.play.splitting import Replicate, SplitStage

# ---------------------------------------------------------------- skill and difficulty on one scale

SKILLS = {"weak": -1.5, "fair": 0.0, "good": 0.9, "best": 1.6}
LEVELS = {"easy": 0.0, "plain": 0.7, "hard": 1.9}
EASY = [("level", "easy")]


def contests(games: int, shared: float, random: np.random.Generator) -> list[Contest]:
    """Return games of every policy at every level.

    shared: share of each cell's games that use the common random numbers.
    """
    common = random.random(games)
    cells = []
    for policy, skill in SKILLS.items():
        for level, difficulty in LEVELS.items():
            luck = np.where(random.random(games) < shared, common, random.random(games))
            won = (luck < special.expit(skill - difficulty)).astype(float)
            cells.append(Contest({("policy", policy): 1.0, ("level", level): -1.0}, won))
    return cells


def scales(point: GridPoint, replicates: int, random: np.random.Generator) -> Iterator[Fit]:
    for seed in range(replicates):
        yield rasch.fit(contests(point.n, point.clusters, random), EASY, seed)


def on_the_scale(point: GridPoint, replicates: int, random: np.random.Generator) -> MeasuredCoverage:
    """Trial of places on the scale.

    Returns the mean coverage for the weakest policy, the difference between the best and the fair policy, and
    the hardest level.
    """
    asked = [
        (("policy", "weak"), None, SKILLS["weak"]),
        (("policy", "best"), ("policy", "fair"), SKILLS["best"] - SKILLS["fair"]),
        (("level", "hard"), None, LEVELS["hard"]),
    ]

    def one(scale: Fit) -> Iterator[tuple[bool, float]]:
        for entity, other, true in asked:
            if {entity, other} - {None} <= set(scale.entities):
                found = scale.interval(entity, other)
                yield covers(found, true), found.high - found.low

    found = [result for scale in scales(point, replicates, random) for result in one(scale)]
    share = counted(found)
    return replace(share, replicates=replicates)  # the three intervals of a replicate are dependent


SCALE_GRID = tuple(GridPoint(n, clusters=shared) for n in (50, 200, 1000) for shared in (0.0, 0.9))

# ----------------------------------------------------------------------- extrapolation of a win rate


def led_to(point: GridPoint, replicates: int, random: np.random.Generator) -> MeasuredCoverage:
    """Trial of the extrapolation of win rates c - a r^k after k doublings.

    Games partly share random numbers.
    """
    end, points = point.truth, 6
    fall = {"flat": 0.4, "rising": 0.8}[point.case]
    doublings = np.arange(points)
    shares = end - 0.5 * end * fall**doublings

    def one() -> Interval | None:
        common = random.normal(size=point.n)
        own = np.sqrt(1 - point.clusters) * random.normal(size=(points, point.n))
        luck = special.ndtr(np.sqrt(point.clusters) * common + own)
        return extrapolated(doublings, list((luck < shares[:, None]).astype(float)))

    return of_intervals((one() for _ in range(replicates)), end)


# ---------------------------------------------------------------- skill of people

DIFFICULTY = np.array([0.0, 1.1, 2.2])
TESTERS = {"5 testers": 5, "10 testers": 10, "30 testers": 30}


def of_people(
    drawn: bool, point: GridPoint, replicates: int, random: np.random.Generator
) -> MeasuredCoverage:
    """Trial of the estimated skill of a group of testers.

    The mean skill (within half a logit of `truth`) and its spread are redrawn for each replicate, because a
    credible interval has its coverage on average over skills, not at each skill. drawn: estimate the win rate
    of these people at the hardest level, from draws; otherwise the mean skill.
    """
    testers = TESTERS[point.case]

    def one() -> tuple[bool, float]:
        centre, spread = point.truth + random.uniform(-0.5, 0.5), random.uniform(0.2, 1.4)
        skills = centre + spread * random.standard_normal(testers)
        who, at = np.arange(point.n) % testers, random.integers(len(DIFFICULTY), size=point.n)
        won = random.random(point.n) < special.expit(skills[who] - DIFFICULTY[at])
        counts: dict[tuple[int, int], list[int]] = {}
        for person, level, win in zip(who.tolist(), at.tolist(), won.tolist(), strict=True):
            count = counts.setdefault((person, level), [0, 0])
            count[0], count[1] = count[0] + 1, count[1] + win
        tables = [TableResult((str(person),), level, *n) for (person, level), n in counts.items()]
        found = latent_skill.fit(tables, -DIFFICULTY)
        if not drawn:
            interval, true = found.interval("mu"), centre
        else:
            draws = found.draw(1, 1000)
            mine = skills[[int(name) for name in draws.people]]
            interval, true = interval_of(draws.of_these(2)), special.expit(mine - DIFFICULTY[2]).mean()
        return covers(interval, true), interval.high - interval.low

    return counted(one() for _ in range(replicates))


# from people who win one game in twelve at the easiest level to people who lose one in twelve
PEOPLE_GRID = tuple(
    GridPoint(plays, skill, case=who)
    for plays in (10, 100)
    for who in TESTERS
    for skill in (-2.0, -1.0, 0.0, 1.0, 2.0, 2.5)
)


def groups(point: GridPoint, replicates: int, random: np.random.Generator) -> MeasuredCoverage:
    """Trial of the comparison of plays with groups of policies, where the plays come from the same policies.

    An interval is right if it contains the observed value.
    """

    def numbers(size: int) -> np.ndarray:
        return (
            random.binomial(point.n, point.truth, size)
            if point.case == "counts"
            else random.gamma(4, 5, (size, point.n)).mean(axis=1)
        )

    def one() -> tuple[bool, float]:
        found, seen = predicted(numbers(500)), float(numbers(1)[0])
        return found.low <= seen <= found.high, found.high - found.low

    return counted(one() for _ in range(replicates))


# ---------------------------------------------------------------- sensitivity


def table_of(case: str) -> np.ndarray:
    """Return the values of a function of three inputs with two, three and three levels: [2, 3, 3]."""
    a, b, c = np.meshgrid([0.0, 1.0], [0.0, 1.0, 2.0], [0.0, 1.0, 2.0], indexing="ij")
    return a + 0.5 * b if case == "additive" else a * b + 0.3 * c


def exact_indices(values: np.ndarray) -> tuple[list[float], list[float]]:
    """Return first-order and total indices, by enumeration."""
    whole, axes = values.var(), range(values.ndim)

    def explained(keep: set[int]) -> float:
        return float(values.mean(axis=tuple(axis for axis in axes if axis not in keep)).var() / whole)

    every = set(axes)
    return [explained({i}) for i in axes], [1 - explained(every - {i}) for i in axes]


def exact_pairs(values: np.ndarray) -> list[float]:
    """Return the superset importance of each pair of three inputs, by enumeration."""
    every, whole = range(values.ndim), values.var()

    def unexplained(without: set[int]) -> float:
        return 1 - float(values.mean(axis=tuple(without)).var() / whole)

    return [unexplained({i}) + unexplained({k}) - unexplained({i, k}) for i in every for k in every if i < k]


def indices(total: bool, point: GridPoint, replicates: int, random: np.random.Generator) -> MeasuredCoverage:
    """Trial of the simultaneous intervals of all inputs' indices.

    Each value is a mean of 8 noisy games on common random numbers.
    """
    values = table_of(point.case)
    design, true = sobol.Design(values.shape), exact_indices(values)[total]

    def one() -> tuple[bool, float]:
        rows = []
        for _ in range(point.n):
            setting = design.draw(random)
            at = np.array([values[which] for which in design.points(setting)])[:, None]
            luck = random.normal(size=(1, 8)) + random.normal(size=(len(at), 8))
            rows.append(sobol.row(design, setting, at + luck * 0.7))
        found = sobol.analyze(design, rows, (values.min(), values.max()))
        indices = [effect.total if total else effect.alone for effect in found.effects]
        # without a significant total variance, there are no indices
        if any(index is None for index in indices):
            return True, 1.0
        right = all(covers(index, share) for index, share in zip(indices, true, strict=True))
        return right, max(index.high - index.low for index in indices if index)

    return counted(one() for _ in range(replicates))


def unmoved(point: GridPoint, replicates: int, random: np.random.Generator) -> MeasuredCoverage:
    """Trial of an input that matters in only one cell, with the greatest possible effect.

    Only the indices for which the observed data have no variation are judged. Each value is a share of 8
    games on common random numbers. case: the number of cells.
    """
    size = round(np.sqrt(int(point.case.split()[-2])))
    a, b, c = np.meshgrid(np.arange(size), np.arange(size), np.arange(2), indexing="ij")
    values = np.where((a == 0) & (b == 0), c, (b % 2) * 1.0)
    design, (first, total) = sobol.Design(values.shape), exact_indices(values)
    together = exact_pairs(values)

    def one() -> tuple[bool, float]:
        rows = []
        for _ in range(point.n):
            setting = design.draw(random)
            chance = np.array([values[which] for which in design.points(setting)])[:, None]
            rows.append(sobol.row(design, setting, (random.random((1, 8)) < chance).astype(float)))
        found = sobol.analyze(design, rows, (0.0, 1.0))
        pairs = [
            *zip([effect.alone for effect in found.effects], first, strict=True),
            *zip([effect.total for effect in found.effects], total, strict=True),
            *zip(found.pairs.values(), together, strict=True),
        ]
        asked = [(index, share) for index, share in pairs if index and index.method == sobol.NEVER]
        right = all(covers(index, share) for index, share in asked)
        return right, max((index.high - index.low for index, _ in asked), default=0.0)

    return counted(one() for _ in range(replicates))


UNMOVED = tuple(GridPoint(n, case=f"one of {cells} cells") for n in (20, 60) for cells in (25, 100))
SOBOL_GRID = tuple(GridPoint(n, case=case) for n in (20, 40, 200) for case in ("additive", "interacting"))

# ---------------------------------------------------------------- rare events


def split(point: GridPoint, replicates: int, random: np.random.Generator) -> MeasuredCoverage:
    """Trial of fixed-effort splitting through levels, each reached by one in four trajectories.

    n: trajectories per stage. of: levels. clusters: variation between the entrance states of a stage.
    """
    passed, runs, levels = 0.25, int(point.case.split()[0]), point.of
    plain = PlainCount(games=10, seen=0, decisions=10, capped=0, chance=clopper_pearson(0, 10))

    def replicate() -> Replicate:
        stages: list[SplitStage] = []
        for level in range(1, levels + 1):
            share = passed
            if point.clusters:  # simulates few good entrance states
                weight = (1 - point.clusters) / point.clusters * 10
                share = random.beta(passed * weight, (1 - passed) * weight)
            reached = int(random.binomial(point.n, share))
            stages.append(SplitStage(level, point.n, reached, point.n, 0))
            if not reached:
                break
        return Replicate(tuple(stages), levels)

    def one() -> Interval:
        return summarize("event", [replicate() for _ in range(runs)], point.n, 1, plain).chance

    return of_intervals((one() for _ in range(replicates)), passed**levels)


def scarce(point: GridPoint, replicates: int, random: np.random.Generator) -> MeasuredCoverage:
    """Trial of stages that are hard to pass, so that the event occurs in few replicates or none.

    truth: mean probability of passing a stage. clusters: coefficient of variation of this probability.
    """
    runs, levels = int(point.case.split()[0]), point.of
    none = PlainCount(games=1, seen=0, decisions=1, capped=0, chance=clopper_pearson(0, 1))

    def one() -> Interval:
        how = (random, point.n, levels, point.truth, point.clusters)
        return chance_of([scarce_replicate(*how) for _ in range(runs)], none)

    return of_intervals((one() for _ in range(replicates)), point.truth**levels)


def scarce_replicate(
    random: np.random.Generator, trajectories: int, steps: int, share: float, spread: float
) -> Replicate:
    """Return a replicate that passes each step with mean probability `share`.

    spread: coefficient of variation of this probability, which has a gamma distribution.
    """
    stages: list[SplitStage] = []
    for level in range(1, steps + 1):
        chance = min(random.gamma(1 / spread**2, share * spread**2), 1.0) if spread else share
        reached = int(random.binomial(trajectories, chance))
        stages.append(SplitStage(level, trajectories, reached, trajectories, 0))
        if not reached:
            break
    return Replicate(tuple(stages), steps)


SCARCE = {
    "gamma (Fay-Feuer) and Student t over N replicates": ((20, 4, 0.1, 0.0), (100, 3, 0.2, 0.5)),
    "Clopper-Pearson of plain games": ((500, 2, 0.001, 0.0), (50, 3, 0.03, 0.5), (50, 4, 0.03, 0.7)),
}
SPLIT_GRID = tuple(
    GridPoint(n, of=levels, case=f"{runs} replicates", clusters=alike)
    for n in (50, 500)
    for levels in (3, 8)
    for runs in (10, 30)
    for alike in (0.0, 0.1)
)

# ---------------------------------------------------------------- the trials

TRIALS = (
    CoverageTrial(
        "bootstrap over blocks of games, percentile",
        on_the_scale,
        SCALE_GRID,
        (GridPoint(200, clusters=0.9),),
        120,
        40,
    ),
    CoverageTrial(
        "extrapolated: c - a r^k, profile likelihood",
        led_to,
        tuple(
            GridPoint(n, end, clusters=shared, case=case)
            for n in (50, 200, 1000)
            for end in (0.3, 0.8)
            for shared in (0.0, 0.5)
            for case in ("flat", "rising")
        ),
        (GridPoint(200, 0.3, clusters=0.5, case="flat"), GridPoint(200, 0.8, clusters=0.5, case="rising")),
        200,
        60,
    ),
    *(
        CoverageTrial(
            name, partial(of_people, drawn), PEOPLE_GRID, (GridPoint(30, 0.5, case="10 testers"),), 100, 50
        )
        for name, drawn in (
            ("posterior, Gauss-Hermite quadrature on a grid", False),
            ("posterior, N draws", True),
        )
    ),
    CoverageTrial(
        "N groups drawn",
        groups,
        tuple(
            GridPoint(n, p, case=case)
            for n in (3, 10, 50)
            for p in (0.05, 0.3, 0.5)
            for case in ("counts", "means")
        ),
        (GridPoint(10, 0.3, case="counts"), GridPoint(10, 0.3, case="means")),
    ),
    *(
        CoverageTrial(
            name, partial(indices, total), SOBOL_GRID, (GridPoint(40, case="interacting"),), 100, 30
        )
        for name, total in (("bootstrap ball of the level means", False), ("bootstrap BCa", True))
    ),
    CoverageTrial("no value moved", unmoved, UNMOVED, UNMOVED[:1], 60, 20),
    CoverageTrial(
        "Student t over N replicates",
        split,
        SPLIT_GRID,
        (GridPoint(500, of=3, case="30 replicates"), GridPoint(500, of=8, case="30 replicates")),
        1000,
        200,
    ),
    *(
        CoverageTrial(
            name,
            scarce,
            tuple(
                GridPoint(n, share, clusters=spread, of=levels, case=f"{runs} replicates")
                for n, levels, share, spread in grid
                for runs in (5, 30)
            ),
            tuple(
                GridPoint(n, share, clusters=spread, of=levels, case="5 replicates")
                for n, levels, share, spread in grid
            ),
            1000,
            200,
        )
        for name, grid in SCARCE.items()
    ),
)
