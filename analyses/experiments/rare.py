"""How rare is an event that most games never see? Fixed-effort multilevel splitting beside plain Monte Carlo.

The road to the event is cut into stages by a progress function of the game; the product of the shares that
pass each stage is an unbiased estimate of its chance, whatever the progress function (Garvels, The splitting
method in rare event simulation, 2000). A good one makes it precise, a poor one makes replicates die out and
scatter. Stages are not independent of each other, so the interval is that of whole replicates, each on luck
of its own: Student's t. A replicate that dies out counts as 0. Levels are chosen on a pilot of another seed:
chosen on the same games they would bias the estimate.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from math import sqrt

import numpy as np
from pydantic import Field

from bartizan.analyses.document import Document
from bartizan.analyses.statistics.intervals import CONFIDENCE, Interval, clopper_pearson, student_t
from bartizan.simcore.play.splitting import Replicate, SplitStage, Splitting, pick

LEAST = 0.2  # values of progress are merged into one stage as long as so many trajectories get there
SKEWED = 1.0  # from this skewness of the replicates on the interval is called rough
SEEN = 10  # so many events of plain play make a second opinion
PILOT = 2**62  # between the seed and that of its pilot
FIRST_LOOK = 512  # plain games that say how long a game is
METHOD = (
    "fixed-effort multilevel splitting (Garvels 2000): levels chosen on a pilot of another seed; estimate: "
    "mean over replicates of the product of the stages' shares, 0 for one "
    "that died out; interval: Student's t over replicates; plain Monte Carlo: Clopper-Pearson"
)


class RareStage(Document):
    """One stage, all replicates together."""

    level: int  # progress it leads to
    replicates: int  # that got as far as to play it
    trajectories: int
    reached: int
    share: float  # of the trajectories
    decisions: int


class PlainCount(Document):
    """The same event counted in games played through."""

    games: int
    seen: int
    decisions: int
    capped: int
    chance: Interval


class RareEvent(Document):
    """A chance, how it was come by, and what plain counting says."""

    event: str
    chance: Interval  # estimate 0: the upper limit is a rough bound, see `bound`
    se: float | None
    replicates: int
    extinct: int  # replicates that died out
    skewness: float | None  # of the replicates
    is_rough: bool  # the interval, for skewness
    trajectories: int  # of a stage
    stages: list[RareStage]
    decisions: int  # the pilot's included
    capped: int  # trajectories cut off: counted as never getting there
    plain_count: PlainCount = Field(alias="plain")
    # between the two estimates; None where plain play saw too few events to tell
    standard_errors_apart: float | None
    plain_games_for_this_precision: float | None
    gain: float | None  # so many times the decisions would plain play need for the same standard error
    method: str = METHOD


def analyze(
    splitting: Splitting,
    trajectories: int = 500,
    replicates: int = 30,
    games: int | None = None,
    merge: bool = True,
    jobs: int = 1,
) -> RareEvent:
    """games: of plain play; as many decisions as the splitting makes unless given. merge: choose levels on a
    pilot; else every value of progress is one.
    """
    levels, spent = (
        choose_levels(splitting, trajectories) if merge else (tuple(range(1, splitting.top + 1)), 0)
    )
    runs = list(splitting.replicates(levels, trajectories, replicates, jobs))
    decisions = spent + sum(stage.plies for run in runs for stage in run.stages)
    plain = play_plain(splitting, games, decisions, replicates * trajectories, jobs)
    return summarize(splitting.name, runs, trajectories, decisions, plain)


def choose_levels(splitting: Splitting, trajectories: int) -> tuple[tuple[int, ...], int]:
    """The levels, and the decisions it took to choose them: each the furthest that a share LEAST of the
    pilot's trajectories reach, or the next that any reaches.

    Where the pilot dies out every value of progress beyond is a level.
    """
    seed = (splitting.match.seed + PILOT) % 2**63
    pilot = replace(splitting, match=replace(splitting.match, seed=seed))
    choice = np.random.default_rng(seed)
    levels: list[int] = []
    spent, games, now = 0, pilot.start(), 0
    while now < pilot.top:
        picks = pick(games.n, trajectories, choice)
        stage, _, best = pilot.stage(games, picks, pilot.top, 0)
        spent += stage.plies
        beyond = np.unique(np.minimum(best[best > now], pilot.top))
        if not len(beyond):
            return (*levels, *range(now + 1, pilot.top + 1)), spent
        shares = np.array([(best >= value).mean() for value in beyond])
        now = int(beyond[max(int((shares >= LEAST).sum()) - 1, 0)])
        # the same trajectories once more, to stop them there
        stage, games, _ = pilot.stage(games, picks, now, 0)
        spent += stage.plies
        levels.append(now)
    return tuple(levels), spent


def play_plain(splitting: Splitting, games: int | None, plies: int, first_game: int, jobs: int) -> PlainCount:
    """games: None: as many as take so many decisions.

    They are games that the splitting has not begun with: two opinions, not one and a half.
    """
    if games is None:
        look = total(splitting.plain(FIRST_LOOK, jobs, first_game))
        games = max(FIRST_LOOK, round(plies * FIRST_LOOK / max(look.plies, 1)))
    count = total(splitting.plain(games, jobs, first_game))
    return PlainCount(
        games=games,
        seen=count.reached,
        decisions=count.plies,
        capped=count.truncated,
        chance=clopper_pearson(count.reached, games),
    )


def total(stages: Iterable[SplitStage]) -> SplitStage:
    """Stages at one level as one."""
    stages, names = list(stages), ("trajectories", "reached", "plies", "truncated")
    return SplitStage(stages[0].level, *(sum(getattr(stage, name) for stage in stages) for name in names))


def summarize(
    name: str, runs: Sequence[Replicate], trajectories: int, decisions: int, plain: PlainCount
) -> RareEvent:
    estimates = np.array([run.estimate for run in runs])
    mean, spread = float(estimates.mean()), float(estimates.std(ddof=1))
    stages = list(_stages(runs))
    se = spread / sqrt(len(runs)) if mean else None
    chance = bound(runs, stages) if se is None else student(mean, se, len(runs))
    skewness = float(((estimates - mean) ** 3).mean() / estimates.std() ** 3) if spread > 0 else None
    plain_games = mean * (1 - mean) / se**2 if se else None
    return RareEvent(
        event=name,
        chance=chance,
        se=se,
        replicates=len(runs),
        extinct=int((estimates == 0).sum()),
        skewness=skewness,
        is_rough=skewness is not None and skewness > SKEWED,
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
    """Student's t, cut off at 0 and 1."""
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


def bound(runs: Sequence[Replicate], stages: Sequence[RareStage]) -> Interval:
    """No replicate saw the event: at most the chance to get as far as any did, times what 0 of the
    trajectories that tried the next step leave open.

    Rough: trajectories that go on from one game are not independent. Half of the error is spent on each
    factor.
    """
    far, last, reach = len(stages) - 1, stages[-1], 1.0
    if far:
        passed = ([stage.reached / stage.trajectories for stage in run.stages] for run in runs)
        shares = np.array([np.prod(passes[:far]) if len(passes) > far else 0.0 for passes in passed])
        reach = student(float(shares.mean()), float(shares.std(ddof=1)) / sqrt(len(runs)), len(runs)).high
    high = reach * clopper_pearson(last.reached, last.trajectories).high
    method = f"rough upper bound: no replicate reached progress {last.level}"
    return Interval(0.0, 0.0, high, CONFIDENCE, method)
