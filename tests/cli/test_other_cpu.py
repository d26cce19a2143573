"""Workers of other kinds of CPU play the same bytes: no decision hangs on how a number is rounded.

Compiled for the generic CPU there is no fused multiply-add and no AVX; the C library is told to take its other exp and log, BLAS to add in another order.
"""

import platform

import pytest

from tests.cli.run_cli import PIG
from tests.other_cpu import played

x86 = pytest.mark.skipif(platform.machine().lower() not in ("x86_64", "amd64"), reason="only x86-64 has these features")


def same(*words, **environment):
    here, there = (played(*words, old=old, **environment) for old in (False, True))
    assert there["cpu"] == "generic" and here["cpu"] != "generic" and not there["fma"]
    assert there["digest"] == here["digest"]


@x86
def test_pig_plays_the_same_on_another_cpu():
    """With noise, so that choices hang on drawn numbers too."""
    same(PIG, "hold:noise=0.3+random", 3000)


@x86
@pytest.mark.slow
def test_itter_plays_the_same_on_another_cpu():
    same("itter", "garrison", 1000, "elite", BARTIZAN_BOUNDSCHECK="")
