"""Functions that are called by symbol answer and fail as those that are compiled into their caller."""

import numpy as np
import pytest
from numba import int32, int64, types

from bartizan.policies.registry import find_player
from bartizan.simcore.compile import loops
from bartizan.simcore.compile.apart import apart
from bartizan.simcore.compile.jit import compiled, jit
from bartizan.simcore.game import load_game
from bartizan.simcore.play.batch import Batch
from bartizan.simcore.play.match import Match
from bartizan.simcore.scenario.loading import load_scenario
from tests.cli.run_cli import PIG


@jit
def nth(numbers, n):
    if n >= numbers.shape[0]:
        raise ValueError("beyond the last")
    numbers[n] += 1
    return numbers[n]


@pytest.fixture(scope="module")
def by_symbol():
    called = apart(nth, (int64[::1], int32), "test_apart")

    def around(numbers, n):  # n is an int64 here
        return called(numbers, n) * 2

    return compiled(around, (int64[::1], types.int64))


def test_it_answers_and_writes_as_it_would_within(by_symbol):
    numbers = np.array([5, 8])
    assert by_symbol(numbers, 1) == 18
    assert numbers.tolist() == [5, 9]


def test_an_exception_over_there_is_one_here(by_symbol):
    with pytest.raises(ValueError, match="beyond the last"):
        by_symbol(np.array([5, 8]), 2)


def test_a_game_whose_rules_are_called_by_symbol_plays_the_same_games(monkeypatch):
    """Pig is small: its rules stand within its loop, unless it is told to be large."""
    game = load_game(PIG)
    match = Match(game, load_scenario(game), (find_player(game, "hold"), find_player(game, "random")), 3)
    within = Batch(match).play(range(300))
    monkeypatch.setattr(loops, "LARGE", 0)
    loops.compiled_rules.cache_clear()
    loops._compiled.cache_clear()
    try:
        assert Batch(match).play(range(300)).tobytes() == within.tobytes()
    finally:
        loops.compiled_rules.cache_clear()
        loops._compiled.cache_clear()
