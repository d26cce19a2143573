"""Known answers, through the public interface: fixed seeds, tolerances in standard errors."""

import math

import pytest

from tests.cli.run_cli import PIG, RUIN, bartizan

GAMES = 200_000


@pytest.mark.parametrize(
    ("args", "answer"),
    [
        ((PIG, "--policy", "hold"), 0.5346983261653875),
        ((PIG, "--policy", "first=hold:at=25", "--policy", "second=hold:at=20"), 0.5434824220853344),
        ((RUIN,), 0.4012995229723709),
        ((RUIN, "--set", "bets.win_per_mille=500"), 0.5),
    ],
    ids=["pig 20 against 20", "pig 25 against 20", "ruin .49", "ruin .5"],
)
def test_known_answer(args, answer):
    document = bartizan("run", *args, "--games", GAMES, "--seed", 5, "--json").json
    error = math.sqrt(answer * (1 - answer) / GAMES)
    assert abs(document["wins"] / GAMES - answer) < 4 * error
    assert error < 0.0012, "the test would not bite"


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20))
def test_pig_on_many_seeds(seed):
    """The interval holds the known answer in about 95 of 100 runs; 20 runs all within 4 standard errors."""
    document = bartizan("run", PIG, "--policy", "hold", "--games", 1_000_000, "--seed", 100 + seed, "--json").json
    answer = 0.5346983261653875
    assert abs(document["wins"] / 1e6 - answer) < 4 * math.sqrt(answer * (1 - answer) / 1e6)
