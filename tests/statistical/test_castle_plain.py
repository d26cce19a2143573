"""Castle under the reference policy `plain`: the engine agrees in distribution with the independent program tests.naive.castle_plain on all that section 9 counts."""

import csv
import math
import random
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from bartizan.policies.registry import find_player
from bartizan.simcore.game import load_game
from bartizan.simcore.play.batch import Batch
from bartizan.simcore.play.match import Match
from bartizan.simcore.scenario.loading import load_scenario
from tests.naive import castle_plain

DATA = Path(__file__).parent.parent / "castle_data" / "plain.csv"
PLAYERS = (2, 3, 4)
GAMES = 8_000
SEED = 5381
LIMIT = 5.0  # combined standard errors; two honest samples differ by more in one of 1.7 million quantities


@cache
def expected(players: int) -> dict[str, tuple[float, float]]:
    """Mean and standard error of each quantity, by the independent program."""
    with DATA.open(newline="", encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if int(row["players"]) == players]
    return {row["quantity"]: (float(row["mean"]), float(row["standard_error"])) for row in rows}


@cache
def played(players: int) -> np.ndarray:
    game = load_game("castle")
    scenario = load_scenario(game, sets={"players.count": players})
    return Batch(Match(game, scenario, (find_player(game, "plain"),) * players, SEED)).play(range(GAMES))


def standard_errors_apart(values: np.ndarray, mean: float, error: float) -> float:
    """How far two independent means lie apart, in combined standard errors. If both samples were constant, only the same constant will do."""
    combined = math.hypot(error, values.std(ddof=1) / math.sqrt(len(values)))
    apart = abs(values.mean() - mean)
    if combined == 0:
        return 0.0 if apart == 0 else math.inf
    return float(apart / combined)


@pytest.mark.parametrize("players", PLAYERS)
def test_the_table_is_the_one_the_program_makes(players):
    """The same quantities in the same order, each with at least 10,000 games behind it."""
    assert list(expected(players)) == list(castle_plain.play(players, random.Random(1)))
    with DATA.open(newline="", encoding="utf-8") as file:
        assert min(int(row["games"]) for row in csv.DictReader(file)) >= 10_000


@pytest.mark.parametrize("players", PLAYERS)
def test_engine_agrees_with_the_independent_program(players):
    rows = played(players)
    apart = {
        name: standard_errors_apart(rows[name].astype(float), mean, error)
        for name, (mean, error) in expected(players).items()
    }
    assert not {
        name: f"{rows[name].mean():.6g} for {expected(players)[name][0]:.6g}: {z:.1f} standard errors"
        for name, z in apart.items()
        if not z < LIMIT
    }


@pytest.mark.parametrize("players", PLAYERS)
def test_every_game_is_accounted_for(players):
    """Section 7: somebody wins or the cap draws, never both."""
    rows = played(players)
    wins = sum(rows[f"seat{seat}_wins"].astype(int) for seat in range(players))
    assert (wins + rows["capped"] == 1).all()
    assert (rows["attacks_won"] <= rows["attacks"]).all()
