"""Probability of a rare event: fixed-effort multilevel splitting, compared with plain Monte Carlo.

A progress function of the game divides the path to the event into stages. The product of the shares that pass
each stage is an unbiased estimate of the probability, for any progress function (Garvels, The splitting
method in rare event simulation, 2000). With a good function, the estimate is precise; with a poor one,
replicates die out or vary widely. Stages are not independent, so the interval is based on whole replicates,
each with its own random numbers or, if few of them saw the event, on counts of complete games (`chance_of`).
A replicate that dies out counts as 0. Levels are chosen in a pilot with another seed, because choosing them
on the same games would bias the estimate.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from math import sqrt

import numpy as np
from pydantic import Field

from bartizan.analyses.document import Document, optional
from bartizan.analyses.experiments.ceiling import METHOD as EXACT_METHOD
from bartizan.analyses.experiments.ceiling import bounds
from bartizan.analyses.statistics import special
from bartizan.analyses.statistics.intervals import Interval, clopper_pearson, equal_values, student_t
from bartizan.simcore.play.exact import event_space
from bartizan.simcore.play.match import Jobs
from bartizan.simcore.play.splitting import Replicate, SplitStage, Splitting, pick
from bartizan.simcore.play.state_space import Unlisted
from bartizan.simcore.reporting import CONFIDENCE

# values of progress are merged into one stage while at least this share of trajectories reaches them
LEAST = 0.2
LEAST_EXACT = 1e-12  # probabilities down to this value are exact to nine digits
SKEWED = 1.0  # skewness of the replicates from which the interval is called rough
STEADY = 4  # effective events per replicate from which Student's t has its nominal coverage
FEW_EVENTS = 10  # with fewer events over all replicates, the upper limit is that of a count
COUNTED = "Clopper-Pearson of plain games"
SEEN = 10  # events in plain games from which the two estimates are compared
PILOT = 2**62  # difference between the seed and the seed of its pilot
FIRST_LOOK = 512  # plain games that measure the length of a game
METHOD = (
    "fixed-effort multilevel splitting (Garvels 2000): levels chosen on a pilot of another seed; estimate: "
    "mean over replicates of the product of the stages' shares, 0 for one "
    "that died out; interval: Student's t over replicates; if they scatter, the wider of it and the gamma "
    "interval (Fay & Feuer 1997); if few saw the event, the upper limit is that of Clopper-Pearson for the "
    "initial games; "
    "plain Monte Carlo: Clopper-Pearson"
)


class RareStage(Document):
    """One stage, all replicates combined."""

    level: int  # progress that the stage leads to
    replicates: int  # replicates that reached the stage
    trajectories: int
    reached: int
    share: float  # share of the trajectories that pass
    decisions: int


class PlainCount(Document):
    """The same event counted in complete games."""

    games: int
    seen: int
    decisions: int
    capped: int
    chance: Interval


class ExactChance(Document):
    """Probability computed from all states of a small game: lower and upper limits by value iteration."""

    chance: Interval
    states: int


class RareEvent(Document):
    """Estimated probability of a rare event, a count in plain games and, for small games, the exact value."""

    event: str
    exact: ExactChance | None = optional()
    not_exact: str | None = optional()  # reason why no exact value is computed
    chance: Interval  # see `chance_of`
    se: float | None
    replicates: int
    extinct: int  # replicates that died out
    skewness: float | None  # skewness of the replicates
    is_rough: bool  # whether the interval is rough because of skewness or few events
    trajectories: int  # trajectories per stage
    stages: list[RareStage]
    decisions: int  # including those of the pilot
    capped: int  # truncated trajectories, which count as not reaching the event
    plain_count: PlainCount = Field(alias="plain")
    # test of the difference of the two estimates; None if plain games had too few events
    standard_errors_apart: float | None
    plain_games_for_this_precision: float | None
    gain: float | None  # factor by which plain games would need more decisions for the same standard error
    method: str = METHOD


def analyze(
    splitting: Splitting,
    trajectories: int = 500,
    replicates: int = 30,
    games: int | None = None,
    merge: bool = True,
    jobs: Jobs = 1,
) -> RareEvent:
    """Estimate the probability of the event.

    games: number of plain games (default: enough games for the same number of decisions as the splitting).
    merge: choose levels in a pilot; otherwise every value of progress is a level.
    """
    levels, spent = (
        choose_levels(splitting, trajectories, jobs) if merge else (tuple(range(1, splitting.top + 1)), 0)
    )
    runs = list(splitting.replicates(levels, trajectories, replicates, jobs))
    decisions = spent + sum(stage.plies for run in runs for stage in run.stages)
    plain = play_plain(splitting, games, decisions, replicates * trajectories, jobs)
    found = summarize(splitting.name, runs, trajectories, decisions, plain)
    return found.model_copy(update=exact_chance(splitting))


def exact_chance(splitting: Splitting) -> dict[str, ExactChance | str]:
    """Return the exact probability, or the reason why it is not computed, as a field of the result."""
    try:
        space = event_space(splitting.match, splitting.name)
    except Unlisted as error:
        return {"not_exact": str(error)}
    low, high = bounds(space, LEAST_EXACT)
    chance = Interval((low + high) / 2, low, high, 1.0, EXACT_METHOD)
    return {"exact": ExactChance(chance=chance, states=len(space.first))}


def choose_levels(splitting: Splitting, trajectories: int, jobs: Jobs = 1) -> tuple[tuple[int, ...], int]:
    """Return the levels, and the number of decisions simulated to choose them.

    Each level is the highest value of progress that at least a share LEAST of the pilot's trajectories
    reaches or, without such a value, the next that any trajectory reaches. If the pilot dies out, every
    further value is a level.
    """
    seed = (splitting.match.seed + PILOT) % 2**63
    pilot = replace(splitting, match=replace(splitting.match, seed=seed))
    choice = np.random.default_rng(seed)
    levels: list[int] = []
    spent, games, now = 0, pilot.start(), 0
    while now < pilot.top:
        picks = pick(games.n, trajectories, choice)
        stage, _, best = pilot.stage_by(jobs, games, picks, pilot.top)
        spent += stage.plies
        beyond = np.unique(np.minimum(best[best > now], pilot.top))
        if not len(beyond):
            return (*levels, *range(now + 1, pilot.top + 1)), spent
        shares = np.array([(best >= value).mean() for value in beyond])
        now = int(beyond[max(int((shares >= LEAST).sum()) - 1, 0)])
        # repeat the same trajectories and stop them at this level
        stage, games, _ = pilot.stage_by(jobs, games, picks, now)
        spent += stage.plies
        levels.append(now)
    return tuple(levels), spent


def play_plain(
    splitting: Splitting, games: int | None, plies: int, first_game: int, jobs: Jobs
) -> PlainCount:
    """Count the event in plain games, which are independent of the splitting.

    games: the number of games; None: enough games for about `plies` decisions, but at least FIRST_LOOK.
    """
    if games is None:
        look = total(splitting.plain(range(first_game, first_game + FIRST_LOOK), jobs))
        games = max(FIRST_LOOK, round(plies * FIRST_LOOK / max(look.plies, 1)))
    count = total(splitting.plain(range(first_game, first_game + games), jobs))
    return PlainCount(
        games=games,
        seen=count.reached,
        decisions=count.plies,
        capped=count.truncated,
        chance=clopper_pearson(count.reached, games),
    )


def total(stages: Iterable[SplitStage]) -> SplitStage:
    """Return the sums of stages at one level."""
    stages, names = list(stages), ("trajectories", "reached", "plies", "truncated")
    return SplitStage(stages[0].level, *(sum(getattr(stage, name) for stage in stages) for name in names))


def summarize(
    name: str, runs: Sequence[Replicate], trajectories: int, decisions: int, plain: PlainCount
) -> RareEvent:
    estimates = np.array([run.estimate for run in runs])
    mean, spread = float(estimates.mean()), float(estimates.std(ddof=1))
    stages = list(_stages(runs))
    se = spread / sqrt(len(runs)) if mean else None
    chance = chance_of(runs, plain)
    skewness = float(((estimates - mean) ** 3).mean() / estimates.std() ** 3) if spread > 0 else None
    plain_games = mean * (1 - mean) / se**2 if se else None
    return RareEvent(
        event=name,
        chance=chance,
        se=se,
        replicates=len(runs),
        extinct=int((estimates == 0).sum()),
        skewness=skewness,
        is_rough=chance.method.startswith(COUNTED) or (skewness is not None and skewness > SKEWED),
        trajectories=trajectories,
        stages=stages,
        decisions=decisions,
        capped=sum(stage.truncated for run in runs for stage in run.stages),
        plain=plain,
        standard_errors_apart=_apart(mean, se, plain),
        plain_games_for_this_precision=plain_games,
        gain=plain_games * plain.decisions / plain.games / decisions if plain_games else None,
    )


def _apart(mean: float, se: float | None, plain: PlainCount) -> float | None:
    if se is None or plain.seen < SEEN or plain.seen == plain.games:
        return None
    p = plain.chance.estimate
    return (mean - p) / sqrt(se**2 + p * (1 - p) / plain.games)


def student(mean: float, se: float, n: int) -> Interval:
    """Return Student's t interval of a mean over `n` replicates, clipped to 0..1."""
    interval = student_t(mean, se, n)
    low, high = max(interval.low, 0.0), min(interval.high, 1.0)
    return replace(interval, low=low, high=high, method=f"Student t over {n} replicates")


def _stages(runs: Sequence[Replicate]) -> Iterator[RareStage]:
    for index in range(max(len(run.stages) for run in runs)):
        played = [run.stages[index] for run in runs if len(run.stages) > index]
        stage = total(played)
        yield RareStage(
            level=stage.level,
            replicates=len(played),
            trajectories=stage.trajectories,
            reached=stage.reached,
            share=stage.reached / stage.trajectories,
            decisions=stage.plies,
        )


def chance_of(runs: Sequence[Replicate], plain: PlainCount) -> Interval:
    """Return the mean over replicates with its interval; `upper_limit` if no replicate had the event.

    The effective number of events is the squared mean divided by its variance; for simply counted events, it
    is their number (Fay & Feuer 1997). If replicates vary little, the interval is Student's t. For skewed
    replicates, t covers only 71 to 92 % and is biased downward. Then the interval is the wider of t and the
    gamma interval; with fewer than FEW_EVENTS events, its upper limit is that of `counted`.
    """
    estimates = np.array([run.estimate for run in runs])
    mean, n = float(estimates.mean()), len(runs)
    if not mean:
        return upper_limit(runs, plain)
    variance = float(estimates.var(ddof=1)) / n
    if variance == 0:  # for example, if every trajectory reaches the event
        return equal_values(mean, n, mean, 1 - mean)
    interval = student(mean, sqrt(variance), n)
    events = mean**2 / variance
    if events >= STEADY * n:
        return interval
    low, high = gamma_limits(mean, variance, float(estimates.max()) / n)
    low, high = min(low, interval.low), min(max(high, interval.high), 1.0)
    if events < FEW_EVENTS:
        high, method = max(counted(runs, plain, CONFIDENCE).high, mean), f"{COUNTED}, few replicates saw it"
    else:
        method = f"gamma (Fay-Feuer) and Student t over {n} replicates"
    return replace(interval, low=low, high=high, method=method)


def gamma_limits(total: float, variance: float, largest: float) -> tuple[float, float]:
    """Return 95 % limits of a weighted sum of Poisson counts (Fay & Feuer 1997, Statistics in Medicine 16).

    largest: the weight of one more event.
    """
    tail = (1 - CONFIDENCE) / 2
    low = variance / total * float(special.gammaincinv(total**2 / variance, tail))
    total, variance = total + largest, variance + largest**2
    return low, variance / total * float(special.gammaincinv(total**2 / variance, 1 - tail))


def upper_limit(runs: Sequence[Replicate], plain: PlainCount) -> Interval:
    """Return the exact one-sided limit if no replicate had the event.

    It is computed from the initial games of the replicates and the plain games.
    """
    high = counted(runs, plain, 2 * CONFIDENCE - 1).high
    return Interval(0.0, 0.0, high, CONFIDENCE, f"{COUNTED}, upper limit: no replicate saw the event")


def counted(runs: Sequence[Replicate], plain: PlainCount, confidence: float) -> Interval:
    """Return the exact interval from the initial games of the replicates and the plain games.

    Each game that a replicate began is continued at least once to the event or to its end, because every
    state that reaches a level is continued. These are independent plain games. The number of these games with
    the event is at most the number of trajectories that reached the top, and at most the number that reached
    the first level.
    """
    games = sum(run.stages[0].trajectories for run in runs)
    first = sum(run.stages[0].reached for run in runs)
    top = sum(run.stages[-1].reached for run in runs if len(run.stages) == run.levels)
    return clopper_pearson(min(first, top) + plain.seen, games + plain.games, confidence)
