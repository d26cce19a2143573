"""Do the intervals of how long a game takes hold the truth? Plays made up: set-up and minutes a turn, slow and
fast groups, clocks that ran on."""

import numpy as np
import pytest

from bartizan.analyses.people.minutes import Timed, TimedPlay, estimate
from bartizan.analyses.statistics.durations import METHOD, PREDICTION
from bartizan.analyses.statistics.methods import METHODS

TURNS = {"short": np.full(50, 10.0), "long": np.full(50, 19.0)}  # of the policy; people differ
SIZES = (5, 10, 30, 200)
SPREADS = ((0.1, 0.15), (0.25, 0.25), (0.4, 0.3))  # of log minutes: between groups, within


class MadeUp:
    """Plays, and the truth about them."""

    def __init__(self, random: np.random.Generator, plays: int, each: int, clocks: float):
        """each: plays of a group; clocks: share that somebody forgot to stop or to start."""
        self.between, self.within = SPREADS[random.integers(len(SPREADS))]
        self.setup, self.turn = random.choice([0.0, 15.0, 30.0]), random.choice([1.0, 4.0])
        groups = max(1, plays // each)
        pace = self.between * random.standard_normal(groups)
        self.own = pace[0] if groups == 1 else None  # one group shows nothing of others
        self.random, self.plays = random, []
        for play in range(plays):
            level = ("short", "long")[random.integers(2)]
            turns, minutes = self.play(level, pace[play % groups])
            if random.random() < clocks:
                minutes *= random.choice([0.12, 6.0, 10.0])
            self.plays.append(TimedPlay(minutes, turns, 2, level, str(play % groups), True, ""))

    def play(self, level: str, pace: float) -> tuple[float, float]:
        turns = 1.1 * TURNS[level][0] * np.exp(0.2 * self.random.standard_normal())
        return turns, (self.setup + self.turn * turns) * np.exp(pace + self.within * self.random.standard_normal())

    @property
    def factor(self) -> float:
        """Of the mean over the middle of a group's plays at the middle of its turns."""
        spread = self.within**2 + (self.between**2 if self.own is None else 0)
        return np.exp(spread / 2 + (self.own or 0))

    def mean(self, level: str) -> float:
        return (self.setup + self.turn * 1.1 * TURNS[level][0] * np.exp(0.02)) * self.factor

    def one_more(self, level: str) -> float:
        pace = self.between * self.random.standard_normal() if self.own is None else self.own
        return self.play(level, pace)[1]


def covered(random: np.random.Generator, plays: int, each: int, clocks: float) -> list[bool]:
    """Is it inside: the mean minutes of a game at a level, one more game there, the minutes of a turn?"""
    made = MadeUp(random, plays, each, clocks)
    found = estimate(Timed(tuple(made.plays), {}), TURNS, "policy", seed=1)
    level = found.levels[random.integers(2)]
    per_turn = (made.setup + made.turn * found.turns) * made.factor / found.turns
    asked = ((level.mean, made.mean(level.level)), (level.one_game, made.one_more(level.level)), (found.per_turn, per_turn))
    return [bool(place.low <= truth <= place.high) for place, truth in asked]


def shares(times: int, each: int, clocks: float, seed: int) -> np.ndarray:
    """[size, what is asked]"""
    random = np.random.default_rng(seed)
    return np.array([np.mean([covered(random, plays, each, clocks) for _ in range(times)], axis=0) for plays in SIZES])


def test_intervals_of_minutes_hold_the_truth():
    """200 made-up folders, a clock in twenty forgotten: a true coverage of 88 % would be seen (95 % nominal; one game 90 %)."""
    held = shares(50, 5, 0.05, 1).mean(axis=0)
    assert held[0] >= 0.93 and held[2] >= 0.93, held
    assert 0.86 <= held[1] <= 0.97, held


@pytest.mark.slow
@pytest.mark.parametrize("each", [1, 5])
@pytest.mark.parametrize("clocks", [0.0, 0.05])
def test_intervals_of_minutes_hold_the_truth_in_every_size(each, clocks):
    """800 folders of a size: four standard errors below 95 % are 91.9 %, below 90 % 85.8 %."""
    held = shares(800, each, clocks, 2)
    assert (held[:, (0, 2)] >= 0.919).all() and (held[:, 1] >= 0.858).all(), held


def test_the_methods_are_registered():
    assert {METHOD, PREDICTION} <= set(METHODS)
