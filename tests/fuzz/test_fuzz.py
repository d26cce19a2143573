"""A sample of `make fuzz`: every input is answered or refused in one line, no damaged folder makes a wrong page."""

import random

import pytest

from tests.fuzz.damages import damages
from tests.fuzz.trials import ALL, damaged, inputs, sweep

EACH, OF_PLAYED, SEED = 12, 5, 16
PLAYED = {"part file", "kept answer"}  # each input plays games first
HAND_SIGNED = {"manifest", "parquet"}  # spoiled and signed anew: `make fuzz` alone tries them; see docs/limits.md


@pytest.mark.parametrize("kind", [kind for kind in ALL if kind not in HAND_SIGNED])
def test_inputs(tmp_path, kind):
    assert list(inputs(kind, OF_PLAYED if kind in PLAYED else EACH, SEED, tmp_path)) == []


def test_damages(tmp_path):
    good = tmp_path / "good"
    assert sweep(good).code == 0
    tried = random.Random(SEED).sample(list(damages(SEED)), OF_PLAYED)
    assert [wrong for damage in tried for wrong in damaged(damage, good, tmp_path / "out")] == []
