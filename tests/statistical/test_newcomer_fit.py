"""`benchmarks/newcomer_fit.py`: its slopes, the paper's player, and intervals that hold the numbers of simulated people."""

import numpy as np
import pytest

from bartizan.benchmarks import newcomer_coverage
from bartizan.benchmarks import newcomer_fit as fit
from bartizan.examples.rows import rows
from bartizan.simcore.arrays import as_records
from bartizan.simcore.scenario.loading import load_scenario

THETA = np.array([-0.056, -1.394, 1.086, 0.118, 3.304, -2.5, 0.5])
SCHEDULES = 60


@pytest.fixture(scope="module")
def schedule() -> newcomer_coverage.Schedule:
    """60 people, 90 matches on two small boards."""
    tables = [
        as_records(rows.build_tables(load_scenario(rows.GAME, None, name)))[0] for name in ("3x3-3", "4x4-3-straight")
    ]
    people = np.random.default_rng(2).permuted(np.tile(np.arange(60), (3, 1)), axis=1).reshape(-1, 2)
    return newcomer_coverage.Schedule(tables, np.arange(len(people)) % 2, people)


def test_the_slopes_are_those_of_the_likelihood(schedule):
    moves, _ = schedule.played(THETA, 1, {})
    _, slopes = fit.scored(THETA, *moves)
    for number, step in enumerate(1e-5 * np.eye(len(THETA))):
        rise = (fit.log_likelihood(THETA + step, *moves) - fit.log_likelihood(THETA - step, *moves)) / 2e-5
        assert np.abs(rise - slopes[:, number]).max() < 1e-6, fit.NAMES[number]


def test_the_papers_player_has_the_papers_numbers(schedule):
    """An empty board: 2 in the middle, 1 in a corner; a row of three there for the taking: 2 to the fourth more; to be blocked: 2 to the third."""
    states, tables = as_records(np.zeros(1, rows.STATE)), schedule.tables[0]
    state = states[0]
    rows.reset(state, tables)
    assert fit.intuition(state, tables, 4) == 2.0 and fit.intuition(state, tables, 0) == 1.0
    state.square[0] = state.square[1] = 1
    assert fit.intuition(state, tables, 2) == 1.0 + 2.0**4
    state.to_move = 1
    assert fit.intuition(state, tables, 2) == 1.0 + 2.0**3


def test_ninety_percent_intervals_hold_the_numbers_of_simulated_people(schedule):
    """In 9 of 10 schedules, and half as wide ones in fewer: of the numbers that so few plays can tell."""
    told = [fit.NAMES.index(name) for name in ("temperature", "fades", "feared")]
    work = [(schedule, THETA, seed, {}) for seed in range(SCHEDULES)]
    found, error = (np.array(part)[:, told] for part in zip(*map(newcomer_coverage.replicate, work), strict=True))
    off = np.abs(found - THETA[told]) / (fit.Z90 * error)
    tolerance = 4 * np.sqrt(0.9 * 0.1 / SCHEDULES)
    assert abs((off <= 1).mean() - 0.9) < tolerance
    assert (off <= 0.5).mean() < 0.9 - tolerance
