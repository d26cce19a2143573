"""A sample of `make soak`: whatever happens to a job, it goes on to the clean bytes or refuses in one line."""

import pytest

from tests.soak.mishaps import cases
from tests.soak.trials import Bench, tried

SEED = 3
SAMPLE = ("killed at a touch of the disk", "bytes flipped", "two at once")


@pytest.fixture(scope="module")
def bench(tmp_path_factory):
    return Bench(tmp_path_factory.mktemp("soak"))


@pytest.mark.rotating
@pytest.mark.parametrize("kind", SAMPLE)
def test_soak(bench, kind):
    assert [wrong for case in cases(kind, 1, SEED) for wrong in tried(case, bench)] == []
