"""Short games (docs/short-games.md): the games they are, the same plain as compiled, the same written out long."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import bartizan as bz
from bartizan.api.answers.new import new
from bartizan.policies.registry import find_player
from bartizan.simcore.game import load_game
from bartizan.simcore.play.batch import Batch
from bartizan.simcore.play.match import Match
from bartizan.simcore.scenario.loading import load_scenario

EXAMPLES = Path(__file__).parents[2] / "examples"
SHORT = EXAMPLES / "short"
MOST_LINES = {"pig": 20, "tic_tac_toe": 30, "no_thanks": 45, "cant_stop": 90, "love_letter": 130}
PLAIN = "import sys; from bartizan.cli import main; main()"


def rows(path: Path, policy: str, games: int = 3000) -> np.ndarray:
    game = load_game(str(path))
    scenario = load_scenario(game)
    match = Match(game, scenario, (find_player(game, policy),) * len(game.roles_in(scenario)), 3)
    return Batch(match).play(0, games)


@pytest.mark.parametrize("name", MOST_LINES)
def test_a_short_game_is_short(name):
    """Lines that hold something, imports aside."""
    if not (SHORT / f"{name}.py").exists():
        pytest.skip("not written")
    lines = (SHORT / f"{name}.py").read_text(encoding="utf-8").splitlines()
    assert len([line for line in lines if line.strip() and not line.startswith("from ")]) <= MOST_LINES[name]


def test_the_short_pig_is_the_long_one():
    long, short = rows(EXAMPLES / "pig/pig.py", "hold"), rows(SHORT / "pig.py", "steady")
    for column in ("winner", "turn", "plies", "score"):
        assert (long[column] == short[column]).all()


def test_pig_has_its_known_answer():
    """Both holding at 20, the first of two wins 0.5347 of the games."""
    won = (rows(SHORT / "pig.py", "steady", 200_000)["winner"] == 0).mean()
    assert abs(won - 0.5347) < 4 * np.sqrt(0.25 / 200_000)


def test_tic_tac_toe_at_random_has_its_known_answer():
    """First wins 0.5849, second 0.2881, drawn 0.1270 (counted over all games)."""
    winner = rows(SHORT / "tic_tac_toe.py", "random", 100_000)["winner"]
    for who, share in ((0, 0.5849), (1, 0.2881), (-1, 0.1270)):
        assert abs((winner == who).mean() - share) < 4 * np.sqrt(0.25 / 100_000)


def test_written_out_it_is_the_same_game(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    list(new("game", "long_one", short=str(SHORT / "no_thanks.py")))
    assert (rows(tmp_path / "long_one/long_one.py", "thrifty", 200) == rows(SHORT / "no_thanks.py", "thrifty", 200)).all()


@pytest.mark.parametrize("name", ["pig", "no_thanks"])
def test_uncompiled_it_is_the_same_game(name, tmp_path):
    path = SHORT / f"{name}.py"
    command = [sys.executable, "-c", PLAIN, "run", str(path), "--games", "20", "--plain"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, env=os.environ.copy(), check=True)
    assert bz.game(str(path)).run(games=20).to_dict()["digest"][:16] in done.stdout
