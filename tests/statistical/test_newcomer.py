"""The newcomer of every game lies between random and the default heuristic, each step beyond 3 standard errors (slow: beyond 5, at every level and edition)."""

from functools import cache

import numpy as np
import pytest

from bartizan.policies.registry import find_player
from bartizan.simcore.compile.rules import NOBODY
from bartizan.simcore.game import load_game
from bartizan.simcore.play.batch import play_games
from bartizan.simcore.play.match import Match
from bartizan.simcore.scenario.loading import load_scenario
from tests.cli.run_cli import PIG
from tests.statistical.test_itter_policies import standard_errors

SEED = 31_415
slow = pytest.mark.slow


@cache
def rows(
    name: str,
    line_up: tuple[str, ...],
    games: int,
    scenario: str | None = None,
    level: str | None = None,
    sets: tuple[tuple[str, object], ...] = (),
) -> np.ndarray:
    game = load_game(name)
    loaded = load_scenario(game, scenario, level, dict(sets))
    match = Match(game, loaded, tuple(find_player(game, text) for text in line_up), SEED)
    return np.concatenate([chunk.copy() for chunk in play_games(match, range(games), 2)])


def worth(played: np.ndarray, seat: int) -> np.ndarray:
    """1 a win, one half a draw."""
    return (played["winner"] == seat) + 0.5 * (played["winner"] == NOBODY)


def rotated(name: str, one: str, other: str, games: int) -> np.ndarray:
    """By game number, what `one` makes of both seats on common luck."""
    return np.mean([worth(rows(name, (one, other), games), 0), worth(rows(name, (other, one), games), 1)], axis=0)


# ---------------------------------------------------------------- alone against the game


@pytest.mark.parametrize(
    ("scenario", "level", "games", "beyond"),
    [
        ("published", "novice", 100, 3),
        *(pytest.param("published", level, 1000, 5, marks=slow) for level in ("novice", "veteran", "elite")),
        *(pytest.param("playtest-v0.2", level, 300, 5, marks=slow) for level in ("normal", "veteran", "elite")),
    ],
)
def test_castle_itter(scenario, level, games, beyond):
    """By the turns it holds out: random and newcomer win next to nothing."""
    random, newcomer, garrison = (
        rows("itter", (name,), games, scenario, level)["turn"].astype(float)
        for name in ("random", "newcomer", "garrison")
    )
    assert standard_errors(newcomer, random) > beyond and standard_errors(garrison, newcomer) > beyond


# ---------------------------------------------------------------- two roles, each against the default of the other


@pytest.mark.parametrize(("games", "beyond"), [(250, 3), pytest.param(1000, 5, marks=slow)])
def test_defender_of_competitive_castle_itter(games, beyond):
    """The SS player lays cards that nothing shows the effect of within two decisions: as one he plays at random (docs/newcomer.md)."""
    random, newcomer, default = (
        rows("itter", (name, "commander"), games, "competitive")["turn"].astype(float)
        for name in ("random", "newcomer", "garrison")
    )
    assert standard_errors(newcomer, random) > beyond and standard_errors(default, newcomer) > beyond


# ---------------------------------------------------------------- alike seats, rotated


@pytest.mark.parametrize(
    ("name", "default", "games", "beyond"),
    [
        (PIG, "hold", 2000, 3),
        ("rampage", "tactician", 400, 3),
        pytest.param(PIG, "hold", 20_000, 5, marks=slow),
        pytest.param("castle", "steward", 2000, 5, marks=slow),
        pytest.param("rampage", "tactician", 2000, 5, marks=slow),
    ],
)
def test_seats_that_are_alike(name, default, games, beyond):
    """Against the default player, and against each other; the default against itself wins one half."""
    newcomer, random = (rotated(name, who, default, games) for who in ("newcomer", "random"))
    assert standard_errors(newcomer, random) > beyond
    assert standard_errors(np.full(games, 0.5), newcomer) > beyond
    few = min(games, 400)  # random players take long to end a game
    assert standard_errors(rotated(name, "newcomer", "random", few), np.full(few, 0.5)) > beyond
