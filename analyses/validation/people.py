"""Trials of analyses of plays by people: duration and learning. Plays and people are synthetic."""

from dataclasses import replace
from functools import partial

import numpy as np

from bartizan.analyses.people.learning import PRIOR
from bartizan.analyses.people.minutes import Timed, TimedPlay, estimate
from bartizan.analyses.statistics import special
from bartizan.analyses.statistics.latent_skill import TableResult, fit
from bartizan.analyses.validation.trial import CoverageTrial, GridPoint, MeasuredCoverage, counted, covers
from bartizan.simcore.reporting import CONFIDENCE

# ---------------------------------------------------------------- minutes

TURNS = {"short": np.full(50, 10.0), "long": np.full(50, 19.0)}  # turns of the policy; people's turns differ
SPREADS = ((0.1, 0.15), (0.25, 0.25), (0.4, 0.3))  # of log minutes: between groups, within


class TimedPlays:
    """Synthetic plays with minutes, and their true parameters.

    The parameters are set-up, minutes per turn, and the spreads of groups and plays. each: plays per group.
    clocks: share of wrong times.
    """

    def __init__(self, random: np.random.Generator, plays: int, each: int, clocks: float):
        self.between, self.within = SPREADS[random.integers(len(SPREADS))]
        self.setup, self.turn = random.choice([0.0, 15.0, 30.0]), random.choice([1.0, 4.0])
        groups = max(1, plays // each)
        pace = self.between * random.standard_normal(groups)
        self.own = pace[0] if groups == 1 else None  # one group gives no information about others
        self.random, self.plays = random, list[TimedPlay]()
        for play in range(plays):
            level = ("short", "long")[random.integers(2)]
            turns, minutes = self.play(level, pace[play % groups])
            if random.random() < clocks:
                minutes *= random.choice([0.12, 6.0, 10.0])
            self.plays.append(TimedPlay(minutes, turns, 2, level, str(play % groups), True, ""))

    def play(self, level: str, pace: float) -> tuple[float, float]:
        """Return (turns, minutes) of one synthetic play. pace: logarithm of the group's factor."""
        turns = 1.1 * TURNS[level][0] * np.exp(0.2 * self.random.standard_normal())
        noise = pace + self.within * self.random.standard_normal()
        return turns, (self.setup + self.turn * turns) * np.exp(noise)

    @property
    def factor(self) -> float:
        """Ratio of the mean duration to the duration of a median play by a typical group."""
        spread = self.within**2 + (self.between**2 if self.own is None else 0)
        return float(np.exp(spread / 2 + (self.own or 0)))

    def mean(self, level: str) -> float:
        middle = self.setup + self.turn * 1.1 * TURNS[level][0] * np.exp(0.02)
        return float(middle * self.factor)

    def one_more(self, level: str) -> float:
        pace = self.between * self.random.standard_normal() if self.own is None else self.own
        return self.play(level, pace)[1]


def minutes_held(
    random: np.random.Generator, plays: int, each: int, clocks: float
) -> list[tuple[bool, float]]:
    """Return (whether it is right, width) of three intervals.

    They are for the mean minutes at a level, the minutes of one more game there, and the minutes per turn.
    """
    made = TimedPlays(random, plays, each, clocks)
    found = estimate(Timed(tuple(made.plays), {}), TURNS, "policy", seed=1)
    level = found.levels[random.integers(2)]
    per_turn = (made.setup + made.turn * (found.turns or 1)) * made.factor / (found.turns or 1)
    asked = (
        (level.mean, made.mean(level.level)),
        (level.one_game, made.one_more(level.level)),
        (found.per_turn, per_turn),
    )
    return [(covers(one, truth), one.high - one.low if one else 0.0) for one, truth in asked]


def durations(
    which: tuple[int, ...], point: GridPoint, replicates: int, random: np.random.Generator
) -> MeasuredCoverage:
    """Trial of durations of games.

    which: indices into the result of `minutes_held`. case: number of plays per group. truncated: share of
    plays with a wrong clock.
    """
    each = int(point.case.split()[0])
    results = (minutes_held(random, point.n, each, point.truncated) for _ in range(replicates))
    share = counted(held[one] for held in results for one in which)
    return replace(share, replicates=replicates)  # the two intervals of a replicate are dependent


CLOCKS = tuple(
    GridPoint(n, truncated=clocks, case=f"{each} plays per group")
    for n in (5, 10, 30, 200)
    for each in (1, 5)
    for clocks in (0.0, 0.05)
)

# ---------------------------------------------------------------- learning

EASES = np.array([0.0, -1.0])


def learners(random: np.random.Generator, trend: float, people: int, stops: str) -> list[TableResult]:
    """Return up to eight plays by each person, at random levels.

    stops: people stop with probability 0.7 after a "win" or after a "loss"; "random": with probability 0.28
    after any play.
    """
    results = []
    for person in range(people):
        skill = random.normal(0, 0.8)
        for number in range(1, 9):
            level = int(random.integers(2))
            won = random.random() < special.expit(skill + EASES[level] + trend * np.log2(number))
            results.append(TableResult((str(person),), level, 1, int(won), float(np.log2(number))))
            ends = {"win": won, "loss": not won, "random": random.random() < 0.4}[stops]
            if ends and random.random() < 0.7:
                break
    return results


def trend(point: GridPoint, replicates: int, random: np.random.Generator) -> MeasuredCoverage:
    """Trial of a trend: n people who gain `truth` logits with each doubling of their plays."""

    def one() -> tuple[bool, float]:
        results = learners(random, point.truth, point.n, point.case.removeprefix("stop at ").split()[-1])
        interval = fit(results, EASES, PRIOR).interval("first", CONFIDENCE)
        return covers(interval, point.truth), interval.high - interval.low

    return counted(one() for _ in range(replicates))


LEARNERS = tuple(
    GridPoint(n, gain, case=f"people stop after a {stops}")
    for n in (6, 30)
    for gain in (0.0, 0.4, 1.0)
    for stops in ("win", "loss", "random")
)

# ---------------------------------------------------------------- the trials

TRIALS = (
    CoverageTrial("log-linear mixed model", partial(durations, (0, 2)), CLOCKS, CLOCKS[7:8], 400, 60),
    CoverageTrial(
        "prediction by a log-linear mixed model", partial(durations, (1,)), CLOCKS, CLOCKS[7:8], 400, 60
    ),
    CoverageTrial("trend by play, posterior on a grid", trend, LEARNERS, LEARNERS[:2], 200, 40),
)
