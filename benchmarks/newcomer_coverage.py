"""Measure the coverage of the intervals of `newcomer_fit`, with simulated people whose parameters are known.

Simulated people meet in the same pairs and games as the people in the data. Each person has an individual
temperature and lapse rate, drawn around common values. The fit does not model these differences, so its
target is the estimate from many simulated schedules combined.
"""

from collections.abc import Sequence
from multiprocessing import get_context

import numpy as np
from numba import njit

from bartizan.analyses.statistics.intervals import wilson
from bartizan.benchmarks import newcomer_fit as fit
from bartizan.examples.rows import rows
from bartizan.simcore.arrays import as_records

SPREAD = {"temperature": 0.3, "slip": 1.0}  # standard deviations between people, of logarithm and logit
POOLED = 20  # schedules whose combined estimate is the target of the fit


@njit
def simulated(states, tables, thetas, seed, features, first, chosen, pieces, seats):
    """Simulate matches of one game, with the parameters `thetas` [match, seat, parameter].

    Fills the last five arguments; returns the number of moves with a choice.
    """
    np.random.seed(seed)
    trial, lines, legal, moves = states[1:2], np.zeros((2, 3)), np.zeros(100, np.int32), 0
    for match in range(len(thetas)):
        states[0] = states[2]
        rows.reset(states[0], tables)
        while states[0].end_reason == 0:
            seat, at = states[0].to_move, first[moves]
            n = fit.decision(states[0], tables, trial, lines, legal, features[at:])
            theta = thetas[match, seat]
            chances = fit.chance_of(features[at : at + n], theta, tables.loses, states[0].pieces, True)
            i = fit.drawn(chances)
            if n > 1:
                chosen[moves], pieces[moves], seats[moves] = i, states[0].pieces, 2 * match + seat
                moves += 1
                first[moves] = at + n
            rows.apply(states[0], tables, legal[i])
    return moves


class Schedule:
    """The pairs of people in each game. games: int [match]. people: int [match, seat]. tables: by game."""

    def __init__(self, tables: Sequence, games: np.ndarray, people: np.ndarray):
        self.tables, self.games, self.people = tables, games, people

    def played(self, theta: np.ndarray, seed: int, spread: dict[str, float]) -> tuple[tuple, np.ndarray]:
        """Return the simulated moves in the form that a fit takes, and the person of each move."""
        rng = np.random.default_rng(seed)
        own = np.tile(theta, (self.people.max() + 1, 1))
        for name, deviation in spread.items():
            own[:, fit.NAMES.index(name)] += deviation * rng.standard_normal(len(own))
        parts = []
        for game in np.unique(self.games):
            who, tables = self.people[self.games == game], self.tables[game]
            squares = int(tables.rows * tables.columns)
            features = np.zeros((len(who) * squares * (squares + 1) // 2 + squares, fit.COLUMNS))
            first = np.zeros(len(who) * squares + 1, int)
            chosen, pieces, seats = np.zeros((3, len(first)), int)
            states = as_records(np.zeros(3, rows.STATE))
            game_seed = int(rng.integers(1 << 31))
            n = simulated(states, tables, own[who], game_seed, features, first, chosen, pieces, seats)
            parts.append(
                (
                    features[: first[n]],
                    np.diff(first[: n + 1]),
                    chosen[:n],
                    pieces[:n],
                    who.ravel()[seats[:n]],
                )
            )
        features, sizes, chosen, pieces, people = map(np.concatenate, zip(*parts, strict=True))
        first = np.concatenate([[0], np.cumsum(sizes)])
        return (features, first, chosen, np.zeros(len(chosen), int), pieces), people


def schedule_of(plays: fit.Plays) -> Schedule:
    """Return the schedule of the games in which a row wins."""
    met = np.array(plays.met)
    wins = np.array([not plays.tables[game].loses for game, *_ in met])
    return Schedule(plays.tables, met[wins, 0], met[wins, 1:])


def replicate(job: tuple) -> tuple[np.ndarray, np.ndarray]:
    """Return the estimates and the standard errors of one simulated schedule."""
    schedule, theta, seed, spread = job
    moves, who = schedule.played(theta, seed, spread)
    found = fit.fitted(moves, start=theta)
    return found, fit.errors(found, moves, who)


def aim_of(schedule: Schedule, theta: np.ndarray, spread: dict[str, float]) -> np.ndarray:
    """Return the target of the fit: its estimate from POOLED simulated schedules combined.

    theta: common parameters of the simulated people. spread: standard deviations between people. If all are
    0, the target is `theta` itself.
    """
    if not any(spread.values()):
        return theta
    parts = [schedule.played(theta, 10_000 + k, spread)[0] for k in range(POOLED)]
    features, first, chosen, loses, pieces = zip(*parts, strict=True)
    sizes = np.concatenate([np.diff(one) for one in first])
    joined = [np.concatenate(one) for one in (chosen, loses, pieces)]
    return fit.fitted(
        (np.concatenate(features), np.concatenate([[0], np.cumsum(sizes)]), *joined), start=theta
    )


def coverage(schedule: Schedule, theta: np.ndarray, n: int, spread=SPREAD, jobs: int = 1) -> dict:
    """Return the coverage of 90 % intervals in n schedules, with 95 % intervals (Wilson)."""
    aim = aim_of(schedule, theta, spread)
    work = [(schedule, theta, seed, spread) for seed in range(n)]
    if jobs > 1:
        with get_context("fork").Pool(jobs) as pool:
            results = pool.map(replicate, work, chunksize=1)
    else:
        results = list(map(replicate, work))
    found, error = (np.array(part) for part in zip(*results, strict=True))
    held = np.abs(found - aim) <= fit.Z90 * error
    return {
        "schedules": n,
        "spread between people": spread,
        "held": {name: shown(held[:, i].sum(), n) for i, name in enumerate(fit.NAMES)},
        "all numbers": fit.rounded(held.mean()),
        "bias in standard errors": dict(
            zip(fit.NAMES, ((found - aim).mean(0) / found.std(0)).round(2).tolist(), strict=True)
        ),
        "aim": aim.round(3).tolist(),
    }


def shown(successes: int, n: int) -> list[float]:
    interval = wilson(int(successes), n)
    return [fit.rounded(x) for x in (interval.estimate, interval.low, interval.high)]
