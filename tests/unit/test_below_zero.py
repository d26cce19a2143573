"""No index of a game's compiled code is below 0, where numba would read from the end of the array (`tests.below_zero`)."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from bartizan.simcore.game import BUILTIN
from tests.conftest import KEPT

ROOT = Path(__file__).parents[2]


def output(what):
    env = os.environ | {"BARTIZAN_CACHE": str(KEPT / "below zero"), "BARTIZAN_BOUNDSCHECK": "1"}
    done = subprocess.run(
        [sys.executable, "-m", "tests.below_zero", what], capture_output=True, text=True, cwd=ROOT, env=env
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout.strip()


def test_an_index_below_zero_is_named_with_its_place():
    assert output("probe").startswith("index below 0: below_zero.py:")


@pytest.mark.slow
@pytest.mark.parametrize("game", BUILTIN)
def test_no_index_is_below_zero(game):
    output(game)
