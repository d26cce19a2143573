"""Compare models that predict the minutes of a play from its turns, in synthetic plays: docs/people.md.

    python benchmarks/minutes_models.py

Each group of people has its own pace. The duration of a play is the set-up time plus minutes per turn; in one
play of twenty, the recorded time is wrong. Each model is fitted to n plays and predicts the median minutes of
games of other lengths. The script prints the mean absolute held-out error in percent, with one line per model
and one column per n.
"""

import numpy as np
from scipy.optimize import least_squares

from bartizan.analyses.people.minutes import BENDS, GROWS
from bartizan.analyses.statistics import durations

SIZES, TIMES = (5, 10, 30, 200), 150
SPREADS = ((0.1, 0.15), (0.25, 0.25), (0.4, 0.3))  # of log minutes: between groups, within
AHEAD = np.array([8.0, 12.0, 16.0, 24.0])  # turns of the games that are predicted


def constant(minutes, turns, groups):
    return np.full(len(AHEAD), np.median(minutes))


def proportional(minutes, turns, groups):
    return AHEAD * np.median(minutes / turns)


def sums(minutes, turns, groups):
    return AHEAD * minutes.sum() / turns.sum()


def log_log(minutes, turns, groups):
    """Predict minutes by a log-log regression without a prior and without robust errors."""
    slope, at = np.polyfit(np.log(turns), np.log(minutes), 1)
    return np.exp(at + slope * np.log(AHEAD))


def set_up_and_turns(minutes, turns, groups):
    """Predict minutes by a set-up time and minutes per turn: robust least squares of log(minutes)."""

    def residuals(found):
        return np.log(np.maximum(found[0] + found[1] * turns, 1e-3)) - np.log(minutes)

    start = np.array([1.0, np.median(minutes / turns)])
    found = least_squares(residuals, start, bounds=(0, np.inf), loss="soft_l1", f_scale=0.3).x
    return found[0] + found[1] * AHEAD


def mixed(minutes, turns, groups):
    """Predict minutes by the model that `playtest skill` fits."""
    middle = np.log(turns).mean()
    off, ahead = np.log(turns) - middle, np.log(AHEAD) - middle
    fit = durations.fit(minutes, np.column_stack([off, off**2]), groups, [GROWS, BENDS], draws=500)
    return np.array([np.exp(np.median(fit.middle([at, at**2]))) for at in ahead])


MODELS = (constant, proportional, sums, log_log, set_up_and_turns, mixed)


def made_up(random, n):
    """Return (minutes, turns, groups) of n synthetic plays, and the true median minutes at AHEAD turns."""
    between, within = SPREADS[random.integers(len(SPREADS))]
    setup, turn = random.choice([0.0, 15.0, 30.0]), random.choice([1.0, 4.0])
    groups = np.arange(n) % max(2, n // 5)
    pace = between * random.standard_normal(n)[groups]
    turns = 14 * np.exp(0.3 * random.standard_normal(n))
    minutes = (setup + turn * turns) * np.exp(pace + within * random.standard_normal(n))
    clocks = random.random(n) < 0.05
    minutes[clocks] *= random.choice([0.12, 6.0, 10.0], clocks.sum())
    return (minutes, turns, groups), setup + turn * AHEAD


def main():
    errors = np.zeros((len(MODELS), len(SIZES)))
    for column, n in enumerate(SIZES):
        random = np.random.default_rng([1, n])
        for _ in range(TIMES):
            plays, truth = made_up(random, n)
            for row, model in enumerate(MODELS):
                errors[row, column] += np.abs(np.log(np.maximum(model(*plays), 0.1) / truth)).mean() / TIMES
    for model, row in zip(MODELS, 100 * np.expm1(errors), strict=True):
        print(f"{model.__name__:<17}", *(f"{error:6.1f}" for error in row))


if __name__ == "__main__":
    main()
